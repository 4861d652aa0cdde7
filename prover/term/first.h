// The first of the largest elements of a row, where it is padded (certificate.md, R, Joins).
#pragma once

#include "prover/term/terms.h"

namespace gg::prover {

/// Tuples (case(g, e, l), f), l no more than any e: those where g holds, f as it is there. The others are no more than what is left, as an
/// initial tuple is.
std::optional<TermId> without_padding(Terms& t, std::uint32_t signature, const Opened& open, std::span<const TermId> tuple);

}  // namespace gg::prover
