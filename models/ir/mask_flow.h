// Where the constants of attention masks go: the premise of the assumption mask-is-minus-infinity (docs/design.md).
#pragma once

#include <optional>
#include <vector>

#include "models/ir/flatten.h"

namespace gg {

/// Largest literal that counts as "minus infinity" of a mask; so does nothing above it.
inline constexpr double kMaskLiteral = -1e4;
/// How far constants that are added to a masked value, or to what its maximum is taken of, may move either.
inline constexpr double kMaskShift = 2500;

/// The value of a float constant that may be a mask's: one finite number of at most kMaskLiteral at all places.
std::optional<double> mask_literal(const Module& module, InstructionId id);

/// For every node: may this constant be one of a mask's?
std::vector<bool> mask_candidates(const Module& module, const FlatProgram& flat);

/// Which of the constants `assumed` (by node; of the entry computation) are masks' as long as exactly these are: a selection puts
/// the constant beside other values, it goes through a maximum only into `x - maximum`, from there only into exp, and what exp
/// makes of it is summed before an output sees it. Then the program with minus infinity in its place is the limit of the
/// program for ever lower literals. Greatest such set (docs/certificate.md, section 2).
std::vector<bool> mask_constants(const Module& module, const FlatProgram& flat, std::vector<bool> assumed);

}  // namespace gg
