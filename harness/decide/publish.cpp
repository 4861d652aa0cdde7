// Where a report goes, and the exit code (harness/decide/decide.h).
#include <algorithm>
#include <array>
#include <iostream>

#include "harness/decide/decide.h"
#include "harness/report/report_archive.h"
#include "models/base/file.h"
#include "models/base/progress.h"
#include "models/base/watch.h"

namespace gg {
namespace {

/// A proof that rests on something that the user did not allow; "" if none. What --assume says is allowed where nothing is listed.
std::string refused_assumption(const Report& report, const Options& options) {
  if (options.allow_assumptions.empty() || report.verdict != Verdict::Proved) return "";
  const Assumption* refused = not_allowed(report.assumptions, options.allow_assumptions);
  return refused == nullptr ? "" : std::string(to_string(refused->kind));
}

/// Does the last line count something that the proof says nothing of?
bool leaves_something(const Report& report) {
  constexpr std::array<std::string_view, 4> kCounts = {"precision", "decided", "steps", "from-end"};
  return std::ranges::any_of(report.details, [&](const Detail& d) { return std::ranges::find(kCounts, d.key) != kCounts.end() && d.value != "0"; });
}

}  // namespace

int exit_code(const Report& report, const Options& options) {
  if (report.failure) return report.failure->exit_code;
  const bool agrees = report.verdict == Verdict::Unknown && report.reason == Reason::AgreesOnly;
  if (options.require == "agrees" && agrees) return 0;
  if (!refused_assumption(report, options).empty()) return 2;
  if (options.require_precision && report.verdict == Verdict::Proved && !report.precision.empty()) return 2;
  if (options.strict && report.verdict == Verdict::Proved && leaves_something(report)) return 2;
  if (options.for_all_sizes && report.verdict == Verdict::Proved && !(report.sizes && report.sizes->proved)) return 2;
  return exit_code(report.verdict);
}

int publish(const Report& given, const Options& options) {
  enter_phase("report");
  clear_status();
  const Report report = printable(given);
  if (!options.json.empty()) write_file(options.json, to_json(report));
  if (!options.junit.empty()) write_file(options.junit, to_junit({report}));
  if (!options.sarif.empty()) write_file(options.sarif, to_sarif({report}));
  if (!options.html.empty()) write_file(options.html, to_html({report}));
  std::cout << (options.quiet ? verdict_line(report) + "\n" : to_text(report, options.verbose)) << std::flush;
  if (const std::string refused = refused_assumption(report, options); !refused.empty()) {
    std::cerr << "note: the proof assumes " << refused << ", which --allow-assumption does not name: exit code 2\n";
  }
  const int code = exit_code(report, options);
  if (std::cout) note_told(code);
  return code;
}

}  // namespace gg
