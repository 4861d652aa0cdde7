#include "harness/prove/proof.h"

namespace gg {

namespace {

constexpr std::size_t kMaxRefusals = 3;  ///< after which the search is not asked again

void check(Case& c, const std::string& file, CheckedProof& proof) {
  try {
    proof.checked = check_certificate(proof.certificate, file, c);
  } catch (const InputError& error) {  // the search wrote what no certificate may say: that is no error of the user's texts
    proof.checked = {};
    proof.checked.problem = error.what();
  }
}

CheckedProof once(Case& c, const ProverOptions& options, const std::string& file) {
  CheckedProof result{prove(c, options), "", {}, {}};
  if (!result.proof.proved || !result.proof.certificate) return result;
  result.certificate = print_certificate(*result.proof.certificate);
  check(c, file, result);
  return result;
}

/// The search takes inputs as finite whether it needs that or not. Where outputs hang on tests for NaN or infinity it is asked of the checker: a
/// certificate that it accepts without the premise speaks of steps too in which the tests turn out otherwise.
void without_finite_inputs(Case& c, const std::string& file, CheckedProof& result) {
  if (!result.accepted() || result.proof.decided.tests.empty()) return;
  CheckedProof less = result;
  std::erase_if(less.proof.certificate->assumptions, [](const Assumption& a) { return a.kind == AssumptionKind::FiniteInputs; });
  less.certificate = print_certificate(*less.proof.certificate);
  check(c, file, less);
  if (!less.accepted()) return;
  less.proof.decided = {};
  less.proof.assumptions = less.proof.certificate->assumptions;
  result = std::move(less);
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
  without_finite_inputs(c, file, result);
  result.refusals = std::move(refusals);
  return result;
}

}  // namespace gg
