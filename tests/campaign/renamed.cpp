// Verdicts of prover and checker with all instructions and computations renamed and all metadata removed.
// usage: campaign_renamed CASE...      prints a line a case; exits 1 if one verdict changes
#include <cstdio>
#include <string>

#include "harness/prove/mutants.h"
#include "harness/prove/proof.h"
#include "models/base/diag.h"
#include "models/mutation/rewritten.h"
#include "runtime/inputs.h"

namespace {

std::string verdict(gg::Case& c) {
  const gg::CheckedProof found = gg::prove_and_check(c);
  const std::string text = std::to_string(found.proof.related) + "/" + std::to_string(found.proof.instructions);
  if (found.certificate.empty()) return "unknown " + text;
  return (found.accepted() ? "proved " : "not accepted ") + text;
}

bool same(const std::string& folder) {
  gg::Case c = gg::load_case(folder, {});
  gg::infer_ranges(c);
  gg::Case other = gg::with_modules(c, gg::anonymous(*c.sequential), gg::anonymous(*c.distributed));
  const std::string before = verdict(c), after = verdict(other);
  std::printf("%s %s: %s, renamed %s\n", before == after ? "same" : "DIFFERENT", c.name.c_str(), before.c_str(), after.c_str());
  return before == after;
}

}  // namespace

int main(int argc, char** argv) {
  int different = 0, refused = 0;
  for (int k = 1; k < argc; ++k) {
    try {
      different += !same(argv[k]);
    } catch (const gg::InputError& error) {
      ++refused;
      std::printf("not read: %s\n", error.what());
    }
  }
  std::printf("%d cases, %d different, %d not read\n", argc - 1, different, refused);
  return different > 0 ? 1 : 0;
}
