// Folds over boxes of binders in normal form (docs/certificate.md, section 4, F), and rows (R).
#pragma once

#include <optional>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// fn (Add, Max, Multiply, Or) over the box of `vars` (Space::Temp) where `guard` holds. With a modular integer `type`
/// fn is any monoid of that type and is left alone but for its binders; else `type` is Token.
Value fold(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars, Value guard, Value body);
/// The neutral element.
Value unit(Terms& t, ScalarFn fn, ElementType type);
/// fn(a, b) of two fold results.
Value combine(Terms& t, ScalarFn fn, ElementType type, Value a, Value b);

/// The folds as one, where their boxes are neighbours (F7).
std::optional<Value> join_folds(Terms& t, Value a, Value b);
/// fold f and fold g of one operation as the fold over c < 2 of h(c), where h(0) is f, h(1) is g, and the indices of reads move with c (F7).
std::optional<Value> join_slices(Terms& t, Value a, Value b);
/// A fold and its element n or -1 as one fold over n + 1 (F7).
std::optional<Value> join_element(Terms& t, Value fold, Value element);
/// A summand with a fold of add over n and one that is its element n or -1, as one with a fold over n + 1 (F7).
std::optional<Value> join_point(Terms& t, const PolyPart& fold_part, const PolyPart& point);
/// What terms that differ by index forms only have in common: the anchors that they read.
std::uint64_t reads_key(Terms& t, Value v);
std::uint64_t reads_key(Terms& t, Monomial m);

/// The number of a row function; equal signatures are one.
std::uint32_t row_function(Terms& t, RowFunction function);
/// Row function `signature`, result `leaf`, of `kids` as functions of `vars` (Space::Temp), at `index`.
Value row(Terms& t, std::uint32_t signature, std::uint32_t leaf, const std::vector<Var>& vars,
          const std::vector<Value>& kids, const std::vector<Index>& index);

}  // namespace gg::checker
