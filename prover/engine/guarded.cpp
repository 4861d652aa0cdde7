// Values that are guarded inside of what is computed of them (log(p > 0 ? p : 1)), where the sequential program guards what comes of it.
#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr std::uint32_t kMaxGuarded = 150;  ///< of a value that is looked at
constexpr std::uint64_t kGuardedSteps = 10'000;

}  // namespace

/// With conditions that are none on indices outside of products and functions.
bool Engine::guards_outside(TermId t, bool deep, std::vector<Step>& steps) {
  const TermId now = steps.empty() ? t : steps.back().after;
  if ((t_[now].flags & kHasGuards) == 0 || (t_[now].flags & kHasUnknown) != 0 || t_[now].sort != Sort::Real || t_[now].size > kMaxGuarded) return false;
  const StepBudget budget(t_, kGuardedSteps);
  try {
    const TermId outside = t_.cases_outside(now, true);
    std::vector<Step> way{{outside, {}, 0}};
    if (outside == now || !improve(outside, deep, way)) return false;
    steps.insert(steps.end(), way.begin(), way.end());
    return true;
  } catch (const TermLimit&) {
    return false;
  }
}

}  // namespace gg::prover
