#include "models/ir/finite_tests.h"

#include <algorithm>
#include <cmath>

#include "models/ir/kinds.h"
#include "models/op/facts.h"

namespace gg {
namespace {

bool is_infinity(const Module& module, InstructionId id) {
  while (!module.operands(id).empty() && rearranges(module[id].op)) id = module.operands(id)[0];
  if (!has_values(module, id)) return false;
  const auto& values = module.attributes(id).literal().values;
  return !values.empty() && std::all_of(values.begin(), values.end(), [](const Scalar& v) { return std::isinf(v.real); });
}

}  // namespace

bool compares_floats(const Module& module, InstructionId id) {
  return module[id].op == Op::Compare && is_float(module.type(module.operands(id)[0]).element);
}

std::optional<std::size_t> finite_test(const Module& module, InstructionId id) {
  const auto operands = module.operands(id);
  if (operands.empty() || !module.type(operands[0]).is_array() || !is_float(module.type(operands[0]).element)) return std::nullopt;
  if (module[id].op == Op::IsFinite) return 0;
  if (module[id].op != Op::Compare) return std::nullopt;
  if (operands[0] == operands[1]) return 0;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    if (is_infinity(module, operands[1 - k]) && !is_infinity(module, operands[k])) return k;
  }
  return std::nullopt;
}

bool makes_integers(const Module& module, InstructionId id) {
  return converts(module[id].op) && is_float(module.type(module.operands(id)[0]).element) && is_integral(module.type(id).element);
}

}  // namespace gg
