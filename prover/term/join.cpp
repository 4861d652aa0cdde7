// Folds of one operation whose boxes are neighbours become one fold (certificate.md, F7).
#include <algorithm>

#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxJoin = 24;  ///< folds of one sum or extremum that are compared with each other

/// What two folds that join have in common: everything but index forms, guards and extents.
std::uint64_t shape(const Terms& t, TermId id, SmallMap<std::uint64_t>& memo) {
  if (const std::uint64_t* known = memo.find(raw(id))) return *known;
  const TermNode n = t[id];
  std::uint64_t h = mix(static_cast<std::uint64_t>(n.kind), n.op * 7ULL + n.type);
  const auto kid = [&](TermId k) { h += mix(3, shape(t, k, memo)); };
  switch (n.kind) {
    case Kind::Lit: h = mix(h, raw(id)); break;
    case Kind::Read: h = mix(h, t.anchor_of(id)); break;
    case Kind::Mono:
      for (const Factor& f : t.factors(id)) h += mix(raw(f.exp), shape(t, f.term, memo));
      break;
    case Kind::Poly:
      for (const Summand& s : t.summands(id)) kid(s.mono);
      break;
    case Kind::Fold:
      h = mix(h, t.fold_parts(id).extents.size());
      kid(t.fold_parts(id).body);
      break;
    case Kind::Row:
      for (const TermId b : t.row_parts(id).bodies) kid(b);
      break;
    case Kind::Fn:
    case Kind::And:
    case Kind::Or:
    case Kind::Not:
    case Kind::Case:
      for (std::size_t k = 0; k < n.n; ++k) kid(t.kid(id, k));
      break;
    default: break;
  }
  memo.add(raw(id), h);
  return h;
}

}  // namespace

/// The fold with its k-th binder replaced by one of `extent`, plus `shift`; Unknown if its guard never holds.
TermId Terms::fold_at(TermId id, std::size_t k, std::int64_t extent, std::int64_t shift) {
  const FoldParts p = fold_parts(id);
  std::vector<std::int64_t> extents = p.extents;
  extents[k] = extent;
  const std::vector<LinId> vars = push_vars(extents);
  Map map;
  for (std::size_t j = 0; j < vars.size(); ++j)
    map.set(static_cast<VarId>(p.first + j), j == k ? offset(vars[j], shift) : vars[j]);
  const TermId guard = substitute(p.guard, map);
  const TermId result = guard == TermId::False ? TermId::Unknown : fold(p.op, vars, guard, substitute(p.body, map));
  pop_vars(vars.size());
  return result;
}

/// Two folds of one operation as one, where their boxes are neighbours or they are neighbouring slices.
std::optional<TermId> Terms::join_folds(TermId a, TermId b) {
  const PairKey key{raw(a), raw(b)};
  if (const TermId* known = store_->join_memo.find(key)) return *known == TermId::Unknown ? std::nullopt : std::optional(*known);
  std::optional<TermId> whole = join_boxes(a, b);
  if (!whole) whole = join_slices(a, b);
  store_->join_memo.set(key, whole.value_or(TermId::Unknown));
  return whole;
}

/// sum_{b < n} f(b) and sum_{b < m} f(b + n) as sum_{b < n+m} f(b).
std::optional<TermId> Terms::join_boxes(TermId a, TermId b) {
  const FoldParts p = fold_parts(a);
  std::vector<std::int64_t> other = fold_parts(b).extents;
  if (p.op != fold_parts(b).op || p.extents.size() != other.size()) return std::nullopt;
  std::sort(other.begin(), other.end());
  std::vector<std::int64_t> tried;
  for (std::size_t k = 0; k < p.extents.size(); ++k) {
    // The extent that is left of b's when a's others are taken away.
    std::vector<std::int64_t> rest = p.extents, left;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    std::sort(rest.begin(), rest.end());
    std::set_difference(other.begin(), other.end(), rest.begin(), rest.end(), std::back_inserter(left));
    if (left.size() != 1) continue;
    if (fold_at(a, k, left[0], p.extents[k]) == b) return fold_at(a, k, p.extents[k] + left[0], 0);
  }
  // The guard of the second may hold in all of the first.
  std::vector<std::int64_t> mine = p.extents;
  std::sort(mine.begin(), mine.end());
  const std::vector<std::int64_t> theirs = fold_parts(b).extents;
  if (fold_parts(b).guard == TermId::True) return std::nullopt;
  for (std::size_t k = 0; k < theirs.size(); ++k) {
    std::vector<std::int64_t> rest = theirs, left;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    std::sort(rest.begin(), rest.end());
    std::set_difference(mine.begin(), mine.end(), rest.begin(), rest.end(), std::back_inserter(left));
    if (left.size() != 1) continue;
    if (fold_at(b, k, left[0], -left[0]) == a) return fold_at(b, k, theirs[k] + left[0], -left[0]);
  }
  return std::nullopt;
}

/// The folds of addition among a sum's factors whose other factors are finite, or inverses of counts of what the fold adds: summand
/// list[at] is coef * rest * fold.
std::vector<Terms::FoldPart> Terms::fold_parts_of(const std::vector<Summand>& list) {
  std::vector<FoldPart> parts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::vector<Factor> f = factors(list[i].mono);
    for (std::size_t k = 0; k < f.size(); ++k) {
      if (f[k].exp != RatId::One || (*this)[f[k].term].kind != Kind::Fold ||
          static_cast<ScalarFn>((*this)[f[k].term].op) != ScalarFn::Add)
        continue;
      std::vector<Factor> rest = f;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
      const TermId others = rest.empty() ? TermId::One : mono(rest);
      const bool finite = attributes(others).finite;
      if (!finite) std::erase_if(rest, [&](const Factor& r) { return q.sign(r.exp) < 0 && counts(r.term, f[k].term); });
      if (finite || attributes(mono(rest)).finite) parts.push_back({i, f[k].term, others, list[i].coef, finite});
    }
  }
  return parts;
}

/// What stands beside the fold.
TermId Terms::outside(const FoldPart& p) { return p.rest == TermId::One ? lit(p.coef) : monomial(p.coef, p.rest); }

/// Two summands replaced by the one that they are together.
void Terms::replace_two(std::vector<Summand>& list, std::size_t i, std::size_t j, TermId whole) {
  const std::vector<Summand> joined = summands(whole);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
  list.insert(list.end(), joined.begin(), joined.end());
}

/// Joins summands that are coef * rest * fold with equal coefficients and rests, until none does.
bool Terms::join_sum(std::vector<Summand>& list, const std::vector<FoldPart>& parts) {
  if (parts.size() < 2) return false;
  SmallMap<std::uint64_t> memo;
  std::vector<std::uint64_t> keys;
  for (const FoldPart& p : parts) keys.push_back(mix(mix(raw(p.rest), raw(p.coef)), shape(*this, p.fold, memo)));
  std::size_t tries = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const FoldPart &a = parts[i], &b = parts[j];
      if (a.at == b.at || keys[i] != keys[j] || a.rest != b.rest || a.coef != b.coef) continue;
      if (++tries > kMaxJoin) return false;
      const std::optional<TermId> whole = join_folds(a.fold, b.fold);
      if (!whole) continue;
      count(a.rest == TermId::One ? LemmaId::Join : LemmaId::JoinFactor);
      replace_two(list, a.at, b.at, mul(outside(a), *whole));
      return true;
    }
  }
  return false;
}

/// outside * fold_{b < n} f(b) and outside * f(n), or f(-1), as outside * one fold of n+1.
std::optional<TermId> Terms::join_point(TermId outside, TermId fold, TermId point) {
  const std::vector<std::int64_t> extents = fold_parts(fold).extents;
  for (std::size_t b = 0; b < extents.size(); ++b) {
    for (const bool after : {true, false}) {
      const TermId there = fold_at(fold, b, 1, after ? extents[b] : -1);
      if (there != TermId::Unknown && mul(outside, there) == point) return mul(outside, fold_at(fold, b, extents[b] + 1, after ? 0 : -1));
    }
  }
  return std::nullopt;
}

/// Joins summands that are folds with those that are the fold's next element.
bool Terms::join_points(std::vector<Summand>& list, const std::vector<FoldPart>& parts) {
  std::size_t tries = 0;
  for (const FoldPart& p : parts) {
    for (std::size_t j = 0; j < list.size(); ++j) {
      if (!p.finite || j == p.at || (*this)[list[j].mono].reads != (*this)[list[p.at].mono].reads) continue;
      if (++tries > kMaxJoin) return false;
      const auto whole = join_point(outside(p), p.fold, monomial(list[j].coef, list[j].mono));
      if (!whole) continue;
      count(LemmaId::JoinPoint);
      replace_two(list, p.at, j, *whole);
      return true;
    }
  }
  return false;
}

/// One step of F7; call again until there is none.
bool Terms::join_summands(std::vector<Summand>& list) {
  const std::vector<FoldPart> parts = fold_parts_of(list);
  return join_sum(list, parts) || join_points(list, parts);
}

/// The same for the kids of a maximum or minimum.
bool Terms::join_extremum(ScalarFn f, std::vector<TermId>& list) {
  struct Part {
    TermId whole, fold;
    RatId coef;
  };
  std::vector<Part> folds;
  for (const TermId k : list) {
    const auto [c, rest] = content(k);
    if ((*this)[rest].kind == Kind::Fold && static_cast<ScalarFn>((*this)[rest].op) == f && q.sign(c) > 0) folds.push_back({k, rest, c});
  }
  SmallMap<std::uint64_t> memo;
  std::size_t tries = 0;
  const auto replace = [&](TermId a, TermId b, TermId whole) {
    std::erase(list, a);
    std::erase(list, b);
    list.push_back(whole);
  };
  for (const Part& a : folds) {
    for (const TermId point : list) {  // the fold's next element
      if (point == a.whole || (*this)[point].reads != (*this)[a.whole].reads || ++tries > kMaxJoin) continue;
      const auto whole = join_point(lit(a.coef), a.fold, point);
      if (!whole) continue;
      count(LemmaId::JoinExtremumPoint);
      replace(a.whole, point, *whole);
      return true;
    }
    for (const Part& b : folds) {
      if (a.whole == b.whole || a.coef != b.coef || shape(*this, a.fold, memo) != shape(*this, b.fold, memo)) continue;
      if (++tries > kMaxJoin) return false;
      const std::optional<TermId> whole = join_folds(a.fold, b.fold);
      if (!whole) continue;
      replace(a.whole, b.whole, scale(a.coef, *whole));
      return true;
    }
  }
  return false;
}

}  // namespace gg::prover
