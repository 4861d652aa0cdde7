// Float constants read as rationals: 0.333333343 of an f32 stands for 1/3. A difference that vanishes under this reading
// is no refutation (architecture.md, section 6).
#pragma once

#include <cstdint>

#include "kernels/numbers/buffer.h"
#include "models/body/arena.h"

namespace gg {

struct Rational {
  std::int64_t numerator = 0, denominator = 1;
};

/// The rational with the smallest denominator within half a unit in the last place of `value` in `type` (the value itself
/// if its denominator is no larger). False where it does not fit 64 bits: then the value stands for itself.
bool simplest_rational(double value, ElementType type, Rational& result);

/// The lifted buffer of a float constant under this reading: `ranks` copies of the array in a float storage.
Buffer rational_constant(const ConstantArray& array, std::int64_t ranks, Storage storage);

/// Values of a literal (moved by layout operators only) converted to a narrower float type: rounded to it, and read as
/// rationals of that type if `rational`. `storage` is that of `values`.
Buffer rounded_constant(const Buffer& values, ElementType type, bool rational);

}  // namespace gg
