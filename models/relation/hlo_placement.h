// Placements that a program computes: {"hlo": file}, a module from the sequential tensors and partition-id to a rank's
// tensor, composed into one expression.
#pragma once

#include <span>

#include "models/body/body.h"
#include "models/ir/module.h"
#include "models/rank/digits.h"
#include "models/relation/bodies.h"

namespace gg {

/// The only output of `module`, lifted over `digits`, where entry parameter leaf k is `parameters[k]` (bodies without
/// digits, over free inputs or output leaves). Throws InputError: BlockMismatch where the parameters or the result have
/// other types, UnsupportedForm where an instruction has no body (loops, opaque operators).
Body inline_module(Arena& arena, const Module& module, const RankDigits& digits, RankLayout layout,
                   std::span<const Body> parameters, const Type& local, const LeafPlace& place);

}  // namespace gg
