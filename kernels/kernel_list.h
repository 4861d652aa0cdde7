// Private to kernels/: the kernels and the conditions under which they apply, by file.
#pragma once

#include "kernels/kernels.h"

namespace gg::kernels {

#define GG_KERNEL(name)                                                                \
  bool name##_applies(const Call& call, NumberMode mode);                              \
  void name(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode, \
            std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties)

GG_KERNEL(bitcast_convert);     // bitcast.cpp
GG_KERNEL(cholesky);            // linear_algebra.cpp
GG_KERNEL(dot);                 // dot.cpp
GG_KERNEL(opaque_call);         // opaque_call.cpp
GG_KERNEL(random_bits);         // opaque_call.cpp
GG_KERNEL(reduce);              // ordered_fold.cpp
GG_KERNEL(reduce_window);       // ordered_fold.cpp
GG_KERNEL(scatter);             // scatter.cpp
GG_KERNEL(select_and_scatter);  // select_and_scatter.cpp
GG_KERNEL(triangular_solve);    // linear_algebra.cpp
GG_KERNEL(sort);                // sort.cpp
GG_KERNEL(topk);                // sort.cpp

#undef GG_KERNEL

/// Row-major strides of an array of these extents, in elements.
std::vector<std::int64_t> strides_of(std::span<const std::int64_t> extents);

/// Address of element `index` of a buffer, and the step between its elements in bytes.
inline const unsigned char* element(const Buffer& buffer, std::int64_t index) {
  return static_cast<const unsigned char*>(buffer.data()) +
         static_cast<std::size_t>(index) * bytes_of(buffer.storage());
}
inline unsigned char* element(Buffer& buffer, std::int64_t index) {
  return static_cast<unsigned char*>(buffer.data()) + static_cast<std::size_t>(index) * bytes_of(buffer.storage());
}

/// Counts an index tuple up in row-major order; false after the last one.
bool next_index(std::vector<std::int64_t>& index, std::span<const std::int64_t> extents);

/// Address of a window's tap in an array. Nothing on padding, which holds the initial value, and on holes of a dilated base.
std::optional<std::int64_t> window_tap(std::span<const WindowDim> window, std::span<const std::int64_t> place, std::span<const std::int64_t> tap,
                                       std::span<const std::int64_t> dims, std::span<const std::int64_t> strides);

/// Arithmetic on single numbers of one float storage, for operators whose steps hang on each other.
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
