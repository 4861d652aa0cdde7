// Folds: variables of extent 1 vanish, empty and single boxes are no folds.
#include <algorithm>
#include <limits>

#include "models/base/check.h"
#include "models/body/store.h"

namespace gg {

bool is_unit(ScalarFn monoid, const Scalar& value) {
  const bool integral = is_integral(value.type);
  const Interval range = integral ? integral_range(value.type) : Interval{0, 0};
  const double infinity = std::numeric_limits<double>::infinity();
  switch (monoid) {
    case ScalarFn::Add:
    case ScalarFn::Or:
    case ScalarFn::Xor:
      return integral ? value.integer == 0 : value.real == 0;
    case ScalarFn::Multiply:
      return integral ? value.integer == 1 : value.real == 1;
    case ScalarFn::And:
      return integral && value.integer == (value.type == ElementType::Pred ? 1 : wrap_to(value.type, -1));
    case ScalarFn::Max:
      return integral ? value.integer == range.lo : value.real == -infinity;
    case ScalarFn::Min:
      return integral ? value.type != ElementType::U64 && value.integer == range.hi : value.real == infinity;
    default:
      return false;
  }
}

ExprId ArenaStore::fold(ScalarFn monoid, ExprId init, int first_level, std::span<const std::int64_t> extents,
                        GuardId guard, ExprId body) {
  GG_CHECK(is_monoid(monoid), "fold over a function that is no monoid");
  GG_CHECK(exprs[init.value].type == exprs[body.value].type, "fold whose start has another type");
  GG_CHECK(first_level >= 0 && first_level + static_cast<int>(extents.size()) < 60000, "fold level");
  if (guards[guard.value].kind == GuardKind::False) return init;
  for (const std::int64_t n : extents) {
    if (n == 0) return init;
  }
  // Variables of extent 1 are constants already; those behind them move up.
  std::vector<std::int64_t> kept;
  std::vector<std::optional<LinId>> moved(static_cast<std::size_t>(first_level) + extents.size());
  for (std::size_t k = 0; k < extents.size(); ++k) {
    GG_CHECK(extents[k] > 0, "fold over a negative extent");
    if (extents[k] == 1) continue;
    const int to = first_level + static_cast<int>(kept.size());
    moved[static_cast<std::size_t>(first_level) + k] = var(to, extents[k]);
    kept.push_back(extents[k]);
  }
  if (kept.size() < extents.size()) {  // inner folds move up too
    const int depth = first_level + static_cast<int>(kept.size());
    guard = rename(guard, moved, depth);
    body = rename(body, moved, depth);
    if (guards[guard.value].kind == GuardKind::False) return init;
  }
  if (kept.empty()) {
    const Scalar* const start = literal(init);
    const ExprId both[] = {init, body};
    const ExprId one = start != nullptr && is_unit(monoid, *start) ? body : fn(monoid, exprs[body.value].type, both);
    return select(guard, one, init);
  }
  Expr e{ExprKind::Fold, exprs[body.value].type};
  e.fn = monoid;
  e.arg = guard.value;
  e.fold_level = static_cast<std::uint16_t>(first_level);
  const auto bound = e.fold_level;  // what lies below may be free; forms know only their highest level
  e.levels = std::max(exprs[init.value].levels,
                      std::max(std::min(exprs[body.value].levels, bound), std::min(guards[guard.value].levels, bound)));
  const ExprId parts[] = {init, body};
  return intern_expr(e, parts, {}, kept);
}

}  // namespace gg
