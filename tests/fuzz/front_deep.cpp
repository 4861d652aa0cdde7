// fuzz_deep: mutated cases are run, proved and checked.
#include <signal.h>
#include <unistd.h>

#include "harness/witness/safetensors.h"
#include "models/base/diag.h"
#include "models/base/progress.h"
#include "prover/checker/checker.h"
#include "prover/prover.h"
#include "runtime/differential.h"
#include "tests/fuzz/front.h"
#include "tests/fuzz/mutator.h"

namespace gg::testing {

std::string run_and_prove(Case& c, int depth) {
  infer_ranges(c);
  DifferentialOptions options;
  options.seeds = 1;
  progress().over = false;
  signal(SIGALRM, [](int) { progress().over = true; });
  alarm(5);
  options.budget.max_bytes = std::size_t{64} << 20;
  const DifferentialResult run = run_pair(c, options);
  alarm(0);
  progress().over = false;
  if (run.stopped) return "stopped";
  if (run.differing) return "differs";
  if (depth < 2) return "agrees";
  ProverOptions limits;
  limits.max_steps = 200'000;
  const ProofResult proof = prove(c, limits);
  if (!proof.proved || !proof.certificate) return "agrees, not proved";
  const CheckResult checked = check_certificate(print_certificate(*proof.certificate), "certificate", c);
  return checked.accepted ? "agrees, proved" : "agrees, proof not accepted";
}

void read_tensors(std::uint64_t seed, long n) {
  Buffer values(Storage::Double, 6);
  std::vector<NamedTensor> tensors;
  tensors.push_back({"free.0", {2, 3}, values.clone()});
  tensors.push_back({"free.1", {6}, values.clone()});
  const std::vector<std::string> pool = {write_safetensors(tensors, {{"seed", "1"}})};
  Mutator mutator(seed * 7919 + static_cast<std::uint64_t>(n), pool);
  try {
    read_safetensors(mutator.next(), "mutated");
  } catch (const InputError&) {
  }
}

}  // namespace gg::testing
