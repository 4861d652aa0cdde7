// The assumption equal(SEQ, DIST, PLACEMENT): on every rank a value of the distributed program is the placed part of a
// value of the sequential one. It cuts a proof at a value that the prover cannot relate; the theorem names it.
#pragma once

#include <string>

#include "models/ir/flatten.h"
#include "models/pair/case.h"
#include "models/pair/verdict.h"

namespace gg {

/// Both values (leaf 0 of a node of each flattened entry computation) and the distributed one's body, which reads the
/// sequential value as operand 0.
struct EqualValues {
  std::uint32_t sequential = 0, distributed = 0;
  Body body;
};

/// Reads `equal:SEQ:DIST[:PLACEMENT]`. SEQ and DIST are instruction names, or paths as reports write them, of arrays outside
/// of loops and branches; PLACEMENT is a relation file's (a list, or `P('tp')` ..), and may be left out where the shapes are
/// equal: replicated. Throws InputError(Usage, BadPlacement).
Assumption parse_equal(const Case& c, const std::string& text);

/// The values of an assumption as certificates write it. Throws InputError where they do not exist or do not fit.
EqualValues equal_values(Case& c, const Assumption& assumption);

/// The assumption for two nodes of the flattened entry computations under this placement of their dimensions.
Assumption equal_assumption(const Case& c, const Instance& sequential, const Instance& distributed, const Placement& placement);

}  // namespace gg
