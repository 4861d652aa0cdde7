// Matrix products on the GPU through cuBLAS, in the precision of their types: no TF32, no reduced-precision accumulation.
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/device/code.h"

namespace gg::cuda {

/// c[b, m, n] = sum_k a[b, m, k] * w[b, k, n], row-major; f16 and bf16 accumulate in f32 and round once.
struct DotShape {
  std::int64_t batch = 1, m = 0, n = 0, k = 0;
};

/// A function of the cuBLAS that was found at run time, by name; null if it has none.
using SymbolLookup = std::function<void*(const char*)>;

/// A cuBLAS handle of this process. Not thread safe.
class Blas {
 public:
  /// Throws std::runtime_error.
  explicit Blas(const SymbolLookup& find);
  ~Blas();
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;
  /// Are there products of this type? Not of integers.
  static bool multiplies(device::Element type);
  /// Operands of `type`, result of `result`: the same, or f32 for narrower operands. Returns a cuBLAS status, 0 for success.
  int dot(device::Element type, device::Element result, const DotShape& shape, const void* a, const void* w, void* c, void* stream);

 private:
  void* handle_ = nullptr;
};

}  // namespace gg::cuda
