// The entry point of proof search.
#include "prover/prover.h"

#include "prover/certificate/writer.h"
#include <set>

#include "prover/engine/engine.h"
#include "prover/engine/loop.h"
#include "prover/term/store.h"

namespace gg {

namespace {

struct Attempt {
  ProofResult result;
  bool loops = false, lost = false, masks = false;
};

Attempt attempt(Case& c, const ProverOptions& options, prover::Engine::Unroll unroll, bool masks) {
  std::set<std::string> not_finite;
  while (true) {
    prover::Engine engine(c, options);
    engine.not_finite = not_finite;
    engine.unroll = unroll;
    engine.masks = masks;
    try {
      ProofResult result = engine.run();
      if (options.relations) result.relations = prover::CertificateWriter(engine).relations();
      if (result.proved) result.certificate = prover::CertificateWriter(engine).write();
      return {std::move(result), engine.saw_loop, engine.lost_loop, engine.saw_mask};
    } catch (const prover::NotFinite& carry) {  // a carry fewer each time
      not_finite.insert(carry.carry);
    } catch (const prover::TermLimit& limit) {
      ProofResult result;
      result.outputs.resize(c.relation.outputs.size());
      if (!result.outputs.empty()) result.outputs[0].text = limit.what();
      result.reason = Reason::NoLemma;
      return {std::move(result), engine.saw_loop, engine.lost_loop, engine.saw_mask};
    }
  }
}

/// With loops as they are; then with those of few iterations unrolled.
Attempt attempts(Case& c, const ProverOptions& options, bool masks) {
  using Unroll = prover::Engine::Unroll;
  Attempt first = attempt(c, options, Unroll::None, masks);
  for (const Unroll unroll : {Unroll::Lost, Unroll::All}) {
    if (first.result.proved || !first.loops || (unroll == Unroll::Lost && !first.lost)) continue;
    Attempt next = attempt(c, options, unroll, masks);
    if (next.result.proved) return next;
  }
  return first;
}

}  // namespace

ProofResult prove(Case& c, const ProverOptions& options) {
  Attempt plain = attempts(c, options, false);
  if (plain.result.proved || !plain.masks) return std::move(plain.result);
  Attempt assumed = attempts(c, options, true);
  return std::move(assumed.result.proved ? assumed.result : plain.result);
}

}  // namespace gg
