// Runs at reduced shapes: when a difference there says something of the pair.
#pragma once

#include "harness/decide/evidence.h"

namespace gg {

/// The pair at reduced shapes. Null where it cannot be reduced; `why` then says that too.
std::unique_ptr<Case> try_shrink(const Case& c, std::string& why);

/// A difference at reduced shapes refutes only with the divergent operator alone at full shape (docs/design.md): explains
/// it and sets the outcome. Nothing of it counts against a proof.
void judge_reduced_difference(Case& c, const ProofEvidence& proof, RunEvidence& run);

}  // namespace gg
