#include "prover/checker/sized/conditions.h"

#include <algorithm>
#include <optional>

namespace gg::checker {
namespace {

using Sum = Polynomials::Sum;

constexpr std::int64_t kMostLeast = 48;                                  ///< a lower bound of a size
constexpr std::int64_t kTypesEnd = (std::int64_t{1} << 31) - (1 << 16);  ///< from here on a constant is told as what products of sizes may be at most

/// A product of sizes and the most that it may be.
struct Ceiling {
  Polynomials::Powers powers;
  Exact most;
  Sum product() const { return {{powers, Exact(1)}}; }
};

// `sum >= 0` where its constant is about the last number of an integer type, or beyond, and one of the falling terms has all others in it: sizes are 1 and more,
// so it follows if that product, as often as there are falling terms, is at most the constant. Nothing if that is more than `own` sizes have.
std::optional<Ceiling> ceiling_of(const Sum& sum, const std::vector<std::int64_t>& own) {
  if (sum.empty() || !sum.begin()->first.empty() || sum.begin()->second < Exact(kTypesEnd)) return std::nullopt;
  Ceiling result{{}, 0};
  Exact falling = 0;
  for (const auto& [powers, coef] : sum) {
    if (coef.sign() > 0) continue;
    falling = falling - coef;
    if (result.powers.size() < powers.size()) result.powers.resize(powers.size());
    for (std::size_t k = 0; k < powers.size(); ++k) result.powers[k] = std::max(result.powers[k], powers[k]);
  }
  if (falling.is_zero() || sum.count(result.powers) == 0) return std::nullopt;
  result.most = Exact((sum.begin()->second * falling.inverse()).floor());
  return result.most < Polynomials::value_at(result.product(), own) ? std::nullopt : std::optional(result);
}

/// Is every product that divides `a` at most what it may be by `a` alone?
bool covers(const Ceiling& a, const Ceiling& b) {
  if (b.powers.size() > a.powers.size() || b.most < a.most) return false;
  for (std::size_t k = 0; k < b.powers.size(); ++k) {
    if (b.powers[k] > a.powers[k]) return false;
  }
  return true;
}

std::vector<Sum> beyond_zero(const Sum& sum) {
  std::vector<Sum> ways(2);
  for (const int k : {0, 1}) {
    Polynomials::add(ways[static_cast<std::size_t>(k)], sum, k == 0 ? 1 : -1);
    Polynomials::add(ways[static_cast<std::size_t>(k)], Polynomials::constant(1), -1);
  }
  return ways;
}

bool holds(const std::vector<Sum>& ways, const std::vector<std::int64_t>& least) {
  return std::any_of(ways.begin(), ways.end(), [&](const Sum& s) { return Polynomials::never_negative(s, least); });
}

}  // namespace

// The smallest common bound of the symbols that occur, then each as small as it may be.
void Conditions::raise(const std::vector<Sum>& ways) {
  if (holds(ways, least_)) return;
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

std::vector<std::string> Conditions::read(const Polynomials& all) {
  std::vector<std::string> result;
  std::vector<Sum> open;
  std::vector<Ceiling> ceilings;
  for (const Sum& sum : all.nonnegative()) {
    const std::optional<Ceiling> ceiling = ceiling_of(sum, own_);
    if (!ceiling) open.push_back(sum);
    else if (std::none_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& c) { return covers(c, *ceiling); })) {
      std::erase_if(ceilings, [&](const Ceiling& c) { return covers(*ceiling, c); });
      ceilings.push_back(*ceiling);
    }
    hold_ = hold_ && Polynomials::value_at(sum, own_).sign() >= 0;
  }
  for (const Sum& sum : open) raise({sum});
  for (const Sum& sum : all.nonzero()) raise(beyond_zero(sum));
  for (const Sum& sum : open) {
    if (!holds({sum}, least_)) result.push_back(print_sum(sum, names_) + " >= 0");
  }
  for (const Sum& sum : all.nonzero()) {
    if (!holds(beyond_zero(sum), least_)) result.push_back(print_sum(sum, names_) + " /= 0");
    hold_ = hold_ && !Polynomials::value_at(sum, own_).is_zero();
  }
  for (const Ceiling& c : ceilings) result.push_back(print_sum(c.product(), names_) + " <= " + c.most.print());
  return result;
}

}  // namespace gg::checker
