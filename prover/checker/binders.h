// The box of a fold in normal form (docs/certificate.md, F3, F4): guards that determine a binder, binders that are cut,
// merged, shifted or unused, and the names of those that stay.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// The conjunction as a condition.
Value conjunction(Terms& t, const std::vector<Literal>& path);
/// The fold of `body` (no case) over `vars` where `path` holds, if its box can be made simpler; else nothing.
std::optional<Value> simplify_box(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars,
                                  const std::vector<Literal>& path, Value body);
/// Names the binders and interns the fold.
Value close_fold(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars,
                 const std::vector<Literal>& path, Value body);

/// Two variables that the conjunction says to be one: equal numbers of elements up to and with each, equal keys of these elements (F13).
std::optional<std::pair<Var, Var>> same_place(Terms& t, const std::vector<Literal>& path);

}  // namespace gg::checker
