// A binder that only stands in a form that a guard bounds (docs/certificate.md, F3).
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "prover/checker/choice.h"

namespace gg::checker {

/// In the place of a binder b stands `value`, a form of the binder `instead`, and the guard `within` says that b lies in its box.
struct Followed {
  Var binder, instead;
  Index value;
  Value within;
};
/// Of binders among `vars` whose b + R a fact bounds by 0, from below or above, so that no more places are left than b has; the body, whose forms are given,
/// has b only together with what R has. `instead` is b + R, from its first place on.
std::optional<Followed> followed(Terms& t, const std::vector<Var>& vars, const std::vector<Fact>& facts, const std::set<Index>& forms);

}  // namespace gg::checker
