// Indices on which the sequential program raises where they are out of range (`in-range`).
#include <algorithm>

#include "prover/checker/check.h"

namespace gg::checker {

// Where the sequential program raises, as the reader of the texts has it: no other span is accepted.
void Check::in_range(const Assumption& a) {
  const std::vector<Assumption> known = in_range_assumptions(case_);
  if (std::find(known.begin(), known.end(), a) == known.end()) reject("'" + to_string(a) + "': the sequential program does not raise there");
  const std::string& name = a.arguments[2];
  in_range_[name] = case_.accepted.at(name);
  assumed_.push_back({a.kind, {name, "[" + a.arguments[0] + "," + a.arguments[1] + ")"}});
}

std::optional<IntegerSpan> Check::in_range(const Program& p, FlatValue v) const {
  if (in_range_.empty() || p.distributed()) return std::nullopt;
  const Instance instance = p.flat().instance(p.flat().nodes[v.node]);
  const auto found = in_range_.find(std::string(p.module().name_of(instance.instruction)));
  return found == in_range_.end() || !instance.path.empty() ? std::nullopt : std::optional(found->second);
}

}  // namespace gg::checker
