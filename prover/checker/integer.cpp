#include "prover/checker/integer.h"

#include <algorithm>

#include "models/body/integers.h"
#include "prover/checker/floored.h"
#include "prover/checker/fold.h"
#include "prover/checker/limited.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/wide.h"
#include "prover/checker/wrapped.h"

namespace gg::checker {
namespace {

using Args = std::vector<Value>;

bool fits(ElementType type, Range r) {
  const Range all = range_of_type(type);
  return r.lo > -kFar && r.hi < kFar && r.lo >= all.lo && r.hi <= all.hi;
}

Value larger_of(Terms& t, Value x, Value y) {
  if (t[x].kind == ValueKind::NegInf) return y;  // of an empty fold
  if (t[y].kind == ValueKind::NegInf) return x;
  Index a = to_index(t, x), b = to_index(t, y);
  if (constant_of(t, a)) std::swap(a, b);
  if (const auto c = constant_of(t, b)) {
    if (!near(*c)) throw Overflow("limit of a clamp out of bounds");
    return from_index(t, clamp(t, a, *c, kFar));
  }
  if (has_data(t, a) != has_data(t, b) ? has_data(t, b) : b < a) std::swap(a, b);  // a form without data stands outside, as a constant does
  return from_index(t, add(t, b, clamp(t, sub(t, a, b), 0, kFar)));                // max(a, b) = b + max(a - b, 0)
}

std::optional<Size> whole(const Terms& t, Value v) {
  const auto c = number_of(t, v);
  return c ? c->integer() : std::nullopt;
}

// A function of literals as a number.
std::optional<Value> of_literals(Terms& t, ScalarFn fn, ElementType type, const Args& args) {
  const bool all = std::all_of(args.begin(), args.end(), [&](Value v) { return whole(t, v); });
  if (!all || info(type).bits >= 64) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Value v : args) numbers.push_back(static_cast<std::int64_t>(*whole(t, v)));
  const auto result = integer_fn(fn, type, numbers);
  return result ? std::optional(number(t, *result)) : std::nullopt;
}

// The range of a sum of integers, as an index form: a remainder is inside its divisor.
Range range_of_sum(Terms& t, Value v) {
  const Range r = integer_range(t, v);
  if (t[v].kind != ValueKind::Poly || !integral_form(t, v)) return r;
  const IndexNode& form = t[to_index(t, v)];
  return {std::max(r.lo, form.lo), std::min(r.hi, form.hi)};
}

// And, or, xor and shifts: masks and shifts that are digits.
Value bits(Terms& t, ScalarFn fn, ElementType type, const Args& args) {
  if (const auto value = of_literals(t, fn, type, args)) return *value;
  const int width = info(type).bits;
  const auto y = whole(t, args[1]);
  if (const auto n = y ? y : whole(t, args[0]); n && (fn == ScalarFn::Or || fn == ScalarFn::Xor ? same(*n, 0) : fn == ScalarFn::And && is_signed(type) && same(*n, -1))) return args[y ? 0 : 1];
  for (const std::size_t k : {0U, 1U}) {  // (x xor y) xor y
    const ValueNode inner = t[args[k]];
    if (fn != ScalarFn::Xor || inner.kind != ValueKind::Fn || inner.fn != fn || inner.type != type) continue;
    if (inner.kids[0] == args[1 - k] || inner.kids[1] == args[1 - k]) return inner.kids[inner.kids[0] == args[1 - k] ? 1 : 0];
  }
  const Range r = range_of_sum(t, args[0]);
  if (y && *y >= 0 && small(*y, std::min(width, 60) - 1)) {
    const std::int64_t power_of_two = std::int64_t{1} << static_cast<std::int64_t>(*y);
    if (fn == ScalarFn::ShiftLeft) return wrapped(t, type, scaled(t, power_of_two, args[0]));
    const bool sign_is_clear = is_signed(type) || (width < 62 && r.hi < (std::int64_t{1} << (width - 1)));
    const bool down = fn == ScalarFn::ShiftRightL ? r.lo >= 0 : fn == ScalarFn::ShiftRightA && sign_is_clear;
    if (down) return from_index(t, divide(t, to_index(t, args[0]), power_of_two));
  }
  if (const auto left = fn == ScalarFn::And && y ? masked(t, type, args[0], *y) : std::nullopt) return *left;
  const bool ordered = fn == ScalarFn::ShiftLeft || fn == ScalarFn::ShiftRightA || fn == ScalarFn::ShiftRightL;
  Args sorted = args;
  if (!ordered) std::sort(sorted.begin(), sorted.end());
  return uninterpreted(t, fn, type, sorted);
}

Value quotient(Terms& t, ScalarFn fn, ElementType type, const Args& args) {
  const auto by = whole(t, args[1]);
  const Index a = to_index(t, args[0]);
  if (!by || !near(*by) || same(*by, 0) || (*by < 0 && !is_signed(type))) return uninterpreted(t, fn, type, args);
  if (same(*by, -1)) return fn == ScalarFn::Remainder ? number(t, 0) : wrapped(t, type, minus(t, args[0]));
  const Size m = magnitude(*by);
  if (const auto exact = exact_quotient(t, fn, a, *by)) return *exact;
  const bool less = t[a].lo > -m && t[a].hi < m;
  if (!less && has_data(t, a)) return uninterpreted(t, fn, type, args);
  const auto part = [&](Size side) { return divide(t, clamp(t, scale(t, side, a), 0, kFar), m); };  // truncation is symmetric
  const Index q = less ? constant(t, 0) : sub(t, part(1), part(-1));
  return from_index(t, fn == ScalarFn::Remainder ? axpy(t, -m, q, a) : *by < 0 ? scale(t, -1, q)
                                                                               : q);
}

Value comparison(Terms& t, ScalarFn fn, const Args& args) {
  const Index d = sub(t, to_index(t, args[1]), to_index(t, args[0]));  // right - left
  switch (fn) {
    case ScalarFn::CompareLt: return ge(t, offset(t, d, -1));
    case ScalarFn::CompareLe: return ge(t, d);
    case ScalarFn::CompareGt: return ge(t, offset(t, scale(t, -1, d), -1));
    case ScalarFn::CompareGe: return ge(t, scale(t, -1, d));
    case ScalarFn::CompareEq: return eq(t, d);
    default: return negate(t, eq(t, d));
  }
}

// Is every value of this term one of the type, though its range may pass kFar?
bool is_of_type(const Terms& t, Value v, ElementType type) {
  const ValueNode& node = t[v];
  switch (node.kind) {
    case ValueKind::Read: return t.anchors[node.ref].type == type;
    case ValueKind::Fn:
    case ValueKind::Fold: return node.type == type;
    case ValueKind::Row: return t.rows[node.ref].results[node.leaf].type == type;
    default: return false;
  }
}

// Without inner wraps of at least this width, which make no difference to a sum of integer multiples.
Value without_wraps(Terms& t, int width, Value v) {
  Value inner = number(t, 0);
  for (const PolyPart& p : poly_parts(t, v)) {
    const auto& factors = t[p.monomial].factors;
    if (multiple_of_all(t, width, p)) continue;
    Value term = from_part(t, {p.monomial, 1});
    if (p.coef.integer() && factors.size() == 1 && factors[0].exponent.is_one()) {
      const ValueNode f = t[factors[0].base];
      if (f.kind == ValueKind::Fn && f.fn == ScalarFn::Convert && f.leaf == 1 && info(f.type).bits >= width) {
        term = f.kids[0];
      } else if (f.kind == ValueKind::Fold && f.fn == ScalarFn::Add && f.type == ElementType::Token) {
        const Opened open(t, f);
        const Value body = without_wraps(t, width, open.kids[0]);
        if (body != open.kids[0]) term = fold(t, f.fn, f.type, open.vars, open.guard, body);
      }
    }
    inner = sum(t, inner, scaled(t, p.coef, term));
  }
  return inner;
}

}  // namespace

Size wrapped_size(ElementType type, const Size& n) {
  const Range all = range_of_type(type);
  return n >= all.lo && n <= all.hi ? n : Size(wrap_to(type, static_cast<std::int64_t>(n)));
}

Value wrapped(Terms& t, ElementType type, Value v) {
  if (is_case(t, v)) return lift(t, {v}, [&](const Args& x) { return wrapped(t, type, x[0]); });
  if (t[v].kind == ValueKind::Unknown) return v;
  if (type == ElementType::Pred) return integer_function(t, ScalarFn::CompareNe, ElementType::S64, {v, number(t, 0)});
  if (is_of_type(t, v, type) || fits(type, range_of_sum(t, v))) return v;
  const int width = info(type).bits;
  const Value inner = without_wraps(t, width, v);
  if (is_case(t, inner)) return lift(t, {inner}, [&](const Args& x) { return wrapped(t, type, x[0]); });
  if (is_of_type(t, inner, type) || fits(type, range_of_sum(t, inner))) return inner;
  if (const auto c = whole(t, inner); c && width < 64) return number(t, wrapped_size(type, *c));
  return t.intern(ValueNode{.kind = ValueKind::Fn, .fn = ScalarFn::Convert, .type = type, .leaf = 1, .kids = {inner}});
}

Value uninterpreted(Terms& t, ScalarFn fn, ElementType type, const std::vector<Value>& args) {
  return t.intern(ValueNode{.kind = ValueKind::Fn, .fn = fn, .type = type, .kids = args});
}

Value integer_by_forms(Terms& t, ScalarFn fn, ElementType type, const Args& args) {
  const Value a = args[0], b = args.size() > 1 ? args[1] : args[0];
  if (type == ElementType::S64 && (fn == ScalarFn::Max || fn == ScalarFn::Min)) {  // of all numbers, one that no form may hold
    const Rational end(fn == ScalarFn::Max ? INT64_MIN : INT64_MAX);
    if (number_of(t, a) == end) return b;
    if (number_of(t, b) == end) return a;
  }
  switch (fn) {
    case ScalarFn::Add: return wrapped(t, type, sum(t, a, b));
    case ScalarFn::Subtract: return wrapped(t, type, sum(t, a, minus(t, b)));
    case ScalarFn::Multiply: return wrapped(t, type, product(t, a, b));
    case ScalarFn::Negate: return wrapped(t, type, minus(t, a));
    case ScalarFn::Divide:
    case ScalarFn::Remainder: return quotient(t, fn, type, args);
    case ScalarFn::Max: return larger_of(t, a, b);
    case ScalarFn::Min: return minus(t, larger_of(t, minus(t, a), minus(t, b)));
    case ScalarFn::Clamp: return integer_function(t, ScalarFn::Min, type, {larger_of(t, b, a), args[2]});
    case ScalarFn::Abs: return absolute(t, type, a, larger_of(t, a, minus(t, a)));
    case ScalarFn::Sign: return choose(t, ge(t, offset(t, to_index(t, a), -1)), number(t, 1), choose(t, ge(t, to_index(t, a)), number(t, 0), number(t, -1)));
    case ScalarFn::Not:
      if (!is_signed(type) && info(type).bits > 32) return uninterpreted(t, fn, type, args);
      return sum(t, minus(t, a), number(t, is_signed(type) ? -1 : range_of_type(type).hi));
    case ScalarFn::And:
    case ScalarFn::Or:
    case ScalarFn::Xor:
    case ScalarFn::ShiftLeft:
    case ScalarFn::ShiftRightA:
    case ScalarFn::ShiftRightL: return bits(t, fn, type, args);
    default: return compares(fn) ? comparison(t, fn, args) : of_literals(t, fn, type, args).value_or(uninterpreted(t, fn, type, args));
  }
}

}  // namespace gg::checker
