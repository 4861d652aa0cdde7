// repeats CASE...: certificates of proved pairs, checked as ever and with every value that repeats an earlier one derived again. Exit
// code 1 where the two disagree; the shares are printed.
#include <cstdio>

#include "prover/certificate.h"
#include "prover/checker/checker.h"
#include "prover/prover.h"

namespace {

struct Count {
  std::size_t proofs = 0, repeated = 0, wrong = 0;
};

void check(const std::string& folder, Count& count) {
  gg::Case c = gg::load_case(folder);
  const gg::ProofResult proof = gg::prove(c, {});
  if (!proof.proved) return;
  const std::string text = gg::print_certificate(*proof.certificate);
  const gg::CheckResult once = gg::check_certificate(text, folder, c), twice = gg::check_certificate(text, folder, c, true);
  ++count.proofs;
  count.repeated += once.repeated;
  if (once.accepted == twice.accepted && once.problem == twice.problem) return;
  ++count.wrong;
  std::printf("%s: %s | %s\n", folder.c_str(), once.problem.c_str(), twice.problem.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Count count;
  for (int k = 1; k < argc; ++k) {
    try {
      check(argv[k], count);
    } catch (const gg::InputError&) {  // a pair that is refused
    }
  }
  std::printf("%zu proofs, %zu values repeated, %zu disagree\n", count.proofs, count.repeated, count.wrong);
  return count.wrong == 0 && count.proofs > 0 ? 0 : 1;
}
