// Bodies of the operators that are written with other elementary functions: hyperbolic functions and the inverses of the
// circular and hyperbolic ones. Over the reals every such form is the function itself.
#include "models/op/body_support.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// Functions of one float element.
struct Real {
  Arena& arena;
  ElementType type;

  ExprId number(double value) const { return arena.lit(Scalar::of(type, value)); }
  ExprId fn(ScalarFn f, std::initializer_list<ExprId> kids) const { return arena.fn(f, type, {kids.begin(), kids.size()}); }
  ExprId add(ExprId a, ExprId b) const { return fn(ScalarFn::Add, {a, b}); }
  ExprId subtract(ExprId a, ExprId b) const { return fn(ScalarFn::Subtract, {a, b}); }
  ExprId multiply(ExprId a, ExprId b) const { return fn(ScalarFn::Multiply, {a, b}); }
  ExprId half(ExprId a) const { return multiply(number(0.5), a); }
  ExprId sqrt(ExprId a) const { return fn(ScalarFn::Sqrt, {a}); }
  ExprId one_minus_square(ExprId x) const {
    return multiply(subtract(number(1), x), add(number(1), x));
  }
};

/// atan2(sqrt(1 - x^2), x)
ExprId acos(const Real& r, ExprId x) { return r.fn(ScalarFn::Atan2, {r.sqrt(r.one_minus_square(x)), x}); }
/// atan2(x, sqrt(1 - x^2))
ExprId asin(const Real& r, ExprId x) { return r.fn(ScalarFn::Atan2, {x, r.sqrt(r.one_minus_square(x))}); }
/// log(x + sqrt(x - 1) sqrt(x + 1))
ExprId acosh(const Real& r, ExprId x) {
  const ExprId root = r.multiply(r.sqrt(r.subtract(x, r.number(1))), r.sqrt(r.add(x, r.number(1))));
  return r.fn(ScalarFn::Log, {r.add(x, root)});
}
/// sign(x) log1p(|x| + |x| / (1 / |x| + sqrt(1 + 1 / x^2))), which is infinite where x is
ExprId asinh(const Real& r, ExprId x) {
  const ExprId magnitude = r.fn(ScalarFn::Abs, {x});
  const ExprId inverse = r.fn(ScalarFn::Divide, {r.number(1), magnitude});
  const ExprId root = r.sqrt(r.add(r.number(1), r.multiply(inverse, inverse)));
  const ExprId tail = r.fn(ScalarFn::Divide, {magnitude, r.add(inverse, root)});
  return r.multiply(r.fn(ScalarFn::Sign, {x}), r.fn(ScalarFn::Log1p, {r.add(magnitude, tail)}));
}
/// (log1p(x) - log1p(-x)) / 2
ExprId atanh(const Real& r, ExprId x) {
  return r.half(r.subtract(r.fn(ScalarFn::Log1p, {x}), r.fn(ScalarFn::Log1p, {r.fn(ScalarFn::Negate, {x})})));
}
/// (exp(x) + exp(-x)) / 2
ExprId cosh(const Real& r, ExprId x) {
  return r.half(r.add(r.fn(ScalarFn::Exp, {x}), r.fn(ScalarFn::Exp, {r.fn(ScalarFn::Negate, {x})})));
}
/// (expm1(x) - expm1(-x)) / 2
ExprId sinh(const Real& r, ExprId x) {
  return r.half(r.subtract(r.fn(ScalarFn::Expm1, {x}), r.fn(ScalarFn::Expm1, {r.fn(ScalarFn::Negate, {x})})));
}

struct Inverse {
  Op op;
  ExprId (*form)(const Real&, ExprId);
};
constexpr Inverse kInverses[] = {{Op::Acos, acos}, {Op::Acosh, acosh}, {Op::Asin, asin}, {Op::Asinh, asinh}, {Op::Atanh, atanh}, {Op::Cosh, cosh}, {Op::Sinh, sinh}};

}  // namespace

Body composed_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  for (const Inverse& row : kInverses) {
    if (row.op == call.op) return lift.finish(row.form({arena, lift.type.element}, lift.read(0, lift.index)));
  }
  refuse_form(name_of(call) + " is not written with other functions");
}

}  // namespace gg
