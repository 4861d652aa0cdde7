// What the user answers for, as --assume says it. equal(SEQ, DIST, PLACEMENT): on every rank a value of the distributed program is the
// placed part of a value of the sequential one; it cuts a proof at a value that the prover cannot relate, and the theorem names it.
// terminates(WHILE) and uniform(CONDITIONAL): duties of control flow in the distributed program.
#pragma once

#include <string>
#include <vector>

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

/// Is it `terminates:..` or `uniform:..`?
bool is_control(const std::string& text);

/// Reads `terminates:NAME` or `uniform:NAME`: an instruction's name, all instances of it, or the path of one as reports write it,
/// inside of loops and branches too. Throws InputError(Usage), listing what there is to name.
std::vector<Assumption> parse_control(const Case& c, const std::string& text);

/// Whatever --assume says: these, or `equal:..`.
std::vector<Assumption> parse_stated(const Case& c, const std::string& text);

}  // namespace gg
