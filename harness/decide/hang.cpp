#include "harness/decide/hang.h"

namespace gg {
namespace {

Blame blame_of(const RankAt& at) {
  Blame blame;
  blame.instruction = at.name;
  blame.op = at.operation;
  blame.source = at.source;
  blame.file = at.where.file;
  blame.line = at.where.line;
  blame.column = at.where.column;
  blame.excerpt = at.text;
  return blame;
}

}  // namespace

Report report_of(const RanksHang& hang, const Options& options) {
  Report report;
  report.command = options.command;
  report.case_name = options.inputs.empty() ? "" : options.inputs.front();
  report.verdict = Verdict::Refuted;
  Finding finding;
  finding.kind = "wrong";
  finding.instruction = hang.waits.name;
  finding.text = hang.text;
  finding.source = hang.waits.source;
  finding.place = blame_of(hang.waits);
  report.explained.divergent = finding.place;
  report.explained.findings.push_back(std::move(finding));
  if (hang.other) {
    const RankAt& other = *hang.other;
    report.notes.push_back("rank " + std::to_string(other.rank) + " is then at " + other.where.file + ":" + std::to_string(other.where.line) + ": " + other.text);
  }
  report.details = {{"mutants", "0(not run)"}, {"shapes", "full"}, {"seeds", "0"}};
  return report;
}

}  // namespace gg
