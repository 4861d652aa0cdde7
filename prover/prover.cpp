// The entry point of proof search.
#include "prover/prover.h"

#include <set>

#include "models/pair/index_uses.h"
#include "prover/certificate/writer.h"
#include "prover/engine/engine.h"
#include "prover/engine/loop.h"
#include "prover/term/store.h"

namespace gg {

namespace {

/// What nobody gave and a proof may yet rest on, and then says so.
struct Premises {
  std::vector<Assumption> in_bounds;
  bool masks = false;
};

struct Attempt {
  ProofResult result;
  bool loops = false, lost = false, masks = false;
};

Attempt attempt(Case& c, const ProverOptions& options, prover::Engine::Loops loops, const Premises& premises) {
  std::set<std::string> not_finite;
  while (true) {
    prover::Engine engine(c, options, premises.in_bounds);
    engine.not_finite = not_finite;
    engine.loops = loops;
    engine.masks = premises.masks;
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

/// With loops by their times; then step by step, then with those of few iterations unrolled.
Attempt attempts(Case& c, const ProverOptions& options, const Premises& premises) {
  using Loops = prover::Engine::Loops;
  Attempt first = attempt(c, options, Loops::Timed, premises);
  for (const Loops loops : {Loops::Followed, Loops::UnrollLost, Loops::UnrollAll}) {
    if (first.result.proved || !first.loops || (loops != Loops::UnrollAll && !first.lost)) continue;
    Attempt next = attempt(c, options, loops, premises);
    if (next.result.proved) return next;
  }
  return first;
}

std::vector<Assumption> possible_in_bounds(Case& c) {
  std::vector<Assumption> premises;
  const std::vector<IndexUses> uses = index_uses(c);
  for (std::size_t k = 0; k < uses.size(); ++k) {
    if (auto premise = in_bounds_assumption(c, k, uses[k])) premises.push_back(*std::move(premise));
  }
  return premises;
}

/// The proof under fewer premises, as long as there is one.
ProofResult with_least(Case& c, const ProverOptions& options, Premises premises, ProofResult proof) {
  const auto without = [&](const Premises& fewer) {
    Attempt next = attempts(c, options, fewer);
    if (!next.result.proved) return false;
    premises = fewer;
    proof = std::move(next.result);
    return true;
  };
  if (premises.masks && !premises.in_bounds.empty()) {
    if (without({{}, true})) return proof;
    without({premises.in_bounds, false});
  }
  for (std::size_t k = premises.in_bounds.size(); k-- > 0 && premises.in_bounds.size() > 1;) {
    Premises fewer = premises;
    fewer.in_bounds.erase(fewer.in_bounds.begin() + static_cast<std::ptrdiff_t>(k));
    without(fewer);
  }
  return proof;
}

}  // namespace

ProofResult prove(Case& c, const ProverOptions& options) {
  Premises all;
  Attempt plain;
  if (!options.any_premises) {
    plain = attempts(c, options, all);
    if (plain.result.proved) return std::move(plain.result);
    all.masks = plain.masks;
  } else {
    all.masks = true;
  }
  all.in_bounds = possible_in_bounds(c);
  if (!options.any_premises && !all.masks && all.in_bounds.empty()) return std::move(plain.result);
  Attempt most = attempts(c, options, all);
  if (options.any_premises) return std::move(most.result);
  if (!most.result.proved) return std::move(plain.result);
  return with_least(c, options, all, std::move(most.result));
}

}  // namespace gg
