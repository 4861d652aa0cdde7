// The entry point of proof search.
#include "prover/prover.h"

#include "prover/engine/engine.h"

namespace gg {

ProofResult prove(Case& c, Oracle* oracle, const ProverOptions& options) {
  (void)oracle;  // nothing is proposed by runs yet
  return prover::Engine(c, options).run();
}

}  // namespace gg
