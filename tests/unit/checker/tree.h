// Terms as plain trees, with their own meaning: the truth that normal forms are held against. A tree is evaluated at a
// point (doubles and exact integers; infinities and NaN by IEEE rules, one zero, 1/0 = +inf) and printed; it knows
// nothing of normal forms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "models/body/scalar.h"
#include "models/type/type.h"

namespace gg::checker::testing {

__extension__ typedef __int128 Big;
inline constexpr double kInf = std::numeric_limits<double>::infinity();

enum class Kind : std::uint8_t {
  // integers
  Const,    ///< n
  Var,      ///< variable number n
  Axpy,     ///< n * kids[0] + kids[1]
  Div,      ///< floor(kids[0] / n)
  Mod,      ///< kids[0] - n * floor(kids[0] / n)
  Clamp,    ///< kids[0] limited to [lo, hi]
  Table,    ///< list[kids[0]], the nearest entry outside
  Product,  ///< kids[0] * kids[1], exact
  IntFn,    ///< HLO function fn of integers of `type`
  ToInt,    ///< HLO convert of a real to integer `type`
  Wrap,     ///< kids[0] modulo 2^width in `type`
  // conditions
  Ge,
  Eq,
  And,
  Or,
  Not,
  True,
  Less,
  LessEqual,
  Equal,
  Finite,  ///< of reals
  // reals
  Number,   ///< n / m
  Special,  ///< n: -1 = -inf, 0 = nan, 1 = inf
  FromInt,
  Fn,     ///< HLO function fn of reals
  Power,  ///< kids[0] ^ (n / m)
  // any
  Read,  ///< source n at kids
  Case,  ///< kids[0] ? kids[1] : kids[2]
  Fold,  ///< fn over the binders `list` where kids[0] holds of kids[1]
  Row,   ///< kids[1] over the binders `list` in descending order, the place in the row of what comes to place kids[0]
};

struct Node;
using Tree = std::shared_ptr<const Node>;

struct Node {
  Kind kind;
  std::vector<Tree> kids{};
  std::int64_t n = 0, m = 1, lo = 0, hi = 0;
  ScalarFn fn = ScalarFn::Add;
  ElementType type = ElementType::F64;
  std::vector<std::int64_t> list{};
};

/// What a term may read: reals drawn from `pool`, integers from [lo, hi] and its edges, or a definition over `vars`.
struct Source {
  std::string name;
  ElementType type = ElementType::F64;
  std::vector<std::int64_t> extents{};
  std::vector<double> pool{};
  std::int64_t lo = 0, hi = 0;
  Tree definition{};
  std::vector<std::int64_t> vars{};
};

/// Sources, and the extent of each variable.
struct World {
  std::vector<Source> sources;
  std::map<std::int64_t, std::int64_t> extents;
};

/// A number on whose digits a comparison at double precision would hang: the sample says nothing.
struct Fragile {};

inline double checked(double x) {
  if (std::isfinite(x) && x != 0 && (std::abs(x) > 1e9 || std::abs(x) < 1e-7)) throw Fragile{};
  return x == 0 ? 0 : x;
}

inline double power_of(double x, double e) {
  if (std::isnan(x)) return x;
  if (x == 0) return e > 0 ? 0 : kInf;
  if (x < 0 && e != std::floor(e)) return std::nan("");  // of -inf too
  if (std::isinf(x) && e < 0) return 0;
  const double result = std::pow(x, e);
  if (std::isfinite(x) && (result == 0 || std::isinf(result))) throw Fragile{};
  return checked(result);
}

inline double max_of(double a, double b) { return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b); }
inline double log_of(double x) { return std::isnan(x) || x < 0 ? std::nan("") : checked(std::log(x)); }

/// -1, 0 or 1; numbers too near to tell apart are Fragile.
inline int compared(double a, double b) {
  if (a != b && std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)})) throw Fragile{};
  return a < b ? -1 : a == b ? 0
                             : 1;
}

/// Are two evaluations the same number?
inline bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)});
}

inline Big wrap_big(ElementType type, Big value) {
  const int bits = info(type).bits;
  const Big modulus = Big{1} << bits;
  Big r = value % modulus;
  if (r < 0) r += modulus;
  return is_signed(type) && r >= modulus / 2 ? r - modulus : r;
}

inline Big floor_of(Big a, Big m) {
  const Big q = a / m;
  return q * m > a ? q - 1 : q;
}

/// HLO functions of integers (docs/design.md).
inline Big integer_of(ScalarFn fn, ElementType type, Big a, Big b, Big c) {
  const int bits = info(type).bits;
  const auto raw = [&](Big x) { return static_cast<std::uint64_t>(wrap_big(ElementType::U64, x)); };
  const Big least = is_signed(type) ? -(Big{1} << (bits - 1)) : 0;
  const bool out = b < 0 || b >= bits;
  const Big field = wrap_big(bits == 64 ? ElementType::U64 : bits == 32 ? ElementType::U32
                                                                        : ElementType::U8,
                             a);
  switch (fn) {
    case ScalarFn::Add: return wrap_big(type, a + b);
    case ScalarFn::Subtract: return wrap_big(type, a - b);
    case ScalarFn::Multiply: return wrap_big(type, a * b);
    case ScalarFn::Negate: return wrap_big(type, -a);
    case ScalarFn::Abs: return wrap_big(type, a < 0 ? -a : a);
    case ScalarFn::Sign: return a > 0 ? 1 : a < 0 ? -1
                                                  : 0;
    case ScalarFn::Max: return std::max(a, b);
    case ScalarFn::Min: return std::min(a, b);
    case ScalarFn::Clamp: return std::min(std::max(a, b), c);
    case ScalarFn::Divide: return b == 0 ? wrap_big(type, -1) : a == least && b == -1 ? least
                                                                                      : a / b;
    case ScalarFn::Remainder: return b == 0 ? a : b == -1 ? 0
                                                          : a % b;
    case ScalarFn::Not: return wrap_big(type, ~raw(a));
    case ScalarFn::And: return wrap_big(type, raw(a) & raw(b));
    case ScalarFn::Or: return wrap_big(type, raw(a) | raw(b));
    case ScalarFn::Xor: return wrap_big(type, raw(a) ^ raw(b));
    case ScalarFn::ShiftLeft: return out ? 0 : wrap_big(type, a * (Big{1} << static_cast<int>(b)));
    case ScalarFn::ShiftRightL: return out ? 0 : wrap_big(type, field >> static_cast<int>(b));
    case ScalarFn::ShiftRightA:  // the sign bit of the type is copied in, for unsigned types too
      if (!is_signed(type)) a = wrap_big(bits == 64 ? ElementType::S64 : bits == 32 ? ElementType::S32
                                                                                    : ElementType::S8,
                                         a);
      return out ? wrap_big(type, a < 0 ? -1 : 0) : wrap_big(type, floor_of(a, Big{1} << static_cast<int>(b)));
    default: throw Fragile{};
  }
}

inline double real_of(ScalarFn fn, const std::vector<double>& a) {
  switch (fn) {
    case ScalarFn::Add: return checked(a[0] + a[1]);
    case ScalarFn::Subtract: return checked(a[0] - a[1]);
    case ScalarFn::Multiply: return checked(a[0] * a[1]);
    case ScalarFn::Divide: return checked(a[0] * power_of(a[1], -1));
    case ScalarFn::Negate: return checked(-a[0]);
    case ScalarFn::Exp:
      if (std::isfinite(a[0]) && std::abs(a[0]) > 20) throw Fragile{};
      return checked(std::exp(a[0]));
    case ScalarFn::Log: return log_of(a[0]);
    case ScalarFn::Sqrt: return power_of(a[0], 0.5);
    case ScalarFn::Rsqrt: return power_of(a[0], -0.5);
    case ScalarFn::Max: return max_of(a[0], a[1]);
    case ScalarFn::Min: return -max_of(-a[0], -a[1]);
    case ScalarFn::Clamp: return -max_of(-max_of(a[0], a[1]), -a[2]);
    case ScalarFn::Abs: return std::abs(a[0]);
    case ScalarFn::Tanh: return checked(std::tanh(a[0]));
    case ScalarFn::Sin: return checked(std::sin(a[0]));
    case ScalarFn::Cos: return checked(std::cos(a[0]));
    case ScalarFn::Tan: return checked(std::tan(a[0]));
    case ScalarFn::Erf: return checked(std::erf(a[0]));
    case ScalarFn::Cbrt: return checked(std::cbrt(a[0]));
    case ScalarFn::Log1p: return log_of(1 + a[0]);
    case ScalarFn::Expm1: return checked(real_of(ScalarFn::Exp, a) - 1);
    case ScalarFn::Sign: return std::isnan(a[0]) ? a[0] : a[0] > 0 ? 1
                                                      : a[0] < 0   ? -1
                                                                   : 0;
    case ScalarFn::Power: return a[1] == 0 ? 1 : std::isnan(a[0]) || std::isnan(a[1]) ? std::nan("")
                                                                                      : power_of(a[0], a[1]);
    default: throw Fragile{};
  }
}

using Point = std::map<std::int64_t, std::int64_t>;

/// One assignment of everything that a tree may read.
class Evaluation {
 public:
  Evaluation(const World& world, std::uint64_t seed, Point point) : world_(world), seed_(seed), point_(std::move(point)) {}

  Big integer(const Tree& t) {
    const auto kid = [&](std::size_t k) { return integer(t->kids[k]); };
    switch (t->kind) {
      case Kind::Const: return t->n;
      case Kind::Var: return point_.at(t->n);
      case Kind::Axpy: return Big{t->n} * kid(0) + kid(1);
      case Kind::Div: return floor_of(kid(0), t->n);
      case Kind::Mod: return kid(0) - t->n * floor_of(kid(0), t->n);
      case Kind::Clamp: return std::min<Big>(std::max<Big>(kid(0), t->lo), t->hi);
      case Kind::Table: {
        const Big last = static_cast<std::int64_t>(t->list.size()) - 1;
        return t->list[static_cast<std::size_t>(std::min<Big>(std::max<Big>(kid(0), 0), last))];
      }
      case Kind::Product: return kid(0) * kid(1);
      case Kind::IntFn: {
        const Big a = kid(0);
        return integer_of(t->fn, t->type, a, t->kids.size() > 1 ? kid(1) : 0, t->kids.size() > 2 ? kid(2) : 0);
      }
      case Kind::ToInt: {
        const double x = real(t->kids[0]);
        const double lo = static_cast<double>(lowest(t->type)), hi = static_cast<double>(highest(t->type));
        if (std::isnan(x)) return 0;
        if (std::isfinite(x) && x != std::round(x) && std::abs(x - std::round(x)) < 1e-6) throw Fragile{};
        return x <= lo ? lowest(t->type) : x >= hi ? highest(t->type)
                                                   : static_cast<Big>(std::trunc(x));
      }
      case Kind::Wrap: return wrap_big(t->type, kid(0));
      case Kind::Read: return integer_element(static_cast<std::size_t>(t->n), indices(t));
      case Kind::Case: return kid(condition(t->kids[0]) ? 1 : 2);
      case Kind::Fold: {
        Big total = t->fn == ScalarFn::Multiply ? 1 : 0;
        bool none = true;
        each(t, [&] {
          const Big x = integer(t->kids[1]);
          if (t->fn == ScalarFn::Add) total += x;
          else total = none ? x : t->fn == ScalarFn::Max ? std::max(total, x)
                                                         : std::min(total, x);
          none = false;
        });
        if (none && t->fn != ScalarFn::Add) throw Fragile{};
        return total;
      }
      case Kind::Row: return place(t);
      default: throw Fragile{};
    }
  }

  bool condition(const Tree& t) {
    const auto kid = [&](std::size_t k) { return condition(t->kids[k]); };
    switch (t->kind) {
      case Kind::True: return true;
      case Kind::Ge: return integer(t->kids[0]) >= 0;
      case Kind::Eq: return integer(t->kids[0]) == 0;
      case Kind::And: return kid(0) && kid(1);
      case Kind::Or: return kid(0) || kid(1);
      case Kind::Not: return !kid(0);
      case Kind::Less:
      case Kind::LessEqual:
      case Kind::Equal: {
        const double a = real(t->kids[0]), b = real(t->kids[1]);
        if (std::isnan(a) || std::isnan(b)) return false;
        const int order = compared(a, b);
        return t->kind == Kind::Equal ? order == 0 : order < 0 || (order == 0 && t->kind == Kind::LessEqual);
      }
      case Kind::Finite: return std::isfinite(real(t->kids[0]));
      case Kind::Read: return integer_element(static_cast<std::size_t>(t->n), indices(t)) != 0;
      case Kind::Case: return kid(kid(0) ? 1 : 2);
      case Kind::Fold: {
        bool total = t->fn == ScalarFn::And;
        each(t, [&] {
          const bool x = kid(1);
          total = t->fn == ScalarFn::And ? total && x : total || x;
        });
        return total;
      }
      default: throw Fragile{};
    }
  }

  double real(const Tree& t) {
    switch (t->kind) {
      case Kind::Number: return static_cast<double>(t->n) / static_cast<double>(t->m);
      case Kind::Special: return t->n == 0 ? std::nan("") : t->n > 0 ? kInf
                                                                     : -kInf;
      case Kind::FromInt: return checked(static_cast<double>(integer(t->kids[0])));
      case Kind::Fn: {
        std::vector<double> a;
        for (const Tree& kid : t->kids) a.push_back(real(kid));
        return real_of(t->fn, a);
      }
      case Kind::Power: return power_of(real(t->kids[0]), static_cast<double>(t->n) / static_cast<double>(t->m));
      case Kind::Read: return real_element(static_cast<std::size_t>(t->n), indices(t));
      case Kind::Case: return real(t->kids[condition(t->kids[0]) ? 1 : 2]);
      case Kind::Fold: {
        double total = t->fn == ScalarFn::Max ? -kInf : t->fn == ScalarFn::Min    ? kInf
                                                    : t->fn == ScalarFn::Multiply ? 1
                                                                                  : 0;
        each(t, [&] {
          const double x = real(t->kids[1]);
          if (t->fn == ScalarFn::Max) total = max_of(total, x);
          else if (t->fn == ScalarFn::Min) total = -max_of(-total, -x);
          else total = checked(t->fn == ScalarFn::Multiply ? total * x : total + x);
        });
        return total;
      }
      default: throw Fragile{};
    }
  }

  /// Elements of a row; NaN stands before all numbers, equal ones by their place.
  std::vector<double> row(const Tree& t) {
    std::vector<double> list;
    each(t, [&] { list.push_back(real(t->kids[1])); });
    return list;
  }
  static bool before(double a, double b) { return std::isnan(a) || std::isnan(b) ? std::isnan(a) && !std::isnan(b) : compared(a, b) > 0; }
  Big place(const Tree& t) {
    const std::vector<double> list = row(t);
    std::vector<std::size_t> places(list.size());
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return before(list[a], list[b]); });
    const Big last = static_cast<Big>(list.size()) - 1;
    return static_cast<Big>(places[static_cast<std::size_t>(std::min(std::max<Big>(integer(t->kids[0]), 0), last))]);
  }

  double real_element(std::size_t source, std::vector<std::int64_t> at) {
    const Source& s = world_.sources[source];
    limit(s, at);
    if (s.definition) return inside(s, at).real(s.definition);
    return s.pool[static_cast<std::size_t>(hash(source, at) >> 20U) % s.pool.size()];
  }

  /// Booleans are 0 and 1.
  Big integer_element(std::size_t source, std::vector<std::int64_t> at) {
    const Source& s = world_.sources[source];
    limit(s, at);
    if (s.definition) {
      Evaluation e = inside(s, at);
      return s.type == ElementType::Pred ? Big{e.condition(s.definition)} : e.integer(s.definition);
    }
    const std::uint64_t h = hash(source, at);
    const Big lo = s.type == ElementType::Pred ? 0 : s.lo, hi = s.type == ElementType::Pred ? 1 : s.hi;
    const Big edges[] = {lo, hi, lo + 1, hi - 1, 0, 1, -1, 2, 5, 31};
    const Big x = edges[(h >> 40U) % 10];
    if ((h & 1U) != 0 && x >= lo && x <= hi) return x;
    return lo + static_cast<Big>(h >> 8U) % (hi - lo + 1);
  }

 private:
  static Big lowest(ElementType type) { return is_signed(type) ? -(Big{1} << (info(type).bits - 1)) : 0; }
  static Big highest(ElementType type) { return (Big{1} << (info(type).bits - (is_signed(type) ? 1 : 0))) - 1; }

  static void limit(const Source& s, std::vector<std::int64_t>& at) {  // outside of the box: the nearest element
    for (std::size_t k = 0; k < at.size(); ++k) at[k] = std::clamp<std::int64_t>(at[k], 0, s.extents[k] - 1);
  }

  Evaluation inside(const Source& s, const std::vector<std::int64_t>& at) const {
    Point point;
    for (std::size_t k = 0; k < at.size(); ++k) point[s.vars[k]] = at[k];
    return Evaluation(world_, seed_, std::move(point));
  }

  std::vector<std::int64_t> indices(const Tree& t) {
    std::vector<std::int64_t> at;
    for (const Tree& kid : t->kids) {
      at.push_back(static_cast<std::int64_t>(std::min<Big>(std::max<Big>(integer(kid), -(Big{1} << 40)), Big{1} << 40)));
    }
    return at;
  }

  void each(const Tree& t, const std::function<void()>& f) {
    const std::function<void(std::size_t)> loop = [&](std::size_t k) {
      if (k == t->list.size()) {
        if (t->kind == Kind::Row || condition(t->kids[0])) f();
        return;
      }
      for (std::int64_t x = 0; x < world_.extents.at(t->list[k]); ++x) {
        point_[t->list[k]] = x;
        loop(k + 1);
      }
      point_.erase(t->list[k]);
    };
    loop(0);
  }

  std::uint64_t hash(std::size_t source, const std::vector<std::int64_t>& at) const {
    std::uint64_t h = seed_ * 0x9e3779b97f4a7c15ULL + (source + 1) * 0x2545f4914f6cdd1dULL;
    for (const std::int64_t x : at) {
      h = (h ^ static_cast<std::uint64_t>(x)) * 0xbf58476d1ce4e5b9ULL;
      h ^= h >> 31U;
    }
    h = (h ^ (h >> 29U)) * 0x94d049bb133111ebULL;
    return h ^ (h >> 32U);
  }

  const World& world_;
  std::uint64_t seed_;
  Point point_;
};

inline std::string print(const World& world, const Tree& t) {
  static const char* const names[] = {"const", "var", "axpy", "div", "mod", "clamp", "table", "product", "intfn", "toint",
                                      "wrap", "ge", "eq", "and", "or", "not", "true", "less", "lesseq", "equal", "finite",
                                      "number", "special", "fromint", "fn", "power", "read", "case", "fold"};
  const auto number = [](std::int64_t x) { return std::to_string(x); };
  std::string out;
  switch (t->kind) {
    case Kind::Const: return number(t->n);
    case Kind::Var: return "v" + number(t->n) + ":" + number(world.extents.at(t->n));
    case Kind::Number: return number(t->n) + "/" + number(t->m);
    case Kind::Special: return t->n == 0 ? "nan" : t->n > 0 ? "inf"
                                                            : "-inf";
    case Kind::Read: out = "(" + world.sources[static_cast<std::size_t>(t->n)].name; break;
    case Kind::Fn: out = "(" + std::string(info(t->fn).name); break;
    case Kind::IntFn: out = "(" + std::string(info(t->fn).name) + ":" + std::string(info(t->type).name); break;
    case Kind::ToInt:
    case Kind::Wrap: out = std::string("(") + names[static_cast<int>(t->kind)] + ":" + std::string(info(t->type).name); break;
    case Kind::Axpy:
    case Kind::Div:
    case Kind::Mod: out = std::string("(") + names[static_cast<int>(t->kind)] + " " + number(t->n); break;
    case Kind::Clamp: out = "(clamp " + number(t->lo) + " " + number(t->hi); break;
    case Kind::Power: out = "(power " + number(t->n) + "/" + number(t->m); break;
    case Kind::Table:
      out = "(table";
      for (const std::int64_t x : t->list) out += "," + number(x);
      break;
    case Kind::Fold:
      out = "(fold-" + std::string(info(t->fn).name) + " [";
      for (const std::int64_t v : t->list) out += "v" + number(v) + ":" + number(world.extents.at(v)) + " ";
      out += "]";
      break;
    default: out = std::string("(") + names[static_cast<int>(t->kind)];
  }
  for (const Tree& kid : t->kids) out += " " + print(world, kid);
  return out + ")";
}

}  // namespace gg::checker::testing
