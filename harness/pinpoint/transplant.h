// Edits of a pair with fewer layers, made in the pair with all of them.
#pragma once

#include <optional>
#include <vector>

#include "models/mutation/patch.h"

namespace gg::pinpoint {

/// `patches` are edits of `part`, in order; the same edits of `whole`, whose instructions those of `part` are, by name: who reads a value
/// that is replaced reads what replaces it in every layer. Nothing where an edit names what `whole` does not have.
std::optional<Module> transplanted(const Module& part, const std::vector<mutation::Patch>& patches, const Module& whole);

}  // namespace gg::pinpoint
