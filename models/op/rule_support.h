// What the type rules share: refusals, operands that must be arrays, dimension lists, sizes that must not overflow.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/op/op.h"

namespace gg {

/// Largest magnitude of a padding, stride, dilation or window size that rules accept; keeps every later product in
/// range.
inline constexpr std::int64_t kMaxExtent = kMaxElements;

/// A dimension number as a place in a list.
inline std::size_t at(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }

[[noreturn]] void refuse(DiagCode code, std::string message);
[[noreturn]] void refuse_operand(std::string message);    ///< BadOperand
[[noreturn]] void refuse_attribute(std::string message);  ///< BadAttribute
[[noreturn]] void refuse_form(std::string message);       ///< UnsupportedForm

/// HLO's name of the operator, for messages.
std::string name_of(const Call& call);
/// `{1,2}`.
std::string list(std::span<const std::int64_t> values);

/// Operand k, which must be an array of a non-complex element type.
const Type& array_operand(const Call& call, std::size_t k);
/// The same of a type that is stated in the text (the result).
const Type& stated_array(const Call& call);
/// Operand k, which must be an array of an integer type (no pred).
const Type& index_operand(const Call& call, std::size_t k);
/// All operands from `first` to `last` have the dimensions (and with `element` also the element type) of operand
/// `first`.
void need_same(const Call& call, std::size_t first, std::size_t last, bool element);

/// `value` is a dimension number of a rank-`rank` array; `what` names the attribute.
void need_dimension(const Call& call, std::int64_t value, int rank, std::string_view what);
/// Every entry is a dimension number, none twice; `sorted`: ascending.
void need_dimensions(const Call& call, std::span<const std::int64_t> values, int rank, std::string_view what,
                     bool sorted = false);
/// No entry of a is in b.
void need_disjoint(const Call& call, std::span<const std::int64_t> a, std::span<const std::int64_t> b,
                   std::string_view what_a, std::string_view what_b);
bool contains(std::span<const std::int64_t> values, std::int64_t value);

/// Sums and products that throw TypeError(SizeOverflow) instead of wrapping.
std::int64_t checked_add(const Call& call, std::int64_t a, std::int64_t b);
std::int64_t checked_multiply(const Call& call, std::int64_t a, std::int64_t b);
/// |value| <= kMaxExtent, else SizeOverflow.
void need_bounded(const Call& call, std::int64_t value, std::string_view what);

/// An array type whose element count is within kMaxElements, else SizeOverflow; negative extents are BadAttribute.
Type array_type(const Call& call, ElementType element, std::vector<std::int64_t> dims);
/// One type as it is, several as a tuple: results of variadic operators.
Type one_or_tuple(std::vector<Type> types);

/// n elements with `dilation - 1` holes between neighbours.
std::int64_t dilated(const Call& call, std::int64_t n, std::int64_t dilation);
/// Number of places of a window along one dimension of extent n; checks the window.
std::int64_t window_places(const Call& call, const WindowDim& window, std::int64_t n);

/// Elements along each dimension, split off: `dims` without the positions in `drop`.
std::vector<std::int64_t> without(std::span<const std::int64_t> dims, std::span<const std::int64_t> drop);

}  // namespace gg
