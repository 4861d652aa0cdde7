// Bits of floats: bitcast-convert of a float operand. A real number has no bits, so it is rounded to its type first; one
// that is not a value of its type counts as a tie, as its bits then prove nothing.
#include <bit>
#include <cmath>

#include "kernels/kernel_list.h"

namespace gg::kernels {
namespace {

/// The value of element k as a double of its type; `exact` tells whether nothing was rounded away.
double rounded(const Buffer& buffer, std::size_t k, ElementType type, bool& exact) {
  const double value = number_at(buffer, k);
  exact = with_storage(buffer.storage(), [&](auto element) {
    using T = decltype(element);
    if constexpr (kIsBall<T>) {
      const T& ball = buffer.as<T>()[k];
      return BallOps<T>::known(ball) == Known::NaN || BallOps<T>::compare(BallOps<T>::from_double(value), ball) == 0;
    }
    return true;
  });
  const double result = round_to(type, value);
  exact = exact && (std::isnan(value) || result == value);
  return result;
}

/// Bits of a value of `type`, the inverse of float_of_bits in models/op/body_bits.cpp. NaN: all ones but the sign.
std::uint64_t bits_of(double value, ElementType type) {
  const ElementInfo& row = info(type);
  if (type == ElementType::F64) return std::bit_cast<std::uint64_t>(value);
  if (type == ElementType::F32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const int mantissa = row.significand - 1;
  const int exponent = row.bits - 1 - mantissa;
  const std::uint64_t sign = std::signbit(value) ? std::uint64_t{1} << (row.bits - 1) : 0;
  const std::uint64_t last = (std::uint64_t{1} << exponent) - 1;
  const bool zero_nan = type == ElementType::F8E4M3FNUZ || type == ElementType::F8E5M2FNUZ || type == ElementType::F8E4M3B11FNUZ;
  if (std::isnan(value)) {
    if (zero_nan) return 0x80;
    if (!has_infinity(type)) return (std::uint64_t{1} << (row.bits - 1)) - 1;
    return last << mantissa | std::uint64_t{1} << (mantissa - 1);
  }
  if (std::isinf(value)) return sign | last << mantissa;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return zero_nan ? 0 : sign;
  const int e = std::max(std::ilogb(magnitude), row.low);
  const auto scaled = static_cast<std::uint64_t>(std::ldexp(magnitude, mantissa - e));  // with the hidden bit
  const bool normal = scaled >> mantissa != 0;
  const auto field = normal ? static_cast<std::uint64_t>(e - row.low + 1) : 0;
  return sign | field << mantissa | (scaled & ((std::uint64_t{1} << mantissa) - 1));
}

}  // namespace

bool bitcast_convert_applies(const Call& call, NumberMode) {
  return is_float(call.operands[0]->element) && is_integral(call.result->element);
}

void bitcast_convert(const Arena&, const Call& call, std::int64_t, NumberMode, std::span<const Operand> operands,
                     std::span<Buffer> results, TieCounter& ties) {
  const ElementType from = call.operands[0]->element, to = call.result->element;
  const int from_bits = info(from).bits, to_bits = info(to).bits;
  const Buffer& in = *operands[0].buffer;
  const auto out = results[0].as<std::int64_t>();
  const auto pieces = static_cast<std::size_t>(std::max(1, from_bits / to_bits));
  const auto joined = static_cast<std::size_t>(std::max(1, to_bits / from_bits));
  for (std::size_t k = 0; k < static_cast<std::size_t>(in.count()) / joined; ++k) {
    std::uint64_t bits = 0;
    for (std::size_t j = 0; j < joined; ++j) {
      bool exact = true;
      const double value = rounded(in, k * joined + j, from, exact);
      if (!exact) ++ties.ties;
      bits |= bits_of(value, from) << (j * static_cast<std::size_t>(from_bits));
    }
    for (std::size_t p = 0; p < pieces; ++p) {
      const std::uint64_t piece = bits >> (p * static_cast<std::size_t>(to_bits));
      out[k * pieces + p] = wrap_to(to, std::bit_cast<std::int64_t>(piece));
    }
  }
}

}  // namespace gg::kernels
