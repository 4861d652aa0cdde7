// The differential run: both programs on the same inputs, outputs compared through the relation's claims.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/backend.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

/// A difference at one element of one output.
struct Difference {
  int output = 0;                     ///< leaf
  std::vector<std::int64_t> element;  ///< local index on that rank
  std::int64_t rank = 0;
  std::vector<std::int64_t> ranks;      ///< all ranks on which this output differs
  std::string sequential, distributed;  ///< decimal
  std::int64_t differing = 0, compared = 0;
};

enum class Agreement : std::uint8_t {
  Agrees,     ///< every compared finite element is equal
  Differs,    ///< disjoint balls (or exact: integers, NaN against finite)
  Tied,       ///< differs, but a tie lies in the cone at the last precision too: proves nothing
  Open,       ///< of no element is enough known at the last precision
  Undefined,  ///< no finite sequential element in this output
  Underflow,  ///< differs where both values are zero or one number in every float type, and nowhere else
  Literals,   ///< the balls meet when literals are balls (literals.h)
};

struct OutputOutcome {
  Agreement agreement = Agreement::Agrees;
  std::int64_t compared = 0;
  std::int64_t undefined = 0;   ///< elements whose sequential value is not finite
  bool exercised = true;        ///< some draw moved it
  std::int64_t underflown = 0;  ///< compared elements that differ by less than any float type tells apart
  std::int64_t unresolved = 0;  ///< compared elements whose balls meet but are too wide to tell anything, at the last precision
  std::int64_t unbounded = 0;   ///< elements of `undefined` that are infinite in the sequential program and a number in the distributed one, for certain
};

struct DrawOutcome {
  std::uint64_t seed = 0;
  int regime = 0;
  bool beyond = false;  ///< as of its inputs: what is not finite is not counted
  std::vector<OutputOutcome> outputs;
  std::vector<Difference> differences;    ///< one an output that differs
  std::optional<RuntimeFailure> failure;  ///< Mismatch: the program would hang
  std::optional<int> confirmed;           ///< the output whose first difference Arb confirms (f64), or finds, on so many elements
  std::int64_t cone = 0;
  bool in_doubles = false;  ///< what differs does so in f64, beyond its bounds; else in balls
};

struct DifferentialOptions {
  std::uint64_t seed = 42;
  int seeds = 3;
  NumberMode mode = NumberMode::Real;
  /// Real: a draw whose outputs are the same in f64, up to its noise, is not run over the reals. For reduced programs that
  /// are still large: what agrees there proves nothing anyway.
  bool screened = false;
  /// Where the draws agree but have taken only one side of a minimum, maximum, clamp or selection of floats: further draws,
  /// with larger inputs, that take the other one. For reduced shapes, which move thresholds.
  bool both_sides = false;
  /// Draws that are made beside the `seeds` where these agree: they count only if they differ. Every other one repeats values.
  int further = 0;
  /// Who only asks whether the pair agrees: what seems to differ in f64 is not run over the reals (nothing is claimed of it), and a
  /// difference counts that other readings of float literals may explain too.
  bool agreement_only = false;
  /// False: whether other readings of float literals may explain a difference is not asked. For who has had the answer for other inputs.
  bool literals = true;
  /// Keep the runs of a draw that differs: their values, or what they give only.
  bool record = false;
  bool record_values = true;
  Budget budget;
  RankBackend* backend = nullptr;  ///< runs the distributed program; null: in this process
};

struct DifferentialResult {
  std::vector<DrawOutcome> draws;
  std::optional<InputSet> witness;  ///< inputs of the first draw that differs
  std::optional<DrawOutcome> differing;
  std::shared_ptr<const RecordedPair> recorded;  ///< the runs of that draw, where they were to be kept and are not too large
  std::vector<OutputOutcome> outputs;            ///< all draws together: what the run says of each output
  std::int64_t undefined = 0, elements = 0;      ///< `undefined=N/M`
  std::optional<RuntimeFailure> stopped;         ///< budget or memory
};

/// Multiplications (elementary functions count as 20) of one run of both programs; a loop counts as often as the largest
/// integer in its condition says.
double estimated_operations(const Case& c);

/// Real where a run of balls is a matter of seconds, else F64 with error bounds.
NumberMode affordable_mode(const Case& c);
/// The same for a single run, for which a minute is not too long: in f64 values that cancel match nothing, and error bounds hide most defects.
/// Of the gradient of a saturated softmax 128 bits leave too few to be matched.
NumberMode trace_mode(const Case& c);

/// Draws until `seeds` draws agree or one differs; up to 32 draws for outputs without a finite element, up to 8 more for
/// ties. Draw k has seed + k and regime k. Default ranges are those of the case: call infer_ranges first.
DifferentialResult run_pair(Case& c, const DifferentialOptions& options);

/// One draw after the other with inputs of the caller's; plans are made once.
class DrawJudge {
 public:
  /// `c` must outlive it.
  DrawJudge(Case& c, DifferentialOptions options);
  ~DrawJudge();
  /// Throws RuntimeFailure, except for a Mismatch, which is an outcome.
  DrawOutcome decide(const InputSet& inputs);

 private:
  std::unique_ptr<class PairRunner> runner_;
  DifferentialOptions options_;
};

/// One draw with given inputs (replay). Throws RuntimeFailure, except for a Mismatch, which is an outcome. `recorded` (may be null): its
/// runs, where the options ask to keep them and they are not too large.
DrawOutcome run_once(Case& c, const InputSet& inputs, const DifferentialOptions& options, std::shared_ptr<const RecordedPair>* recorded = nullptr);

}  // namespace gg
