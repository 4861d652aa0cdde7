// The entry point of proof search.
#include "prover/prover.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "models/pair/index_uses.h"
#include "prover/certificate/writer.h"
#include "prover/engine/engine.h"
#include "prover/engine/literals.h"
#include "prover/engine/loop.h"
#include "prover/engine/piecewise.h"
#include "prover/term/store.h"

namespace gg {

namespace {

/// What nobody gave and a proof may yet rest on, and then says so.
struct Premises {
  std::vector<Assumption> in_bounds;
  bool masks = false;
  std::vector<prover::LiteralReading> literals{};
};

using Attempt = prover::Engine::Attempt;
constexpr Attempt kCheap[] = {Attempt::Timed, Attempt::Followed}, kOthers[] = {Attempt::Pieces, Attempt::Counted, Attempt::Parts, Attempt::Named, Attempt::Blocks, Attempt::UnrollAll, Attempt::UnrollLost, Attempt::Compared};
constexpr std::array<std::span<const Attempt>, 2> kAttempts{{kCheap, kOthers}};

constexpr std::size_t kMostLiterals = 16;       ///< that are given up one by one
constexpr std::uint64_t kLeastSteps = 100'000;  ///< that an attempt may take beyond those of the first one
constexpr std::uint64_t kTimesOfBlocks = 8;

/// Attempts under one set of premises.
class Way {
 public:
  Way(Case& c, const ProverOptions& options, Premises premises) : case_(c), options_(options), premises_(std::move(premises)) {}

  bool has_premises() const { return premises_.masks || !premises_.in_bounds.empty(); }
  bool proves(Attempt attempt) {
    ProofResult result = run(attempt);
    const bool proved = result.proved;
    const bool closer = !result.islands.empty() && result.islands.size() < proof.islands.size();
    if (proved || attempt == Attempt::Timed || closer) proof = std::move(result);
    return proved;
  }
  /// Those that differ from what was tried, in this order.
  bool proves(std::span<const Attempt> attempts) {
    for (const Attempt attempt : attempts)
      if (differs(attempt) && proves(attempt)) return by = attempt, true;
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
    const auto& in_bounds = premises_.in_bounds;
    const auto& literals = premises_.literals;
    if (has_premises() && !literals.empty()) without({{}, false, literals});
    if (premises_.masks && !in_bounds.empty() && !without({{}, true, literals})) without({in_bounds, false, literals});
    const auto without_one = [&](auto Premises::*list, std::size_t k) {
      Premises fewer = premises_;
      (fewer.*list) = prover::without(std::move(fewer.*list), k);
      without(fewer);
    };
    for (std::size_t k = in_bounds.size(); k-- > 0 && (in_bounds.size() > 1 || !literals.empty());) without_one(&Premises::in_bounds, k);
    Premises apart = premises_;
    if (std::erase_if(apart.literals, [](const prover::LiteralReading& l) { return l.shared; }) != 0) without(apart);
    for (std::size_t k = std::min(literals.size(), kMostLiterals); k-- > 0 && literals.size() > 1;) without_one(&Premises::literals, k);
  }

  ProofResult proof;  ///< or what the attempt that came closest told
  Attempt by = Attempt::Timed;
  bool masks = false;  ///< there are literals of masks

 private:
  bool differs(Attempt attempt) const {
    switch (attempt) {
      case Attempt::Timed: return true;
      case Attempt::Compared: return near_;
      case Attempt::Parts: return parts_;
      case Attempt::Counted: return counts_;
      case Attempt::Named:
      case Attempt::Blocks: return interleaved_;
      case Attempt::Pieces: return prover::joins_pieces(*case_.sequential_bodies, flatten(*case_.sequential));
      case Attempt::UnrollAll: return loops_;
      case Attempt::Followed:
      case Attempt::UnrollLost: return lost_;
    }
    return true;
  }
  /// With its certificate, or no proof where a term has no text.
  static ProofResult written(prover::Engine& engine, ProofResult result) {
    try {
      result.certificate = prover::CertificateWriter(engine).write();
    } catch (const prover::TermLimit& limit) {
      result.proved = false;
      result.outputs[0] = {false, limit.what()};
      result.reason = Reason::NoLemma;
    }
    return result;
  }
  ProofResult run(Attempt attempt) {
    std::set<std::string>& not_finite = not_finite_[attempt];
    while (true) {
      prover::Engine engine(case_, options_, premises_.in_bounds);
      engine.not_finite = not_finite;
      engine.attempt = attempt;
      engine.masks = premises_.masks;
      engine.read_literals(premises_.literals);
      if (attempt == Attempt::Parts || attempt == Attempt::Named) engine.terms().set_step_limit(std::min(options_.max_steps, steps_ + kLeastSteps));
      if (attempt == Attempt::Blocks) engine.terms().set_step_limit(std::min(options_.max_steps, kTimesOfBlocks * steps_ + kLeastSteps));
      ProofResult result;
      try {
        result = engine.run();
        if (options_.relations) result.relations = prover::CertificateWriter(engine).relations();
        if (result.proved) result = written(engine, std::move(result));
      } catch (const prover::NotFinite& loop) {  // some carries fewer each time
        not_finite.insert(loop.carries.begin(), loop.carries.end());
        continue;
      } catch (const prover::TermLimit& limit) {
        result = {};
        result.outputs.resize(case_.relation.outputs.size());
        if (!result.outputs.empty()) result.outputs[0].text = limit.what();
        result.reason = Reason::Limit;
      }
      if (attempt == Attempt::Timed) steps_ = result.steps, loops_ = engine.saw_loop, lost_ = engine.lost_loop, parts_ = engine.saw_parts, interleaved_ = engine.saw_interleaved, counts_ = engine.saw_counts, near_ = engine.saw_near, masks = engine.saw_mask;
      return result;
    }
  }

  Case& case_;
  const ProverOptions& options_;
  Premises premises_;
  std::map<Attempt, std::set<std::string>> not_finite_;  ///< carries
  bool loops_ = false, lost_ = false, parts_ = false, interleaved_ = false, counts_ = false, near_ = false;
  std::uint64_t steps_ = 0;  ///< of the first attempt
};

/// What indices may be assumed to lie in: with what counts from the end, where that is more, and without.
std::vector<std::vector<Assumption>> possible_in_bounds(Case& c) {
  const std::vector<IndexUses> uses = index_uses(c);
  const auto with = [&](Ends ends) {
    std::vector<Assumption> premises = in_range_assumptions(c);
    for (std::size_t k = 0; k < uses.size(); ++k) {
      if (auto premise = in_bounds_assumption(c, k, uses[k], ends)) premises.push_back(*std::move(premise));
    }
    return premises;
  };
  std::vector<std::vector<Assumption>> sets{with(Ends::Both), with(Ends::Near)};
  if (sets[0] == sets[1]) sets.pop_back();
  return sets;
}

}  // namespace

ProofResult prove(Case& c, const ProverOptions& options) {
  Way plain(c, options, {});
  std::vector<Way> assumed;  // made where they are needed
  for (const auto& attempts : kAttempts) {
    if (!options.any_premises && plain.proves(attempts)) break;
    if (assumed.empty()) {
      for (auto& in_bounds : possible_in_bounds(c)) assumed.emplace_back(c, options, Premises{std::move(in_bounds), options.any_premises || plain.masks});
    }
    for (Way& way : assumed) {
      if ((!options.any_premises && !way.has_premises()) || !way.proves(attempts)) continue;
      if (!options.any_premises) way.reduce();
      return std::move(way.proof);
    }
  }
  if (options.any_premises) return std::move(assumed.back().proof);
  if (auto literals = prover::literal_readings(c); !literals.empty()) {
    Way read(c, options, Premises{possible_in_bounds(c).back(), plain.masks, std::move(literals)});
    for (const auto& attempts : kAttempts) {
      if (!read.proves(attempts)) continue;
      read.reduce();
      return std::move(read.proof);
    }
  }
  return std::move(plain.proof);
}

}  // namespace gg
