// Attained maxima (models/ir/attained.h).
#include "models/ir/attained.h"

#include "models/ir/kinds.h"

namespace gg {
namespace {

/// The other operand of a maximum or minimum of `x`.
std::optional<InstructionId> against(const Module& module, InstructionId extreme, InstructionId x) {
  const auto operands = module.operands(extreme);
  if (operands[0] == x) return operands[1];
  if (operands[1] == x) return operands[0];
  return std::nullopt;
}

}  // namespace

std::optional<BoundTest> asks_for_bound(const Module& module, InstructionId id) {
  if (!is_comparison(module, id) || module.attributes(id).text(Attr::Direction) != "EQ") return std::nullopt;
  const auto operands = module.operands(id);
  if (!is_float(module.type(operands[0]).element) || module.attributes(id).text(Attr::CompareType) == "TOTALORDER") return std::nullopt;
  for (std::size_t k = 0; k < 2; ++k) {
    const InstructionId x = operands[k], extreme = operands[1 - k];
    const bool largest = module[extreme].op == Op::Maximum;
    if (!largest && module[extreme].op != Op::Minimum) continue;
    const auto other = against(module, extreme, x);
    if (!other || module[*other].type != module[x].type) continue;
    BoundTest bound{{x, *other}, module.attributes(id)};
    bound.attributes.set(Attr::Direction, std::string(largest ? "GE" : "LE"));
    return bound;
  }
  return std::nullopt;
}

}  // namespace gg
