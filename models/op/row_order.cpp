#include "models/op/row_order.h"

#include <cmath>

#include "models/body/arena.h"
#include "models/op/compare.h"

namespace gg {
namespace {

/// A comparator of two keys, the first two parameters, as a function of them. What it says hangs on their order alone if it is made of
/// comparisons of the two; nothing if it is made of anything else.
class Comparator {
 public:
  Comparator(const Arena& arena, double a, double b) : arena_(arena), keys_{a, b} {}

  std::optional<bool> truth(ExprId id) const {
    const Expr& e = arena_[id];
    if (e.kind != ExprKind::Fn || e.type != ElementType::Pred) return std::nullopt;
    const auto kids = arena_.kids(id);
    if (e.fn == ScalarFn::Not || e.fn == ScalarFn::And || e.fn == ScalarFn::Or) {
      const auto x = truth(kids[0]), y = truth(kids[kids.size() - 1]);
      if (!x || !y) return std::nullopt;
      return e.fn == ScalarFn::Not ? !*x : e.fn == ScalarFn::And ? *x && *y
                                                                 : *x || *y;
    }
    if (kids.size() != 2) return std::nullopt;
    const auto x = key(kids[0]), y = key(kids[1]);
    if (!x || !y) return std::nullopt;
    switch (e.fn) {
      case ScalarFn::CompareEq: return *x == *y;
      case ScalarFn::CompareNe: return *x != *y;
      case ScalarFn::CompareLt: return *x < *y;
      case ScalarFn::CompareLe: return *x <= *y;
      case ScalarFn::CompareGt: return *x > *y;
      case ScalarFn::CompareGe: return *x >= *y;
      default: return std::nullopt;
    }
  }

 private:
  std::optional<double> key(ExprId id) const {
    id = canonical_operand(arena_, id).value_or(id);
    const Expr& e = arena_[id];
    return e.kind == ExprKind::Read && e.arg < 2 ? std::optional(keys_[e.arg]) : std::nullopt;
  }

  const Arena& arena_;
  double keys_[2];
};

}  // namespace

std::optional<RowOrder> row_order(const Arena& arena, const Call& call) {
  if (call.op == Op::TopK) {
    const bool largest = !call.attributes->has(Attr::Largest) || call.attributes->flag(Attr::Largest);
    return RowOrder{!largest, largest ? RowOrder::Nan::First : RowOrder::Nan::Last};
  }
  if (call.op != Op::Sort || call.regions.size() != 1 || call.regions[0]->results.size() != 1) return std::nullopt;
  const auto before = [&](double a, double b) { return Comparator(arena, a, b).truth(call.regions[0]->results[0]); };
  const auto less = before(0, 1), greater = before(1, 0), equal = before(0, 0);
  if (!less || *less == *greater || *equal) return std::nullopt;
  RowOrder order{*less, RowOrder::Nan::Apart, call.attributes->flag(Attr::IsStable)};
  const double nan = std::nan("");
  const bool first = *before(nan, 0), last = *before(0, nan);
  if (first != last && !*before(nan, nan)) order.nan = first ? RowOrder::Nan::First : RowOrder::Nan::Last;
  return order;
}

}  // namespace gg
