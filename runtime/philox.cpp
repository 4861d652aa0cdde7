// Philox4x32-10 and the draws made of it (runtime/inputs.h).
//
// Regimes, by number modulo kRegimes. The values of regime 0 are the plain ones that every document speaks of; the others
// use further words of the same stream, so every value is a function of (seed, regime, input, index, range).
//
//   0  plain      floats uniform in the range; integers uniform
//   1  wide       floats of a default range times 4 (clips and saturations become active), of an inferred one with both signs
//                 (draw_inputs adds zeros), of a given one half of them corners: its ends, and 0 between them; integers: half of them corners,
//                 one after the other (edges of tables, first and last shard, numbers that the programs compare them with)
//   2  magnitudes floats of a range that contains 0 times 2^-k, k uniform in 0..12 (small beside large, clips
//                 inactive); integers skewed to small values (the square of a uniform variable: unequal counts,
//                 overflowing capacities)
//   3  one-sided  floats of a range around 0 folded to its upper part (sums grow, rows become alike); integers: each
//                 run of 4 neighbours shares its value (repeated indices)
//
// Integers of which nothing is known (FreeInput::wide) have both signs in regimes 1 and 3; half of them have any magnitude of their type in regime 1, so that
// sums wrap and narrower types do not hold them.
//
// Regimes from kCorners on are plain but for corners, from kRepeated on floats repeat, from kVanishing on whole inputs are 0, from kHalves on they are multiples of one half, from kEnds on all lies at an end of its range, from kMeetings on inputs are what they meet (runtime/inputs.h), those from kAmplified to it are of their own: floats of a default range times 4, 16, 64, ..., from kUnequal on times 64 or by 64; all else plain.
#include <algorithm>
#include <cmath>

#include "kernels/numbers/parallel.h"
#include "runtime/inputs.h"

namespace gg {
namespace {

constexpr int kRounds = 10;

struct Words {
  std::uint64_t first, second;
};

// The rounds of `kLanes` counters side by side, which the compiler makes vector instructions of.
constexpr std::size_t kLanes = 16;
template <std::size_t kCount>
using Counters = std::array<std::array<std::uint32_t, kCount>, 4>;  ///< by word, then by lane

template <std::size_t kCount>
inline void rounds(Counters<kCount>& c, std::uint64_t key) {
  auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32U);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t k = 0; k < kCount; ++k) {
      const std::uint64_t a = std::uint64_t{0xD2511F53U} * c[0][k], b = std::uint64_t{0xCD9E8D57U} * c[2][k];
      c[0][k] = static_cast<std::uint32_t>(b >> 32U) ^ c[1][k] ^ low;
      c[1][k] = static_cast<std::uint32_t>(b);
      c[2][k] = static_cast<std::uint32_t>(a >> 32U) ^ c[3][k] ^ high;
      c[3][k] = static_cast<std::uint32_t>(a);
    }
    low += 0x9E3779B9U;
    high += 0xBB67AE85U;
  }
}

// Words of the indices first, first + 1, ...
template <std::size_t kCount>
std::array<Words, kCount> words(std::uint64_t seed, int regime, std::uint32_t input, std::uint64_t first) {
  Counters<kCount> c;
  for (std::size_t k = 0; k < kCount; ++k) {
    c[0][k] = static_cast<std::uint32_t>(first + k);
    c[1][k] = static_cast<std::uint32_t>((first + k) >> 32U);
    c[2][k] = input;
    c[3][k] = static_cast<std::uint32_t>(regime);
  }
  rounds(c, seed);
  std::array<Words, kCount> out;
  for (std::size_t k = 0; k < kCount; ++k) {
    out[k] = {std::uint64_t{c[0][k]} << 32U | c[1][k], std::uint64_t{c[2][k]} << 32U | c[3][k]};
  }
  return out;
}

// k / 2^53 with 53 uniform bits k.
double unit(std::uint64_t word) { return static_cast<double>(word >> 11U) * 0x1p-53; }

// word / 2^64 * n without bias that matters here (n < 2^32), else modulo.
std::uint64_t below(std::uint64_t word, std::uint64_t n) {
  if (n <= 1) return 0;
  return n < (std::uint64_t{1} << 32U) ? ((word >> 32U) * n) >> 32U : word % n;
}

/// The ends of a range that the user gave, both included, and 0 where it lies between them.
inline double corner(const Range& range, std::uint64_t which) { return which == 0 ? range.lo : which == 1 ? range.hi
                                                                                                          : 0; }

/// Is the input one of every other one (two, four, ..), which a draw exchanges with the rest?
inline bool every_other(std::uint32_t input, int turn) { return ((input >> std::min(turn / 2, 31)) & 1U) == (static_cast<unsigned>(turn) & 1U); }

/// At which end the input lies in a regime from kEnds on.
inline bool upper(int regime, std::uint32_t input) { return regime < kEnds + 2 ? regime == kEnds : every_other(input, regime - kEnds - 2); }

inline double real(int regime, std::uint32_t input, std::uint64_t index, const Words& word, const Range& range) {
  if (range.lo == range.hi) return range.lo;
  const int kind = regime >= kAmplified ? 0 : regime % kRegimes;
  if (range.origin == Range::Origin::Given) {
    const auto corners = static_cast<std::uint64_t>(corner_count(range));
    if (kind == 1 && index / corners % 2 == 0) return corner(range, index % corners);
    const bool in_turn = regime >= kCorners && regime < kRepeated;
    if (in_turn && index < corners) return corner(range, (index + static_cast<std::uint64_t>(regime - kCorners)) % corners);
  }
  if (regime >= kRepeated && regime < kVanishing) {
    const double place = std::floor((range.origin == Range::Origin::Default ? 5 : 4) * unit(word.first));
    return std::fma(range.hi - range.lo, place < 4 ? (place + 0.5) / 4 : 0.5, range.lo);  // the fifth: the middle of -1..1
  }
  // For -1..1 this is a multiple of 2^-52 without rounding; in general one rounding, and the double is the value.
  double value = std::fma(range.hi - range.lo, unit(word.first), range.lo);
  if (regime >= kUnequal && regime < kCorners && range.origin == Range::Origin::Default) return std::ldexp(value, every_other(input, regime - kUnequal) ? 6 : -6);
  if (regime >= kAmplified && regime < kUnequal && range.origin == Range::Origin::Default) return std::ldexp(value, 2 * (regime - kAmplified + 1));
  if (regime >= kEnds && regime < kMeetings) {
    const double middle = range.lo + (range.hi - range.lo) / 2, beside = std::abs(value - middle);
    return std::clamp(upper(regime, input) ? middle + beside : middle - beside, range.lo, range.hi);
  }
  if (regime >= kHalves && regime < kEnds) {
    const bool open = range.origin == Range::Origin::Default;
    const double half = std::nearbyint(open ? 8 * value : 2 * value) / 2;
    return open || (range.lo <= half && half <= range.hi) ? half : value;
  }
  const bool around_zero = range.lo < 0 && range.hi > 0;
  if (kind == 1 && range.origin == Range::Origin::Default) return 4 * value;
  if (kind == 1 && range.origin == Range::Origin::Inferred) {  // found by trial runs, assumed by nobody
    const double most = 4 * std::max(std::abs(range.lo), std::abs(range.hi));
    return std::fma(2 * most, unit(word.first), -most);
  }
  if (kind == 2 && range.lo <= 0 && range.hi >= 0) value /= static_cast<double>(1U << below(word.second, 13));
  if (kind == 3 && around_zero && -value <= range.hi) value = std::abs(value);
  return std::clamp(value, range.lo, range.hi);
}

}  // namespace

int corner_count(const Range& range) { return range.origin != Range::Origin::Given || range.lo == range.hi ? 0 : range.lo < 0 && range.hi > 0 ? 3
                                                                                                                                              : 2; }

std::int64_t draw_any_int(std::uint64_t seed, int regime, std::uint32_t input, std::uint64_t index) {
  const Words word = words<1>(seed, regime, input, index)[0];
  return static_cast<std::int64_t>(word.first) >> (word.second >> 58U);
}

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t key) {
  Counters<1> c{{{counter[0]}, {counter[1]}, {counter[2]}, {counter[3]}}};
  rounds(c, key);
  return {c[0][0], c[1][0], c[2][0], c[3][0]};
}

double draw_real(std::uint64_t seed, int regime, std::uint32_t input, std::uint64_t index, const Range& range) {
  return real(regime, input, index, words<1>(seed, regime, input, index)[0], range);
}

void draw_reals(std::uint64_t seed, int regime, std::uint32_t input, const Range& range, std::span<double> out) {
  constexpr std::size_t kPart = std::size_t{1} << 18U;
  const std::size_t parts = (out.size() + kPart - 1) / kPart;
  for_each_part(static_cast<std::int64_t>(parts), [&](std::int64_t part) {
    const std::size_t first = static_cast<std::size_t>(part) * kPart, last = std::min(first + kPart, out.size());
    for (std::size_t k = first; k < last; k += kLanes) {
      const std::array<Words, kLanes> drawn = words<kLanes>(seed, regime, input, k);
      for (std::size_t lane = 0; lane < std::min(kLanes, last - k); ++lane) out[k + lane] = real(regime, input, k + lane, drawn[lane], range);
    }
  });
}

std::int64_t draw_int(std::uint64_t seed, int regime, std::uint32_t input, std::uint64_t index, const Range& range,
                      std::span<const std::int64_t> corners) {
  const auto lo = static_cast<std::int64_t>(range.lo);
  const auto hi = std::max(static_cast<std::int64_t>(range.hi), lo + 1);  // [a, a] is a constant
  const auto n = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
  if (regime >= kEnds && regime < kMeetings) return upper(regime, input) ? hi - 1 : lo;
  const int kind = regime >= kAmplified ? 0 : regime % kRegimes;
  const Words word = words<1>(seed, regime, input, kind == 3 ? index / 4 : index)[0];
  std::uint64_t offset = below(word.first, n);
  if (kind == 1 && !corners.empty() && index / corners.size() % 2 == 0) return corners[index % corners.size()];
  if (kind == 1 && corners.empty() && (word.second & 1U) != 0) offset = (word.second & 2U) != 0 ? n - 1 : 0;
  if (kind == 2) {
    const double u = unit(word.first);
    offset = std::min(n - 1, static_cast<std::uint64_t>(u * u * static_cast<double>(n)));
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + offset);
}

}  // namespace gg
