// A cheap pair that seems to differ in doubles is run before a proof is searched.
#include "harness/decide/attempts.h"
#include "harness/decide/evidence.h"
#include "models/base/progress.h"
#include "runtime/decision.h"

namespace gg {

bool run_first(Case& c, const Options& options, Parts parts) {
  const bool of_proof = !options.assume.empty() || !options.certificate.empty() || options.for_all_sizes || options.verbose;  // is asked for
  if (!parts.run || !parts.prove || of_proof || options.run_shapes == "reduced" || c.manual_regions != 0 || options.rank_backend != nullptr) return false;
  const RunCost cost = cost_of_run(c, options);
  const std::vector<Attempt> all = attempts(cost, options, Purpose::Decide);
  const bool reals = !all.empty() && !all.front().reduced && all.front().mode == NumberMode::Real;
  if (!cost.fits || !(reals || is_affordable(cost.operations, NumberMode::F64, Purpose::Guard))) return false;
  enter_phase("run");
  try {
    infer_ranges(c);
    PairRunner runner(c);
    double operations = 0;
    for (const int regime : {0, kEnds, kEnds + 1, kMeetings, kRepeated}) {
      operations += cost.operations;
      if (regime != 0 && !is_affordable(operations, NumberMode::F64, Purpose::Guard)) break;
      if (seems_to_differ(runner, draw_inputs(c.relation, options.seed, regime), differential_options(options).budget)) return true;
    }
    return false;
  } catch (const RuntimeFailure&) {
    return false;
  } catch (const OutOfTime&) {
    return false;
  }
}

}  // namespace gg
