// Integer arithmetic of HLO on single values: width and wrap, truncating division with its defined corner cases, shifts
// (architecture, section 6). Used to fold literals; kernels/numbers has its own, tests compare them.
#include "models/body/integers.h"

#include <limits>

namespace gg {

namespace {

using I64 = std::int64_t;
using U64 = std::uint64_t;

U64 u(I64 x) { return static_cast<U64>(x); }
I64 s(U64 x) { return static_cast<I64>(x); }

bool less(ElementType type, I64 a, I64 b) { return type == ElementType::U64 ? u(a) < u(b) : a < b; }

I64 minimum_of(ElementType type) { return is_signed(type) ? s(~U64{0} << (info(type).bits - 1)) : 0; }

// x/0 = -1 (all bits), MIN/-1 = MIN.
I64 divide(ElementType type, I64 a, I64 b) {
  if (b == 0) return -1;
  if (type == ElementType::U64) return s(u(a) / u(b));
  return b == -1 ? s(0 - u(a)) : a / b;
}

// x%0 = x, MIN%-1 = 0.
I64 remainder(ElementType type, I64 a, I64 b) {
  if (b == 0) return a;
  if (type == ElementType::U64) return s(u(a) % u(b));
  return b == -1 ? 0 : a % b;
}

// Shifts by the width or more give 0, the arithmetic one the sign.
I64 shift(ScalarFn fn, ElementType type, I64 a, I64 b) {
  const int bits = type == ElementType::Pred ? 1 : info(type).bits;
  const bool over = u(b) >= static_cast<U64>(bits);
  if (fn == ScalarFn::ShiftLeft) return over ? 0 : s(u(a) << b);
  const U64 field = bits == 64 ? u(a) : u(a) & ((U64{1} << bits) - 1);
  if (fn == ScalarFn::ShiftRightL) return over ? 0 : s(field >> b);
  const bool negative = (field >> (bits - 1) & 1) != 0;
  const I64 extended = negative && bits < 64 ? s(field | ~U64{0} << bits) : s(field);
  return extended >> (over ? 63 : b);
}

std::optional<I64> unary(ScalarFn fn, ElementType type, I64 a) {
  switch (fn) {
    case ScalarFn::Abs:
      return less(type, a, 0) ? s(0 - u(a)) : a;
    case ScalarFn::Negate:
      return s(0 - u(a));
    case ScalarFn::Not:
      return type == ElementType::Pred ? (a == 0 ? 1 : 0) : ~a;
    case ScalarFn::Sign:
      return less(type, a, 0) ? -1 : (a != 0 ? 1 : 0);
    default:
      return std::nullopt;
  }
}

std::optional<I64> binary(ScalarFn fn, ElementType type, I64 a, I64 b) {
  const bool pred = type == ElementType::Pred;
  switch (fn) {
    case ScalarFn::Add:
      return pred ? a | b : s(u(a) + u(b));
    case ScalarFn::Subtract:
      return pred ? std::nullopt : std::optional(s(u(a) - u(b)));
    case ScalarFn::Multiply:
      return pred ? a & b : s(u(a) * u(b));
    case ScalarFn::Divide:
      return pred ? std::nullopt : std::optional(divide(type, a, b));
    case ScalarFn::Remainder:
      return pred ? std::nullopt : std::optional(remainder(type, a, b));
    case ScalarFn::Max:
      return less(type, a, b) ? b : a;
    case ScalarFn::Min:
      return less(type, b, a) ? b : a;
    case ScalarFn::And:
      return a & b;
    case ScalarFn::Or:
      return a | b;
    case ScalarFn::Xor:
      return a ^ b;
    case ScalarFn::ShiftLeft:
    case ScalarFn::ShiftRightA:
    case ScalarFn::ShiftRightL:
      return shift(fn, type, a, b);
    case ScalarFn::CompareEq:
      return a == b;
    case ScalarFn::CompareNe:
      return a != b;
    case ScalarFn::CompareLt:
      return less(type, a, b);
    case ScalarFn::CompareLe:
      return !less(type, b, a);
    case ScalarFn::CompareGt:
      return less(type, b, a);
    case ScalarFn::CompareGe:
      return !less(type, a, b);
    default:
      return std::nullopt;
  }
}

}  // namespace

Interval integral_range(ElementType type) {
  if (type == ElementType::Pred) return {0, 1};
  const int bits = info(type).bits;
  if (is_signed(type)) return {minimum_of(type), s(~u(minimum_of(type)))};
  return {0, bits == 64 ? std::numeric_limits<I64>::max() : s((U64{1} << bits) - 1)};
}

std::optional<I64> integer_fn(ScalarFn fn, ElementType type, std::span<const I64> args) {
  std::optional<I64> r;
  if (args.size() == 1) r = unary(fn, type, args[0]);
  if (args.size() == 2) r = binary(fn, type, args[0], args[1]);
  if (args.size() == 3 && fn == ScalarFn::Clamp) {  // min(max(x, low), high)
    const I64 low = less(type, args[1], args[0]) ? args[0] : args[1];
    r = less(type, args[2], low) ? args[2] : low;
  }
  if (args.size() == 3 && fn == ScalarFn::Select) r = args[0] != 0 ? args[1] : args[2];
  if (!r) return r;
  const bool compares = info(fn).cls == ScalarClass::Order && info(fn).name.starts_with("compare.");
  return compares ? *r : wrap_to(type, *r);
}

}  // namespace gg
