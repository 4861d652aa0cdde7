// Refusals and checks shared by the type rules.
#include "models/op/rule_support.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/base/text.h"

namespace gg {

void refuse(DiagCode code, std::string message) { throw TypeError{code, std::move(message)}; }
void refuse_operand(std::string message) { refuse(DiagCode::BadOperand, std::move(message)); }
void refuse_attribute(std::string message) { refuse(DiagCode::BadAttribute, std::move(message)); }
void refuse_form(std::string message) { refuse(DiagCode::UnsupportedForm, std::move(message)); }

std::string name_of(const Call& call) { return std::string(info(call.op).name); }

std::string list(std::span<const std::int64_t> values) { return "{" + joined_text(values, ",") + "}"; }

namespace {

void need_array(const Call& call, const Type& type, const std::string& what) {
  if (!type.is_array()) refuse_operand(name_of(call) + ": " + what + " is " + to_string(type) + ", not an array");
  if (is_complex(type.element)) {
    refuse_form(name_of(call) + ": " + what + " has the complex type " + to_string(type) + ", which is not supported");
  }
  bool empty = false;
  for (const std::int64_t n : type.dims) {
    need_bounded(call, n, "an extent of " + what + ",");
    empty = empty || n == 0;
  }
  std::int64_t count = empty ? 0 : 1;
  for (const std::int64_t n : type.dims) {
    if (__builtin_mul_overflow(count, n, &count) || count > kMaxElements) {
      refuse(DiagCode::SizeOverflow, name_of(call) + ": " + what + " has more than 2^48 elements, " + to_string(type));
    }
  }
}

}  // namespace

const Type& array_operand(const Call& call, std::size_t k) {
  GG_CHECK(k < call.operands.size(), name_of(call) + " has no operand " + std::to_string(k));
  need_array(call, *call.operands[k], "operand " + std::to_string(k));
  return *call.operands[k];
}

const Type& stated_array(const Call& call) {
  GG_CHECK(call.result != nullptr, name_of(call) + " needs the printed type");
  need_array(call, *call.result, "the result");
  return *call.result;
}

const Type& index_operand(const Call& call, std::size_t k) {
  const Type& type = array_operand(call, k);
  if (!is_integral(type.element) || type.element == ElementType::Pred) {
    refuse_operand(name_of(call) + ": operand " + std::to_string(k) +
                   " holds indices and must be of an integer type, not " + to_string(type));
  }
  return type;
}

void need_same(const Call& call, std::size_t first, std::size_t last, bool element) {
  const Type& reference = array_operand(call, first);
  for (std::size_t k = first + 1; k <= last; ++k) {
    const Type& type = array_operand(call, k);
    if (type.dims != reference.dims || (element && type.element != reference.element)) {
      refuse_operand(name_of(call) + ": operand " + std::to_string(k) + " is " + to_string(type) + " but operand " +
                     std::to_string(first) + " is " + to_string(reference));
    }
  }
}

void need_dimension(const Call& call, std::int64_t value, int rank, std::string_view what) {
  if (value < 0 || value >= rank) {
    refuse_attribute(name_of(call) + ": " + std::string(what) + " names dimension " + std::to_string(value) +
                     " of an array with " + std::to_string(rank) + (rank == 1 ? " dimension" : " dimensions"));
  }
}

void need_dimensions(const Call& call, std::span<const std::int64_t> values, int rank, std::string_view what,
                     bool sorted) {
  std::vector<bool> seen(static_cast<std::size_t>(rank), false);
  for (std::size_t k = 0; k < values.size(); ++k) {
    need_dimension(call, values[k], rank, what);
    if (seen[static_cast<std::size_t>(values[k])]) {
      refuse_attribute(name_of(call) + ": " + std::string(what) + "=" + list(values) + " names dimension " +
                       std::to_string(values[k]) + " twice");
    }
    seen[static_cast<std::size_t>(values[k])] = true;
    if (sorted && k > 0 && values[k] < values[k - 1]) {
      refuse_attribute(name_of(call) + ": " + std::string(what) + "=" + list(values) + " is not in ascending order");
    }
  }
}

void need_disjoint(const Call& call, std::span<const std::int64_t> a, std::span<const std::int64_t> b,
                   std::string_view what_a, std::string_view what_b) {
  for (const std::int64_t value : a) {
    if (contains(b, value)) {
      refuse_attribute(name_of(call) + ": dimension " + std::to_string(value) + " is both in " + std::string(what_a) +
                       " and in " + std::string(what_b));
    }
  }
}

bool contains(std::span<const std::int64_t> values, std::int64_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

namespace {

[[noreturn]] void refuse_size(const Call& call, std::int64_t a, const char* op, std::int64_t b) {
  refuse(DiagCode::SizeOverflow, name_of(call) + ": the size " + std::to_string(a) + op + std::to_string(b) + " overflows");
}

}  // namespace

std::int64_t checked_add(const Call& call, std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) refuse_size(call, a, " + ", b);
  return sum;
}

std::int64_t checked_multiply(const Call& call, std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) refuse_size(call, a, " * ", b);
  return product;
}

void need_bounded(const Call& call, std::int64_t value, std::string_view what) {
  if (value > kMaxExtent || value < -kMaxExtent) {
    refuse(DiagCode::SizeOverflow,
           name_of(call) + ": " + std::string(what) + " " + std::to_string(value) + " is beyond the supported 2^48");
  }
}

Type array_type(const Call& call, ElementType element, std::vector<std::int64_t> dims) {
  bool empty = false;
  for (const std::int64_t n : dims) {
    if (n < 0) refuse_attribute(name_of(call) + ": the result has the negative extent " + std::to_string(n));
    need_bounded(call, n, "the extent");
    if (n == 0) empty = true;
  }
  std::int64_t count = empty ? 0 : 1;
  for (const std::int64_t n : dims) {
    count = checked_multiply(call, count, n);
    if (count > kMaxElements) {
      refuse(DiagCode::SizeOverflow,
             name_of(call) + ": the result has more than 2^48 elements, " + to_string(Type::array(element, dims)));
    }
  }
  return Type::array(element, std::move(dims));
}

Type one_or_tuple(std::vector<Type> types) {
  if (types.size() == 1) return std::move(types.front());
  return Type::tuple(std::move(types));
}

std::int64_t dilated(const Call& call, std::int64_t n, std::int64_t dilation) {
  if (n == 0) return 0;
  return checked_add(call, checked_multiply(call, n - 1, dilation), 1);
}

std::int64_t window_places(const Call& call, const WindowDim& window, std::int64_t n) {
  if (window.size < 1 || window.stride < 1 || window.base_dilation < 1 || window.window_dilation < 1) {
    refuse_attribute(name_of(call) + ": a window has size " + std::to_string(window.size) + ", stride " +
                     std::to_string(window.stride) + " and dilations " + std::to_string(window.base_dilation) +
                     " and " + std::to_string(window.window_dilation) + ", all of which must be at least 1");
  }
  need_bounded(call, window.size, "the window size");
  need_bounded(call, window.stride, "the window stride");
  need_bounded(call, window.pad_low, "the window padding");
  need_bounded(call, window.pad_high, "the window padding");
  need_bounded(call, window.base_dilation, "the base dilation");
  need_bounded(call, window.window_dilation, "the window dilation");
  const std::int64_t base = dilated(call, n, window.base_dilation);
  const std::int64_t taps = dilated(call, window.size, window.window_dilation);
  need_bounded(call, base, "the dilated extent");
  need_bounded(call, taps, "the dilated window");
  const std::int64_t padded = base + window.pad_low + window.pad_high;
  if (padded <= 0 || taps > padded) return 0;
  return (padded - taps) / window.stride + 1;
}

std::vector<std::int64_t> without(std::span<const std::int64_t> dims, std::span<const std::int64_t> drop) {
  std::vector<std::int64_t> kept;
  for (std::size_t k = 0; k < dims.size(); ++k) {
    if (!contains(drop, static_cast<std::int64_t>(k))) kept.push_back(dims[k]);
  }
  return kept;
}

}  // namespace gg
