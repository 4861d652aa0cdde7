// The search for edits that mend (harness/pinpoint/pinpoint.h).
#include "harness/pinpoint/pinpoint.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "harness/pinpoint/chains.h"
#include "harness/pinpoint/nearer.h"
#include "harness/pinpoint/places.h"
#include "harness/pinpoint/preview.h"
#include "harness/pinpoint/synthesis.h"
#include "harness/prove/proof.h"
#include "runtime/decision.h"
#include "runtime/met.h"

namespace gg::pinpoint {
namespace {

constexpr std::int64_t kTrialElements = 60'000'000;            ///< numbers computed by all trials of one step, about
constexpr std::int64_t kMostTrials = 500, kLeastTrials = 150;  ///< of the first step
constexpr std::int64_t kLaterTrials = 200;                     ///< of each later one
constexpr std::int64_t kAllTrials = 1100;                      ///< of all steps with edits of one kind
constexpr int kPromising = 100;                                ///< less for an edit that looks right where it stands
constexpr int kInvented = 14;                                  ///< more for groups of ranks that neither the mesh nor the program has
constexpr int kStep = 3;                                       ///< cost of a step away from the source
constexpr int kMostExplained = 4;                              ///< edits after which the kin of all values is found again
constexpr std::size_t kAgain = 1;                              ///< rank of a chain that is followed by the catalogue after all
constexpr int kLikely = 26;                                    ///< cost of what is tried before a chain is followed
constexpr int kWindow = 4;                                     ///< further mends that cost at most this much more are looked for
constexpr std::size_t kMaxMends = 3;
constexpr std::size_t kProof = 16;    ///< instructions that an edit may add or change more if it is proved, and still comes first
constexpr std::size_t kFewEdits = 2;  ///< of a chain beside which no other mend is looked for
constexpr std::size_t kMaxRetraced = 40;
constexpr int kMostProofs = 2;  ///< of edited programs
constexpr int kConfirmSeeds = 2;
constexpr std::int64_t kFew = 100'000;                        ///< numbers of a run before each proof
constexpr std::int64_t kFurther = 16;                         ///< draws more of an edited program, where that is cheap
constexpr std::size_t kBranches = 4;                          ///< first edits that are followed up
constexpr std::int64_t kSearchElements = 4 * kTrialElements;  ///< of the whole search

std::vector<InputSet> both(const Case& c, const InputSet& inputs, std::uint64_t seed) {
  std::vector<InputSet> sets;
  sets.push_back(inputs.clone());
  sets.push_back(draw_inputs(c.relation, seed + 1001, 0));
  return sets;
}

/// Many edits of which nothing speaks for some.
bool heaped(const Mend& m) { return m.any && m.edits.size() > kFewEdits; }

/// Nothing speaks for it but that runs agree, or it is of ranks that nobody has spoken of.
bool weak(const Mend& m) { return m.invented || (m.any && !m.proved); }

/// What is told first: what something speaks for; of that, what adds and changes least, where a proof counts as much as kProof instructions.
std::tuple<bool, bool, bool, std::size_t> weight(const Mend& m) { return {m.invented, m.any && !m.proved, heaped(m), m.size + (m.proved ? 0 : kProof)}; }

class Searcher {
 public:
  Searcher(Case& c, const InputSet& inputs, const Search& search)
      : original_(c),
        search_(search),
        inputs_(inputs.clone()),
        trials_(c, both(c, inputs, search.seed), search.budget, search.rounded.empty() ? kDoubleNoise : kSameButForLiterals),
        views_(c, inputs_, search.mode == NumberMode::F64 ? trace_mode(c) : search.mode, search.budget, search.recorded, search.rounded.empty() ? kSameNumber : kSameButForLiterals),
        chains_(c, search, views_, trials_),
        doubtful_(!search.rounded.empty() || !comparable_literals(*c.sequential, *c.distributed).as_printed()) {}

  Pinpointed run() {
    Pinpointed result;
    mend_with(Source::Catalogue, result);
    const std::size_t named = result.mends.size();
    const auto unproved = [](const Mend& m) { return !m.proved; };
    const auto many = [&](const Mend& m) { return unproved(m) || heaped(m) || m.invented; };  // edits that undo each other's: one value may be what is wrong
    const bool wanted = search_.prove && proofs_ < kMostProofs && std::all_of(result.mends.begin(), result.mends.end(), many);
    if (named == 0 || wanted) mend_with(Source::Sequential, result);
    // Beside a named edit, a replacement by the sequential computation is worth telling if it is proved.
    if (named != 0) result.mends.erase(std::remove_if(result.mends.begin() + static_cast<std::ptrdiff_t>(named), result.mends.end(), unproved), result.mends.end());
    // Beside a short one that is proved, what nothing speaks for says nothing.
    if (std::any_of(result.mends.begin(), result.mends.end(), [](const Mend& m) { return m.proved && m.copied <= kManyCopied; })) std::erase_if(result.mends, [](const Mend& m) { return m.any && !m.proved; });
    std::stable_sort(result.mends.begin(), result.mends.end(), [](const Mend& a, const Mend& b) { return weight(a) < weight(b); });
    result.trials = trials_.count();
    return result;
  }

 private:
  /// Follows chains of edits until one makes the program right; nothing is kept of those that do not. True if one did.
  bool mend_with(Source source, Pinpointed& result) {
    const std::int64_t trials = trials_.count() + kAllTrials;
    expense_.most = expense_.spent + kSearchElements;
    std::vector<Chain> open(1);
    while (!open.empty() && trials_.count() < trials && expense_.spent < expense_.most) {
      const auto best = std::min_element(open.begin(), open.end(), [](const Chain& a, const Chain& b) {
        return std::pair(a.rank, b.edits.size()) < std::pair(b.rank, a.edits.size());  // the longer one of two
      });
      const Chain chain = std::move(*best);
      open.erase(best);
      if (follow(chain, source, trials - trials_.count(), open, result)) return true;
    }
    return false;
  }

  bool follow(const Chain& chain, Source source, std::int64_t trials, std::vector<Chain>& open, Pinpointed& result) {
    const std::shared_ptr<View> now = chains_.view(chain);
    if (source == Source::Sequential && !now->trace.complete()) return false;
    std::vector<Found> mends;
    const bool first = chain.told && source == Source::Catalogue;
    std::vector<Found> better = step_at(*now, source, chain, first, trials, mends);
    bool mended = false;
    for (Found& mend : mends) {
      Chain whole = chain;
      whole.edits.push_back(std::make_shared<const Found>(std::move(mend)));
      whole = chains_.simplified(std::move(whole), source);
      if (!finish(result, whole, source)) continue;
      mended = true;
      // Of several edits that could not be proved one that is proved tells more, though it is no named one; so does any other of one that nothing speaks for.
      const Mend& last = result.mends.back();
      const bool short_one = last.proved ? last.copied <= kManyCopied : !last.any;
      if (!result.defects.empty() && !(last.proved && whole.edits.size() < result.defects.size()) && !(weak_ && short_one && !last.invented)) continue;
      result.defects = defects_of(whole, source);
      weak_ = search_.prove && weak(last);
      result.guessed = search_.prove && last.any && !last.proved;
    }
    if (mended) return true;
    const auto told_best = std::find_if(better.begin(), better.end(), [](const Found& f) { return f.repair.told; });
    if (first && told_best != better.end()) {
      const Repair& r = told_best->repair;
      if (chain.edits.empty()) result.likely = Defect{r.diagnosis, r.kind, chains_.in_original(now->module(), r.place).value_or(0), r.text, r.edit, r.after, r.before};
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

  /// Are all outputs of the edited program of kin, so that what is left is to be told?
  bool explained(const Module& module, const View& now) {
    const std::unique_ptr<View> edited = views_.of(module, now);
    return edited->trace.complete() && views_.kin(*edited).unexplained() == 0;
  }

  /// Groups of ranks that nobody has spoken of come after what else mends.
  static void doubt(const Context& context, Repair& repair) {
    repair.invented = context.invents_groups(repair.patch);
    if (repair.invented) repair.cost += kInvented;
  }

  std::vector<Repair> repairs_of(const Context& context, Source source) {
    if (source == Source::Sequential) return replacements(context);
    std::vector<Repair> repairs;
    for (const Candidate& candidate : places(context)) {
      if (!chains_.in_original(context.module(), candidate.id)) continue;
      for (Repair& repair : repairs_at(context, candidate.id)) {
        repair.cost += kStep * candidate.distance;
        repair.at = candidate.id;
        doubt(context, repair);
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
  std::vector<Found> step_at(View& view, Source source, const Chain& chain, bool told_first, std::int64_t trials, std::vector<Found>& mends) {
    const Context& context = view.context;
    const Module& now = view.module();
    Told told = chains_.told_at(view, source);
    for (Repair& repair : told.repairs) doubt(context, repair);
    const std::int64_t per_trial = numbers_of_run(now, original_.relation.layout.ranks());
    std::int64_t most = std::min(trials, std::clamp(kTrialElements / per_trial, kLeastTrials, chain.edits.empty() ? kMostTrials : kLaterTrials));
    std::vector<Found> others, nearer;
    const TrialResult before = trials_.set_base(now);
    std::int64_t tried = 0;
    std::size_t meant = 0;  // mends of which nothing is invented
    int looked = 0, cheapest = 0;
    const std::vector<bool> asks = asks_whether_it_raises(context);
    const auto attempt = [&](std::vector<Repair> repairs) {
      for (Repair& repair : repairs) {
        if (asks[repair.place]) continue;
        if (meant != 0 && (repair.cost > cheapest + kWindow || meant >= kMaxMends)) break;
        if (tried >= most && !repair.told) continue;
        std::optional<Module> module = patched(now, repair.patch);
        if (!module) continue;
        ++tried;
        const TrialResult trial = trials_.run(*module);
        if (!trial.ran) continue;
        Found found{std::move(repair), std::move(*module), {}};
        if (trial.mends() && !seems_wrong(found.module)) {
          leave_out(context, found);
          if (!found.repair.invented && meant++ == 0) cheapest = found.repair.cost;
          mends.push_back(std::move(found));
        } else if (const auto distance = nearer_by_outputs(before, trial)) {
          found.distance = *distance;
          nearer.push_back(std::move(found));
        } else if (found.repair.told && told.unexplained > 0 && looked++ < kMostExplained && explained(found.module, view)) {
          found.distance = {trial.outputs.size(), 0, 0};
          nearer.push_back(std::move(found));
        } else if (others.size() < kMaxRetraced) {
          others.push_back(std::move(found));
        }
      }
    };
    std::vector<Repair> repairs = repairs_of(context, source);
    if (search_.mode == NumberMode::F64 && source == Source::Catalogue && context.trace()->complete()) {
      // Where a run costs much, the edits that look right where they stand come first. What f64 cannot tell the arithmetic of the trace may.
      attempt(take_promising(context, repairs, NumberMode::F64));
      if (mends.empty() && context.trace()->mode() != NumberMode::F64) attempt(take_promising(context, repairs, context.trace()->mode()));
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
    expense_.spent += tried * per_trial;
    std::stable_sort(mends.begin(), mends.end(), [](const Found& a, const Found& b) { return std::pair(a.repair.invented, a.repair.cost) < std::pair(b.repair.invented, b.repair.cost); });
    if (mends.size() > kMaxMends) mends.resize(kMaxMends);
    if (!mends.empty()) return {};
    // Where an output is right already and traces cost much, what is left of the search goes to following that.
    const auto wrong = static_cast<std::size_t>(std::count_if(before.outputs.begin(), before.outputs.end(), [](const OutputTrial& o) { return o.differing != 0; }));
    const bool evident = std::any_of(nearer.begin(), nearer.end(), [&](const Found& f) { return f.distance.outputs < wrong; });
    const bool dear = 2 * kRetrace * per_trial * static_cast<std::int64_t>(others.size()) > expense_.most - expense_.spent;
    if (source == Source::Catalogue && context.trace()->complete() && !(evident && dear)) add_nearer_by_values(views_, view, others, expense_, nearer);
    std::stable_sort(nearer.begin(), nearer.end(), [](const Found& a, const Found& b) { return a.distance < b.distance; });
    return nearer;
  }

  /// Of an edit at several places those that need none.
  void leave_out(const Context& context, Found& found) {
    for (std::size_t k = found.repair.parts.size(); k-- > 0 && found.repair.parts.size() > 1;) {
      std::vector<Repair> fewer = found.repair.parts;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      Repair rest = fewer.size() == 1 ? fewer.front() : joined(context, fewer, found.repair.cost);
      std::optional<Module> module = patched(context.module(), rest.patch);
      if (!module || !trials_.run(*module).mends() || seems_wrong(*module)) continue;
      rest.cost = found.repair.cost, rest.told = found.repair.told, rest.parts = std::move(fewer);
      found = {std::move(rest), std::move(*module), {}};
    }
  }

  /// The edits that look right where they stand, out of `repairs`; they cost less for it.
  std::vector<Repair> take_promising(const Context& context, std::vector<Repair>& repairs, NumberMode mode) {
    const std::vector<bool> looks_right = promising(context, repairs, inputs_, trials_, mode);
    std::vector<Repair> others, first;
    for (std::size_t k = 0; k < repairs.size(); ++k) {
      if (looks_right[k]) repairs[k].cost -= kPromising;
      (looks_right[k] ? first : others).push_back(std::move(repairs[k]));
    }
    repairs = std::move(others);
    return first;
  }

  std::vector<Defect> defects_of(const Chain& chain, Source source) {
    std::vector<Defect> result;
    const std::optional<Carried> full = search_.full != nullptr ? chains_.carried_over(chain, source) : std::nullopt;
    const Module* before = original_.distributed.get();
    for (std::size_t k = 0; k < chain.edits.size(); ++k) {
      const Repair& here = chain.edits[k]->repair;
      const Repair& r = full ? full->repairs[k] : here;
      Defect d{r.diagnosis, r.kind, 0, r.text, r.edit, r.after, r.before};
      d.place = chains_.in_original(*before, here.place).value_or(0);
      result.push_back(std::move(d));
      before = &chain.edits[k]->module;
    }
    return result;
  }

  /// Confirms a chain by proof, or by further runs. True if it mends.
  bool finish(Pinpointed& result, const Chain& chain, Source source) {
    Mend mend;
    if (seems_wrong(chains_.after(chain))) return false;
    std::optional<Carried> full = search_.full != nullptr ? chains_.carried_over(chain, source) : std::nullopt;
    const Module& module = chains_.after(chain);
    for (std::size_t k = 0; k < chain.edits.size(); ++k) {
      const Repair &own = chain.edits[k]->repair, &repair = full ? full->repairs[k] : own;
      mend.edits.push_back(repair.edit);
      if (repair.parts.empty()) mend.single.insert(repair.edit);
      for (const Repair& part : repair.parts) mend.single.insert(part.edit);
      mend.any |= own.any, mend.invented |= own.invented;
      mend.copied += own.copied;
      const Patch& patch = own.patch;
      mend.size += patch.added.size() + patch.changed.size() + patch.reroutes.size();
    }
    const bool told = std::any_of(result.mends.begin(), result.mends.end(), [&](const Mend& m) { return m.single == mend.single; });
    if (told) return false;  // by another row
    const bool already = std::any_of(result.mends.begin(), result.mends.end(), [](const Mend& m) { return m.proved && !heaped(m) && !m.invented; });
    const bool proves = search_.prove && !already && proofs_ < kMostProofs;
    if (proves) {
      if (search_.full == nullptr) mend.proved = proved(original_, module);
      else if (full) mend.proved = proved(*search_.full, full->module);
    }
    mend.mends = mend.proved || agrees(module);
    if (!mend.mends) return false;
    proofs_ += proves ? 1 : 0;
    mend.module = Module(module);
    if (full) {
      for (Repair& repair : full->repairs) mend.patches.push_back(std::move(repair.patch));
      mend.full = std::move(full->module);
    }
    result.mends.push_back(std::move(mend));
    return true;
  }

  /// Do further draws differ in f64? What they contradict is not worth a proof.
  bool seems_wrong(const Module& module) {
    if (doubtful_) return false;  // by literals perhaps
    try {
      Case edited = with_distributed(original_, Module(module));
      PairRunner runner(edited);
      for (int draw = 0; draw < kConfirmSeeds; ++draw) {
        const InputSet inputs = draw_inputs(edited.relation, search_.seed + static_cast<std::uint64_t>(draw), 0);  // plain values: f64 is no judge of others
        if (seems_to_differ(runner, inputs, search_.budget)) return true;
      }
      return contradicted(module);  // a proof of what is wrong may take long to fail
    } catch (const RuntimeFailure& failure) {
      if (failure.kind == RuntimeFailure::Kind::Budget || failure.kind == RuntimeFailure::Kind::Memory) throw;
      return failure.kind == RuntimeFailure::Kind::Mismatch;
    }
  }

  /// Does a draw of some regime differ, beyond the bounds of f64? Asked where that costs little.
  bool contradicted(const Module& module) {
    if (numbers_of_run(module, original_.relation.layout.ranks()) > kFew) return false;
    Case edited = with_distributed(original_, Module(module));
    DifferentialOptions options;
    options.budget = search_.budget;
    options.mode = NumberMode::F64;
    options.seed = search_.seed;
    options.seeds = kRegimes;
    options.further = static_cast<int>(kFurther);
    options.agreement_only = true;
    std::vector<std::vector<double>> met = met_numbers(edited);  // other literals meet other numbers
    for (std::size_t k = 0; k < met.size(); ++k) edited.relation.free[k].met = std::move(met[k]);
    return run_pair(edited, options).differing.has_value();
  }

  bool agrees(const Module& module) {
    Case edited = with_distributed(original_, Module(module));
    DifferentialOptions options;
    options.budget = search_.budget;
    options.mode = search_.mode;
    options.seed = search_.seed;
    const std::int64_t further = std::min(kFurther, kTrialElements / std::max<std::int64_t>(1, numbers_of_run(module, original_.relation.layout.ranks())));
    options.seeds = further == kFurther ? kRegimes : kConfirmSeeds;  // not only draws in which what differs differs everywhere
    options.further = static_cast<int>(further);
    options.agreement_only = !doubtful_;
    const DrawOutcome outcome = run_once(edited, inputs_, options);
    options.agreement_only = false;
    if (!doubtful_ ? outcome.failure || !outcome.differences.empty() : differs(outcome)) return false;
    const DifferentialResult more = run_pair(edited, options);
    return !more.differing && !more.stopped;
  }

  bool proved(const Case& c, const Module& module) const {
    try {
      Case edited = with_distributed(c, Module(module));
      for (const std::size_t k : search_.rounded) edited.relation.outputs[k].kind = OutputClaim::Kind::Compared;
      return prove_and_check(edited).accepted();
    } catch (const InputError&) {
      return false;
    }
  }

  Case& original_;
  const Search& search_;
  InputSet inputs_;
  Trials trials_;
  Views views_;
  Chains chains_;
  const bool doubtful_;  ///< programs that mean the same may differ by the rounding of their literals
  Expense expense_;
  int proofs_ = 0;     ///< tried of programs that mend
  bool weak_ = false;  ///< are the defects told those of a weak mend?
};

}  // namespace

Pinpointed pinpoint(Case& c, const InputSet& inputs, const Search& search) { return Searcher(c, inputs, search).run(); }

}  // namespace gg::pinpoint
