#include "models/ir/canonical.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace gg {

namespace {

/// The value of a constant, of one element or all the same, however it is spread.
std::optional<double> number(const Module& module, InstructionId id) {
  while (module[id].op == Op::Broadcast || module[id].op == Op::Reshape) id = module.operands(id)[0];
  if (module[id].op != Op::Constant || !module.attributes(id).has(Attr::Literal)) return std::nullopt;
  const auto& values = module.attributes(id).literal().values;
  const bool one = std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s == values[0]; });
  return !values.empty() && one ? std::optional(values[0].real) : std::nullopt;
}

bool is_canonical(const Module& module, InstructionId id) {
  bool nan = false, zero = false;
  std::vector<InstructionId> tested;
  while (module[id].op == Op::Select) {
    const InstructionId test = module.operands(id)[0];
    const auto literal = number(module, module.operands(id)[1]);
    if (!literal || module[test].op != Op::Compare || module.attributes(test).text(Attr::CompareType) == "TOTALORDER") return false;
    const InstructionId a = module.operands(test)[0], b = module.operands(test)[1];
    const auto direction = module.attributes(test).text(Attr::Direction);
    if (std::signbit(*literal)) return false;
    if (std::isnan(*literal) && direction == "NE" && a == b) {
      nan = true;
    } else if (*literal == 0 && direction == "EQ" && number(module, b) == 0.0) {
      zero = true;
    } else {
      return false;
    }
    tested.push_back(a);
    id = module.operands(id)[2];
  }
  return nan && zero && std::all_of(tested.begin(), tested.end(), [&](InstructionId x) { return x == id; });
}

bool is_integer(const Module& module, InstructionId id, std::int64_t value) {
  while (module[id].op == Op::Broadcast || module[id].op == Op::Reshape) id = module.operands(id)[0];
  if (module[id].op != Op::Constant || !module.attributes(id).has(Attr::Literal)) return false;
  const auto& values = module.attributes(id).literal().values;
  return !values.empty() && std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s.integer == value; });
}

/// The float whose bits are put into the order of integers.
std::optional<InstructionId> float_in_order(const Module& module, InstructionId id) {
  if (module[id].op != Op::Select) return std::nullopt;
  const auto choice = module.operands(id);
  const InstructionId test = choice[0], turned = choice[1], bits = choice[2];
  const ElementType type = module.type(bits).element;
  if (module[bits].op != Op::BitcastConvert || module[turned].op != Op::Xor || module[test].op != Op::Compare) return std::nullopt;
  const InstructionId of = module.operands(bits)[0];
  const int width = info(type).bits;
  constexpr ElementType kOrdered[] = {ElementType::F64, ElementType::F32, ElementType::F16, ElementType::BF16};  // NaN behind infinity, the sign for itself
  const bool ordered = std::find(std::begin(kOrdered), std::end(kOrdered), module.type(of).element) != std::end(kOrdered);
  if (!ordered || !is_signed(type) || info(module.type(of).element).bits != width) return std::nullopt;
  const auto largest = static_cast<std::int64_t>((std::uint64_t{1} << (static_cast<unsigned>(width) - 1)) - 1);
  const auto sides = module.operands(test), both = module.operands(turned);
  const bool negative = module.attributes(test).text(Attr::Direction) == "LT" && sides[0] == bits && is_integer(module, sides[1], 0);
  const auto flips = [&](InstructionId a, InstructionId b) { return a == bits && is_integer(module, b, largest); };
  return negative && (flips(both[0], both[1]) || flips(both[1], both[0])) ? std::optional(of) : std::nullopt;
}

}  // namespace

std::optional<std::pair<InstructionId, InstructionId>> ordered_by_bits(const Module& module, InstructionId id) {
  if (module[id].op != Op::Compare) return std::nullopt;
  const auto a = float_in_order(module, module.operands(id)[0]), b = float_in_order(module, module.operands(id)[1]);
  return a && b && module.type(*a).element == module.type(*b).element ? std::optional(std::pair(*a, *b)) : std::nullopt;
}

bool orders_canonical(const Module& module, InstructionId id) {
  if (module[id].op != Op::Compare || module.attributes(id).text(Attr::CompareType) != "TOTALORDER") return false;
  const auto operands = module.operands(id);
  return is_float(module.type(operands[0]).element) && is_canonical(module, operands[0]) && is_canonical(module, operands[1]);
}

bool orders_freely(const Module& module) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module.attributes(id).has(Attr::OpenTies)) return true;
    if (module[id].op == Op::Sort && module.operands(id).size() > 1 && !module.attributes(id).flag(Attr::IsStable)) return true;
  }
  return false;
}

}  // namespace gg
