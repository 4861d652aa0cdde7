// The entry point of proof search.
#include "prover/prover.h"

#include <array>
#include <map>
#include <optional>
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

using Loops = prover::Engine::Loops;
constexpr std::array<std::array<Loops, 2>, 2> kLoops{{{Loops::Timed, Loops::Followed}, {Loops::UnrollAll, Loops::UnrollLost}}};  ///< the cheap ones first

/// Attempts under one set of premises.
class Way {
 public:
  Way(Case& c, const ProverOptions& options, Premises premises) : case_(c), options_(options), premises_(std::move(premises)) {}

  bool has_premises() const { return premises_.masks || !premises_.in_bounds.empty(); }
  /// One attempt with loops taken in this way.
  bool proves(Loops loops) {
    ProofResult result = attempt(loops);
    const bool proved = result.proved;
    const bool closer = !result.islands.empty() && result.islands.size() < proof.islands.size();
    if (proved || loops == Loops::Timed || closer) proof = std::move(result);
    return proved;
  }
  /// By their times or step by step; then with those of few iterations unrolled.
  bool proves(const std::array<Loops, 2>& ways) {
    for (const Loops loops : ways) {
      if (loops != Loops::Timed && (!loops_ || (loops != Loops::UnrollAll && !lost_))) continue;
      if (proves(loops)) return by = loops, true;
    }
    return false;
  }
  /// The same under fewer premises, as long as there is a proof.
  void reduce() {
    const auto without = [&](const Premises& fewer) {
      Way next(case_, options_, fewer);
      next.not_finite_ = not_finite_;  // fewer premises, fewer finite carries
      if (!next.proves(by)) return false;
      premises_ = fewer;
      proof = std::move(next.proof);
      return true;
    };
    if (premises_.masks && !premises_.in_bounds.empty()) {
      if (without({{}, true})) return;
      without({premises_.in_bounds, false});
    }
    for (std::size_t k = premises_.in_bounds.size(); k-- > 0 && premises_.in_bounds.size() > 1;) {
      Premises fewer = premises_;
      fewer.in_bounds.erase(fewer.in_bounds.begin() + static_cast<std::ptrdiff_t>(k));
      without(fewer);
    }
  }

  ProofResult proof;  ///< or what the attempt that came closest told
  Loops by = Loops::Timed;
  bool masks = false;  ///< there are literals of masks

 private:
  ProofResult attempt(Loops loops) {
    std::set<std::string>& not_finite = not_finite_[loops];
    while (true) {
      prover::Engine engine(case_, options_, premises_.in_bounds);
      engine.not_finite = not_finite;
      engine.loops = loops;
      engine.masks = premises_.masks;
      ProofResult result;
      try {
        result = engine.run();
        if (options_.relations) result.relations = prover::CertificateWriter(engine).relations();
        if (result.proved) result.certificate = prover::CertificateWriter(engine).write();
      } catch (const prover::NotFinite& loop) {  // some carries fewer each time
        not_finite.insert(loop.carries.begin(), loop.carries.end());
        continue;
      } catch (const prover::TermLimit& limit) {
        result = {};
        result.outputs.resize(case_.relation.outputs.size());
        if (!result.outputs.empty()) result.outputs[0].text = limit.what();
        result.reason = Reason::NoLemma;
      }
      if (loops == Loops::Timed) loops_ = engine.saw_loop, lost_ = engine.lost_loop, masks = engine.saw_mask;
      return result;
    }
  }

  Case& case_;
  const ProverOptions& options_;
  Premises premises_;
  std::map<Loops, std::set<std::string>> not_finite_;  ///< carries
  bool loops_ = false, lost_ = false;
};

std::vector<Assumption> possible_in_bounds(Case& c) {
  std::vector<Assumption> premises;
  const std::vector<IndexUses> uses = index_uses(c);
  for (std::size_t k = 0; k < uses.size(); ++k) {
    if (auto premise = in_bounds_assumption(c, k, uses[k])) premises.push_back(*std::move(premise));
  }
  return premises;
}

}  // namespace

ProofResult prove(Case& c, const ProverOptions& options) {
  Way plain(c, options, {});
  std::optional<Way> assumed;
  for (const auto& loops : kLoops) {
    if (!options.any_premises && plain.proves(loops)) break;
    if (!assumed) assumed.emplace(c, options, Premises{possible_in_bounds(c), options.any_premises || plain.masks});
    if ((!options.any_premises && !assumed->has_premises()) || !assumed->proves(loops)) continue;
    if (!options.any_premises) assumed->reduce();
    return std::move(assumed->proof);
  }
  return options.any_premises ? std::move(assumed->proof) : std::move(plain.proof);
}

}  // namespace gg
