// Outputs that differ by the rounding of literals alone, left out of a search for a defect.
#pragma once

#include <vector>

#include "models/relation/relation.h"
#include "runtime/differential.h"

namespace gg {

/// As long as this lives the relation leaves out what differs by the rounding of literals alone.
class LookingPastRounding {
 public:
  LookingPastRounding(Relation& relation, const DrawOutcome& outcome) : relation_(relation) {
    for (std::size_t k = 0; k < outcome.outputs.size(); ++k) {
      if (outcome.outputs[k].agreement != Agreement::Literals || relation.outputs[k].kind != OutputClaim::Kind::Compared) continue;
      relation.outputs[k].kind = OutputClaim::Kind::Ignored;
      outputs.push_back(k);
    }
  }
  LookingPastRounding(const LookingPastRounding&) = delete;
  LookingPastRounding& operator=(const LookingPastRounding&) = delete;
  ~LookingPastRounding() {
    for (const std::size_t k : outputs) relation_.outputs[k].kind = OutputClaim::Kind::Compared;
  }
  std::vector<std::size_t> outputs;

 private:
  Relation& relation_;
};

}  // namespace gg
