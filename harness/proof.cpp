#include "harness/proof.h"

namespace gg {

CheckedProof prove_and_check(Case& c, const ProverOptions& options, const std::string& file) {
  CheckedProof result{prove(c, options), "", {}};
  if (!result.proof.proved || !result.proof.certificate) return result;
  result.certificate = print_certificate(*result.proof.certificate);
  result.checked = check_certificate(result.certificate, file, c);
  return result;
}

}  // namespace gg
