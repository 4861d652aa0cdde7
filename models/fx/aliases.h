// Which operators give views of their first argument, and how a write through one becomes a write into what it is a view of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/fx/graph.h"

namespace gg::fx {

/// How a write through a view becomes a write into what it is a view of.
enum class Inverse : std::uint8_t { Same,
                                    Shape,
                                    Itself,
                                    Permute,
                                    Slice,
                                    Select,
                                    Split,
                                    SplitSizes,
                                    Unbind,
                                    Diagonal,
                                    None };

struct View {
  std::string_view target;
  Inverse inverse;
};
/// nullptr: the operator is no view.
const View* view_of(std::string_view target);
/// Is its result a view or a copy, as strides have it?
bool perhaps_view(std::string_view target);
/// Of an operator that changes the shape of its tensor in place: the view that the tensor becomes; else "".
std::string_view reshaping(std::string_view target);
/// A write that no underscore tells: running statistics, of an operator whose functional form gives them as its result `first` and the next.
struct Updates {
  std::string_view target, form;
  std::size_t statistics, training;  ///< positions of arguments; training = 0: always
  std::int64_t first;
  bool alone;  ///< its result is item 0 of the form's
};
/// A wait for a collective: torch gives its argument back.
inline bool is_wait(const Statement& statement) { return statement.target == "_c10d_functional.wait_tensor.default"; }
/// The row of a call that moves running statistics; none where it does not.
const Updates* updates(const Statement& statement);
/// `aten.add_.Tensor`: the operator's name ends in one underscore; `.out` and `.dim_out` overloads write too, and what is given a tensor `out`.
bool writes(const Statement& statement);
/// Places of the lists that a write in place changes, of its arguments and of its functional form's results; empty: the first list alone.
std::span<const std::size_t> written_lists(std::string_view target);
/// May a result of this operator share memory with its first argument, so that a write into one is a write into the other?
bool may_alias(std::string_view target);

}  // namespace gg::fx
