#include "harness/decide/attempts.h"

#include <algorithm>

#include "harness/explain/shapes.h"

namespace gg {
namespace {

/// Operations of all draws together. Measured on one core: 6.5e7 a second over the reals (128 bits), 3e9 in f64 with bounds.
struct Allowance {
  double real, f64;
};
constexpr Allowance kDecide{1.8e8, 8e9};  ///< about three seconds
constexpr Allowance kGuard{1.5e7, 1e9};   ///< about a third of a second
constexpr double kPerInstruction = 500;

}  // namespace

bool chooses_number_type(const Options& options) { return options.dtype == "auto" || options.dtype == "model" || options.dtype == "f32"; }

double least_cost(const Case& c) { return kPerInstruction * static_cast<double>(c.sequential->size() + c.distributed->size()); }

RunCost cost_of_run(const Case& c, const Options& options) {
  return {estimated_operations(c) + least_cost(c),
          too_large(c, differential_options(with_number_type(options, c)), options.budget_seconds).empty()};
}

bool is_affordable(double operations, NumberMode mode, Purpose purpose) {
  const Allowance& allowed = purpose == Purpose::Guard ? kGuard : kDecide;
  return operations <= (mode == NumberMode::F64 ? allowed.f64 : allowed.real);
}

int further_draws(const Case& c) {
  constexpr double kOperations = 2e8;  ///< in f64
  constexpr double kMost = 64;
  return static_cast<int>(std::min(kMost, kOperations / (estimated_operations(c) + least_cost(c))));
}

std::vector<Attempt> attempts(const RunCost& cost, const Options& options, Purpose purpose) {
  const bool chooses = chooses_number_type(options);
  const int draws = options.seeds;
  const auto affords = [&](NumberMode mode, int count) {
    return (chooses || number_mode(options) == mode) && cost.fits && is_affordable(cost.operations * count, mode, purpose);
  };
  const Attempt reduced{true, chooses ? NumberMode::Real : number_mode(options), draws};
  if (options.run_shapes == "reduced") return {reduced};
  if (options.run_shapes == "full") {
    const bool reals = is_affordable(cost.operations * draws, NumberMode::Real, Purpose::Decide);
    return {{false, !chooses ? number_mode(options) : reals ? NumberMode::Real
                                                            : NumberMode::F64,
             draws}};
  }
  if (affords(NumberMode::Real, draws)) return {{false, NumberMode::Real, draws}};
  // A guard at the pair's own shapes can contradict the proof; what agrees over the reals at reduced shapes is looked at once more at its own.
  if (purpose == Purpose::Guard) return affords(NumberMode::F64, draws) ? std::vector<Attempt>{{false, NumberMode::F64, draws}} : std::vector{reduced};
  if (!chooses && affords(NumberMode::F64, draws)) return {{false, NumberMode::F64, draws}};
  return affords(NumberMode::F64, 1) ? std::vector<Attempt>{reduced, {false, NumberMode::F64, 1}} : std::vector{reduced};
}

}  // namespace gg
