// Names for what a replacement by the sequential computation mends: what stood there is compared with what should stand there.
#pragma once

#include <optional>
#include <string>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {

struct Cause {
  Diagnosis diagnosis;
  std::string text;                                   ///< the end of the finding: "its quotients are of local sums, ..."; all of it where there is a place
  std::optional<InstructionId> place = std::nullopt;  ///< what is blamed instead
};

/// Why `place` is not the sequential value, as far as their computations, and the patch that makes that one in its place, show it. `context` must have a complete trace.
std::optional<Cause> cause_of(const Context& context, ValueId place, ValueId sequential, const Patch& patch);

/// Is it a sum, or a difference, of which a term is at hand, so that the other one may be left out?
bool lacks_term(const Context& context, ValueId sequential);

}  // namespace gg::pinpoint
