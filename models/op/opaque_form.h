// Operators without a body that are nevertheless functions: of whole arrays along some dimensions, element by element along others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/op/op.h"

namespace gg {

/// What is known of such an operator. Equal `text`, equal element types, equal extents but for the batch, and equal operands in a
/// block of the batch: equal results there.
struct OpaqueForm {
  struct Block {
    std::int64_t dim, size;
    int whole = -1;  ///< an operand that has no such blocks: it is the whole in each of them
    friend bool operator==(const Block&, const Block&) = default;
  };
  /// Dimensions, the same of all operands (but for the whole one) that are no scalars and of the results, along which it acts block by block: of `size` elements
  /// in arrays of the result's extent, of one in arrays with an element a block.
  std::vector<Block> batch;
  /// The block's size at a dimension (of an operand), 0 where it is the whole.
  std::int64_t block_at(std::size_t dim, int operand = -1) const;
  std::string text;                   ///< operator, attributes, regions by content
  std::vector<std::size_t> summed{};  ///< operands of some elements of which each element of the result is a sum; none: nothing is known
};

/// Nothing of operators that have a body, or an effect. A custom call is one that the user declared (its batch dimensions too).
std::optional<OpaqueForm> opaque_form(const Call& call);

}  // namespace gg
