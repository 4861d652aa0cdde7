// Custom calls by target name (custom_calls.def).
#pragma once

#include <span>
#include <string_view>

#include "models/op/op.h"

namespace gg {

struct CustomCall {
  std::string_view target;
  TypeRule type;
  BodyRule body;
  std::string_view type_rule_name;  ///< for documentation
};

std::span<const CustomCall> custom_calls();
/// The row of a target, or null: then the call is opaque.
const CustomCall* find_custom_call(std::string_view target);

/// Calls of LAPACK as JAX makes them on CPUs (lapack_spotrf_ffi, ..): functions of their operands, matrix by matrix. They have no body
/// (a factorisation is no formula), but need no declaration either.
bool is_library_function(std::string_view target);

/// All dimensions but the last two.
IntList before_matrix(const Type& type);

}  // namespace gg
