// A proof as far as a verdict may rest on it: found by the search, accepted by the independent checker.
#pragma once

#include <string>
#include <vector>

#include "models/pair/case.h"
#include "models/pair/sizes_theorem.h"
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

/// A theorem about all sizes: the pair as one of a family (runtime/shapes), proved at sizes that no other number meets by chance, and the
/// certificate checked over polynomials in the sizes (prover/checker/sized). Does the pair compute the same whatever its sizes are, the number of ranks along an axis among them; where that is not shown, with
/// the ranks of one axis as they are, or over its other sizes, with all ranks and what is two as they are. `file` takes the text of the theorem, where it is not null.
SizesTheorem theorem_over_sizes(const Case& c, std::string* file = nullptr);

}  // namespace gg
