// Where the constants of attention masks go: the premise of the assumption mask-is-minus-infinity (architecture.md, section 7).
#pragma once

#include <cstdint>
#include <vector>

#include "models/ir/flatten.h"

namespace gg {

/// Largest literal that counts as "minus infinity" of a mask; so does nothing above it.
inline constexpr double kMaskLiteral = -1e4;

/// For every node: is it a constant that, moved, converted, selected and added to, reaches nothing but maxima and arguments of exp?
/// Only then replacing a very negative literal by minus infinity leaves the program's meaning recognisable. Its value is for
/// the caller to look at.
std::vector<bool> mask_constants(const Module& module, const FlatProgram& flat);

}  // namespace gg
