// A number that no index form says.
#pragma once

#include "prover/checker/limit.h"

namespace gg::checker {

/// A number of an index form is too large. The value is an integer all the same, by another name (to_index), or a function of its operands.
class Overflow : public Limit {
 public:
  using Limit::Limit;
};

}  // namespace gg::checker
