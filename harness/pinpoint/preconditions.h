// Preconditions beside repairs: circumstances of the user's own under which a pair that differs agrees all the same (equal
// counts on all ranks, the same mask on every rank, nothing masked, capacity never exceeded). A closed list, tried on inputs that programs count
// with; each is confirmed by runs whose inputs satisfy it, and proves nothing.
#pragma once

#include <string>
#include <vector>

#include "harness/pinpoint/circumstances.h"
#include "harness/pinpoint/counted.h"
#include "runtime/differential.h"

namespace gg::pinpoint {

struct Precondition {
  Circumstance circumstance = Circumstance::EqualSums;
  std::string input;              ///< name of the free input; of the compared value's check for BoundKept
  std::vector<std::string> axes;  ///< mesh axes over which it holds; none: everywhere
  std::string text;               ///< "the sum of m is the same on all dp ranks"
  int draws = 0;                  ///< runs that agreed under it
};

/// For each counted input and each axis that splits it, the weakest condition under which all outputs agree; bounds of the
/// sequential program (bounds.h) under which they do, from draws that happen to keep them. `outcome` is
/// the difference of the pair on the inputs `differing`. Throws RuntimeFailure (Budget, Memory).
std::vector<Precondition> preconditions(Case& c, const InputSet& differing, const DrawOutcome& outcome, const DifferentialOptions& options);

}  // namespace gg::pinpoint
