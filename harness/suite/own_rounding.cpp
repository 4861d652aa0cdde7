#include "harness/suite/own_rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/pair_runner.h"

namespace gg {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Largest difference of finite values; infinite where one is finite or exact and the other is not the same.
double distance(const Buffer& a, const Buffer& b) {
  const std::vector<double> x = numbers_of(a), y = numbers_of(b);
  if (a.storage() != b.storage() || x.size() != y.size()) return kInfinite;
  const bool exact = a.storage() != Storage::Double;
  double worst = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k] == y[k] || (std::isnan(x[k]) && std::isnan(y[k]))) continue;
    if (exact || !std::isfinite(x[k]) || !std::isfinite(y[k])) return kInfinite;
    worst = std::max(worst, std::abs(x[k] - y[k]));
  }
  return worst;
}

}  // namespace

double share_of_rounding(Case& now, Case& good, bool sequential_good, const InputSet& inputs, const Budget& budget) {
  const RunOptions precise{.mode = NumberMode::F64, .budget = budget, .seed = inputs.seed}, rounded{.mode = NumberMode::Model, .budget = budget, .seed = inputs.seed};
  PairRunner after(now), before(good);
  const RunResult changed = after.run_distributed(inputs, precise);
  const auto run = [&](const RunOptions& how) {
    return sequential_good ? after.run_sequential(inputs, how) : before.run_distributed(inputs, how);
  };
  const RunResult was = run(precise), own = run(rounded);
  double share = 0;
  for (std::size_t k = 0; k < was.outputs.size(); ++k) {
    const double moved = distance(was.outputs[k], changed.outputs[k]), rounding = distance(was.outputs[k], own.outputs[k]);
    if (moved != 0) share = std::max(share, std::isfinite(moved) && rounding > 0 ? moved / rounding : kInfinite);
  }
  return share;
}

}  // namespace gg
