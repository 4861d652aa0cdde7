// repeats [--twice] CASE...: certificates that the search believes in. The checker accepts each; a refusal is printed with the two terms that
// differ. With --twice each is checked once more with every value that repeats an earlier one derived again. Exit code 1 where one is refused or
// the two checks disagree; the counts are printed.
#include <cstdio>
#include <cstring>

#include "prover/certificate.h"
#include "prover/checker/checker.h"
#include "prover/prover.h"

namespace {

struct Count {
  std::size_t proofs = 0, refused = 0, repeated = 0, wrong = 0;
};

void check(const std::string& folder, bool twice, Count& count) {
  gg::Case c = gg::load_case(folder);
  const gg::ProofResult proof = gg::prove(c, {});
  if (!proof.proved) return;
  const std::string text = gg::print_certificate(*proof.certificate);
  const gg::CheckResult once = gg::check_certificate(text, folder, c);
  ++count.proofs;
  count.repeated += once.repeated;
  if (!once.accepted) {
    ++count.refused;
    std::printf("%s: refused: %s\n", folder.c_str(), once.problem.c_str());
  }
  if (!twice) return;
  const gg::CheckResult again = gg::check_certificate(text, folder, c, true);
  if (once.accepted == again.accepted && once.problem == again.problem) return;
  ++count.wrong;
  std::printf("%s: %s | %s\n", folder.c_str(), once.problem.c_str(), again.problem.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Count count;
  const bool twice = argc > 1 && std::strcmp(argv[1], "--twice") == 0;
  for (int k = twice ? 2 : 1; k < argc; ++k) {
    try {
      check(argv[k], twice, count);
    } catch (const gg::InputError&) {  // a pair that is refused
    }
  }
  std::printf("%zu proofs, %zu refused, %zu values repeated, %zu disagree\n", count.proofs, count.refused, count.repeated, count.wrong);
  return count.refused == 0 && count.wrong == 0 && count.proofs > 0 ? 0 : 1;
}
