// What a constant array is but for its shape: its elements, without the dimensions along which it is the same.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/body/arena.h"

namespace gg {

/// The dimensions of an array along which its elements differ, ascending.
std::vector<std::size_t> varying_dims(const ConstantArray& array);

/// The elements where all other dimensions are 0, row-major in this order of dimensions. None of an array without data.
std::vector<Scalar> elements_in_order(const ConstantArray& array, std::span<const std::size_t> order);

}  // namespace gg
