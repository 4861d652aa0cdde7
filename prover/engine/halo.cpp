// What is read of a value and of its neighbours' by conditions on ranks and places is a read of it where the index is in its bounds.
#include <algorithm>
#include <array>

#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMostPlaces = 1 << 14;  ///< at which two conditions are compared
constexpr std::uint64_t kMovedSteps = 10'000;  ///< to see what a moved read is

/// Are two conditions on indices the same at all places?
bool same_everywhere(const Terms& t, TermId a, TermId b, std::span<const std::int64_t> extents) {
  const VarSet free = t[a].free | t[b].free;
  std::int64_t places = 1;
  for (std::size_t v = 0; v < extents.size(); ++v)
    if ((free & bit(static_cast<VarId>(v))) != 0) places = saturate_mul(places, extents[v]);
  if (places > kMostPlaces || free >> extents.size() != 0) return false;
  std::vector<std::int64_t> at(kVars, 0);
  for (std::int64_t k = 0; k < places; ++k) {
    std::int64_t rest = k;
    for (std::size_t v = 0; v < extents.size(); ++v) {
      if ((free & bit(static_cast<VarId>(v))) == 0) continue;
      at[v] = rest % extents[v];
      rest /= extents[v];
    }
    const auto here = t.evaluate(a, at);
    if (!here || here != t.evaluate(b, at)) return false;
  }
  return true;
}

}  // namespace

/// A read that is zero elsewhere, by a condition on ranks, under the condition that its indices are in their extents, if it is that.
std::optional<Step> Engine::in_bounds(const Side& side, std::span<const std::int64_t> extents, TermId t) {
  const auto [coef, shape] = t_.content(t);
  const VarSet ranks = (VarSet{1} << digits_of(side)) - 1;  // other conditions stay as the sequential program has them
  if (t_[shape].kind != Kind::Case || (t_[t_.kid(shape, 0)].free & ranks) == 0 || !t_.index_guard(t_.kid(shape, 0)) || t_.choice(shape)) return std::nullopt;
  const bool second = t_.kid(shape, 1) == TermId::Zero;
  const auto [times, read] = t_.content(t_.kid(shape, second ? 2 : 1));
  if (t_[read].kind != Kind::Read || (!second && t_.kid(shape, 2) != TermId::Zero)) return std::nullopt;
  const TermId guard = second ? t_.negate(t_.kid(shape, 0)) : t_.kid(shape, 0);
  std::vector<TermId> bounds;
  const std::vector<LinId> index = t_.index_of(read);
  for (std::size_t k = 0; k < index.size(); ++k) bounds.push_back(t_.in_range(index[k], t_.anchor(t_.anchor_of(read)).extents[k]));
  const TermId inside = t_.conj(bounds);
  if (inside == guard || inside == TermId::True || !t_.index_guard(inside) || !same_everywhere(t_, guard, inside, extents)) return std::nullopt;
  Step step{t_.scale(t_.q.mul(coef, times), t_.choose(inside, read, TermId::Zero)), {}, 0};
  return step.after == t ? std::nullopt : std::optional(std::move(step));
}

/// Padded rows some places on (a slice of a block with its halo) as the sequential rows that are padded by as much less.
std::vector<Step> Engine::unmoved(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  const TermId read = t_.content(t).second;
  if (t_[read].kind != Kind::Read || t_[read].free == 0 || !t_.anchor(t_.anchor_of(read)).transparent) return {};
  if (std::ranges::none_of(t_.index_of(read), [&](LinId l) { return t_[l].free != 0 && t_[l].c0 != 0; })) return {};
  try {
    const StepBudget budget(t_, kMovedSteps);
    const TermId apart = t_.expand_marked(t, std::array{std::pair{read, 1}});
    std::vector<Step> steps = apart == t ? std::vector<Step>() : conditioned(side, extents_of(side, node, leaf).all, apart, false, true);
    if (!steps.empty()) steps.insert(steps.begin(), {apart, {{read, 1}}});
    return steps;
  } catch (const TermLimit&) {
    return {};
  }
}

}  // namespace gg::prover
