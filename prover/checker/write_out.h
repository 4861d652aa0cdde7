// Folds over short binders as the combination of their elements: exact, and free of the choices that joining makes.
#pragma once

#include "prover/checker/terms.h"

namespace gg::checker {

/// Every binder of at most 8 values written out, in all folds but those of modular integers.
Value written_out(Terms& t, Value v);

}  // namespace gg::checker
