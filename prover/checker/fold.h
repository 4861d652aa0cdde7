// Folds over boxes of binders in normal form (docs/certificate.md, section 4, F), and rows (R).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

class Substitution;

/// fn (Add, Max, Multiply, Or) over the box of `vars` (Space::Temp) where `guard` holds. With a modular integer `type`
/// fn is any monoid of that type and is left alone but for its binders; else `type` is Token.
Value fold(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars, Value guard, Value body);
/// The neutral element.
Value unit(Terms& t, ScalarFn fn, ElementType type);
/// fn(a, b) of two fold results.
Value combine(Terms& t, ScalarFn fn, ElementType type, Value a, Value b);

/// A fold of a program or a certificate as one that there is here, of `type` where it is modular: minimum is -max(-x), and is not-or-not.
struct FoldKind {
  ScalarFn fn;
  ElementType type = ElementType::Token;
  bool negated = false;
};
FoldKind fold_kind(ScalarFn monoid, ElementType type);
/// An element or the result, to be or not to be negated.
Value flipped(Terms& t, const FoldKind& kind, Value v);

/// fn of what `at` makes of the points of the box of these variables, the first of which counts fastest.
Value over_points(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars, const std::function<Value(Substitution& point)>& at);

/// Two summands (arguments of a maximum) that are folds over neighbouring boxes, a fold and the element beside it, or folds over
/// neighbouring slices, as one (F7).
std::optional<Value> join(Terms& t, ScalarFn fn, Value a, Value b);
/// max(a - b, 0) of two integers whose difference this is, where the larger one is a maximum over both boxes.
std::optional<Index> larger_by(Terms& t, Index difference);
/// fold f and fold g of one operation as the fold over c < 2 of h(c), where h(0) is f, h(1) is g, and the indices of reads move with c (F7).
std::optional<Value> join_slices(Terms& t, Value a, Value b);

/// More than kMaxWritten summands that are elements at equal distances as one sum; they are taken out of the list (F17).
std::optional<Value> join_points(Terms& t, std::vector<PolyPart>& parts);

/// The number of a row function; equal signatures are one.
std::uint32_t row_function(Terms& t, RowFunction function);
/// Row function `signature`, result `leaf`, of `kids` as functions of `vars` (Space::Temp), at `index`.
Value row(Terms& t, std::uint32_t signature, std::uint32_t leaf, const std::vector<Var>& vars,
          const std::vector<Value>& kids, const std::vector<Index>& index);

}  // namespace gg::checker
