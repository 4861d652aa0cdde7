// A cheap pair that seems to differ in doubles is run before a proof is searched.
#include "harness/decide/attempts.h"
#include "harness/decide/evidence.h"
#include "models/base/progress.h"
#include "runtime/decision.h"

namespace gg {

bool run_first(Case& c, const Options& options, Parts parts) {
  const bool of_proof = !options.assume.empty() || !options.certificate.empty() || options.for_all_sizes || options.verbose;  // is asked for
  if (!parts.run || !parts.prove || of_proof || c.manual_regions != 0 || options.rank_backend != nullptr) return false;
  const RunCost cost = cost_of_run(c, options);
  const std::vector<Attempt> all = attempts(cost, options, Purpose::Decide);
  if (!cost.fits || all.empty() || all.front().reduced || all.front().mode != NumberMode::Real) return false;
  enter_phase("run");
  try {
    infer_ranges(c);
    PairRunner runner(c);
    return seems_to_differ(runner, draw_inputs(c.relation, options.seed, 0), differential_options(options).budget).has_value();
  } catch (const RuntimeFailure&) {
    return false;
  } catch (const OutOfTime&) {
    return false;
  }
}

}  // namespace gg
