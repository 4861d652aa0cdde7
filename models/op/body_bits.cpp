// Bodies written with bits: counts of them, and values read from the bits of another type. Over the reals rounding is not
// modelled, so reduce-precision and stochastic-convert are conversions.
#include <limits>

#include "models/op/body_support.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// Expressions of one element type, written shortly.
struct Words {
  Arena& arena;
  ElementType type;

  ExprId number(std::int64_t value) const {
    return arena.lit(Scalar::whole(type, value));
  }
  ExprId fn(ScalarFn f, std::initializer_list<ExprId> kids) const { return arena.fn(f, type, {kids.begin(), kids.size()}); }
  ExprId test(ScalarFn f, ExprId a, ExprId b) const {
    const ExprId both[] = {a, b};
    return arena.fn(f, ElementType::Pred, both);
  }
  ExprId equals(ExprId a, std::int64_t b) const { return test(ScalarFn::CompareEq, a, number(b)); }
  ExprId select(ExprId condition, ExprId yes, ExprId no) const { return fn(ScalarFn::Select, {condition, yes, no}); }
  ExprId from(ExprId value) const {
    return arena[value].type == type ? value : arena.fn(ScalarFn::Convert, type, {&value, 1});
  }
  ExprId field(ExprId value, std::int64_t shift, int bits) const {
    if (shift != 0) value = fn(ScalarFn::ShiftRightL, {value, number(shift)});
    return fn(ScalarFn::And, {value, number((std::int64_t{1} << bits) - 1)});
  }
};

ElementType unsigned_of(int bits) {
  switch (bits) {
    case 2: return ElementType::U2;
    case 4: return ElementType::U4;
    case 8: return ElementType::U8;
    case 16: return ElementType::U16;
    case 32: return ElementType::U32;
    default: return ElementType::U64;
  }
}

/// Powers whose exponents stay below 32 are exact in every number type: 2^y = (2^64)^a (2^8)^b 2^c, truncated towards 0.
ExprId power_of_two(const Words& f, ExprId y, int largest) {
  const Words integers{f.arena, ElementType::S32};
  const auto power = [&](double base, ExprId exponent) {
    return f.fn(ScalarFn::Power, {f.arena.lit(Scalar::of(f.type, base)), f.from(exponent)});
  };
  if (largest < 32) return power(2, y);
  const int step = largest < 256 ? 16 : 64;
  const ExprId high = integers.fn(ScalarFn::Divide, {y, integers.number(step)});
  const ExprId low = integers.fn(ScalarFn::Remainder, {y, integers.number(step)});
  const ExprId coarse = power(step == 16 ? 0x1p16 : 0x1p64, high);
  if (step == 16) return f.fn(ScalarFn::Multiply, {coarse, power(2, low)});
  const ExprId middle = integers.fn(ScalarFn::Divide, {low, integers.number(8)});
  const ExprId rest = integers.fn(ScalarFn::Remainder, {low, integers.number(8)});
  return f.fn(ScalarFn::Multiply, {f.fn(ScalarFn::Multiply, {coarse, power(256, middle)}), power(2, rest)});
}

/// The float whose bits are `bits` (of the unsigned type of its width).
ExprId float_of_bits(Arena& arena, ExprId bits, ElementType to) {
  const ElementInfo& row = info(to);
  const Words u{arena, arena[bits].type}, f{arena, to}, s{arena, ElementType::S32};
  const ExprId nan = arena.lit(Scalar::of(to, std::numeric_limits<double>::quiet_NaN()));
  const int mantissa = row.significand - 1;
  if (to == ElementType::F8E8M0FNU) {
    const ExprId value = power_of_two(f, s.fn(ScalarFn::Subtract, {s.from(bits), s.number(127)}), 128);
    return f.select(u.equals(bits, 255), nan, value);
  }
  const int exponent = row.bits - 1 - mantissa;
  const ExprId m = u.field(bits, 0, mantissa), e = u.field(bits, mantissa, exponent);
  const ExprId sign = u.field(bits, row.bits - 1, 1);
  // (m + 2^mantissa) 2^(e - 1 + low - mantissa), without the hidden bit for e = 0, which counts as e = 1.
  const ExprId subnormal = u.equals(e, 0);
  const ExprId lifted = s.select(subnormal, s.number(1), s.from(e));
  const ExprId y = s.fn(ScalarFn::Add, {lifted, s.number(row.low - 1 - mantissa)});
  const ExprId hidden = f.select(subnormal, f.number(0), f.number(std::int64_t{1} << mantissa));
  const ExprId scale = power_of_two(f, y, std::max(row.high, mantissa - row.low) + 1);
  ExprId value = f.fn(ScalarFn::Multiply, {f.fn(ScalarFn::Add, {f.from(m), hidden}), scale});
  const std::int64_t last = (std::int64_t{1} << exponent) - 1;
  if (has_infinity(to)) {
    const ExprId infinite = arena.lit(Scalar::of(to, std::numeric_limits<double>::infinity()));
    value = f.select(u.equals(e, last), f.select(u.equals(m, 0), infinite, nan), value);
  } else if (to == ElementType::F8E4M3FN) {
    value = f.select(u.equals(u.field(bits, 0, 7), 127), nan, value);
  }
  value = f.select(u.equals(sign, 1), f.fn(ScalarFn::Negate, {value}), value);
  const bool one_nan = to == ElementType::F8E4M3FNUZ || to == ElementType::F8E5M2FNUZ || to == ElementType::F8E4M3B11FNUZ;
  return one_nan ? f.select(u.equals(bits, 128), nan, value) : value;
}

}  // namespace

/// sum over k of bit k.
Body popcnt_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const std::int64_t bits[] = {info(lift.type.element).bits};
  const Words u{arena, unsigned_of(static_cast<int>(bits[0]))};
  const ExprId shift = arena.index(lift.fold_var(0, bits[0]), u.type);
  const ExprId shifted = u.fn(ScalarFn::ShiftRightL, {u.from(lift.read(0, lift.index)), shift});
  const ExprId bit = u.fn(ScalarFn::And, {shifted, u.number(1)});
  return lift.finish(
      lift.convert(arena.fold(ScalarFn::Add, u.number(0), lift.depth(), bits, arena.always(), bit), lift.type.element));
}

/// The number of shifts k < width with x >> k = 0.
Body count_leading_zeros_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const std::int64_t bits[] = {info(lift.type.element).bits};
  const Words u{arena, unsigned_of(static_cast<int>(bits[0]))};
  const ExprId shift = arena.index(lift.fold_var(0, bits[0]), u.type);
  const ExprId shifted = u.fn(ScalarFn::ShiftRightL, {u.from(lift.read(0, lift.index)), shift});
  const ExprId empty = u.select(u.equals(shifted, 0), u.number(1), u.number(0));
  return lift.finish(
      lift.convert(arena.fold(ScalarFn::Add, u.number(0), lift.depth(), bits, arena.always(), empty), lift.type.element));
}

/// Integers in, anything out; wider elements in pieces along a new last dimension, least significant first.
Body bitcast_convert_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Type& operand = *call.operands[0];
  const int from = info(operand.element).bits, to = info(lift.type.element).bits;
  if (operand.element == lift.type.element) return lift.finish(lift.read(0, lift.index));
  if (is_float(operand.element)) {
    refuse_form("bitcast-convert of floats is computed, but has no body: bits are no function of a real number");
  }
  std::vector<LinId> position = lift.index;
  const Words u{arena, unsigned_of(to)};
  ExprId bits;
  if (from == to) {
    bits = u.from(lift.read(0, position));
  } else if (from > to) {
    position.pop_back();
    const Words wide{arena, unsigned_of(from)};
    const ExprId shift = arena.index(arena.scale(to, lift.index.back()), wide.type);
    bits = u.from(wide.fn(ScalarFn::ShiftRightL, {wide.from(lift.read(0, position)), shift}));
  } else {
    const std::int64_t pieces[] = {to / from};
    const LinId piece = lift.fold_var(0, pieces[0]);
    position.push_back(piece);
    const Words narrow{arena, unsigned_of(from)};
    const ExprId part = u.from(narrow.from(lift.read(0, position)));
    const ExprId moved = u.fn(ScalarFn::ShiftLeft, {part, arena.index(arena.scale(from, piece), u.type)});
    bits = arena.fold(ScalarFn::Or, u.number(0), lift.depth(), pieces, arena.always(), moved);
  }
  if (is_float(lift.type.element)) return lift.finish(float_of_bits(arena, bits, lift.type.element));
  return lift.finish(lift.convert(bits, lift.type.element));
}

/// Through the float type with these bits, where there is one: rounding is modelled in runs with model types only.
Body reduce_precision_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const std::int64_t exponent = call.attributes->integer(Attr::ExponentBits);
  const std::int64_t mantissa = call.attributes->integer(Attr::MantissaBits);
  const ExprId value = lift.read(0, lift.index);
  constexpr ElementType kTypes[] = {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F8E5M2,
                                    ElementType::F8E4M3, ElementType::F8E3M4};
  for (const ElementType type : kTypes) {
    const ElementInfo& row = info(type);
    if (row.significand - 1 != mantissa || row.bits - row.significand != exponent || type == lift.type.element) continue;
    return lift.finish(lift.convert(lift.convert(value, type), lift.type.element));
  }
  return lift.finish(value);
}

/// Rounding up or down by the random bits: over the reals the value itself.
Body stochastic_convert_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  if (!is_float(lift.type.element)) {
    refuse_form("stochastic-convert to " + std::string(info(lift.type.element).name) + " depends on the random bits");
  }
  return lift.finish(lift.convert(lift.read(0, lift.index), lift.type.element));
}

}  // namespace gg
