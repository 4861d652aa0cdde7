// Operators without an order-free meaning that are functions of rows: sort, top-k, reductions by any function, over windows too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/op/op.h"

namespace gg {

/// What is known of such an operator (of sorts and top-k more may be known, row_order.h): an element of a result is a function of a row of each operand. Equal `text` and equal rows: equal
/// results. The other dimensions are those of the result, in order.
struct RowForm {
  std::vector<std::int64_t> dims;     ///< of the operands, that make a row; of a reduction ascending: rows are read row-major
  std::vector<std::int64_t> extents;  ///< of a row
  bool keeps = false;                 ///< the result has these dimensions too
  bool positions = false;             ///< top-k: result 1 is where in the row the element was
  std::vector<WindowDim> window{};    ///< by dimension, where a row is a window: the elements inside, the initial value outside
  std::size_t values = 0;             ///< operands with rows; those after them are scalars, the initial values
  std::string text{};                 ///< operator, attributes, row extents, element types, regions by content
};

/// A window as long as its dimension, of `n` elements, that ends (padding in front) or begins (padding behind) at its own place: a running sum.
bool is_running_window(const WindowDim& window, std::int64_t n);

/// Nothing of other operators, and of those whose region is not known as a formula.
std::optional<RowForm> row_form(const Call& call);

}  // namespace gg
