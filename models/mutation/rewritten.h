// Copies of modules with changes that keep every instruction's place and type.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/ir/module.h"

namespace gg {

namespace mutation {

/// An instruction without name and place; the type stays.
struct Form {
  Op op;
  Attributes attributes;
  std::vector<InstructionId> operands;
};

Form form_of(const Module& module, InstructionId id);

}  // namespace mutation

/// What of an instruction may change in a copy.
struct Draft : mutation::Form {
  std::string name;
  std::string metadata;  ///< text inside metadata={...}, "" for none
};

/// The module with every instruction as `change` leaves its draft. Instruction and computation ids stay.
Module rewritten(const Module& module, const std::function<void(InstructionId, Draft&)>& change);

/// The module with all instructions and computations renamed (`i0`, `c0`, ...) and without metadata: what a verdict may
/// depend on is still there.
Module anonymous(const Module& module);

}  // namespace gg
