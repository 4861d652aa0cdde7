// Row kernels of integers and pred: exact two's complement of the element type's width, kept as int64 (u64 as its bit
// pattern). Every function computes modulo 2^64; finish_integers brings a row to its width afterwards.
#include <bit>

#include "kernels/numbers/row_loops.h"
#include "kernels/numbers/scalar_values.h"

namespace gg::numbers {
namespace {

using Int = std::int64_t;
using Word = std::uint64_t;

Int wrapping(Word value) { return std::bit_cast<Int>(value); }
Word word(Int value) { return std::bit_cast<Word>(value); }

scalar::Integers form_of(ElementType type) {
  return {type == ElementType::Pred ? 1 : info(type).bits, info(type).kind != ElementKind::Signed, type == ElementType::Pred};
}

struct IntDomain {
  using Stored = Int;
  using Value = Int;
  static constexpr bool kFast = true;

  explicit IntDomain(const RowContext& context) : type(form_of(operand_type(context))) {}
  scalar::Integers type;

  static Int load(Int value) { return value; }
  static void store(Int& out, Int value) { out = value; }
  static Int settle(Int value) { return value; }

  template <ScalarFn F, class... Rest>
  auto operator()(Fn<F>, Int a, Rest... rest) const {
    const Int x[3] = {a, rest...};
    if constexpr (of_floats_only(F)) refuse(F, "integers");
    if constexpr (scalar::compares(F)) return scalar::compared(F, x[0] ^ type.bias(), x[1] ^ type.bias());
    else return scalar::integer_value(F, type, x[0], x[1], x[2]);
  }
};

constexpr RowTable kTable = make_row_table<IntDomain>();

}  // namespace

const RowTable& int64_rows() { return kTable; }

void finish_integers(ElementType type, Int* out, Int n) {
  const scalar::Integers d = form_of(type);
  const Word mask = d.mask();
  if (d.pred) {
    for (Int k = 0; k < n; ++k) out[k] = out[k] != 0 ? 1 : 0;
  } else if (d.bits < 64 && d.is_unsigned) {
    for (Int k = 0; k < n; ++k) out[k] = wrapping(word(out[k]) & mask);
  } else if (d.bits < 64) {
    const Word sign = Word{1} << (d.bits - 1);
    for (Int k = 0; k < n; ++k) out[k] = wrapping(((word(out[k]) & mask) ^ sign) - sign);
  }
}

IntegerRange range_of(ElementType type) { return {form_of(type).low(), form_of(type).high()}; }

Int to_integer(double value, ElementType type) { return scalar::to_integer(form_of(type), value); }

}  // namespace gg::numbers
