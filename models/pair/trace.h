// Traces: values of instruction instances in one run, as plain data that the prover may read without the runtime.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/ir/instance.h"

namespace gg {

enum class Side : std::uint8_t { Sequential, Distributed };

/// One array leaf of one instance. Floats as (high, low) double pairs of the 113-bit value (106 bits), integers exact.
/// Lifted: ranks x local elements, rank-major (one "rank" on the sequential side).
struct TraceTensor {
  Side side;
  Instance instance;
  int leaf = 0;
  ElementType element;
  std::int64_t ranks = 1;
  std::vector<std::int64_t> dims;      ///< local
  std::vector<double> high, low;       ///< floats
  std::vector<std::int64_t> integers;  ///< integral types
};

struct Trace {
  std::uint64_t seed = 0;
  std::vector<TraceTensor> tensors;  ///< in execution order
};

}  // namespace gg
