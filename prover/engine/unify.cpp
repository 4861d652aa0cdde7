// Unification of a definition with a term: structures are zipped, index forms become equations for the parameters.
// Alternatives (orders of commutative operands, polarities) are tried depth first through continuations.
#include <algorithm>
#include <array>

#include "prover/engine/match.h"
#include "prover/term/form_walk.h"
#include "prover/term/permuted.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

std::vector<TermId> parts_of(const Terms& t, TermId id) {
  std::vector<TermId> parts;
  for_each_part(
      t, id, [&](TermId part) { parts.push_back(part); }, [](LinId, bool) {});
  return parts;
}

}  // namespace

bool Matcher::unify_all(std::span<const TermId> p, std::span<const TermId> t, const Next& next) {
  return p.empty() ? next() : unify(p[0], t[0], [&] { return unify_all(p.subspan(1), t.subspan(1), next); });
}

bool Matcher::unify_forms(std::span<const LinId> p, std::span<const LinId> t, const Next& next) {
  return p.empty() ? next() : unify_lin(p[0], t[0], [&] { return unify_forms(p.subspan(1), t.subspan(1), next); });
}

/// Pairs two multisets of terms by skeleton, trying the orders of equal ones.
bool Matcher::unify_sets(std::vector<TermId> p, std::vector<TermId> t, const Next& next) {
  if (p.size() != t.size()) return false;
  const auto by_skeleton = [&](TermId a, TermId b) {
    const std::uint64_t x = skeleton(a), y = skeleton(b);
    return x != y ? x < y : a < b;
  };
  std::sort(p.begin(), p.end(), by_skeleton);
  std::sort(t.begin(), t.end(), by_skeleton);
  for (std::size_t k = 0; k < p.size(); ++k)
    if (skeleton(p[k]) != skeleton(t[k])) return false;
  // Recursion: the first pattern against each target of its skeleton.
  std::function<bool(std::size_t, std::vector<bool>&)> place = [&](std::size_t k, std::vector<bool>& used) -> bool {
    if (k == p.size()) return next();
    for (std::size_t j = 0; j < t.size(); ++j) {
      if (used[j] || skeleton(t[j]) != skeleton(p[k])) continue;
      used[j] = true;
      const std::size_t mark = equations_.size();
      if (unify(p[k], t[j], [&] { return place(k + 1, used); })) return true;
      equations_.resize(mark);
      used[j] = false;
      if (tries_ > kMaxTries) return true;
    }
    return false;
  };
  std::vector<bool> used(t.size(), false);
  return place(0, used);
}

bool Matcher::unify_lin(LinId p, LinId t, const Next& next) {
  // Atoms that are no variables are paired by kind and coefficient; what is inside them unifies in turn.
  const std::vector<LinTerm> ps = t_.term_list(p);
  for (const LinTerm& s : ps) {
    const AtomNode a = t_[s.atom];
    if (a.kind == AtomKind::Var) continue;
    const std::vector<LinTerm> ts = t_.term_list(t);
    for (const LinTerm& u : ts) {
      const AtomNode b = t_[u.atom];
      if (b.kind != a.kind || u.coef != s.coef || b.m != a.m || (a.kind == AtomKind::Table && a.arg2 != b.arg2)) continue;
      const LinId pl = t_.axpy(-s.coef, t_.atom_form(s.atom), p), tl = t_.axpy(-u.coef, t_.atom_form(u.atom), t);
      const std::size_t mark = equations_.size();
      const Next rest = [&] { return unify_lin(pl, tl, next); };
      bool done = false;
      switch (a.kind) {
        case AtomKind::Data:
          done = skeleton(static_cast<TermId>(a.arg)) == skeleton(static_cast<TermId>(b.arg)) &&
                 unify(static_cast<TermId>(a.arg), static_cast<TermId>(b.arg), rest);
          break;
        case AtomKind::Mul: {
          const auto both = [&](std::uint32_t x, std::uint32_t y) {
            return unify_lin(static_cast<LinId>(a.arg), static_cast<LinId>(x), [&] { return unify_lin(static_cast<LinId>(a.arg2), static_cast<LinId>(y), rest); });
          };
          done = both(b.arg, b.arg2);
          if (!done) equations_.resize(mark);
          done = done || (tries_ <= kMaxTries && both(b.arg2, b.arg));
          break;
        }
        default: done = unify_lin(static_cast<LinId>(a.arg), static_cast<LinId>(b.arg), rest); break;
      }
      if (done) return true;
      equations_.resize(mark);
      if (tries_ > kMaxTries) return true;
    }
    const auto inverse = a.kind == AtomKind::Table && ps.size() == 1 && s.coef == 1 ? inverse_table(t_.table_values(a.arg2)) : std::nullopt;
    const LinId there = t_.offset(t, -t_[p].c0);
    if (inverse && t_[there].lo >= 0 && t_[there].hi < static_cast<std::int64_t>(inverse->size()))
      return unify_lin(static_cast<LinId>(a.arg), t_.table(*inverse, there), next);
    return a.kind == AtomKind::Table && next();  // of another table the other may be a spelling at some indices
  }
  equations_.emplace_back(p, t);
  return next();
}

bool Matcher::unify_fold(TermId p, TermId t, const Next& next) {
  const FoldParts a = t_.fold_parts(p);
  const FoldParts b = t_.fold_parts(t);
  if (a.op != b.op || a.extents.size() != b.extents.size() || a.first != b.first) return false;
  // Binders of equal extents may correspond in any order.
  std::vector<std::size_t> order(a.extents.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  do {
    bool fits = true;
    for (std::size_t k = 0; k < order.size(); ++k) fits = fits && a.extents[k] == b.extents[order[k]];
    if (!fits) continue;
    Terms::Map map;
    bool identity = true;
    for (std::size_t k = 0; k < order.size(); ++k) {
      identity = identity && order[k] == k;
      map.set(static_cast<VarId>(b.first + order[k]), t_.var(static_cast<VarId>(a.first + k), a.extents[k]));
    }
    const TermId guard = identity ? b.guard : t_.rename(b.guard, map), body = identity ? b.body : t_.rename(b.body, map);
    const std::size_t mark = equations_.size();
    // Where the body tells all parameters the orders of the guard's parts need not be tried: the match is compared as a whole.
    const Next guards = [&] {
      std::vector<LinId> phi;
      return solve(matched_, phi) ? next() : unify(a.guard, guard, next);
    };
    if (unify(a.body, body, guards)) return true;
    equations_.resize(mark);
    if (tries_ > kMaxTries) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

bool Matcher::unify(TermId p, TermId t, const Next& next) {
  const TermNode n = t_[p], m = t_[t];
  if (n.free == 0 && p == t) return next();
  if (depth_ > kMaxUnified) return tries_ = kMaxTries + 1, true;  // what comes after is unified inside of it: a stack has an end
  const Nested inside(depth_);
  if (n.kind != m.kind || n.op != m.op || n.type != m.type || skeleton(p) != skeleton(t)) return false;
  const std::size_t mark = equations_.size();
  switch (n.kind) {
    case Kind::Int:
    case Kind::FromInt:
    case Kind::Wrap:
    case Kind::Ge: return unify_lin(t_.lin(p), t_.lin(t), next);
    case Kind::Eq:
      if (unify_lin(t_.lin(p), t_.lin(t), next)) return true;
      equations_.resize(mark);
      return unify_lin(t_.lin(p), t_.scale(-1, t_.lin(t)), next);
    case Kind::Read: return unify_forms(t_.index_of(p), t_.index_of(t), next);
    case Kind::Poly:
    case Kind::Mono:
    case Kind::And:
    case Kind::Or: return unify_sets(parts_of(t_, p), parts_of(t_, t), next);
    case Kind::Case: {
      if (unify_all(parts_of(t_, p), parts_of(t_, t), next)) return true;
      equations_.resize(mark);
      return unify_all(parts_of(t_, p), std::array{t_.negate(t_.kid(t, 0)), t_.kid(t, 2), t_.kid(t, 1)}, next);
    }
    case Kind::Fold: return unify_fold(p, t, next);
    case Kind::Row: {
      const RowParts a = t_.row_parts(p), b = t_.row_parts(t);
      if (a.signature != b.signature || a.leaf != b.leaf || a.first != b.first || a.extents != b.extents) return false;
      return unify_forms(a.index, b.index, [&] { return unify_all(a.bodies, b.bodies, next); });
    }
    case Kind::Fn: {
      const auto f = static_cast<ScalarFn>(n.op);
      const bool commutes = f == ScalarFn::Max || f == ScalarFn::Min || f == ScalarFn::CompareEq || f == ScalarFn::Add;
      if (n.n != m.n) return false;
      return commutes ? unify_sets(parts_of(t_, p), parts_of(t_, t), next) : unify_all(parts_of(t_, p), parts_of(t_, t), next);
    }
    case Kind::Not: return unify(t_.kid(p, 0), t_.kid(t, 0), next);
    default: return p == t && next();
  }
}

}  // namespace gg::prover
