// Conditions and cases (docs/certificate.md, section 4, B and C). A condition is a boolean value: a decision tree of
// atomic tests with leaves true and false; a case is the same tree with other leaves. Trees are ordered by test, and a
// branch is simplified under the tests above it, so and/or/not and nesting order leave no trace.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "prover/checker/index.h"
#include "prover/checker/terms.h"

namespace gg::checker {

Value special(Terms& t, ValueKind kind);
Value boolean(Terms& t, bool value);
Value ge(Terms& t, Index a);                         ///< a >= 0
Value eq(Terms& t, Index a);                         ///< a == 0
Value between(Terms& t, Index a, Size lo, Size hi);  ///< lo <= a < hi
/// An opaque boolean (read, comparison, fold) as a condition.
Value truth(Terms& t, Value opaque);
Value condition(Terms& t, Literal literal);
Value negate(Terms& t, Value condition);
Value both(Terms& t, Value a, Value b);
Value either(Terms& t, Value a, Value b);
/// condition ? a : b. Unknown conditions give Unknown.
Value choose(Terms& t, Value condition, Value a, Value b);

/// A condition that is one test, or the negation of one, as a literal.
std::optional<Literal> literal_of(Terms& t, Value condition);
/// A conjunction as literals; throws Limit if the condition is none.
Path literals_of(Terms& t, Value conjunction);

/// No binder is among the variables.
bool closed(const Terms& t, VarSet free);
bool is_case(const Terms& t, Value v);
/// f(args) with the cases of the arguments moved outside of it.
Value lift(Terms& t, const std::vector<Value>& args, const std::function<Value(const std::vector<Value>&)>& f);

/// f(forms) in each case of what the forms hang on, where an integer inside of them is a case by index forms alone.
std::optional<Value> lift_forms(Terms& t, const std::vector<Index>& forms, const std::function<Value(const std::vector<Index>&)>& f);

/// What a conjunction says about index forms: `index >= 0`, or `== 0`.
struct Fact {
  Index index;
  bool equality;
};
std::vector<Fact> facts_of(Terms& t, Path path);
/// Does `a >= 0` follow (section 6)?
bool implied(Terms& t, const std::vector<Fact>& facts, Index a);
std::optional<bool> decide(Terms& t, Path path, Test test);
/// Is `a` not 0, being g*H + R of which |R| < g is known, and R not 0?
bool apart(Terms& t, Path path, const std::vector<Fact>& facts, Index a);

/// v = v + a*(L - digit) from an equality of a digit of v with L, (v div a) mod k = L with L in [0, k), or v div a = L; above the lowest digit L is no number:
/// the last such variable, and what it is.
std::optional<std::pair<Var, Index>> pinned_digit(Terms& t, Test test);
/// What the tests of a path say of an integer of the data: that it is a number, or another one.
std::optional<Index> told_of(Terms& t, Path path, Atom a);
/// A value, or what it is if it is such an integer.
Value told_value(Terms& t, Path path, Value v);

/// H > 0 or (H = 0 and R >= 0), a tree of tests, as g*H + R >= 0 with the least g by which H decides wherever it is not 0.
std::optional<Value> lexicographic(Terms& t, Test test, Value a, Value b);

/// J >= 0 ? J : J + n for J in [-n, n), as index of one read or as an integer, J hanging on data: J modulo n.
std::optional<Value> around(Terms& t, Test test, Value a, Value b);

/// What a selection of the program gives: p < q ? q : p of numbers, times a rational perhaps: their maximum; p < q ? p : q: their minimum; 0 < q ? q : -q: |q|.
std::optional<Value> chosen(Terms& t, Value condition, Value yes, Value no);
/// c < r max(..) of numbers (or above it), which all but one of them decide.
std::optional<Value> less_than_maximum(Terms& t, Value a, Value b);

/// The literal of a case of it and other integers, if it is apart from them, below or above, and the nearest of these.
std::optional<std::pair<Size, Size>> gap_in(Terms& t, Value v);
/// That of an integer read.
std::optional<std::pair<Size, Size>> gap_of(const Terms& t, Atom atom);

/// The value under the assumption that `path` holds; equal to it wherever that is so.
Value restrict(Terms& t, Path path, Value v);
/// Restricts under one more test. An equality that determines a variable replaces it.
Value assume(Terms& t, Path path, Literal literal, Value v);

/// Is there an unknown value anywhere inside?
bool has_unknown(Terms& t, Value v);
/// `v`, unknown in those cases in which `like` is unknown: less is said of it.
Value forget(Terms& t, Value like, Value v);

}  // namespace gg::checker
