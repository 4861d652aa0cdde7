// Pointwise evaluation of terms: the meaning that the normal form must keep. Anchors are pseudo-random functions of their
// indices (clamped into the box), or, where they have a definition, that definition.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "prover/term/terms.h"

namespace gg::prover {

/// A value: a real (or NaN), an integer or a truth value.
struct Value {
  double real = 0;
  std::int64_t integer = 0;
};

class Evaluator {
 public:
  Evaluator(Terms& terms, std::uint64_t seed) : t_(terms), seed_(seed) {}
  std::array<std::int64_t, kVars> at{};
  bool unknown = false;  ///< an unknown value was met

  std::int64_t lin(LinId id) {
    std::int64_t sum = t_[id].c0;
    for (const LinTerm& s : t_.terms(id)) {
      const AtomNode& a = t_[s.atom];
      std::int64_t x = 0;
      switch (a.kind) {
        case AtomKind::Var: x = at[a.var] / a.m; break;
        case AtomKind::Div: x = floor_div(lin(static_cast<LinId>(a.arg)), a.m); break;
        case AtomKind::Clamp: x = std::clamp(lin(static_cast<LinId>(a.arg)), a.lo, a.hi); break;
        case AtomKind::Data: x = value(static_cast<TermId>(a.arg)).integer; break;
        case AtomKind::Mul: x = lin(static_cast<LinId>(a.arg)) * lin(static_cast<LinId>(a.arg2)); break;
        case AtomKind::Table:
          x = t_.table_values(a.arg2)[static_cast<std::size_t>(lin(static_cast<LinId>(a.arg)))];
          break;
      }
      sum += s.coef * x;
    }
    return sum;
  }

  bool truth(TermId id) { return value(id).integer != 0; }

  Value value(TermId id) {
    const TermNode n = t_[id];
    constexpr double inf = std::numeric_limits<double>::infinity();
    switch (n.kind) {
      case Kind::Lit: return {t_.q.approximate(t_.rat(id)), 0};
      case Kind::Special: return {n.op == 0 ? inf : n.op == 1 ? -inf
                                                              : std::nan(""),
                                  0};
      case Kind::Unknown: unknown = true; return {std::nan(""), 0};
      case Kind::True: return {0, 1};
      case Kind::False: return {0, 0};
      case Kind::Int: return {0, lin(t_.lin(id))};
      case Kind::FromInt: return {static_cast<double>(lin(t_.lin(id))), 0};
      case Kind::Wrap: return {0, wrap_to(static_cast<ElementType>(n.type), lin(t_.lin(id)))};
      case Kind::Ge: return {0, lin(t_.lin(id)) >= 0 ? 1 : 0};
      case Kind::Eq: return {0, lin(t_.lin(id)) == 0 ? 1 : 0};
      case Kind::Not: return {0, truth(t_.kid(id, 0)) ? 0 : 1};
      case Kind::And:
        for (std::size_t k = 0; k < n.n; ++k)
          if (!truth(t_.kid(id, k))) return {0, 0};
        return {0, 1};
      case Kind::Or:
        for (std::size_t k = 0; k < n.n; ++k)
          if (truth(t_.kid(id, k))) return {0, 1};
        return {0, 0};
      case Kind::Read: return read(id);
      case Kind::Mono: {
        double p = 1;
        for (const Factor& f : t_.factors(id)) p *= power(value(f.term).real, t_.q.approximate(f.exp));
        return {p, 0};
      }
      case Kind::Poly: {
        double s = 0;
        for (const Summand& m : t_.summands(id)) s += t_.q.approximate(m.coef) * value(m.mono).real;
        return {s, 0};
      }
      case Kind::Case: return value(t_.kid(id, truth(t_.kid(id, 0)) ? 1 : 2));
      case Kind::Fn: return fn(id, n);
      case Kind::Fold: return fold(id, n);
      case Kind::Row: {
        const RowParts p = t_.row_parts(id);
        return {0, 0};
      }
    }
    return {};
  }

  static double power(double x, double e) {
    if (e == 1) return x;
    if (e == std::floor(e)) {
      const double base = e < 0 ? inverse(x) : x;
      double p = 1;
      for (int k = 0; k < std::abs(static_cast<int>(e)); ++k) p *= base;
      return p;
    }
    if (x < 0) return std::nan("");
    if (x == 0) return e > 0 ? 0 : std::numeric_limits<double>::infinity();
    return std::pow(x, e);
  }
  static double inverse(double x) { return x == 0 ? std::numeric_limits<double>::infinity() : 1 / x; }

 private:
  static std::int64_t floor_div(std::int64_t a, std::int64_t m) {
    const std::int64_t d = a / m;
    return d * m > a ? d - 1 : d;
  }

  Value read(TermId id) {
    const Anchor& a = t_.anchor(t_.anchor_of(id));
    const std::vector<LinId> index = t_.index_of(id);
    std::vector<std::int64_t> where;
    std::uint64_t h = seed_ * 0x9E3779B97F4A7C15ULL + t_.anchor_of(id) * 1000003ULL;
    for (std::size_t k = 0; k < index.size(); ++k) {
      where.push_back(std::clamp<std::int64_t>(lin(index[k]), 0, a.extents[k] - 1));
      h = (h ^ static_cast<std::uint64_t>(where.back() + 17)) * 0xFF51AFD7ED558CCDULL;
      h ^= h >> 29;
    }
    if (a.form != TermId::Unknown) {
      const auto saved = at;
      for (std::size_t k = 0; k < where.size(); ++k) at[k] = where[k];
      const Value v = value(a.form);
      at = saved;
      return v;
    }
    const std::uint64_t pick = (h >> 20) % 23;
    if (a.sort == Sort::Bool) return {0, static_cast<std::int64_t>(pick & 1)};
    if (a.sort == Sort::Int) return {0, a.lo + static_cast<std::int64_t>((h >> 20) % static_cast<std::uint64_t>(a.hi - a.lo + 1))};
    double x = static_cast<double>(static_cast<std::int64_t>((h >> 13) % 17) - 8) / 4;
    if (!a.attributes.finite && pick < 4) {
      const double special[4] = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                 std::nan(""), 0};
      x = special[pick];
    }
    if (a.attributes.nonnegative) x = std::abs(x);
    if (a.attributes.nonzero && x == 0) x = 0.5;
    return {x, 0};
  }

  Value fn(TermId id, const TermNode& n) {
    const Value a = value(t_.kid(id, 0));
    const Value b = n.n > 1 ? value(t_.kid(id, 1)) : Value{};
    switch (static_cast<ScalarFn>(n.op)) {
      case ScalarFn::Add: {
        double s = 0;
        for (std::size_t k = 0; k < n.n; ++k) s += value(t_.kid(id, k)).real;
        return {s, 0};
      }
      case ScalarFn::Multiply: return {a.real * b.real, 0};
      case ScalarFn::Exp: return {std::exp(a.real), 0};
      case ScalarFn::Log: return {a.real < 0 ? std::nan("") : std::log(a.real), 0};
      case ScalarFn::Tanh: return {std::tanh(a.real), 0};
      case ScalarFn::Abs: return {std::abs(a.real), 0};
      case ScalarFn::Power: return {std::pow(a.real, b.real), 0};
      case ScalarFn::IsFinite: return {0, std::isfinite(a.real) ? 1 : 0};
      case ScalarFn::CompareLt: return {0, a.real < b.real ? 1 : 0};
      case ScalarFn::CompareLe: return {0, a.real <= b.real ? 1 : 0};
      case ScalarFn::CompareEq: return {0, a.real == b.real ? 1 : 0};
      case ScalarFn::Max:
      case ScalarFn::Min: {
        double m = a.real;
        for (std::size_t k = 1; k < n.n; ++k) m = extreme(static_cast<ScalarFn>(n.op), m, value(t_.kid(id, k)).real);
        return {m, 0};
      }
      default: return {std::sin(a.real * 3 + b.real), a.integer * 7 + b.integer};
    }
  }

  static double extreme(ScalarFn f, double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::nan("");
    return f == ScalarFn::Max ? std::max(a, b) : std::min(a, b);
  }

  Value fold(TermId id, const TermNode& n) {
    const FoldParts p = t_.fold_parts(id);
    constexpr double inf = std::numeric_limits<double>::infinity();
    Value acc;
    const auto op = p.op;
    acc.real = op == ScalarFn::Multiply ? 1 : op == ScalarFn::Max ? -inf
                                          : op == ScalarFn::Min   ? inf
                                                                  : 0;
    acc.integer = n.sort == Sort::Bool       ? (op == ScalarFn::And ? 1 : 0)
                  : op == ScalarFn::Max      ? INT64_MIN
                  : op == ScalarFn::Min      ? INT64_MAX
                  : op == ScalarFn::Multiply ? 1
                                             : 0;
    std::vector<std::int64_t> at_now(p.extents.size(), 0);
    const auto saved = at;
    while (true) {
      for (std::size_t k = 0; k < at_now.size(); ++k) at[p.first + k] = at_now[k];
      if (truth(p.guard)) {
        const Value v = value(p.body);
        if (n.sort == Sort::Bool) {
          acc.integer = op == ScalarFn::And ? (acc.integer & v.integer) : (acc.integer | v.integer);
        } else if (n.sort == Sort::Int) {
          acc.integer = op == ScalarFn::Max   ? std::max(acc.integer, v.integer)
                        : op == ScalarFn::Min ? std::min(acc.integer, v.integer)
                                              : acc.integer + v.integer;
        } else {
          acc.real = op == ScalarFn::Add        ? acc.real + v.real
                     : op == ScalarFn::Multiply ? acc.real * v.real
                                                : extreme(op, acc.real, v.real);
        }
      }
      std::size_t k = 0;
      while (k < at_now.size() && ++at_now[k] == p.extents[k]) at_now[k++] = 0;
      if (k == at_now.size()) break;
    }
    at = saved;
    return acc;
  }

  Terms& t_;
  std::uint64_t seed_;
};

}  // namespace gg::prover
