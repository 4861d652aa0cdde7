// What kind of instruction this is, asked by many: structure, constants, messages.
#pragma once

#include "models/ir/structure.h"
#include "models/op/facts.h"

namespace gg {

inline bool is_parameter(const Module& m, InstructionId id) { return m[id].op == Op::Parameter; }
inline bool is_tuple(const Module& m, InstructionId id) { return m[id].op == Op::Tuple; }
inline bool is_element(const Module& m, InstructionId id) { return m[id].op == Op::GetTupleElement; }
inline bool is_loop(const Module& m, InstructionId id) { return structure_of(m, id) == Structure::Loop; }
inline bool is_constant(const Module& m, InstructionId id) { return m[id].op == Op::Constant; }
/// A constant whose values the text states.
inline bool has_values(const Module& m, InstructionId id) { return m.attributes(id).has(Attr::Literal); }
/// Numbers 0, 1, ... along a dimension.
inline bool is_count(const Module& m, InstructionId id) { return m.attributes(id).has(Attr::IotaDimension); }
/// Every rank's value goes to another one.
inline bool is_message(const Module& m, InstructionId id) { return m.attributes(id).has(Attr::SourceTargetPairs); }
/// Ranks of a group combine their values, and each has the result.
inline bool is_all_reduce(const Module& m, InstructionId id) { return combines_ranks(m[id].op) && !m.attributes(id).has(Attr::BroadcastDims); }
/// Every rank of a group holds the blocks of all.
inline bool is_gather_of_ranks(const Module& m, InstructionId id) { return m[id].op == Op::AllGather; }
/// Each rank of a group holds its block of the sum over all.
inline bool is_reduce_scatter(const Module& m, InstructionId id) { return combines_ranks(m[id].op) && m.attributes(id).has(Attr::BroadcastDims); }
/// Every rank sends each other one of its group a block.
inline bool is_exchange(const Module& m, InstructionId id) { return m[id].op == Op::AllToAll; }
inline bool is_copy(const Module& m, InstructionId id) { return m[id].op == Op::Copy; }
inline bool is_comparison(const Module& m, InstructionId id) { return m.attributes(id).has(Attr::Direction); }
/// One of two operands, by the first.
inline bool is_select(const Module& m, InstructionId id) { return m[id].op == Op::Select; }
/// Operands one behind the other.
inline bool is_concatenation(const Module& m, InstructionId id) { return m[id].op == Op::Concatenate; }
/// A dimension backwards.
inline bool is_reversal(const Module& m, InstructionId id) { return m[id].op == Op::Reverse; }
inline bool is_sort(const Module& m, InstructionId id) { return m[id].op == Op::Sort; }
/// Rows of the operand, at places that values state.
inline bool is_lookup(const Module& m, InstructionId id) { return m[id].op == Op::Gather; }
/// Rows put into the operand, at places that values state.
inline bool is_scatter(const Module& m, InstructionId id) { return m[id].op == Op::Scatter; }
/// A part of the operand, at places that values state.
inline bool is_dynamic_slice(const Module& m, InstructionId id) { return m[id].op == Op::DynamicSlice; }
/// The operand with a part of it replaced, at places that values state.
inline bool is_dynamic_update(const Module& m, InstructionId id) { return m[id].op == Op::DynamicUpdateSlice; }

}  // namespace gg
