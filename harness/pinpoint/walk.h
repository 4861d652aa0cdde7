// Walks back through operands.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "models/ir/module.h"

namespace gg::pinpoint {

/// `from` and what it is computed from, by the text, going on behind those instructions that `through` names: each once, at most `most`.
std::vector<InstructionId> behind(const Module& module, InstructionId from, std::size_t most, const std::function<bool(InstructionId)>& through);

/// Are its elements those of its only operand, at other places?
bool moves_one(const Module& module, InstructionId id);

/// The value of which moves with one operand made this one.
InstructionId behind_moves(const Module& module, InstructionId id);

/// The nearest value whose elements alone it holds: the operand of a move, what the pieces are taken from that are put together again; kNone.
InstructionId moved_from(const Module& module, InstructionId id);

/// The same operator with as many operands, of one type.
bool alike(const Module& module, InstructionId a, InstructionId b);

/// Are these two regions the same, instruction by instruction?
bool same_region(const Module& from, ComputationId a, const Module& there, ComputationId b);

/// The first region of `there` that is the same.
std::optional<ComputationId> region_like(const Module& from, ComputationId region, const Module& there);

}  // namespace gg::pinpoint
