#include "harness/report/ending.h"

#include "harness/report/report_archive.h"

namespace gg {
namespace {

constexpr int kInternal = 4;

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

}  // namespace gg
