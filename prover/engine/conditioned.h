// Sequential values that a term is under other conditions.
#pragma once

#include "prover/engine/match.h"

namespace gg::prover {

/// That a term is `factor` times the value of an anchor at these indices: a proposal, whose conditions were not compared.
struct Conditioned {
  AnchorId anchor;
  std::vector<LinId> index;
  RatId factor;
};

}  // namespace gg::prover
