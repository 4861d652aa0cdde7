#include "harness/decide/outside.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/decide/input_notes.h"
#include "runtime/inputs.h"

namespace gg {
namespace {

constexpr std::size_t kMostInputs = 4;

/// Does the verdict rest on this input's bounds?
bool excluded(const std::vector<Assumption>& assumptions, const FreeInput& input) {
  return std::any_of(assumptions.begin(), assumptions.end(), [&](const Assumption& a) {
    return a.kind == AssumptionKind::InBounds && a.arguments.front() == input.name;
  });
}

}  // namespace

bool note_outside(Case& c, const DifferentialOptions& options, const std::vector<Assumption>& assumptions, std::vector<std::string>& notes) {
  std::vector<std::size_t> inputs;
  for (std::size_t k = 0; k < c.relation.free.size(); ++k) {
    const FreeInput& input = c.relation.free[k];
    if (input.in_bounds && input.type.count() != 0 && !excluded(assumptions, input)) inputs.push_back(k);
  }
  inputs.resize(std::min(inputs.size(), kMostInputs));
  if (inputs.empty() || estimated_operations(c) * 2 * static_cast<double>(inputs.size()) > kNoteOperations) return false;
  DifferentialOptions once = options;
  once.screened = true;
  bool found = false;
  DrawJudge judge(c, once);
  for (const std::size_t k : inputs) {
    const FreeInput& input = c.relation.free[k];
    for (const bool above : {false, true}) {
      const auto set = draw_outside(c.relation, options.seed, k, above);
      if (!set) continue;
      try {
        const DrawOutcome outcome = judge.decide(*set);
        const bool differs = outcome.failure || std::any_of(outcome.outputs.begin(), outcome.outputs.end(), [](const OutputOutcome& o) {
                               return o.agreement == Agreement::Differs;
                             });
        if (!differs) continue;
      } catch (const RuntimeFailure&) {
        return found;  // no budget left for what is only told beside the verdict
      }
      found = true;
      notes.push_back(above ? fmt::format("differs for {} >= {}, outside of what it indexes", input.name, input.in_bounds->hi + 1)
                            : fmt::format("differs for {} < {}, outside of what it indexes", input.name, input.in_bounds->lo));
    }
  }
  return found;
}

}  // namespace gg
