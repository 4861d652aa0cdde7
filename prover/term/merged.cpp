// Shares of a sum that are put together (certificate.md, P11): what a block weighs beside those before it.
#include "prover/term/merged.h"

#include <algorithm>

namespace gg::prover {
namespace {

constexpr std::size_t kMostSummands = 64;  ///< of a sum in which shares are looked for
constexpr std::size_t kMostParts = 16;     ///< of a sum that they are shares of

class Merger {
 public:
  Merger(Terms& t, const std::vector<Summand>& sum) : t_(t), sum_(sum) {
    for (const Summand& s : sum) factors_.push_back(t.factors(s.mono));
    for (const std::vector<Factor>& list : factors_)
      for (const Factor& f : list)
        if (std::ranges::find(inverses_, f) == inverses_.end() && shared(f)) inverses_.push_back(f);
  }

  std::optional<TermId> run() {
    for (const Factor& f : inverses_)
      for (std::size_t k = 0; k < sum_.size(); ++k) {
        if (std::ranges::find(factors_[k], f) == factors_[k].end()) continue;
        const auto one = t_[f.term].kind == Kind::Poly ? all_shares(k, f.term) : std::nullopt;
        if (one) return one;
        if (const auto other = inverses_.size() > 1 ? rest_of_share(k, f) : std::nullopt) return other;
      }
    return std::nullopt;
  }

 private:
  /// A^-1, A finite and not zero.
  bool shared(const Factor& f) const {
    const Attributes a = f.exp == t_.q.of(-1) ? t_.attributes(f.term) : Attributes();
    return a.finite && a.nonzero;
  }

  /// a / b, where that times b is a.
  std::optional<std::vector<Factor>> quotient(std::vector<Factor> a, const std::vector<Factor>& b) const {
    for (const Factor& f : b) {
      auto own = std::ranges::find(a, f.term, &Factor::term);
      if (own != a.end() && *own == f) {
        a.erase(own);
        continue;
      }
      const Attributes at = t_.attributes(f.term);
      if (!at.finite || !at.nonzero || !t_.q.is_integer(f.exp)) return std::nullopt;
      if (own == a.end()) own = a.insert(own, {f.term, RatId::Zero});
      else if (!t_.q.is_integer(own->exp)) return std::nullopt;
      own->exp = t_.q.sub(own->exp, f.exp);
    }
    return a;
  }

  bool finite(const std::vector<Factor>& list) { return t_.attributes(t_.mono(list)).finite; }

  TermId instead_of(const std::vector<std::size_t>& gone, const Summand& one) {
    std::vector<TermId> rest{t_.monomial(one.coef, one.mono)};
    for (std::size_t k = 0; k < sum_.size(); ++k)
      if (std::ranges::find(gone, k) == gone.end()) rest.push_back(t_.monomial(sum_[k].coef, sum_[k].mono));
    return t_.add(rest);
  }

  /// x A_i A^-1 for every summand A_i of A, the k-th the first: x.
  std::optional<TermId> all_shares(std::size_t k, TermId whole) {
    const std::vector<Summand> parts = t_.summands(whole);
    const auto x = parts.size() > kMostParts ? std::nullopt : quotient(factors_[k], t_.factors(parts[0].mono));
    const auto rest = x ? quotient(*x, {{whole, t_.q.of(-1)}}) : std::nullopt;
    if (!rest || !finite(*rest) || !finite(factors_[k])) return std::nullopt;
    const RatId coef = t_.q.div(sum_[k].coef, parts[0].coef);
    std::vector<std::size_t> found{k};
    for (std::size_t n = 1; n < parts.size(); ++n) {
      const auto is = [&](std::size_t j) {
        if (sum_[j].coef != t_.q.mul(coef, parts[n].coef)) return false;
        const auto other = quotient(factors_[j], t_.factors(parts[n].mono));
        auto same = other ? quotient(*other, {{whole, t_.q.of(-1)}}) : std::nullopt;
        return same && t_.mono(*same) == t_.mono(*rest);
      };
      std::size_t j = 0;
      while (j < sum_.size() && !is(j)) ++j;
      if (j == sum_.size()) return std::nullopt;
      found.push_back(j);
    }
    t_.count(LemmaId::SharesTogether);
    return instead_of(found, {coef, t_.mono(*rest)});
  }

  /// x A^-1, the k-th, and -x A^-1 B_i S^-1, S the sum of A and of the B_i: x S^-1.
  std::optional<TermId> rest_of_share(std::size_t k, const Factor& inverse) {
    if (!finite(factors_[k])) return std::nullopt;
    for (const Factor& f : inverses_) {
      if (std::ranges::find(factors_[k], f.term, &Factor::term) != factors_[k].end()) continue;
      std::vector<TermId> parts{inverse.term};
      std::vector<std::size_t> found{k};
      for (std::size_t n = 0; n < sum_.size(); ++n) {
        const auto share = n == k || std::ranges::find(factors_[n], f) == factors_[n].end() ? std::nullopt : quotient(factors_[n], factors_[k]);
        const auto part = share ? quotient(*share, {f}) : std::nullopt;
        const bool plain = part && std::ranges::all_of(*part, [&](const Factor& p) { return t_.q.sign(p.exp) > 0; });
        if (!plain || part->empty() || !finite(*part)) continue;
        parts.push_back(t_.monomial(t_.q.neg(t_.q.div(sum_[n].coef, sum_[k].coef)), t_.mono(*part)));
        found.push_back(n);
      }
      if (found.size() < 2 || t_.add(parts) != f.term) continue;
      std::vector<Factor> all = factors_[k];
      std::ranges::replace(all, inverse, f);
      t_.count(LemmaId::RestOfShare);
      return instead_of(found, {sum_[k].coef, t_.mono(std::move(all))});
    }
    return std::nullopt;
  }

  Terms& t_;
  const std::vector<Summand>& sum_;
  std::vector<std::vector<Factor>> factors_;
  std::vector<Factor> inverses_;  ///< in the order of the summands
};

}  // namespace

std::optional<TermId> merged(Terms& t, const std::vector<Summand>& sum) {
  if (sum.size() < 2 || sum.size() > kMostSummands) return std::nullopt;
  return Merger(t, sum).run();
}

}  // namespace gg::prover
