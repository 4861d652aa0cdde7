// Exact answers for forms over very few points: their range, and guards of one small variable.
#include <algorithm>

#include "models/body/store.h"

namespace gg {

namespace {

// Leaves are variables and data indices; div and table atoms are evaluated through them. Leaves are taken as
// independent, so the values found are a superset of those that occur.
class SmallWalk {
 public:
  explicit SmallWalk(const ArenaStore& store) : store_(store) {}

  bool collect(std::span<const Multiple> terms, int depth = 0) {
    if (depth > 8) return false;
    for (const Multiple& t : terms) {
      const Atom& a = store_.atoms[t.atom];
      if (a.kind == AtomKind::Div) {
        if (!collect(store_.terms(LinId{a.arg}), depth + 1)) return false;
      } else if (a.kind == AtomKind::Table) {
        if (!collect(store_.terms(LinId{a.index}), depth + 1)) return false;
      } else if (std::find(leaves.begin(), leaves.end(), t.atom) == leaves.end()) {
        leaves.push_back(t.atom);
        if (leaves.size() > 4) return false;
      }
    }
    return true;
  }

  std::optional<std::int64_t> value(std::int64_t c0, std::span<const Multiple> terms) const {
    std::int64_t sum = c0;
    for (const Multiple& t : terms) {
      const std::optional<std::int64_t> v = atom(t.atom);
      std::int64_t product = 0;
      if (!v || __builtin_mul_overflow(t.coef, *v, &product) || __builtin_add_overflow(sum, product, &sum)) {
        return std::nullopt;
      }
    }
    return sum;
  }

  std::vector<std::uint32_t> leaves;
  std::vector<std::int64_t> point;

 private:
  std::optional<std::int64_t> of(std::uint32_t lin) const {
    return value(store_.lins[lin].c0, store_.terms(LinId{lin}));
  }
  std::optional<std::int64_t> atom(std::uint32_t id) const {
    const Atom& a = store_.atoms[id];
    if (a.kind == AtomKind::Div) {
      const auto v = of(a.arg);
      return v ? std::optional(floor_div(*v, a.m)) : v;
    }
    if (a.kind == AtomKind::Table) {
      const std::vector<std::int64_t>& values = store_.tables[a.arg];
      const auto v = of(a.index);
      if (!v || *v < 0 || *v >= static_cast<std::int64_t>(values.size())) return std::nullopt;
      return values[static_cast<std::size_t>(*v)];
    }
    return point[static_cast<std::size_t>(std::find(leaves.begin(), leaves.end(), id) - leaves.begin())];
  }
  const ArenaStore& store_;
};

}  // namespace

std::optional<ArenaStore::SmallBox> ArenaStore::small_box(std::int64_t c0, std::span<const Multiple> list,
                                                          std::int64_t max_points) const {
  SmallWalk walk(*this);
  if (!walk.collect(list)) return std::nullopt;
  std::int64_t points = 1;
  for (const std::uint32_t leaf : walk.leaves) {
    const Atom& a = atoms[leaf];
    if (a.hi - a.lo < 0 || a.hi - a.lo >= max_points / points) return std::nullopt;
    points *= a.hi - a.lo + 1;
    walk.point.push_back(a.lo);
  }
  SmallBox box{walk.leaves, {}};
  for (;;) {
    const std::optional<std::int64_t> v = walk.value(c0, list);
    if (!v) return std::nullopt;
    box.values.push_back(*v);
    std::size_t k = walk.leaves.size();
    while (k > 0 && ++walk.point[k - 1] > atoms[walk.leaves[k - 1]].hi) {
      walk.point[k - 1] = atoms[walk.leaves[k - 1]].lo;
      --k;
    }
    if (k == 0) return box;
  }
}

// A guard over one small leaf that holds on an interval of it (or off one point) is a guard of the leaf itself:
// `(3 + m) mod 4 == 0` is `m == 1`. Guards whose form is the leaf already stay.
std::optional<GuardId> ArenaStore::enumerated(LinId a, bool equality) {
  constexpr std::int64_t kMaxPoints = 64;
  const std::span<const Multiple> list = terms(a);
  const auto is_leaf = [&](const Multiple& t) {
    return atoms[t.atom].kind == AtomKind::Var || atoms[t.atom].kind == AtomKind::Data;
  };
  if (std::all_of(list.begin(), list.end(), is_leaf)) return std::nullopt;
  const std::optional<SmallBox> box = small_box(lins[a.value].c0, list, kMaxPoints);
  if (!box || box->leaves.size() != 1) return std::nullopt;
  const auto n = static_cast<std::int64_t>(box->values.size());
  std::int64_t first = n, last = -1, holds = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t v = box->values[static_cast<std::size_t>(i)];
    if (equality ? v != 0 : v > 0) continue;
    first = std::min(first, i), last = i, ++holds;
  }
  const LinId leaf = of_atom(box->leaves[0]);
  const std::int64_t base = atoms[box->leaves[0]].lo;
  if (holds == 0) return never();
  if (last - first + 1 == holds) {
    const GuardId both[] = {le0(axpy(-1, leaf, constant(base + first))), le0(axpy(1, leaf, constant(-base - last)))};
    return all(both);
  }
  if (holds == n - 1) {
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t v = box->values[static_cast<std::size_t>(i)];
      if (equality ? v != 0 : v > 0) return negate(eq0(axpy(1, leaf, constant(-base - i))));
    }
  }
  return std::nullopt;
}

}  // namespace gg
