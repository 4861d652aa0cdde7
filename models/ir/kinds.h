// What kind of instruction this is, asked by many: structure, constants, messages.
#pragma once

#include "models/ir/module.h"

namespace gg {

inline bool is_parameter(const Module& m, InstructionId id) { return m[id].op == Op::Parameter; }
inline bool is_tuple(const Module& m, InstructionId id) { return m[id].op == Op::Tuple; }
inline bool is_element(const Module& m, InstructionId id) { return m[id].op == Op::GetTupleElement; }
inline bool is_loop(const Module& m, InstructionId id) { return m[id].op == Op::While; }
inline bool is_constant(const Module& m, InstructionId id) { return m[id].op == Op::Constant; }
/// A constant whose values the text states.
inline bool has_values(const Module& m, InstructionId id) { return is_constant(m, id) && m.attributes(id).has(Attr::Literal); }
/// Numbers 0, 1, ... along a dimension.
inline bool is_count(const Module& m, InstructionId id) { return m[id].op == Op::Iota; }
/// Every rank's value goes to another one.
inline bool is_message(const Module& m, InstructionId id) { return m[id].op == Op::CollectivePermute; }
/// Ranks of a group combine their values, and each has the result.
inline bool is_all_reduce(const Module& m, InstructionId id) { return m[id].op == Op::AllReduce; }
inline bool is_copy(const Module& m, InstructionId id) { return m[id].op == Op::Copy; }
/// A part of the operand, at places that values state.
inline bool is_dynamic_slice(const Module& m, InstructionId id) { return m[id].op == Op::DynamicSlice; }

}  // namespace gg
