// Inputs that programs count with (harness/pinpoint/counted.h).
#include "harness/pinpoint/counted.h"

#include <map>
#include <set>

#include "harness/pinpoint/inline.h"
#include "models/ir/kinds.h"
#include "models/ir/mask_shift.h"
#include "models/mutation/maker.h"
#include "runtime/divergence.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

/// The input leaf of which a value is a function, if it is one of a single leaf and constants.
struct Origin {
  enum class Kind : std::uint8_t { Constant,
                                   Leaf,
                                   Other } kind = Kind::Constant;
  std::size_t leaf = 0;
};

/// The first leaf of each parameter.
std::map<InstructionId, std::size_t> first_leaves(const Module& module) {
  std::map<InstructionId, std::size_t> first;
  std::size_t leaf = 0;
  for (const InstructionId parameter : module.computation(module.entry()).parameters) {
    first[parameter] = leaf;
    leaf += array_leaf_types(module.type(parameter)).size();
  }
  return first;
}

Origin combined(const Module& module, InstructionId id, const std::map<InstructionId, Origin>& known) {
  const OpTraits traits = info(module[id].op).traits;
  const bool plain = traits == OpTraits::Elementwise || DivergenceTrace::moves(module[id].op) || is_constant(module, id);
  Origin result;
  for (const InstructionId operand : module.operands(id)) {
    const Origin& from = known.at(operand);
    if (from.kind == Origin::Kind::Constant) continue;
    if (from.kind == Origin::Kind::Other || (result.kind == Origin::Kind::Leaf && result.leaf != from.leaf)) return {Origin::Kind::Other, 0};
    result = from;
  }
  return plain ? result : Origin{Origin::Kind::Other, 0};
}

/// Leaves of which the module computes a sum of nothing else.
std::set<std::size_t> summed_leaves(const Module& module) {
  const auto first = first_leaves(module);
  const Computation& entry = module.computation(module.entry());
  std::map<InstructionId, Origin> known;
  std::set<std::size_t> leaves;
  for (InstructionId id = entry.first; id < entry.first + entry.count; ++id) {
    const auto operands = module.operands(id);
    Origin source{Origin::Kind::Other, 0};
    if (is_parameter(module, id) && module.type(id).is_array()) {
      source = {Origin::Kind::Leaf, first.at(id)};
    } else if (is_element(module, id) && is_parameter(module, operands[0]) && module.type(id).is_array()) {
      std::size_t leaf = first.at(operands[0]);
      const auto index = static_cast<std::size_t>(module.attributes(id).integer(Attr::Index));
      const auto& parts = module.type(operands[0]).elements;
      for (std::size_t k = 0; k < index; ++k) leaf += array_leaf_types(parts[k]).size();
      source = {Origin::Kind::Leaf, leaf};
    } else if (!is_parameter(module, id)) {
      source = combined(module, id, known);
      const bool sums = info(module[id].op).traits == OpTraits::Reduction && reducer(module, id) == mutation::kSum;
      if (sums && operands.size() == 2 && known.at(operands[0]).kind == Origin::Kind::Leaf) {
        leaves.insert(known.at(operands[0]).leaf);
      }
    }
    known[id] = source;
  }
  return leaves;
}

}  // namespace

std::vector<std::size_t> counted_inputs(const Case& c) {
  const std::set<std::size_t> leaves = summed_leaves(inlined(*c.sequential));
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < c.relation.free.size(); ++k) {
    const FreeInput& input = c.relation.free[k];
    const bool stated = is_integral(input.type.element) || input.range.origin != Range::Origin::Default;
    if (leaves.count(static_cast<std::size_t>(input.leaf)) != 0 && stated && input.range.lo >= 0) result.push_back(k);
  }
  return result;
}

}  // namespace gg::pinpoint
