// The entry point of proof search.
#include "prover/prover.h"

#include <map>
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

using Loops = prover::Engine::Loops;

/// What attempts under more premises have shown of those under fewer.
struct Known {
  Loops least = Loops::Timed;                            ///< ways to take loops before this one do not prove
  std::map<Loops, std::set<std::string>> not_finite{};   ///< carries
};

Attempt attempt(Case& c, const ProverOptions& options, Loops loops, const Premises& premises, std::set<std::string>& not_finite) {
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
    } catch (const prover::NotFinite& loop) {  // some carries fewer each time
      not_finite.insert(loop.carries.begin(), loop.carries.end());
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
Attempt attempts(Case& c, const ProverOptions& options, const Premises& premises, Known& known) {
  const Loops least = known.least;
  Attempt first = attempt(c, options, least, premises, known.not_finite[least]);
  for (const Loops loops : {Loops::Followed, Loops::UnrollLost, Loops::UnrollAll}) {
    if (loops <= least || first.result.proved || !first.loops || (loops != Loops::UnrollAll && !first.lost)) continue;
    Attempt next = attempt(c, options, loops, premises, known.not_finite[loops]);
    if (!next.result.proved) continue;
    known.least = loops;
    return next;
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
ProofResult with_least(Case& c, const ProverOptions& options, Premises premises, ProofResult proof, const Known& known) {
  const auto without = [&](const Premises& fewer) {
    Known own = known;
    Attempt next = attempts(c, options, fewer, own);
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
  Known known;
  if (!options.any_premises) {
    Known none;
    plain = attempts(c, options, all, none);
    if (plain.result.proved) return std::move(plain.result);
    all.masks = plain.masks;
  } else {
    all.masks = true;
  }
  all.in_bounds = possible_in_bounds(c);
  if (!options.any_premises && !all.masks && all.in_bounds.empty()) return std::move(plain.result);
  Attempt most = attempts(c, options, all, known);
  if (options.any_premises) return std::move(most.result);
  if (!most.result.proved) return std::move(plain.result);
  return with_least(c, options, all, std::move(most.result), known);
}

}  // namespace gg
