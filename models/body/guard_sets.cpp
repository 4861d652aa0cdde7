// Negation, conjunctions and disjunctions: flattened, sorted, unique; parts that decide or imply each other over the
// same linear form are merged. A disjunction is simplified as the negation of a conjunction, so there is one set of
// rules.
#include <algorithm>

#include "models/body/store.h"

namespace gg {

namespace {

constexpr std::size_t kMaxPairwise = 24;  // parts beyond which only duplicates are merged

bool by_id(GuardId a, GuardId b) { return a.value < b.value; }

// A part as a condition on its linear form: kind (Le0, Eq0, Not = not equal) over `lin`.
struct Part {
  GuardKind kind = GuardKind::True;
  LinId lin;
};

enum class Merge : std::uint8_t { None,
                                  Never,
                                  DropFirst,
                                  DropSecond,
                                  Replace };

class PairRules {
 public:
  explicit PairRules(ArenaStore& store) : store_(store) {}

  // What `first and second` is; on Replace both give way to replacement().
  Merge merge(GuardId first, GuardId second) {
    const Part a = part(first), b = part(second);
    if (a.kind == GuardKind::True || b.kind == GuardKind::True) return Merge::None;
    const int side = relation(a.lin, b.lin);
    if (side == 0) return Merge::None;
    const std::int64_t ca = store_.lins[a.lin.value].c0, cb = store_.lins[b.lin.value].c0;
    if (a.kind == GuardKind::Le0 && b.kind == GuardKind::Le0) return bounds(a.lin, side, ca, cb);
    if (a.kind == GuardKind::Le0) return flip(with_bound(b, a.lin, side));
    if (b.kind == GuardKind::Le0) return with_bound(a, b.lin, side);
    const bool same = ca == side * cb;  // both single values of the form: -ca and -side*cb
    if (a.kind == GuardKind::Eq0 && b.kind == GuardKind::Eq0) return same ? Merge::None : Merge::Never;
    if (a.kind == GuardKind::Not && b.kind == GuardKind::Not) return Merge::None;
    if (same) return Merge::Never;
    return a.kind == GuardKind::Not ? Merge::DropFirst : Merge::DropSecond;
  }
  GuardId replacement() const { return replacement_; }

 private:
  Part part(GuardId id) const {
    const Guard& g = store_.guards[id.value];
    if (g.kind == GuardKind::Le0 || g.kind == GuardKind::Eq0) return {g.kind, LinId{g.first}};
    if (g.kind == GuardKind::Not) return {GuardKind::Not, LinId{store_.guards[store_.kids(id)[0].value].first}};
    return {};
  }
  // 1: equal up to the constant, -1: opposite up to the constant.
  int relation(LinId a, LinId b) const {
    const std::span<const Multiple> x = store_.terms(a), y = store_.terms(b);
    if (x.size() != y.size()) return 0;
    const int side = x[0].coef == y[0].coef ? 1 : -1;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i].atom != y[i].atom || x[i].coef != side * y[i].coef) return 0;
    }
    return side;
  }
  // L + ca <= 0 and side*L + cb <= 0.
  Merge bounds(LinId a, int side, std::int64_t ca, std::int64_t cb) {
    if (side == 1) return ca >= cb ? Merge::DropSecond : Merge::DropFirst;
    if (cb > -ca) return Merge::Never;
    if (cb < -ca) return Merge::None;
    replacement_ = store_.eq0(a);
    return Merge::Replace;
  }
  // A value condition L + c (== | !=) 0 first, a bound second with lin side*L + cb.
  Merge with_bound(const Part& value, LinId bound, int side) {
    const std::int64_t c = store_.lins[value.lin.value].c0, cb = store_.lins[bound.value].c0;
    const std::int64_t slack = checked_add(checked_mul(-side, c), cb);  // the bound's form where L + c == 0
    if (value.kind == GuardKind::Eq0) return slack <= 0 ? Merge::DropSecond : Merge::Never;
    if (slack > 0) return Merge::DropFirst;
    if (slack < 0) return Merge::None;
    replacement_ = store_.le0(store_.axpy(1, bound, store_.constant(1)));
    return Merge::Replace;
  }
  static Merge flip(Merge m) {
    if (m == Merge::DropFirst) return Merge::DropSecond;
    return m == Merge::DropSecond ? Merge::DropFirst : m;
  }
  ArenaStore& store_;
  GuardId replacement_;
};

// Flattens one level of `kind` (kids of a set are never sets of the same kind), sorts, drops duplicates.
void flatten_set(const ArenaStore& store, GuardKind kind, std::vector<GuardId>& list) {
  std::vector<GuardId> flat;
  for (const GuardId id : list) {
    if (store.guards[id.value].kind == kind) {
      const std::span<const GuardId> inner = store.kids(id);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(id);
    }
  }
  std::sort(flat.begin(), flat.end(), by_id);
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  list = std::move(flat);
}

// One pass of pair rules over a conjunction; true if it changed. `never` is set when two parts exclude each other.
bool merge_pairs(ArenaStore& store, std::vector<GuardId>& list, bool& never) {
  PairRules rules(store);
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t j = i + 1; j < list.size(); ++j) {
      switch (rules.merge(list[i], list[j])) {
        case Merge::None:
          continue;
        case Merge::Never:
          never = true;
          return false;
        case Merge::DropFirst:
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
          return true;
        case Merge::DropSecond:
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(j));
          return true;
        case Merge::Replace:
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(j));
          list[i] = rules.replacement();
          return true;
      }
    }
  }
  return false;
}

}  // namespace

GuardId ArenaStore::negate(GuardId id) {
  const Guard& g = guards[id.value];
  switch (g.kind) {
    case GuardKind::True:
      return never();
    case GuardKind::False:
      return always();
    case GuardKind::Not:
      return kids(id)[0];
    case GuardKind::Le0:
      return le0(axpy(-1, LinId{g.first}, constant(1)));
    case GuardKind::Eq0: {
      const LinId a{g.first};
      const Lin& l = lins[a.value];
      if (l.lo == 0) return le0(axpy(-1, a, constant(1)));
      if (l.hi == 0) return le0(axpy(1, a, constant(1)));
      return intern_guard(GuardKind::Not, {&id, 1}, 0, g.levels);
    }
    case GuardKind::And:
    case GuardKind::Or: {
      std::vector<GuardId> list;
      for (const GuardId k : kids(id)) list.push_back(negate(k));
      const GuardKind dual = g.kind == GuardKind::And ? GuardKind::Or : GuardKind::And;
      flatten_set(*this, dual, list);
      return make_set(dual, std::move(list));
    }
  }
  return id;
}

GuardId ArenaStore::make_set(GuardKind kind, std::vector<GuardId> list) {
  if (list.empty()) return kind == GuardKind::And ? always() : never();
  if (list.size() == 1) return list[0];
  std::uint16_t levels = 0;
  for (const GuardId k : list) levels = std::max(levels, guards[k.value].levels);
  return intern_guard(kind, list, 0, levels);
}

GuardId ArenaStore::all(std::span<const GuardId> parts) {
  std::vector<GuardId> list(parts.begin(), parts.end());
  for (bool changed = true; changed;) {
    flatten_set(*this, GuardKind::And, list);
    if (std::find(list.begin(), list.end(), never()) != list.end()) return never();
    std::erase(list, always());
    if (list.size() > kMaxPairwise) break;
    bool excluded = false;
    changed = merge_pairs(*this, list, excluded);
    if (excluded) return never();
  }
  for (const GuardId k : list) {  // a part and its negation (sets only; single conditions are done above)
    if (guards[k.value].kind == GuardKind::Or && std::binary_search(list.begin(), list.end(), negate(k), by_id)) {
      return never();
    }
  }
  return make_set(GuardKind::And, std::move(list));
}

GuardId ArenaStore::any(std::span<const GuardId> parts) {
  std::vector<GuardId> opposite(parts.begin(), parts.end());
  flatten_set(*this, GuardKind::Or, opposite);
  for (GuardId& k : opposite) k = negate(k);
  return negate(all(opposite));
}

}  // namespace gg
