// The search for edits that mend (harness/pinpoint/pinpoint.h).
#include "harness/pinpoint/pinpoint.h"

#include <algorithm>
#include <set>

#include "harness/pinpoint/places.h"
#include "harness/pinpoint/synthesis.h"
#include "prover/checker/checker.h"
#include "prover/prover.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::int64_t kTrialElements = 60'000'000;  ///< numbers computed by all trials of one step, about
constexpr std::int64_t kMostTrials = 500, kLeastTrials = 30;
constexpr int kStep = 3;            ///< cost of a step away from the source
constexpr int kWindow = 4;          ///< further mends that cost at most this much more are looked for
constexpr std::size_t kMaxMends = 3;
constexpr std::size_t kMaxRetraced = 40;
constexpr int kConfirmSeeds = 2;
constexpr std::size_t kMaxSources = 6;

struct Found {
  Repair repair;
  Module module;
};

/// How far a program is from right: wrong outputs, then values on the way to them that match nothing.
struct Distance {
  std::size_t outputs = 0, suspects = 0;
  friend auto operator<=>(const Distance&, const Distance&) = default;
};

std::int64_t elements_of(const Module& module, std::int64_t ranks) {
  std::int64_t sum = 1;
  for (InstructionId id = 0; id < module.size(); ++id) {
    for (const Type* leaf : array_leaf_types(module.type(id))) sum += std::min<std::int64_t>(leaf->count(), kTrialElements);
  }
  return sum * ranks;
}

class Searcher {
 public:
  Searcher(Case& c, const InputSet& inputs, const Search& search)
      : original_(c), search_(search), inputs_(clone(inputs)),
        trials_(c, both(c, inputs, search.seed), search.budget) {
    for (InstructionId id = 0; id < c.distributed->size(); ++id) names_.emplace(name_of(*c.distributed, id), id);
  }

  Pinpointed run() {
    Pinpointed result;
    for (const Source source : {Source::Catalogue, Source::Sequential}) {
      mend_with(source, result);
      if (!result.mends.empty()) break;
    }
    result.trials = trials_.count();
    return result;
  }

 private:
  enum class Source : std::uint8_t { Catalogue, Sequential };  ///< of the edits

  /// Edit after edit, until the program is right; nothing is kept of a chain that does not get there.
  void mend_with(Source source, Pinpointed& result) {
    Case* now = &original_;
    std::optional<Case> edited;
    std::vector<Found> chain;
    for (int step = 0; step < search_.max_findings; ++step) {
      const DivergenceTrace trace(*now, inputs_, NumberMode::Real, search_.budget);
      if (trace.complete() && trace.wrong_outputs().empty()) break;
      if (source == Source::Sequential && !trace.complete()) break;
      const Context context(*now, &trace);
      std::vector<Found> mends;
      std::optional<Found> better = step_at(context, source, mends);
      for (Found& mend : mends) finish(result, chain, mend);
      if (!result.mends.empty()) result.defects = defects(chain, mends.front());
      if (!mends.empty() || !better) break;
      chain.push_back(std::move(*better));
      edited.emplace(with_distributed(original_, Module(chain.back().module)));
      now = &*edited;
    }
  }

  using Name = std::pair<std::string, std::string>;
  static Name name_of(const Module& module, InstructionId id) {
    return Name(module.string(module.computation(module.computation_of(id)).name), module.name_of(id));
  }

  static InputSet clone(const InputSet& inputs) {
    InputSet copy{inputs.seed, inputs.regime, {}};
    for (const Buffer& buffer : inputs.free) copy.free.push_back(buffer.clone());
    return copy;
  }

  static std::vector<InputSet> both(const Case& c, const InputSet& inputs, std::uint64_t seed) {
    std::vector<InputSet> sets;
    sets.push_back(clone(inputs));
    sets.push_back(draw_inputs(c.relation, seed + 1001, 0));
    return sets;
  }

  std::vector<Repair> repairs_of(const Context& context, Source source) {
    if (source == Source::Sequential) return replacements(context);
    std::vector<Repair> repairs;
    for (const Candidate& candidate : places(context)) {
      if (!in_original(context.module(), candidate.id)) continue;
      for (Repair& repair : repairs_at(context, candidate.id)) {
        repair.cost += kStep * candidate.distance;
        repairs.push_back(std::move(repair));
      }
    }
    std::stable_sort(repairs.begin(), repairs.end(), [](const Repair& a, const Repair& b) { return a.cost < b.cost; });
    return repairs;
  }

  /// Every edit by cost; those that mend go to `mends`. Else the one that brings values back.
  std::optional<Found> step_at(const Context& context, Source source, std::vector<Found>& mends) {
    const Module& now = context.module();
    const std::int64_t per_trial = elements_of(now, original_.relation.layout.ranks());
    const std::int64_t most = std::clamp(kTrialElements / per_trial, kLeastTrials, kMostTrials);
    std::vector<Found> ran;
    std::optional<Found> fewer;  // sets some outputs right and none wrong
    TrialResult before = trials_.set_base(now);
    std::int64_t tried = 0;
    for (Repair& repair : repairs_of(context, source)) {
      if (!mends.empty() && (repair.cost > mends.front().repair.cost + kWindow || mends.size() >= kMaxMends)) break;
      if (tried >= most) break;
      std::optional<Module> module = patched(now, repair.patch);
      if (!module) continue;
      ++tried;
      const TrialResult trial = trials_.run(*module);
      if (!trial.ran) continue;
      Found found{std::move(repair), std::move(*module)};
      if (trial.mends()) {
        mends.push_back(std::move(found));
      } else if (rights(before, trial)) {
        before = trial;
        fewer = std::move(found);
      } else if (ran.size() < kMaxRetraced) {
        ran.push_back(std::move(found));
      }
    }
    if (!mends.empty() || fewer || source == Source::Sequential || !context.trace()->complete()) return fewer;
    return best_of(ran, *context.trace());
  }

  /// Some output that was wrong is right now, and none the other way round.
  static bool rights(const TrialResult& before, const TrialResult& after) {
    bool some = false;
    for (std::size_t k = 0; k < before.outputs.size() && k < after.outputs.size(); ++k) {
      if (before.outputs[k].differing == 0 && after.outputs[k].differing != 0) return false;
      some = some || (before.outputs[k].differing != 0 && after.outputs[k].differing == 0);
    }
    return some;
  }

  /// The instructions of a trace that hold a value of the sequential program now, by name.
  static std::set<Name> matched(const DivergenceTrace& trace) {
    std::set<Name> names;
    const auto& values = trace.distributed().values();
    for (ValueId id = 0; id < values.size(); ++id) {
      if (trace.state(id).match) names.insert(name_of(trace.distributed().module(), values[id].instance.instruction));
    }
    return names;
  }

  /// The edit after which a source of bad values (or what reads it, where the edit took it away) is a value of the
  /// sequential program, and fewest values are left that are not.
  std::optional<Found> best_of(std::vector<Found>& ran, const DivergenceTrace& before) {
    std::set<Name> sources;
    const auto& values = before.distributed().values();
    const auto all = before.sources();
    for (std::size_t k = 0; k < all.size() && k < kMaxSources; ++k) {
      sources.insert(name_of(before.distributed().module(), values[all[k]].instance.instruction));
    }
    Distance least{before.wrong_outputs().size(), before.suspects().size()};
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < ran.size(); ++k) {
      Case edited = with_distributed(original_, Module(ran[k].module));
      const DivergenceTrace trace(edited, inputs_, NumberMode::Real, search_.budget);
      if (!trace.complete()) break;
      const Distance after{trace.wrong_outputs().size(), trace.suspects().size()};
      const std::set<Name> now = matched(trace);
      const bool resumes = std::any_of(sources.begin(), sources.end(), [&](const Name& name) { return now.count(name) != 0; });
      if (!resumes || !(after < least)) continue;
      least = after;
      best = k;
    }
    if (!best) return std::nullopt;
    return std::move(ran[*best]);
  }

  /// The instruction of this name in the program as given: what an edit has added is no place.
  std::optional<InstructionId> in_original(const Module& module, InstructionId id) const {
    const auto found = names_.find(name_of(module, id));
    return found == names_.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<Defect> defects(const std::vector<Found>& chain, const Found& last) const {
    std::vector<Defect> result;
    const Module* before = original_.distributed.get();
    const auto add = [&](const Found& found) {
      const Repair& r = found.repair;
      Defect d{r.diagnosis, r.kind, 0, r.text, r.edit, r.after, r.before};
      d.place = in_original(*before, r.place).value_or(0);
      result.push_back(std::move(d));
      before = &found.module;
    };
    for (const Found& found : chain) add(found);
    add(last);
    return result;
  }

  void finish(Pinpointed& result, const std::vector<Found>& chain, const Found& last) {
    Mend mend;
    for (const Found& found : chain) mend.edits.push_back(found.repair.edit);
    mend.edits.push_back(last.repair.edit);
    Case edited = with_distributed(original_, Module(last.module));
    mend.mends = agrees(edited);
    if (!mend.mends && !result.mends.empty()) return;
    const bool already = std::any_of(result.mends.begin(), result.mends.end(), [](const Mend& m) { return m.proved; });
    if (mend.mends && search_.prove && !already) mend.proved = proved(edited);
    mend.module = Module(last.module);
    result.mends.push_back(std::move(mend));
  }

  bool agrees(Case& edited) {
    DifferentialOptions options;
    options.budget = search_.budget;
    options.seed = search_.seed;
    options.seeds = kConfirmSeeds;
    const DrawOutcome outcome = run_once(edited, inputs_, options);
    if (outcome.failure || !outcome.differences.empty()) return false;
    const DifferentialResult more = run_pair(edited, options);
    return !more.differing && !more.stopped;
  }

  static bool proved(Case& edited) {
    const ProofResult proof = prove(edited, nullptr, {});
    return proof.proved && proof.certificate && check_certificate(print_certificate(*proof.certificate), "", edited).accepted;
  }

  Case& original_;
  const Search& search_;
  InputSet inputs_;
  Trials trials_;
  std::map<Name, InstructionId> names_;  ///< of the program as given
};

}  // namespace

Pinpointed pinpoint(Case& c, const InputSet& inputs, const Search& search) { return Searcher(c, inputs, search).run(); }

}  // namespace gg::pinpoint
