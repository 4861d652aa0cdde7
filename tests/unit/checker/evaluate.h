// Pointwise evaluation of the checker's terms, and random terms with their own evaluation: the truth that the normal
// form is held against. Doubles; infinities and NaN by IEEE rules, one zero (1/0 = +inf).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "prover/checker/anchor.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/scalar.h"

namespace gg::checker::testing {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

/// A number on whose digits a comparison at double precision would hang: the sample says nothing.
struct Fragile {};

inline double checked(double x) {
  if (std::isfinite(x) && x != 0 && (std::abs(x) > 1e9 || std::abs(x) < 1e-7)) throw Fragile{};
  return x == 0 ? 0 : x;
}

inline double power_of(double x, double e) {
  if (std::isnan(x)) return x;
  if (x == 0) return e > 0 ? 0 : kInf;
  if (x < 0 && e != std::floor(e)) return std::nan("");
  return checked(std::pow(x, e));
}

inline double max_of(double a, double b) { return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b); }
inline double log_of(double x) { return x < 0 ? std::nan("") : checked(std::log(x)); }

/// Values of anchors without definition, drawn from what their classes allow; the same for the same indices.
struct Model {
  std::uint64_t seed = 1;
  double element(const Anchor& a, std::uint32_t id, const std::vector<std::int64_t>& at) const {
    std::uint64_t h = seed * 0x9e3779b97f4a7c15ULL + id * 0x2545f4914f6cdd1dULL;
    for (std::size_t k = 0; k < at.size(); ++k) {  // outside of the box: the nearest element
      const std::int64_t last = a.vars[k].id == 0 && a.vars.empty() ? 0 : extents_of.at(id)[k] - 1;
      h = (h ^ static_cast<std::uint64_t>(std::clamp<std::int64_t>(at[k], 0, last))) * 0xbf58476d1ce4e5b9ULL;
      h ^= h >> 31U;
    }
    h = (h ^ (h >> 29U)) * 0x94d049bb133111ebULL;
    h ^= h >> 32U;
    if (a.type == ElementType::Pred) return static_cast<double>(h & 1U);
    if (is_integral(a.type)) return static_cast<double>(a.lo + static_cast<std::int64_t>(h % static_cast<std::uint64_t>(a.hi - a.lo + 1)));
    const double pool[] = {-kInf, -2, -1, -0.5, 0, 0.5, 1, 2, kInf, std::nan("")};
    const std::uint8_t cls[] = {1, 2, 2, 2, 4, 8, 8, 8, 16, 32};
    for (;; h = h * 6364136223846793005ULL + 1442695040888963407ULL) {
      const std::size_t k = static_cast<std::size_t>(h >> 33U) % 10;
      if (a.classes.set() & cls[k]) return pool[k];
    }
  }
  std::map<std::uint32_t, std::vector<std::int64_t>> extents_of;
};

/// Evaluates terms at a point.
class Evaluator {
 public:
  Evaluator(const Terms& t, Model model, std::map<Var, std::int64_t> point)
      : t_(t), model_(std::move(model)), point_(std::move(point)) {
    for (std::uint32_t k = 0; k < t.anchors.size(); ++k) {
      for (const Var v : t.anchors[k].vars) model_.extents_of[k].push_back(t[v].extent);
    }
  }

  std::int64_t index(Index a) {
    std::int64_t sum = t_[a].c0;
    for (const Part& p : t_[a].parts) sum += p.coef * atom(p.atom);
    return sum;
  }

  std::int64_t atom(Atom a) {
    const AtomNode& n = t_[a];
    switch (n.kind) {
      case AtomKind::Variable: return point_.at(n.var);
      case AtomKind::Div: return floor_div(index(n.arg), n.m);
      case AtomKind::Clamp: return std::min(std::max(index(n.arg), n.lo), n.hi);
      case AtomKind::Table: return n.table[static_cast<std::size_t>(std::clamp<std::int64_t>(index(n.arg), 0, static_cast<std::int64_t>(n.table.size()) - 1))];
      case AtomKind::Data: return static_cast<std::int64_t>(std::llround(value(n.value)));
    }
    return 0;
  }

  bool test(Test c) {
    const TestNode& n = t_[c];
    if (n.kind == TestKind::Truth) return value(n.value) != 0;
    return n.kind == TestKind::Ge ? index(n.index) >= 0 : index(n.index) == 0;
  }

  double value(Value v) {
    const ValueNode& n = t_[v];
    switch (n.kind) {
      case ValueKind::PosInf: return kInf;
      case ValueKind::NegInf: return -kInf;
      case ValueKind::NaN: return std::nan("");
      case ValueKind::Unknown: throw Fragile{};
      case ValueKind::True: return 1;
      case ValueKind::False: return 0;
      case ValueKind::Poly: {
        double total = 0;
        for (const PolyPart& p : n.terms) total += coefficient_of(p.coef) * monomial(p.monomial);
        return checked(total);
      }
      case ValueKind::Int: return static_cast<double>(atom(Atom{n.ref}));
      case ValueKind::Read: {
        std::vector<std::int64_t> at;
        for (const Index i : n.index) at.push_back(index(i));
        return read(n.ref, at);
      }
      case ValueKind::Fn: return function(n);
      case ValueKind::Case: return value(n.kids[test(n.test) ? 0 : 1]);
      case ValueKind::Fold: return fold(n);
      default: throw Fragile{};
    }
  }

  bool bound(Var v) const { return point_.count(v) != 0; }
  std::int64_t at(Var v) const { return point_.at(v); }
  void set(Var v, std::int64_t x) { point_[v] = x; }

  double read(std::uint32_t id, std::vector<std::int64_t> at) {
    const Anchor& a = t_.anchors[id];
    if (!a.definition) return model_.element(a, id, at);
    auto saved = point_;
    for (std::size_t k = 0; k < at.size(); ++k) point_[a.vars[k]] = std::clamp<std::int64_t>(at[k], 0, t_[a.vars[k]].extent - 1);
    const double result = value(*a.definition);
    point_ = saved;
    return result;
  }

 private:
  static double coefficient_of(const Rational& r) {
    const std::string text = r.print();
    const auto slash = text.find('/');
    const double den = slash == std::string::npos ? 1 : std::stod(text.substr(slash + 1));
    return std::stod(text.substr(0, slash)) / den;
  }

  double monomial(Monomial m) {
    double result = 1;
    for (const Factor& f : t_[m].factors) result *= power_of(value(f.base), coefficient_of(f.exponent));
    return checked(result);
  }

  double function(const ValueNode& n) {
    std::vector<double> a;
    for (const Value kid : n.kids) a.push_back(value(kid));
    switch (n.fn) {
      case ScalarFn::Exp: return checked(std::exp(a[0]));
      case ScalarFn::Log: return log_of(a[0]);
      case ScalarFn::Multiply: return checked(a[0] * a[1]);
      case ScalarFn::Abs: return std::abs(a[0]);
      case ScalarFn::Tanh: return std::tanh(a[0]);
      case ScalarFn::CompareLt: return a[0] < a[1];
      case ScalarFn::CompareLe: return a[0] <= a[1];
      case ScalarFn::CompareEq: return a[0] == a[1];
      case ScalarFn::IsFinite: return std::isfinite(a[0]);
      case ScalarFn::Max: {
        double m = a[0];
        for (const double x : a) m = max_of(m, x);
        return m;
      }
      case ScalarFn::Convert: return static_cast<double>(wrap_to(n.type, static_cast<std::int64_t>(a[0])));
      default: throw Fragile{};
    }
  }

  double fold(const ValueNode& n) {
    double total = n.fn == ScalarFn::Max ? -kInf : n.fn == ScalarFn::Multiply ? 1 : 0;
    const auto saved = point_;
    const std::function<void(std::size_t)> loop = [&](std::size_t k) {
      if (k < n.vars.size()) {
        for (std::int64_t x = 0; x < t_[n.vars[k]].extent; ++x) {
          point_[n.vars[k]] = x;
          loop(k + 1);
        }
        return;
      }
      for (const Literal& l : t_[n.path].literals) {
        if (test(l.test) != l.holds) return;
      }
      const double x = value(n.kids[0]);
      if (n.fn == ScalarFn::Max) total = max_of(total, x);
      else if (n.fn == ScalarFn::Multiply) total *= x;
      else if (n.fn == ScalarFn::Or) total = total != 0 || x != 0;
      else total += x;
    };
    loop(0);
    point_ = saved;
    return checked(total);
  }

  const Terms& t_;
  Model model_;
  std::map<Var, std::int64_t> point_;
};

/// Are two evaluations the same number?
inline bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)});
}

/// Calls f at every point of the box of the variables (at most `limit` points, evenly spread).
inline void each_point(const Terms& t, const std::vector<Var>& vars, std::int64_t limit,
                       const std::function<void(const std::map<Var, std::int64_t>&)>& f) {
  std::int64_t box = 1;
  for (const Var v : vars) box *= t[v].extent;
  const std::int64_t stride = std::max<std::int64_t>(1, box / limit);
  for (std::int64_t n = 0; n < box; n += stride) {
    std::map<Var, std::int64_t> point;
    std::int64_t rest = n;
    for (const Var v : vars) {
      point[v] = rest % t[v].extent;
      rest /= t[v].extent;
    }
    f(point);
  }
}

}  // namespace gg::checker::testing
