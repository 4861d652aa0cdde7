// What the prover may ask of runs. The prover never includes the runtime: harness implements this with it. Answers
// propose; nothing that they say is part of a proof.
#pragma once

#include <optional>

#include "models/pair/case.h"
#include "models/pair/trace.h"

namespace gg {

class Oracle {
 public:
  virtual ~Oracle() = default;
  /// Values of all instances of both programs under the inputs of this seed (empty if it cannot be run).
  virtual Trace trace(std::uint64_t seed) = 0;
};

}  // namespace gg
