// Comparison of outputs through the relation's claims (docs/design.md).
//
// A value is a ball: a midpoint and a radius that enclose the exact value (of f64 runs: the computed value and its error bound). Two
// elements differ if and only if their balls are disjoint; there is no tolerance. What overlaps agrees as far as the radii tell: an element
// of which nothing is known, or too little (`kResolvedBits`), is open, and so is a difference that hangs on a tie; both go to the next precision.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/plan/plan.h"
#include "models/pair/case.h"
#include "runtime/differential.h"
#include "runtime/executor.h"

namespace gg {

/// Both sides of one claim over its index box, and where it holds.
struct ClaimedValues {
  bool integral = false;
  Buffer sequential, distributed;
  Buffer compared;                             ///< Int64: 0 or 1
  Buffer sequential_error, distributed_error;  ///< Double, f64 only; of integers Int64, not 0: a decision in the cone is within its error; empty = exact
  /// Of integers: nothing in the element's cones was decided within its error.
  bool certain(std::size_t element) const;
};

/// Of both sides at an element: their difference, and at least what is left of it when their balls and the rounding of doubles are taken off.
std::pair<double, double> distance_at(const ClaimedValues& values, std::int64_t element);

/// Both programs' results of one run.
struct PairRun {
  RunResult sequential, distributed;
};

/// The claims of a case, output by output. What does not depend on the output is made once.
class OutputClaims {
 public:
  explicit OutputClaims(const Case& c);
  ClaimedValues values(std::size_t output, const RunResult& sequential, const RunResult& distributed, NumberMode mode, PlanStore* plans = nullptr);
  ClaimedValues values(std::size_t output, const PairRun& run, NumberMode mode, PlanStore* plans = nullptr) {
    return values(output, run.sequential, run.distributed, mode, plans);
  }

 private:
  /// One program's output leaves as operands of claims.
  struct Side {
    Side(const Module& module, const RankDigits& digits);
    std::vector<std::vector<std::int64_t>> extents;  ///< lifted
    std::vector<ElementType> types;
    std::vector<Operand> operands;  ///< those that are not read stand empty
    Buffer nothing{Storage::Double, 0};
    std::array<std::int64_t, 1> none{0};
  };
  template <class Get>
  Buffer over(const OutputClaim& claim, ExprId root, Side& side, const Get& buffer, NumberMode mode, PlanStore* plans);
  Buffer errors(const OutputClaim& claim, ExprId root, Side& side, const RunResult& result);

  const Case& case_;
  Side sequential_, distributed_;
};

/// The values of one claim.
ClaimedValues claimed_values(const Case& c, std::size_t output, const PairRun& run, NumberMode mode, PlanStore* plans = nullptr);

/// Overlapping balls agree where both radii are below 2^-kResolvedBits of the output's largest value or of 1; wider ones are open. It
/// decides only whether to look again: no difference hangs on it.
inline constexpr std::int64_t kResolvedBits = 64;

/// What one precision says of an output.
struct Look {
  OutputOutcome outcome;                ///< counts; `agreement` is Agrees or Undefined, `unresolved` counts the open elements
  std::vector<std::int64_t> differing;  ///< elements of the claim's index box whose balls are disjoint
  std::int64_t first_unknown = -1;      ///< the first open element of which nothing is known on a side; -1: none
};
Look look_at(const ClaimedValues& values);

/// What plain f64 says of an output, without bounds: elements that its rounding does not explain. It sorts and points, it decides nothing.
struct DoubleLook {
  std::int64_t compared = 0, undefined = 0;  ///< elements whose sequential value is finite; not
  std::int64_t differing = 0;                ///< of those compared
};
inline constexpr double kDoubleNoise = 1e-9;  ///< far above the rounding of f64 runs, far below what a defect changes; relative to the element
inline constexpr double kDoubleZero = 1e-14;  ///< what is left by rounding where numbers near 1 cancel: a gradient that is 0 (of a key's bias, as softmax drops it)
/// Two numbers that are both at most `zero` do not differ.
DoubleLook look_in_doubles(const ClaimedValues& values, double noise = kDoubleNoise, double zero = 0);

/// The report of the first differing element.
Difference describe(const Case& c, std::size_t output, const ClaimedValues& values, const std::vector<std::int64_t>& differing,
                    const OutputOutcome& outcome);

}  // namespace gg
