// A sum over a box of an element in cases, summand by summand: what several cases add is one sum (docs/certificate.md, F2).
#pragma once

#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// An element where a conjunction holds.
struct Leaf {
  std::vector<Literal> path;
  Value value;
};
/// What an element in cases is the sum of: summands that several cases have (or that one has as another is there) once, not case by case.
std::vector<Leaf> summands(Terms& t, Value element);

/// Are two sums one where finite summands with a negative coefficient stand on the other side?
bool agree_moved(Terms& t, Value a, Value b);

}  // namespace gg::checker
