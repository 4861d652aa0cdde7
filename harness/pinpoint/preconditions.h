// Preconditions beside repairs: circumstances of the user's own under which a pair that differs agrees all the same (equal
// counts on all ranks, the same mask on every rank, nothing masked, capacity never exceeded). A closed list, tried on inputs that programs count
// with; each is confirmed by runs whose inputs satisfy it, and proves nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/differential.h"

namespace gg::pinpoint {

/// Conditions of one input from the weakest to the strongest; then those of values inside.
enum class Circumstance : std::uint8_t { EqualSums, SameValues, SameBlocks, NothingMasked, BoundKept };
std::string_view to_string(Circumstance circumstance);  ///< "equal-sums", ...

struct Precondition {
  Circumstance circumstance = Circumstance::EqualSums;
  std::string input;              ///< name of the free input; of the compared value's check for BoundKept
  std::vector<std::string> axes;  ///< mesh axes over which it holds; none: everywhere
  std::string text;               ///< "the sum of m is the same on all dp ranks"
  int draws = 0;                  ///< runs that agreed under it
};

/// Free inputs that the sequential program counts with: sums of nothing but such an input (not negative, by a given or
/// inferred range) or of its comparison with a constant.
std::vector<std::size_t> counted_inputs(const Case& c);

/// The inputs altered so that the condition holds, by as little as it takes; false where it cannot (the range, or a
/// placement other than even blocks).
/// BoundKept is none of an input: false.
bool satisfy(const Case& c, std::size_t input, Circumstance circumstance, const std::vector<std::string>& axes, InputSet& inputs);

/// For each counted input and each axis that splits it, the weakest condition under which all outputs agree; bounds of the
/// sequential program (bounds.h) under which they do, from draws that happen to keep them. `outcome` is
/// the difference of the pair on the inputs `differing`. Throws RuntimeFailure (Budget, Memory).
std::vector<Precondition> preconditions(Case& c, const InputSet& differing, const DrawOutcome& outcome, const DifferentialOptions& options);

}  // namespace gg::pinpoint
