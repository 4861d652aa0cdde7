// Arithmetic of element values as polynomials with rational coefficients and exponents (docs/certificate.md, section 4,
// P). Every rule keeps the value for all assignments, infinities and NaN included; premises are asked of classes_of.
#pragma once

#include <optional>
#include <vector>

#include "prover/checker/classes.h"
#include "prover/checker/index.h"
#include "prover/checker/memo.h"
#include "prover/checker/terms.h"

namespace gg::checker {

Value number(Terms& t, const Rational& value);
std::optional<Rational> number_of(const Terms& t, Value v);
Value sum(Terms& t, Value a, Value b);
/// A sum with a maximum of two that is the same in both orders of them (two_orders.cpp).
std::optional<Value> in_both_orders(Terms& t, Value whole);
/// A sum with x S^-1 in place of x A^-1 - x A^-1 B S^-1, S = A + B; with x in place of the sum of all x A_i A^-1, A the sum of the A_i (P11).
std::optional<Value> merged(Terms& t, Value whole);
/// A sum with c e[L] in place of c times the sum of e[b] for b <= L and -c times that for b <= L - 1 (F19).
std::optional<Value> neighbours(Terms& t, Value whole);
Value product(Terms& t, Value a, Value b);
Value scaled(Terms& t, const Rational& factor, Value a);
Value minus(Terms& t, Value a);
Value power(Terms& t, Value a, const Rational& exponent);
/// Is the power of this sum written out: a small integer, of finite terms?
bool expands(Terms& t, Value a, const Rational& exponent);
Value exponential(Terms& t, Value a);
Value logarithm(Terms& t, Value a);

/// The index form as a number, and an integer value as an index form.
Value from_index(Terms& t, Index a);
/// A form with sums over the data joined with what goes on from them (F7).
Index joined_sums(Terms& t, Index a);
Index to_index(Terms& t, Value v);

/// coef * monomial; poly_parts is the sum that a value is (a factor by itself counts as one part).
Value from_part(Terms& t, const PolyPart& part);
/// A sum of a number and of multiples of distinct places (ValueKind::Int), which no law joins.
Value from_places(Terms& t, std::vector<PolyPart> parts);
std::vector<PolyPart> poly_parts(Terms& t, Value v);

/// What the value can be, and the range of an integer value (section 5).
Classes classes_of(Terms& t, Value v);
Classes classes_of(Terms& t, Monomial m);
Range integer_range(Terms& t, Value v);
Range range_of_type(ElementType type);
/// Is it a sum of integer atoms with rational coefficients?
bool integral_form(Terms& t, Value v);

}  // namespace gg::checker
