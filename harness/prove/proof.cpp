#include "harness/prove/proof.h"

namespace gg {

namespace {

constexpr std::size_t kMaxRefusals = 3;  ///< after which the search is not asked again

CheckedProof once(Case& c, const ProverOptions& options, const std::string& file) {
  CheckedProof result{prove(c, options), "", {}, {}};
  if (!result.proof.proved || !result.proof.certificate) return result;
  result.certificate = print_certificate(*result.proof.certificate);
  try {
    result.checked = check_certificate(result.certificate, file, c);
  } catch (const InputError& error) {  // the search wrote what no certificate may say: that is no error of the user's texts
    result.checked.problem = error.what();
  }
  return result;
}

}  // namespace

CheckedProof prove_and_check(Case& c, const ProverOptions& options, const std::string& file) {
  const CheckedProof first = once(c, options, file);
  CheckedProof result = first;
  ProverOptions more = options;
  std::vector<std::string> refusals;
  while (!result.accepted() && result.checked.refused && refusals.size() < kMaxRefusals) {
    refusals.push_back(result.checked.problem);
    more.refused.push_back(*result.checked.refused);
    result = once(c, more, file);
  }
  if (!result.accepted()) result = first;  // its refusal tells more than what follows from it
  result.refusals = std::move(refusals);
  return result;
}

}  // namespace gg
