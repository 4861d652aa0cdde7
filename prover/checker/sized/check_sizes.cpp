#include "prover/checker/sized/check_sizes.h"

#include <algorithm>

#include "prover/checker/check.h"
#include "prover/checker/sized/numbers.h"

namespace gg {
namespace {

using checker::Exact;
using checker::Polynomials;
using Sum = Polynomials::Sum;

constexpr std::int64_t kMostLeast = 48;     ///< a lower bound of a size
constexpr std::int64_t kNearType = 1 << 16;  ///< how far from the last number of a type an upper bound is still the type's

std::string text(const Sum& sum, const std::vector<std::string>& names) {
  std::string out;
  for (auto it = sum.rbegin(); it != sum.rend(); ++it) {
    const auto& [powers, coef] = *it;
    std::string product;
    for (std::size_t k = 0; k < powers.size(); ++k) {
      for (int n = 0; n < powers[k]; ++n) product += (product.empty() ? "" : "*") + names[k];
    }
    const bool minus = coef.sign() < 0;
    const std::string size = (minus ? -coef : coef).print();
    if (!out.empty()) out += minus ? " - " : " + ";
    else if (minus) out += "-";
    out += product.empty() ? size : size == "1" ? product : size + "*" + product;
  }
  return out.empty() ? "0" : out;
}

// An upper bound by the last number of a type of 32 or 64 bits: places fit their integer types.
bool is_bound_of_types(const Sum& sum) {
  if (sum.empty() || !sum.begin()->first.empty()) return false;
  for (const auto& [powers, coef] : sum) {
    if (!powers.empty() && coef.sign() > 0) return false;
  }
  const Exact& bound = sum.begin()->second;
  for (const int bits : {31, 32}) {
    const Exact last(std::int64_t{1} << bits);
    if (last - Exact(kNearType) < bound && bound < last + Exact(kNearType)) return true;
  }
  return Exact(std::int64_t{1} << 60) < bound;
}

/// Lower bounds under which all holds, and what no lower bound gives.
class Conditions {
 public:
  Conditions(std::size_t symbols, const std::vector<std::string>& names) : least_(symbols, 1), names_(names) {}

  void read(const Polynomials& all, SizesCheck& result) {
    std::vector<Sum> open;
    for (const Sum& sum : all.nonnegative()) {
      if (is_bound_of_types(sum)) result.places_fit = true;
      else open.push_back(sum);
    }
    for (const Sum& sum : open) raise({sum});
    for (const Sum& sum : all.nonzero()) raise(beyond_zero(sum));
    for (const Sum& sum : open) {
      if (!holds({sum})) result.conditions.push_back(text(sum, names_) + " >= 0");
    }
    for (const Sum& sum : all.nonzero()) {
      if (!holds(beyond_zero(sum))) result.conditions.push_back(text(sum, names_) + " /= 0");
    }
    result.least = least_;
  }

 private:
  static std::vector<Sum> beyond_zero(const Sum& sum) {
    std::vector<Sum> ways(2);
    for (const int k : {0, 1}) {
      Polynomials::add(ways[static_cast<std::size_t>(k)], sum, k == 0 ? 1 : -1);
      Polynomials::add(ways[static_cast<std::size_t>(k)], Polynomials::constant(1), -1);
    }
    return ways;
  }
  bool holds(const std::vector<Sum>& ways) const { return holds(ways, least_); }
  static bool holds(const std::vector<Sum>& ways, const std::vector<std::int64_t>& least) {
    return std::any_of(ways.begin(), ways.end(), [&](const Sum& s) { return Polynomials::never_negative(s, least); });
  }
  // The smallest common bound of the symbols that occur, then each as small as it may be.
  void raise(const std::vector<Sum>& ways) {
    if (holds(ways)) return;
    std::vector<bool> occurs(least_.size());
    for (const auto& [powers, coef] : ways[0]) {
      for (std::size_t k = 0; k < powers.size(); ++k) occurs[k] = occurs[k] || powers[k] > 0;
    }
    for (std::int64_t bound = 2; bound <= kMostLeast; ++bound) {
      std::vector<std::int64_t> tried = least_;
      for (std::size_t k = 0; k < tried.size(); ++k) {
        if (occurs[k]) tried[k] = std::max(tried[k], bound);
      }
      if (!holds(ways, tried)) continue;
      for (std::size_t k = tried.size(); k-- > 0;) {
        while (tried[k] > least_[k]) {
          --tried[k];
          if (holds(ways, tried)) continue;
          ++tried[k];
          break;
        }
      }
      least_ = tried;
      return;
    }
  }

  std::vector<std::int64_t> least_;
  const std::vector<std::string>& names_;
};

}  // namespace

SizesCheck check_sizes(std::string_view certificate, const std::string& file, const std::vector<Case*>& cases,
                       const std::vector<std::vector<std::int64_t>>& values, const std::vector<std::string>& names) {
  SizesCheck result;
  try {
    Polynomials all(values[0]);
    checker::FamilyNumbers(cases, values, all).collect();
    const checker::CertificateSyntax syntax = checker::parse_certificate(certificate, file);
    const CaseHashes& own = cases[0]->hashes;
    if (syntax.sequential != own.sequential || syntax.distributed != own.distributed || syntax.relation != own.relation) throw checker::Limit("the certificate is of another family");
    const CheckResult check = checker::Check(syntax, *cases[0], true).run();
    result.accepted = check.accepted;
    result.problem = check.problem;
    Conditions(all.symbols(), names).read(all, result);
    for (const auto& [n, sum] : all.numbers) result.numbers.emplace(n, text(sum, names));
  } catch (const checker::Limit& limit) {
    result.problem = limit.what();
  }
  return result;
}

std::string not_one_family(const std::vector<Case*>& cases, const std::vector<std::vector<std::int64_t>>& values) try {
  Polynomials all(values[0]);
  checker::FamilyNumbers(cases, values, all).collect();
  return "";
} catch (const checker::Limit& limit) {
  return limit.what();
}

}  // namespace gg
