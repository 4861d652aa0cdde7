// Shares of a sum that are put together (docs/certificate.md, section 4, P11).
#include <algorithm>

#include "prover/checker/number.h"
#include "prover/checker/scalar.h"

namespace gg::checker {
namespace {

constexpr std::size_t kMostSummands = 64;  // of a sum in which shares are looked for
constexpr std::size_t kMostParts = 16;     // of a sum that they are shares of

using Factors = std::vector<Factor>;

bool has(const Factors& list, const Factor& f) { return std::find(list.begin(), list.end(), f) != list.end(); }

// The inverse of what is finite and not zero.
bool is_inverse(Terms& t, const Factor& f) {
  if (!(f.exponent == Rational(-1))) return false;
  const Classes c = classes_of(t, f.base);
  return c.finite() && c.nonzero();
}

// a / b, a product of which b times it is a.
std::optional<Factors> quotient(Terms& t, Factors a, const Factors& b) {
  for (const Factor& f : b) {
    const auto equal = std::find(a.begin(), a.end(), f);
    if (equal != a.end()) {
      a.erase(equal);
      continue;
    }
    const Classes c = classes_of(t, f.base);
    const auto own = std::find_if(a.begin(), a.end(), [&](const Factor& x) { return x.base == f.base; });
    if (!c.finite() || !c.nonzero() || !f.exponent.integer() || (own != a.end() && !own->exponent.integer())) return std::nullopt;
    if (own == a.end()) a.push_back({f.base, -f.exponent});
    else own->exponent = own->exponent - f.exponent;
  }
  return a;
}

bool finite(Terms& t, const Factors& list) { return classes_of(t, t.intern(list)).finite(); }

class Shares {
 public:
  Shares(Terms& t, Value whole) : t_(t), parts_(t[whole].summands) {}

  std::optional<Value> together() {
    for (const PolyPart& p : parts_) factors_.push_back(t_[p.monomial].factors);
    Factors inverses;
    for (const Factors& list : factors_) {
      for (const Factor& f : list)
        if (!has(inverses, f) && is_inverse(t_, f)) inverses.push_back(f);
    }
    for (const Factor& inverse : inverses) {
      if (t_[inverse.base].kind == ValueKind::Poly) {
        if (const auto one = all_of(inverse)) return one;
      }
      for (const Factor& other : inverses)
        if (const auto one = inverse == other ? std::nullopt : rest_of(inverse, other)) return one;
    }
    return std::nullopt;
  }

 private:
  // The sum with one monomial in place of some.
  Value replaced(const std::vector<std::size_t>& gone, const Rational& coef, Factors one) {
    Value result = scaled(t_, coef, number(t_, 1));
    for (const Factor& f : one) result = product(t_, result, power(t_, f.base, f.exponent));
    for (std::size_t k = 0; k < parts_.size(); ++k)
      if (std::find(gone.begin(), gone.end(), k) == gone.end()) result = sum(t_, result, from_part(t_, parts_[k]));
    return result;
  }

  // x A_i A^-1 for every summand A_i of A.
  std::optional<Value> all_of(const Factor& inverse) {
    const std::vector<PolyPart> whole = t_[inverse.base].summands;
    if (whole.size() > kMostParts) return std::nullopt;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const auto x = shared(k, whole[0], inverse);
      if (!x || !finite(t_, *x)) continue;
      const Monomial rest = t_.intern(*x);
      const Rational coef = parts_[k].coef * whole[0].coef.inverse();
      std::vector<std::size_t> found;
      for (const PolyPart& p : whole) {
        for (std::size_t j = 0; j < parts_.size(); ++j) {
          const auto same = parts_[j].coef == coef * p.coef ? shared(j, p, inverse) : std::nullopt;
          if (!same || t_.intern(*same) != rest) continue;
          found.push_back(j);
          break;
        }
      }
      if (found.size() == whole.size()) return replaced(found, coef, *x);
    }
    return std::nullopt;
  }

  // What stands beside one summand of A and A^-1 in the k-th product.
  std::optional<Factors> shared(std::size_t k, const PolyPart& one, const Factor& inverse) {
    if (!has(factors_[k], inverse)) return std::nullopt;
    const auto x = quotient(t_, factors_[k], {inverse});
    return x ? quotient(t_, *x, t_[one.monomial].factors) : std::nullopt;
  }

  // x A^-1 and -x A^-1 B_i S^-1, S the sum of A and of the B_i.
  std::optional<Value> rest_of(const Factor& inverse, const Factor& of_all) {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const bool meant = has(factors_[k], inverse) && std::none_of(factors_[k].begin(), factors_[k].end(), [&](const Factor& f) { return f.base == of_all.base; });
      if (!meant || !finite(t_, factors_[k])) continue;
      Value total = inverse.base;
      std::vector<std::size_t> found{k};
      for (std::size_t j = 0; j < parts_.size(); ++j) {
        auto part = j != k && has(factors_[j], of_all) ? quotient(t_, factors_[j], {of_all}) : std::nullopt;
        if (part) part = quotient(t_, *part, factors_[k]);
        if (!part || part->empty() || !finite(t_, *part) || std::any_of(part->begin(), part->end(), [](const Factor& f) { return f.exponent.sign() < 0; })) continue;
        total = sum(t_, total, from_part(t_, {t_.intern(*part), -(parts_[j].coef * parts_[k].coef.inverse())}));
        found.push_back(j);
      }
      if (found.size() < 2 || total != of_all.base) continue;
      Factors one = factors_[k];
      std::replace(one.begin(), one.end(), inverse, of_all);
      return replaced(found, parts_[k].coef, one);
    }
    return std::nullopt;
  }

  Terms& t_;
  const std::vector<PolyPart> parts_;
  std::vector<Factors> factors_;
};

}  // namespace

std::optional<Value> merged(Terms& t, Value whole) {
  if (t[whole].kind != ValueKind::Poly || t[whole].summands.size() < 2 || t[whole].summands.size() > kMostSummands) return std::nullopt;
  return Shares(t, whole).together();
}

}  // namespace gg::checker
