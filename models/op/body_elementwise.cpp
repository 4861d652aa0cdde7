// Bodies of elementwise operators: fn(f, read(0,i), read(1,i), ...).
#include "models/op/body_support.h"
#include "models/op/compare.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// read(k, i), or read(k) where the operand is a scalar and the result is not.
ExprId read_or_scalar(Lift& lift, int k) {
  return lift.call.operands[static_cast<std::size_t>(k)]->rank() == 0 ? lift.scalar(k) : lift.read(k, lift.index);
}

std::vector<ExprId> all_reads(Lift& lift) {
  std::vector<ExprId> reads;
  for (int k = 0; k < static_cast<int>(lift.call.operands.size()); ++k) reads.push_back(read_or_scalar(lift, k));
  return reads;
}

}  // namespace

Body elementwise_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  return lift.finish(arena.fn(scalar_of(call.op, *call.attributes).value(), lift.type.element, all_reads(lift)));
}

Body clamp_body(Arena& arena, const Call& call, int leaf) { return elementwise_body(arena, call, leaf); }
Body select_body(Arena& arena, const Call& call, int leaf) { return elementwise_body(arena, call, leaf); }

Body compare_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  return lift.finish(compare_values(arena, *call.attributes, lift.read(0, lift.index), lift.read(1, lift.index)));
}

Body canonical_compare_body(Arena& arena, const Call& call) {
  Lift lift(arena, call, 0);
  return lift.finish(compare_canonical(arena, *call.attributes, lift.read(0, lift.index), lift.read(1, lift.index)));
}

Body map_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Region& region = region_of(call);
  const std::vector<ExprId> reads = all_reads(lift);
  bool fits = region.parameters.size() == reads.size() && region.results.size() == 1;
  for (std::size_t k = 0; fits && k < reads.size(); ++k) fits = region.parameters[k] == arena[reads[k]].type;
  if (!fits) refuse(DiagCode::BadComputation, "map: its computation does not take the elements of the operands");
  return lift.finish(apply_region(arena, region, 0, reads, lift.depth()));
}

}  // namespace gg
