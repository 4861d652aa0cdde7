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
  return with_storage(storage, [](auto element) -> const RowTable& {
    using T = decltype(element);
    if constexpr (kIsBall<T>) return ball_rows<T>();
    else if constexpr (std::is_same_v<T, double>) return double_rows();
    else return int64_rows();
  });
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

void row_multiply_add(Rounding rounding, Storage storage, void* acc, Row a, Row b, std::int64_t n, Turns turns) {
  if (n == 0) return;
  const Storage storages[2] = {storage, storage};
  const ElementType types[2] = {rounding.type, rounding.type};
  std::int64_t none = 0;
  numbers::rows_of(storage).multiply_add({rounding, storages, types, &none}, acc, a, b, n, turns);
}

void row_fold(ScalarFn monoid, Rounding rounding, Storage storage, void* acc, Row x, std::int64_t n, TieCounter& ties) {
  if (n == 0) return;
  const auto fold = numbers::rows_of(storage).fold[static_cast<std::size_t>(monoid)];
  GG_CHECK(fold != nullptr, "fold with " + std::string(info(monoid).name));
  const Storage storages[2] = {storage, storage};
  const ElementType types[2] = {rounding.type, rounding.type};
  fold({rounding, storages, types, &ties.ties}, acc, x, n);
}

bool row_dot(Storage storage, void* acc, Row a, Row b, std::int64_t n) {
  const auto dot = numbers::rows_of(storage).dot;
  if (dot == nullptr) return false;
  const Storage storages[2] = {storage, storage};
  const ElementType types[2] = {ElementType::F64, ElementType::F64};
  std::int64_t none = 0;
  dot({{ElementType::F64, NumberMode::Real}, storages, types, &none}, acc, a, b, n);
  return true;
}

void row_copy(Storage storage, void* out, Row in, std::int64_t n) {
  if (n == 0) return;
  with_storage(storage, [&](auto element) { numbers::copy_row<decltype(element)>(out, in, n); });
}

void store_scalar(Storage storage, void* out, ElementType type, double real, std::int64_t integer) {
  with_storage(storage, [&](auto element) {
    using T = decltype(element);
    if constexpr (kIsBall<T>) *static_cast<T*>(out) = BallOps<T>::from_double(real);
    else if constexpr (std::is_same_v<T, double>) *static_cast<T*>(out) = real;
    else *static_cast<T*>(out) = wrap_to(type, integer);
  });
}

ElementType accumulation_type(ElementType type, NumberMode mode) {
  const bool narrow = is_float(type) && info(type).bits < 32;
  return mode == NumberMode::Model && narrow ? ElementType::F32 : type;
}

}  // namespace gg
