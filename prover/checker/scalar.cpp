#include "prover/checker/scalar.h"

#include <algorithm>
#include <cmath>

#include "models/op/attributes.h"
#include "prover/checker/bounds.h"
#include "prover/checker/compared.h"
#include "prover/checker/counted.h"
#include "prover/checker/floored.h"
#include "prover/checker/fold.h"
#include "prover/checker/lowest.h"
#include "prover/checker/quantised.h"
#include "prover/checker/wide.h"
#include "prover/checker/wrapped.h"

namespace gg::checker {
namespace {

using Args = std::vector<Value>;

Value equal(Terms& t, Value a, Value b);

// a < b or a <= b of floats.
Value less(Terms& t, Value a, Value b, bool or_equal) {
  if (integral_form(t, a) && integral_form(t, b)) {  // B4: exact numbers, so a condition on indices
    Value difference = sum(t, b, minus(t, a));
    std::int64_t denominator = 1;
    for (const PolyPart& p : poly_parts(t, difference)) {
      for (std::int64_t d = 1; d <= 64 && !(p.coef * denominator).integer(); d *= 2) denominator *= 2;
    }
    difference = scaled(t, denominator, difference);
    const auto parts = poly_parts(t, difference);
    if (std::all_of(parts.begin(), parts.end(), [](const PolyPart& p) { return p.coef.integer(); })) {
      return ge(t, offset(t, to_index(t, difference), or_equal ? 0 : -1));
    }
  }
  if (const auto least = number_of(t, a)) {
    if (const auto told = counted(t, or_equal ? ScalarFn::CompareGe : ScalarFn::CompareGt, b, *least)) return *told;
  } else if (const auto most = number_of(t, b)) {
    if (const auto told = counted(t, or_equal ? ScalarFn::CompareGt : ScalarFn::CompareGe, a, *most)) return negate(t, *told);
  }
  const Classes x = classes_of(t, a), y = classes_of(t, b);
  if (a == b && (!or_equal || x.no_nan())) return boolean(t, or_equal);
  if (x.finite() && y.finite()) {
    const Classes d = classes_of(t, sum(t, b, minus(t, a)));
    if (d.within(Classes::kPos) || (or_equal && d.within(Classes::kPos | Classes::kZero))) return boolean(t, true);
    if (d.within(Classes::kNeg) || (!or_equal && d.within(Classes::kNeg | Classes::kZero))) return boolean(t, false);
  }
  for (const bool swapped : {false, true}) {  // by signs, infinite or not
    const Classes low = swapped ? y : x, high = swapped ? x : y;
    if (!low.no_nan() || !high.no_nan() || low.highest() > high.lowest()) continue;
    const bool apart = low.highest() < high.lowest();
    if (!apart && (low.highest() & (Classes::kNeg | Classes::kPos)) != 0) continue;  // many numbers of one class
    if (apart || or_equal != swapped) return boolean(t, !swapped);
  }
  if (const auto c = number_of(t, a); c && c->sign() <= (or_equal ? 0 : -1) && y.nonnegative()) return equal(t, b, b);
  if (const auto one = or_equal ? std::nullopt : less_than_maximum(t, a, b)) return *one;
  if (or_equal && x.no_nan() && y.no_nan()) return negate(t, less(t, b, a, false));
  if (const auto one = or_equal ? std::nullopt : compared(t, false, a, b)) return *one;
  return truth(t, uninterpreted(t, or_equal ? ScalarFn::CompareLe : ScalarFn::CompareLt, ElementType::Token, {a, b}));
}

Value equal(Terms& t, Value a, Value b) {
  if (integral_form(t, a) && integral_form(t, b)) {
    const Value both_ways = both(t, less(t, a, b, true), less(t, b, a, true));
    return both_ways;
  }
  for (const Value x : {a, b}) {
    const auto number = number_of(t, x);
    const auto told = number ? counted(t, ScalarFn::CompareEq, x == a ? b : a, *number) : std::nullopt;
    if (told) return *told;
  }
  if (a == b && classes_of(t, a).no_nan()) return boolean(t, true);
  const Classes x = classes_of(t, a), y = classes_of(t, b);
  if ((x.set() & y.set() & ~Classes::kNaN) == 0) return boolean(t, false);
  if (x.finite() && y.finite() && classes_of(t, sum(t, a, minus(t, b))).nonzero()) return boolean(t, false);
  if (const auto low = is_lowest(t, a, b)) return *low;
  if (const auto one = compared(t, true, a, b)) return *one;
  return truth(t, uninterpreted(t, ScalarFn::CompareEq, ElementType::Token, {std::min(a, b), std::max(a, b)}));
}

// A function of which no more than f(0) = 0 may be known.
Value plain_function(Terms& t, ScalarFn fn, const Args& a) {
  if (const auto c = number_of(t, a[0]); info(fn).is(ScalarFact::Zero) && c && c->is_zero()) return a[0];
  return uninterpreted(t, fn, ElementType::Token, a);
}

}  // namespace

Value absolute(Terms& t, Value a) {
  const Classes c = classes_of(t, a);
  if (c.nonnegative()) return a;
  if (c.within(Classes::kNegInf | Classes::kNeg | Classes::kZero)) return minus(t, a);
  const auto parts = poly_parts(t, a);
  const Rational lead = parts[0].coef;  // |c x| = |c| |x|, and the first coefficient of x is 1
  const Value primitive = scaled(t, lead.inverse(), a);
  return scaled(t, lead.sign() < 0 ? -lead : lead, uninterpreted(t, ScalarFn::Abs, ElementType::Token, {primitive}));
}

namespace {

// Only a literal of the program rounds, and only to fewer bits (docs/design.md).
Value float_convert(Terms& t, ElementType to, ElementType from, Value a, bool literal) {
  if (!literal || info(to).significand >= info(from).significand) return a;
  const auto rounded = [&](double x) { return Scalar::of(to, round_to(to, x)); };
  for (const auto& [read, value] : t.readings) {  // what the text has is rounded, whatever it is read as
    if (read.first == from && value == a) return checker::literal(t, rounded(read.second));
  }
  const ValueNode& node = t[a];
  if (const auto c = number_of(t, a)) {
    const auto exact = c->exact_double();
    if (!exact) throw Limit("a literal that is no number of 64 bits");
    return checker::literal(t, rounded(*exact));
  }
  if (const auto one = rounded_element(t, to, from, a)) return *one;
  const bool special = node.kind == ValueKind::PosInf || node.kind == ValueKind::NegInf || node.kind == ValueKind::NaN;
  if (!special) throw Limit("rounding of a literal that has become another term");
  return a;
}

Value float_function(Terms& t, ScalarFn fn, const Args& a) {
  switch (fn) {
    case ScalarFn::Add: return sum(t, a[0], a[1]);
    case ScalarFn::Subtract: return sum(t, a[0], minus(t, a[1]));
    case ScalarFn::Multiply: return product(t, a[0], a[1]);
    case ScalarFn::Divide: return product(t, a[0], power(t, a[1], -1));
    case ScalarFn::Negate: return minus(t, a[0]);
    case ScalarFn::Exp: return exponential(t, a[0]);
    case ScalarFn::Log: return logarithm(t, a[0]);
    case ScalarFn::Log1p: return logarithm(t, sum(t, number(t, 1), a[0]));
    case ScalarFn::Sqrt: return power(t, a[0], Rational::ratio(1, 2));
    case ScalarFn::Rsqrt: return power(t, a[0], Rational::ratio(-1, 2));
    case ScalarFn::Max: return maximum(t, a[0], a[1]);
    case ScalarFn::Min: return minus(t, maximum(t, minus(t, a[0]), minus(t, a[1])));
    case ScalarFn::Clamp: return float_function(t, ScalarFn::Min, {float_function(t, ScalarFn::Max, {a[1], a[0]}), a[2]});
    case ScalarFn::Abs: return absolute(t, a[0]);
    case ScalarFn::CompareLt: return less(t, a[0], a[1], false);
    case ScalarFn::CompareLe: return less(t, a[0], a[1], true);
    case ScalarFn::CompareGt: return less(t, a[1], a[0], false);
    case ScalarFn::CompareGe: return less(t, a[1], a[0], true);
    case ScalarFn::CompareEq: return equal(t, a[0], a[1]);
    case ScalarFn::CompareNe: return negate(t, equal(t, a[0], a[1]));
    case ScalarFn::IsFinite:
      if (classes_of(t, a[0]).finite()) return boolean(t, true);
      if (classes_of(t, a[0]).finite_or_nan()) return equal(t, a[0], a[0]);
      if (const auto c = classes_of(t, a[0]); c.no_nan() && (c.set() & Classes::kPosInf) == 0) return negate(t, equal(t, special(t, ValueKind::NegInf), a[0]));
      return truth(t, uninterpreted(t, fn, ElementType::Token, a));
    case ScalarFn::Power:
      if (const auto e = number_of(t, a[1]); e && e->integer() && within(*e->integer(), 64)) return power(t, a[0], *e);
      return uninterpreted(t, fn, ElementType::Token, a);
    case ScalarFn::Sign:
      if (const auto parts = poly_parts(t, a[0]); !parts.empty() && !parts[0].coef.is_one() && !number_of(t, a[0]))
        return scaled(t, parts[0].coef.sign(), plain_function(t, fn, {scaled(t, parts[0].coef.inverse(), a[0])}));
      return plain_function(t, fn, a);
    case ScalarFn::Logistic:
    case ScalarFn::Tanh:
      if (t.sigmoids_by_exponentials) return sigmoid(t, fn, a[0]);
      return plain_function(t, fn, a);
    default: return plain_function(t, fn, a);
  }
}

Value boolean_function(Terms& t, ScalarFn fn, const Args& a) {
  switch (fn) {
    case ScalarFn::And:
    case ScalarFn::Multiply:
    case ScalarFn::Min: return both(t, a[0], a[1]);
    case ScalarFn::Or:
    case ScalarFn::Add:
    case ScalarFn::Max: return either(t, a[0], a[1]);
    case ScalarFn::Not: return negate(t, a[0]);
    case ScalarFn::Xor:
    case ScalarFn::CompareNe: return choose(t, a[0], negate(t, a[1]), a[1]);
    case ScalarFn::CompareEq: return choose(t, a[0], a[1], negate(t, a[1]));
    case ScalarFn::CompareLt: return both(t, negate(t, a[0]), a[1]);
    case ScalarFn::CompareGt: return both(t, a[0], negate(t, a[1]));
    case ScalarFn::CompareLe: return either(t, negate(t, a[0]), a[1]);
    case ScalarFn::CompareGe: return either(t, a[0], negate(t, a[1]));
    default: throw Limit("function '" + std::string(info(fn).name) + "' of booleans");
  }
}

Value converted(Terms& t, ElementType to, ElementType from, Value a, bool literal) {
  const bool to_pred = to == ElementType::Pred, from_pred = from == ElementType::Pred;
  if (from_pred) return to_pred ? a : choose(t, a, number(t, 1), number(t, 0));
  if (to_pred) {
    const Args args = {a, number(t, 0)};
    return is_integral(from) ? integer_function(t, ScalarFn::CompareNe, from, args)
                             : float_function(t, ScalarFn::CompareNe, args);
  }
  if (is_integral(from)) return is_integral(to) ? narrowed(t, to, a) : as_real(t, a);
  if (is_integral(to)) {
    return whole_of(t, to, a) ? a : uninterpreted(t, ScalarFn::Convert, to, {a});
  }
  return float_convert(t, to, from, a, literal);
}

// The arguments of a maximum, or of a positive multiple of one.
Args extremum_kids(Terms& t, Value v) {
  const ValueNode& node = t[v];
  const auto is_max = [&](const ValueNode& n) { return n.kind == ValueKind::Fn && n.fn == ScalarFn::Max && n.type == ElementType::Token; };
  if (is_max(node)) return node.kids;
  if (node.kind != ValueKind::Poly || node.summands.size() != 1 || node.summands[0].coef.sign() < 0) return {v};
  const auto& factors = t[node.summands[0].monomial].factors;
  if (factors.size() != 1 || !factors[0].exponent.is_one() || !is_max(t[factors[0].base])) return {v};
  Args kids = t[factors[0].base].kids;
  for (Value& kid : kids) kid = scaled(t, node.summands[0].coef, kid);
  return kids;
}

// The larger one of an integer, or a sum or maximum of such, and an integer literal, as integers.
std::optional<Value> of_integers(Terms& t, const Args& all) {
  if (all.size() != 2) return std::nullopt;
  for (const bool second : {false, true}) {
    const Value x = all[second ? 1 : 0];
    const auto limit = number_of(t, all[second ? 0 : 1]);
    const ValueNode& node = t[x];
    const bool over_box = node.kind == ValueKind::Fold && (node.fn == ScalarFn::Add || node.fn == ScalarFn::Max) && node.type == ElementType::Token;
    if (!limit || !limit->integer() || !near(*limit->integer()) || !integral_form(t, over_box ? node.kids[0] : x)) continue;
    return from_index(t, clamp(t, to_index(t, x), *limit->integer(), kFar));
  }
  return std::nullopt;
}

}  // namespace

Value maximum(Terms& t, Value a, Value b) {
  if (is_case(t, a) || is_case(t, b)) return lift(t, {a, b}, [&](const auto& x) { return maximum(t, x[0], x[1]); });
  Args all;
  std::optional<Rational> largest;
  for (const Value v : {a, b}) {
    const ValueNode& node = t[v];
    if (node.kind == ValueKind::Unknown || node.kind == ValueKind::NaN) return v;
    for (const Value x : extremum_kids(t, v)) {
      const auto c = number_of(t, x);
      if (c) largest = largest && *c < *largest ? *largest : *c;
      else if (t[x].kind != ValueKind::NegInf) all.push_back(x);
    }
  }
  const auto passes = [&](Value x) { const auto lo = bounds_of(t, x).lo; return lo && !(*lo < *largest); };
  if (largest && std::any_of(all.begin(), all.end(), passes)) largest.reset();
  if (largest && largest->sign() <= 0) {  // max(x, c), x >= 0 >= c
    for (const Value x : all) {
      if (classes_of(t, x).nonnegative()) largest.reset();
      if (!largest) break;
    }
  }
  for (const int sign : {1, -1}) {  // of exponentials, or of their negatives: that of an extremum
    if (all.size() + (largest ? 1 : 0) < 2 || (largest && !(*largest == Rational(sign)))) continue;
    std::optional<Value> exponents = largest ? number(t, 0) : special(t, ValueKind::NegInf);
    for (const Value x : all) {
      const auto one = exponents ? exponent_of(t, scaled(t, sign, x)) : std::nullopt;
      exponents = one ? std::optional(maximum(t, *exponents, scaled(t, sign, *one))) : std::nullopt;
    }
    if (exponents) return scaled(t, sign, exponential(t, scaled(t, sign, *exponents)));
  }
  Rational size(1);  // a positive coefficient goes out: that of the kid with the least rest
  std::optional<Value> least;
  for (const Value x : all) {
    if (t[x].kind != ValueKind::Poly) {
      if (t[x].kind != ValueKind::PosInf && (!least || x < *least)) least = x, size = 1;
      continue;
    }
    const Rational lead = t[x].summands[0].coef;
    const Value rest = scaled(t, lead.inverse(), x);
    if (!least || rest < *least) least = rest, size = lead.sign() < 0 ? -lead : lead;
  }
  if (largest) all.push_back(number(t, *largest));
  if (all.size() < 2) size = 1;
  for (Value& x : all) x = scaled(t, size.inverse(), x);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (std::size_t n = k + 1; n < all.size(); ++n) {
      const auto one = join(t, ScalarFn::Max, all[k], all[n]);
      if (!one) continue;
      Value result = *one;
      for (std::size_t m = 0; m < all.size(); ++m)
        if (m != k && m != n) result = maximum(t, result, all[m]);
      return scaled(t, size, result);
    }
  }
  if (all.empty()) return special(t, ValueKind::NegInf);
  if (const auto whole = of_integers(t, all)) return scaled(t, size, *whole);
  return scaled(t, size, all.size() == 1 ? all[0] : uninterpreted(t, ScalarFn::Max, ElementType::Token, all));
}

Value apply(Terms& t, ScalarFn fn, ElementType type, ElementType operand, const Args& args, bool literal) {
  t.step();
  if (fn == ScalarFn::Select) {
    const auto one = is_integral(type) && type != ElementType::Pred ? floored(t, args[0], args[1], args[2]) : chosen(t, args[0], args[1], args[2]);
    return one ? *one : choose(t, args[0], args[1], args[2]);
  }
  if (operand != ElementType::Pred && std::any_of(args.begin(), args.end(), [&](Value v) { return is_case(t, v); })) {
    return lift(t, args, [&](const Args& x) { return apply(t, fn, type, operand, x, literal); });
  }
  for (const Value v : args)
    if (t[v].kind == ValueKind::Unknown) return v;
  if (fn == ScalarFn::Convert) return converted(t, type, operand, args[0], literal);
  if (operand == ElementType::Pred) return boolean_function(t, fn, args);
  if (is_integral(operand)) return integer_function(t, fn, operand, args);
  return float_function(t, fn, args);
}

Value reapply(Terms& t, const ValueNode& node, const Args& args) {
  if (node.fn == ScalarFn::Convert) return node.leaf == 1 ? wrapped(t, node.type, args[0]) : apply(t, node.fn, node.type, ElementType::F64, args);
  if (node.fn == ScalarFn::Select) {  // the finite part of a value, else a number
    if (t[args[1]].kind == ValueKind::Unknown) return args[1];
    return lift(t, args, [&](const Args& x) { return choose(t, equal(t, absolute(t, x[1]), special(t, ValueKind::PosInf)), x[0], x[1]); });
  }
  if (node.fn == ScalarFn::Max && node.type == ElementType::Token) {
    Value all = args[0];
    for (const Value v : args) all = maximum(t, all, v);
    return all;
  }
  const ElementType operand = node.type == ElementType::Token ? ElementType::F64 : node.type;
  return apply(t, node.fn, node.type, operand, args);
}

Value literal(Terms& t, const Scalar& scalar) {
  if (scalar.type == ElementType::Pred) return boolean(t, scalar.integer != 0);
  if (is_integral(scalar.type)) {
    if (!is_signed(scalar.type) && scalar.integer < 0) throw Limit("u64 literal above 2^63");
    return number(t, sized(scalar.integer));
  }
  if (const auto it = t.readings.find({scalar.type, scalar.real}); it != t.readings.end()) return it->second;
  if (std::isnan(scalar.real)) return special(t, ValueKind::NaN);
  if (std::isinf(scalar.real)) return special(t, scalar.real > 0 ? ValueKind::PosInf : ValueKind::NegInf);
  return number(t, Rational::of(scalar.real));
}

}  // namespace gg::checker
