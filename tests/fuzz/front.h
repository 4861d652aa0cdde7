// What fuzz_deep does with a mutated case beyond reading it; fuzz_front leaves it out, so that it builds without runtime
// and prover.
#pragma once

#include <cstdint>
#include <string>

#include "models/pair/case.h"

namespace gg::testing {

/// The run of the pair under a small budget (depth 1), the proof and the checker (2). Returns how it ended.
std::string run_and_prove(Case& c, int depth);

/// A mutated tensor file: reading it must end in tensors or InputError.
void read_tensors(std::uint64_t seed, long n);

}  // namespace gg::testing
