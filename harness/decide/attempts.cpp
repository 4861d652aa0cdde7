#include "harness/decide/attempts.h"

#include "harness/shapes.h"

namespace gg {
namespace {

/// Operations of all draws together: over the reals at about 3e7 a second, in f64 with bounds at 2e9.
struct Allowance {
  double real, f64;
};
constexpr Allowance kDecide{1.8e8, 1e10};  ///< about five seconds
constexpr Allowance kGuard{1.5e7, 1e9};   ///< about half a second
constexpr double kPerInstruction = 500;

}  // namespace

bool chooses_number_type(const Options& options) { return options.dtype == "auto" || options.dtype == "model" || options.dtype == "f32"; }

double least_cost(const Case& c) { return kPerInstruction * static_cast<double>(c.sequential->size() + c.distributed->size()); }

RunCost cost_of_run(const Case& c, const Options& options) {
  return {(estimated_operations(c) + least_cost(c)) * options.seeds,
          too_large(c, differential_options(with_number_type(options, c)), options.budget_seconds).empty()};
}

bool is_affordable(double operations, NumberMode mode, Purpose purpose) {
  const Allowance& allowed = purpose == Purpose::Guard ? kGuard : kDecide;
  return operations <= (mode == NumberMode::F64 ? allowed.f64 : allowed.real);
}

std::vector<Attempt> attempts(const RunCost& cost, const Options& options, Purpose purpose) {
  const auto affords = [&](NumberMode mode) {
    const bool chosen = chooses_number_type(options) || number_mode(options) == mode;
    return chosen && cost.fits && is_affordable(cost.operations, mode, purpose);
  };
  const Attempt reals{false, NumberMode::Real}, doubles{false, NumberMode::F64};
  const Attempt reduced{true, chooses_number_type(options) ? NumberMode::Real : number_mode(options)};
  if (options.run_shapes == "reduced") return {reduced};
  if (options.run_shapes == "full") {
    if (!chooses_number_type(options)) return {{false, number_mode(options)}};
    return {is_affordable(cost.operations, NumberMode::Real, Purpose::Decide) ? reals : doubles};
  }
  if (affords(NumberMode::Real)) return {reals};
  if (!affords(NumberMode::F64)) return {reduced};
  // What agrees at reduced shapes may differ at its own; a guard that cannot contradict the proof is the second choice.
  return purpose == Purpose::Guard ? std::vector{doubles} : std::vector{reduced, doubles};
}

}  // namespace gg
