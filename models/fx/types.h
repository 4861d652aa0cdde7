// torch's rules for the types of results and the operands of elementwise operators.
#pragma once

#include "models/fx/lowering.h"

namespace gg::fx {

/// The type in which two arguments of a call are compared or combined: tensors of dimensions before 0-dimensional ones before
/// Python numbers, unless these are of a higher category (Boolean, integer, float).
ElementType common_type(const Operation& call, std::size_t a, std::size_t b);
/// The same, for any arguments that are given.
ElementType common_type(const Operation& call, const std::vector<std::size_t>& arguments);

/// Arguments a and b of the call in the result's type and shape.
std::pair<NodeId, NodeId> both(Operation& call, std::size_t a, std::size_t b);
/// Argument k in the result's type and shape.
NodeId argument(Operation& call, std::size_t k);
/// A node in the result's shape.
NodeId shaped(Operation& call, NodeId x);
/// A scalar of the result's type.
NodeId scalar(Operation& call, double value);

}  // namespace gg::fx
