// The error of an expression as an expression: for out = f(x0, x1, ...) computed in a type that rounds (f64, f32 or the model's
// own types) from operands that are off by at most e0, e1, ... an expression over reads of x_k (operand k) and e_k (operand
// n + k), evaluated in f64, that bounds |computed - exact|. Derived from the body, so an operator needs no error rule of its
// own; scalar functions have one each. The bound holds for every order of a sum.
#pragma once

#include <compare>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/numbers/buffer.h"
#include "models/body/arena.h"

namespace gg {

/// What a type rounds away: a result x is off by at most unit |x| + tiny, and infinite beyond `most`.
struct RoundingUnit {
  double unit = 0x1p-52;  ///< one unit in the last place, twice what nearest rounding may do
  double tiny = 0;        ///< results below the normal numbers may be flushed, but for f16
  double most = 0;        ///< 0: f64, whose overflows are seen as infinities
};
RoundingUnit rounding_unit(ElementType type, NumberMode mode);

/// How a run rounds.
struct ErrorMode {
  NumberMode mode = NumberMode::F64;
  bool narrow_sums = false;  ///< sums round to the type after every step (collectives), not once at their end
  friend auto operator<=>(const ErrorMode&, const ErrorMode&) = default;
};

/// Builds error expressions for one body. Operand k is exact where `inexact[k]` is false.
class ErrorBuilder {
 public:
  ErrorBuilder(Arena& arena, const std::vector<bool>& inexact, ErrorMode mode = {}) : arena_(arena), inexact_(inexact), mode_(mode) {}
  NumberMode mode() const { return mode_.mode; }

  /// The bound for `expr`, nothing if it is exact. Integral values are bounded by 0 (certain) or infinity (a decision in
  /// their cone lies within its error).
  std::optional<ExprId> error(ExprId expr);

  // --- for the rules of scalar functions (error_rules.cpp); all expressions are f64
  using Bound = std::optional<ExprId>;
  Arena& arena() { return arena_; }
  ExprId number(double value);
  ExprId fn(ScalarFn f, std::initializer_list<ExprId> kids);
  ExprId test(ScalarFn f, std::initializer_list<ExprId> kids);  ///< a predicate
  ExprId magnitude(ExprId value) { return fn(ScalarFn::Abs, {value}); }
  Bound sum(Bound a, Bound b);
  Bound product(ExprId value, Bound bound);
  Bound larger(Bound a, Bound b);
  ExprId orzero(Bound bound) { return bound ? *bound : number(0); }
  /// `units` units in the last place of the result's type, for an operator that rounds once. An infinite result of finite
  /// arguments, or one beyond the type, is an overflow: no bound.
  ExprId rounding(ExprId result, std::span<const ExprId> arguments, double units);
  /// `bound` where it is certain, infinity where `doubt` is not zero.
  Bound unless(Bound doubt, Bound bound);

 private:
  ExprId rounding_as(ElementType type, ExprId result, std::span<const ExprId> arguments, double units);
  Bound make(ExprId expr);
  Bound of_fold(ExprId id, const Expr& expr);

  Arena& arena_;
  const std::vector<bool>& inexact_;
  ErrorMode mode_;
  std::unordered_map<std::uint32_t, Bound> memo_;
};

}  // namespace gg
