// Step closure: do outputs that feed the next step hold the relation that the inputs are assumed to have? Only then does
// a proof of one step carry over to a whole training run by induction.
#pragma once

#include <optional>
#include <vector>

#include "models/relation/relation.h"

namespace gg {

struct StepClosure {
  bool closed = true;
  std::vector<int> open;  ///< output leaves whose claim is not the relation of the input that they feed
};

/// Nothing if no output feeds an input (no aliases and no `next` in the relation).
std::optional<StepClosure> step_closure(const Arena& arena, const Relation& relation);

}  // namespace gg
