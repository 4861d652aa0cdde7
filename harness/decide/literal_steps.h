// Premises that a literal is a closed form, where its rounding makes a step: `literal(f32:0.024390243=1/41)` speaks of programs that differ by the rounding of 1/41; behind floor, a comparison or a conversion
// to an integer, or where all else cancels, that is a whole step.
#pragma once

#include <optional>
#include <vector>

#include "models/pair/verdict.h"
#include "runtime/differential.h"

namespace gg {

/// Comparisons of floats and roundings to whole numbers, of both programs, that values hang on which a literal of these assumptions is part of.
std::size_t steps_behind_literals(const Case& c, const std::vector<Assumption>& assumptions);

/// An output of which elements are a step apart, and how many: both with literals as they are printed, and in the types of the programs, in one of a few draws that hold the numbers at which programs step.
struct LiteralStep {
  std::size_t output = 0, elements = 0;
};
std::optional<LiteralStep> step_by_literals(Case& c, const Budget& budget);

}  // namespace gg
