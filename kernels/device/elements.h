// Elements of device memory and their rounding, for the host and for CUDA: no library, so that both have the same bits.
#pragma once

#include <cstring>

#include "kernels/device/code.h"
#include "kernels/numbers/scalar_values.h"

namespace gg::device {

template <class To, class From>
GG_HOST_DEVICE inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits of equal size");
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

GG_HOST_DEVICE inline bool is_float(Element e) { return e >= Element::BF16; }
/// Held in registers as f32.
GG_HOST_DEVICE inline bool is_short(Element e) { return e >= Element::BF16 && e <= Element::F32; }
GG_HOST_DEVICE inline bool is_unsigned(Element e) { return e == Element::Pred || (e >= Element::U8 && e <= Element::U64); }
GG_HOST_DEVICE inline int bits_of(Element e) {
  switch (e) {
    case Element::Pred: return 1;
    case Element::S8:
    case Element::U8: return 8;
    case Element::S16:
    case Element::U16:
    case Element::BF16:
    case Element::F16: return 16;
    case Element::S32:
    case Element::U32:
    case Element::F32: return 32;
    default: return 64;
  }
}
GG_HOST_DEVICE inline scalar::Integers integers_of(Element e) { return {bits_of(e), is_unsigned(e), e == Element::Pred}; }
GG_HOST_DEVICE inline int bytes_of(Element e) { return e == Element::Pred ? 1 : bits_of(e) / 8; }

GG_HOST_DEVICE inline std::uint16_t bf16_bits(float value) {
  std::uint32_t u = bits_as<std::uint32_t>(value);
  if ((u & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((u >> 16U) | 0x40U);
  u += 0x7fffU + ((u >> 16U) & 1U);
  return static_cast<std::uint16_t>(u >> 16U);
}
GG_HOST_DEVICE inline float from_bf16(std::uint16_t bits) { return bits_as<float>(static_cast<std::uint32_t>(bits) << 16U); }

GG_HOST_DEVICE inline std::uint16_t f16_bits(float value) {
  const std::uint32_t u = bits_as<std::uint32_t>(value), sign = (u >> 16U) & 0x8000U;
  std::uint32_t a = u & 0x7fffffffU;
  if (a > 0x7f800000U) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (a >= 0x477ff000U) return static_cast<std::uint16_t>(sign | 0x7c00U);  // 65520 and above
  if (a < 0x38800000U) {                                                    // below the smallest normal number
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(rintf(bits_as<float>(a) * 16777216.0F)));
  }
  a += 0xfffU + ((a >> 13U) & 1U);
  return static_cast<std::uint16_t>(sign | ((a - 0x38000000U) >> 13U));
}
GG_HOST_DEVICE inline float from_f16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U, exponent = (bits >> 10U) & 31U, fraction = bits & 0x3ffU;
  if (exponent == 0) {
    const float value = static_cast<float>(fraction) * 5.9604644775390625e-8F;  // 2^-24
    return sign != 0 ? -value : value;
  }
  if (exponent == 31) return bits_as<float>(sign | 0x7f800000U | (fraction << 13U));
  return bits_as<float>(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
}

/// An f32 rounded to a narrower type's values.
GG_HOST_DEVICE inline float rounded(Element type, float value) {
  if (type == Element::BF16) return from_bf16(bf16_bits(value));
  if (type == Element::F16) return from_f16(f16_bits(value));
  return value;
}
/// An f64 rounded once to f32 or narrower: to odd first, so that the second rounding does no harm.
GG_HOST_DEVICE inline float rounded_from_f64(Element type, double value) {
  const float nearest = static_cast<float>(value);
  if (type == Element::F32 || !(fabs(value) <= 3.4028234663852886e38) || static_cast<double>(nearest) == value) {
    return rounded(type, nearest);
  }
  std::uint32_t bits = bits_as<std::uint32_t>(nearest);
  if (fabs(static_cast<double>(nearest)) > fabs(value)) --bits;
  return rounded(type, bits_as<float>(bits | 1U));
}

/// Two's complement of the type's width, kept as int64 (u64 as its bit pattern).
GG_HOST_DEVICE inline std::int64_t wrapped(Element type, std::int64_t value) {
  const int bits = bits_of(type);
  if (type == Element::Pred) return value != 0 ? 1 : 0;
  if (bits == 64) return value;
  const int unused = 64 - bits;
  const std::uint64_t up = static_cast<std::uint64_t>(value) << unused;
  return is_unsigned(type) ? static_cast<std::int64_t>(up >> unused) : static_cast<std::int64_t>(up) >> unused;
}

/// A register from memory.
GG_HOST_DEVICE inline std::uint64_t load(Element type, const void* data, std::int64_t at) {
  const auto integer = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const auto single = [](float value) { return static_cast<std::uint64_t>(bits_as<std::uint32_t>(value)); };
  switch (type) {
    case Element::Pred:
    case Element::U8: return static_cast<const std::uint8_t*>(data)[at];
    case Element::S8: return integer(static_cast<const std::int8_t*>(data)[at]);
    case Element::S16: return integer(static_cast<const std::int16_t*>(data)[at]);
    case Element::S32: return integer(static_cast<const std::int32_t*>(data)[at]);
    case Element::U16: return static_cast<const std::uint16_t*>(data)[at];
    case Element::U32: return static_cast<const std::uint32_t*>(data)[at];
    case Element::S64:
    case Element::U64:
    case Element::F64: return static_cast<const std::uint64_t*>(data)[at];
    case Element::BF16: return single(from_bf16(static_cast<const std::uint16_t*>(data)[at]));
    case Element::F16: return single(from_f16(static_cast<const std::uint16_t*>(data)[at]));
    case Element::F32: return static_cast<const std::uint32_t*>(data)[at];
  }
  return 0;
}

GG_HOST_DEVICE inline float single_of(std::uint64_t bits) { return bits_as<float>(static_cast<std::uint32_t>(bits)); }
GG_HOST_DEVICE inline std::uint64_t bits_of_single(float value) { return bits_as<std::uint32_t>(value); }

/// A register to memory; its value is one of the type.
GG_HOST_DEVICE inline void store(Element type, void* data, std::int64_t at, std::uint64_t value) {
  switch (type) {
    case Element::Pred:
    case Element::S8:
    case Element::U8:
      static_cast<std::uint8_t*>(data)[at] = static_cast<std::uint8_t>(value);
      return;
    case Element::S16:
    case Element::U16:
      static_cast<std::uint16_t*>(data)[at] = static_cast<std::uint16_t>(value);
      return;
    case Element::BF16: static_cast<std::uint16_t*>(data)[at] = bf16_bits(single_of(value)); return;
    case Element::F16: static_cast<std::uint16_t*>(data)[at] = f16_bits(single_of(value)); return;
    case Element::S32:
    case Element::U32:
    case Element::F32:
      static_cast<std::uint32_t*>(data)[at] = static_cast<std::uint32_t>(value);
      return;
    default: static_cast<std::uint64_t*>(data)[at] = value; return;
  }
}

}  // namespace gg::device
