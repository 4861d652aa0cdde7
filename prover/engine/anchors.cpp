// Sequential values: which of them become anchors, and what the others are by their names; values of which nothing is known.
#include <algorithm>
#include <array>
#include <utility>

#include "models/ir/kinds.h"
#include "prover/engine/engine.h"
#include "prover/engine/piecewise.h"

namespace gg::prover {
namespace {

constexpr std::uint32_t kMaxParts = 300;  ///< cases of parts

}  // namespace

/// Drops the parameters from `first` on that `form` does not have: no match would find values for them.
TermId Engine::keep_used(Anchor& a, AnchorPlace& place, std::vector<LinId>& arguments, TermId form, std::size_t first) {
  Terms::Map map;
  std::vector<std::int64_t> extents;
  std::vector<LinId> kept;
  for (std::size_t k = 0; k < a.extents.size(); ++k) {
    const bool used = k < first || (t_[form].free & bit(static_cast<VarId>(k))) != 0;
    map.set(static_cast<VarId>(k), used ? t_.var(static_cast<VarId>(kept.size()), a.extents[k]) : LinId::Zero);
    if (!used) continue;
    extents.push_back(a.extents[k]);
    kept.push_back(arguments[k]);
  }
  if (kept.size() == arguments.size()) return form;
  a.extents = std::move(extents);
  arguments = std::move(kept);
  for (LinId& l : place.index) l = t_.substitute(l, map);
  return t_.substitute(form, map);
}

TermId Engine::new_anchor(Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  const Extents e = extents_of(side, node, leaf);
  // Only the sign goes outside: magnitudes would pile up along a chain of scaled values.
  const RatId coef = t_.q.sign(t_.content(t).first) < 0 ? t_.q.of(-1) : RatId::One;
  const TermId form = t_.scale(coef, t);
  // Parameters: the dimensions in the support, cut at the digits that occur; of these, all times and what is used.
  Anchor a;
  a.kind = AnchorKind::Value;
  a.sort = t_[form].sort;
  AnchorPlace place{{side.which, node, leaf, side.frame}, coef, {}};
  std::vector<LinId> arguments;
  Terms::Map to_parameters;
  std::size_t times = 0;  // parameters of them
  for (std::size_t d = 0; d < e.all.size(); ++d) {
    const auto v = static_cast<VarId>(d);
    if ((t_[form].free & bit(v)) == 0) {
      place.index.push_back(LinId::Zero);
      continue;
    }
    std::vector<std::int64_t> cuts = t_.cuts_of(form, v);
    cuts.insert(cuts.begin(), 1);
    cuts.push_back(e.all[d]);
    for (std::size_t k = 1; k < cuts.size(); ++k)
      if (cuts[k] % cuts[k - 1] != 0) cuts = {1, e.all[d]};
    LinId whole = LinId::Zero;
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      const std::int64_t extent = cuts[k + 1] / cuts[k];
      if (a.extents.size() >= kFreeVars) throw TermLimit("too many dimensions");
      whole = t_.axpy(cuts[k], t_.var(static_cast<VarId>(a.extents.size()), extent), whole);
      const LinId quotient = t_.var_div(v, e.all[d], cuts[k]);
      arguments.push_back(k + 2 < cuts.size() ? t_.mod(quotient, extent) : quotient);
      a.extents.push_back(extent);
    }
    to_parameters.set(v, whole);
    place.index.push_back(whole);
    if (d < side.times.size()) times = a.extents.size();
  }
  const TermId rest = keep_used(a, place, arguments, t_.substitute(form, to_parameters), times);
  a.form = rest;
  place.coef = coef;
  a.attributes = t_.attributes(rest);
  if (a.sort == Sort::Real) a.bounds = t_.bounds(rest);
  if (a.sort == Sort::Int) std::tie(a.lo, a.hi) = t_.int_range(t_[rest].kind == Kind::Case ? t_.expand_all(rest, 1) : rest);
  if (a.sort == Sort::Int) assume_in_range(side, a, place);
  if (a.sort == Sort::Int) a.gap = t_.gap_in(rest);
  const TermId shape = t_.content(rest).second;
  if (side.which == Which::Distributed) a.deciding = deciding(rest);
  a.transparent = t_[shape].kind == Kind::Case && t_.index_guard(t_.kid(shape, 0));
  const RatId scale = place.coef;
  const AnchorId anchor = t_.add_anchor(std::move(a));
  places_[anchor] = std::move(place);
  if (side.which == Which::Distributed) {
    records_.push_back({side.which, node, leaf, {}, static_cast<std::uint32_t>(anchor), side.frame});
    return t_.scale(scale, t_.read(anchor, arguments));
  }
  const bool loop = is_loop(*side.module, side.flat.nodes[node].instruction);
  const TermId value = loop ? t_.read(anchor, arguments) : zero_elsewhere(side, anchor, arguments);
  if (t_[value].kind == Kind::Case && t_.anchor(anchor).support != TermId::True) {
    const TermId read = t_.kid(value, t_.kid(value, 2) == TermId::Zero ? 1 : 2);
    records_.push_back({side.which, node, leaf, {{t_.scale(scale, value), {{read, 1}}, 0}}, {}, side.frame});
  }
  matcher_.add(anchor);
  return t_.scale(scale, value);
}

/// A value of which no more than its type is known, over the variables of these extents.
AnchorId Engine::anchor_of_type(const Side& side, std::uint32_t node, std::uint32_t leaf, AnchorKind kind, std::vector<std::int64_t> extents) {
  const ElementType type = extents_of(side, node, leaf).type;
  AnchorPlace place{{side.which, node, leaf, side.frame}, RatId::One, t_.variables(extents)};
  Anchor a;
  a.kind = kind;
  a.sort = sort_of(type);
  a.extents = std::move(extents);
  if (a.sort == Sort::Int) std::tie(a.lo, a.hi) = t_.integer_bounds(type);
  const AnchorId anchor = t_.add_anchor(std::move(a));
  places_[anchor] = std::move(place);
  return anchor;
}

void Engine::take_gap(Side& side, std::uint32_t node, std::uint32_t leaf, const std::string& why) {
  const bool sequential = side.which == Which::Sequential;
  const AnchorId anchor = anchor_of_type(side, node, leaf, sequential ? AnchorKind::Opaque : AnchorKind::Gap, extents_of(side, node, leaf).all);
  side.at({node, leaf}) = t_.read(anchor, places_[anchor].index);
  if (sequential) return;
  records_.push_back({side.which, node, leaf, {}, static_cast<std::uint32_t>(anchor), side.frame});
  stay_pending(side, node, leaf, why);
}

/// A value without a sequential counterpart: what is computed with it may have one.
void Engine::stay_pending(Side& side, std::uint32_t node, std::uint32_t leaf, const std::string& why) {
  ++pending_;
  side.pending[side.first_leaf[node] + leaf] = true;
  islands_.push_back({side.flat.nodes[node].instruction, name_of(side, node), why, "", {}, side.frame, node, static_cast<std::uint32_t>(side.at({node, leaf}))});
}

/// A value that is zero but where a condition on data holds is always named under this condition.
TermId Engine::zero_elsewhere(const Side& side, AnchorId anchor, std::span<const LinId> index) {
  const TermId plain = t_.read(anchor, index), shape = t_.content(t_.anchor(anchor).form).second;
  if (!side.times.empty() || !t_.choice(shape)) return plain;  // in a loop an index may not become another time
  const bool second = t_.kid(shape, 1) == TermId::Zero;
  if (!second && t_.kid(shape, 2) != TermId::Zero) return plain;
  Anchor& a = t_.anchor(anchor);
  const bool transparent = std::exchange(a.transparent, false);
  a.support = second ? t_.negate(t_.kid(shape, 0)) : t_.kid(shape, 0);
  const TermId opaque = t_.read(anchor, index), value = t_.value(anchor, index);
  const TermId read = t_[value].kind == Kind::Case ? t_.kid(value, t_.kid(value, 2) == TermId::Zero ? 1 : 2) : value;
  const std::array<std::pair<TermId, int>, 2> marks{{{opaque, 1}, {read, 1}}};
  if (t_.expand_marked(value, marks) == t_.expand_marked(opaque, marks)) return value;
  t_.anchor(anchor).support = TermId::True;
  t_.anchor(anchor).transparent = transparent;
  return plain;
}

/// What sums and moves make of padded and joined values, as cases of their parts: an interleaving of two is what is read at even and odd places.
std::optional<Step> Engine::as_parts(const Side& side, TermId t) {
  const Kind kind = t_[t].kind;
  Step step{t, {}, 0};
  if (kind == Kind::Poly || kind == Kind::Case) mark_cases(step);
  if (step.marks.empty() || t_[t].size > kMaxParts || !present(side, step)) return std::nullopt;
  const auto interleaves = [&](const auto& mark) {  // by a digit of an index, not by what is before and after
    const TermId form = t_.content(t_.anchor(t_.anchor_of(mark.first)).form).second;
    return t_[t_.kid(form, 0)].kind == Kind::Eq;
  };
  saw_parts = saw_parts || (kind == Kind::Poly && std::all_of(step.marks.begin(), step.marks.end(), interleaves));
  if (attempt != Attempt::Parts) return std::nullopt;
  step.after = t_.cases_outside(t_.expand_marked(t, step.marks));
  return t_[step.after].size <= kMaxParts && parts(step.after) ? std::optional(std::move(step)) : std::nullopt;
}

/// Cases by conditions on indices alone, of values that have names.
bool Engine::parts(TermId t) {
  if (t_[t].kind != Kind::Case) return trivial(t);
  return t_.index_guard(t_.kid(t, 0)) && !t_.choice(t) && parts(t_.kid(t, 1)) && parts(t_.kid(t, 2));
}

void Engine::conclude_sequential(Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  if (piecewise_ && piecewise_->conclude(side, node, leaf, t)) return;
  TermId& out = side.at({node, leaf});
  if (auto steps = off_slots(side, t); !steps.empty()) return conclude(side, node, leaf, std::move(steps));
  if (auto steps = counted_out(side, node, leaf, t); !steps.empty()) return conclude(side, node, leaf, std::move(steps));
  if (trivial(t)) {
    out = t;
    return state_respelled(side, node, leaf, 0);
  }
  if ((t_[t].flags & kHasUnknown) != 0) throw TermLimit("an unknown value in the sequential program");
  if (auto step = as_parts(side, t)) {
    step->split = small_cases(t, step->after, extents_of(side, node, leaf).all);
    return conclude(side, node, leaf, {*std::move(step)});
  }
  std::vector<Step> steps;  // the same value under another name, perhaps in the spelling of its definition first
  for (TermId now = t; steps.size() < 2 && !trivial(now); now = steps.back().after) {
    auto step = match_whole(now, 1);
    if (!step || !present(side, *step)) break;
    steps.push_back(*std::move(step));
  }
  if (!steps.empty() && trivial(steps.back().after)) return conclude(side, node, leaf, std::move(steps));
  out = new_anchor(side, node, leaf, t);
}

// In the bodies of sequential loops their own anchors are named at the present time only.
bool Engine::present(const Side& side, const Step& step) {
  return std::all_of(step.marks.begin(), step.marks.end(), [&](const auto& mark) { return present(side, mark.first); });
}

bool Engine::present(const Side& side, TermId read) {
  const AnchorId anchor = t_.anchor_of(read);
  const auto it = places_.find(anchor);
  if (it == places_.end()) return true;
  const Terms::Map map(0, t_.index_of(read));
  for (std::size_t k = 0; k < side.first_own.size(); ++k) {  // sequential: no rank digits
    if (anchor < side.first_own[k]) continue;
    const LinId now = t_.var(static_cast<VarId>(k), side.times[k]);
    if (k < it->second.index.size() && t_[it->second.index[k]].free == 0) continue;  // the same at all times
    if (k >= it->second.index.size() || t_.substitute(it->second.index[k], map) != now) return false;
  }
  return true;
}

}  // namespace gg::prover
