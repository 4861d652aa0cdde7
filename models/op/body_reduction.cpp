// Bodies of reduce and reduce-window: folds over monoids, one result at a time (variadic reductions whose results are
// independent; an argmax has no body).
#include "models/op/body_support.h"
#include "models/op/row_form.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

Body reduce_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Type& operand = *call.operands[static_cast<std::size_t>(leaf)];
  const auto n = static_cast<int>(call.operands.size() / 2);
  const ScalarFn monoid = monoid_of(arena, call, leaf, operand.element);
  const IntList& dims = call.attributes->ints(Attr::BroadcastDims);
  std::vector<LinId> position;
  std::vector<std::int64_t> extents;
  std::size_t kept = 0;
  for (int d = 0; d < operand.rank(); ++d) {
    if (!contains(dims, d)) {
      position.push_back(lift.index[kept++]);
      continue;
    }
    extents.push_back(operand.dims[static_cast<std::size_t>(d)]);
    position.push_back(lift.fold_var(static_cast<int>(extents.size()) - 1, extents.back()));
  }
  return lift.finish(
      arena.fold(monoid, lift.scalar(n + leaf), lift.depth(), extents, arena.always(), lift.read(leaf, position)));
}

Body reduce_window_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Type& operand = *call.operands[static_cast<std::size_t>(leaf)];
  const auto n = static_cast<int>(call.operands.size() / 2);
  const ScalarFn monoid = monoid_of(arena, call, leaf, operand.element);
  std::vector<LinId> position;
  std::vector<std::int64_t> extents;
  std::vector<GuardId> inside;
  for (int d = 0; d < operand.rank(); ++d) {
    const WindowDim& window = call.attributes->window()[static_cast<std::size_t>(d)];
    extents.push_back(window.size);
    const LinId tap = lift.fold_var(d, window.size);
    const LinId place =
        arena.offset(arena.axpy(window.stride, lift.at(d), arena.scale(window.window_dilation, tap)), -window.pad_low);
    const std::int64_t extent = operand.dims[static_cast<std::size_t>(d)];
    if (is_running_window(window, extent)) {  // counted by the operand's places, as a mask writes it
      const auto [first, last] = window.pad_low > 0 ? std::pair(tap, lift.at(d)) : std::pair(lift.at(d), tap);
      inside.push_back(arena.le(first, last));
      position.push_back(tap);
      continue;
    }
    inside.push_back(arena.between(0, place, dilated(call, extent, window.base_dilation)));
    inside.push_back(arena.eq0(arena.mod(place, window.base_dilation)));
    position.push_back(arena.div(place, window.base_dilation));
  }
  return lift.finish(
      arena.fold(monoid, lift.scalar(n + leaf), lift.depth(), extents, arena.all(inside), lift.read(leaf, position)));
}

}  // namespace gg
