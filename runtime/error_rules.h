// The error of an expression as an expression: for out = f(x0, x1, ...) computed in f64 from operands that are off by at
// most e0, e1, ... an expression over reads of x_k (operand k) and e_k (operand n + k) that bounds |computed - exact|.
// Derived from the body, so an operator needs no error rule of its own; scalar functions have one each.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "models/body/arena.h"

namespace gg {

/// Builds error expressions for one body. Operand k is exact where `inexact[k]` is false.
class ErrorBuilder {
 public:
  ErrorBuilder(Arena& arena, const std::vector<bool>& inexact) : arena_(arena), inexact_(inexact) {}

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
  /// units * 2^-52 |result|, for an operator that rounds once. An infinite result of finite arguments is an overflow.
  ExprId rounding(ExprId result, std::span<const ExprId> arguments, double units);
  /// `bound` where it is certain, infinity where `doubt` is not zero.
  Bound unless(Bound doubt, Bound bound);

 private:
  Bound make(ExprId expr);
  Bound of_fold(ExprId id, const Expr& expr);

  Arena& arena_;
  const std::vector<bool>& inexact_;
  std::unordered_map<std::uint32_t, Bound> memo_;
};

}  // namespace gg
