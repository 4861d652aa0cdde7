#include "harness/decide/recorded.h"

#include <algorithm>
#include <cmath>

#include "runtime/compare.h"
#include "runtime/pair_runner.h"

namespace gg {
namespace {

constexpr double kClear = 1e-6;

bool differs_clearly(const ClaimedValues& values) {
  const auto compared = values.compared.as<std::int64_t>();
  double scale = 0, largest = 0;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    if (compared[k] == 0) continue;
    if (values.integral) {
      if (values.sequential.as<std::int64_t>()[k] != values.distributed.as<std::int64_t>()[k]) return true;
      continue;
    }
    const double a = values.sequential.as<double>()[k], b = values.distributed.as<double>()[k];
    if (!std::isfinite(a)) continue;
    if (!std::isfinite(b)) return true;
    scale = std::max({scale, std::abs(a), std::abs(b)});
    largest = std::max(largest, std::abs(a - b));
  }
  return largest > kClear * scale;
}

}  // namespace

bool differs_clearly(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Budget& budget) {
  if (outcome.failure) return true;
  try {
    const PairRun run = PairRunner(c).run(inputs, {.mode = NumberMode::F64, .budget = budget});
    OutputClaims claims(c);
    return std::any_of(outcome.differences.begin(), outcome.differences.end(), [&](const Difference& d) {
      return differs_clearly(claims.values(static_cast<std::size_t>(d.output), run, NumberMode::F64));
    });
  } catch (const RuntimeFailure&) {
    return false;  // no budget left to show it
  }
}

}  // namespace gg
