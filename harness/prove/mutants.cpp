#include "harness/prove/mutants.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/prove/proof.h"
#include "models/base/check.h"
#include "models/ir/kinds.h"
#include "runtime/compare.h"
#include "runtime/pair_runner.h"

namespace gg {
namespace {

constexpr std::size_t kMaxTries = 6;
/// One output of a wrong program, were it proved, would be proved as that of the right one is: the search gets the steps of the whole proof; of a short proof so many times them, and
/// these at least.
constexpr std::uint64_t kLeastSteps = 1'000, kTimes = 8, kShortProof = 20'000;
/// What the guard may take in all: about a second of runs, and of searches.
constexpr double kMostOperations = 1e9;
constexpr std::uint64_t kMostSteps = 4'000'000;

bool differs_visibly(const ClaimedValues& values) {
  constexpr double kVisible = 1e-6;
  for (std::size_t e = 0; e < static_cast<std::size_t>(values.compared.count()); ++e) {
    if (values.compared.as<std::int64_t>()[e] == 0) continue;
    const auto at = [&](const Buffer& b) { return values.integral ? static_cast<double>(b.as<std::int64_t>()[e]) : b.as<double>()[e]; };
    const double a = at(values.sequential), b = at(values.distributed);
    if (std::isfinite(a) && !(std::abs(a - b) <= kVisible * std::max(std::abs(a), std::abs(b)))) return true;
  }
  return false;
}

/// On one draw: does it differ? Then of the outputs only the first that does is claimed any longer, where the ranks do not part.
bool looks_different(Case& mutant, std::uint64_t seed, const RunOptions& plain) {
  std::vector<OutputClaim>& outputs = mutant.relation.outputs;
  try {
    const PairRun run = PairRunner(mutant).run(draw_inputs(mutant.relation, seed, 0), plain);
    OutputClaims claims(mutant);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (outputs[k].kind != OutputClaim::Kind::Compared || !differs_visibly(claims.values(k, run, NumberMode::F64))) continue;
      for (std::size_t other = 0; other < outputs.size(); ++other) {
        if (other != k) outputs[other].kind = OutputClaim::Kind::Ignored;
      }
      return true;
    }
  } catch (const RuntimeFailure& failure) {
    return failure.kind == RuntimeFailure::Kind::Mismatch;
  }
  return false;
}

/// Instructions after which a run of a mutant is given up: a defect may make a loop endless.
std::int64_t most_steps_of(const Case& c, std::uint64_t seed, const RunOptions& plain) {
  constexpr std::int64_t kLoops = 4;
  const auto loops = [](const Module& module) {
    for (InstructionId id = 0; id < module.size(); ++id) {
      if (is_loop(module, id)) return true;
    }
    return false;
  };
  if (!loops(*c.distributed)) return plain.max_steps;
  try {
    Case same = with_modules(c, *c.sequential, Module(*c.distributed));
    return kLoops * PairRunner(same).run_distributed(draw_inputs(c.relation, seed, 0), plain).steps;
  } catch (const RuntimeFailure&) {
    return 0;  // nor do mutants run
  }
}

}  // namespace

Case mutated(const Case& c, const Edit& edit) { return with_modules(c, *c.sequential, apply(*c.distributed, edit)); }

MutantResult try_mutants(const Case& c, const DifferentialOptions& options, int wanted, std::uint64_t steps) {
  MutantResult result;
  const std::vector<Edit> all = edits(*c.distributed);
  DifferentialOptions once = options;
  once.seeds = 1;
  ProverOptions search;
  search.any_premises = true;
  search.max_steps = std::max(steps, std::clamp(kTimes * steps, kLeastSteps, kShortProof));
  // A stride coprime to the length visits every edit once and spreads the tries over the program.
  std::size_t stride = all.size() / 3 + 1;
  while (stride < all.size() && std::gcd(stride, all.size()) != 1) ++stride;
  const double affordable = kMostOperations / std::max(estimated_operations(c), 1.0);
  const std::size_t tries = std::min({all.size(), kMaxTries, static_cast<std::size_t>(affordable), static_cast<std::size_t>(kMostSteps / search.max_steps)});
  RunOptions plain;
  plain.mode = NumberMode::F64;
  plain.budget = options.budget;
  if (tries != 0) plain.max_steps = most_steps_of(c, options.seed, plain);
  for (std::size_t k = 0; k < tries && result.refused < wanted; ++k) {
    const Edit& edit = all[(k + 1) * stride % all.size()];
    try {
      Case mutant = mutated(c, edit);
      if (!looks_different(mutant, options.seed, plain)) continue;
      if (prove_and_check(mutant, search).accepted()) {
        GG_CHECK(!run_pair(mutant, once).differing, "a mutant that differs was proved: " + to_string(*c.distributed, edit));
        continue;
      }
      ++result.refused;
      result.texts.push_back(to_string(*c.distributed, edit));
    } catch (const InputError&) {
      // The edit made a module that the rules refuse (groups of another size, say): no mutant.
    }
  }
  return result;
}

}  // namespace gg
