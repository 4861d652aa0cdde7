// A proof as far as a verdict may rest on it: found by the search, accepted by the independent checker.
#pragma once

#include <string>
#include <vector>

#include "prover/checker/checker.h"
#include "prover/prover.h"

namespace gg {

struct CheckedProof {
  ProofResult proof;
  std::string certificate;            ///< its bytes; "" if the search found none
  CheckResult checked;                ///< of these bytes
  std::vector<std::string> refusals;  ///< of certificates before this one, each of which told the search what not to state
  bool accepted() const { return checked.accepted; }
};

/// Search, then check of the certificate's own bytes (`file` names them in messages).
CheckedProof prove_and_check(Case& c, const ProverOptions& options = {}, const std::string& file = "");

}  // namespace gg
