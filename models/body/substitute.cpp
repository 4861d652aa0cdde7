// Substitution: rebuilding through the constructors, for composing bodies, restricting boxes and splitting variables;
// import into another arena is the same walk.
#include <algorithm>

#include "models/base/check.h"
#include "models/body/store.h"

namespace gg {

namespace {

using Reads = std::function<std::optional<ExprId>(int, std::span<const LinId>, int)>;

// Source id -> result id, open addressing; one for each context of variables.
class IdMap {
 public:
  std::optional<std::uint32_t> find(std::uint32_t key) const {
    if (slots_.empty()) return std::nullopt;
    for (std::size_t at = start(key); slots_[at].key != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key + 1) return slots_[at].value;
    }
    return std::nullopt;
  }
  void add(std::uint32_t key, std::uint32_t value) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    put(key + 1, value);
    ++used_;
  }

 private:
  struct Slot {
    std::uint32_t key = 0, value = 0;
  };
  std::size_t start(std::uint32_t key) const { return (key * std::size_t{0x9e3779b1}) >> 7 & (slots_.size() - 1); }
  void put(std::uint32_t key1, std::uint32_t value) {
    std::size_t at = start(key1 - 1);
    while (slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {key1, value};
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& s : old) {
      if (s.key != 0) put(s.key, s.value);
    }
  }
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

// One walk. `vars[k]` stands for level k of the source; a missing entry keeps the variable if `keep_`.
class Walk {
 public:
  Walk(const ArenaStore& from, ArenaStore& to, std::vector<std::optional<LinId>> vars, const Reads* reads, int depth,
       bool keep)
      : from_(from), to_(to), vars_(std::move(vars)), reads_(reads), depth_(depth), keep_(keep) {
    contexts_.emplace_back();
  }

  LinId lin(LinId id) {
    const Lin& l = from_.lins[id.value];
    if (l.terms == 0) return to_.constant(l.c0);
    if (const auto hit = contexts_.back().lins.find(id.value)) return {*hit};
    std::vector<Multiple> sum;
    std::int64_t c0 = l.c0;
    for (const Multiple& t : from_.terms(id)) {
      const LinId value = atom(from_.atoms[t.atom]);
      c0 = checked_add(c0, checked_mul(t.coef, to_.lins[value.value].c0));
      for (const Multiple& u : to_.terms(value)) sum.push_back({checked_mul(t.coef, u.coef), u.atom});
    }
    const LinId result = to_.combine(c0, sum);
    contexts_.back().lins.add(id.value, result.value);
    return result;
  }

  GuardId guard(GuardId id) {
    const Guard& g = from_.guards[id.value];
    switch (g.kind) {
      case GuardKind::True:
        return to_.always();
      case GuardKind::False:
        return to_.never();
      case GuardKind::Le0:
        return to_.le0(lin(LinId{g.first}));
      case GuardKind::Eq0:
        return to_.eq0(lin(LinId{g.first}));
      case GuardKind::Not:
        return to_.negate(guard(from_.kids(id)[0]));
      case GuardKind::And:
      case GuardKind::Or:
        break;
    }
    if (const auto hit = contexts_.back().guards.find(id.value)) return {*hit};
    std::vector<GuardId> list;
    for (const GuardId k : from_.kids(id)) list.push_back(guard(k));
    const GuardId result = g.kind == GuardKind::And ? to_.all(list) : to_.any(list);
    contexts_.back().guards.add(id.value, result.value);
    return result;
  }

  ExprId expr(ExprId id) {
    if (const auto hit = contexts_.back().exprs.find(id.value)) return {*hit};
    GG_CHECK(++nesting_ < kMaxNesting, "expression nested too deep");
    const ExprId result = rebuilt(id);
    --nesting_;
    contexts_.back().exprs.add(id.value, result.value);
    return result;
  }

 private:
  static constexpr int kMaxNesting = 15000;
  struct Context {
    IdMap lins, guards, exprs;
  };

  LinId atom(const Atom& a) {
    switch (a.kind) {
      case AtomKind::Var: {
        if (a.level < vars_.size() && vars_[a.level]) return *vars_[a.level];
        GG_CHECK(keep_, "substitution names no value for level " + std::to_string(a.level));
        return to_.var(a.level, a.m);
      }
      case AtomKind::Div:
        return to_.div(lin(LinId{a.arg}), a.m);
      case AtomKind::Data:
        return to_.data(expr(ExprId{a.arg}), a.lo, a.hi);
      case AtomKind::Table: {
        const LinId position = lin(LinId{a.index});
        if (&from_ == &to_) return to_.table(TableId{a.arg}, position, true);
        return to_.table(to_.make_table(from_.tables[a.arg]), position, true);
      }
    }
    return to_.constant(0);
  }

  std::vector<LinId> positions(ExprId id) {
    std::vector<LinId> list;
    for (const LinId k : from_.indices(id)) list.push_back(lin(k));
    return list;
  }

  ExprId rebuilt(ExprId id) {
    const Expr& e = from_.exprs[id.value];
    switch (e.kind) {
      case ExprKind::Read: {
        const std::vector<LinId> index = positions(id);
        if (reads_ != nullptr) {
          if (const std::optional<ExprId> r = (*reads_)(static_cast<int>(e.arg), index, depth_)) return *r;
        }
        return to_.read(static_cast<int>(e.arg), e.type, index);
      }
      case ExprKind::Index:
        return to_.index(lin(LinId{e.arg}), e.type);
      case ExprKind::Lit:
        return to_.lit(from_.scalars[e.arg]);
      case ExprKind::Constant: {
        const ArrayId array = &from_ == &to_ ? ArrayId{e.arg} : to_.make_array(from_.arrays[e.arg]);
        return to_.constant_at(array, positions(id));
      }
      case ExprKind::Fn: {
        std::vector<ExprId> list;
        for (const ExprId k : from_.kids(id)) list.push_back(expr(k));
        return to_.fn(e.fn, e.type, list);
      }
      case ExprKind::Case:
        return choice(id, e);
      case ExprKind::Fold:
        return fold(id, e);
      case ExprKind::Unknown:
        return to_.unknown(e.type);
    }
    return id;
  }

  // The side that is not taken may have no meaning here (a table out of its range), so it is not built.
  ExprId choice(ExprId id, const Expr& e) {
    const GuardId g = guard(GuardId{e.arg});
    const GuardKind kind = to_.guards[g.value].kind;
    const std::span<const ExprId> sides = from_.kids(id);
    if (kind == GuardKind::True) return expr(sides[0]);
    if (kind == GuardKind::False) return expr(sides[1]);
    const ExprId then = expr(sides[0]);
    return to_.select(g, then, expr(sides[1]));
  }

  ExprId fold(ExprId id, const Expr& e) {
    const ExprId init = expr(from_.kids(id)[0]);
    const std::span<const std::int64_t> extents = from_.extent_pool.run(e.first_extent, e.fold_vars);
    const std::vector<std::optional<LinId>> outer = vars_;
    const int outer_depth = depth_;
    const int first = &from_ == &to_ ? depth_ : e.fold_level;  // an import keeps the levels
    vars_.resize(std::max<std::size_t>(vars_.size(), e.fold_level + extents.size()));
    for (std::size_t k = e.fold_level; k < vars_.size(); ++k) {
      const std::size_t v = k - e.fold_level;
      vars_[k] = std::nullopt;
      if (v < extents.size()) vars_[k] = to_.var(first + static_cast<int>(v), extents[v]);
    }
    depth_ = first + static_cast<int>(extents.size());
    contexts_.emplace_back();
    const GuardId g = guard(GuardId{e.arg});
    std::optional<ExprId> body;
    if (to_.guards[g.value].kind != GuardKind::False) body = expr(from_.kids(id)[1]);
    contexts_.pop_back();
    vars_ = outer;
    depth_ = outer_depth;
    return body ? to_.fold(e.fn, init, first, extents, g, *body) : init;
  }

  const ArenaStore& from_;
  ArenaStore& to_;
  std::vector<std::optional<LinId>> vars_;
  const Reads* reads_;
  int depth_;
  bool keep_;
  int nesting_ = 0;
  std::deque<Context> contexts_;
};

std::vector<std::optional<LinId>> optional_vars(std::span<const LinId> vars) { return {vars.begin(), vars.end()}; }

}  // namespace

ExprId ArenaStore::rename(ExprId id, std::span<const std::optional<LinId>> vars, int depth) {
  return Walk(*this, *this, {vars.begin(), vars.end()}, nullptr, depth, true).expr(id);
}

GuardId ArenaStore::rename(GuardId id, std::span<const std::optional<LinId>> vars, int depth) {
  return Walk(*this, *this, {vars.begin(), vars.end()}, nullptr, depth, true).guard(id);
}

ExprId Arena::substitute(ExprId id, const Substitution& s) {
  return Walk(*store_, *store_, optional_vars(s.vars), s.read ? &s.read : nullptr, s.depth, false).expr(id);
}

LinId Arena::substitute(LinId id, const Substitution& s) {
  return Walk(*store_, *store_, optional_vars(s.vars), s.read ? &s.read : nullptr, s.depth, false).lin(id);
}

GuardId Arena::substitute(GuardId id, const Substitution& s) {
  return Walk(*store_, *store_, optional_vars(s.vars), s.read ? &s.read : nullptr, s.depth, false).guard(id);
}

ExprId Arena::import(const Arena& from, ExprId id) {
  GG_CHECK(&from != this, "import of an arena into itself");
  return Walk(*from.store_, *store_, {}, nullptr, 0, true).expr(id);
}

}  // namespace gg
