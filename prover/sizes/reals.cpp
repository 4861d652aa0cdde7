// Sums, products and exponentials of reals.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "prover/sizes/terms.h"

namespace gg::sizes {
namespace {

double gcd(double a, double b) {
  a = std::abs(a);
  b = std::abs(b);
  while (b != 0) a = std::exchange(b, std::fmod(a, b));
  return a;
}

}  // namespace

TermId Terms::add(std::vector<TermId> kids) {
  Node n;
  n.kind = Kind::Add;
  for (const TermId k : kids) {
    const Node& kid = (*this)[k];
    if (kid.kind == Kind::Add) {
      n.kids.insert(n.kids.end(), kid.kids.begin(), kid.kids.end());
    } else if (kid.kind != Kind::Lit || kid.value != 0) {
      n.kids.push_back(k);
    }
  }
  for (std::size_t k = 0; k < n.kids.size();) {  // x and -x
    const auto opposite = std::find(n.kids.begin(), n.kids.end(), multiply({lit(-1), n.kids[k]}));
    if (opposite == n.kids.end() || n.kids[k] == lit(0)) {
      ++k;
      continue;
    }
    n.kids.erase(opposite);
    n.kids.erase(n.kids.begin() + static_cast<std::ptrdiff_t>(k) - (opposite < n.kids.begin() + static_cast<std::ptrdiff_t>(k) ? 1 : 0));
    k = 0;
  }
  if (n.kids.empty()) return lit(0);
  if (n.kids.size() == 1) return n.kids[0];
  if (auto common = common_factors(n.kids); !common.empty()) {
    common.push_back(add(std::move(n.kids)));
    return multiply(std::move(common));
  }
  std::sort(n.kids.begin(), n.kids.end());
  return intern(std::move(n));
}

// Factors that are the same at all places and that every summand has: taken out of the summands.
std::vector<TermId> Terms::common_factors(std::vector<TermId>& summands) {
  const auto factors = [&](TermId t) { return (*this)[t].kind == Kind::Mul ? (*this)[t].kids : std::vector<TermId>{t}; };
  std::vector<TermId> common;
  for (const TermId f : factors(summands[0])) {
    const Node& n = (*this)[f];
    if (n.free.empty() && (n.kind != Kind::Lit || n.value > 0)) common.push_back(f);
  }
  for (const TermId s : summands) {
    std::vector<TermId> left = factors(s);
    std::erase_if(common, [&](TermId f) {
      const auto it = std::find(left.begin(), left.end(), f);
      if (it == left.end()) return true;
      left.erase(it);
      return false;
    });
  }
  if (common.empty()) return common;
  for (TermId& s : summands) {
    std::vector<TermId> left = factors(s);
    for (const TermId f : common) left.erase(std::find(left.begin(), left.end(), f));
    s = multiply(std::move(left));
  }
  return common;
}

// Literal factors become one fraction as long as that is exact; exp(x) cancels its reciprocal.
TermId Terms::multiply(std::vector<TermId> kids) {
  std::vector<TermId> rest;
  double above = 1, below = 1;
  const auto exact = [](double& by, double value) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    int exponent = 0;
    if (std::abs(std::frexp(value, &exponent)) != 0.5 && std::abs(std::frexp(by, &exponent)) != 0.5 &&
        (value != std::trunc(value) || by != std::trunc(by) || std::abs(value * by) > kExact)) {
      return false;
    }
    if (value == 0 || !std::isnormal(by * value)) return false;
    by *= value;
    return true;
  };
  const std::function<void(TermId)> take = [&](TermId k) {
    const Node& kid = (*this)[k];
    if (kid.kind == Kind::Mul) {
      for (const TermId inner : kid.kids) take(inner);
      return;
    }
    if (kid.kind == Kind::Lit && exact(above, kid.value)) return;
    if (is_reciprocal(kid) && (*this)[kid.kids[0]].kind == Kind::Lit && exact(below, (*this)[kid.kids[0]].value)) return;
    // exp(x) and 1 / exp(x)
    const auto opposite = std::find_if(rest.begin(), rest.end(), [&](TermId other) {
      const Node& o = (*this)[other];
      return (is_reciprocal(kid) && kid.kids[0] == other && is_exponential(o)) ||
             (is_reciprocal(o) && o.kids[0] == k && is_exponential(kid));
    });
    if (opposite != rest.end()) {
      rest.erase(opposite);
    } else {
      rest.push_back(k);
    }
  };
  for (const TermId k : kids) take(k);
  if (above == std::trunc(above) && below == std::trunc(below)) {
    const double common = gcd(above, below);
    above /= common;
    below /= common;
  }
  while (below == std::trunc(below) && std::fmod(below, 2) == 0) {  // powers of two stand above
    below /= 2;
    above /= 2;
  }
  if (int exponent = 0; std::abs(std::frexp(below, &exponent)) == 0.5) {
    above /= below;
    below = 1;
  }
  // A sign stands in the summands.
  const auto is_sum = [&](TermId k) { return (*this)[k].kind == Kind::Add; };
  if (above < 0 && std::count_if(rest.begin(), rest.end(), is_sum) == 1) {
    TermId& sum = *std::find_if(rest.begin(), rest.end(), is_sum);
    std::vector<TermId> negative;
    for (const TermId k : (*this)[sum].kids) negative.push_back(multiply({lit(-1), k}));
    sum = add(std::move(negative));
    above = -above;
  }
  if (above != 1) rest.push_back(lit(above));
  if (below != 1) rest.push_back(opaque(ScalarFn::Divide, ElementType::F64, {lit(below)}));
  if (rest.empty()) return lit(1);
  if (rest.size() == 1) return rest[0];
  std::sort(rest.begin(), rest.end());
  Node n;
  n.kind = Kind::Mul;
  n.kids = std::move(rest);
  return intern(std::move(n));
}

TermId Terms::reciprocal(TermId id) {
  const Node& n = (*this)[id];
  if (n.kind == Kind::Mul) {
    std::vector<TermId> kids;
    for (const TermId k : n.kids) kids.push_back(reciprocal(k));
    return multiply(std::move(kids));
  }
  if (is_reciprocal(n)) return n.kids[0];
  if (n.kind == Kind::Lit) return multiply({opaque(ScalarFn::Divide, ElementType::F64, {id})});
  return opaque(ScalarFn::Divide, ElementType::F64, {id});
}

// exp(x + y) = exp(x) exp(y), exp(-x) = 1 / exp(x): factors, so that a maximum comes out of a sum and cancels.
TermId Terms::exponential(TermId id) {
  const Node& n = (*this)[id];
  if (n.kind == Kind::Add) {
    std::vector<TermId> kids;
    for (const TermId k : n.kids) kids.push_back(exponential(k));
    return multiply(std::move(kids));
  }
  if (n.kind == Kind::Lit && n.value == 0) return lit(1);
  if (n.kind == Kind::Mul) {
    for (const TermId k : n.kids) {
      if ((*this)[k].kind == Kind::Lit && (*this)[k].value < 0) return reciprocal(exponential(multiply({lit(-1), id})));
    }
  }
  return opaque(ScalarFn::Exp, ElementType::F64, {id});
}

}  // namespace gg::sizes
