#include "models/type/leaves.h"

namespace gg {

std::int64_t element_count(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

std::vector<const Type*> array_leaf_types(const Type& type) {
  std::vector<const Type*> leaves = type.leaves();
  std::erase_if(leaves, [](const Type* leaf) { return !leaf->is_array(); });
  return leaves;
}

std::size_t array_leaves(const Type& type) {
  if (type.is_array()) return 1;
  std::size_t count = 0;
  for (const Type& element : type.elements) count += array_leaves(element);
  return count;
}

std::size_t first_leaf(const Type& tuple, std::int64_t index) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(index); ++k) first += array_leaves(tuple.elements.at(k));
  return first;
}

}  // namespace gg
