#include "models/ir/canonical.h"

#include <algorithm>
#include <cmath>
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

}  // namespace

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
