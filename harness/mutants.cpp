#include "harness/mutants.h"

#include <algorithm>
#include <numeric>

#include "harness/proof.h"
#include "models/base/check.h"

namespace gg {
namespace {

constexpr std::size_t kMaxTries = 6;
/// A wrong program that is proved is proved as the right one is: the search gets so many times the steps of the proof.
constexpr std::uint64_t kMoreSteps = 4;
constexpr std::uint64_t kLeastSteps = 20'000;

}  // namespace

Case mutated(const Case& c, const Edit& edit) { return with_modules(c, *c.sequential, apply(*c.distributed, edit)); }

MutantResult try_mutants(const Case& c, const DifferentialOptions& options, int wanted, std::uint64_t steps) {
  MutantResult result;
  const std::vector<Edit> all = edits(*c.distributed);
  DifferentialOptions once = options;
  once.seeds = 1;
  ProverOptions search;
  search.any_premises = true;
  search.max_steps = std::max(kLeastSteps, kMoreSteps * steps);
  // A stride coprime to the length visits every edit once and spreads the tries over the program.
  std::size_t stride = all.size() / 3 + 1;
  while (stride < all.size() && std::gcd(stride, all.size()) != 1) ++stride;
  for (std::size_t k = 0; k < std::min(all.size(), kMaxTries) && result.refused < wanted; ++k) {
    const Edit& edit = all[(k + 1) * stride % all.size()];
    try {
      Case mutant = mutated(c, edit);
      if (!run_pair(mutant, once).differing) continue;
      GG_CHECK(!prove_and_check(mutant, search).accepted(), "a mutant that differs was proved: " + to_string(*c.distributed, edit));
      ++result.refused;
      result.texts.push_back(to_string(*c.distributed, edit));
    } catch (const InputError&) {
      // The edit made a module that the rules refuse (groups of another size, say): no mutant.
    }
  }
  return result;
}

}  // namespace gg
