// What the tree walk and the compiled form must agree on to the bit: the small decisions of evaluation, each once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/numbers/rows.h"
#include "models/body/body.h"

namespace gg {

/// floor(a / m), m >= 1.
inline std::int64_t floor_quotient(std::int64_t a, std::int64_t m) { return a / m - (a % m < 0 ? 1 : 0); }

/// A data index: the value of an integer expression, clamped. The upper half of u64 is large, not negative.
inline std::int64_t clamp_index(std::int64_t value, ElementType type, std::int64_t lo, std::int64_t hi) {
  if (type == ElementType::U64 && value < 0) return hi;
  return std::clamp(value, lo, hi);
}

/// An unknown element without a given value: NaN, or the type's minimum.
void store_unknown(Storage storage, void* out, ElementType type);

/// Is this fold a sum of products? Their products are made in the type of the accumulator, so that a narrow dot rounds
/// once, at the end.
bool accumulates_product(const Arena& arena, ExprId fold);

/// Stops with InternalError unless the buffers fit the body.
void check_output(const Body& body, NumberMode mode, const Buffer& out, const Buffer* unknown);

}  // namespace gg
