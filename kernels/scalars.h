// Private to kernels/: arithmetic on single numbers of one float storage, for operators whose steps hang on each other.
#pragma once

#include "kernels/kernel_list.h"

namespace gg::kernels {

class Scalars {
 public:
  /// With so many numbers of its own.
  Scalars(Storage storage, ElementType type, NumberMode mode, std::int64_t cells) : storage_(storage), rounding_{type, mode}, cells_(storage, cells) {}
  void* cell(std::int64_t k) { return element(cells_, k); }
  void set(void* out, double value) const { store_scalar(storage_, out, rounding_.type, value, 0); }
  void apply(ScalarFn fn, void* out, const void* a, const void* b) {
    const Row rows[2] = {{a, 0}, {b, 0}};
    const Storage storages[2] = {storage_, storage_};
    const ElementType types[2] = {rounding_.type, rounding_.type};
    row_apply(fn, rounding_, storage_, out, rows, storages, types, 1, ties_);
  }
  /// A number of another type and storage.
  void convert(void* out, const void* a, Storage from, ElementType type) {
    const Row row{a, 0};
    row_apply(ScalarFn::Convert, rounding_, storage_, out, &row, &from, &type, 1, ties_);
  }

 private:
  Storage storage_;
  Rounding rounding_;
  Buffer cells_;
  TieCounter ties_;  ///< nobody asks
};

}  // namespace gg::kernels
