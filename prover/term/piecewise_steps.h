// Terms that differ by constants in the indices of reads alone: pieces of something, one after the other.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "prover/term/terms.h"

namespace gg::prover {

/// By anchor: how often it is read, and the sum of the constants in each of its indices.
using Constants = std::map<AnchorId, std::pair<std::int64_t, std::vector<std::int64_t>>>;
Constants constants_in(const Terms& t, TermId id);

/// By anchor: what each index of its reads has more.
using Steps = std::map<AnchorId, std::vector<std::int64_t>>;
/// From one term to another, if every read of an anchor may have moved by the same.
std::optional<Steps> steps_between(const Constants& from, const Constants& to);
/// The term with its reads moved `number` times.
TermId moved(Terms& t, TermId id, const Steps& steps, LinId number);
/// A term at a value of a variable (a form that is one).
TermId at_value(Terms& t, TermId id, LinId variable, std::int64_t value);

}  // namespace gg::prover
