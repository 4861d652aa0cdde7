// Row kernels of integers and pred: exact two's complement of the element type's width, kept as int64 (u64 as its bit
// pattern). Every function computes modulo 2^64; finish_integers brings a row to its width afterwards.
#include <bit>

#include "kernels/numbers/row_loops.h"

namespace gg::numbers {
namespace {

using Int = std::int64_t;
using Word = std::uint64_t;
constexpr Int kMin = INT64_MIN;

Int wrapping(Word value) { return std::bit_cast<Int>(value); }
Word word(Int value) { return std::bit_cast<Word>(value); }

struct IntDomain {
  using Stored = Int;
  using Value = Int;
  static constexpr bool kFast = true;

  explicit IntDomain(const RowContext& context) : IntDomain(operand_type(context)) {}
  explicit IntDomain(ElementType type)
      : bits(type == ElementType::Pred ? 1 : info(type).bits),
        pred(type == ElementType::Pred),
        is_unsigned(info(type).kind != ElementKind::Signed),
        bias(type == ElementType::U64 ? kMin : 0),
        mask(bits >= 64 ? ~Word{0} : (Word{1} << bits) - 1) {}

  int bits;
  bool pred;
  bool is_unsigned;
  Int bias;   ///< added to both sides of a comparison: orders the bit patterns of u64
  Word mask;  ///< the bits of the type

  static Int load(Int value) { return value; }
  static void store(Int& out, Int value) { out = value; }
  static Int settle(Int value) { return value; }

  Int operator()(Fn<ScalarFn::Add>, Int a, Int b) const { return wrapping(word(a) + word(b)); }
  Int operator()(Fn<ScalarFn::Subtract>, Int a, Int b) const { return wrapping(word(a) - word(b)); }
  Int operator()(Fn<ScalarFn::Multiply>, Int a, Int b) const { return wrapping(word(a) * word(b)); }
  Int operator()(Fn<ScalarFn::Negate>, Int a) const { return wrapping(-word(a)); }
  Int operator()(Fn<ScalarFn::Abs>, Int a) const { return is_unsigned || a >= 0 ? a : wrapping(-word(a)); }
  Int operator()(Fn<ScalarFn::Sign>, Int a) const { return is_unsigned ? (a != 0) : (a > 0) - (a < 0); }

  Int operator()(Fn<ScalarFn::Divide>, Int a, Int b) const {
    if (b == 0) return -1;
    if (is_unsigned) return wrapping(word(a) / word(b));
    return b == -1 ? wrapping(-word(a)) : a / b;  // the smallest / -1 wraps
  }
  Int operator()(Fn<ScalarFn::Remainder>, Int a, Int b) const {
    if (b == 0) return a;
    if (is_unsigned) return wrapping(word(a) % word(b));
    return b == -1 ? 0 : a % b;
  }
  /// Powers wrap; a negative exponent gives the truncated quotient 1 / a^|b| (XLA), with 1 / 0 read as 0.
  Int operator()(Fn<ScalarFn::Power>, Int a, Int b) const {
    if (!is_unsigned && b < 0) return a == 1 ? 1 : a == -1 ? ((b & 1) != 0 ? -1 : 1) : 0;
    Word result = 1, base = word(a);
    for (Word e = word(b); e != 0; e >>= 1U, base *= base) {
      if ((e & 1U) != 0) result *= base;
    }
    return wrapping(result);
  }

  Int operator()(Fn<ScalarFn::And>, Int a, Int b) const { return a & b; }
  Int operator()(Fn<ScalarFn::Or>, Int a, Int b) const { return a | b; }
  Int operator()(Fn<ScalarFn::Xor>, Int a, Int b) const { return a ^ b; }
  Int operator()(Fn<ScalarFn::Not>, Int a) const { return pred ? 1 - a : ~a; }

  /// Shift amounts are read as unsigned: a negative one is beyond every width.
  bool beyond(Int amount) const { return (word(amount) & mask) >= static_cast<Word>(bits); }
  Int operator()(Fn<ScalarFn::ShiftLeft>, Int a, Int b) const {
    return beyond(b) ? 0 : wrapping(word(a) << (word(b) & 63U));
  }
  Int operator()(Fn<ScalarFn::ShiftRightL>, Int a, Int b) const {
    return beyond(b) ? 0 : wrapping((word(a) & mask) >> (word(b) & 63U));
  }
  /// The sign bit of the type is copied in, for unsigned types too.
  Int operator()(Fn<ScalarFn::ShiftRightA>, Int a, Int b) const {
    const int unused = 64 - bits;
    const Int value = wrapping(word(a) << unused) >> unused;
    return value >> (beyond(b) ? 63 : static_cast<int>(word(b) & 63U));
  }

  Int biased(Int a) const { return a ^ bias; }
  Int operator()(Fn<ScalarFn::Max>, Int a, Int b) const { return biased(a) < biased(b) ? b : a; }
  Int operator()(Fn<ScalarFn::Min>, Int a, Int b) const { return biased(b) < biased(a) ? b : a; }
  Int operator()(Fn<ScalarFn::Clamp>, Int low, Int a, Int high) const {
    return (*this)(Fn<ScalarFn::Min>{}, (*this)(Fn<ScalarFn::Max>{}, low, a), high);
  }
  bool operator()(Fn<ScalarFn::CompareEq>, Int a, Int b) const { return a == b; }
  bool operator()(Fn<ScalarFn::CompareNe>, Int a, Int b) const { return a != b; }
  bool operator()(Fn<ScalarFn::CompareLt>, Int a, Int b) const { return biased(a) < biased(b); }
  bool operator()(Fn<ScalarFn::CompareLe>, Int a, Int b) const { return biased(a) <= biased(b); }
  bool operator()(Fn<ScalarFn::CompareGt>, Int a, Int b) const { return biased(a) > biased(b); }
  bool operator()(Fn<ScalarFn::CompareGe>, Int a, Int b) const { return biased(a) >= biased(b); }

  /// Functions of floats only: no type rule lets them through.
  template <ScalarFn F>
  static constexpr bool kFloatOnly =
      F == ScalarFn::Cbrt || F == ScalarFn::Ceil || F == ScalarFn::Cos || F == ScalarFn::Erf || F == ScalarFn::Exp ||
      F == ScalarFn::Expm1 || F == ScalarFn::Floor || F == ScalarFn::Log || F == ScalarFn::Log1p ||
      F == ScalarFn::Logistic || F == ScalarFn::RoundAfz || F == ScalarFn::RoundEven || F == ScalarFn::Rsqrt ||
      F == ScalarFn::Sin || F == ScalarFn::Sqrt || F == ScalarFn::Tan || F == ScalarFn::Tanh;
  template <ScalarFn F>
  requires kFloatOnly<F> Int operator()(Fn<F>, Int) const { refuse(F, "integers"); }
  Int operator()(Fn<ScalarFn::Atan2>, Int, Int) const { refuse(ScalarFn::Atan2, "integers"); }
  bool operator()(Fn<ScalarFn::IsFinite>, Int) const { refuse(ScalarFn::IsFinite, "integers"); }
};

constexpr RowTable kTable = make_row_table<IntDomain>();

}  // namespace

const RowTable& int64_rows() { return kTable; }

void finish_integers(ElementType type, Int* out, Int n) {
  const IntDomain d(type);
  if (d.pred) {
    for (Int k = 0; k < n; ++k) out[k] = out[k] != 0 ? 1 : 0;
  } else if (d.bits < 64 && d.is_unsigned) {
    for (Int k = 0; k < n; ++k) out[k] = wrapping(word(out[k]) & d.mask);
  } else if (d.bits < 64) {
    const Word sign = Word{1} << (d.bits - 1);
    for (Int k = 0; k < n; ++k) out[k] = wrapping(((word(out[k]) & d.mask) ^ sign) - sign);
  }
}

IntegerRange range_of(ElementType type) {
  const IntDomain d(type);
  if (d.is_unsigned) return {0, wrapping(d.mask)};
  return {wrapping(~(d.mask >> 1U)), wrapping(d.mask >> 1U)};
}

}  // namespace gg::numbers
