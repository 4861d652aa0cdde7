// Inputs of a run: drawn from (seed, free input, element index) by philox4x32-10, so that any process and any framework
// sees the same numbers, then mapped to both programs by the relation.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "kernels/plan/plan.h"
#include "models/pair/case.h"
#include "models/relation/relation.h"
#include "runtime/executor.h"

namespace gg {

/// Philox4x32-10 (Salmon et al., SC'11): the block for a 128-bit counter under a 64-bit key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t key);

/// Regimes repeat after so many; the second is the wide one (docs/design.md).
inline constexpr int kRegimes = 4, kWideRegime = 1;

/// Element `index` of free input `input`: 53 bits for floats (a multiple of 2^-52 of the range, exact in f64), an integer
/// of the half-open range for integral types. regime 0 = plain; others reach rare branches (docs/design.md).
double draw_real(std::uint64_t seed, int regime, std::uint32_t input, std::uint64_t index, const Range& range);
/// Regimes from this one on amplify: floats of default ranges times 4, 16, 64, ...
inline constexpr int kAmplified = 64;
/// From this one on (up to kCorners) they are unequal: those of every other input, every other two, .. times 64, those of the rest by 64 (a gradient grows with its inputs where an activation does not saturate).
inline constexpr int kUnequal = 512;
/// out[k] = draw_real(.., k, ..).
void draw_reals(std::uint64_t seed, int regime, std::uint32_t input, const Range& range, std::span<double> out);
/// Corners of a given range of floats: its ends, and 0 between them. No other range has any.
int corner_count(const Range& range);
/// `corners`: numbers that regime 1 puts in place of half of the values; empty = the ends of the range.
std::int64_t draw_int(std::uint64_t seed, int regime, std::uint32_t input, std::uint64_t index, const Range& range,
                      std::span<const std::int64_t> corners = {});

/// An integer of either sign of which every number of bits is as likely.
std::int64_t draw_any_int(std::uint64_t seed, int regime, std::uint32_t input, std::uint64_t index);

/// Free inputs of one draw, as given values: F64 for floats, integers as they are. What a witness stores.
struct InputSet {
  std::uint64_t seed = 0;
  int regime = 0;
  std::vector<Buffer> free;  ///< Double or Int64, one a free input, row-major
  bool beyond = false;       ///< some floats lie outside of the range that was inferred to keep outputs finite
  InputSet clone() const;
};

/// One element of a free input as a value of its type.
using InputElement = std::function<Cell(std::size_t input, std::span<const std::int64_t> index, NumberMode mode)>;
/// Of inputs that must outlive it.
InputElement elements_of(const Relation& relation, const InputSet& inputs);
/// Of draw_inputs(relation, seed, regime), made where they are read: for pairs whose inputs fit no memory. Throws RuntimeFailure(Memory) where
/// summands of a large input are drawn together.
InputElement drawn_elements(const Relation& relation, std::uint64_t seed, int regime);

/// Draw in a regime (runtime/philox.cpp). Summands of a partial input are drawn freely; what they make lies in its range.
InputSet draw_inputs(const Relation& relation, std::uint64_t seed, int regime);
/// Integers of each input in ascending order and no two the same, where its range has so many: for indices that are flagged unique or sorted.
void keep_apart(const Relation& relation, InputSet& inputs);
/// Regimes kCorners + r: integer inputs take their corners one after the other, from the r-th part of them on, and the first floats of a given
/// range its corners, from the r-th on; all else plain.
inline constexpr int kCorners = 1024;
/// Regimes from this one on: floats are one of four values of their range, of a default one zero or one of four (equal ones meet in maxima, sorts and comparisons); integers of
/// both signs where nothing is known of them, in every other of them the ends of their type, the numbers next to these, a quarter of the type, -1, 0 and 1.
inline constexpr int kRepeated = 2048;
/// From here on all is plain, but of some float inputs whose range holds it all values, or those of the first half, are 0: the t-th draw takes every d-th input, from the (t + 1 - d)-th on,
/// where d is the largest power of two in t + 1.
inline constexpr int kVanishing = 4096;
/// From here on floats are multiples of one half, a default range's between -4 and 4, as far as their range holds these: where a program rounds, the ways to do so differ there. All else plain.
inline constexpr int kHalves = 8192;
/// From here on every input lies at one end of its range: integers are its least number or its largest one, floats come from its lower or its upper half. All at the upper end, all at the lower one, then every
/// other input, every other two, .. at another end than the rest.
inline constexpr int kEnds = 16384;
/// From here on all is plain, but what meets numbers is one of them throughout, the t-th in the t-th draw: a mask that leaves out everything. Behind the last number half of its elements are
/// the first one and none is larger (a maximum over all is that one then), .., then none is smaller, then every second one lies as far from it as the one before, on the other side (a sum of all is
/// met, and nothing is zero).
inline constexpr int kMeetings = 32768, kMeetingWays = 4;
/// From here on all is plain, but integers that are one of 256 numbers or fewer take all of them, one after the other over elements and draws, each input by a stride of its own.
inline constexpr int kEvery = 65536;
/// Such draws that it takes for every input to be all of its numbers; 0: there is none.
int every_draws(const Relation& relation);
/// Such draws that it takes for every corner of every input to occur.
int corner_draws(const Relation& relation);
/// Where integers lie that are not in the premise `in-bounds`: FromEnd are those of FreeInput::from_end, which the others leave out. Beyond: below or above.
enum class Outside : std::uint8_t { Below,
                                    Above,
                                    FromEnd,
                                    Beyond };
/// A plain draw in which every other element of integer `input` lies there, or only one of them. Nothing where the type has no such values.
std::optional<InputSet> draw_outside(const Relation& relation, std::uint64_t seed, std::size_t input, Outside where, std::optional<std::size_t> only = {});

/// Given doubles (integers where the type is integral) as values of `type` in `mode`.
Buffer in_mode(const Buffer& given, ElementType type, NumberMode mode);

/// The parameters of both programs for these free inputs, in the storage of `mode`. Padding (Unknown) is drawn too, so
/// that a program that reads it is caught.
std::vector<Buffer> sequential_inputs(const Case& c, const InputSet& inputs, NumberMode mode);
std::vector<Buffer> distributed_inputs(const Case& c, const InputSet& inputs, NumberMode mode);

/// One leaf of the distributed program's parameters, all ranks.
Buffer distributed_input(const Case& c, std::size_t leaf, const InputSet& inputs, NumberMode mode);

/// The same without copies of what a program takes as it is drawn; `inputs` must outlive them.
SharedBuffers shared_sequential_inputs(const Case& c, const InputSet& inputs, NumberMode mode);
SharedBuffers shared_distributed_inputs(const Case& c, const InputSet& inputs, NumberMode mode);

/// Completes what inputs are drawn from: integers that index something, float inputs that must mostly not be negative. The latter
/// needs trial runs: a pair that is too large for them takes what was found for `reduced`, the same pair at smaller shapes.
/// Nothing of it is a premise of a proof.
void infer_ranges(Case& c, const Case* reduced = nullptr);

/// A partial input whose range is given for the value that its summands make (partial_draws.cpp): `summands` holds free draws, the summand's number first. Changes one of each value's so that what they make (sum, maximum,
/// minimum, product, mean) is, exactly, a number of the input's range.
void combine_into_range(const FreeInput& input, std::uint64_t seed, std::uint32_t number, Buffer& summands);

}  // namespace gg
