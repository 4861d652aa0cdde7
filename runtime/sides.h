// Which sides of minima, maxima, clamps and selections a run has taken. Shrinking moves thresholds: a clip that is active at
// full size may sleep at reduced ones, and a defect before it with it. And whether inputs are ones of which something is claimed (torch
// raises of indices out of range).
#pragma once

#include <set>
#include <utility>

#include "runtime/differential.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

/// (instruction of the sequential program, 0 or 1): operand taken by some element of a minimum or maximum; branch of a
/// selection; below the lower bound of a clamp or not. 2 or 3: above its upper bound or not.
using Sides = std::set<std::pair<InstructionId, int>>;

/// The sides that the sequential program takes on these inputs. Throws RuntimeFailure.
Sides sides_taken(Case& c, const InputSet& inputs, const Budget& budget);

/// Has the program an instruction of which `taken` holds one side of a pair only?
bool one_sided(const Sides& taken);

/// Is nothing claimed of these inputs? The sequential program raises on them (an index that it computes is none that it takes, Case::accepted), or
/// indices of a gather or scatter of either program are not unique or sorted as its flags say (flagged-indices). `recorded`
/// (may be null): what the programs did on them, which then are not run again. Throws RuntimeFailure.
bool outside_premises(Case& c, const InputSet& inputs, const Budget& budget, const RecordedPair* recorded = nullptr);

/// Has the pair indices of which only unique or sorted ones are claimed?
bool flags_indices(const Case& c);

/// Nothing is said of such inputs: what was decided on them is taken back.
void say_nothing(DrawOutcome& draw);

}  // namespace gg
