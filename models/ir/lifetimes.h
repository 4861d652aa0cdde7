// How long the values of a computation are needed, and which of them are one value: what the text computes twice is computed once.
#pragma once

#include <optional>
#include <vector>

#include "models/ir/module.h"

namespace gg {

class Lifetimes {
 public:
  /// `module` must outlive it.
  explicit Lifetimes(const Module& module) : module_(module), texts_(module.computations().size()) {}

  /// By position in the computation.
  struct Text {
    std::vector<InstructionId> same;      ///< the first instruction of the same value; itself where there is none before it
    std::vector<InstructionId> last_use;  ///< its last user, itself where it has none, kNone for the root
  };
  const Text& of(ComputationId id);

 private:
  const Module& module_;
  std::vector<std::optional<Text>> texts_;  ///< made when first asked
};

}  // namespace gg
