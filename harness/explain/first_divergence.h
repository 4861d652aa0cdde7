// Where a trace alone says that a distributed program goes wrong, for differences without a finding.
#pragma once

#include <optional>
#include <string>

#include "runtime/differential.h"

namespace gg {

/// The first instruction of the distributed program (in its order) whose value equals no sequential value under any
/// plain placement or partial sum while its operands do; nothing when no such instruction stands out.
struct Divergence {
  InstructionId instruction;
  Instance instance;
  std::string text;      ///< one sentence
  bool missing = false;  ///< the instruction itself is right: an operator is missing after it
};
std::optional<Divergence> first_divergence(Case& c, const InputSet& inputs, const DifferentialOptions& options);

}  // namespace gg
