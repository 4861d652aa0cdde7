// Tests for NaN and infinities, as texts write them.
#pragma once

#include <cstddef>
#include <optional>

#include "models/ir/module.h"

namespace gg {

/// The operand that is asked whether it is a finite number (`is-finite`), one at all (`x != x`, `x == x`), or infinite (a comparison with a constant
/// infinity, moved or not); nothing of other instructions.
std::optional<std::size_t> finite_test(const Module& module, InstructionId id);

/// Floats that become integers of a type by conversion.
bool makes_integers(const Module& module, InstructionId id);

/// A comparison of floats.
bool compares_floats(const Module& module, InstructionId id);

}  // namespace gg
