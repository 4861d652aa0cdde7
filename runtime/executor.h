// Runs a module over lifted values: every buffer holds all ranks, rank-major. Calls, loops and conditionals are walked
// here; everything else is a kernel, a plan, or a collective of the communicator.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/ir/module.h"
#include "models/pair/case.h"
#include "runtime/communicator.h"
#include "runtime/literals.h"

namespace gg {

class PlanStore;
namespace device {
class Device;
}

/// The run cannot go on for a reason that is no verdict about the values.
class RuntimeFailure : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    Budget,         ///< --budget-seconds or the step limit
    Memory,         ///< memory budget
    Unsupported,    ///< an operator without executor
    Communication,  ///< a rank did not arrive, or runs something else (backends with real processes)
    Mismatch,       ///< ranks of one group reach a collective differently: the program would hang. A refutation.
    Doubtful,       ///< so they do, but they part at a tie, or by less than the run's rounding, or others come to one that may meet it
  };
  RuntimeFailure(Kind why, const std::string& message, Instance place)
      : std::runtime_error(message), kind(why), where(std::move(place)) {}
  Kind kind;
  Instance where;
  bool endless = false;  ///< Budget: the ranks run on and on where the sequential program has ended
  bool stalled = false;  ///< Budget: the sequential program itself runs on and on
};

/// Limits of one command beside its deadline (models/base/progress.h); shared by all its runs.
struct Budget {
  std::size_t max_bytes = std::size_t{8} << 30;
  std::int64_t max_trips = std::numeric_limits<std::int64_t>::max();  ///< of loops, all together: for inputs on which nobody says that they end
  /// Throws RuntimeFailure(Budget | Memory). `more` bytes are about to be allocated.
  void check(const Instance& where, std::size_t more = 0) const;
};

/// Read-only buffers, dropped by the executor after their last use. One that somebody else owns has no owner here.
using SharedBuffers = std::vector<std::shared_ptr<const Buffer>>;
using Leaves = std::span<const std::shared_ptr<const Buffer>>;

/// Called after each instruction instance with its array leaves, which may be kept.
using Probe = std::function<void(const Instance&, Leaves leaves)>;

/// The array leaves of an instruction of the entry computation that is not to be executed; null: it is. Loops, calls and branches are
/// walked all the same, for the sake of a probe.
using Given = std::function<const SharedBuffers*(InstructionId)>;

/// Called for each operator that a device ran, with the largest error of its result as a share of the bound that its own
/// rounding has on the operands that it read.
using OperatorProbe = std::function<void(const Instance&, double share)>;

struct RunOptions {
  NumberMode mode = NumberMode::Real;
  Budget budget{};
  Probe probe{};                     ///< optional
  Given given{};                     ///< optional; without error bounds
  std::uint64_t seed = 0;            ///< for Unknown elements
  LiteralReading literals{};         ///< balls over reals, and in f64 with error bounds
  bool error_bounds = false;         ///< not over reals: carry a running bound of the rounding error with every value
  device::Device* device = nullptr;  ///< runs the operators that it takes (not over reals)
  OperatorProbe operator_probe{};    ///< optional, with a device: every operator is computed on the host too
  /// Instructions executed before the run is stopped (Budget), so that no loop hangs.
  std::int64_t max_steps = 30'000'000;
};

struct RunResult {
  std::vector<Buffer> outputs;   ///< array leaves of the root, lifted
  std::vector<TieCounter> ties;  ///< ties in the cone of each output
  /// With error_bounds: for each output the bound of |computed - exact| element by element (Double); empty = exact.
  std::vector<Buffer> errors;
  std::int64_t steps = 0;  ///< instructions executed
};

/// Executes one module. Plans are compiled once a signature and kept.
class Executor {
 public:
  /// `communicator` may be null for a sequential module; `plans`: compiled bodies shared with other executors over the
  /// same arena (may be null, must outlive this one).
  Executor(BodyTable& bodies, Communicator* communicator, PlanStore* plans = nullptr);
  ~Executor();
  /// `inputs`: array leaves of the entry parameters, lifted. Throws RuntimeFailure.
  RunResult run(std::vector<Buffer> inputs, const RunOptions& options);
  RunResult run(SharedBuffers inputs, const RunOptions& options);

 private:
  std::unique_ptr<class InstructionRunner> runner_;
  std::unique_ptr<class Lifetimes> lifetimes_;
};

/// A run whose values were kept, to be looked at again without another run (by traces, divergence.h, and by what asks further of them): what
/// a probe saw, in order, and what the run gave.
struct Recording {
  static constexpr std::size_t kMostBytes = std::size_t{1} << 28U;  ///< of values; a longer run leaves none

  /// Keeps what it sees here; must not outlive this.
  Probe probe();
  /// Shows everything to another probe.
  void replay(const Probe& probe) const;
  bool complete() const { return result != nullptr && bytes <= kMostBytes; }

  std::vector<std::pair<Instance, SharedBuffers>> events;
  std::shared_ptr<const RunResult> result;  ///< null where the run is not over
  std::size_t bytes = 0;
};

/// Both programs of a pair on the same inputs.
struct RecordedPair {
  NumberMode mode = NumberMode::Real;
  Recording sequential, distributed;
  bool complete() const { return sequential.complete() && distributed.complete(); }
};

}  // namespace gg
