#include "prover/checker/sized/polynomial.h"

#include "models/base/check.h"

namespace gg::checker {
namespace {

thread_local Polynomials* running = nullptr;

constexpr std::size_t kMaxTerms = 4096;

Polynomials::Powers product_of(const Polynomials::Powers& a, const Polynomials::Powers& b) {
  Polynomials::Powers all(std::max(a.size(), b.size()));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const int sum = (k < a.size() ? a[k] : 0) + (k < b.size() ? b[k] : 0);
    if (sum > 100) throw Limit("a power of a size");
    all[k] = static_cast<std::uint8_t>(sum);
  }
  return all;
}

std::optional<Polynomials::Powers> quotient_of(Polynomials::Powers a, const Polynomials::Powers& b) {
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (k >= a.size() || a[k] < b[k]) return std::nullopt;
    a[k] = static_cast<std::uint8_t>(a[k] - b[k]);
  }
  while (!a.empty() && a.back() == 0) a.pop_back();
  return a;
}

}  // namespace

Polynomials::Polynomials(std::vector<std::int64_t> values) : values_(std::move(values)), ones_(values_.size(), 1), rows_(1), before_(running) {
  running = this;
}

Polynomials::~Polynomials() { running = before_; }

Polynomials& Polynomials::current() {
  GG_CHECK(running != nullptr, "sizes without a store");
  return *running;
}

PolyId Polynomials::intern(Sum sum) {
  if (const auto it = ids_.find(sum); it != ids_.end()) return it->second;
  rows_.push_back({sum, value_at(sum, values_)});
  return ids_[std::move(sum)] = static_cast<PolyId>(rows_.size() - 1);
}

Polynomials::Sum Polynomials::symbol_sum(std::size_t k) {
  Powers powers(k + 1);
  powers[k] = 1;
  return {{powers, Exact(1)}};
}

Exact Polynomials::value_at(const Sum& sum, const std::vector<std::int64_t>& values) {
  Exact value = 0;
  for (const auto& [powers, coef] : sum) {
    Exact term = coef;
    for (std::size_t k = 0; k < powers.size(); ++k) {
      for (int n = 0; n < powers[k]; ++n) term = term * Exact(values[k]);
    }
    value = value + term;
  }
  return value;
}

Polynomials::Sum Polynomials::constant(const Exact& c) { return c.is_zero() ? Sum{} : Sum{{Powers{}, c}}; }

void Polynomials::add(Sum& to, const Sum& other, const Exact& factor) {
  for (const auto& [powers, coef] : other) {
    Exact& own = to[powers];
    own = own + coef * factor;
    if (own.is_zero()) to.erase(powers);
  }
}

Polynomials::Sum Polynomials::product(const Sum& a, const Sum& b) {
  if (a.size() * b.size() > kMaxTerms) throw Limit("a product of sizes");
  Sum result;
  for (const auto& [x, c] : a) {
    for (const auto& [y, d] : b) add(result, {{product_of(x, y), c * d}}, 1);
  }
  return result;
}

std::optional<Polynomials::Sum> Polynomials::quotient(Sum a, const Sum& b) {
  GG_CHECK(!b.empty(), "a quotient by zero");
  const auto& [lead, coef] = *b.rbegin();
  Sum result;
  while (!a.empty()) {
    const auto powers = quotient_of(a.rbegin()->first, lead);
    if (!powers) return std::nullopt;
    const Sum term{{*powers, a.rbegin()->second * coef.inverse()}};
    add(result, term, 1);
    add(a, product(term, b), -1);
  }
  return result;
}

Polynomials::Sum Polynomials::shifted(const Sum& sum, const std::vector<std::int64_t>& least) {
  Sum result;
  for (const auto& [powers, coef] : sum) {
    Sum term = constant(coef);
    for (std::size_t k = 0; k < powers.size(); ++k) {
      Powers one(k + 1);
      one[k] = 1;
      Sum factor{{one, Exact(1)}};
      add(factor, constant(Exact(least[k])), 1);
      for (int n = 0; n < powers[k]; ++n) term = product(term, factor);
    }
    add(result, term, 1);
  }
  return result;
}

bool Polynomials::never_negative(const Sum& sum, const std::vector<std::int64_t>& least) {
  for (const auto& [powers, coef] : shifted(sum, least)) {
    if (coef.sign() < 0) return false;
  }
  return true;
}

void Polynomials::needs_nonnegative(const Sum& sum) {
  if (nonnegative_.count(sum) == 0 && !never_negative(sum, ones_)) nonnegative_.insert(sum);
}

void Polynomials::needs_nonzero(const Sum& sum) {
  if (sum.size() == 1 && sum.begin()->first.empty()) return;  // a number, and no term is 0
  for (const int sign : {1, -1}) {
    Sum beyond;
    add(beyond, sum, sign);
    add(beyond, constant(1), -1);  // integers: above zero is at least one
    if (never_negative(beyond, ones_)) return;
  }
  nonzero_.insert(sum);
}

}  // namespace gg::checker
