// Values that ranks interleave level by level (associative scans: every second place is of one of two padded values) keep names: written out, each level
// has the cases of all levels below it twice. What is computed of them is compared place by place, and definitions are opened where a place reads them.
#include <bit>

#include "models/ir/kinds.h"
#include "prover/engine/cases.h"
#include "prover/engine/engine.h"
#include "prover/term/parts.h"

namespace gg::prover {
namespace {

constexpr std::uint32_t kMaxNameless = 40;
constexpr std::int64_t kMaxPlacesOfValue = 256;
constexpr std::uint64_t kPlaceSteps = 400, kPlacesSteps = 100'000;  ///< for one place of a value, for all

/// Is there a case by a digit of a place?
bool interleaves(const Terms& t, TermId id, VarSet digits) {
  const auto by_digit = [&](TermId part) {
    if (t[part].kind != Kind::Case || !t.index_guard(t.kid(part, 0))) return false;
    for (VarSet places = t[t.kid(part, 0)].free & ~digits; places != 0; places &= places - 1)
      if (!t.cuts_of(t.kid(part, 0), static_cast<VarId>(std::countr_zero(places))).empty()) return true;
    return false;
  };
  return some_part(t, id, false, by_digit, [&](TermId part) { return part == id || t[part].sort == Sort::Real; });
}

}  // namespace

/// The rank's block of a sequential value of the same operator that a value is, place by place: one place is tried before all are.
std::optional<Step> Engine::block_by_places(const Side& side, std::uint32_t node, TermId t) {
  const Op own = (*side.module)[side.flat.nodes[node].instruction].op;
  const std::vector<std::int64_t> extents = extents_of(side, node, 0).all;
  for (std::uint32_t other = static_cast<std::uint32_t>(sequential_.flat.nodes.size()); other-- > 0;) {
    const InstructionId id = sequential_.flat.nodes[other].instruction;
    const Type& type = sequential_.module->type(id);
    if ((*sequential_.module)[id].op != own || !type.is_array() || !is_float(type.element)) continue;
    const std::vector<LinId> block = matcher_.home(type.dims);
    if (block.empty()) continue;
    const TermId right = at(sequential_.conclusions[sequential_.first_leaf[other]], block);
    const Cases cases(deciding(t) | deciding(right), extents, kMaxPlacesOfValue);
    if (trivial(right) && cases.vars.empty()) continue;
    const auto meet = [&](std::int64_t first, std::int64_t end, std::uint64_t steps) -> std::optional<std::vector<AnchorId>> {
      std::vector<std::pair<TermId, TermId>> sides;
      try {
        const StepBudget budget(t_, steps);
        for (std::int64_t c = first; c < end; ++c) sides.emplace_back(cases.at(t_, t, c), cases.at(t_, right, c));
        return meet_opened(sides, std::nullopt, 1);
      } catch (const TermLimit&) {
        return std::nullopt;
      }
    };
    const auto differs = [&](std::int64_t c) { return cases.at(t_, t, c) != cases.at(t_, right, c); };
    std::int64_t place = cases.count / 2;  // where both are nothing, say, they tell nothing
    for (std::int64_t k = 1; k < cases.count && !differs(place); ++k) place = (place + 1) % cases.count;
    if (!meet(place, place + 1, kPlaceSteps)) continue;
    if (auto opened = meet(0, cases.count, kPlacesSteps)) return Step{right, {}, 0, cases.vars, {}, *std::move(opened)};
  }
  return std::nullopt;
}

/// Where values are compared place by place: a value is a block of a sequential one, or has a name if it is long.
bool Engine::keeps_name(Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  const VarSet digits = (VarSet{1} << digits_of(side)) - 1;
  if (side.frame != 0 || (t_[t].flags & kHasUnknown) != 0) return false;
  if (t_[t].sort == Sort::Real && attempt == Attempt::Blocks && saw_interleaved) {
    if (auto step = block_by_places(side, node, t)) {
      ++related_;
      return conclude(side, node, leaf, {*std::move(step)}), true;
    }
  }
  if (t_[t].size <= kMaxNameless) return false;
  saw_interleaved = saw_interleaved || interleaves(t_, t, digits);
  if (!place_by_place()) return false;
  side.at({node, leaf}) = new_anchor(side, node, leaf, t);
  stay_pending(side, node, leaf, "");
  return true;
}

/// Where a case decides what a marked value is, what it is then is marked in its place.
void Engine::mark_inside(Step& step) {
  for (std::size_t k = 0; k < step.marks.size() && !step.split.empty(); ++k) {
    const auto [read, levels] = step.marks[k];
    const auto inside = levels > 1 && t_.anchor(t_.anchor_of(read)).transparent ? t_.definition(read, TermId::True) : std::nullopt;
    if (!inside) continue;
    for (const TermId r : t_.reads_in(*inside))
      if (std::ranges::none_of(step.marks, [&, levels = levels](const auto& m) { return m.first == r && m.second >= levels - 1; })) step.marks.emplace_back(r, levels - 1);
  }
}

/// Times the steps of a value: a value of the last iteration has parts of all, and each place is compared by itself.
std::uint64_t Engine::shares_of_value() const {
  if (attempt == Attempt::Blocks) return 10;
  return attempt == Attempt::UnrollLost || attempt == Attempt::UnrollAll ? 2 : 1;
}

/// Both sides of an output for each value of some variables, opened until they are equal.
std::optional<OutputLine> Engine::meet_by_places(const Cases& cases, TermId left, TermId right) {
  if (cases.vars.empty()) return std::nullopt;
  std::vector<std::pair<TermId, TermId>> sides;
  for (std::int64_t c = 0; c < cases.count; ++c) sides.emplace_back(cases.at(t_, left, c), cases.at(t_, right, c));
  for (const int steps : {1, 3})
    if (auto opened = meet_opened(sides, std::nullopt, steps)) return OutputLine{0, 0, 0, cases.vars, {}, *std::move(opened)};
  return std::nullopt;
}

}  // namespace gg::prover
