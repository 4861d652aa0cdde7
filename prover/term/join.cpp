// Folds of one operation whose boxes are neighbours become one fold (certificate.md, F7).
#include "prover/term/join.h"

#include <algorithm>
#include <unordered_map>

#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxJoin = 48;  ///< pairs of one sum or extremum that are compared with each other

/// How many elements of the k-th binder the other summand may have: one, or what is left of a fold's extents without those of the others.
std::vector<std::int64_t> lengths(const std::vector<std::int64_t>& own, std::size_t k, std::span<const std::vector<std::int64_t>> others) {
  std::vector<std::int64_t> result{1}, rest = without(own, k);
  std::sort(rest.begin(), rest.end());
  for (std::vector<std::int64_t> all : others) {
    std::sort(all.begin(), all.end());
    std::vector<std::int64_t> left;
    std::set_difference(all.begin(), all.end(), rest.begin(), rest.end(), std::back_inserter(left));
    if (left.size() == 1) result.push_back(left[0]);
  }
  return result;
}

}  // namespace

/// What two folds that join have in common: everything but index forms, guards and extents. Only saves attempts.
std::uint64_t Joiner::shape(TermId id) {
  if (const std::uint64_t* known = shapes_.find(raw(id))) return *known;
  const std::uint64_t h = skeleton_of(t_, id, false, [&](TermId part) { return shape(part); });
  shapes_.add(raw(id), h);
  return h;
}

/// The fold with its k-th binder replaced by one of `extent`, plus `shift`; Unknown if its guard never holds.
TermId Joiner::at(TermId id, std::size_t k, std::int64_t extent, std::int64_t shift) {
  const FoldParts p = t_.fold_parts(id);
  std::vector<std::int64_t> extents = p.extents;
  extents[k] = extent;
  const Fresh vars = t_.fresh(extents);
  Terms::Map map;
  for (std::size_t j = 0; j < vars.size(); ++j)
    map.set(static_cast<VarId>(p.first + j), j == k ? t_.offset(vars[j], shift) : vars[j]);
  const TermId guard = t_.substitute(p.guard, map);
  return guard == TermId::False ? TermId::Unknown : t_.fold(p.op, vars, guard, t_.substitute(p.body, map));
}

std::vector<Joiner::Part> Joiner::parts_of(ScalarFn f, TermId id) {
  const std::vector<Summand> list = t_.summands(id);
  if (list.size() != 1) return {};
  const std::vector<Factor> factors = t_.factors(list[0].mono);
  if (f != ScalarFn::Add && (factors.size() != 1 || t_.q.sign(list[0].coef) <= 0)) return {};
  std::vector<Part> parts;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const TermNode& n = t_[factors[k].term];
    if (factors[k].exp != RatId::One || n.kind != Kind::Fold || static_cast<ScalarFn>(n.op) != f) continue;
    parts.push_back({factors[k].term, factors.size() == 1 ? TermId::One : t_.mono(without(factors, k)), list[0].coef});
  }
  return parts;
}

/// What stands beside the fold.
TermId Joiner::outside(const Part& p) { return p.rest == TermId::One ? t_.lit(p.coef) : t_.monomial(p.coef, p.rest); }

/// Is it finite, but for inverses of counts of what stands beside it?
bool Joiner::fits(TermId rest, TermId beside) {
  if (rest == TermId::One || t_.attributes(rest).finite) return true;
  std::vector<Factor> list = t_.factors(rest);
  std::erase_if(list, [&](const Factor& f) { return t_.q.sign(f.exp) < 0 && t_.idle_without(f.term, beside); });
  return t_.attributes(t_.mono(std::move(list))).finite;
}

/// fold_{b < n} f(b) and fold_{b < m} f(b + n), or f(n), as fold_{b < n+m} f(b), both with the same beside them; `back`: the fold and what is
/// before it, f(b - m) or f(-1), where its guard holds in all of that.
std::optional<TermId> Joiner::next_to(const Part& p, TermId other, const std::vector<Part>& others, bool back) {
  const FoldParts fold = t_.fold_parts(p.fold);
  std::vector<std::vector<std::int64_t>> boxes;
  for (const Part& o : others)
    if (shape(o.fold) == shape(p.fold)) boxes.push_back(t_.fold_parts(o.fold).extents);
  for (std::size_t k = 0; k < fold.extents.size(); ++k) {
    for (const std::int64_t more : lengths(fold.extents, k, boxes)) {
      if (back && more > 1 && fold.guard == TermId::True) continue;  // the other fold goes on from its end
      const std::int64_t shift = back ? -more : fold.extents[k];
      const TermId there = at(p.fold, k, more, shift);
      if (there == TermId::Unknown || t_.mul(outside(p), there) != other || !fits(p.rest, p.fold) || !fits(p.rest, there)) continue;
      if (more > 1) t_.count(p.rest == TermId::One ? LemmaId::Join : LemmaId::JoinFactor);
      else t_.count(fold.op == ScalarFn::Add ? LemmaId::JoinPoint : LemmaId::JoinExtremumPoint);
      return t_.mul(outside(p), at(p.fold, k, fold.extents[k] + more, std::min<std::int64_t>(shift, 0)));
    }
  }
  return std::nullopt;
}

/// Two summands, or arguments of an extremum, as one.
std::optional<TermId> Joiner::join(ScalarFn f, TermId a, TermId b) {
  if (t_[a].reads != t_[b].reads) return std::nullopt;
  const std::vector<Part> x = parts_of(f, a), y = parts_of(f, b);
  if (x.empty() && y.empty()) return std::nullopt;
  const PairKey key{raw(a), raw(b) | std::uint64_t{static_cast<std::uint8_t>(f)} << 32};
  if (const TermId* known = t_.store_->join_memo.find(key)) return *known == TermId::Unknown ? std::nullopt : std::optional(*known);
  std::optional<TermId> whole;
  for (const bool back : {false, true}) {
    for (std::size_t k = 0; k < x.size() && !whole; ++k) whole = next_to(x[k], b, y, back);
    for (std::size_t k = 0; k < y.size() && !whole; ++k) whole = next_to(y[k], a, x, back);
  }
  for (const Part& p : x) {
    for (const Part& q : y) {
      if (whole || p.rest != q.rest || p.coef != q.coef || shape(p.fold) != shape(q.fold) || !fits(p.rest, p.fold) || !fits(p.rest, q.fold)) continue;
      auto both = slices(p.fold, q.fold);
      if (!both) both = slices(q.fold, p.fold);
      if (both) whole = t_.mul(outside(p), *both);
    }
  }
  t_.store_->join_memo.set(key, whole.value_or(TermId::Unknown));
  return whole;
}

bool Joiner::summands(std::vector<Summand>& list) {
  std::vector<bool> folds;                                            // asked once each: the pairs of a long sum are many
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> alike;  // by what they read
  for (std::size_t k = 0; k < list.size(); ++k) {
    folds.push_back(!parts_of(ScalarFn::Add, t_.monomial(list[k].coef, list[k].mono)).empty());
    alike[t_[list[k].mono].reads].push_back(k);
  }
  for (std::size_t i = 0, tries = 0; i < list.size() && tries <= kMaxJoin; ++i) {
    const std::vector<std::size_t>& others = alike[t_[list[i].mono].reads];
    for (auto other = std::ranges::upper_bound(others, i); other != others.end() && tries <= kMaxJoin; ++other) {
      const std::size_t j = *other;
      if (!(folds[i] || folds[j])) continue;
      const TermId a = t_.monomial(list[i].coef, list[i].mono), b = t_.monomial(list[j].coef, list[j].mono);
      ++tries;
      const auto whole = join(ScalarFn::Add, a, b);
      if (!whole) continue;
      list = without(without(std::move(list), j), i);
      for (const Summand& s : t_.summands(*whole)) list.push_back(s);
      return true;
    }
  }
  return false;
}

bool Joiner::extremum(ScalarFn f, std::vector<TermId>& list) {
  for (std::size_t i = 0; i < std::min(list.size(), kMaxJoin); ++i) {
    for (std::size_t j = i + 1; j < std::min(list.size(), kMaxJoin); ++j) {
      const auto whole = join(f, list[i], list[j]);
      if (!whole) continue;
      list = without(without(std::move(list), j), i);
      list.push_back(*whole);
      return true;
    }
  }
  return false;
}

}  // namespace gg::prover
