#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "harness/decide/attempts.h"
#include "harness/decide/beyond_premise.h"
#include "harness/decide/evidence.h"
#include "harness/decide/input_notes.h"
#include "harness/decide/literal_names.h"
#include "harness/decide/literal_steps.h"
#include "harness/decide/own_type.h"
#include "harness/decide/recorded.h"
#include "harness/decide/reduced_run.h"
#include "harness/decide/rounding.h"
#include "harness/explain/explain.h"
#include "harness/explain/shapes.h"
#include "harness/prove/mutants.h"
#include "harness/prove/premises.h"
#include "models/base/progress.h"
#include "models/op/custom_calls.h"

namespace gg {
namespace {

constexpr int kMutants = 3;
constexpr double kLongest = 1e11;  ///< operations

OutputState state_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::Agrees: return OutputState::Agrees;
    case Agreement::Differs: return OutputState::Differs;
    case Agreement::Tied: return OutputState::Tied;
    case Agreement::Open: return OutputState::Undecided;
    case Agreement::Undefined: return OutputState::Undefined;
    case Agreement::Underflow: return OutputState::Underflow;
    case Agreement::Literals: return OutputState::Literals;
  }
  return OutputState::NotRun;
}

OutputState state_of(const Case& c, const DifferentialResult& run, std::size_t k) {
  const OutputClaim& claim = c.relation.outputs[k];
  if (claim.kind == OutputClaim::Kind::Ignored) return OutputState::Ignored;
  const bool seen = !run.draws.empty() && k < run.outputs.size();
  const bool parted = seen && (run.outputs[k].agreement == Agreement::Tied || run.outputs[k].agreement == Agreement::Literals);  // of ranks that may hang nothing is compared
  if (!compares(*c.arena, claim) || (seen && !parted && run.outputs[k].compared + run.outputs[k].undefined == 0)) return OutputState::NotCompared;
  if (!seen) return OutputState::NotRun;
  const OutputState state = state_of(run.outputs[k].agreement);
  return state == OutputState::Agrees && run.outputs[k].unresolved != 0 ? OutputState::Undecided : state;
}

Ran of_failure(const RuntimeFailure& failure) {
  if (failure.kind == RuntimeFailure::Kind::Memory) return Ran::OutOfMemory;
  if (failure.endless) return Ran::Endless;
  return failure.kind == RuntimeFailure::Kind::Unsupported ? Ran::Unsupported : Ran::OutOfTime;
}

/// What a run says without a difference: outputs of which nothing was seen come first.
Ran without_difference(const RunEvidence& run) {
  const auto is = [&](OutputState state) { return std::count(run.outputs.begin(), run.outputs.end(), state); };
  if (is(OutputState::NotCompared) != 0 || is(OutputState::Ignored) == static_cast<std::ptrdiff_t>(run.outputs.size())) return Ran::NotCompared;
  if (is(OutputState::Undefined) != 0) return Ran::Undefined;
  if (!run.result.stopped && is(OutputState::Tied) != 0 && is(OutputState::Agrees) == 0) return Ran::Undecided;  // nothing is seen to agree
  if (!run.result.stopped && is(OutputState::Literals) != 0) return Ran::Literals;
  if (!run.result.stopped && is(OutputState::Underflow) != 0) return Ran::Underflow;
  if (!run.result.stopped && is(OutputState::Undecided) != 0) return Ran::Undecided;
  return run.result.stopped ? of_failure(*run.result.stopped) : Ran::Agrees;
}

/// How a reduced pair is run if the user leaves the number type open: over the reals, where that is a matter of a minute;
/// else only what looks different in f64 is (error bounds in f64 would hide most defects).
void over_reals(RunEvidence& run, Purpose purpose) {
  run.options.dtype = "real";
  run.how.mode = NumberMode::Real;
  run.how.screened = !is_real(trace_mode(*run.small));
  run.how.both_sides = purpose == Purpose::Decide;
}

class Gathering {
 public:
  Gathering(Case& c, const Options& given, const ProofEvidence& proof)
      : c_(c), given_(given), proof_(proof), purpose_(proof.holds() ? Purpose::Guard : Purpose::Decide) {
    enter_phase("estimate");
    cost_ = cost_of_run(c, given);
    run_.options = given;
  }

  RunEvidence run() {
    try {
      make_all();
      beside();
    } catch (const OutOfTime&) {
      if (!shows_difference(run_.outcome)) run_.outcome = Ran::OutOfTime;
    }
    return std::move(run_);
  }

 private:
  void make_all() {
    std::vector<Attempt> all = attempts(cost_, given_, purpose_);
    for (std::size_t k = 0; k < all.size(); ++k) {
      RunEvidence now = make(all[k]);
      const bool memory = now.outcome == Ran::OutOfMemory && now.at_full_shape();
      const bool last = k + 1 == all.size();
      // Where neither is cheap, what cannot be reduced is run as it is, and what memory does not hold is reduced.
      if (last && given_.run_shapes == "auto" && all[k].reduced && !now.ran && cost_.fits && cost_.operations <= kLongest && purpose_ == Purpose::Decide && all.size() == 1) {
        all.push_back({false, chooses_number_type(given_) ? NumberMode::F64 : number_mode(given_), given_.seeds});
      } else if (last && given_.run_shapes == "auto" && memory && !all[0].reduced) {
        all.push_back({true, all[k].mode, given_.seeds});
      }
      // A difference that is only at reduced shapes is looked for at its own, in one draw, where that is a matter of a minute.
      const bool unconfirmed = now.outcome == Ran::Unconfirmed && purpose_ == Purpose::Decide && cost_.fits && cost_.operations <= kLongest;
      if (last && given_.run_shapes == "auto" && unconfirmed) all.push_back({false, NumberMode::F64, 1});
      take(std::move(now));
      if (shows_difference(run_.outcome)) break;
    }
  }

  /// What says more of the pair: a difference, or what agrees at its own shapes unless it differs at reduced ones.
  void take(RunEvidence now) {
    const bool settled = run_.outcome == Ran::Agrees && run_.how.mode == NumberMode::Real;  // over the reals, at reduced shapes
    if (settled && now.outcome == Ran::Undecided) now.outcome = Ran::Agrees;
    const bool differs = shows_difference(now.outcome);
    const bool agrees = now.outcome == Ran::Agrees && run_.outcome != Ran::Unconfirmed;
    if (run_.ran && !differs && !agrees) return;
    const bool also = settled && !differs;
    if (differs && run_.small && same_instructions(c_, *run_.small) && !run_.explanation.findings.empty()) {
      now.explanation = std::move(run_.explanation);
      now.explanation.notes.back() = searched_smaller(now.result.witness->seed);
    }
    run_ = std::move(now);
    if (also) run_.told.notes.push_back("at reduced shapes the runs agree over the reals");
  }

  RunEvidence make(const Attempt& attempt) {
    RunEvidence run;
    run.options = given_;
    if (chooses_number_type(given_)) run.options.dtype = attempt.mode == NumberMode::F64 ? "f64" : "real";
    run.how = differential_options(run.options);
    run.how.backend = given_.rank_backend;
    run.how.seeds = attempt.draws;
    std::string why;
    if (attempt.reduced) why = reduce(run);
    run.ran = why.empty();
    if (run.ran) {
      infer_ranges(run.of(c_), run.small.get());
      if (run.small && chooses_number_type(given_)) over_reals(run, purpose_);
      enter_phase("run");
      DifferentialOptions how = run.how;
      how.record = purpose_ == Purpose::Decide;
      if (purpose_ == Purpose::Decide) how.further = further_draws(run.small ? *run.small : c_);
      run.result = run_pair(run.small ? *run.small : c_, how);
    } else if (purpose_ == Purpose::Guard && given_.run_shapes == "auto") {
      run.told.notes.push_back(why);
      return run;
    } else {
      const auto kind = beyond_memory(c_, run.how).empty() ? RuntimeFailure::Kind::Budget : RuntimeFailure::Kind::Memory;
      run.result.stopped = RuntimeFailure(kind, "not run: " + why, {});
    }
    settle(run);
    return run;
  }

  /// Reduces the pair. Why it is not run at reduced shapes either; "" if it can be.
  std::string reduce(RunEvidence& run) {
    const bool asked = given_.run_shapes == "reduced";
    std::string why = asked ? "asked for by --run-shapes" : too_large(c_, run.how, given_.budget_seconds);
    if (why.empty()) why = fmt::format("{:.1g} operations at its own", cost_.operations);
    const bool guard = purpose_ == Purpose::Guard && !asked;
    const std::string no_guard = "no run guards the proof: " + why;
    if (guard && !is_affordable(least_cost(c_), NumberMode::Real, purpose_)) return no_guard;
    run.small = try_shrink(c_, why);
    if (!run.small) return why;
    const bool searched = !guard && given_.run_shapes == "auto";
    if (searched && !is_searchable(*run.small)) leave_out_layers(run);
    if (!asked) {
      const RunCost cost = cost_of_run(*run.small, given_);
      const bool cheap = guard ? is_affordable(cost.operations * given_.seeds, NumberMode::Real, purpose_) : is_affordable(cost.operations, NumberMode::F64, purpose_);
      if (!cost.fits || !cheap) {
        run.small.reset();
        run.part.reset();
        return (guard ? no_guard : why) + ", and too many at reduced shapes";
      }
    }
    run.told.notes.push_back("the run used reduced shapes: " + why);
    return "";
  }

  /// A difference that no search can follow says nothing: then the pair is run without layers that are like others, where it has such.
  void leave_out_layers(RunEvidence& run) {
    std::optional<FewerLayers> fewer = with_fewer_layers(c_);
    std::string why;
    std::unique_ptr<Case> small = fewer ? try_shrink(fewer->pair, why) : nullptr;
    if (!small) return;
    run.part = std::make_unique<FewerLayers>(std::move(*fewer));
    run.small = std::move(small);
    run.told.notes.push_back(fmt::format("the run left out layers that are like others: {} of {} instructions", run.part->left_out, c_.sequential->size() + c_.distributed->size()));
  }

  /// The outputs of a part by their numbers in the pair as given.
  void number_outputs(RunEvidence& run) const {
    if (!run.part) return;
    const auto renumber = [&](DrawOutcome& draw) {
      for (Difference& difference : draw.differences) difference.output = static_cast<int>(run.part->outputs[static_cast<std::size_t>(difference.output)]);
      if (draw.confirmed) draw.confirmed = static_cast<int>(run.part->outputs[static_cast<std::size_t>(*draw.confirmed)]);
    };
    for (DrawOutcome& draw : run.result.draws) renumber(draw);
    if (run.result.differing) renumber(*run.result.differing);
    std::vector<OutputState> states(c_.relation.outputs.size(), OutputState::NotRun);
    for (std::size_t k = 0; k < run.outputs.size(); ++k) states[run.part->outputs[k]] = run.outputs[k];
    run.outputs = std::move(states);
  }

  void settle(RunEvidence& run) {
    const Case& own = run.of(c_);
    for (std::size_t k = 0; k < own.relation.outputs.size(); ++k) run.outputs.push_back(state_of(own, run.result, k));
    decide_outcome(run);
    number_outputs(run);
  }

  void decide_outcome(RunEvidence& run) {
    for (std::size_t k = 0; k < run.result.outputs.size() && !run.small; ++k) {
      const OutputOutcome& seen = run.result.outputs[k];
      if (seen.unbounded != 0) run.told.notes.push_back(fmt::format("{} of {} elements of output {} that are not finite in the sequential program are an infinity there and a number in the distributed one: of them nothing is claimed", seen.unbounded, seen.undefined, k));
    }
    if (!run.result.differing) {
      run.outcome = without_difference(run);
      if (run.result.stopped && run.result.stopped->stalled && run.result.draws.empty() && proof_.holds() && proof_.simulates) {
        run.outcome = Ran::Stalled;  // the proof would hold too if no input ended it
        run.told.notes.emplace_back("in no draw has the sequential program ended, and the proof follows a loop of it step by step: of inputs on which it does not end nothing is claimed. --range draws others; `prove` asks for no run");
      }
      if (run.result.stopped && run.outcome != Ran::NotCompared && run.outcome != Ran::Undefined) run.told.notes.emplace_back(run.result.stopped->what());
      if (run.outcome == Ran::Literals) note_literals(run.small ? *run.small : c_, run.told.notes);
    } else if (run.small) {
      judge_reduced_difference(c_, proof_, run);
    } else if (c_.relation.recorded && !differs_clearly(c_, *run.result.witness, *run.result.differing, run.how.budget)) {
      run.told.notes.emplace_back("no output is shown to differ by more than a millionth: the rounding of floats that the step took from values explains what is less");
      run.result.differing.reset();
      run.outcome = Ran::Literals;
    } else {
      run.outcome = Ran::Differs;
      note_below_own_type(c_, *run.result.witness, *run.result.differing, run.how.budget, run.told.notes);
    }
  }

  /// What is run and told beside the comparison.
  void beside() {
    const bool others = !c_.relation.recorded;  // are there other inputs?
    if (run_.at_full_shape() && others && run_.outcome == Ran::Agrees) beyond_premise();
    const bool agrees = run_.at_full_shape() && !run_.result.differing && others;
    if (agrees) run_.differs_outside = note_outside(c_, run_.how, proof_.assumptions, run_.told.notes);
    if (agrees && proof_.holds() && run_.outcome == Ran::Agrees) {
      note_below_masks(c_, run_.how, proof_.assumptions, run_.told.notes);
      for (const std::string& input : differs_where_infinite(c_, run_.how))
        run_.told.notes.push_back(fmt::format("differs where {} is -inf in half of a row, as a mask that is added may be, though the sequential program is finite: finite-inputs leaves that out, and the proof says nothing of it", input));
    }
    if (run_.ran && wants_rounding(given_)) run_.rounding = judge_floats(run_.small ? *run_.small : c_, given_, run_.told);
    if (agrees) note_unexercised(c_, run_.how.budget, run_.told);
    if (c_.manual_regions != 0) claims_of_replication();
    enter_phase("mutants");
    if (run_.ran && proof_.holds() && run_.outcome == Ran::Agrees) {
      Case& pair = run_.small ? *run_.small : c_;  // a pair of its own
      run_.mutants = try_mutants(pair, differential_options(run_.options), kMutants, std::max<std::uint64_t>(proof_.result.steps, 1)).refused;
    }
    if (agrees && run_.outcome != Ran::Replicas && proof_.assumes(AssumptionKind::Literal)) literal_steps();
    if (agrees && proof_.holds() && run_.outcome == Ran::Agrees && !proof_.result.decided.tests.empty()) tests_turn();
  }

  /// A premise that a literal is a closed form leaves out its rounding; where that makes a step of an output, the pair is not proved by it.
  void literal_steps() {
    const auto step = step_by_literals(c_, run_.how.budget);
    if (!step) return;
    run_.outcome = Ran::LiteralStep;
    run_.told.notes.push_back(fmt::format("{} elements of output {} ({}) are a step apart in a draw, as the literals are printed and in the types of the programs: the rounding of a literal decides there (floor, a comparison, a conversion, or what is left where all else cancels), which the premise leaves out",
                                          step->elements, step->output, c_.relation.outputs[step->output].name));
  }

  /// Tests for NaN and infinity that the proof takes as decided: programs that ask for them are asked about them.
  void tests_turn() {
    const auto where = differs_where_tests_turn(c_, run_.how);
    if (!where) return;
    run_.outcome = Ran::TestsTurn;
    run_.told.notes.push_back(*where);
  }

  /// A proof says nothing of indices that its premise leaves out, and draws hold none; where the sequential program takes them, a difference counts.
  void beyond_premise() {
    std::vector<std::size_t> inputs;
    for (std::size_t k = 0; k < c_.relation.free.size(); ++k) {
      if (!proof_.holds() || bounds_index(proof_.assumptions, c_.relation.free[k])) inputs.push_back(k);
    }
    auto found = differs_beyond_premise(c_, run_.how, inputs);
    if (!found && proof_.holds() && proof_.assumes(AssumptionKind::MaskIsMinusInfinity)) found = differs_where_all_masked(c_, run_.how, run_.told.notes);
    if (!found) return;
    run_.told.notes.push_back(std::move(found->note));
    for (const Difference& difference : found->outcome.differences) run_.outputs[static_cast<std::size_t>(difference.output)] = OutputState::Differs;
    run_.result.witness = std::move(found->inputs);
    run_.result.differing = std::move(found->outcome);
    run_.outcome = Ran::Differs;
    run_.beyond_premise = true;
  }

  /// Those of the module itself, which no second program can check.
  void claims_of_replication() {
    RunOptions how;
    how.budget = run_.how.budget;
    try {
      for (int draw = 0; draw < given_.seeds && run_.replicas.empty(); ++draw) {
        const InputSet inputs = draw_inputs(c_.relation, given_.seed + static_cast<std::uint64_t>(draw), draw);
        run_.replicas = check_replicas(*c_.manual_bodies, c_.relation.mesh, sequential_inputs(c_, inputs, how.mode), how);
      }
    } catch (const RuntimeFailure& failure) {
      run_.told.notes.emplace_back(std::string("replica claims were not checked: ") + failure.what());
    }
    if (!run_.replicas.empty() && !shows_difference(run_.outcome)) run_.outcome = Ran::Replicas;
  }

  Case& c_;
  const Options& given_;
  const ProofEvidence& proof_;
  Purpose purpose_;
  RunCost cost_;
  RunEvidence run_;
};

}  // namespace

RunEvidence gather_run(Case& c, const Options& options, const ProofEvidence& proof, Parts parts) {
  RunEvidence run;
  if (parts.run) run = Gathering(c, options, proof).run();
  else run.options = options;
  for (const std::string& target : opaque_calls(c)) {
    const auto declares = [&](const std::string& text) { return parse_opaque_target(text).target == target; };
    if (!is_library_function(target) && std::none_of(options.opaque.begin(), options.opaque.end(), declares)) run.open_calls.push_back(target);
  }
  return run;
}

}  // namespace gg
