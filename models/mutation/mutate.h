// One-instruction defects of a distributed program, as they occur in practice (docs/design.md names the bug reports):
// each keeps all types, so the mutant is a well-formed module. Used to guard every verdict (a proved mutant that differs
// is a bug of ours) and by the fuzz campaigns.
#pragma once

#include <string>
#include <vector>

#include "models/ir/module.h"

namespace gg {

/// What is changed, one catalogue row each.
enum class Defect : std::uint8_t {
  DropCollective,     ///< all-reduce or collective-permute becomes a copy
  ReduceMax,          ///< all-reduce of a sum becomes one of maxima (if the module has such a region)
  RegroupCollective,  ///< groups of another axis: position k of every group exchanged across groups
  ReorderGroup,       ///< the order inside every group is rotated
  ReversePermute,     ///< sources and targets exchanged
  ScaleLiteral,       ///< a float literal doubled
  ShiftTable,         ///< an integer table rotated by one
  ShiftLiteral,       ///< an integer literal plus one
  SwapOperands,       ///< subtract or divide with exchanged operands
  ShiftSlice,         ///< slice moved by one
  FlipCompare,        ///< LT <-> LE, GT <-> GE, EQ <-> NE
  AddCollective,      ///< a copy becomes an all-reduce like another one of the module
  StaleOperand,       ///< the last operand is an earlier value of the same type
  SwapDimensions,     ///< two dimensions of equal extents exchanged in a transpose, broadcast or reduce
};

struct Edit {
  Defect defect;
  InstructionId instruction;
};

/// All edits that apply to this module, in instruction order.
std::vector<Edit> edits(const Module& module);

/// The module with one edit. Names, places and metadata stay.
Module apply(const Module& module, const Edit& edit);

/// `regroup-collective at %all-reduce.3`
std::string to_string(const Module& module, const Edit& edit);

}  // namespace gg
