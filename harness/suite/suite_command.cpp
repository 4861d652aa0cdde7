#include "harness/suite/suite_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>

#include "harness/decide/decide.h"
#include "harness/decide/hang.h"
#include "harness/options/load.h"
#include "harness/report/report_archive.h"
#include "harness/suite/decide_dump.h"
#include "harness/suite/run_jobs.h"
#include "harness/suite/suite_file.h"
#include "models/base/file.h"
#include "models/base/text.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

constexpr std::array kFromGoodToBad = {0, 2, 3, 1, 4};  ///< exit codes

/// A name as one part of a path.
std::string as_file(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ':' || c == ' '; }, '_');
  return name;
}

/// Files of a pair stand in the folders that the suite's options name.
Options own_options(const SuitePair& pair) {
  Options own = pair.options;
  if (!own.witness.empty() && own.witness != kNoWitness) own.witness = (fs::path(own.witness) / (as_file(pair.name) + ".witness")).string();
  if (!own.certificate.empty()) own.certificate = (fs::path(own.certificate) / (as_file(pair.name) + ".certificate")).string();
  return own;
}

Report decide_files(const Options& options) try {
  Case c = load_case(options);
  return decide(c, options, {true, true});
} catch (const RanksHang& hang) {
  return report_of(hang, options);
}

Report decide_pair(const SuitePair& pair) {
  if (pair.problem) throw InputError(*pair.problem);
  const Options options = own_options(pair);
  Report report = options.xla_dump.empty() ? decide_files(options) : decide_largest(options, {true, true});
  report.command = "check";
  return report;
}

int code_of(const Report& report, const SuitePair& pair) {
  if (report.failure || !pair.expected) return exit_code(report, pair.options);
  if (report.verdict == *pair.expected) return 0;
  return report.verdict == Verdict::Proved ? 1 : exit_code(report.verdict);  // better than expected: the suite is out of date
}

std::string indented(const std::string& text) {
  std::string result;
  for (const std::string_view line : lines_of(text)) result += "  " + std::string(line) + "\n";
  return result;
}

std::string to_json(const std::vector<Report>& reports, const std::string& what) {
  std::string text = "{\n\"schema\": 1,\n\"of\": \"" + what + "\",\n\"pairs\": [\n";
  for (std::size_t k = 0; k < reports.size(); ++k) text += (k == 0 ? "" : ",\n") + to_json(reports[k]);
  return text + "]\n}\n";
}

}  // namespace

int worse(int a, int b) {
  const auto rank = [](int code) { return std::find(kFromGoodToBad.begin(), kFromGoodToBad.end(), code); };
  return rank(a) < rank(b) ? b : a;
}

void print_outcome(const Report& report, const Options& options) {
  if (options.quiet) return;
  const bool good = passes(report);
  std::cout << (good ? "ok     " : "FAIL   ") << report.case_name << ": " << verdict_line(report)
            << (report.expected ? " expected=" + std::string(to_string(*report.expected)) : "") << "\n";
  if (!good) {
    const std::string text = to_text(report);
    std::cout << indented(text.substr(0, text.rfind('\n', text.size() - 2) + 1));  // without the verdict line
  }
  std::cout << std::flush;
}

void write_reports(const std::vector<Report>& reports, const std::string& what, const Options& options) {
  if (!options.json.empty()) write_file(options.json, to_json(reports, what));
  if (!options.junit.empty()) write_file(options.junit, to_junit(reports));
  if (!options.sarif.empty()) write_file(options.sarif, to_sarif(reports));
  if (!options.html.empty()) write_file(options.html, to_html(reports));
}

int publish_all(const std::vector<Report>& reports, const std::string& what, const Options& options) {
  int code = 0;
  std::size_t proved = 0, refuted = 0, unknown = 0, broken = 0, failed = 0;
  for (const Report& report : reports) {
    code = worse(code, report.exit_code.value_or(exit_code(report, options)));
    failed += passes(report) ? 0 : 1;
    ++(report.failure ? broken : report.verdict == Verdict::Proved ? proved
                             : report.verdict == Verdict::Refuted  ? refuted
                                                                   : unknown);
  }
  const Verdict worst = refuted != 0 ? Verdict::Refuted : unknown + broken != 0 ? Verdict::Unknown
                                                                                : Verdict::Proved;
  write_reports(reports, what, options);
  std::cout << fmt::format("{} {} pairs={} proved={} refuted={} unknown={} broken={} failed={}\n", to_string(worst), what, reports.size(),
                           proved, refuted, unknown, broken, failed);
  return code;
}

int suite_command(const Options& options) {
  if (options.inputs.size() != 1) throw InputError(DiagCode::Usage, {}, "'suite' takes one suite: a file or a folder of cases");
  if (options.backend != "local") throw InputError(DiagCode::Usage, {}, "'suite' runs with --backend local");
  const std::string& path = options.inputs[0];
  const std::vector<SuitePair> pairs = read_suite(path, options);
  for (const std::string& folder : {options.witness, options.certificate}) {
    std::error_code error;
    if (!folder.empty() && folder != kNoWitness && !is_folder(folder) && !fs::create_directories(folder, error)) {
      throw InputError(DiagCode::FileWrite, {folder}, "the folder cannot be made");
    }
  }
  std::vector<PairJob> jobs;
  for (const SuitePair& pair : pairs) jobs.push_back({pair.name, [&pair] { return decide_pair(pair); }});
  std::size_t next = 0;
  const auto judged = [&](Report report) {
    const SuitePair& pair = pairs[next++];
    report.expected = pair.expected;
    report.exit_code = code_of(report, pair);
    return report;
  };
  std::vector<Report> reports;
  run_jobs(jobs, options, [&](const Report& report) {
    reports.push_back(judged(printable(report)));
    print_outcome(reports.back(), options);
  });
  fs::path name = fs::path(path).lexically_normal();
  if (name.filename().empty()) name = name.parent_path();
  return publish_all(reports, "suite=" + printable_word(name.stem().string()), options);
}

}  // namespace gg
