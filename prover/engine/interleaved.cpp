// Values that ranks interleave level by level (associative scans: every second place is of one of two padded values) keep names: written out, each level
// has the cases of all levels below it twice. What is computed of them is compared place by place, and definitions are opened where a place reads them.
#include <bit>

#include "models/ir/kinds.h"
#include "prover/engine/cases.h"
#include "prover/engine/engine.h"
#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

constexpr std::uint32_t kMaxNameless = 40;

/// Is there a case by a digit of a place?
bool interleaves(const Terms& t, TermId id, VarSet digits) {
  if (t[id].kind == Kind::Case && t.index_guard(t.kid(id, 0))) {
    for (VarSet places = t[t.kid(id, 0)].free & ~digits; places != 0; places &= places - 1)
      if (!t.cuts_of(t.kid(id, 0), static_cast<VarId>(std::countr_zero(places))).empty()) return true;
  }
  bool found = false;
  for_each_part(
      t, id, [&](TermId part) { found = found || (t[part].sort == Sort::Real && interleaves(t, part, digits)); }, [](LinId, bool) {});
  return found;
}

}  // namespace

/// Gives a long interleaved value of a rank a name, where names are given.
bool Engine::keeps_name(Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  const VarSet digits = (VarSet{1} << digits_of(side)) - 1;
  if (side.frame != 0 || (t_[t].flags & kHasUnknown) != 0 || t_[t].size <= kMaxNameless) return false;
  saw_interleaved = saw_interleaved || interleaves(t_, t, digits);
  if (!place_by_place()) return false;
  side.at({node, leaf}) = new_anchor(side, node, leaf, t);
  stay_pending(side, node, leaf, "");
  return true;
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
