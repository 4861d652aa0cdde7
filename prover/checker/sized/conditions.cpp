#include "prover/checker/sized/conditions.h"

#include <algorithm>

namespace gg::checker {
namespace {

using Sum = Polynomials::Sum;

constexpr std::int64_t kMostLeast = 48;      ///< a lower bound of a size
constexpr std::int64_t kNearType = 1 << 16;  ///< how far from the last number of a type an upper bound is still the type's

// An upper bound by the last number of a type of 32 or 64 bits, or one that holds where every product of sizes is below the last number of
// 32 bits: places fit their integer types.
bool is_bound_of_types(const Sum& sum) {
  if (sum.empty() || !sum.begin()->first.empty()) return false;
  const Exact bound = sum.begin()->second;
  Exact falling = 0;
  for (const auto& [powers, coef] : sum) {
    if (!powers.empty() && coef.sign() < 0) falling = falling - coef;
  }
  for (const int bits : {31, 32}) {
    const Exact last(std::int64_t{1} << bits);
    if (last - Exact(kNearType) < bound && bound < last + Exact(kNearType)) return true;
  }
  return falling * Exact((std::int64_t{1} << 31) - kNearType) < bound || Exact(std::int64_t{1} << 60) < bound;
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
  bool places_fit = false;
  for (const Sum& sum : all.nonnegative()) {
    if (is_bound_of_types(sum)) places_fit = true;
    else open.push_back(sum);
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
  if (places_fit) result.emplace_back("places fit their integer types");
  return result;
}

}  // namespace gg::checker
