// Pairs that no machine holds at their own sizes: reduced shapes for their runs, and the command `reduce --shapes`.
#pragma once

#include <memory>
#include <string>

#include "harness/options/options.h"
#include "runtime/shapes/reduce.h"

namespace gg {

/// Which instruction alone goes beyond the memory of a run, in a sentence; "" if none does.
std::string beyond_memory(const Case& c, const DifferentialOptions& options);
/// Why the pair cannot be run at its own sizes within the limits of memory and a budget of so many seconds (by estimate); "" if it can.
std::string too_large(const Case& c, const DifferentialOptions& options, double seconds);

/// The pair at reduced shapes, ranges inferred. Throws InputError where it cannot be reduced.
std::unique_ptr<Case> shrink(const Case& c);

/// The same with the float literals rewritten that are made of sizes; null where that changes nothing or is not applicable:
/// `why` then says why not.
std::unique_ptr<Case> shrink_with_floats(const Case& c, std::string& why);

/// Do both programs have the same instructions in both pairs, so that an id means the same? (A reduction may have copied
/// literals whose uses need different values.)
bool same_instructions(const Case& a, const Case& b);

/// `reduce --shapes CASE -o DIR`: writes the reduced pair and prints what became of the sizes. Exit code 0, or 2 where
/// `--floats rewrite` is not applicable: nothing is written then.
int reduce_command(const Options& options);

}  // namespace gg
