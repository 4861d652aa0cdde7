// Error rules of scalar functions and folds (runtime/error_rules.h). Elementary functions of the C library are taken to be
// within 8 units in the last place. Bounds are of first order where the argument's error is small against it and safe
// beyond: a bound that cannot be given is infinite or NaN, and then nothing is concluded.
#include "runtime/error_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/numbers/rows.h"

namespace gg {
namespace {

using Bound = std::optional<ExprId>;
constexpr double kLibrary = 8;

/// One scalar function applied: its node, arguments and their errors.
struct Applied {
  ErrorBuilder& b;
  ExprId result;
  std::span<const ExprId> x;
  std::span<const Bound> e;

  Bound rounded(Bound bound, double units) const { return b.sum(bound, b.rounding(result, x, units)); }
  ExprId spread() const { return b.orzero(e[0]); }
  ExprId low() const { return b.fn(ScalarFn::Subtract, {x[0], spread()}); }
  ExprId high() const { return b.fn(ScalarFn::Add, {x[0], spread()}); }
};

/// What the errors of the arguments make of the result's.
using Rule = Bound (*)(const Applied& a);

Bound moved(const Applied& a) { return a.e[0]; }
Bound largest(const Applied& a) {
  Bound bound;
  for (const Bound& one : a.e) bound = a.b.larger(bound, one);
  return bound;
}
Bound add(const Applied& a) { return a.b.sum(a.e[0], a.e[1]); }
Bound multiply(const Applied& a) {
  const Bound bound = a.b.sum(a.b.product(a.b.magnitude(a.x[0]), a.e[1]), a.b.product(a.b.magnitude(a.x[1]), a.e[0]));
  return a.e[0] && a.e[1] ? a.b.sum(bound, a.b.fn(ScalarFn::Multiply, {*a.e[0], *a.e[1]})) : bound;
}
// (e0 + |q| e1) / (|x1| - e1): infinite or NaN where the divisor may be zero.
Bound divide(const Applied& a) {
  const Bound top = a.b.sum(a.e[0], a.b.product(a.b.magnitude(a.result), a.e[1]));
  const ExprId gap = a.b.fn(ScalarFn::Subtract, {a.b.magnitude(a.x[1]), a.b.orzero(a.e[1])});
  const ExprId safe = a.b.fn(ScalarFn::Max, {gap, a.b.number(0)});
  return a.b.fn(ScalarFn::Divide, {*top, safe});
}
Bound exponential(const Applied& a) { return a.b.fn(ScalarFn::Multiply, {a.result, a.b.fn(ScalarFn::Expm1, {*a.e[0]})}); }
Bound expm1(const Applied& a) {
  const ExprId whole = a.b.fn(ScalarFn::Add, {a.result, a.b.number(1)});
  return a.b.fn(ScalarFn::Multiply, {whole, a.b.fn(ScalarFn::Expm1, {*a.e[0]})});
}
// Slope at the near end of the interval: e / (x - e), for log1p e / (1 + x - e).
Bound logarithm(const Applied& a) { return a.b.fn(ScalarFn::Divide, {*a.e[0], a.b.fn(ScalarFn::Max, {a.low(), a.b.number(0)})}); }
Bound log1p(const Applied& a) {
  const ExprId near = a.b.fn(ScalarFn::Max, {a.b.fn(ScalarFn::Add, {a.low(), a.b.number(1)}), a.b.number(0)});
  return a.b.fn(ScalarFn::Divide, {*a.e[0], near});
}
// |sqrt(x) - sqrt(y)| is at most |x - y| / sqrt(x) and at most sqrt |x - y|.
Bound square_root(const Applied& a) {
  const ExprId slope = a.b.fn(ScalarFn::Divide, {*a.e[0], a.result});
  const ExprId root = a.b.fn(ScalarFn::Sqrt, {*a.e[0]});
  const ExprId positive = a.b.test(ScalarFn::CompareGt, {a.result, a.b.number(0)});
  return a.b.fn(ScalarFn::Select, {positive, slope, root});
}
Bound reciprocal_root(const Applied& a) {
  const ExprId near = a.b.fn(ScalarFn::Max, {a.low(), a.b.number(0)});
  const ExprId steep = a.b.fn(ScalarFn::Divide, {a.b.fn(ScalarFn::Rsqrt, {near}), near});
  return a.b.fn(ScalarFn::Multiply, {*a.e[0], steep});
}
// Slope at most 2 (erf).
Bound twice(const Applied& a) { return a.b.product(a.b.number(2), a.e[0]); }
// x^y = exp(y log x): relative error expm1(y-part + x-part).
Bound power(const Applied& a) {
  const ExprId near = a.b.fn(ScalarFn::Max, {a.low(), a.b.number(0)});
  const ExprId exponent = a.b.fn(ScalarFn::Add, {a.b.magnitude(a.x[1]), a.b.orzero(a.e[1])});
  const ExprId base = a.b.fn(ScalarFn::Multiply, {exponent, a.b.fn(ScalarFn::Divide, {a.spread(), near})});
  const ExprId log = a.b.fn(ScalarFn::Multiply, {a.b.magnitude(a.b.fn(ScalarFn::Log, {a.x[0]})), a.b.orzero(a.e[1])});
  const ExprId relative = a.b.fn(ScalarFn::Expm1, {a.b.fn(ScalarFn::Add, {base, log})});
  return a.b.fn(ScalarFn::Multiply, {a.b.magnitude(a.result), relative});
}
// Monotone steps: the distance between the values at both ends of the interval.
Bound step(const Applied& a) {
  if (!a.e[0]) return {};
  const ScalarFn f = a.b.arena()[a.result].fn;
  return a.b.magnitude(a.b.fn(ScalarFn::Subtract, {a.b.fn(f, {a.high()}), a.b.fn(f, {a.low()})}));
}
Bound unknown(const Applied& a) { return a.b.number(std::numeric_limits<double>::infinity()); }
// Certain where the operands are further apart than their errors, or exact.
Bound comparison(const Applied& a) {
  const Bound s = a.b.sum(a.e[0], a.e[1]);
  if (!s || is_integral(a.b.arena()[a.x[0]].type)) return largest(a);
  const ExprId gap = a.b.magnitude(a.b.fn(ScalarFn::Subtract, {a.x[0], a.x[1]}));
  const ExprId doubt = a.b.fn(ScalarFn::Select, {a.b.test(ScalarFn::CompareGt, {gap, *s}), a.b.number(0), *s});
  return a.b.unless(doubt, {});
}
Bound select(const Applied& a) {
  Bound bound;
  if (a.e[1] || a.e[2]) bound = a.b.fn(ScalarFn::Select, {a.x[0], a.b.orzero(a.e[1]), a.b.orzero(a.e[2])});
  return a.b.unless(a.e[0], bound);
}
Bound convert(const Applied& a) {
  const ElementType from = a.b.arena()[a.x[0]].type, to = a.b.arena()[a.result].type;
  const bool rounds = a.b.mode() == NumberMode::F32 || a.b.mode() == NumberMode::Model;
  const int held = is_float(from) ? info(from).significand : info(from).bits;
  const bool narrows = rounds && is_float(to) && (held > info(to).significand || (is_float(from) && info(from).high > info(to).high));
  if (!a.e[0] && !narrows) return {};
  if (!is_float(from) || is_float(to)) return narrows ? a.rounded(a.e[0], 1) : a.e[0];
  Arena& arena = a.b.arena();
  const ExprId ends[] = {a.low(), a.high()};
  const ExprId first = arena.fn(ScalarFn::Convert, to, {&ends[0], 1}), last = arena.fn(ScalarFn::Convert, to, {&ends[1], 1});
  return a.b.fn(ScalarFn::Select, {a.b.test(ScalarFn::CompareEq, {first, last}), a.b.number(0),
                                   a.b.number(std::numeric_limits<double>::infinity())});
}

struct RuleRow {
  ScalarFn fn;
  Rule rule;
  double units = 0;  ///< in the last place, that the result rounds besides; the rule is then asked of inexact arguments only
};
constexpr std::array kRules = {
    RuleRow{ScalarFn::Abs, moved},
    RuleRow{ScalarFn::Negate, moved},
    RuleRow{ScalarFn::Max, largest},
    RuleRow{ScalarFn::Min, largest},
    RuleRow{ScalarFn::Clamp, largest},
    RuleRow{ScalarFn::Add, add, 1},
    RuleRow{ScalarFn::Subtract, add, 1},
    RuleRow{ScalarFn::Multiply, multiply, 1},
    RuleRow{ScalarFn::Divide, divide, 1},
    RuleRow{ScalarFn::Exp, exponential, kLibrary},
    RuleRow{ScalarFn::Expm1, expm1, kLibrary},
    RuleRow{ScalarFn::Log, logarithm, kLibrary},
    RuleRow{ScalarFn::Log1p, log1p, kLibrary},
    RuleRow{ScalarFn::Sqrt, square_root, 1},
    RuleRow{ScalarFn::Rsqrt, reciprocal_root, 4},
    RuleRow{ScalarFn::Tanh, moved, kLibrary},  // slopes of at most 1
    RuleRow{ScalarFn::Logistic, moved, kLibrary},
    RuleRow{ScalarFn::Sin, moved, kLibrary},
    RuleRow{ScalarFn::Cos, moved, kLibrary},
    RuleRow{ScalarFn::Erf, twice, kLibrary},
    RuleRow{ScalarFn::Power, power, kLibrary},
    RuleRow{ScalarFn::Floor, step},
    RuleRow{ScalarFn::Ceil, step},
    RuleRow{ScalarFn::RoundAfz, step},
    RuleRow{ScalarFn::RoundEven, step},
    RuleRow{ScalarFn::Sign, step},
    RuleRow{ScalarFn::Select, select},
    RuleRow{ScalarFn::Convert, convert},
    RuleRow{ScalarFn::CompareEq, comparison},
    RuleRow{ScalarFn::CompareNe, comparison},
    RuleRow{ScalarFn::CompareLt, comparison},
    RuleRow{ScalarFn::CompareLe, comparison},
    RuleRow{ScalarFn::CompareGt, comparison},
    RuleRow{ScalarFn::CompareGe, comparison},
    RuleRow{ScalarFn::IsFinite, largest},
};

RuleRow rule_of(ScalarFn fn, bool integral) {
  const bool decides = fn == ScalarFn::Select || fn == ScalarFn::Convert || info(fn).name.starts_with("compare");
  if (integral && !decides) return {fn, largest};  // exact arithmetic on certain values
  const auto* row = std::find_if(kRules.begin(), kRules.end(), [fn](const RuleRow& r) { return r.fn == fn; });
  return row != kRules.end() ? *row : RuleRow{fn, unknown, kLibrary};
}

}  // namespace

RoundingUnit rounding_unit(ElementType type, NumberMode mode) {
  if (mode == NumberMode::F32) type = ElementType::F32;
  if (mode == NumberMode::F64 || !is_float(type) || type == ElementType::F64) return {};
  const ElementInfo& row = info(type);
  RoundingUnit unit;
  unit.unit = std::ldexp(1.0, 1 - row.significand);
  unit.tiny = std::ldexp(1.0, row.low <= -126 ? row.low : row.low - row.significand + 1);
  unit.most = std::ldexp(2.0 - unit.unit, row.high);
  return unit;
}

ExprId ErrorBuilder::number(double value) { return arena_.lit(Scalar::of(ElementType::F64, value)); }

ExprId ErrorBuilder::fn(ScalarFn f, std::initializer_list<ExprId> kids) {
  return arena_.fn(f, ElementType::F64, {kids.begin(), kids.size()});
}

ExprId ErrorBuilder::test(ScalarFn f, std::initializer_list<ExprId> kids) {
  return arena_.fn(f, ElementType::Pred, {kids.begin(), kids.size()});
}

ErrorBuilder::Bound ErrorBuilder::sum(Bound a, Bound b) {
  if (!a || !b) return a ? a : b;
  return fn(ScalarFn::Add, {*a, *b});
}

ErrorBuilder::Bound ErrorBuilder::product(ExprId value, Bound bound) {
  if (!bound) return {};
  return fn(ScalarFn::Multiply, {value, *bound});
}

ErrorBuilder::Bound ErrorBuilder::larger(Bound a, Bound b) {
  if (!a || !b || *a == *b) return a ? a : b;
  return fn(ScalarFn::Max, {*a, *b});
}

ExprId ErrorBuilder::rounding(ExprId result, std::span<const ExprId> arguments, double units) {
  return rounding_as(arena_[result].type, result, arguments, units);
}

ExprId ErrorBuilder::rounding_as(ElementType type, ExprId result, std::span<const ExprId> arguments, double units) {
  const RoundingUnit unit = rounding_unit(type, mode_.mode);
  ExprId finite = arena_.lit(Scalar::of_int(ElementType::Pred, 1));
  for (const ExprId argument : arguments) {
    if (!is_float(arena_[argument].type)) continue;
    finite = test(ScalarFn::And, {finite, test(ScalarFn::IsFinite, {argument})});
  }
  const ExprId infinite = number(std::numeric_limits<double>::infinity());
  const ExprId overflow = fn(ScalarFn::Select, {finite, infinite, number(0)});
  ExprId rounded = fn(ScalarFn::Multiply, {number(units * unit.unit), magnitude(result)});
  if (unit.tiny != 0) rounded = fn(ScalarFn::Add, {rounded, number(unit.tiny)});
  if (unit.most != 0) {
    rounded = fn(ScalarFn::Select, {test(ScalarFn::CompareLe, {magnitude(result), number(unit.most)}), rounded, infinite});
  }
  return fn(ScalarFn::Select, {test(ScalarFn::IsFinite, {result}), rounded, overflow});
}

ErrorBuilder::Bound ErrorBuilder::unless(Bound doubt, Bound bound) {
  if (!doubt) return bound;
  // Written so that a doubt that is NaN is a doubt.
  return fn(ScalarFn::Select, {test(ScalarFn::CompareLe, {*doubt, number(0)}), orzero(bound),
                               number(std::numeric_limits<double>::infinity())});
}

ErrorBuilder::Bound ErrorBuilder::error(ExprId expr) {
  const auto known = memo_.find(expr.value);
  if (known != memo_.end()) return known->second;
  const Bound bound = make(expr);
  memo_.emplace(expr.value, bound);
  return bound;
}

ErrorBuilder::Bound ErrorBuilder::of_fold(ExprId id, const Expr& expr) {
  const ExprId init = arena_.kids(id)[0], body = arena_.kids(id)[1];
  const GuardId guard = arena_.guard(id);
  const auto span = arena_.extents(id);
  const std::vector<std::int64_t> extents(span.begin(), span.end());
  const Bound e0 = error(init), e1 = error(body);
  const auto fold = [&](ScalarFn monoid, ExprId start, ExprId value) {
    return arena_.fold(monoid, start, expr.fold_level, extents, guard, value);
  };
  if (is_integral(expr.type) || expr.fn == ScalarFn::Max || expr.fn == ScalarFn::Min) {
    if (!e0 && !e1) return {};
    return fold(ScalarFn::Max, orzero(e0), orzero(e1));
  }
  if (expr.fn != ScalarFn::Add) {
    return e0 || e1 ? Bound(number(std::numeric_limits<double>::infinity())) : Bound(rounding(id, {&init, 1}, 64));
  }
  double terms = 1;
  for (const std::int64_t extent : extents) terms *= static_cast<double>(extent);
  const ElementType sums = mode_.narrow_sums ? expr.type : accumulation_type(expr.type, mode_.mode);
  const RoundingUnit accumulated = rounding_unit(sums, mode_.mode);
  const ExprId unit = number((terms + 1) * accumulated.unit);
  const ExprId start = *sum(e0, fn(ScalarFn::Multiply, {unit, magnitude(init)}));
  ExprId step = *sum(e1, fn(ScalarFn::Multiply, {unit, magnitude(body)}));
  if (accumulated.tiny != 0) step = fn(ScalarFn::Add, {step, number(accumulated.tiny)});
  const ExprId bound = fold(ScalarFn::Add, start, step);
  if (mode_.mode == NumberMode::F64) return bound;
  return sum(bound, rounding_as(expr.type, id, {&init, 1}, 1));  // and once to the type, where it may overflow
}

ErrorBuilder::Bound ErrorBuilder::make(ExprId id) {
  const Expr expr = arena_[id];
  switch (expr.kind) {
    case ExprKind::Read: {
      if (!inexact_[expr.arg]) return {};
      const auto span = arena_.indices(id);
      const std::vector<LinId> index(span.begin(), span.end());
      return arena_.read(static_cast<int>(expr.arg + inexact_.size()), ElementType::F64, index);
    }
    case ExprKind::Index:
    case ExprKind::Lit:
    case ExprKind::Constant:
    case ExprKind::Unknown: return {};
    case ExprKind::Case: {
      const Bound then = error(arena_.kids(id)[0]), otherwise = error(arena_.kids(id)[1]);
      if (!then && !otherwise) return {};
      return arena_.select(arena_.guard(id), orzero(then), orzero(otherwise));
    }
    case ExprKind::Fold: return of_fold(id, expr);
    case ExprKind::Fn: break;
  }
  const auto span = arena_.kids(id);
  const std::vector<ExprId> kids(span.begin(), span.end());
  std::vector<Bound> errors;
  bool integral = is_integral(expr.type);
  for (const ExprId kid : kids) {
    errors.push_back(error(kid));
    integral = integral && is_integral(arena_[kid].type);
  }
  const Applied applied{*this, id, kids, errors};
  const RuleRow row = rule_of(expr.fn, integral);
  if (row.units == 0) return row.rule(applied);
  const bool exact = std::none_of(errors.begin(), errors.end(), [](const Bound& e) { return e.has_value(); });
  return applied.rounded(exact ? Bound() : row.rule(applied), row.units);
}

}  // namespace gg
