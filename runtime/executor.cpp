// Executor: the public face of the walk, and the limits of a run.
#include "runtime/executor.h"

#include "models/base/check.h"
#include "models/base/progress.h"
#include "runtime/walk.h"

namespace gg {
namespace {

/// The buffer itself where nothing else holds it (share() makes no const objects), else a copy.
Buffer take(std::shared_ptr<const Buffer> shared) {
  if (shared.use_count() == 1) return std::move(const_cast<Buffer&>(*shared));
  return shared->clone();
}

}  // namespace

void Budget::check(const Instance& where, std::size_t more) const {
  if (out_of_time()) throw RuntimeFailure(RuntimeFailure::Kind::Budget, "the time budget is used up", where);
  const std::size_t live = live_buffer_bytes();
  if (live > max_bytes || more > max_bytes - live) {
    throw RuntimeFailure(RuntimeFailure::Kind::Memory,
                         "the run needs more than the memory budget of " + std::to_string(max_bytes >> 20U) + " MiB",
                         where);
  }
}

Executor::Executor(BodyTable& bodies, Communicator* communicator, PlanStore* plans)
    : runner_(std::make_unique<InstructionRunner>(bodies, communicator, plans)), lifetimes_(std::make_unique<Lifetimes>(bodies.module())) {}

Executor::~Executor() = default;

RunResult Executor::run(std::vector<Buffer> inputs, const RunOptions& options) {
  SharedBuffers shared;
  for (Buffer& input : inputs) shared.push_back(share(std::move(input)));
  inputs.clear();
  return run(std::move(shared), options);
}

RunResult Executor::run(SharedBuffers inputs, const RunOptions& options) {
  const bool exact = is_real(options.mode);
  GG_CHECK(!options.error_bounds || (!exact && options.device == nullptr), "error bounds are for runs that round, on the host");
  Values values;
  for (auto& input : inputs) {
    values.push_back({std::move(input), nullptr, nullptr, 0, false});
    if (options.device != nullptr) expect_on_device(values.back(), *options.device);
  }
  inputs.clear();
  Walk walk(*runner_, *lifetimes_, options);
  Values leaves = walk.entry(std::move(values));
  RunResult result;
  result.steps = walk.steps();
  for (Value& leaf : leaves) {
    result.ties.push_back({leaf.ties});
    if (options.error_bounds) result.errors.push_back(leaf.error ? leaf.error->clone() : Buffer());
    on_host(leaf);
    leaf.device.reset();
    result.outputs.push_back(take(std::move(leaf.data)));
  }
  return result;
}

Probe Recording::probe() {
  return [this](const Instance& instance, Leaves leaves) {
    for (const auto& leaf : leaves) bytes += leaf->bytes();
    if (bytes > kMostBytes) {
      events.clear();
      return;
    }
    events.emplace_back(instance, SharedBuffers(leaves.begin(), leaves.end()));
  };
}

void Recording::replay(const Probe& probe) const {
  for (const auto& [instance, leaves] : events) probe(instance, leaves);
}

}  // namespace gg
