// Free inputs and the parameters of both programs made of them (runtime/inputs.h).
#include "runtime/inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "models/base/check.h"
#include "models/body/reads.h"
#include "runtime/plans.h"
#include "runtime/value.h"

namespace gg {
namespace {

/// Word 3 of the counter for Unknown elements: a stream of its own, apart from every regime.
constexpr int kUnknownStream = 0x40000000;
constexpr int kMostCornerDraws = 8;
constexpr double kEveryNumber = 256;  ///< an integer that is one of so many is all of them
constexpr int kMostEveryDraws = 64;
constexpr int kZeroPeriod = 4;  ///< in the wide regime, one float in so many of an inferred range is zero

}  // namespace

Buffer in_mode(const Buffer& given, ElementType type, NumberMode mode) {
  const Storage storage = storage_of(type, mode);
  if (storage == Storage::Int64) {
    Buffer out = given.clone();
    for (std::int64_t& value : out.as<std::int64_t>()) value = wrap_to(type, value);
    return out;
  }
  const auto values = given.as<double>();
  Buffer out(storage, given.count());
  const bool rounds = mode == NumberMode::F32 || mode == NumberMode::Model;
  const ElementType target = mode == NumberMode::F32 ? ElementType::F32 : type;
  auto* to = static_cast<unsigned char*>(out.data());
  for (std::size_t k = 0; k < values.size(); ++k, to += bytes_of(storage)) {
    store_scalar(storage, to, type, rounds ? round_to(target, values[k]) : values[k], 0);
  }
  return out;
}

namespace {

/// Padding: drawn anew for every element of the lifted buffer, so differently on every rank; wider than the range.
Buffer unknown_values(const InputSet& inputs, std::uint32_t leaf, ElementType type, std::int64_t count, NumberMode mode) {
  Buffer given(is_integral(type) ? Storage::Int64 : Storage::Double, count);
  for (std::int64_t k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (is_integral(type)) {
      const Range range{0, type == ElementType::Pred ? 2.0 : 64.0, Range::Origin::Default};
      given.as<std::int64_t>()[at] = draw_int(inputs.seed, kUnknownStream, leaf, static_cast<std::uint64_t>(k), range);
    } else {
      const Range range{-8, 8, Range::Origin::Given};
      given.as<double>()[at] = draw_real(inputs.seed, kUnknownStream, leaf, static_cast<std::uint64_t>(k), range);
    }
  }
  return in_mode(given, type, mode);
}

/// Whether the given doubles and integers are already the values of `type` in `mode`.
bool as_given(ElementType type, NumberMode mode) { return is_float(type) && mode == NumberMode::F64; }

/// One parameter leaf of a program. Only what its body reads is converted, and dropped after it: inputs may be large.
Buffer parameter(const Case& c, const Body& body, std::size_t leaf, const InputSet& inputs, NumberMode mode) {
  const auto& free = c.relation.free;
  GG_CHECK(inputs.free.size() == free.size(), "one value an input");
  const Buffer none;  // stands for inputs that a body does not read
  constexpr std::int64_t kUnread[] = {0};
  const std::vector<bool> reads = operands_read(*c.arena, body.root, free.size());
  std::vector<Buffer> converted(free.size());
  std::vector<Operand> operands;
  for (std::size_t k = 0; k < free.size(); ++k) {
    const ElementType type = free[k].type.element;
    const bool direct = as_given(type, mode);
    if (reads[k] && !direct) converted[k] = in_mode(inputs.free[k], type, mode);
    const std::span<const std::int64_t> extents = reads[k] ? std::span<const std::int64_t>(free[k].type.dims) : kUnread;
    operands.push_back({!reads[k] ? &none : direct ? &inputs.free[k]
                                                   : &converted[k],
                        type, extents});
  }
  Buffer unknown;
  const bool padded = has_unknown(*c.arena, body.root);
  if (padded) {
    unknown = unknown_values(inputs, static_cast<std::uint32_t>(leaf), body.type, element_count(body.extents), mode);
  }
  TieCounter ties;
  return evaluate_once(*c.arena, body, mode, operands, ties, padded ? &unknown : nullptr);
}

std::vector<Buffer> parameters(const Case& c, const std::vector<Body>& bodies, const InputSet& inputs, NumberMode mode) {
  std::vector<Buffer> out;
  for (std::size_t leaf = 0; leaf < bodies.size(); ++leaf) out.push_back(parameter(c, bodies[leaf], leaf, inputs, mode));
  return out;
}

SharedBuffers shared_parameters(const Case& c, const std::vector<Body>& bodies, const InputSet& inputs, NumberMode mode) {
  std::vector<ElementType> types;
  std::vector<std::vector<std::int64_t>> extents;
  for (const FreeInput& input : c.relation.free) {
    types.push_back(input.type.element);
    extents.push_back(input.type.dims);
  }
  SharedBuffers out;
  for (std::size_t leaf = 0; leaf < bodies.size(); ++leaf) {
    const auto same = same_buffer(*c.arena, bodies[leaf], types, extents);
    if (same && as_given(types[*same], mode)) {
      out.emplace_back(std::shared_ptr<const Buffer>(), &inputs.free[*same]);
    } else {
      out.push_back(share(parameter(c, bodies[leaf], leaf, inputs, mode)));
    }
  }
  return out;
}

/// How one free input is drawn.
struct Drawing {
  const FreeInput& input;
  std::uint32_t number;
  std::uint64_t seed;
  int regime;
  bool integral = is_integral(input.type.element);
  bool summands = !input.combined_by.empty() && input.range.origin == Range::Origin::Given;
  bool wide = input.wide && input.range.origin == Range::Origin::Default && ((regime < kAmplified && regime % 2 == 1) || (regime >= kRepeated && regime < kVanishing) || regime >= kEvery);
  Range range = summands ? Range{-2, integral ? 3.0 : 2.0, Range::Origin::Default}
                : wide   ? Range{static_cast<double>(input.wide->lo), static_cast<double>(input.wide->hi) + 1, Range::Origin::Default}
                         : input.range;
  /// Integers of any magnitude, every other one; the draw after it in the same regime has the others.
  bool large(std::size_t at) const {
    return wide && regime % kRegimes == kWideRegime && regime < kAmplified && (at + static_cast<std::size_t>(regime / kRegimes)) % 2 == 0;
  }
  /// All numbers of a short range, one after the other. Inputs go through theirs by strides of their own, and turn by turn beside other ones.
  std::optional<std::int64_t> of_all(std::size_t at) const {
    if (regime < kEvery || !integral || range.hi - range.lo > kEveryNumber) return std::nullopt;
    const auto size = static_cast<std::size_t>(std::max(range.hi - range.lo, 1.0)), place = static_cast<std::size_t>(regime - kEvery) * static_cast<std::size_t>(input.type.count()) + at;
    std::size_t stride = 5 * size / 8 + 2 * std::size_t{number} + 1;  // neighbours are no neighbouring numbers: a trace would take them for places
    while (std::gcd(stride, size) != 1) ++stride;
    return static_cast<std::int64_t>(range.lo) + static_cast<std::int64_t>((place * stride + number * (place / size) + size / 3) % size);
  }
  /// The numbers where arithmetic of the type changes, in every other draw that repeats values: one a draw for scalars, and each pair of
  /// inputs meets in several ways.
  std::optional<std::int64_t> end_of_type(std::size_t at) const {
    const auto draw = static_cast<std::size_t>(regime - kRepeated);
    if (!wide || regime < kRepeated || regime >= kVanishing || draw % 2 == 0) return std::nullopt;
    const auto [lo, hi] = IntegerSpan::of(input.type.element);
    const std::int64_t ends[] = {lo, hi, lo + 1, hi - 1, 0, 1, -1, hi / 2 + 1};
    constexpr std::size_t kEnds = std::size(ends);
    const std::size_t turn = draw / 2;
    return wrap_to(input.type.element, ends[((2 * number + 1) * turn + number * (turn / kEnds) + at) % kEnds]);
  }
  /// Is it a draw in which inputs are numbers that they meet?
  bool meets() const { return ((regime >= kRepeated && regime < kVanishing) || (regime >= kMeetings && regime < kEvery)) && !input.met.empty() && !summands && !input.recorded; }
  /// `drawn`, or what stands in its place: of draws that repeat values, every other element is one of these numbers, one after the other; then all are one, or half of them and nothing is above, or
  /// below, or all lie around one by twos. `before()`: what is drawn for the element before.
  template <class T, class Draw>
  T met(std::size_t at, T drawn, const Draw& before) const {
    if (!meets()) return drawn;
    const std::size_t size = input.met.size();
    if (regime < kVanishing) {
      const auto draw = static_cast<std::size_t>(regime - kRepeated), turn = draw / 2;
      return (at + draw) % 2 != 0 ? drawn : static_cast<T>(input.met[((at + 1) / 2 + turn + number * (turn / size)) % size]);
    }
    const auto draw = static_cast<std::size_t>(regime - kMeetings), turn = draw / size, way = turn % kMeetingWays;
    const double meeting = input.met[(draw + number * turn) % size];
    const bool around = way == kMeetingWays - 1;
    if (way == 0 || (!around && std::popcount(at) % 2 == 0)) return static_cast<T>(meeting);
    const bool second = around && at % 2 != 0;
    const auto there = static_cast<double>(second ? before() : drawn), mirrored = 2 * meeting - there;
    const bool holds = mirrored >= range.lo && mirrored < range.hi;
    if (around) return !holds ? static_cast<T>(meeting) : second ? static_cast<T>(mirrored)
                                                                 : drawn;
    if (way == 1 ? there <= meeting : there >= meeting) return drawn;
    return static_cast<T>(holds ? mirrored : meeting);
  }
  /// Every kZeroPeriod-th float is zero.
  bool zeros() const { return !integral && regime % kRegimes == kWideRegime && regime < kCorners && range.origin == Range::Origin::Inferred && !input.recorded; }

  /// How many of the first values are zero.
  std::size_t vanishing() const {
    if (regime < kVanishing || regime >= kHalves || integral || input.recorded || range.lo > 0 || range.hi < 0) return 0;
    const auto turn = static_cast<std::uint32_t>(regime - kVanishing), period = std::bit_floor(turn + 1);
    if (number % period != turn + 1 - period) return 0;
    const auto count = static_cast<std::size_t>(input.type.count());
    return std::countr_zero(period) % 2 == 0 ? count : count / 2;
  }

  double real(std::size_t at) const {
    if (input.recorded) return (*input.recorded)[at];
    if ((zeros() && at % kZeroPeriod == 1) || at < vanishing()) return 0;
    const auto plain = [&](std::size_t there) { return draw_real(seed, regime, number, there, range); };
    return met(at, plain(at), [&] { return plain(at - 1); });
  }
  std::int64_t integer(std::size_t at) const {
    if (input.recorded) return static_cast<std::int64_t>((*input.recorded)[at]);
    if (large(at)) return wrap_to(input.type.element, draw_any_int(seed, regime, number, at));
    if (const auto end = end_of_type(at)) return *end;
    if (const auto one = of_all(at)) return *one;
    const bool corners = regime >= kCorners && regime < kCorners + kMostCornerDraws && !input.corners.empty();
    const auto plain = [&](std::size_t there) { return draw_int(seed, regime, number, there, range, input.corners); };
    if (!corners) return met(at, plain(at), [&] { return plain(at - 1); });
    return input.corners[(static_cast<std::size_t>(regime - kCorners) * static_cast<std::size_t>(input.type.count()) + at) % input.corners.size()];
  }
  Buffer all() const {
    Buffer buffer(integral ? Storage::Int64 : Storage::Double, input.type.count());
    if (integral) {
      const auto values = buffer.as<std::int64_t>();
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = integer(i);
    } else {
      const auto values = buffer.as<double>();
      if (input.recorded) std::copy(input.recorded->begin(), input.recorded->end(), values.begin());
      else draw_reals(seed, regime, number, range, values);
      for (std::size_t i = 1; zeros() && i < values.size(); i += kZeroPeriod) values[i] = 0;
      std::fill_n(values.begin(), vanishing(), 0);
      for (std::size_t i = 0; meets() && i < values.size(); ++i) values[i] = met(i, values[i], [&] { return values[i - 1]; });
    }
    if (summands) combine_into_range(input, seed, number, buffer);
    return buffer;
  }
};

Cell cell_of(ElementType type, NumberMode mode, double real, std::int64_t integer) {
  Cell out;
  store_scalar(storage_of(type, mode), out.bytes, type, real, integer);
  return out;
}

Cell cell_at(const Buffer& given, std::size_t at, ElementType type, NumberMode mode) {
  const bool integral = given.storage() == Storage::Int64;
  return cell_of(type, mode, integral ? 0 : given.as<double>()[at], integral ? wrap_to(type, given.as<std::int64_t>()[at]) : 0);
}

std::size_t address_in(const Type& type, std::span<const std::int64_t> index) {
  std::size_t address = 0;
  for (std::size_t d = 0; d < index.size(); ++d) address = address * static_cast<std::size_t>(type.dims[d]) + static_cast<std::size_t>(index[d]);
  return address;
}

}  // namespace

InputSet draw_inputs(const Relation& relation, std::uint64_t seed, int regime) {
  InputSet set;
  set.seed = seed;
  set.regime = regime;
  for (const FreeInput& input : relation.free) {
    const Drawing drawing{input, static_cast<std::uint32_t>(set.free.size()), seed, regime};
    set.free.push_back(drawing.all());
    set.beyond |= drawing.zeros();
  }
  return set;
}

void keep_apart(const Relation& relation, InputSet& inputs) {
  for (std::size_t k = 0; k < inputs.free.size(); ++k) {
    const FreeInput& input = relation.free[k];
    if (inputs.free[k].storage() != Storage::Int64 || input.type.element == ElementType::Pred || !input.combined_by.empty() || input.recorded) continue;
    const auto values = inputs.free[k].as<std::int64_t>();
    const auto lo = static_cast<std::int64_t>(input.range.lo), share = (static_cast<std::int64_t>(input.range.hi) - lo) / std::max<std::int64_t>(1, input.type.count());
    for (std::size_t at = 0; at < values.size() && share > 0; ++at) values[at] = lo + static_cast<std::int64_t>(at) * share + ((values[at] - lo) % share + share) % share;
  }
}

InputElement elements_of(const Relation& relation, const InputSet& inputs) {
  return [&](std::size_t k, std::span<const std::int64_t> index, NumberMode mode) {
    const Type& type = relation.free.at(k).type;
    return cell_at(inputs.free[k], address_in(type, index), type.element, mode);
  };
}

InputElement drawn_elements(const Relation& relation, std::uint64_t seed, int regime) {
  constexpr std::int64_t kMostTogether = std::int64_t{1} << 24U;
  auto together = std::make_shared<std::vector<std::optional<Buffer>>>();
  for (const FreeInput& input : relation.free) {
    const Drawing drawing{input, static_cast<std::uint32_t>(together->size()), seed, regime};
    if (drawing.summands && input.type.count() > kMostTogether) throw RuntimeFailure(RuntimeFailure::Kind::Memory, "summands of a large input", {});
    together->emplace_back();
    if (drawing.summands) together->back() = drawing.all();
  }
  return [&relation, together, seed, regime](std::size_t k, std::span<const std::int64_t> index, NumberMode mode) {
    const FreeInput& input = relation.free.at(k);
    const std::size_t at = address_in(input.type, index);
    const ElementType type = input.type.element;
    if ((*together)[k]) return cell_at(*(*together)[k], at, type, mode);
    const Drawing drawing{input, static_cast<std::uint32_t>(k), seed, regime};
    return cell_of(type, mode, drawing.integral ? 0 : drawing.real(at), drawing.integral ? wrap_to(type, drawing.integer(at)) : 0);
  };
}

int corner_draws(const Relation& relation) {
  std::size_t draws = 0;
  for (const FreeInput& input : relation.free) {
    const auto count = static_cast<std::size_t>(input.type.count());
    if (count == 0 || !input.combined_by.empty() || input.recorded) continue;
    const auto of_floats = static_cast<std::size_t>(is_float(input.type.element) ? corner_count(input.range) : 0);
    draws = std::max({draws, (input.corners.size() + count - 1) / count, count < of_floats ? of_floats : 0});
  }
  return static_cast<int>(std::min<std::size_t>(draws, kMostCornerDraws));
}

int every_draws(const Relation& relation) {
  double draws = 0;
  for (const FreeInput& input : relation.free) {
    const Drawing drawing{input, 0, 0, kEvery};
    const double size = drawing.range.hi - drawing.range.lo;
    const std::int64_t count = input.type.count();
    if (count != 0 && drawing.integral && input.combined_by.empty() && !input.recorded && size <= kEveryNumber) draws = std::max(draws, std::ceil(size / static_cast<double>(count)));
  }
  return static_cast<int>(std::min<double>(draws, kMostEveryDraws));
}

std::optional<InputSet> draw_outside(const Relation& relation, std::uint64_t seed, std::size_t input, Outside where, std::optional<std::size_t> only) {
  const FreeInput& free = relation.free[input];
  if (!free.in_bounds || (where == Outside::FromEnd && !free.from_end)) return std::nullopt;
  std::vector<std::int64_t> values;
  if (where == Outside::FromEnd) {
    const auto [lo, hi] = *free.from_end;
    values = {hi, lo, lo + (hi - lo) / 2};
  } else {
    const auto [lo, hi] = *free.in_bounds;
    const std::int64_t width = hi - lo + 1, least = free.from_end ? free.from_end->lo : lo;
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{2}, width, 10 * width, std::int64_t{1} << 30U}) {
      for (const bool above : {true, false}) {
        if (where == (above ? Outside::Below : Outside::Above)) continue;
        const std::int64_t value = above ? hi + step : least - step;
        if (wrap_to(free.type.element, value) == value) values.push_back(value);
      }
    }
  }
  if (values.empty() || free.type.count() == 0) return std::nullopt;
  InputSet set = draw_inputs(relation, seed, 0);
  const auto to = set.free[input].as<std::int64_t>();
  if (only) to[*only % to.size()] = values[*only % values.size()];
  for (std::size_t k = 0; !only && k < to.size(); k += 2) to[k] = values[(k / 2) % values.size()];
  return set;
}

std::vector<Buffer> sequential_inputs(const Case& c, const InputSet& inputs, NumberMode mode) {
  return parameters(c, c.relation.sequential_inputs, inputs, mode);
}

InputSet InputSet::clone() const {
  InputSet copy{seed, regime, {}, beyond};
  for (const Buffer& buffer : free) copy.free.push_back(buffer.clone());
  return copy;
}

std::vector<Buffer> distributed_inputs(const Case& c, const InputSet& inputs, NumberMode mode) {
  return parameters(c, c.relation.distributed_inputs, inputs, mode);
}

Buffer distributed_input(const Case& c, std::size_t leaf, const InputSet& inputs, NumberMode mode) {
  return parameter(c, c.relation.distributed_inputs.at(leaf), leaf, inputs, mode);
}

SharedBuffers shared_sequential_inputs(const Case& c, const InputSet& inputs, NumberMode mode) {
  return shared_parameters(c, c.relation.sequential_inputs, inputs, mode);
}

SharedBuffers shared_distributed_inputs(const Case& c, const InputSet& inputs, NumberMode mode) {
  return shared_parameters(c, c.relation.distributed_inputs, inputs, mode);
}

}  // namespace gg
