// Array leaves of types, and how many elements extents hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/type/type.h"

namespace gg {

/// Product of extents.
std::int64_t element_count(std::span<const std::int64_t> extents);
/// The array leaves of a type, depth first, and their number.
std::vector<const Type*> array_leaf_types(const Type& type);
std::size_t array_leaves(const Type& type);
/// The first array leaf of element `index` among those of a tuple.
std::size_t first_leaf(const Type& tuple, std::int64_t index);

}  // namespace gg
