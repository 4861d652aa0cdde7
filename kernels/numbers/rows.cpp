// Dispatch of row kernels: one look-up a row in the table of the number type.
#include "kernels/numbers/rows.h"

#include <cstring>
#include <string>

#include "kernels/numbers/row_table.h"
#include "models/base/check.h"

namespace gg {
namespace numbers {

void refuse(ScalarFn fn, const char* domain) {
  GG_CHECK(false, std::string(info(fn).name) + " of " + domain);
  __builtin_unreachable();
}

namespace {

const RowTable& rows_of(Storage storage) {
  switch (storage) {
    case Storage::Int64:
      return int64_rows();
    case Storage::Double:
      return double_rows();
    case Storage::Real113:
      return real113_rows();
    case Storage::Real226:
      return real226_rows();
  }
  GG_CHECK(false, "storage out of range");
  __builtin_unreachable();
}

template <class T>
void copy_row(void* out, Row in, std::int64_t n) {
  auto* o = static_cast<T*>(out);
  const auto* data = static_cast<const T*>(in.data);
  if (in.stride == 1) {
    std::memmove(o, data, static_cast<std::size_t>(n) * sizeof(T));
  } else if (in.stride == 0) {
    const T value = *data;
    for (std::int64_t k = 0; k < n; ++k) o[k] = value;
  } else {
    for (std::int64_t k = 0; k < n; ++k) o[k] = data[k * in.stride];
  }
}

}  // namespace
}  // namespace numbers

void row_apply(ScalarFn fn, Rounding rounding, Storage storage, void* out, const Row* args, const Storage* arg_storages,
               const ElementType* arg_types, std::int64_t n, TieCounter& ties) {
  if (n == 0) return;
  // The number type of the row is its float storage, if it has one: compare reads floats, select's predicate is an
  // integer, convert has one side of each.
  Storage domain = storage;
  for (int k = 0; k < info(fn).arity && domain == Storage::Int64; ++k) domain = arg_storages[k];
  const numbers::RowContext context{rounding, arg_storages, arg_types, &ties.ties};
  numbers::rows_of(domain).apply[static_cast<std::size_t>(fn)](context, out, args, n);
}

void row_accumulate(ScalarFn monoid, Rounding rounding, Storage storage, void* acc, Row x, std::int64_t n,
                    TieCounter& ties) {
  const Row args[2] = {{acc, 1}, x};
  const Storage storages[2] = {storage, storage};
  const ElementType types[2] = {rounding.type, rounding.type};
  row_apply(monoid, rounding, storage, acc, args, storages, types, n, ties);
}

void row_multiply_add(Rounding rounding, Storage storage, void* acc, Row a, Row b, std::int64_t n) {
  if (n == 0) return;
  const Storage storages[2] = {storage, storage};
  const ElementType types[2] = {rounding.type, rounding.type};
  std::int64_t none = 0;
  numbers::rows_of(storage).multiply_add({rounding, storages, types, &none}, acc, a, b, n);
}

void row_fold(ScalarFn monoid, Rounding rounding, Storage storage, void* acc, Row x, std::int64_t n, TieCounter& ties) {
  if (n == 0) return;
  const auto fold = numbers::rows_of(storage).fold[static_cast<std::size_t>(monoid)];
  GG_CHECK(fold != nullptr, "fold with " + std::string(info(monoid).name));
  const Storage storages[2] = {storage, storage};
  const ElementType types[2] = {rounding.type, rounding.type};
  fold({rounding, storages, types, &ties.ties}, acc, x, n);
}

void row_copy(Storage storage, void* out, Row in, std::int64_t n) {
  if (n == 0) return;
  switch (storage) {
    case Storage::Int64:
      return numbers::copy_row<std::int64_t>(out, in, n);
    case Storage::Double:
      return numbers::copy_row<double>(out, in, n);
    case Storage::Real113:
      return numbers::copy_row<Real113>(out, in, n);
    case Storage::Real226:
      return numbers::copy_row<Real226>(out, in, n);
  }
}

void store_scalar(Storage storage, void* out, ElementType type, double real, std::int64_t integer) {
  switch (storage) {
    case Storage::Int64:
      *static_cast<std::int64_t*>(out) = wrap_to(type, integer);
      return;
    case Storage::Double:
      *static_cast<double*>(out) = real;
      return;
    case Storage::Real113:
      *static_cast<Real113*>(out) = RealOps<Real113>::from_double(real);
      return;
    case Storage::Real226:
      *static_cast<Real226*>(out) = RealOps<Real226>::from_double(real);
      return;
  }
}

ElementType accumulation_type(ElementType type, NumberMode mode) {
  const bool narrow = is_float(type) && info(type).bits < 32;
  return mode == NumberMode::Model && narrow ? ElementType::F32 : type;
}

}  // namespace gg
