// The search for edits that mend (harness/pinpoint/pinpoint.h).
#include "harness/pinpoint/pinpoint.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "harness/pinpoint/kin.h"
#include "harness/pinpoint/places.h"
#include "harness/pinpoint/preview.h"
#include "harness/pinpoint/synthesis.h"
#include "harness/prove/proof.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::int64_t kTrialElements = 60'000'000;  ///< numbers computed by all trials of one step, about
constexpr std::int64_t kMostTrials = 500, kLeastTrials = 150;  ///< of the first step
constexpr std::int64_t kLaterTrials = 200;  ///< of each later one
constexpr std::int64_t kAllTrials = 1100;   ///< of all steps with edits of one kind
constexpr int kPromising = 100;     ///< less for an edit that looks right where it stands
constexpr int kStep = 3;            ///< cost of a step away from the source
constexpr int kMostExplained = 4;   ///< edits after which the kin of all values is found again
constexpr std::size_t kAgain = 1;   ///< rank of a chain that is followed by the catalogue after all
constexpr int kLikely = 26;         ///< cost of what is tried before a chain is followed
constexpr int kWindow = 4;          ///< further mends that cost at most this much more are looked for
constexpr std::size_t kMaxMends = 3;
constexpr std::size_t kMaxRetraced = 40;
constexpr int kMostProofs = 2;      ///< of edited programs
constexpr int kConfirmSeeds = 2;
constexpr std::size_t kMaxSources = 6;
constexpr std::size_t kBranches = 4;  ///< first edits that are followed up
constexpr std::int64_t kMostElements = 4 * kTrialElements;  ///< of the whole search
constexpr std::int64_t kRetrace = 10;                       ///< a traced run costs as much as so many trials

/// How far a program is from right: wrong outputs, wrong elements of them, values on the way that match nothing.
struct Distance {
  std::size_t outputs = 0, elements = 0, suspects = 0;
  friend auto operator<=>(const Distance&, const Distance&) = default;
};

struct Found {
  Repair repair;
  Module module;
  Distance distance;
};

/// A chain of edits in the program of the full pair.
struct Carried {
  Module module;
  std::vector<Repair> repairs;
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
      : original_(c), search_(search), traced_(search.mode == NumberMode::F64 ? trace_mode(c) : search.mode), inputs_(clone(inputs)),
        trials_(c, both(c, inputs, search.seed), search.budget) {
    for (InstructionId id = 0; id < c.distributed->size(); ++id) names_.emplace(name_of(*c.distributed, id), id);
  }

  Pinpointed run() {
    Pinpointed result;
    mend_with(Source::Catalogue, result);
    const std::size_t named = result.mends.size();
    const auto unproved = [](const Mend& m) { return !m.proved; };
    const bool wanted = search_.prove && proofs_ < kMostProofs && std::all_of(result.mends.begin(), result.mends.end(), unproved);
    if (named == 0 || wanted) mend_with(Source::Sequential, result);
    // Beside a named edit, a replacement by the sequential computation is worth telling if it is proved.
    if (named != 0) result.mends.erase(std::remove_if(result.mends.begin() + static_cast<std::ptrdiff_t>(named), result.mends.end(), unproved), result.mends.end());
    result.trials = trials_.count();
    return result;
  }

 private:
  enum class Source : std::uint8_t { Catalogue, Sequential };  ///< of the edits

  /// Edits in order. What is tried next is the chain with the lowest rank: its length, and the places that its edits had
  /// among those that brought the program nearer.
  struct Chain {
    std::vector<std::shared_ptr<const Found>> edits;
    std::size_t rank = 0;
    bool told = true;  ///< what kin tells comes first; the catalogue only where that brings nothing nearer
  };

  /// Follows chains of edits until one makes the program right; nothing is kept of those that do not. True if one did.
  bool mend_with(Source source, Pinpointed& result) {
    const std::int64_t trials = trials_.count() + kAllTrials, elements = spent_ + kMostElements;
    std::vector<Chain> open(1);
    while (!open.empty() && trials_.count() < trials && spent_ < elements) {
      const auto best = std::min_element(open.begin(), open.end(), [](const Chain& a, const Chain& b) {
        return std::pair(a.rank, b.edits.size()) < std::pair(b.rank, a.edits.size());  // the longer one of two
      });
      const Chain chain = std::move(*best);
      open.erase(best);
      if (follow(chain, source, trials - trials_.count(), elements, open, result)) return true;
    }
    return false;
  }

  /// The case after the first `length` edits of a chain.
  Case after(const Chain& chain, std::size_t length) const {
    return with_distributed(original_, Module(length == 0 ? *original_.distributed : chain.edits[length - 1]->module));
  }

  /// Of the case with an edited distributed program; the sequential half is made once.
  DivergenceTrace traced(Case& edited, NumberMode mode) {
    auto& sequential = sequential_[mode];
    if (!sequential) sequential = std::make_shared<const SequentialTrace>(original_, inputs_, mode, search_.budget);
    return {edited, inputs_, sequential, search_.budget};
  }

  /// As `traced`: the sequential half is made once.
  Kinship kinship_of(const Context& context, Case& edited) {
    if (!anchors_) anchors_ = anchors_of(original_, inputs_, traced_, search_.budget);
    return {context, edited, inputs_, *anchors_, traced_, search_.budget};
  }

  bool follow(const Chain& chain, Source source, std::int64_t trials, std::int64_t elements, std::vector<Chain>& open, Pinpointed& result) {
    Case now = after(chain, chain.edits.size());
    const DivergenceTrace trace = traced(now, traced_);
    if (source == Source::Sequential && !trace.complete()) return false;
    const Context context(now, &trace);
    std::vector<Found> mends;
    Told told = told_at(context, now, source);
    const bool first = chain.told && source == Source::Catalogue;
    std::vector<Found> better = step_at(context, source, std::move(told), chain, first, trials, elements, mends);
    std::optional<std::vector<Defect>> defects;
    for (Found& mend : mends) {
      Chain whole = chain;
      whole.edits.push_back(std::make_shared<const Found>(std::move(mend)));
      whole = simplified(std::move(whole), source);
      if (finish(result, whole, source) && !defects) defects = defects_of(whole, source);
    }
    if (defects) {
      if (result.defects.empty()) result.defects = std::move(*defects);
      return true;
    }
    const auto told_best = std::find_if(better.begin(), better.end(), [](const Found& f) { return f.repair.told; });
    if (first && told_best != better.end()) {
      const Repair& r = told_best->repair;
      if (chain.edits.empty()) result.likely = Defect{r.diagnosis, r.kind, in_original(*now.distributed, r.place).value_or(0), r.text, r.edit, r.after, r.before};
      Chain again = chain;
      again.told = false;
      again.rank += kAgain;
      open.push_back(std::move(again));
    }
    if (static_cast<int>(chain.edits.size()) + 1 >= search_.max_findings) return false;
    for (std::size_t k = 0; k < std::min(kBranches, better.size()); ++k) {
      Chain next = chain;
      next.rank += 1 + k;
      next.told = true;
      next.edits.push_back(std::make_shared<const Found>(std::move(better[k])));
      open.push_back(std::move(next));
    }
    return false;
  }

  /// What the kin of its values tells of a program.
  struct Told {
    std::vector<Repair> repairs;
    std::size_t unexplained = 0;  ///< outputs that differ and are of no kin
  };

  Told told_at(const Context& context, Case& now, Source source) {
    const DivergenceTrace* trace = context.trace();
    if (source != Source::Catalogue || trace == nullptr || !trace->complete()) return {};
    const Kinship kinship = kinship_of(context, now);
    Told told{told_repairs(context, kinship, search_.full == nullptr), kinship.unexplained()};
    const auto foreign = [&](const Repair& r) { return !in_original(context.module(), r.place); };
    told.repairs.erase(std::remove_if(told.repairs.begin(), told.repairs.end(), foreign), told.repairs.end());
    return told;
  }

  /// Are all outputs of the edited program of kin, so that what is left is to be told?
  bool explained(const Module& module) {
    Case edited = with_distributed(original_, Module(module));
    const DivergenceTrace trace = traced(edited, traced_);
    if (!trace.complete()) return false;
    const Context context(edited, &trace);
    return kinship_of(context, edited).unexplained() == 0;
  }

  /// The chain without one edit; later ones that have no place any more are left out too.
  Chain without(const Chain& chain, std::size_t left_out, Source source) {
    Chain result;
    result.edits.assign(chain.edits.begin(), chain.edits.begin() + static_cast<std::ptrdiff_t>(left_out));
    for (std::size_t k = left_out + 1; k < chain.edits.size(); ++k) {
      const Repair& wanted = chain.edits[k]->repair;
      const Name name = name_of(chain.edits[k - 1]->module, wanted.at);
      Case now = after(result, result.edits.size());
      const DivergenceTrace trace = traced(now, traced_);
      const Context context(now, &trace);
      std::vector<Repair> all;
      InstructionId place = 0;
      if (source == Source::Sequential && trace.complete()) all = replacements(context);
      for (InstructionId id = 0; source == Source::Catalogue && id < now.distributed->size(); ++id) {
        if (name_of(*now.distributed, id) != name) continue;
        place = id;
        all = repairs_at(context, id);
      }
      for (Repair& repair : told_at(context, now, source).repairs) {
        if (repair.at == place) all.push_back(std::move(repair));
      }
      for (Repair& repair : all) {
        if (repair.text != wanted.text || repair.edit != wanted.edit) continue;
        repair.at = place;
        if (auto module = patched(*now.distributed, repair.patch)) {
          result.edits.push_back(std::make_shared<const Found>(Found{std::move(repair), std::move(*module), {}}));
        }
        break;
      }
    }
    return result;
  }

  /// Without the edits that others have made needless.
  Chain simplified(Chain chain, Source source) {
    for (std::size_t k = 0; k < chain.edits.size() && chain.edits.size() > 1;) {
      Chain shorter = without(chain, k, source);
      if (!shorter.edits.empty() && trials_.run(shorter.edits.back()->module).mends()) chain = std::move(shorter);
      else ++k;
    }
    return chain;
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
        repair.at = candidate.id;
        repairs.push_back(std::move(repair));
      }
    }
    std::stable_sort(repairs.begin(), repairs.end(), [](const Repair& a, const Repair& b) { return a.cost < b.cost; });
    // An edit that several places propose is tried once.
    std::map<std::tuple<InstructionId, std::string, std::string>, InstructionId> told;
    const auto again = [&](const Repair& r) { return told.try_emplace({r.place, r.text, r.edit}, r.at).first->second != r.at; };
    repairs.erase(std::remove_if(repairs.begin(), repairs.end(), again), repairs.end());
    return repairs;
  }

  /// Every edit by cost; those that mend go to `mends`. Else those that bring the program nearer to right, best first.
  std::vector<Found> step_at(const Context& context, Source source, Told told, const Chain& chain, bool told_first,
                             std::int64_t trials, std::int64_t elements, std::vector<Found>& mends) {
    const Module& now = context.module();
    const std::int64_t per_trial = elements_of(now, original_.relation.layout.ranks());
    std::int64_t most = std::min(trials, std::clamp(kTrialElements / per_trial, kLeastTrials, chain.edits.empty() ? kMostTrials : kLaterTrials));
    std::vector<Found> others, nearer;
    const TrialResult before = trials_.set_base(now);
    std::int64_t tried = 0;
    int looked = 0;
    const auto attempt = [&](std::vector<Repair> repairs) {
      for (Repair& repair : repairs) {
        if (!mends.empty() && (repair.cost > mends.front().repair.cost + kWindow || mends.size() >= kMaxMends)) break;
        if (tried >= most && !repair.told) continue;
        std::optional<Module> module = patched(now, repair.patch);
        if (!module) continue;
        ++tried;
        const TrialResult trial = trials_.run(*module);
        if (!trial.ran) continue;
        Found found{std::move(repair), std::move(*module), {}};
        if (trial.mends()) {
          mends.push_back(std::move(found));
        } else if (const auto distance = nearer_by_outputs(before, trial)) {
          found.distance = *distance;
          nearer.push_back(std::move(found));
        } else if (found.repair.told && told.unexplained > 0 && looked++ < kMostExplained && explained(found.module)) {
          found.distance = {trial.outputs.size(), 0, 0};
          nearer.push_back(std::move(found));
        } else if (others.size() < kMaxRetraced) {
          others.push_back(std::move(found));
        }
      }
    };
    std::vector<Repair> repairs = repairs_of(context, source);
    if (search_.mode == NumberMode::F64 && source == Source::Catalogue && context.trace()->complete()) {
      attempt(take_promising(context, repairs));  // where a run costs much, the edits that look right where they stand come first
    }
    if (mends.empty() || mends.front().repair.cost >= 0) {
      // First what is likely by itself or told by kin; where that brings the program nearer, the search goes on from there.
      std::move(told.repairs.begin(), told.repairs.end(), std::back_inserter(repairs));
      std::stable_sort(repairs.begin(), repairs.end(), [](const Repair& a, const Repair& b) { return a.cost < b.cost; });
      const auto rest = std::find_if(repairs.begin(), repairs.end(), [](const Repair& r) { return r.cost > kLikely; });
      std::vector<Repair> others_left(std::make_move_iterator(rest), std::make_move_iterator(repairs.end()));
      repairs.erase(rest, repairs.end());
      attempt(std::move(repairs));
      const bool nearer_by_kin = std::any_of(nearer.begin(), nearer.end(), [](const Found& f) { return f.repair.told; });
      if (!told_first || !mends.empty() || !nearer_by_kin) attempt(std::move(others_left));
    }
    spent_ += tried * per_trial;
    std::stable_sort(mends.begin(), mends.end(), [](const Found& a, const Found& b) { return a.repair.cost < b.repair.cost; });
    if (mends.size() > kMaxMends) mends.resize(kMaxMends);
    if (!mends.empty()) return {};
    // Where an output is right already and traces cost much, what is left of the search goes to following that.
    const auto wrong = static_cast<std::size_t>(std::count_if(before.outputs.begin(), before.outputs.end(), [](const OutputTrial& o) { return o.differing != 0; }));
    const bool evident = std::any_of(nearer.begin(), nearer.end(), [&](const Found& f) { return f.distance.outputs < wrong; });
    const bool dear = 2 * kRetrace * per_trial * static_cast<std::int64_t>(others.size()) > elements - spent_;
    if (source == Source::Catalogue && context.trace()->complete() && !(evident && dear)) add_nearer_by_values(others, *context.trace(), elements, nearer);
    std::stable_sort(nearer.begin(), nearer.end(), [](const Found& a, const Found& b) { return a.distance < b.distance; });
    return nearer;
  }

  /// The edits that look right where they stand, out of `repairs`; they cost less for it.
  std::vector<Repair> take_promising(const Context& context, std::vector<Repair>& repairs) {
    const std::vector<bool> looks_right = promising(context, repairs, inputs_, trials_);
    std::vector<Repair> others, first;
    for (std::size_t k = 0; k < repairs.size(); ++k) {
      if (looks_right[k]) repairs[k].cost -= kPromising;
      (looks_right[k] ? first : others).push_back(std::move(repairs[k]));
    }
    repairs = std::move(others);
    return first;
  }

  /// Outputs, or elements of them, that were wrong are right now, and none the other way round.
  static std::optional<Distance> nearer_by_outputs(const TrialResult& before, const TrialResult& after) {
    Distance distance;
    bool fewer = false;
    for (std::size_t k = 0; k < before.outputs.size() && k < after.outputs.size(); ++k) {
      if (after.outputs[k].differing > before.outputs[k].differing) return std::nullopt;
      fewer = fewer || after.outputs[k].differing < before.outputs[k].differing;
      distance.outputs += after.outputs[k].differing != 0 ? 1U : 0U;
      distance.elements += static_cast<std::size_t>(after.outputs[k].differing);
    }
    return fewer ? std::optional(distance) : std::nullopt;
  }

  /// The instructions of a trace that hold a value of the sequential program, by name.
  static std::set<Name> matched(const DivergenceTrace& trace) {
    std::set<Name> names;
    const auto& values = trace.distributed().values();
    for (ValueId id = 0; id < values.size(); ++id) {
      if (trace.state(id).match) names.insert(name_of(trace.distributed().module(), values[id].instance.instruction));
    }
    return names;
  }

  /// Sources of bad values and what reads them, as far as they hold nothing of the sequential program.
  static std::set<Name> front(const DivergenceTrace& trace) {
    std::set<Name> names;
    std::set<ValueId> near;
    const auto sources = trace.sources();
    for (std::size_t k = 0; k < sources.size() && k < kMaxSources; ++k) near.insert(sources[k]);
    const auto& values = trace.distributed().values();
    for (int hop = 0; hop < 2; ++hop) {
      std::set<ValueId> wider = near;
      for (const ValueId id : trace.suspects()) {
        for (const ValueId operand : values[id].operands) {
          if (near.count(operand) != 0) wider.insert(id);
        }
      }
      near = std::move(wider);
    }
    for (const ValueId id : near) {
      if (!trace.state(id).match) names.insert(name_of(trace.distributed().module(), values[id].instance.instruction));
    }
    return names;
  }

  /// Edits after which the front of the bad values is a value of the sequential program, and fewer values are bad.
  void add_nearer_by_values(std::vector<Found>& others, const DivergenceTrace& before, std::int64_t elements,
                            std::vector<Found>& nearer) {
    const std::set<Name> bad = front(before);
    for (Found& found : others) {
      spent_ += kRetrace * elements_of(found.module, original_.relation.layout.ranks());
      if (spent_ > elements) return;
      Case edited = with_distributed(original_, Module(found.module));
      const DivergenceTrace trace = traced(edited, NumberMode::F64);
      if (!trace.complete()) return;
      if (trace.suspects().size() >= before.suspects().size() || trace.wrong_outputs().size() > before.wrong_outputs().size()) continue;
      const std::set<Name> now = matched(trace);
      if (std::none_of(bad.begin(), bad.end(), [&](const Name& name) { return now.count(name) != 0; })) continue;
      found.distance = {trace.wrong_outputs().size(), ~std::size_t{0}, trace.suspects().size()};
      nearer.push_back(std::move(found));
    }
  }

  /// The instruction of this name in the program as given: what an edit has added is no place.
  std::optional<InstructionId> in_original(const Module& module, InstructionId id) const {
    const auto found = names_.find(name_of(module, id));
    return found == names_.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<Defect> defects_of(const Chain& chain, Source source) {
    std::vector<Defect> result;
    const std::optional<Carried> full = search_.full != nullptr ? carried_over(chain, source) : std::nullopt;
    const Module* before = original_.distributed.get();
    for (std::size_t k = 0; k < chain.edits.size(); ++k) {
      const Repair& here = chain.edits[k]->repair;
      const Repair& r = full ? full->repairs[k] : here;
      Defect d{r.diagnosis, r.kind, 0, r.text, r.edit, r.after, r.before};
      d.place = in_original(*before, here.place).value_or(0);
      result.push_back(std::move(d));
      before = &chain.edits[k]->module;
    }
    return result;
  }

  /// Confirms a chain by further runs and by proof. True if the runs agree.
  bool finish(Pinpointed& result, const Chain& chain, Source source) {
    Mend mend;
    Case edited = after(chain, chain.edits.size());
    mend.mends = agrees(edited);
    if (!mend.mends) return false;
    std::optional<Carried> full = search_.full != nullptr ? carried_over(chain, source) : std::nullopt;
    for (std::size_t k = 0; k < chain.edits.size(); ++k) {
      mend.edits.push_back(full ? full->repairs[k].edit : chain.edits[k]->repair.edit);
    }
    const bool already = std::any_of(result.mends.begin(), result.mends.end(), [](const Mend& m) { return m.proved; });
    if (search_.prove && !already && proofs_++ < kMostProofs) {
      if (search_.full == nullptr) mend.proved = prove_and_check(edited).accepted();
      else if (full) mend.proved = proved(*search_.full, full->module);
    }
    mend.module = Module(*edited.distributed);
    if (full) mend.full = std::move(full->module);
    result.mends.push_back(std::move(mend));
    return true;
  }

  bool agrees(Case& edited) {
    DifferentialOptions options;
    options.budget = search_.budget;
    options.mode = search_.mode;
    options.seed = search_.seed;
    options.seeds = kConfirmSeeds;
    options.literals = false;  // whether it differs or has other literals, it does not agree
    const DrawOutcome outcome = run_once(edited, inputs_, options);
    options.literals = true;
    if (outcome.failure || !outcome.differences.empty()) return false;
    const DifferentialResult more = run_pair(edited, options);
    return !more.differing && !more.stopped;
  }

  /// What an edit is made of, without sizes and texts.
  static std::string form(const Repair& repair) {
    std::string text = std::to_string(repair.place) + " " + std::to_string(static_cast<int>(repair.diagnosis)) + " " +
                       std::to_string(static_cast<int>(repair.kind));
    for (const Added& added : repair.patch.added) text += " +" + std::string(info(added.op).name);
    for (const Changed& changed : repair.patch.changed) text += " " + std::to_string(changed.id) + std::string(info(changed.op).name);
    for (const Reroute& reroute : repair.patch.reroutes) text += " " + std::to_string(reroute.from);
    return text;
  }

  /// The chain of edits in the program of the full pair: at each step the same row of the catalogue in its place.
  std::optional<Carried> carried_over(const Chain& chain, Source source) {
    try {
      Carried result{Module(*search_.full->distributed), {}};
      for (std::size_t k = 0; k < chain.edits.size(); ++k) {
        const Repair& wanted = chain.edits[k]->repair;
        Case small = after(chain, k);
        const DivergenceTrace trace = traced(small, traced_);
        const Case large = with_distributed(*search_.full, Module(result.module));
        const Context reduced(small, &trace), full(large, &trace);
        std::optional<Kinship> kinship;
        if (source == Source::Catalogue && trace.complete()) kinship.emplace(kinship_of(reduced, small));
        const auto all = [&](const Context& at) {
          if (source == Source::Sequential) return replacements(at);
          std::vector<Repair> repairs = repairs_at(at, wanted.at);
          for (Repair& repair : kinship ? told_repairs(at, *kinship, false) : std::vector<Repair>{}) {
            if (repair.at == wanted.at) repairs.push_back(std::move(repair));
          }
          return repairs;
        };
        const std::string as = form(wanted);
        std::size_t number = 0;
        for (const Repair& repair : all(reduced)) {
          if (form(repair) != as) continue;
          if (repair.text == wanted.text && repair.edit == wanted.edit) break;
          ++number;
        }
        // The same words, where nothing in them has changed with the sizes; else the one that has the same number.
        std::vector<Repair> there = all(full);
        const auto same = [&](const Repair& r) { return form(r) == as && r.text == wanted.text && r.edit == wanted.edit; };
        auto found = std::find_if(there.begin(), there.end(), same);
        if (found == there.end()) {
          found = std::find_if(there.begin(), there.end(), [&](const Repair& r) { return form(r) == as && number-- == 0; });
        }
        std::optional<Module> next;
        if (found != there.end()) {
          next = patched(result.module, found->patch);
          result.repairs.push_back(std::move(*found));
        }
        if (!next) return std::nullopt;
        result.module = std::move(*next);
      }
      return result;
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  static bool proved(const Case& c, const Module& module) {
    try {
      Case edited = with_distributed(c, Module(module));
      return prove_and_check(edited).accepted();
    } catch (const InputError&) {
      return false;
    }
  }

  Case& original_;
  const Search& search_;
  NumberMode traced_;
  InputSet inputs_;
  Trials trials_;
  std::map<NumberMode, std::shared_ptr<const SequentialTrace>> sequential_;
  std::shared_ptr<const Anchors> anchors_;
  std::int64_t spent_ = 0;
  int proofs_ = 0;  ///< tried
  std::map<Name, InstructionId> names_;  ///< of the program as given
};

}  // namespace

Pinpointed pinpoint(Case& c, const InputSet& inputs, const Search& search) { return Searcher(c, inputs, search).run(); }

}  // namespace gg::pinpoint
