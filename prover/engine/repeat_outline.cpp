// What repeats, up to names: shapes of terms, facts of anchors, anchors by their definitions.
#include <algorithm>

#include "prover/engine/repeat.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr std::uint32_t kMaxOutline = 80;       ///< size of a term that is looked up
constexpr std::uint64_t kOutlineSteps = 2'000;  ///< for its shape

}  // namespace

/// An anchor that stands for the k-th one of a term, of which the same is known.
AnchorId Repeats::hole(std::size_t k, AnchorId anchor) {
  const auto [it, fresh] = holes_.try_emplace((std::uint64_t{k} << 32) | facts(anchor));
  if (!fresh) return it->second;
  Anchor a = t_.anchor(anchor);
  a.form = TermId::Unknown;
  a.transparent = false;
  a.support = TermId::True;
  return it->second = t_.add_anchor(std::move(a));
}

std::optional<Repeats::Outline> Repeats::outline(TermId term) {
  if (t_[term].size > kMaxOutline) return std::nullopt;
  std::vector<AnchorId> anchors = e_.matcher_.reads_of(term);
  if (anchors.size() > kMaxAnchors) return std::nullopt;
  std::vector<AnchorId> holes;
  for (std::size_t k = 0; k < anchors.size(); ++k) holes.push_back(hole(k, anchors[k]));
  try {
    const StepBudget budget(t_, kOutlineSteps);
    const TermId shape = t_.rename_anchors(term, anchors, holes, true);
    return Outline{shape, std::move(anchors)};
  } catch (const TermLimit&) {
    return std::nullopt;
  }
}

const Repeats::Outline* Repeats::outline_of(const Engine::Side& side, std::size_t at) {
  auto& all = outlines_[side.which == Which::Sequential ? 0 : 1];
  if (all.empty()) all.resize(side.conclusions.size());
  auto& [asked, known] = all[at];
  if (!asked) known = outline(side.conclusions[at]);
  asked = true;
  return known ? &*known : nullptr;
}

const Repeats::Outline* Repeats::definition(AnchorId anchor) {
  const auto [it, fresh] = definitions_.try_emplace(anchor);
  const Anchor& a = t_.anchor(anchor);
  if (fresh && a.kind == AnchorKind::Value && a.form != TermId::Unknown) it->second = outline(a.form);
  return it->second ? &*it->second : nullptr;
}

/// A number for what is known of an anchor but for its definition.
std::uint32_t Repeats::facts(AnchorId anchor) {
  if (facts_.size() <= anchor) facts_.resize(anchor + 1);
  if (facts_[anchor] != 0) return facts_[anchor];
  const Anchor& a = t_.anchor(anchor);
  const Attributes& is = a.attributes;
  Words words{static_cast<std::uint32_t>(a.kind), static_cast<std::uint32_t>(a.sort), a.transparent ? 1U : 0U,
              (is.finite ? 1U : 0U) | (is.nonnegative ? 2U : 0U) | (is.positive ? 4U : 0U) | (is.nonzero ? 8U : 0U) |
                  (is.below_inf ? 16U : 0U) | (is.ordered ? 32U : 0U) | (is.not_below ? 64U : 0U)};
  const auto add = [&](std::int64_t number) {
    words.push_back(static_cast<std::uint32_t>(number));
    words.push_back(static_cast<std::uint32_t>(number >> 32));
  };
  add(a.lo);
  add(a.hi);
  add(a.gap ? a.gap->first : a.lo);
  add(a.gap ? a.gap->second : a.lo);
  for (const auto& end : {a.bounds.lo, a.bounds.hi}) words.push_back(end ? raw(*end) + 1 : 0);
  words.push_back(static_cast<std::uint32_t>(a.extents.size()));
  for (const std::int64_t n : a.extents) add(n);
  const bool itself = a.kind == AnchorKind::Array || a.support != TermId::True;
  words.push_back(itself ? anchor : 0);
  if (const auto it = e_.places_.find(anchor); it != e_.places_.end()) {
    words.insert(words.end(), {raw(it->second.coef), it->second.carry ? 1U : 0U, it->second.finite ? 1U : 0U});
    for (const LinId l : it->second.index) words.push_back(raw(l));
  }
  return facts_[anchor] = numbers_.emplace(std::move(words), static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
}

/// A new sequential value of the entry computation is found by its definition.
void Repeats::define(AnchorId anchor) {
  if (const Outline* d = definition(anchor)) {
    Words words{raw(d->shape)};
    words.insert(words.end(), d->anchors.begin(), d->anchors.end());
    defined_.emplace(std::move(words), anchor);
    forms_.insert(t_.anchor(anchor).form);
  }
}

std::optional<Repeats::Numbered> Repeats::numbered(const Outline& outline, std::span<const AnchorId> anchors) const {
  Numbered result{outline.shape, {}};
  for (const AnchorId anchor : outline.anchors) {
    const auto it = std::find(anchors.begin(), anchors.end(), anchor);
    if (it == anchors.end()) return std::nullopt;
    result.numbers.push_back(static_cast<std::uint32_t>(it - anchors.begin()));
  }
  return result;
}

Repeats::Words Repeats::words_of(const Numbered& form, std::span<const AnchorId> anchors) {
  Words words{raw(form.shape)};
  for (const std::uint32_t number : form.numbers) words.push_back(anchors[number]);
  return words;
}

}  // namespace gg::prover
