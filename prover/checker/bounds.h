// Bounds of reals (docs/certificate.md, section 5): numbers that a value does not pass, unless it is NaN, from below.
#pragma once

#include <vector>

#include "prover/checker/classes.h"
#include "prover/checker/terms.h"

namespace gg::checker {

/// What is known of the value; of a read what is known of its anchor.
Bounds bounds_of(Terms& t, Value v);
/// The classes that lie inside the bounds.
Classes within(Classes all, const Bounds& bounds);

/// Parts of a sum with equal finite other factors as one: `rest` times what lies in [low, high], an integer times a coefficient.
struct Group {
  Monomial rest;
  Rational low, high;
};
std::vector<Group> groups(Terms& t, const ValueNode& sum);

}  // namespace gg::checker
