// The body of a conditional whose branches are written out (models/ir/flatten.h).
#include "models/op/body_support.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

/// Operands: the predicate or number, then the leaves of all branches' results. Branch 0 is that of `true`; the last one is
/// taken for numbers out of range.
Body conditional_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Type result = infer_type(call);
  const auto leaves = static_cast<int>(result.leaves().size());
  if (!lift.type.is_array()) refuse(DiagCode::UnsupportedForm, "conditional: a token has no body");
  const Type& which = *call.operands[0];
  const int last = static_cast<int>(call.operands.size()) - 2;
  std::vector<LinId> place = lift.rank;
  place.insert(place.end(), lift.index.begin(), lift.index.end());
  const auto taken = [&](int branch) { return arena.read(1 + branch * leaves + leaf, lift.type.element, place); };
  ExprId value = taken(last);
  for (int branch = last - 1; branch >= 0; --branch) {
    ExprId test = lift.scalar(0);
    if (which.element != ElementType::Pred) {
      const ExprId both[] = {test, arena.lit(Scalar::of_int(which.element, branch))};
      test = arena.fn(ScalarFn::CompareEq, ElementType::Pred, both);
    }
    value = lift.fn(ScalarFn::Select, {test, taken(branch), value});
  }
  return lift.finish(value);
}

}  // namespace gg
