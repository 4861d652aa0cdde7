// Loops that count to a bound that stays, by their text (docs/certificate.md, section 9).
#include <limits>
#include <string>

#include "models/body/integers.h"
#include "models/ir/control_flow.h"

namespace gg {
namespace {

/// The value that copies hand on.
InstructionId source(const Module& m, InstructionId id) {
  while (m[id].op == Op::Copy) id = m.operands(id)[0];
  return id;
}

/// The element of its computation's one parameter, a tuple.
std::optional<std::int64_t> carry(const Module& m, InstructionId id) {
  id = source(m, id);
  if (m[id].op != Op::GetTupleElement || m[source(m, m.operands(id)[0])].op != Op::Parameter) return std::nullopt;
  return m.attributes(id).integer(Attr::Index);
}

std::optional<std::int64_t> count_of(const Module& m, InstructionId id) {
  id = source(m, id);
  if (m[id].op != Op::Constant || !m.attributes(id).has(Attr::Literal)) return std::nullopt;
  const auto& values = m.attributes(id).literal().values;
  return values.size() == 1 ? std::optional(values[0].integer) : std::nullopt;
}

/// By how much the body changes this carry, if it is a number.
std::optional<std::int64_t> step(const Module& m, InstructionId root, std::int64_t k) {
  if (m[root].op != Op::Tuple) return std::nullopt;
  const InstructionId next = source(m, m.operands(root)[static_cast<std::size_t>(k)]);
  if (carry(m, next) == k) return 0;
  if (m[next].op != Op::Add && m[next].op != Op::Subtract) return std::nullopt;
  const auto a = m.operands(next)[0], b = m.operands(next)[1];
  if (m[next].op == Op::Subtract) return carry(m, a) == k && count_of(m, b) ? std::optional(-*count_of(m, b)) : std::nullopt;
  if (carry(m, a) == k) return count_of(m, b);
  return carry(m, b) == k ? count_of(m, a) : std::nullopt;
}

bool counts_to_bound(const Module& m, InstructionId loop) {
  const ComputationList conditions = m.attributes(loop).computations(Attr::Condition), bodies = m.attributes(loop).computations(Attr::Body);
  if (conditions.size() != 1 || bodies.size() != 1) return false;
  const InstructionId test = source(m, m.computation(conditions[0]).root), root = source(m, m.computation(bodies[0]).root);
  if (m[test].op != Op::Compare || m.attributes(test).text(Attr::CompareType) == "TOTALORDER") return false;
  const Type& type = m.type(m.operands(test)[0]);
  if (!type.is_array() || !type.dims.empty() || !is_integral(type.element)) return false;
  const std::string direction(m.attributes(test).text(Attr::Direction));
  const bool up = direction == "LT" || direction == "LE", may_be_equal = direction == "LE" || direction == "GE";
  if (!up && direction != "GT" && direction != "GE") return false;
  for (const bool first : {true, false}) {
    const InstructionId counter = m.operands(test)[first ? 0 : 1], bound = m.operands(test)[first ? 1 : 0];
    const auto i = carry(m, counter);
    if (!i || step(m, root, *i) != (up == first ? 1 : -1)) continue;
    const auto end = count_of(m, bound), held = carry(m, bound);
    const auto [least, most] = integral_range(type.element);
    if (may_be_equal ? end && *end != (up == first ? most : least) : end || (held && step(m, root, *held) == 0)) return true;
  }
  return false;
}

}  // namespace

bool ControlFlow::counts(InstructionId loop) { return module_[loop].op == Op::While && meetings(loop).empty() && counts_to_bound(module_, loop); }

}  // namespace gg
