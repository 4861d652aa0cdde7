// Comparison of outputs through the relation's claims (architecture.md, sections 6 and 7).
//
// Over the reals an element is equal at once if |a - b| <= 2^-70 max(|a|, |b|) at 113 bits. Every other element is decided
// by a second run of the pair at 226 bits on the same inputs: the difference was rounding iff it shrank by more than 2^60
// or is at most 2^-160 of the larger value. So nothing depends on how large intermediate values were, which makes this
// stricter than comparing with the largest contributing intermediate: a difference counts as rounding only if it behaves
// like rounding. In f64 a difference counts only beyond 4 times the sum of both running error bounds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
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
  Buffer compared;                           ///< Int64: 0 or 1
  Buffer sequential_error, distributed_error;  ///< Double, f64 only; empty = exact
  bool uncertain = false;                    ///< integral, and a decision in the cone of a side is within its error
};

/// Both programs' results of one run.
struct PairRun {
  RunResult sequential, distributed;
};

/// The claims of a case, output by output. What does not depend on the output is made once.
class OutputClaims {
 public:
  explicit OutputClaims(const Case& c);
  ClaimedValues values(std::size_t output, const PairRun& run, NumberMode mode, PlanStore* plans = nullptr);

 private:
  /// One program's output leaves as operands of claims.
  struct Side {
    Side(const Module& module, const RankDigits& digits);
    std::vector<std::vector<std::int64_t>> extents;  ///< lifted
    std::vector<ElementType> types;
    std::vector<Operand> operands;       ///< those that are not read stand empty
    Buffer nothing{Storage::Double, 0};
    std::array<std::int64_t, 1> none{0};
  };
  Buffer side(const OutputClaim& claim, ExprId root, Side& side, std::span<const Buffer> buffers, NumberMode mode, PlanStore* plans);
  Buffer errors(const OutputClaim& claim, ExprId root, Side& side, const RunResult& result);

  const Case& case_;
  Side sequential_, distributed_;
};

/// The values of one claim.
ClaimedValues claimed_values(const Case& c, std::size_t output, const PairRun& run, NumberMode mode, PlanStore* plans = nullptr);

/// An element that is not equal at first sight. Exponents are floor(log2).
struct Doubt {
  std::int64_t element = 0;               ///< in the claim's index box
  std::int64_t difference_exponent = 0;
  bool exact = false;                     ///< an integer, or not finite against finite: no rounding about it
};

/// What the first comparison of an output says.
struct FirstLook {
  OutputOutcome outcome;                  ///< counts; `agreement` is Agrees or Undefined
  std::vector<Doubt> doubts;
};
FirstLook first_look(const ClaimedValues& values);

/// Those doubts that the values of a 226-bit run confirm as real differences.
std::vector<Doubt> confirmed(const std::vector<Doubt>& doubts, const ClaimedValues& at226);

/// The report of the first confirmed element.
Difference describe(const Case& c, std::size_t output, const ClaimedValues& values, const std::vector<Doubt>& differing,
                    const OutputOutcome& outcome);

}  // namespace gg
