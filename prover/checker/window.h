// Windows that begin before their array, or end behind it, count its places (docs/certificate.md, F18).
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "prover/checker/choice.h"

namespace gg::checker {

/// A binder as `value` over the new variable `place`, and a further condition (F18).
struct Places {
  Var binder, place;
  Index value;
  Value guard;
};
/// Of a window that begins before its array, or ends behind it. `reads`: all indices of reads in the fold.
std::optional<Places> count_places(Terms& t, const std::vector<Var>& vars, const std::vector<Fact>& facts, const std::set<Index>& reads);

}  // namespace gg::checker
