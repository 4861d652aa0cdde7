// Where to look: instructions near the first values that went wrong.
#pragma once

#include <vector>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {

inline constexpr std::size_t kMaxSources = 6;  ///< of bad values, around which is looked

struct Candidate {
  InstructionId id;
  int distance;  ///< steps from a source of bad values
};

/// Instructions to be tried, nearest first: the sources, what they read (moves and rank arithmetic are no distance), who
/// reads them; then all suspects; then everything before the wrong outputs. Without a trace: the whole module.
std::vector<Candidate> places(const Context& context);

/// By instructions: is it a part of the condition that the output kInRange is? That says what torch does, and is not to be mended.
std::vector<bool> asks_whether_it_raises(const Context& context);

}  // namespace gg::pinpoint
