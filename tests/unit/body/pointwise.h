// A small evaluator of index forms, guards and integer expressions, point by point, for the tests of the arena. Written
// from the definitions in arena.h, without any of the rules that the constructors use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "models/body/arena.h"

namespace gg::test {

using Point = std::vector<std::int64_t>;

/// Value of an operand's element: arbitrary but fixed.
inline std::int64_t element(int operand, std::span<const std::int64_t> index) {
  std::uint64_t h = 1469598103934665603ULL + static_cast<std::uint64_t>(operand);
  for (const std::int64_t i : index) h = (h ^ static_cast<std::uint64_t>(i + 1000)) * 1099511628211ULL;
  return static_cast<std::int64_t>(h >> 40) % 21 - 10;
}

std::int64_t integer(ScalarFn fn, ElementType type, std::span<const std::int64_t> args);

class Pointwise {
 public:
  explicit Pointwise(const Arena& arena) : arena_(arena) {}

  std::int64_t lin(LinId id, const Point& at) const {
    std::int64_t sum = arena_[id].c0;
    for (const Multiple& t : arena_.terms(id)) sum += t.coef * atom(arena_.atom(t.atom), at);
    return sum;
  }

  bool guard(GuardId id, const Point& at) const {
    const auto all_of = [&](bool wanted) {
      return std::ranges::all_of(arena_.kids(id), [&](GuardId k) { return guard(k, at) == wanted; });
    };
    switch (arena_[id].kind) {
      case GuardKind::True:
        return true;
      case GuardKind::False:
        return false;
      case GuardKind::Le0:
        return lin(arena_.lin(id), at) <= 0;
      case GuardKind::Eq0:
        return lin(arena_.lin(id), at) == 0;
      case GuardKind::And:
        return all_of(true);
      case GuardKind::Or:
        return !all_of(false);
      case GuardKind::Not:
        return !guard(arena_.kids(id)[0], at);
    }
    return false;
  }

  /// Integral expressions only.
  std::int64_t expr(ExprId id, const Point& at) const {
    const Expr& e = arena_[id];
    const std::span<const ExprId> kids = arena_.kids(id);
    switch (e.kind) {
      case ExprKind::Read: {
        Point index;
        for (const LinId l : arena_.indices(id)) index.push_back(lin(l, at));
        return wrap_to(e.type, element(static_cast<int>(e.arg), index));
      }
      case ExprKind::Index:
        return wrap_to(e.type, lin(LinId{e.arg}, at));
      case ExprKind::Lit:
        return arena_.scalar(id).integer;
      case ExprKind::Fn: {
        std::vector<std::int64_t> args;
        for (const ExprId k : kids) args.push_back(expr(k, at));
        const bool select = e.fn == ScalarFn::Select || e.fn == ScalarFn::Clamp;
        return wrap_to(e.type, integer(e.fn, arena_[kids[select ? 1 : 0]].type, args));
      }
      case ExprKind::Case:
        return guard(arena_.guard(id), at) ? expr(kids[0], at) : expr(kids[1], at);
      case ExprKind::Fold:
        return fold(id, at);
      case ExprKind::Constant:
      case ExprKind::Unknown:
        break;
    }
    return 0;
  }

 private:
  static std::int64_t floor_div(std::int64_t a, std::int64_t m) {
    std::int64_t q = a / m;
    while (q * m > a) --q;
    return q;
  }

  std::int64_t atom(const Atom& a, const Point& at) const {
    switch (a.kind) {
      case AtomKind::Var:
        return at.at(a.level);
      case AtomKind::Div:
        return floor_div(lin(LinId{a.arg}, at), a.m);
      case AtomKind::Data:
        return std::clamp(expr(ExprId{a.arg}, at), a.lo, a.hi);
      case AtomKind::Table:
        return arena_.table_values(TableId{a.arg}).at(static_cast<std::size_t>(lin(LinId{a.index}, at)));
    }
    return 0;
  }

  std::int64_t fold(ExprId id, const Point& at) const {
    const Expr& e = arena_[id];
    const std::span<const std::int64_t> extents = arena_.extents(id);
    std::int64_t acc = expr(arena_.kids(id)[0], at);
    Point inner = at;
    inner.resize(std::max<std::size_t>(inner.size(), e.fold_level + extents.size()), 0);
    for (std::size_t v = 0; v < extents.size(); ++v) inner[e.fold_level + v] = 0;
    for (;;) {
      if (guard(arena_.guard(id), inner)) {
        const std::int64_t args[] = {acc, expr(arena_.kids(id)[1], inner)};
        acc = wrap_to(e.type, integer(e.fn, e.type, args));
      }
      std::size_t v = extents.size();
      while (v > 0 && ++inner[e.fold_level + v - 1] == extents[v - 1]) inner[e.fold_level + --v] = 0;
      if (v == 0) return acc;
    }
  }

  const Arena& arena_;
};

/// The functions that the tests use, for signed types and pred, without wrap (callers wrap).
inline std::int64_t integer(ScalarFn fn, ElementType, std::span<const std::int64_t> a) {
  switch (fn) {
    case ScalarFn::Add:
      return a[0] + a[1];
    case ScalarFn::Subtract:
      return a[0] - a[1];
    case ScalarFn::Multiply:
      return a[0] * a[1];
    case ScalarFn::Divide:
      return a[1] == 0 ? -1 : a[0] / a[1];
    case ScalarFn::Remainder:
      return a[1] == 0 ? a[0] : a[0] % a[1];
    case ScalarFn::Max:
      return std::max(a[0], a[1]);
    case ScalarFn::Min:
      return std::min(a[0], a[1]);
    case ScalarFn::And:
      return a[0] & a[1];
    case ScalarFn::Or:
      return a[0] | a[1];
    case ScalarFn::Xor:
      return a[0] ^ a[1];
    case ScalarFn::Negate:
      return -a[0];
    case ScalarFn::Abs:
      return a[0] < 0 ? -a[0] : a[0];
    case ScalarFn::Convert:
      return a[0];
    case ScalarFn::Not:
      return a[0] == 0 ? 1 : 0;  // of pred
    case ScalarFn::Select:
      return a[0] != 0 ? a[1] : a[2];
    case ScalarFn::Clamp:
      return std::min(std::max(a[1], a[0]), a[2]);
    case ScalarFn::CompareEq:
      return a[0] == a[1];
    case ScalarFn::CompareNe:
      return a[0] != a[1];
    case ScalarFn::CompareLt:
      return a[0] < a[1];
    case ScalarFn::CompareLe:
      return a[0] <= a[1];
    case ScalarFn::CompareGt:
      return a[0] > a[1];
    case ScalarFn::CompareGe:
      return a[0] >= a[1];
    case ScalarFn::ShiftLeft:
      return a[1] >= 0 && a[1] < 32 ? a[0] << a[1] : 0;
    case ScalarFn::ShiftRightA:
      return a[0] >> (a[1] >= 0 && a[1] < 32 ? a[1] : 31);
    default:
      return 0;
  }
}

/// All points of a box, row-major.
inline std::vector<Point> points(const std::vector<std::int64_t>& extents) {
  std::vector<Point> all;
  Point at(extents.size(), 0);
  for (;;) {
    all.push_back(at);
    std::size_t d = extents.size();
    while (d > 0 && ++at[d - 1] == extents[d - 1]) at[--d] = 0;
    if (d == 0) return all;
  }
}

/// Deterministic choices for the fuzz tests.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::int64_t roll(std::int64_t lo, std::int64_t hi) {  // inclusive
    return lo + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(roll(0, static_cast<std::int64_t>(from.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

/// A random box: 1 to 4 variables with small, often awkward extents.
inline std::vector<std::int64_t> random_box(Dice& dice, std::int64_t max_rank = 4) {
  const std::vector<std::int64_t> extents = {1, 2, 2, 3, 4, 5, 6, 8};
  std::vector<std::int64_t> box(static_cast<std::size_t>(dice.roll(1, max_rank)));
  for (std::int64_t& n : box) n = dice.pick(extents);
  return box;
}

}  // namespace gg::test
