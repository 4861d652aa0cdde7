// What both front ends say of a check.

#include "models/base/text.h"
#include "models/pair/stated.h"
#include "prover/checker/checker.h"

namespace gg {

CheckReport report_of(const CheckResult& result, const Case& c, const std::vector<std::string>& allowed, const std::vector<std::string>& stated,
                      bool all) {
  if (!result.accepted) return {"rejected: " + printable(result.problem) + "\n", 1};
  std::vector<Assumption> said;
  for (const std::string& text : stated) {
    for (Assumption& a : parse_stated(c, text)) said.push_back(std::move(a));
  }
  CheckReport report;
  if (all) {
    for (const Assumption& a : result.assumptions) report.text += "assumes " + to_string(a) + ": " + std::string(info(a.kind).text) + "\n";
  }
  std::size_t ignored = c.left_out;
  for (const OutputClaim& claim : c.relation.outputs) {
    if (claim.kind != OutputClaim::Kind::Ignored) continue;
    ++ignored;
    if (all) report.text += "says nothing of output " + claim.name + ", which the relation ignores\n";
  }
  report.text += "accepted records=" + std::to_string(result.records);
  if (ignored != 0) report.text += " ignored=" + std::to_string(ignored) + "/" + std::to_string(c.relation.outputs.size() + c.left_out);
  report.text += " assumptions=" + summary_of(result.assumptions);
  if (const Assumption* refused = not_allowed(result.assumptions, allowed, said)) {
    report.text += " not-allowed=" + std::string(to_string(refused->kind));
    report.exit_code = 2;
  }
  report.text += "\n";
  return report;
}

}  // namespace gg
