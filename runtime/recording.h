// Runs whose values were kept, to be looked at again without another run: by traces (divergence.h), and by what asks further of them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "runtime/executor.h"

namespace gg {

/// What a probe saw of one run, in order, and what the run gave.
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
