// Which sides of minima, maxima, clamps and selections a run has taken. Shrinking moves thresholds: a clip that is active at
// full size may sleep at reduced ones, and a defect before it with it. And whether a program raises on an input (torch, of indices out of
// range).
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

/// Does the sequential program raise on these inputs: is an index that it computes from them none that it takes (Case::accepted)? `recorded`
/// (may be null): what it did on them, which then is not run again. Throws RuntimeFailure.
bool raises(Case& c, const InputSet& inputs, const Budget& budget, const RecordedPair* recorded = nullptr);

/// Nothing is said of such inputs: what was decided on them is taken back.
void say_nothing(DrawOutcome& draw);

}  // namespace gg
