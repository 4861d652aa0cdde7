// "Rounding or bug?": a run in the types that round (the model's own, or f32), on the host, a device or real processes,
// against the exact run on the same, rounded inputs. An error is explained by rounding where it is within the bound that
// follows from the rounding of every operator and collective (runtime/error_bounds.h, for every order of a sum).
#pragma once

#include <string>
#include <vector>

#include "models/pair/case.h"
#include "runtime/backend.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

/// One output of one program in a run that rounds.
struct OutputRounding {
  int output = 0;
  std::string name;
  ElementType type = ElementType::F32;
  std::int64_t compared = 0;    ///< elements whose exact value is finite and fits the type, with a bound
  std::int64_t undecided = 0;   ///< no finite bound: an overflow or a decision within its error lies in the cone
  std::int64_t not_finite = 0;  ///< undecided ones that came out NaN or infinite
  double undecided_units = 0;   ///< largest error of the others among them, as measured
  std::int64_t beyond = 0;      ///< errors that rounding does not explain
  double largest_units = 0;     ///< largest error in units in the last place of the output's type at the exact value
  double largest_share = 0;     ///< largest error as a share of its bound
  std::string worst;            ///< the first element beyond, or the one with the largest share
};

struct FloatVerdict {
  NumberMode mode = NumberMode::Model;
  std::string where;  ///< what ran: `host`, the device, the backend
  std::vector<OutputRounding> sequential, distributed;
  std::vector<std::string> order_dependent;  ///< reductions whose result depends on their order, in the distributed program
  /// Runs on a device where an output is beyond its bound or has none: is every operator within its own rounding on the operands
  /// that it had there? `blamed` is the first that is not.
  bool operators_checked = false;
  std::string blamed;
  bool beyond() const;     ///< an output, or an operator
  bool undecided() const;  ///< an output of the distributed program has no element with a bound
};

struct FloatOptions {
  NumberMode mode = NumberMode::Model;
  Budget budget;
  RankBackend* backend = nullptr;    ///< runs the distributed program; null: in this process
  device::Device* device = nullptr;  ///< runs the operators of this process; null: the host
};

/// The inputs rounded to the types in which the run has them.
InputSet rounded_inputs(const Case& c, const InputSet& inputs, NumberMode mode);

/// Runs both programs exactly and rounding, and compares every output of each with its own exact run: whether the two programs
/// agree is another question. Throws RuntimeFailure.
FloatVerdict judge_rounding(Case& c, const InputSet& inputs, const FloatOptions& options);

/// `%all-reduce.3 (all-reduce of f32, 8 ranks)`: float sums and products whose terms arrive in an order that nobody fixes.
std::vector<std::string> order_dependent_reductions(const Case& c);

}  // namespace gg
