// Comparisons: the scalar function by direction; total orders where they are orders of numbers.
#include "models/op/compare.h"

#include <algorithm>
#include <cmath>

#include "models/base/check.h"
#include "models/op/rule_support.h"

namespace gg {

namespace {

struct Direction {
  std::string_view name;
  ScalarFn fn;
};
constexpr Direction kDirections[] = {
    {"EQ", ScalarFn::CompareEq},
    {"NE", ScalarFn::CompareNe},
    {"GE", ScalarFn::CompareGe},
    {"GT", ScalarFn::CompareGt},
    {"LE", ScalarFn::CompareLe},
    {"LT", ScalarFn::CompareLt},
};

bool is_fn(const Arena& arena, ExprId e, ScalarFn fn) { return arena[e].kind == ExprKind::Fn && arena[e].fn == fn; }

/// fn(x, y) in either order.
bool is_pair(const Arena& arena, ExprId e, ScalarFn fn, ExprId x, ExprId y) {
  if (!is_fn(arena, e, fn)) return false;
  const auto kids = arena.kids(e);
  return (kids[0] == x && kids[1] == y) || (kids[0] == y && kids[1] == x);
}

}  // namespace

std::optional<ExprId> canonical_operand(const Arena& arena, ExprId e) {
  bool nan = false, zero = false;
  std::vector<ExprId> tested;
  while (is_fn(arena, e, ScalarFn::Select)) {
    const ExprId test = arena.kids(e)[0], literal = arena.kids(e)[1];
    if (arena[literal].kind != ExprKind::Lit || arena[test].kind != ExprKind::Fn) return std::nullopt;
    const ExprId x = arena.kids(test)[0];
    const double value = arena.scalar(literal).real;
    if (std::signbit(value)) return std::nullopt;
    if (std::isnan(value) && is_pair(arena, test, ScalarFn::CompareNe, x, x)) {
      nan = true;
      tested.push_back(x);
    } else if (value == 0 && (is_pair(arena, test, ScalarFn::CompareEq, arena.kids(test)[0], literal) ||
                              is_pair(arena, test, ScalarFn::CompareEq, literal, arena.kids(test)[1]))) {
      zero = true;
      tested.push_back(arena.kids(test)[0] == literal ? arena.kids(test)[1] : x);
    } else {
      return std::nullopt;
    }
    e = arena.kids(e)[2];
  }
  const bool of_one = std::all_of(tested.begin(), tested.end(), [&](ExprId x) { return x == e; });
  return of_one && nan && zero ? std::optional(e) : std::nullopt;
}

namespace {

/// The order in which NaN is the largest value and equals itself.
ExprId nan_last(Arena& arena, ScalarFn fn, ExprId a, ExprId b) {
  const auto call = [&](ScalarFn f, ExprId x, ExprId y) {
    const ExprId both[] = {x, y};
    return arena.fn(f, ElementType::Pred, both);
  };
  const auto negate = [&](ExprId x) { return arena.fn(ScalarFn::Not, ElementType::Pred, {&x, 1}); };
  const auto less = [&](ExprId x, ExprId y) {
    return call(ScalarFn::Or, call(ScalarFn::CompareLt, x, y),
                call(ScalarFn::And, call(ScalarFn::CompareEq, x, x), call(ScalarFn::CompareNe, y, y)));
  };
  const auto equal = [&](ExprId x, ExprId y) {
    return call(ScalarFn::Or, call(ScalarFn::CompareEq, x, y),
                call(ScalarFn::And, call(ScalarFn::CompareNe, x, x), call(ScalarFn::CompareNe, y, y)));
  };
  switch (fn) {
    case ScalarFn::CompareLt:
      return less(a, b);
    case ScalarFn::CompareGt:
      return less(b, a);
    case ScalarFn::CompareLe:
      return negate(less(b, a));
    case ScalarFn::CompareGe:
      return negate(less(a, b));
    case ScalarFn::CompareEq:
      return equal(a, b);
    default:
      return negate(equal(a, b));
  }
}

}  // namespace

std::optional<ScalarFn> scalar_of(Op op, const Attributes& attributes) {
  if (op == Op::Compare) {
    for (const Direction& direction : kDirections) {
      if (direction.name == attributes.text(Attr::Direction)) return direction.fn;
    }
    return std::nullopt;
  }
  if (info(op).traits != OpTraits::Elementwise) return std::nullopt;
  return scalar_function(info(op).name);
}

ExprId compare_canonical(Arena& arena, const Attributes& attributes, ExprId a, ExprId b) {
  const std::optional<ScalarFn> fn = scalar_of(Op::Compare, attributes);
  GG_CHECK(fn.has_value(), "compare without a direction");
  return nan_last(arena, *fn, a, b);
}

ExprId compare_values(Arena& arena, const Attributes& attributes, ExprId a, ExprId b) {
  const std::optional<ScalarFn> fn = scalar_of(Op::Compare, attributes);
  GG_CHECK(fn.has_value(), "compare without a direction");
  if (attributes.text(Attr::CompareType) == "TOTALORDER" && !is_integral(arena[a].type)) {
    if (!canonical_operand(arena, a) || !canonical_operand(arena, b)) {
      refuse_form("compare: type=TOTALORDER on floats whose zeros and NaNs are not canonical");
    }
    return compare_canonical(arena, attributes, a, b);
  }
  const ExprId both[] = {a, b};
  return arena.fn(*fn, ElementType::Pred, both);
}

}  // namespace gg
