// Element types: the table, exact rounding of doubles to every float type, two's complement wrapping of integers.
#include <array>
#include <cfenv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "models/base/check.h"
#include "models/type/type.h"

namespace gg {
namespace {

constexpr std::array kElements = {
#define ELEMENT(Enum, name, Kind, bits, significand, low, high) \
  ElementInfo{ElementType::Enum, name, ElementKind::Kind, bits, significand, low, high},
#include "models/type/element_type.def"
#undef ELEMENT
};

/// What becomes of a magnitude beyond the largest finite number (and of NaN, zero, signs) in the small float types.
enum class Overflow : std::uint8_t { Infinity,
                                     NaN,
                                     Saturate };

Overflow overflow_of(ElementType type) {
  switch (type) {
    case ElementType::F4E2M1FN:
      return Overflow::Saturate;
    case ElementType::F8E4M3FN:
    case ElementType::F8E4M3FNUZ:
    case ElementType::F8E4M3B11FNUZ:
    case ElementType::F8E5M2FNUZ:
    case ElementType::F8E8M0FNU:
      return Overflow::NaN;
    default:
      return Overflow::Infinity;
  }
}

/// "UZ": the code of negative zero is NaN, so there is one zero.
bool unsigned_zero(ElementType type) {
  return type == ElementType::F8E4M3FNUZ || type == ElementType::F8E4M3B11FNUZ || type == ElementType::F8E5M2FNUZ;
}

double largest_finite(const ElementInfo& row) {
  // 2^(high + 1) - one unit in the last place; f8e4m3fn spends its topmost code on NaN.
  const double ulps = row.type == ElementType::F8E4M3FN ? 2 : 1;
  return std::ldexp(2.0 - ulps * std::ldexp(1.0, 1 - row.significand), row.high);
}

/// Only powers of two in [2^-127, 2^127] and NaN: no sign, no zero; ties go up.
double round_to_power(const ElementInfo& row, double value) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (!(value > 0) || std::isinf(value)) return kNaN;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // [0.5, 1)
  if (fraction < 0.75) --exponent;
  if (exponent > row.high) return kNaN;
  return std::ldexp(1.0, std::max(exponent, row.low));
}

}  // namespace

const ElementInfo& info(ElementType type) { return kElements[static_cast<std::size_t>(type)]; }

std::optional<ElementType> element_type(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, ElementType> map;
    for (const auto& row : kElements) map.emplace(row.name, row.type);
    map.erase(info(ElementType::Tuple).name);
    return map;
  }();
  const auto it = kByName.find(name);
  if (it == kByName.end()) return std::nullopt;
  return it->second;
}

bool is_integral(ElementType type) {
  const auto kind = info(type).kind;
  return kind == ElementKind::Pred || kind == ElementKind::Signed || kind == ElementKind::Unsigned;
}

bool is_float(ElementType type) { return info(type).kind == ElementKind::Float; }

bool is_complex(ElementType type) { return info(type).kind == ElementKind::Complex; }

ElementType part_of(ElementType type) {
  return type == ElementType::C64 ? ElementType::F32 : type == ElementType::C128 ? ElementType::F64
                                                                                 : type;
}

bool is_signed(ElementType type) {
  const auto kind = info(type).kind;
  return kind == ElementKind::Signed || kind == ElementKind::Float;
}

bool has_infinity(ElementType type) { return is_float(type) && overflow_of(type) == Overflow::Infinity; }

double round_to(ElementType type, double value) {
  const ElementInfo& row = info(type);
  GG_CHECK(row.significand > 0, "not a float type: " + std::string(row.name));
  if (row.significand == 53) return value;
  if (row.significand == 24 && row.low == -126) return static_cast<double>(static_cast<float>(value));
  if (type == ElementType::F8E8M0FNU) return round_to_power(row, value);
  const Overflow overflow = overflow_of(type);
  if (std::isnan(value)) return overflow == Overflow::Saturate ? -0.0 : value;
  const double limit = largest_finite(row);
  double rounded = value;
  if (std::isfinite(value) && value != 0) {
    int exponent = std::ilogb(value);
    if (exponent < row.low) exponent = row.low;  // subnormals share the quantum of the smallest normal number
    const int quantum = exponent - (row.significand - 1);
    // Scaling by a power of two is exact: the scaled value is below 2^significand, and what underflows is below a half.
    rounded = std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  }
  if (std::fabs(rounded) > limit) {
    if (overflow == Overflow::NaN) return std::numeric_limits<double>::quiet_NaN();
    const double bound = overflow == Overflow::Infinity ? std::numeric_limits<double>::infinity() : limit;
    return std::copysign(bound, value);
  }
  if (rounded == 0 && unsigned_zero(type)) return 0.0;
  return rounded;
}

std::int64_t wrap_to(ElementType type, std::int64_t value) {
  const ElementInfo& row = info(type);
  GG_CHECK(is_integral(type), "not an integral type: " + std::string(row.name));
  if (row.kind == ElementKind::Pred) return value != 0 ? 1 : 0;
  if (row.bits == 64) return value;
  const std::uint64_t mask = (std::uint64_t{1} << static_cast<unsigned>(row.bits)) - 1;
  std::uint64_t bits = static_cast<std::uint64_t>(value) & mask;
  const std::uint64_t sign = std::uint64_t{1} << static_cast<unsigned>(row.bits - 1);
  if (row.kind == ElementKind::Signed && (bits & sign) != 0) bits |= ~mask;
  return static_cast<std::int64_t>(bits);
}

}  // namespace gg
