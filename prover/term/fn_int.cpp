// Integer scalar functions as index forms, and conversions between the kinds of values (certificate.md, I7 and P7).
#include <algorithm>
#include <cmath>

#include "prover/term/floored.h"
#include "prover/term/store.h"
#include "prover/term/whole.h"

namespace gg::prover {
namespace {

/// An arithmetic shift copies the type's highest bit in, for unsigned types too.
bool sign_is_clear(ElementType type, std::int64_t highest) {
  return is_signed(type) || (info(type).bits < 62 && highest < std::int64_t{1} << (info(type).bits - 1));
}

}  // namespace

TermId Terms::int_fn(ScalarFn f, ElementType type, std::span<const TermId> list) {
  const LinId a = as_lin(list[0]);
  const LinId b = list.size() > 1 ? as_lin(list[1]) : LinId::Zero;
  const LinNode x = (*this)[a], y = (*this)[b];
  const bool constant = list.size() > 1 && y.n == 0;
  switch (f) {
    case ScalarFn::Add: return wrap(type, joined_sums(*this, add(a, b)));
    case ScalarFn::Subtract: return wrap(type, sub(a, b));
    case ScalarFn::Negate: return wrap(type, scale(-1, a));
    case ScalarFn::Multiply: return wrap(type, mul(a, b));
    case ScalarFn::Max:
    case ScalarFn::Min: {
      const bool max = f == ScalarFn::Max;
      if (x.lo >= y.hi) return integer(max ? a : b);
      if (y.lo >= x.hi) return integer(max ? b : a);
      if (constant) return count(LemmaId::IntegerExtremum), integer(max ? clamp(a, y.c0, std::max(x.hi, y.c0)) : clamp(a, std::min(x.lo, y.c0), y.c0));
      if (x.n == 0 || (y.data && !x.data)) return int_fn(f, type, std::array{list[1], list[0]});
      constexpr std::int64_t kFar = std::int64_t{1} << 60;
      const LinId d = sub(a, b);  // of data and a form without: a clamp by that form, as by a constant
      const std::int64_t low = (*this)[d].lo, high = (*this)[d].hi;
      if (low >= 0 || high <= 0) return integer((low >= 0) == max ? a : b);
      if (!y.data && low > -kFar && high < kFar) return integer(add(b, max ? clamp(d, 0, high) : clamp(d, low, 0)));
      return choose(ge(max ? sub(a, b) : sub(b, a)), integer(a), integer(b));
    }
    case ScalarFn::Clamp: {
      const LinId high = as_lin(list[2]);
      if (x.n == 0 && is_num(high) && x.c0 <= (*this)[high].c0) return integer(clamp(b, x.c0, (*this)[high].c0));
      const TermId low = int_fn(ScalarFn::Max, type, std::array{list[0], list[1]});
      return int_fn(ScalarFn::Min, type, std::array{low, list[2]});
    }
    case ScalarFn::Divide:
    case ScalarFn::Remainder: {
      if (!constant || y.c0 == 0 || y.c0 == INT64_MIN || (y.c0 == -1 && !is_signed(type))) break;
      if (y.c0 == -1) return count(LemmaId::QuotientByMinusOne), f == ScalarFn::Divide ? int_fn(ScalarFn::Negate, type, list.first(1)) : integer(LinId::Zero);
      const std::int64_t m = std::abs(y.c0), sign = y.c0 < 0 ? -1 : 1;
      const auto part = [&](LinId v) { return f == ScalarFn::Divide ? scale(sign, div(v, m)) : mod(congruent(*this, v, m), m); };
      if (x.lo >= 0) return count(f == ScalarFn::Divide ? LemmaId::TruncatedQuotient : LemmaId::TruncatedRemainder), integer(part(a));
      if (multiple_of(*this, a, m)) return count(LemmaId::ExactQuotient), integer(part(a));
      if (x.lo > -m && x.hi < m) return f == ScalarFn::Divide ? integer(LinId::Zero) : list[0];
      if (x.hi <= 0 || !x.data) {  // truncation is symmetric
        const TermId negative = integer(scale(-1, part(scale(-1, a))));
        return x.hi <= 0 ? (count(LemmaId::QuotientBelowZero), negative) : choose(ge(a), integer(part(a)), negative);
      }
      break;
    }
    case ScalarFn::Abs:
      if (x.lo >= 0) return list[0];
      if (x.lo > INT64_MIN / 2) return choose(ge(a), integer(a), wrap(type, scale(-1, a)));
      break;
    case ScalarFn::Sign:
      return choose(ge(offset(a, -1)), integer(num(1)), choose(ge(a), integer(num(0)), integer(num(-1))));
    case ScalarFn::ShiftLeft:
      if (constant && y.c0 >= 0 && y.c0 < std::min(info(type).bits, 62)) return wrap(type, scale(std::int64_t{1} << y.c0, a));
      break;
    case ScalarFn::ShiftRightL:
    case ScalarFn::ShiftRightA:
      if (constant && y.c0 >= 0 && y.c0 < std::min(info(type).bits, 62) && (f == ScalarFn::ShiftRightL ? x.lo >= 0 : sign_is_clear(type, x.hi)))
        return integer(div(a, std::int64_t{1} << y.c0));
      break;
    case ScalarFn::Not:
      if (is_signed(type) || info(type).bits <= 32) return integer(offset(scale(-1, a), is_signed(type) ? -1 : integer_bounds(type).second));
      break;
    case ScalarFn::Xor:
      if (x.n == 0 && y.n > 0) return int_fn(f, type, std::array{list[1], list[0]});
      if (constant && y.c0 == 0) return count(LemmaId::XorTwice), list[0];
      for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
        const TermNode inner = (*this)[list[k]];
        if (inner.kind != Kind::Fn || static_cast<ScalarFn>(inner.op) != f) continue;
        for (const std::size_t same : {std::size_t{0}, std::size_t{1}})
          if (kid(list[k], same) == list[1 - k]) return count(LemmaId::XorTwice), kid(list[k], 1 - same);
      }
      break;
    case ScalarFn::Or:
    case ScalarFn::And:
      if (list.size() > 1 && x.n == 0 && y.n > 0) return int_fn(f, type, std::array{list[1], list[0]});
      if (constant && y.c0 == (f == ScalarFn::Or ? 0 : -1) && (f == ScalarFn::Or || is_signed(type))) return list[0];
      if (f == ScalarFn::Or) break;
      if (constant && y.c0 >= 0 && y.c0 < std::int64_t{1} << 60 && (y.c0 & (y.c0 + 1)) == 0) return integer(mod(congruent(*this, a, y.c0 + 1), y.c0 + 1));
      if (const auto high = high_bits(*this, type, a, b)) return *high;
      break;
    default: break;
  }
  std::vector<TermId> kids(list.begin(), list.end());
  if (f == ScalarFn::And || f == ScalarFn::Or || f == ScalarFn::Xor) {  // numbers last, so that instances have one order
    std::sort(kids.begin(), kids.end());
    std::stable_partition(kids.begin(), kids.end(), [&](TermId k) { return !is_num(as_lin(k)); });
  }
  return opaque_fn(f, Sort::Int, static_cast<std::uint8_t>(type), kids);
}

TermId Terms::convert(ElementType type, TermId a) {
  const TermNode n = (*this)[a];
  if (n.kind == Kind::Case && n.sort != Sort::Bool) {  // a case of literals converts branch by branch
    const TermId x = kid(a, 1), y = kid(a, 2);
    const auto plain = [&](TermId t) {
      const TermNode& k = (*this)[t];
      return k.kind == Kind::Lit || (k.kind == Kind::Int && is_num(lin(t)));
    };
    if (plain(x) && plain(y)) return choose(kid(a, 0), convert(type, x), convert(type, y));
  }
  if (n.sort == Sort::Bool) {
    if (type == ElementType::Pred) return a;
    if (is_float(type)) return choose(a, TermId::One, TermId::Zero);
    return choose(a, integer(num(1)), integer(num(0)));
  }
  if (n.sort == Sort::Int) {
    const LinId l = as_lin(a);
    if (type == ElementType::Pred) return negate(eq(l));
    if (is_float(type)) return from_int(l);
    return is_signed(type) || info(type).bits > 16 ? wrap(type, l) : integer(mod(l, std::int64_t{1} << info(type).bits));
  }
  if (type == ElementType::Pred) return negate(compare_reals(ScalarFn::CompareEq, TermId::Zero, a));
  if (is_float(type)) {
    if (n.kind != Kind::Lit) return a;
    const double d = q.approximate(rat(a));
    if (!std::isfinite(d) || q.of_double(d) != rat(a)) return a;
    const double r = round_to(type, d);
    return std::isfinite(r) ? lit(q.of_double(r)) : special(r > 0 ? Special::PosInf : Special::NegInf);
  }
  if (!is_integral(type)) return opaque_fn(ScalarFn::Convert, Sort::Real, static_cast<std::uint8_t>(type), std::array{a});
  const auto [lo, hi] = integer_bounds(type);
  const std::int64_t most = n.kind == Kind::Lit ? hi : std::min(hi, exact_integers), least = n.kind == Kind::Lit ? lo : std::max(lo, -exact_integers);
  if (const auto number = n.sort == Sort::Real ? whole(a, true) : std::nullopt; number && (*this)[*number].lo >= least && (*this)[*number].hi <= most)
    return integer(*number);
  return opaque_fn(ScalarFn::Convert, Sort::Int, static_cast<std::uint8_t>(type), std::array{a});
}

}  // namespace gg::prover
