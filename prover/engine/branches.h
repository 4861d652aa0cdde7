// Internal to prover/engine: steps that hold case by case.
#pragma once

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"

namespace gg::prover {

/// The cases by which a step is compared.
Cases cases_of(const Step& step, std::span<const std::int64_t> extents);
/// Where a case of places leaves a branch of a value, what the branch reads is opened in its place: marked as well, if the cases hang on it.
void mark_branches(Terms& t, Step& step, TermId before, std::span<const std::int64_t> extents);

}  // namespace gg::prover
