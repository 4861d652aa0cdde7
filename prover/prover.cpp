// The entry point of proof search.
#include "prover/prover.h"

#include "prover/certificate/writer.h"
#include "prover/engine/engine.h"
#include "prover/term/store.h"

namespace gg {

ProofResult prove(Case& c, Oracle* oracle, const ProverOptions& options) {
  (void)oracle;  // nothing is proposed by runs yet
  prover::Engine engine(c, options);
  ProofResult result = engine.run();
  if (!result.proved) return result;
  try {
    result.certificate = prover::CertificateWriter(engine).write();
  } catch (const prover::TermLimit& limit) {
    result.proved = false;
    result.reason = Reason::NoLemma;
    result.outputs[0].text = limit.what();
  }
  return result;
}

}  // namespace gg
