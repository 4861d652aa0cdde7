// From placements to a relation: rank digits, free inputs, bodies and claims.
#pragma once

#include "models/relation/leaves.h"
#include "models/relation/relation.h"

namespace gg {

/// Names the leaf in messages: `inputs[2] 'w'`.
std::string leaf_text(const char* list, std::size_t index, const std::string& name);

/// Completes a relation whose mesh, placements (one a sequential leaf) and file are set: layout, digits, free inputs
/// with default ranges, bodies, claims, `next` from the aliases. Throws InputError with the problems of all leaves.
void assemble(Arena& arena, Relation& relation, const Module& sequential, const Module& distributed);

}  // namespace gg
