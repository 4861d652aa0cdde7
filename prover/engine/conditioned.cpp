// A value that is put together of several sources by conditions on ranks and places: what a rank computes itself and what its neighbours send back (the gradient
// of a halo), rows that came round a ring, a literal behind the last one. The sequential program has the same elements under conditions of its own, or without any, so that no form is
// matched. Its indices are proposed by one element that both have, whatever the conditions around it are, or as the rank's own block; both sides are compared case by case.
#include "prover/engine/conditioned.h"

#include <algorithm>
#include <array>
#include <bit>

#include "prover/engine/branches.h"
#include "prover/engine/cases.h"
#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr int kMostAsOutputs = 12;                ///< values that are compared as outputs are
constexpr std::uint32_t kMostCompared = 600;      ///< of a value that is compared
constexpr std::uint64_t kProposalSteps = 10'000;  ///< for all proposals of one value
constexpr std::size_t kMostTried = 16;            ///< values that are tried
constexpr std::size_t kMostElements = 24;         ///< of a term
constexpr std::size_t kMostIndices = 6;           ///< of indices of one value
constexpr std::size_t kMostLevels = 8;            ///< definitions, one above the other

/// What a term is made of whatever its conditions and boxes are: summands, branches, elements of folds, with their coefficients.
class Elements {
 public:
  struct Element {
    RatId coef;
    TermId term;
  };
  /// `unknowns`: binders become free variables behind these, of which the extents are given; null: they stay what they are.
  Elements(Terms& terms, TermId term, std::vector<std::int64_t>* unknowns) : t_(terms), unknowns_(unknowns) { add(RatId::One, term); }

  std::vector<Element> all;
  VarSet conditions = 0;  ///< what those around them hang on

 private:
  void add(RatId coef, TermId id) {
    if (all.size() >= kMostElements) return;
    switch (t_[id].kind) {
      case Kind::Case:
        conditions |= t_[t_.kid(id, 0)].free;
        if (!t_.index_guard(t_.kid(id, 0))) all.push_back({coef, t_.kid(id, 0)});
        return add(coef, t_.kid(id, 1)), add(coef, t_.kid(id, 2));
      case Kind::Fold: return add(coef, body_of(id));
      case Kind::Poly:
        for (const Summand& s : t_.summands(id)) {
          const std::vector<Factor> list = t_.factors(s.mono);
          const RatId whole = t_.q.mul(coef, s.coef);
          if (list.size() == 1 && list[0].exp == RatId::One) add(whole, list[0].term);
          else all.push_back({whole, t_.monomial(RatId::One, s.mono)});
        }
        return;
      default:
        if ((t_[id].flags & (kHasReads | kHasInputs)) != 0) all.push_back({coef, id});
    }
  }

  TermId body_of(TermId fold) {
    const FoldParts p = t_.fold_parts(fold);
    conditions |= t_[p.guard].free;
    if (unknowns_ == nullptr || unknowns_->size() + p.extents.size() > kFreeVars) return p.body;
    Terms::Map map;
    for (std::size_t k = 0; k < p.extents.size(); ++k) {
      map.set(static_cast<VarId>(p.first + k), t_.var(static_cast<VarId>(unknowns_->size()), p.extents[k]));
      unknowns_->push_back(p.extents[k]);
    }
    return t_.substitute(p.body, map);
  }

  Terms& t_;
  std::vector<std::int64_t>* unknowns_;
};

VarSet free_in(const Terms& t, const std::vector<LinId>& index) {
  VarSet set = 0;
  for (const LinId l : index) set |= t[l].free;
  return set;
}

/// The variables that stand beside a rank digit in an index: places of a dimension that is split over ranks.
VarSet split_in(const Terms& t, const std::vector<LinId>& index, VarSet digits) {
  VarSet set = 0;
  for (const LinId l : index)
    if ((t[l].free & digits) != 0) set |= t[l].free;
  return set;
}

}  // namespace

/// Indices at which a definition has an element of the term, those that hang on most variables first.
std::vector<Conditioned> Matcher::by_elements(AnchorId anchor, TermId definition, TermId term) {
  std::vector<Conditioned> found;
  const std::vector<std::int64_t> extents = t_.anchor(anchor).extents;
  if (((t_[definition].flags | t_[term].flags) & kHasGuards) == 0) return found;
  std::vector<std::int64_t> unknowns = extents;
  const Elements theirs(t_, definition, &unknowns), own(t_, term, nullptr);
  if (t_.anchor(anchor).transparent && digits_ > 0 && (own.conditions & ((VarSet{1} << digits_) - 1)) == 0) return found;  // a mask stays one
  for (const Elements::Element& e : theirs.all) {
    for (const Elements::Element& mine : own.all) {
      equations_.clear();
      tries_ = 0;
      matched_ = unknowns;
      Conditioned c{anchor, {}, t_.q.mul(mine.coef, t_.q.inv(e.coef))};
      if (!unify(e.term, mine.term, [&] { return ++tries_ > kMaxTries || solve(unknowns, c.index, extents.size()); }) || tries_ > kMaxTries) continue;
      c.index.resize(extents.size());
      const auto same = [&](const Conditioned& other) { return other.index == c.index && other.factor == c.factor; };
      if (free_in(t_, c.index) >> kFreeVars == 0 && std::ranges::none_of(found, same) && t_.in_box(c.index, extents, {})) found.push_back(std::move(c));
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), [&](const Conditioned& c) { return std::popcount(free_in(t_, c.index)); });
  found.resize(std::min(found.size(), kMostIndices), {anchor, {}, RatId::One});
  return found;
}

/// What is computed of a value, level by level.
std::vector<AnchorId> Matcher::users_over(AnchorId value, std::size_t levels) {
  std::vector<AnchorId> over{value};
  for (std::size_t k = 0, level = 0, end = 1; k < over.size() && over.size() <= kMostTried; ++k) {
    if (k == end) end = over.size(), ++level;
    if (level == levels) break;
    if (over[k] >= users_.size()) continue;
    for (const AnchorId user : users_[over[k]])
      if (std::ranges::find(over, user) == over.end()) over.push_back(user);
  }
  over.resize(std::min(over.size(), kMostTried));
  over.erase(over.begin());
  return over;
}

bool Matcher::conditioned(TermId term, bool own_block, const std::function<bool(const Conditioned&, std::span<const Opening>)>& take) {
  if (digits_ > 0 && (t_[term].flags & kHasGuards) == 0) return false;  // what all ranks have without conditions (a partial sum) has none in the sequential program
  const std::vector<AnchorId> wanted = reads_of(term);
  if (wanted.empty() || t_[term].size > kMostCompared) return false;
  if (own_block) {
    std::vector<AnchorId> joined;
    for (const AnchorId read : wanted)
      for (const AnchorId user : users_over(read, 1))
        if (t_.anchor(user).transparent && t_.anchor(user).sort == t_[term].sort && std::ranges::find(joined, user) == joined.end()) joined.push_back(user);
    return std::ranges::any_of(joined, [&](AnchorId anchor) {
      const std::vector<LinId> index = home(t_.anchor(anchor).extents);
      return !index.empty() && take({anchor, index, RatId::One}, std::array{Opening{t_.anchor(anchor).form, TermId::Unknown}});
    });
  }
  return std::ranges::any_of(users_over(*std::ranges::max_element(wanted), kMostLevels), [&](AnchorId anchor) {
    if (t_.anchor(anchor).sort != t_[term].sort || !between(anchor, wanted)) return false;
    const std::vector<Opening> stages = opened(anchor, wanted);
    return stages.back().mark == TermId::Unknown && std::ranges::any_of(by_elements(anchor, t_.cases_outside(stages.back().after, true), term), [&](const Conditioned& c) { return take(c, stages); });
  });
}

/// Is a step's term the one before in every case of some variables, or, without any, of those that conditions hang on? Sets how the step is split.
bool Engine::same_by_cases(Step& step, TermId before, VarSet set, std::span<const std::int64_t> extents) {
  step.split.clear();
  step.starts.clear();
  if (step.after == before) return true;
  if (set == 0) split_refused(step, before, extents);
  else split_by(step, before, set, extents);
  if (step.split.empty()) return false;
  const Cases cases = cases_of(step, extents);
  for (std::int64_t c = 0; c < cases.count; ++c)
    if (cases.at(t_, before, c) != cases.at(t_, step.after, c)) return false;
  return true;
}

/// The steps from a term to the sequential value that it is, `unmoved`: at indices without a constant; none if nothing is found.
std::vector<Step> Engine::conditioned(const Side& side, std::span<const std::int64_t> extents, TermId t, bool own_block, bool unmoved) {
  const VarSet digits = (VarSet{1} << digits_of(side)) - 1;
  std::vector<Step> way;
  const bool found = matcher_.conditioned(t, own_block, [&](const Conditioned& c, std::span<const Matcher::Opening> stages) {
    if (unmoved && std::ranges::any_of(c.index, [&](LinId l) { return t_[l].c0 != 0; })) return false;
    const TermId read = t_.read(c.anchor, c.index);
    if (t_[read].kind != Kind::Read || t_.anchor_of(read) != c.anchor) return false;
    const Terms::Map place(0, c.index);
    way.clear();
    for (std::size_t k = stages.size(); k-- > 0;) {
      way.push_back({t_.scale(c.factor, t_.substitute(stages[k].after, place)), {}, 0});
      if (way.size() > 1) way.back().marks.emplace_back(stages[k].mark, 1);
    }
    way.push_back({t_.scale(c.factor, read), {{read, 1}}, 0});
    const VarSet places = own_block ? 0 : split_in(t_, c.index, digits);
    bool shown = t_.cases_outside(way[0].after, true) == t || (places != 0 && same_by_cases(way[0], t, places, extents)) || same_by_cases(way[0], t, 0, extents);
    for (std::size_t k = 1; k < way.size() && shown; ++k) shown = t_.expand_marked(way[k].after, way[k].marks) == way[k - 1].after;
    return shown;
  });
  return found ? way : std::vector<Step>();
}

/// Is one of the terms that a value was so far a sequential one under other conditions? Then the steps lead there.
bool Engine::conditioned(const Side& side, std::span<const std::int64_t> extents, TermId t, bool own_block, std::vector<Step>& steps) {
  for (std::size_t k = own_block ? steps.size() : 0; k <= steps.size(); ++k) {
    const TermId now = k == 0 ? t : steps[k - 1].after;
    if ((t_[now].flags & kHasUnknown) != 0 || (own_block && t_[t_.content(now).second].kind != Kind::Case)) continue;
    try {
      const StepBudget budget(t_, kProposalSteps);
      const std::vector<Step> way = conditioned(side, extents, now, own_block);
      if (way.empty()) continue;
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(k), steps.end());
      steps.insert(steps.end(), way.begin(), way.end());
      return true;
    } catch (const TermLimit&) {
      // Of very many places, part by part.
    }
  }
  return false;
}

/// A case of which branches have been put together as sequential values (a row of a halo beside the block), where all of it is a sequential value once
/// that is opened: this value at more places.
bool Engine::edge_opened(const Side& side, std::span<const std::int64_t> extents, TermId t, std::vector<Step>& steps) {
  const TermId now = steps.empty() ? t : steps.back().after;
  if (t_[now].kind != Kind::Case || (t_[now].flags & kHasUnknown) != 0) return false;
  std::vector<TermId> branches{t_.kid(now, 1), t_.kid(now, 2)}, edges;
  for (std::size_t k = 0; k < branches.size() && k < kMostElements; ++k) {  // further inside, those that are padded
    const TermId branch = t_.content(branches[k]).second;
    if (t_[branch].kind == Kind::Case) branches.insert(branches.end(), {t_.kid(branch, 1), t_.kid(branch, 2)});
    if (t_[branch].kind != Kind::Read || t_.anchor(t_.anchor_of(branch)).kind != AnchorKind::Value) continue;
    const auto same = [&](TermId other) { return t_.anchor_of(other) == t_.anchor_of(branch); };
    if ((k < 2 || t_.anchor(t_.anchor_of(branch)).transparent) && std::ranges::none_of(edges, same)) edges.push_back(branch);
  }
  for (const TermId edge : edges) {
    const TermId apart = t_.expand_marked(now, std::array{std::pair{edge, 1}});
    std::vector<Step> way;
    if (apart == now || !conditioned(side, extents, apart, false, way)) continue;
    steps.push_back({apart, {{edge, 1}}});
    steps.insert(steps.end(), way.begin(), way.end());
    return true;
  }
  return false;
}

/// The rank's block of the sequential value that is nearest in form, compared as outputs are.
std::optional<Step> Engine::nearest_block(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  if (!side.times.empty() || compared_ >= kMostAsOutputs || (t_[t].flags & kHasUnknown) != 0 || refused(name_of(side, node), leaf) != 0) return std::nullopt;
  const auto anchor = matcher_.nearest(t);
  const std::vector<LinId> home = anchor ? matcher_.home(t_.anchor(*anchor).extents) : std::vector<LinId>();
  if (home.empty()) return std::nullopt;
  ++compared_;
  const TermId read = t_.read(*anchor, home);
  try {
    auto line = compare(t, read, extents_of(side, node, leaf).all, 0, false, inside_);
    if (!line) return std::nullopt;
    Step step{read, {{read, line->right}}, line->left, std::move(line->split), std::move(line->starts), std::move(line->opened)};
    mark_branches(t_, step, t, extents_of(side, node, leaf).all);
    return step;
  } catch (const TermLimit&) {
    return std::nullopt;
  }
}

/// Is one of the first values that are open such a block? Then an attempt looks for them where they are made.
bool Engine::near_block(const std::vector<Island>& islands) {
  return std::ranges::any_of(islands, [&](const Island& i) {
    if (i.frame != 0) return false;
    matcher_.stand_at(extents_of(distributed_, i.node, 0).all, digits_of(distributed_));
    return nearest_block(distributed_, i.node, 0, static_cast<TermId>(i.term)).has_value();
  });
}

}  // namespace gg::prover
