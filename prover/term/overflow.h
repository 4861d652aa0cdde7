// A number that no index form says.
#pragma once

#include "prover/term/rational.h"

namespace gg::prover {

/// A number beyond 64 bits in an index form: no form says it, a function of the operands does.
class Overflow : public TermLimit {
 public:
  Overflow() : TermLimit("index coefficient overflow") {}
};

}  // namespace gg::prover
