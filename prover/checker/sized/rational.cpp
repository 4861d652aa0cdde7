#include "prover/checker/sized/rational.h"

namespace gg::checker {

Rational::Rational(const Size& n) : value_(at_text(n)), numerator_(n.id()) {
  if (numerator_ != 0) value_ = Polynomials::current().value(numerator_);
}

std::optional<Rational> Rational::parse(std::string_view text) {
  auto exact = Exact::parse(text);
  if (!exact) return std::nullopt;
  if (const auto n = exact->integer()) return Rational(sized_text(*n));
  return Rational(std::move(*exact));
}

Polynomials::Sum Rational::numerator() const { return is_number() ? Polynomials::constant(value_) : Polynomials::current()[numerator_]; }
Polynomials::Sum Rational::denominator() const { return denominator_ == 0 ? Polynomials::constant(1) : Polynomials::current()[denominator_]; }

// Reduced where one divides the other; a denominator's leading coefficient is 1.
Rational Rational::quotient(Polynomials::Sum numerator, Polynomials::Sum denominator) {
  Polynomials& all = Polynomials::current();
  if (auto whole = Polynomials::quotient(numerator, denominator)) {
    numerator = std::move(*whole);
    denominator = Polynomials::constant(1);
  } else if (auto inverse = Polynomials::quotient(denominator, numerator)) {
    numerator = Polynomials::constant(1);
    denominator = std::move(*inverse);
  }
  const Exact lead = denominator.rbegin()->second.inverse();
  Polynomials::Sum n, d;
  Polynomials::add(n, numerator, lead);
  Polynomials::add(d, denominator, lead);
  const bool plain = d.size() == 1 && d.begin()->first.empty();
  if (plain && (n.empty() || (n.size() == 1 && n.begin()->first.empty()))) return n.empty() ? Rational(0) : Rational(n.begin()->second);
  Rational result;
  result.numerator_ = all.intern(std::move(n));
  result.denominator_ = plain ? 0 : all.intern(std::move(d));
  result.value_ = all.value(result.numerator_);
  if (!plain) result.value_ = result.value_ * all.value(result.denominator_).inverse();
  return result;
}

bool Rational::is_zero() const {
  if (!is_number()) Polynomials::current().needs_nonzero(Polynomials::current()[numerator_]);
  return is_number() && value_.is_zero();
}

int Rational::sign() const {
  if (is_number()) return value_.sign();
  for (const PolyId id : {numerator_, denominator_}) {
    if (id == 0) continue;
    Polynomials& all = Polynomials::current();
    if (all.value(id).is_zero()) throw Limit("a size is zero by chance");
    // Above zero: at least some positive number; the least that a quotient of whole polynomials may be is not asked for.
    Polynomials::Sum positive;
    Polynomials::add(positive, all[id], all.value(id).sign());
    all.needs_nonnegative(positive);
    all.needs_nonzero(positive);
  }
  return value_.sign();
}

std::optional<Size> Rational::integer() const {
  if (is_number()) {
    const auto n = value_.integer();
    return n ? std::optional<Size>(*n) : std::nullopt;
  }
  if (denominator_ != 0) return std::nullopt;
  const Polynomials::Sum& sum = Polynomials::current()[numerator_];
  for (const auto& [powers, coef] : sum) {
    if (!coef.integer()) return std::nullopt;
  }
  return Size::of(sum);
}

std::optional<double> Rational::exact_double() const {
  if (!is_number()) throw Limit("a size where a literal is wanted");
  return value_.exact_double();
}

Rational Rational::inverse() const {
  if (is_number()) return value_.inverse();
  Polynomials::current().needs_nonzero(Polynomials::current()[numerator_]);
  return quotient(denominator(), numerator());
}

Rational Rational::power(std::int64_t exponent) const {
  if (is_number()) return value_.power(exponent);
  const Rational base = exponent < 0 ? inverse() : *this;
  Rational result = 1;
  for (std::int64_t k = 0; k < std::abs(exponent); ++k) result = result * base;
  return result;
}

std::int64_t Rational::floor() const {
  if (!is_number()) throw Limit("a size where a number is wanted");
  return value_.floor();
}

std::optional<Rational> Rational::square_root() const {
  if (!is_number()) return std::nullopt;
  const auto root = value_.square_root();
  return root ? std::optional<Rational>(*root) : std::nullopt;
}

std::string Rational::print() const {
  if (is_number()) return value_.print();
  return "(" + text(Size::of(numerator())) + ")" + (denominator_ == 0 ? "" : "/(" + text(Size::of(denominator())) + ")");
}

Rational operator+(const Rational& a, const Rational& b) {
  if (a.is_number() && b.is_number()) return a.value_ + b.value_;
  if (a.denominator_ == b.denominator_) {
    Polynomials::Sum sum = a.numerator();
    Polynomials::add(sum, b.numerator(), 1);
    return Rational::quotient(std::move(sum), a.denominator());
  }
  Polynomials::Sum sum = Polynomials::product(a.numerator(), b.denominator());
  Polynomials::add(sum, Polynomials::product(b.numerator(), a.denominator()), 1);
  return Rational::quotient(std::move(sum), Polynomials::product(a.denominator(), b.denominator()));
}

Rational operator*(const Rational& a, const Rational& b) {
  if (a.is_number() && b.is_number()) return a.value_ * b.value_;
  return Rational::quotient(Polynomials::product(a.numerator(), b.numerator()), Polynomials::product(a.denominator(), b.denominator()));
}

bool operator==(const Rational& a, const Rational& b) {
  if (a.is_number() && b.is_number()) return a.value_ == b.value_;
  if (a.is_number() != b.is_number()) return false;
  if (a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_) return true;
  return Polynomials::product(a.numerator(), b.denominator()) == Polynomials::product(b.numerator(), a.denominator());
}

}  // namespace gg::checker
