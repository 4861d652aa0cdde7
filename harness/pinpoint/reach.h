// The part of an edited program that an edit can reach: a module whose parameters are the values before it, so that a trial
// costs what the edit changes and not what the program costs.
#pragma once

#include <optional>
#include <vector>

#include "models/ir/module.h"

namespace gg::pinpoint {

/// By position in the entry computation of the edited module, the base's instruction of the same value; kNone for what the edit can reach.
/// `edited` is `base` with a patch: instructions that kept their names are compared by content.
std::vector<InstructionId> same_values(const Module& base, const Module& edited);

struct Reach {
  Module module;                        ///< the edited program from the frontier on, with the edited program's root
  std::vector<InstructionId> frontier;  ///< instructions of the base module's entry, one a parameter, in order
  std::vector<bool> changed;            ///< array leaves of the root that the edit can reach
};

/// `edited` is `base` with a patch. Nothing where the frontier would hold a token.
std::optional<Reach> reach_of(const Module& base, const Module& edited);

}  // namespace gg::pinpoint
