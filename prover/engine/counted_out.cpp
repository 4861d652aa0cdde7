// Counts of data that the definitions of these decide.
#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr std::uint64_t kCountSteps = 2'000;  ///< to open what is counted
constexpr int kMostOpened = 4;                ///< levels of definitions

}  // namespace

/// A count of data as the number that it is by the definitions of these: of labels shifted by one, all but the padding.
std::vector<Step> Engine::counted_out(const Side& /*side*/, std::uint32_t /*node*/, std::uint32_t /*leaf*/, TermId t) {
  const TermId fold = t_.content(t).second;
  if (t_[fold].kind != Kind::Fold || t_[fold].sort != Sort::Real) return {};
  const FoldParts p = t_.fold_parts(fold);
  if (p.op != ScalarFn::Add || !t_.is_lit(p.body) || (t_[p.guard].flags & kHasReads) == 0) return {};
  try {
    const StepBudget budget(t_, kCountSteps);
    for (int left = 1; left <= kMostOpened; ++left)
      if (const TermId wide = t_.expand_all(t, left); t_.is_lit(wide)) return {{wide, {}, left}};
  } catch (const TermLimit&) {
    // Of computed data.
  }
  return {};
}

}  // namespace gg::prover
