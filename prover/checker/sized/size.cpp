#include "prover/checker/sized/size.h"

#include <algorithm>
#include <numeric>

namespace gg::checker {
namespace {

Size number(Whole value) {
  if (value > INT64_MAX || value < INT64_MIN) throw Limit("a number beyond 64 bits");
  return static_cast<std::int64_t>(value);
}

Whole whole(const Exact& value) {
  const auto n = value.integer();
  if (!n) throw Limit("a size beyond 64 bits");
  return *n;
}

std::string text_of(const Polynomials::Sum& sum) {
  std::string out;
  for (const auto& [powers, coef] : sum) {
    out += (out.empty() ? "" : "+") + coef.print();
    for (std::size_t k = 0; k < powers.size(); ++k) {
      for (int n = 0; n < powers[k]; ++n) out += "*n" + std::to_string(k);
    }
  }
  return out.empty() ? "0" : out;
}

// a / m, where that is a polynomial with whole coefficients.
std::optional<Polynomials::Sum> whole_quotient(const Polynomials::Sum& a, const Size& m) {
  if (m == 0) return std::nullopt;
  auto q = Polynomials::quotient(a, m.sum());
  const bool whole = q && std::all_of(q->begin(), q->end(), [](const auto& term) { return term.second.integer().has_value(); });
  return whole ? std::move(q) : std::nullopt;
}

// Quotient rounded down, where the divisor's multiples are known.
Size rounded_down(const Size& a, const Size& m) {
  if (const auto q = whole_quotient((a + 1).sum(), m)) return Size::of(*q) - 1;
  Polynomials::Sum multiple, rest;  // the terms that are multiples, and the others
  for (const auto& term : a.sum()) {
    const auto q = whole_quotient({term}, m);
    if (q) Polynomials::add(multiple, *q, 1);
    else rest.insert(term);
  }
  const Size left = Size::of(rest), whole_part = Size::of(multiple);
  if (left >= 0 && left < m) return whole_part;
  if (left < 0 && left >= -m) return whole_part - 1;
  throw Limit("sizes that do not divide one another: " + text(a) + " by " + text(m));
}

}  // namespace

Size Size::of(Polynomials::Sum sum) {
  if (sum.empty()) return 0;
  if (sum.size() == 1 && sum.begin()->first.empty()) return number(whole(sum.begin()->second));
  Size result;
  result.id_ = Polynomials::current().intern(std::move(sum));
  result.value_ = whole(Polynomials::current().value(result.id_));
  return result;
}

Polynomials::Sum Size::sum() const {
  if (id_ == 0) return Polynomials::constant(Exact(static_cast<std::int64_t>(value_)));
  return Polynomials::current()[id_];
}

Size::operator std::int64_t() const {
  if (id_ != 0) throw Limit("a size where a number is wanted: " + text(*this));
  return static_cast<std::int64_t>(value_);
}

Size operator+(const Size& a, const Size& b) {
  if (a.is_number() && b.is_number()) return number(a.value_ + b.value_);
  Polynomials::Sum sum = a.sum();
  Polynomials::add(sum, b.sum(), 1);
  return Size::of(std::move(sum));
}

Size operator-(const Size& a, const Size& b) {
  if (a.is_number() && b.is_number()) return number(a.value_ - b.value_);
  Polynomials::Sum sum = a.sum();
  Polynomials::add(sum, b.sum(), -1);
  return Size::of(std::move(sum));
}

Size operator*(const Size& a, const Size& b) {
  if (a.is_number() && b.is_number()) return number(a.value_ * b.value_);
  return Size::of(Polynomials::product(a.sum(), b.sum()));
}

Size operator/(const Size& a, const Size& b) {
  if (a.is_number() && b.is_number()) return number(a.value_ / b.value_);
  if (const auto q = whole_quotient(a.sum(), b)) return Size::of(*q);
  if (a < 0) return -(-a / b);
  return rounded_down(a, b);
}

bool operator<(const Size& a, const Size& b) {
  if (a.is_number() && b.is_number()) return a.value_ < b.value_;
  const bool less = a.value_ < b.value_;
  Polynomials::current().needs_nonnegative((less ? b - a - 1 : a - b).sum());
  return less;
}

bool operator==(const Size& a, const Size& b) {
  if (same(a, b)) return true;
  if (a.is_number() && b.is_number()) return false;
  if (a.value_ == b.value_) throw Limit("two sizes are equal by chance");
  Polynomials::current().needs_nonzero((a - b).sum());
  return false;
}

std::int64_t at_text(const Size& n) {
  return static_cast<std::int64_t>(std::clamp<Whole>(n.value(), INT64_MIN, INT64_MAX));
}

bool divides(const Size& m, const Size& n) {
  if (m.is_number() && n.is_number()) return n.value() % m.value() == 0;
  return whole_quotient(n.sum(), m).has_value();
}

// What is left of terms that are no multiples lies between zero and the divisor.
bool never_divides(const Size& m, const Size& n) {
  if (m.is_number() && n.is_number()) return n.value() % m.value() != 0;
  Polynomials::Sum rest;
  for (const auto& term : n.sum()) {
    if (!whole_quotient({term}, m)) rest.insert(term);
  }
  const Size left = magnitude(Size::of(rest));
  return left > 0 && left < m;
}

Size common(const Size& a, const Size& b) {
  if (a.is_number() && b.is_number()) return number(std::gcd(at_text(a), at_text(b)));
  if (same(a, 0)) return magnitude(b);
  if (same(b, 0)) return magnitude(a);
  if (divides(a, b)) return magnitude(a);
  if (divides(b, a)) return magnitude(b);
  std::int64_t content = 0;  // of all coefficients, and the least powers
  std::optional<Polynomials::Powers> least;
  for (const Size* n : {&a, &b}) {
    for (const auto& [powers, coef] : n->sum()) {
      content = std::gcd(content, coef.integer().value_or(1));
      if (!least) least = powers;
      least->resize(std::min(least->size(), powers.size()));
      for (std::size_t k = 0; k < least->size(); ++k) (*least)[k] = std::min((*least)[k], powers[k]);
    }
  }
  while (!least->empty() && least->back() == 0) least->pop_back();
  return Size::of({{*least, Exact(content)}});
}

Size magnitude(const Size& n) { return n < 0 ? -n : n; }

Size sized(std::int64_t n) {
  const auto& numbers = Polynomials::current().numbers;
  const auto it = numbers.find(n);
  if (it == numbers.end()) throw Limit("the number " + std::to_string(n) + " is not known at other sizes");
  return Size::of(it->second);
}

Size sized_text(std::int64_t n) {
  const Polynomials& all = Polynomials::current();
  if (const auto it = all.numbers.find(n); it != all.numbers.end()) return Size::of(it->second);
  constexpr std::int64_t kLargestNumber = 60;
  for (std::int64_t step = 0; step <= 9; ++step) {  // a product of sizes, one or a few more or less
    const std::int64_t beside = step % 2 == 0 ? -step / 2 : (step + 1) / 2;
    std::int64_t left = n + beside;
    if (left == 0) continue;
    Polynomials::Sum product = Polynomials::constant(1);
    for (auto part = all.parts.rbegin(); part != all.parts.rend(); ++part) {
      while (left % part->first == 0) {
        left /= part->first;
        product = Polynomials::product(product, part->second);
      }
    }
    if (std::abs(left) > kLargestNumber) continue;
    Polynomials::Sum sum;
    Polynomials::add(sum, product, Exact(left));
    Polynomials::add(sum, Polynomials::constant(Exact(-beside)), 1);
    return Size::of(std::move(sum));
  }
  return n;
}

std::string text(const Size& n) { return n.is_number() ? std::to_string(at_text(n)) : text_of(n.sum()); }

}  // namespace gg::checker
