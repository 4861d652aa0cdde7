// What is told of a command that came to no end of its own (harness/supervise/supervise.h).
#include "harness/supervise/supervise.h"

#include <iostream>

#include "harness/decide.h"
#include "harness/suite/report_archive.h"
#include "runtime/job/bootstrap.h"

namespace gg {
namespace {

constexpr int kInternal = 4;

/// Is this the process that speaks for its job?
bool speaks(const Options& options) {
  if (options.backend == "local") return true;
  const auto place = job::find_place();
  return !place || place->rank == 0;
}

}  // namespace

void keep_so_far(const Report& report) { keep_bytes(pack(report)); }

Report report_of(const Ending& ending, const std::string& command, const std::string& name) {
  Report report;
  report.command = command;
  report.case_name = name;
  report.details.push_back({"phase", ending.phase});
  report.reason = ending.kind == Ending::Kind::Late ? Reason::Budget : Reason::Memory;
  if (ending.kind == Ending::Kind::Crashed || ending.kind == Ending::Kind::Told) {
    report.failure = Failure{kInternal, "", "gg-harness: error: " + to_sentence(ending)};
    return report;
  }
  report.notes.push_back(to_sentence(ending));
  std::optional<Report> so_far = unpack(ending.kept);  // nothing where it was being written
  if (!so_far) return report;
  so_far->notes.insert(so_far->notes.end(), report.notes.begin(), report.notes.end());
  so_far->notes.emplace_back("the verdict stands; the defect was not located, and no witness is written");
  return *std::move(so_far);
}

int publish_ending(const Ending& ending, const Options& options) {
  const Report report = report_of(ending, options.command, options.inputs.empty() ? "" : options.inputs[0]);
  if (speaks(options)) return publish(report, options);
  std::cerr << to_text(report) << std::flush;
  return exit_code(report.verdict);
}

}  // namespace gg
