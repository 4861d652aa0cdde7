#include "runtime/pair_runner.h"

#include <algorithm>
#include <string>

#include "models/base/progress.h"
#include "runtime/patience.h"
#include "runtime/plans.h"
#include "runtime/rank_program.h"

namespace gg {
namespace {

/// A buffer `ranks` times.
Buffer repeated(const Buffer& buffer, std::int64_t ranks) {
  Buffer all(buffer.storage(), buffer.count() * ranks);
  auto* to = static_cast<unsigned char*>(all.data());
  for (std::int64_t r = 0; r < ranks && buffer.count() != 0; ++r, to += buffer.bytes()) {
    std::copy_n(static_cast<const unsigned char*>(buffer.data()), buffer.bytes(), to);
  }
  return all;
}
}  // namespace

/// A program with manual regions runs on all ranks; what leaves it is what the first rank has, and that all ranks have
/// the same is a claim of its own (harness/decide/replicas.h).
RunResult run_manual(Executor& executor, std::int64_t ranks, std::vector<Buffer> inputs, const RunOptions& options) {
  for (Buffer& input : inputs) input = repeated(input, ranks);
  RunResult result = executor.run(std::move(inputs), options);
  for (Buffer& output : result.outputs) output = part_of(output, 0, ranks);
  for (Buffer& error : result.errors) {
    if (error.count() != 0) error = part_of(error, 0, ranks);
  }
  return result;
}

PairRunner::PairRunner(Case& c)
    : case_(c), communicator_(local_communicator(c.distributed_bodies->digits().ranks(), &kept_by_runs(c).plans)), sequential_(*c.sequential_bodies, nullptr, &kept_by_runs(c).plans), distributed_(*c.distributed_bodies, communicator_.get(), &kept_by_runs(c).plans) {
  patience_ = patience_with(*c.sequential);
  if (c.manual_bodies) manual_ = std::make_unique<Executor>(*c.manual_bodies, communicator_.get(), &kept_by_runs(c).plans);
}

RunResult PairRunner::run_sequential(const InputSet& inputs, const RunOptions& given) {
  RunOptions options = given;
  options.max_steps = std::min(options.max_steps, patience_);
  try {
    if (manual_) return run_manual(*manual_, communicator_->ranks(), sequential_inputs(case_, inputs, options.mode), options);
    return sequential_.run(shared_sequential_inputs(case_, inputs, options.mode), options);
  } catch (RuntimeFailure& failure) {
    failure.stalled = failure.kind == RuntimeFailure::Kind::Budget && !out_of_time();
    throw;
  }
}

RunResult PairRunner::run_distributed(const InputSet& inputs, const RunOptions& options) {
  if (backend_ != nullptr && !options.probe) return backend_->run(case_, inputs, options);
  return distributed_.run(shared_distributed_inputs(case_, inputs, options.mode), options);
}

PairRun PairRunner::run(const InputSet& inputs, const RunOptions& options) {
  PairRun run;
  run.sequential = run_sequential(inputs, options);
  run.distributed = run_distributed_after(run.sequential, inputs, options);
  return run;
}

RunResult PairRunner::run_distributed_after(const RunResult& sequential, const InputSet& inputs, RunOptions options) {
  constexpr std::int64_t kLeast = 1'000'000, kTimes = 1'000;
  const std::int64_t most = kLeast + kTimes * sequential.steps;
  if (most >= options.max_steps) return run_distributed(inputs, options);
  options.max_steps = most;
  try {
    return run_distributed(inputs, options);
  } catch (const RuntimeFailure& failure) {
    if (failure.kind != RuntimeFailure::Kind::Budget || out_of_time()) throw;
    RuntimeFailure told(failure.kind, std::string(failure.what()) + "; on the same inputs the sequential program has ended after " + std::to_string(sequential.steps), failure.where);
    told.endless = true;
    throw told;
  }
}

}  // namespace gg
