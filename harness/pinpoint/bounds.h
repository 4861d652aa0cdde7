// Bounds that the sequential program checks its own numbers against (`position < capacity`), and whether they are kept
// everywhere in a run: what "capacity is never exceeded" means.
#pragma once

#include <string>
#include <vector>

#include "runtime/inputs.h"

namespace gg::pinpoint {

/// A comparison of integers that depend on the inputs with a constant above zero.
struct Bound {
  InstructionId compare = 0;
  bool wanted = true;  ///< what every element is where the bound is kept
  std::string text;    ///< "%position stays below 4 everywhere (%keep)"
};

/// In the order of the text, at most 8.
std::vector<Bound> bounds(const Module& sequential);

/// One run of the sequential program: which of the bounds are kept at every element, every time. Throws RuntimeFailure.
std::vector<bool> kept(Case& c, const std::vector<Bound>& bounds, const InputSet& inputs, const Budget& budget);

}  // namespace gg::pinpoint
