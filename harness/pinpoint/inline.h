// A module as one straight entry computation: calls, fusions and tuples between them are resolved away; loops, conditionals
// and regions stay.
#pragma once

#include "models/ir/module.h"

namespace gg::pinpoint {

/// Names stay where they are unique; instructions of computations called several times get a number.
Module inlined(const Module& module);

}  // namespace gg::pinpoint
