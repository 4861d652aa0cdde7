// Trial runs (harness/pinpoint/trial.h).
#include "harness/pinpoint/trial.h"

#include <algorithm>
#include <cmath>

#include "models/ir/verify.h"

namespace gg::pinpoint {
namespace {

constexpr double kRelative = 1e-9;  ///< far above the rounding of f64 runs, far below what a defect changes

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

OutputTrial compared(const ClaimedValues& v) {
  OutputTrial result;
  const auto counts = v.compared.as<std::int64_t>();
  double scale = 0;
  if (!v.integral) {
    for (const double x : v.sequential.as<double>()) {
      if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
    }
  }
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    bool same = false;
    if (v.integral) {
      same = v.sequential.as<std::int64_t>()[k] == v.distributed.as<std::int64_t>()[k];
    } else {
      const double a = v.sequential.as<double>()[k], b = v.distributed.as<double>()[k];
      if (!std::isfinite(a)) continue;
      same = std::abs(a - b) <= kRelative * std::max(std::abs(a), 1e-3 * scale);
    }
    ++result.compared;
    if (!same) ++result.differing;
  }
  return result;
}

}  // namespace

bool TrialResult::mends() const { return ran && differing() == 0; }

std::int64_t TrialResult::differing() const {
  std::int64_t sum = 0;
  for (const OutputTrial& output : outputs) sum += output.differing;
  return sum;
}

Trials::Trials(Case& c, std::vector<InputSet> inputs, const Budget& budget)
    : case_(c), inputs_(std::move(inputs)), budget_(budget) {
  Executor sequential(*c.sequential_bodies, nullptr);
  RunOptions options;
  options.mode = NumberMode::F64;
  options.budget = budget;
  for (const InputSet& set : inputs_) {
    PairRun& run = runs_.emplace_back();
    options.seed = set.seed;
    run.sequential = sequential.run(sequential_inputs(c, set, options.mode), options);
  }
}

TrialResult Trials::run(const Module& module) {
  TrialResult result;
  ++count_;
  if (!well_formed(module)) return result;
  try {
    BodyTable bodies(*case_.arena, module, rank_digits(module, case_.relation.mesh, case_.relation.layout), case_.relation.layout);
    const auto communicator = local_communicator(case_.relation.layout.ranks());  // it keeps plans of these bodies
    Executor executor(bodies, communicator.get());
    RunOptions options;
    options.mode = NumberMode::F64;
    options.budget = budget_;
    for (std::size_t set = 0; set < inputs_.size(); ++set) {
      options.seed = inputs_[set].seed;
      runs_[set].distributed = executor.run(distributed_inputs(case_, inputs_[set], options.mode), options);
      result = compare(runs_[set]);
      if (!result.mends()) break;
    }
  } catch (const RuntimeFailure& failure) {
    if (failure.kind == RuntimeFailure::Kind::Budget || failure.kind == RuntimeFailure::Kind::Memory) throw;
    return {};
  } catch (const InputError&) {
    return {};
  }
  return result;
}

TrialResult Trials::compare(const PairRun& run) {
  TrialResult result;
  result.ran = true;
  for (std::size_t k = 0; k < case_.relation.outputs.size(); ++k) {
    OutputTrial output;
    if (case_.relation.outputs[k].kind == OutputClaim::Kind::Compared) {
      output = compared(claimed_values(case_, k, run, NumberMode::F64));
    }
    result.outputs.push_back(output);
  }
  return result;
}

Case with_distributed(const Case& c, Module module) {
  Case result;
  result.name = c.name;
  result.folder = c.folder;
  result.arena = std::make_unique<Arena>();
  result.sequential = std::make_unique<Module>(*c.sequential);
  result.distributed = std::make_unique<Module>(std::move(module));
  result.relation_text = c.relation_text;
  result.relation = c.relation.file.empty()
                        ? relation_from_shardings(*result.arena, *result.sequential, *result.distributed)
                        : read_relation(*result.arena, c.relation_text, c.relation.file, *result.sequential,
                                        *result.distributed);
  for (std::size_t k = 0; k < c.relation.free.size(); ++k) result.relation.free[k].range = c.relation.free[k].range;
  result.hashes = c.hashes;
  result.sequential_bodies =
      std::make_unique<BodyTable>(*result.arena, *result.sequential, RankDigits(), RankLayout());
  result.distributed_bodies = std::make_unique<BodyTable>(*result.arena, *result.distributed, result.relation.digits,
                                                          result.relation.layout);
  return result;
}

}  // namespace gg::pinpoint
