// Sorts by one key, and top-k: the order that puts the elements of a row in their places.
#pragma once

#include <cstdint>
#include <optional>

#include "models/op/op.h"

namespace gg {

/// The order of the elements of operand 0 in result 0. Another result of a sort has what stands beside each element in that operand.
struct RowOrder {
  enum class Nan : std::uint8_t { First,
                                  Last,
                                  Apart };  ///< it is an order of numbers only
  bool ascending = false;
  Nan nan = Nan::First;
  bool stable = true;  ///< equal elements stay in the order of their places in the row
};

/// Nothing of other operators, and of sorts whose comparator is not known to order one key.
std::optional<RowOrder> row_order(const Arena& arena, const Call& call);

}  // namespace gg
