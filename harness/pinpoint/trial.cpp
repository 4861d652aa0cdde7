// Trial runs (harness/pinpoint/trial.h).
#include "harness/pinpoint/trial.h"

#include <algorithm>
#include <utility>

#include "harness/pinpoint/reach.h"
#include "models/base/progress.h"
#include "models/ir/verify.h"
#include "runtime/plans.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxKept = std::size_t{1} << 24U;  ///< numbers of the base run that are kept, all inputs together

/// Everything that verify() would refuse, told without its diagnostics.
bool well_formed(const Module& module) {
  try {
    VerifyOptions options;
    options.allow_elided = true;
    for (const InstructionId id : unsupported_calls(module, options)) {
      options.opaque_targets.push_back(module.attributes(id).text(Attr::CustomCallTarget));
    }
    verify(module, options);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// An edit may make a loop endless: a trial stops after so many times the steps of its base.
constexpr std::int64_t kMoreSteps = 4;

}  // namespace

/// A module made ready to run on the ranks of the case.
struct Trials::Ready {
  Ready(Trials& t, const Module& module)
      : bodies(*t.case_.arena, module, rank_digits(module, t.case_.relation.mesh, t.case_.relation.layout), t.case_.relation.layout),
        communicator(local_communicator(t.case_.relation.layout.ranks(), &kept_by_runs(t.case_).plans)),
        executor(bodies, communicator.get(), &kept_by_runs(t.case_).plans) {}

  BodyTable bodies;
  std::unique_ptr<Communicator> communicator;  ///< of these bodies alone: it keeps plans of them
  Executor executor;
};

bool TrialResult::mends() const { return ran && differing() == 0; }

std::int64_t TrialResult::differing() const {
  std::int64_t sum = 0;
  for (const OutputTrial& output : outputs) sum += output.differing;
  return sum;
}

Trials::Trials(Case& c, std::vector<InputSet> inputs, const Budget& budget, double noise)
    : case_(c), inputs_(std::move(inputs)), budget_(budget), noise_(noise), literals_(comparable_literals(*c.sequential, *c.distributed)) {
  Executor sequential(*c.sequential_bodies, nullptr, &kept_by_runs(c).plans);
  RunOptions options;
  options.mode = NumberMode::F64;
  options.budget = budget;
  options.literals = literals_;
  for (const InputSet& set : inputs_) {
    PairRun& run = runs_.emplace_back();
    options.seed = set.seed;
    run.sequential = sequential.run(sequential_inputs(c, set, options.mode), options);
  }
}

std::vector<Buffer> Trials::execute(Executor& executor, std::size_t set, SharedBuffers inputs, Probe probe) {
  RunOptions options;
  options.mode = NumberMode::F64;
  options.budget = budget_;
  options.literals = literals_;
  options.seed = inputs_[set].seed;
  options.probe = std::move(probe);
  if (most_steps_ > 0) options.max_steps = most_steps_;
  RunResult result = executor.run(std::move(inputs), options);
  steps_ = std::max(steps_, result.steps);
  return std::move(result.outputs);
}

TrialResult Trials::set_base(const Module& module) {
  base_ = &module;
  kept_.clear();
  kept_.resize(inputs_.size());
  base_results_.clear();
  kept_elements_ = 0;
  most_steps_ = 0;
  whole(module, true);
  const bool nothing = std::all_of(base_results_.begin(), base_results_.end(), [](const TrialResult& r) { return r.mends(); });
  if (nothing && std::exchange(zero_, 0) != 0) return set_base(module);  // numbers so small are what differs
  most_steps_ = kMoreSteps * steps_;
  for (const TrialResult& result : base_results_) {
    if (!result.mends()) return result;
  }
  return base_results_.empty() ? TrialResult{} : base_results_.front();
}

TrialResult Trials::whole(const Module& module, bool keep) {
  TrialResult result;
  Ready ready(*this, module);
  for (std::size_t set = 0; set < inputs_.size(); ++set) {
    const Probe probe = [&](const Instance& instance, Leaves leaves) {
      if (!instance.path.empty() || kept_elements_ > kMaxKept) return;
      kept_[set][instance.instruction].assign(leaves.begin(), leaves.end());
      for (const auto& leaf : leaves) kept_elements_ += static_cast<std::size_t>(leaf->count());
    };
    runs_[set].distributed.outputs =
        execute(ready.executor, set, shared_distributed_inputs(case_, inputs_[set], NumberMode::F64), keep ? probe : Probe());
    result = compare(set, nullptr, nullptr);
    if (keep) base_results_.push_back(result);
    else if (!result.mends()) break;
  }
  if (kept_elements_ > kMaxKept) kept_.clear();
  return result;
}

TrialResult Trials::run(const Module& module) {
  ++count_;
  try {
    const bool kept = base_ != nullptr && !kept_.empty() && !kept_.front().empty();
    const std::optional<Reach> reach = kept ? reach_of(*base_, module) : std::nullopt;
    if (!well_formed(reach ? reach->module : module)) return {};
    if (!reach) return whole(module, false);
    Ready ready(*this, reach->module);
    TrialResult result;
    for (std::size_t set = 0; set < inputs_.size(); ++set) {
      SharedBuffers inputs;
      for (const InstructionId id : reach->frontier) {
        const SharedBuffers& leaves = kept_[set].at(id);
        inputs.insert(inputs.end(), leaves.begin(), leaves.end());
      }
      runs_[set].distributed.outputs = execute(ready.executor, set, std::move(inputs), {});
      result = compare(set, &reach->changed, &base_results_[set]);
      if (!result.mends()) break;
    }
    return result;
  } catch (const RuntimeFailure& failure) {
    // A program that only exceeds the steps of a trial may loop for ever: it mends nothing, and the search goes on.
    if (failure.kind == RuntimeFailure::Kind::Memory || (failure.kind == RuntimeFailure::Kind::Budget && out_of_time())) throw;
    return {};
  } catch (const InputError&) {
    return {};
  } catch (const TypeError&) {
    return {};
  }
}

void Trials::watch(const Module& module, const InputSet& inputs, NumberMode mode, const Probe& probe) {
  Ready ready(*this, module);
  RunOptions options;
  options.mode = mode;
  options.budget = budget_;
  options.literals = literals_;
  options.seed = inputs.seed;
  options.probe = probe;
  ready.executor.run(distributed_inputs(case_, inputs, mode), options);
}

std::vector<Buffer> Trials::evaluate(const Module& module, std::vector<Buffer> parameters, NumberMode mode) {
  try {
    if (!well_formed(module)) return {};
    Ready ready(*this, module);
    RunOptions options;
    options.mode = mode;
    options.budget = budget_;
    options.literals = literals_;
    return ready.executor.run(std::move(parameters), options).outputs;
  } catch (const RuntimeFailure& failure) {
    if (failure.kind == RuntimeFailure::Kind::Memory || failure.kind == RuntimeFailure::Kind::Budget) throw;
    return {};
  } catch (const InputError&) {
    return {};
  } catch (const TypeError&) {
    return {};
  }
}

TrialResult Trials::compare(std::size_t set, const std::vector<bool>* changed, const TrialResult* before) {
  TrialResult result;
  result.ran = true;
  for (std::size_t k = 0; k < case_.relation.outputs.size(); ++k) {
    OutputTrial output;
    if (changed != nullptr && !(*changed)[k]) {
      output = before->outputs[k];
    } else if (case_.relation.outputs[k].kind == OutputClaim::Kind::Compared) {
      const DoubleLook look = look_in_doubles(claimed_values(case_, k, runs_[set], NumberMode::F64, &kept_by_runs(case_).plans), noise_, zero_);
      output = {look.differing, look.compared};
    }
    result.outputs.push_back(output);
  }
  return result;
}

Case with_distributed(const Case& c, Module module) { return with_modules(c, *c.sequential, std::move(module)); }

}  // namespace gg::pinpoint
