// Counts tell places apart (docs/certificate.md, F13).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Two variables that the conjunction says to be one: equal numbers of elements up to and with each, equal keys of these elements.
std::optional<std::pair<Var, Var>> same_place(Terms& t, const std::vector<Literal>& path);

}  // namespace gg::checker
