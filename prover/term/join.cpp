// Folds of one operation whose boxes are neighbours become one fold (certificate.md, F7).
#include "prover/term/join.h"

#include <algorithm>

#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxJoin = 24;  ///< folds of one sum or extremum that are compared with each other

/// What two folds that join have in common: everything but index forms, guards and extents.
std::uint64_t shape(const Terms& t, TermId id, SmallMap<std::uint64_t>& memo) {
  if (const std::uint64_t* known = memo.find(raw(id))) return *known;
  const std::uint64_t h = skeleton_of(t, id, false, [&](TermId part) { return shape(t, part, memo); });
  memo.add(raw(id), h);
  return h;
}

}  // namespace

/// The fold with its k-th binder replaced by one of `extent`, plus `shift`; Unknown if its guard never holds.
TermId Joiner::at(TermId id, std::size_t k, std::int64_t extent, std::int64_t shift) {
  const Terms::FoldParts p = t_.fold_parts(id);
  std::vector<std::int64_t> extents = p.extents;
  extents[k] = extent;
  const Fresh vars = t_.fresh(extents);
  Terms::Map map;
  for (std::size_t j = 0; j < vars.size(); ++j)
    map.set(static_cast<VarId>(p.first + j), j == k ? t_.offset(vars[j], shift) : vars[j]);
  const TermId guard = t_.substitute(p.guard, map);
  return guard == TermId::False ? TermId::Unknown : t_.fold(p.op, vars, guard, t_.substitute(p.body, map));
}

/// Two folds of one operation as one, where their boxes are neighbours or they are neighbouring slices.
std::optional<TermId> Joiner::folds(TermId a, TermId b) {
  const PairKey key{raw(a), raw(b)};
  if (const TermId* known = t_.store_->join_memo.find(key)) return *known == TermId::Unknown ? std::nullopt : std::optional(*known);
  std::optional<TermId> whole = boxes(a, b);
  if (!whole) whole = slices(a, b);
  t_.store_->join_memo.set(key, whole.value_or(TermId::Unknown));
  return whole;
}

/// sum_{b < n} f(b) and sum_{b < m} f(b + n) as sum_{b < n+m} f(b); where the guard of the second holds in all of the first, from the second back.
std::optional<TermId> Joiner::boxes(TermId a, TermId b) {
  const auto sorted = [](std::vector<std::int64_t> list) {
    std::sort(list.begin(), list.end());
    return list;
  };
  const std::vector<std::int64_t> extents[2] = {t_.fold_parts(a).extents, t_.fold_parts(b).extents};
  if (t_[a].op != t_[b].op || extents[0].size() != extents[1].size()) return std::nullopt;
  for (const bool back : {false, true}) {
    const TermId from = back ? b : a, to = back ? a : b;
    const std::vector<std::int64_t>&own = extents[back ? 1 : 0], other = sorted(extents[back ? 0 : 1]);
    if (back && t_.fold_parts(b).guard == TermId::True) return std::nullopt;
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::vector<std::int64_t> rest = sorted(without(own, k));
      std::vector<std::int64_t> left;  // the extent that is left of the other's when all but this one are taken away
      std::set_difference(other.begin(), other.end(), rest.begin(), rest.end(), std::back_inserter(left));
      if (left.size() != 1) continue;
      const std::int64_t shift = back ? -left[0] : own[k];
      if (at(from, k, left[0], shift) == to) return at(from, k, own[k] + left[0], std::min<std::int64_t>(shift, 0));
    }
  }
  return std::nullopt;
}

/// The folds of addition among a sum's factors whose other factors are finite, or inverses of counts of what the fold adds: summand
/// list[at] is coef * rest * fold.
std::vector<Joiner::Part> Joiner::parts_of(const std::vector<Summand>& list) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::vector<Factor> f = t_.factors(list[i].mono);
    for (std::size_t k = 0; k < f.size(); ++k) {
      if (f[k].exp != RatId::One || t_[f[k].term].kind != Kind::Fold ||
          static_cast<ScalarFn>(t_[f[k].term].op) != ScalarFn::Add)
        continue;
      std::vector<Factor> rest = without(f, k);
      const TermId others = rest.empty() ? TermId::One : t_.mono(rest);
      const bool finite = t_.attributes(others).finite;
      if (!finite) std::erase_if(rest, [&](const Factor& r) { return t_.q.sign(r.exp) < 0 && t_.idle_without(r.term, f[k].term); });
      if (finite || t_.attributes(t_.mono(rest)).finite) parts.push_back({i, f[k].term, others, list[i].coef, finite});
    }
  }
  return parts;
}

/// What stands beside the fold.
TermId Joiner::outside(const Part& p) { return p.rest == TermId::One ? t_.lit(p.coef) : t_.monomial(p.coef, p.rest); }

/// Two summands replaced by the one that they are together.
void Joiner::replace_two(std::vector<Summand>& list, std::size_t i, std::size_t j, TermId whole) {
  const std::vector<Summand> joined = t_.summands(whole);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
  list.insert(list.end(), joined.begin(), joined.end());
}

/// Joins summands that are coef * rest * fold with equal coefficients and rests, until none does.
bool Joiner::sum(std::vector<Summand>& list, const std::vector<Part>& parts) {
  if (parts.size() < 2) return false;
  SmallMap<std::uint64_t> memo;
  std::vector<std::uint64_t> keys;
  for (const Part& p : parts) keys.push_back(mix(mix(raw(p.rest), raw(p.coef)), shape(t_, p.fold, memo)));
  std::size_t tries = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const Part &a = parts[i], &b = parts[j];
      if (a.at == b.at || keys[i] != keys[j] || a.rest != b.rest || a.coef != b.coef) continue;
      if (++tries > kMaxJoin) return false;
      const std::optional<TermId> whole = folds(a.fold, b.fold);
      if (!whole) continue;
      t_.count(a.rest == TermId::One ? LemmaId::Join : LemmaId::JoinFactor);
      replace_two(list, a.at, b.at, t_.mul(outside(a), *whole));
      return true;
    }
  }
  return false;
}

/// outside * fold_{b < n} f(b) and outside * f(n), or f(-1), as outside * one fold of n+1.
std::optional<TermId> Joiner::point(TermId beside, TermId fold, TermId next) {
  const std::vector<std::int64_t> extents = t_.fold_parts(fold).extents;
  for (std::size_t b = 0; b < extents.size(); ++b) {
    for (const bool after : {true, false}) {
      const TermId there = at(fold, b, 1, after ? extents[b] : -1);
      if (there != TermId::Unknown && t_.mul(beside, there) == next) return t_.mul(beside, at(fold, b, extents[b] + 1, after ? 0 : -1));
    }
  }
  return std::nullopt;
}

/// Joins summands that are folds with those that are the fold's next element.
bool Joiner::points(std::vector<Summand>& list, const std::vector<Part>& parts) {
  std::size_t tries = 0;
  for (const Part& p : parts) {
    for (std::size_t j = 0; j < list.size(); ++j) {
      if (!p.finite || j == p.at || t_[list[j].mono].reads != t_[list[p.at].mono].reads) continue;
      if (++tries > kMaxJoin) return false;
      const auto whole = point(outside(p), p.fold, t_.monomial(list[j].coef, list[j].mono));
      if (!whole) continue;
      t_.count(LemmaId::JoinPoint);
      replace_two(list, p.at, j, *whole);
      return true;
    }
  }
  return false;
}

/// One step of F7; call again until there is none.
bool Joiner::summands(std::vector<Summand>& list) {
  const std::vector<Part> parts = parts_of(list);
  return sum(list, parts) || points(list, parts);
}

/// The same for the kids of a maximum or minimum.
bool Joiner::extremum(ScalarFn f, std::vector<TermId>& list) {
  struct Side {
    TermId whole, fold;
    RatId coef;
  };
  std::vector<Side> sides;
  for (const TermId k : list) {
    const auto [c, rest] = t_.content(k);
    if (t_[rest].kind == Kind::Fold && static_cast<ScalarFn>(t_[rest].op) == f && t_.q.sign(c) > 0) sides.push_back({k, rest, c});
  }
  SmallMap<std::uint64_t> memo;
  std::size_t tries = 0;
  const auto replace = [&](TermId a, TermId b, TermId whole) {
    std::erase(list, a);
    std::erase(list, b);
    list.push_back(whole);
  };
  for (const Side& a : sides) {
    for (const TermId next : list) {  // the fold's next element
      if (next == a.whole || t_[next].reads != t_[a.whole].reads || ++tries > kMaxJoin) continue;
      const auto whole = point(t_.lit(a.coef), a.fold, next);
      if (!whole) continue;
      t_.count(LemmaId::JoinExtremumPoint);
      replace(a.whole, next, *whole);
      return true;
    }
    for (const Side& b : sides) {
      if (a.whole == b.whole || a.coef != b.coef || shape(t_, a.fold, memo) != shape(t_, b.fold, memo)) continue;
      if (++tries > kMaxJoin) return false;
      const std::optional<TermId> whole = folds(a.fold, b.fold);
      if (!whole) continue;
      replace(a.whole, b.whole, t_.scale(a.coef, *whole));
      return true;
    }
  }
  return false;
}

}  // namespace gg::prover
