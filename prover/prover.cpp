// The entry point of proof search.
#include "prover/prover.h"

#include "prover/certificate/writer.h"
#include <set>

#include "prover/engine/engine.h"
#include "prover/engine/loop.h"
#include "prover/term/store.h"

namespace gg {

ProofResult prove(Case& c, Oracle* oracle, const ProverOptions& options) {
  (void)oracle;  // nothing is proposed by runs yet
  std::set<std::string> not_finite;
  while (true) {
    prover::Engine engine(c, options);
    engine.not_finite = not_finite;
    try {
      ProofResult result = engine.run();
      if (result.proved) result.certificate = prover::CertificateWriter(engine).write();
      return result;
    } catch (const prover::NotFinite& carry) {  // a carry fewer each time
      not_finite.insert(carry.carry);
    } catch (const prover::TermLimit& limit) {
      ProofResult result;
      result.outputs.resize(c.relation.outputs.size());
      if (!result.outputs.empty()) result.outputs[0].text = limit.what();
      result.reason = Reason::NoLemma;
      return result;
    }
  }
}

}  // namespace gg
