// Values of a run inside the executor: shared read-only buffers, so that tuples, calls, reshapes and copies cost nothing.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "kernels/numbers/buffer.h"
#include "models/type/type.h"

namespace gg {

/// One array leaf: the lifted buffer, its error bound (F64 with error_bounds; null = exact) and what is known of it.
struct Value {
  std::shared_ptr<const Buffer> data;
  std::shared_ptr<const Buffer> error;
  std::int64_t ties = 0;  ///< ties in its cone: own ones, plus one if an operand had any
  bool literal = false;   ///< a constant, moved by layout operators only
};

/// The array leaves of one instruction, depth first. Tokens have none.
using Values = std::vector<Value>;

/// A buffer handed to the values: from now on read-only, until its last owner may take it out again.
inline std::shared_ptr<const Buffer> share(Buffer&& buffer) { return std::make_shared<Buffer>(std::move(buffer)); }

/// Number of array leaves of a type.
inline std::size_t array_leaves(const Type& type) {
  std::size_t count = 0;
  for (const Type* leaf : type.leaves()) count += leaf->is_array() ? 1U : 0U;
  return count;
}

/// The array leaves of a type, depth first.
inline std::vector<const Type*> array_leaf_types(const Type& type) {
  std::vector<const Type*> leaves;
  for (const Type* leaf : type.leaves()) {
    if (leaf->is_array()) leaves.push_back(leaf);
  }
  return leaves;
}

}  // namespace gg
