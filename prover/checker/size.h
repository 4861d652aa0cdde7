// The integers of index forms. The checker is compiled twice: over the integers of a text, and over integers that are polynomials
// in the sizes of a family of texts (sized/size.h), where every comparison notes what it rests on. What a choice between two right
// ways rests on is no condition: such places ask for the values at the text (at_text, small) or what holds of all sizes (same, divides).
#pragma once

#ifdef GG_OF_SIZES
#include "prover/checker/sized/size.h"
#else

#include <cstdint>
#include <numeric>
#include <string>

namespace gg::checker {

using Size = std::int64_t;
__extension__ typedef __int128 Wide;  ///< of sums and products before they are looked at

/// The value in the text.
inline std::int64_t at_text(Size n) { return n; }
/// The same number at all sizes.
inline bool same(Size a, Size b) { return a == b; }
inline bool same(Wide a, Wide b) { return a == b; }
/// Is n a multiple of m at all sizes?
inline bool divides(Size m, Size n) { return n % m == 0; }
inline bool divides(Wide m, Wide n) { return n % m == 0; }
/// Is n a multiple of m at no size?
inline bool never_divides(Size m, Size n) { return n % m != 0; }
/// A common divisor, the largest that is known.
inline Size common(Size a, Size b) { return std::gcd(a, b); }
inline Size magnitude(Size n) { return n < 0 ? -n : n; }
/// May values up to n be gone through one by one?
inline bool small(Size n, std::int64_t most) { return n <= most; }
/// A number of a program or a relation; one of a certificate, which nothing rests on.
inline Size sized(std::int64_t n) { return n; }
inline Size sized_text(std::int64_t n) { return n; }
inline std::uint64_t bits(Size n) { return static_cast<std::uint64_t>(n); }
inline std::string text(Size n) { return std::to_string(n); }
inline bool product_fits(Size a, Size b, Size* product) { return !__builtin_mul_overflow(a, b, product); }
inline bool sum_fits(Size a, Size b, Size* sum) { return !__builtin_add_overflow(a, b, sum); }
/// Is it at most `far` in size? Sizes are such that what counts places is.
inline bool within(Wide n, std::int64_t far) { return n <= far && n >= -far; }

}  // namespace gg::checker
#endif
