// Types of values: arrays of an element type, tuples, tokens (XLA's Shape). Layouts are kept for printing and for
// layout-sensitive bitcasts only; they take no part in equality.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/limits.h"

namespace gg {

enum class ElementType : std::uint8_t {
#define ELEMENT(Enum, name, Kind, bits, significand, low, high) Enum,
#include "models/type/element_type.def"
#undef ELEMENT
};

enum class ElementKind : std::uint8_t { Pred,
                                        Signed,
                                        Unsigned,
                                        Float,
                                        Complex,
                                        Tuple,
                                        Token,
                                        Opaque };

/// One row of element_type.def.
struct ElementInfo {
  ElementType type;
  std::string_view name;
  ElementKind kind;
  int bits;         ///< storage bits of one element
  int significand;  ///< floats: bits of precision, hidden one included; else 0
  int low;          ///< floats: exponent of the smallest normal number
  int high;         ///< floats: exponent of the largest finite number
};

const ElementInfo& info(ElementType type);
std::optional<ElementType> element_type(std::string_view name);
/// Integers of any width and pred: stored as int64 (u64 as its bit pattern).
bool is_integral(ElementType type);
bool is_float(ElementType type);
bool is_complex(ElementType type);
/// Of the parts of complex numbers: c64 to f32, c128 to f64; other types as they are.
ElementType part_of(ElementType type);
bool is_signed(ElementType type);
/// False for the "FN"/"FNUZ" 8-bit floats, whose overflow is NaN.
bool has_infinity(ElementType type);
/// Nearest-even rounding of a double to a float type (subnormals kept), as the type's exact value.
double round_to(ElementType type, double value);
/// Two's complement wrap of a 64-bit value to an integral type's width (pred: value != 0).
std::int64_t wrap_to(ElementType type, std::int64_t value);

class LeafTypes;

/// The type of an HLO value. An array: element + dims. A tuple: elements. A value type, cheap enough to copy in rules;
/// modules intern them (TypeId).
struct Type {
  ElementType element = ElementType::Token;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> layout;  ///< minor to major as printed; empty = none printed (default: descending)
  std::vector<Type> elements;        ///< of a tuple

  static Type array(ElementType element, std::vector<std::int64_t> dims) { return {element, std::move(dims), {}, {}}; }
  static Type tuple(std::vector<Type> elements) { return {ElementType::Tuple, {}, {}, std::move(elements)}; }
  static Type token() { return {}; }

  bool is_array() const;
  bool is_tuple() const { return element == ElementType::Tuple; }
  int rank() const { return static_cast<int>(dims.size()); }
  /// Number of elements of an array; GG_CHECKs against overflow (the parser refuses such types before).
  std::int64_t count() const;
  /// The array and token leaves, depth first.
  LeafTypes leaves() const;
  /// Is the layout printed (or its absence) the row-major default, for all leaves?
  bool default_layout() const;
};

/// The leaves of a type, which must outlive them: of an array or a token itself, of a tuple those of its elements.
class LeafTypes {
 public:
  explicit LeafTypes(const Type& type);
  std::size_t size() const { return side_by_side_.empty() ? apart_.size() : side_by_side_.size(); }
  bool empty() const { return size() == 0; }
  const Type* operator[](std::size_t k) const { return side_by_side_.empty() ? apart_[k] : &side_by_side_[k]; }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = const Type*;
    using pointer = value_type;
    using reference = value_type;
    Iterator(const LeafTypes& of, std::size_t at) : of_(&of), at_(at) {}
    value_type operator*() const { return (*of_)[at_]; }
    Iterator& operator++() { return ++at_, *this; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const LeafTypes* of_;
    std::size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  std::span<const Type> side_by_side_;  // the type itself, or the elements of a tuple without tuples
  std::vector<const Type*> apart_;      // those of any other tuple
};

/// Equality of meaning: element types, extents and tuple structure; layouts are ignored.
bool operator==(const Type& a, const Type& b);
std::uint64_t hash(const Type& type);
/// `f32[4,16]`, `(f32[], s32[2])`; with_layout adds `{1,0}` as XLA prints it.
std::string to_string(const Type& type, bool with_layout = false);

/// Largest number of elements of one array that is accepted.
inline constexpr std::int64_t kMaxElements = most(Limit::Elements);

/// Product of extents.
std::int64_t element_count(std::span<const std::int64_t> extents);
/// The array leaves of a type, depth first, and their number.
std::vector<const Type*> array_leaf_types(const Type& type);
std::size_t array_leaves(const Type& type);
/// The first array leaf of element `index` among those of a tuple.
std::size_t first_leaf(const Type& tuple, std::int64_t index);

}  // namespace gg
