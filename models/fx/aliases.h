// Which operators give views of their first argument, and how a write through one becomes a write into what it is a view of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

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
/// nullptr: the operator moves none.
const Updates* updates_of(std::string_view target);
/// May a result of this operator share memory with its first argument, so that a write into one is a write into the other?
bool may_alias(std::string_view target);

}  // namespace gg::fx
