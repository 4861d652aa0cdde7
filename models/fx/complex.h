// Complex numbers: a pair of real tensors inside a graph, and where one enters or leaves it a real tensor whose last dimension of two
// is (real, imaginary), as torch's view_as_real has it.
#pragma once

#include "models/fx/lowering.h"

namespace gg::fx {

/// c64[s, d] to f32[s, d, 2]; other types as they are.
Type stored(const Type& type);
/// A stored value as a pair.
Value pair_of(Emitter& e, NodeId x);
/// A pair as it is stored.
NodeId joined(Emitter& e, const Value& pair);

/// The call, if a complex number is among its operands or its result; nothing if not. Throws InputError(UnsupportedForm) where the
/// operator has no form for them.
std::optional<Value> lower_complex(Emitter& e, const Groups& groups, const Overload& overload, const Statement& statement,
                                   const std::function<Value(const std::string&)>& lookup);

}  // namespace gg::fx
