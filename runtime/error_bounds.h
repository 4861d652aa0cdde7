// Running error bounds of a run that rounds (f64, f32, the model's types): beside every value an array that bounds |computed - exact| element by element, by
// forward analysis of the instruction's own body. What exceeds the bounds of both sides is no rounding.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "kernels/plan/plan.h"
#include "models/ir/region.h"
#include "runtime/error_rules.h"
#include "runtime/executor.h"
#include "runtime/value.h"

namespace gg {

class InstructionRunner;
struct Prepared;

/// Error bodies by body, which operands are inexact, and how the run rounds; null where the result is exact. Lookup only.
class ErrorBodies {
 public:
  const Body* get(Arena& arena, const Body& body, const std::vector<bool>& inexact, ErrorMode mode);

 private:
  std::map<std::tuple<const Body*, std::vector<bool>, ErrorMode>, std::unique_ptr<Body>> bodies_;
};

/// Values that round are taken apart, or beyond rounding, where they lie outside of this many times their bounds: the bounds are computed in
/// doubles too, which may underflow, and believe the mathematical library's word. Wider balls meet sooner, so it hides and never makes a difference.
inline constexpr double kWidened = 4;

/// Sets `error` of each result (left null where the result is exact). Infinity says that nothing is known.
void add_error_bounds(InstructionRunner& runner, const Prepared& prepared, std::span<const Value> operands,
                      Values& results, NumberMode mode, const Instance& here);

/// An all-infinite bound for a value (a decision that rounding may have changed).
std::shared_ptr<const Buffer> unbounded_error(const Value& value);

/// The error bound of a matrix product by Cauchy and Schwarz, one pass over each operand instead of further products (dot_error.cpp): for each
/// element of the lifted result, computed in any order of its sum: a bound of
/// |computed - exact| where the operands are off by at most `error` (null = exact). With norms over the contracted
/// dimensions: c |a| |b| + |ea| |b| + (|a| + |ea|) |eb|, c = terms * unit.
Buffer dot_error(const Call& call, std::int64_t ranks, const Buffer& a, const Buffer* a_error, const Buffer& b,
                 const Buffer* b_error, std::int64_t result_count, double unit = 0x1p-52);

}  // namespace gg
