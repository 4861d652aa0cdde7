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
/// In which type kernels compute what has fewer than 32 bits: eps and factors of a formula are rounded to this one.
inline ElementType computed_in(ElementType type) { return info(type).bits < 32 ? ElementType::F32 : type; }
/// The same in the type in which kernels compute, where one of them is a number of the text that they do not round to 16 bits: a factor, no summand.
std::pair<NodeId, NodeId> computed(Operation& call, std::size_t a, std::size_t b);
/// Argument k in the result's type and shape.
NodeId argument(Operation& call, std::size_t k);
/// A node in the result's shape.
NodeId shaped(Operation& call, NodeId x);
/// A scalar of the result's type.
NodeId scalar(Operation& call, double value);

}  // namespace gg::fx
