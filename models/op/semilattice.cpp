#include "models/op/semilattice.h"

#include <array>

namespace gg {
namespace {

constexpr std::size_t kMaxPlaces = 3;  ///< values reduced at once
constexpr int kValues = 3;             ///< as many as laws have tuples

using Tuple = std::array<int, kMaxPlaces>;

/// Which place of the tuples a value comes from, or a truth value.
constexpr int kTruth = -1, kOther = -2;

class OrderRegion {
 public:
  OrderRegion(const Arena& arena, const Region& region) : arena_(arena), region_(region), places_(region.results.size()) {}

  bool fits() const {
    if (places_ < 2 || places_ > kMaxPlaces || region_.parameters.size() != 2 * places_) return false;
    for (std::size_t k = 0; k < places_; ++k)
      if (place(region_.results[k]) != static_cast<int>(k)) return false;
    return true;
  }

  Tuple join(const Tuple& a, const Tuple& b) const {
    Tuple result{};
    for (std::size_t k = 0; k < places_; ++k) result[k] = value(region_.results[k], a, b);
    return result;
  }

  std::size_t tuples() const {
    std::size_t n = 1;
    for (std::size_t k = 0; k < places_; ++k) n *= kValues;
    return n;
  }
  Tuple tuple(std::size_t number) const {
    Tuple t{};
    for (std::size_t k = 0; k < places_; ++k, number /= kValues) t[k] = static_cast<int>(number % kValues);
    return t;
  }

 private:
  int place(ExprId id) const {
    const Expr& e = arena_[id];
    if (e.kind == ExprKind::Read) return e.type == ElementType::Pred ? kOther : static_cast<int>(e.arg % places_);
    if (e.kind != ExprKind::Fn) return kOther;
    const auto kids = arena_.kids(id);
    switch (e.fn) {
      case ScalarFn::Select: return place(kids[0]) == kTruth && place(kids[1]) == place(kids[2]) ? place(kids[1]) : kOther;
      case ScalarFn::Max:
      case ScalarFn::Min: return place(kids[0]) == place(kids[1]) && place(kids[0]) >= 0 ? place(kids[0]) : kOther;
      case ScalarFn::CompareEq:
      case ScalarFn::CompareNe:
      case ScalarFn::CompareLt:
      case ScalarFn::CompareLe:
      case ScalarFn::CompareGt:
      case ScalarFn::CompareGe:
        return place(kids[0]) == place(kids[1]) && place(kids[0]) >= 0 ? kTruth : kOther;
      case ScalarFn::And:
      case ScalarFn::Or: return e.type == ElementType::Pred && place(kids[0]) == kTruth && place(kids[1]) == kTruth ? kTruth : kOther;
      case ScalarFn::Not: return e.type == ElementType::Pred && place(kids[0]) == kTruth ? kTruth : kOther;
      default: return kOther;
    }
  }

  int value(ExprId id, const Tuple& a, const Tuple& b) const {
    const Expr& e = arena_[id];
    if (e.kind == ExprKind::Read) return e.arg < places_ ? a[e.arg] : b[e.arg - places_];
    const auto kids = arena_.kids(id);
    const int x = value(kids[0], a, b);
    if (e.fn == ScalarFn::Not) return x == 0 ? 1 : 0;
    if (e.fn == ScalarFn::Select) return value(kids[x != 0 ? 1 : 2], a, b);
    const int y = value(kids[1], a, b);
    switch (e.fn) {
      case ScalarFn::Max: return x > y ? x : y;
      case ScalarFn::Min: return x < y ? x : y;
      case ScalarFn::CompareEq: return x == y ? 1 : 0;
      case ScalarFn::CompareNe: return x != y ? 1 : 0;
      case ScalarFn::CompareLt: return x < y ? 1 : 0;
      case ScalarFn::CompareLe: return x <= y ? 1 : 0;
      case ScalarFn::CompareGt: return x > y ? 1 : 0;
      case ScalarFn::CompareGe: return x >= y ? 1 : 0;
      case ScalarFn::And: return x != 0 && y != 0 ? 1 : 0;
      default: return x != 0 || y != 0 ? 1 : 0;  // Or
    }
  }

  const Arena& arena_;
  const Region& region_;
  std::size_t places_;
};

}  // namespace

bool is_semilattice(const Arena& arena, const Region& region) {
  const OrderRegion r(arena, region);
  if (!r.fits()) return false;
  const std::size_t n = r.tuples();
  for (std::size_t i = 0; i < n; ++i) {
    const Tuple a = r.tuple(i);
    if (r.join(a, a) != a) return false;
    for (std::size_t j = 0; j < n; ++j) {
      const Tuple b = r.tuple(j), ab = r.join(a, b);
      if (ab != r.join(b, a)) return false;
      for (std::size_t k = 0; k < n; ++k) {
        const Tuple c = r.tuple(k);
        if (r.join(ab, c) != r.join(a, r.join(b, c))) return false;
      }
    }
  }
  return true;
}

std::optional<bool> keeps_largest(const Arena& arena, const Region& region) {
  const OrderRegion r(arena, region);
  if (region.results.size() != 2 || !r.fits()) return std::nullopt;
  const auto keeps = [&](bool largest) {
    for (std::size_t i = 0; i < r.tuples(); ++i) {
      for (std::size_t j = 0; j < r.tuples(); ++j) {
        const Tuple a = r.tuple(i), b = r.tuple(j);
        const bool first = a[0] == b[0] ? a[1] <= b[1] : (a[0] > b[0]) == largest;
        if (r.join(a, b) != (first ? a : b)) return false;
      }
    }
    return true;
  };
  for (const bool largest : {true, false})
    if (keeps(largest)) return largest;
  return std::nullopt;
}

}  // namespace gg
