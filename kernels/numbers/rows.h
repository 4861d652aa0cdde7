// Row kernels: one scalar function over a row of values, for each storage type. The plan executor calls nothing else,
// so a number type is complete when these five exist for it.
#pragma once

#include <cstdint>

#include "kernels/numbers/buffer.h"
#include "models/body/scalar.h"

namespace gg {

/// How results are rounded: the element type of the result and the mode. Real and F64 modes do not round floats.
struct Rounding {
  ElementType type;
  NumberMode mode;
};

/// Comparisons and conversions to integers that a ball straddles are ties: what hangs on their outcome is undecided. Reals only.
struct TieCounter {
  std::int64_t ties = 0;
  std::int64_t open = 0;  ///< equal elements of rows that are put in order, which of them comes first is not specified (Attr::OpenTies)
};

/// A row operand: element k is data[k * stride] (stride in elements; 0 = one value for the row). Storage by context.
struct Row {
  const void* data;
  std::int64_t stride;
};

/// out[k] = fn(args[0][k], ...), k < n. `storage` is that of the result; argument storages are given (convert, compare
/// and select mix them). out may alias an argument of the same storage at stride 1.
void row_apply(ScalarFn fn, Rounding rounding, Storage storage, void* out, const Row* args, const Storage* arg_storages,
               const ElementType* arg_types, std::int64_t n, TieCounter& ties);
/// acc[k] = acc[k] op x[k].
void row_accumulate(ScalarFn monoid, Rounding rounding, Storage storage, void* acc, Row x, std::int64_t n,
                    TieCounter& ties);
/// Rows one after the other: how many, and how far each operand's next one is (in elements).
struct Turns {
  std::int64_t count = 1, a = 0, b = 0;
};
/// acc[k] = acc[k] + a[k] * b[k], row after row, each step rounded as `rounding` says.
void row_multiply_add(Rounding rounding, Storage storage, void* acc, Row a, Row b, std::int64_t n, Turns turns = {});
/// *acc += the sum of a[k] * b[k], k < n, in no order: balls, which enclose it in any. False: another storage, nothing done.
bool row_dot(Storage storage, void* acc, Row a, Row b, std::int64_t n);
/// Horizontal fold of a row into *acc, ascending order.
void row_fold(ScalarFn monoid, Rounding rounding, Storage storage, void* acc, Row x, std::int64_t n, TieCounter& ties);
/// out[k] = in[k * stride].
void row_copy(Storage storage, void* out, Row in, std::int64_t n);
/// Writes one literal.
void store_scalar(Storage storage, void* out, ElementType type, double real, std::int64_t integer);

/// The type in which a fold accumulates: f32 for bf16/f16 and narrower floats in Model mode, else the type itself.
ElementType accumulation_type(ElementType type, NumberMode mode);

}  // namespace gg
