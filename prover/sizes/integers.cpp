// Integers: positions with strides that are products of digits, comparisons, quotients.
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "prover/sizes/terms.h"

namespace gg::sizes {
namespace {

bool same_atom(const Summand& a, const Summand& b) {
  return a.atom == b.atom && a.stride == b.stride && a.ref == b.ref && a.term == b.term;
}

}  // namespace

std::vector<Summand> minus(std::vector<Summand> a, const std::vector<Summand>& b) {
  for (Summand s : b) {
    s.coef = -s.coef;
    a.push_back(std::move(s));
  }
  return a;
}

void Terms::note_literal(std::int64_t value, DigitList stride) {
  std::sort(stride.begin(), stride.end());
  const auto literal = std::make_pair(value, std::move(stride));
  if (std::find(literals_.begin(), literals_.end(), literal) == literals_.end()) literals_.push_back(literal);
}

void Terms::note_stride(const Summand& s, DigitList stride) {
  std::sort(stride.begin(), stride.end());
  DigitList read;
  std::set_difference(stride.begin(), stride.end(), s.stride.begin(), s.stride.end(), std::back_inserter(read));
  if (s.coef != 1) note_literal(digits_.extent(read), read);
}

void Terms::note_border(std::int64_t value, DigitId digit, DigitList below) {
  if (below.empty()) return;
  note_literal(value, std::move(below));
  borders_.push_back(digit);
}

bool Terms::of_rank(const Ref& ref) const { return ref.kind == Ref::Kind::Var && ref.var < rank_vars; }

// The offset of a rank's block: a literal factor of a digit of the rank that is in the text just what the digit below it counts
// is that count. With rank * 4 + i, i of four values, the 4 stands for the number of values of i. Other factors stay literals, and so does this
// one beside a number that it may have been multiplied into: (rank + 25) * 4 + i is rank * 4 + 100 + i.
void Terms::complete_strides(std::vector<Summand>& sum) {
  std::vector<Summand*> digits;
  std::int64_t fixed = 0;
  for (const Summand& s : sum) fixed += s.atom == Summand::Atom::One && s.stride.empty() ? s.coef : 0;
  if (fixed != 0) return;
  for (Summand& s : sum) {
    if (s.atom == Summand::Atom::Digit && s.coef > 0) digits.push_back(&s);
  }
  std::sort(digits.begin(), digits.end(), [&](const Summand* a, const Summand* b) { return weight(*a) < weight(*b); });
  for (std::size_t k = 1; k < digits.size(); ++k) {
    Summand& s = *digits[k];
    const Summand& below = *digits[k - 1];
    if (!of_rank(s.ref) || s.coef == below.coef || weight(s) != weight(below) * digits_.extent(below.ref.digit)) continue;
    DigitList stride = below.stride;
    stride.push_back(below.ref.digit);
    note_stride(s, stride);
    std::sort(stride.begin(), stride.end());
    s.stride = std::move(stride);
    s.coef = below.coef;
  }
}

std::vector<Summand> Terms::combined(std::vector<Summand> sum) {
  std::vector<Summand> out;
  for (Summand& s : sum) {
    if (s.atom == Summand::Atom::Digit && s.ref.kind == Ref::Kind::Const) {  // a known digit
      s.coef *= s.ref.shift;
      s.atom = Summand::Atom::One;
      s.ref = {};
    }
    for (DigitId& d : s.stride) d = digits_.root(d);
    std::sort(s.stride.begin(), s.stride.end());
  }
  complete_strides(sum);
  for (const Summand& s : sum) {
    const auto it = std::find_if(out.begin(), out.end(), [&](const Summand& o) { return same_atom(o, s); });
    if (it == out.end()) {
      out.push_back(s);
    } else {
      it->coef += s.coef;
    }
  }
  std::erase_if(out, [](const Summand& s) { return s.coef == 0; });
  std::sort(out.begin(), out.end(), [](const Summand& a, const Summand& b) {
    return std::tie(a.atom, a.ref.var, a.ref.shift, a.term, a.stride, a.coef) <
           std::tie(b.atom, b.ref.var, b.ref.shift, b.term, b.stride, b.coef);
  });
  return out;
}

TermId Terms::number(std::vector<Summand> sum) {
  Node n;
  n.kind = Kind::Number;
  n.sum = combined(std::move(sum));
  if (n.sum.size() == 1 && n.sum[0].atom == Summand::Atom::Term && n.sum[0].coef == 1 && n.sum[0].stride.empty()) {
    return n.sum[0].term;
  }
  return intern(std::move(n));
}

std::vector<Summand> Terms::summands(TermId id) const {
  const Node& n = (*this)[id];
  if (n.kind == Kind::Number) return n.sum;
  Summand s;
  s.atom = Summand::Atom::Term;
  s.term = id;
  return {s};
}

bool Terms::nonnegative(const Summand& s) const {
  if (s.atom != Summand::Atom::Term) return true;
  const Node& n = (*this)[s.term];
  return n.kind == Kind::Read && index_anchors.contains(n.anchor);
}

// (v + c) mod n, v of n values: c places on around the ring; n - 1 places on is one back.
std::optional<TermId> Terms::around_ring(const std::vector<Summand>& sum, std::int64_t by) {
  const Summand *digit = nullptr, *one = nullptr;
  for (const Summand& s : sum) (s.atom == Summand::Atom::Digit ? digit : one) = &s;
  if (sum.size() != 2 || digit == nullptr || one == nullptr || one->atom != Summand::Atom::One || !one->stride.empty()) return std::nullopt;
  if (digit->coef != 1 || !digit->stride.empty() || digits_.extent(digit->ref.digit) != by || one->coef < 0) return std::nullopt;
  if (one->coef % by == 0) return std::nullopt;
  Ref ref = digit->ref;
  std::int64_t places = one->coef % by;
  if (2 * places > by) places -= by;
  ref.shift += places;
  note_literal(by, {digits_.root(ref.digit)});
  Summand out;
  out.atom = Summand::Atom::Digit;
  out.ref = ref;
  return number({out});
}

// Quotient or remainder of a number of the rank by just what its lower digits count, or of anything by 1.
std::optional<TermId> Terms::part_of_position(ScalarFn fn, const std::vector<Summand>& sum, std::int64_t by) {
  if (by == 1) return fn == ScalarFn::Divide ? number(sum) : integer(0);
  if (fn == ScalarFn::Remainder) {
    if (const auto around = around_ring(sum, by)) return around;
  }
  std::vector<Summand> digits = sum;
  std::sort(digits.begin(), digits.end(), [&](const Summand& a, const Summand& b) { return weight(a) < weight(b); });
  DigitList below;
  std::vector<Summand> lower, upper;
  std::int64_t covered = 1;
  for (const Summand& s : digits) {
    if (s.atom != Summand::Atom::Digit || s.coef != 1 || weight(s) != covered || !of_rank(s.ref)) return std::nullopt;
    covered *= digits_.extent(s.ref.digit);
    if (weight(s) < by) {
      lower.push_back(s);
      below.push_back(s.ref.digit);
    } else {
      upper.push_back(s);
    }
  }
  if (digits_.extent(below) != by) return std::nullopt;
  note_literal(by, below);
  if (fn == ScalarFn::Remainder) return number(std::move(lower));
  for (Summand& s : upper) {
    for (const DigitId d : below) {
      const auto it = std::find_if(s.stride.begin(), s.stride.end(), [&](DigitId x) { return digits_.root(x) == digits_.root(d); });
      if (it == s.stride.end()) return std::nullopt;
      s.stride.erase(it);
    }
  }
  return number(std::move(upper));
}

// a <= b as 0 <= b - a, and so on; signs of digits and literals are known.
TermId Terms::compare_integers(ScalarFn fn, TermId a, TermId b, bool is_unsigned) {
  const auto difference = [&](TermId x, TermId y, std::int64_t more) {
    std::vector<Summand> sum = minus(summands(x), summands(y));
    Summand one;
    one.coef = more;
    if (more != 0) sum.push_back(one);
    return combined(std::move(sum));
  };
  if (fn == ScalarFn::CompareNe) {
    return negated(compare_integers(ScalarFn::CompareEq, a, b));
  }
  if (fn == ScalarFn::CompareEq) {
    std::vector<Summand> sum = difference(a, b, 0);
    if (sum.empty()) return lit(1);
    if (sum.size() == 1 && sum[0].atom == Summand::Atom::One) return lit(0);
    return opaque(fn, ElementType::Pred, {number(std::move(sum))});
  }
  // Order is that of a difference only for numbers that cannot overflow: positions and indices in range.
  for (const TermId side : {a, b}) {
    for (const Summand& s : summands(side)) {
      if (!nonnegative(s) || (is_unsigned && s.coef < 0)) return opaque(fn, ElementType::Pred, {a, b}, is_unsigned ? kUnsigned : kSigned);
    }
  }
  std::vector<Summand> sum;  // nonnegative where the comparison holds
  switch (fn) {
    case ScalarFn::CompareGe: sum = difference(a, b, 0); break;
    case ScalarFn::CompareGt: sum = difference(a, b, -1); break;
    case ScalarFn::CompareLe: sum = difference(b, a, 0); break;
    default: sum = difference(b, a, -1); break;
  }
  const auto all = [&](auto&& holds) {
    return std::all_of(sum.begin(), sum.end(), [&](const Summand& s) { return nonnegative(s) && holds(s.coef); });
  };
  if (all([](std::int64_t c) { return c > 0; })) return lit(1);
  const bool negative = std::any_of(sum.begin(), sum.end(), [](const Summand& s) { return s.atom == Summand::Atom::One; });
  if (negative && all([](std::int64_t c) { return c < 0; })) return lit(0);
  return opaque(ScalarFn::CompareGe, ElementType::Pred, {number(std::move(sum))});
}

TermId Terms::integer_fn(ScalarFn fn, ElementType type, std::vector<TermId>& kids) {
  const auto constant = [&](TermId t) -> const Summand* {
    const Node& n = (*this)[t];
    return n.kind == Kind::Number && n.sum.size() == 1 && n.sum[0].atom == Summand::Atom::One ? &n.sum[0] : nullptr;
  };
  std::vector<Summand> sum = summands(kids[0]);
  switch (fn) {
    case ScalarFn::Add:
      for (Summand& s : summands(kids[1])) sum.push_back(std::move(s));
      return number(std::move(sum));
    case ScalarFn::Subtract: return number(minus(std::move(sum), summands(kids[1])));
    case ScalarFn::Negate: return number(minus({}, sum));
    case ScalarFn::Multiply:
      for (const std::size_t k : {0U, 1U}) {
        const Node& n = (*this)[kids[k]];
        if (n.kind == Kind::Number && n.sum.empty()) return kids[k];
        const Summand* factor = constant(kids[k]);
        if (factor == nullptr) continue;
        const Summand by = *factor;
        sum = summands(kids[1 - k]);
        for (Summand& s : sum) {
          s.coef *= by.coef;
          s.stride.insert(s.stride.end(), by.stride.begin(), by.stride.end());
        }
        return number(std::move(sum));
      }
      break;
    case ScalarFn::Divide:
    case ScalarFn::Remainder:
      if (const Summand* by = constant(kids[1]); by != nullptr && by->stride.empty() && by->coef > 0) {
        if (const auto part = part_of_position(fn, sum, by->coef)) return *part;
      }
      break;
    default: break;
  }
  return opaque(fn, type, std::move(kids));
}

}  // namespace gg::sizes
