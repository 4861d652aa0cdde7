#include "harness/decide/own_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "runtime/compare.h"
#include "runtime/pair_runner.h"

namespace gg {
namespace {

/// Of both sides of an output: the type of fewer bits.
const ElementInfo& own_type(const Case& c, int output) {
  const OutputClaim& claim = c.relation.outputs.at(static_cast<std::size_t>(output));
  const ElementInfo &a = info((*c.arena)[claim.sequential].type), &b = info((*c.arena)[claim.distributed].type);
  return a.significand < b.significand ? a : b;
}

/// Do the numbers differ by half a unit in the last place or more, of a type of so many bits?
bool told_apart(double a, double b, int significand) {
  if (!std::isfinite(a) || !std::isfinite(b)) return true;
  return !(std::abs(a - b) < std::ldexp(std::max(std::abs(a), std::abs(b)), -significand));
}

/// Does some element of the outputs that differ?
bool some_told_apart(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Budget& budget) {
  const PairRun run = PairRunner(c).run(inputs, {.mode = NumberMode::F64, .budget = budget});
  OutputClaims claims(c);
  for (const Difference& d : outcome.differences) {
    const ClaimedValues values = claims.values(static_cast<std::size_t>(d.output), run, NumberMode::F64);
    const auto compared = values.compared.as<std::int64_t>();
    for (std::size_t k = 0; k < compared.size(); ++k) {
      if (compared[k] == 0 || !std::isfinite(values.sequential.as<double>()[k])) continue;
      if (told_apart(values.sequential.as<double>()[k], values.distributed.as<double>()[k], own_type(c, d.output).significand)) return true;
    }
  }
  return false;
}

}  // namespace

void note_below_own_type(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Budget& budget, std::vector<std::string>& notes) {
  if (outcome.failure || outcome.differences.empty()) return;
  const bool large = std::any_of(outcome.differences.begin(), outcome.differences.end(), [&](const Difference& d) {
    const ElementInfo& type = own_type(c, d.output);
    return type.kind != ElementKind::Float || told_apart(std::strtod(d.sequential.c_str(), nullptr), std::strtod(d.distributed.c_str(), nullptr), type.significand);
  });
  if (large) return;
  try {
    if (some_told_apart(c, inputs, outcome, budget)) return;
  } catch (const RuntimeFailure&) {
    return;  // no budget left for what is only told beside the verdict
  }
  const ElementInfo& type = own_type(c, outcome.differences.front().output);
  notes.push_back(fmt::format(
      "no element of this draw differs by half a unit in the last place of its own type ({}: {:.1g} of the value): programs that compute in {} may give the same numbers; what is refuted is that both are one function of real numbers",
      type.name, std::ldexp(1.0, -type.significand), type.name));
}

}  // namespace gg
