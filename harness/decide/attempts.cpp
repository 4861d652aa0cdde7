#include "harness/decide/attempts.h"

#include <algorithm>

#include "harness/shapes.h"

namespace gg {
namespace {

/// Operations of all draws together that a run may take: over the reals, and in f64 with bounds.
struct Allowance {
  double real, f64;
};
constexpr Allowance kOpen{1.8e8, 4e9};   ///< about five seconds
constexpr Allowance kGuard{1.8e8, 4e9};

}  // namespace

RunCost cost_of_run(const Case& c, const Options& options) {
  return {estimated_operations(c), too_large(c, differential_options(with_number_type(options, c))).empty()};
}

std::vector<Attempt> attempts(const RunCost& cost, const Options& options, bool proved) {
  const bool open = options.dtype == "auto" || options.dtype == "model" || options.dtype == "f32";
  const double operations = cost.operations * options.seeds;
  const Allowance& allowed = proved ? kGuard : kOpen;
  const Attempt reduced{true, number_mode(options)};
  const Attempt full{false, open && operations > allowed.real ? NumberMode::F64 : number_mode(options)};
  if (options.run_shapes == "reduced") return {reduced};
  if (options.run_shapes == "full") return {full};
  if (!cost.fits) return {reduced};
  return {full};
}

bool runs_at_full_shape(const Case& c, const Options& options) {
  const std::vector<Attempt> all = attempts(cost_of_run(c, options), options, false);
  return std::any_of(all.begin(), all.end(), [](const Attempt& a) { return !a.reduced; });
}

}  // namespace gg
