// The premise `in-bounds` of an input: what its uses leave of its values (index_uses.h).
#include <algorithm>

#include "models/pair/index_uses.h"

namespace gg {

std::optional<IntegerSpan> in_bounds(const FreeInput& input, const IndexUses& uses) {
  if (!uses.needed || input.range.origin == Range::Origin::Given || !input.combined_by.empty()) return std::nullopt;
  IntegerSpan span = *uses.needed;
  for (const std::int64_t value : uses.compared) span.cover(value, value);
  const IntegerSpan all = IntegerSpan::of(input.type.element).within({INT64_MIN, INT64_MAX - 1});  // half open it has an end
  span = span.within(all);
  return span == all ? std::nullopt : std::optional(span);
}

std::optional<IntegerSpan> from_end(const FreeInput& input, const IndexUses& uses) {
  const auto premise = in_bounds(input, uses);
  if (!premise || !uses.wrapped) return std::nullopt;
  const IntegerSpan taken = uses.wrapped->within(IntegerSpan::of(input.type.element));
  const IntegerSpan below{taken.lo, std::min(taken.hi, premise->lo - 1)};
  return below.lo <= below.hi ? std::optional(below) : std::nullopt;
}

std::optional<IntegerSpan> bounds_from_end(const FreeInput& input, const IndexUses& uses) {
  std::optional<IntegerSpan> span = in_bounds(input, uses);
  if (const auto below = from_end(input, uses)) span->cover(below->lo, below->hi);
  return span;
}

std::optional<Assumption> in_bounds_assumption(const Case& c, std::size_t input, const IndexUses& uses, Ends ends) {
  const auto span = ends == Ends::Near ? in_bounds(c.relation.free[input], uses) : bounds_from_end(c.relation.free[input], uses);
  if (!span || span->lo > span->hi) return std::nullopt;
  return Assumption{AssumptionKind::InBounds, {"x" + std::to_string(input), std::to_string(span->lo), std::to_string(span->hi + 1), uses.instruction}};
}

}  // namespace gg
