#include "kernels/cuda/dot.h"

#include <cublas_v2.h>

#include <stdexcept>

namespace gg::cuda {
namespace {

struct TypeRow {
  DeviceType type;
  cudaDataType_t data;
  cublasComputeType_t compute;
};

constexpr TypeRow kTypes[] = {
    {DeviceType::F64, CUDA_R_64F, CUBLAS_COMPUTE_64F_PEDANTIC},
    {DeviceType::F32, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC},
    {DeviceType::F16, CUDA_R_16F, CUBLAS_COMPUTE_32F_PEDANTIC},
    {DeviceType::BF16, CUDA_R_16BF, CUBLAS_COMPUTE_32F_PEDANTIC},
};

cublasHandle_t handle_of(void* handle) { return static_cast<cublasHandle_t>(handle); }

}  // namespace

Blas::Blas() {
  cublasHandle_t handle = nullptr;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cublasCreate failed");
  cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH);
  handle_ = handle;
}

Blas::~Blas() { cublasDestroy(handle_of(handle_)); }

// cuBLAS is column-major: the row-major product is that of the transposes, c^T = w^T a^T.
int Blas::dot(DeviceType type, const DotShape& s, const void* a, const void* w, void* c, void* stream) {
  if (s.batch * s.m * s.n == 0) return 0;
  for (const TypeRow& row : kTypes) {
    if (row.type != type) continue;
    cublasSetStream(handle_of(handle_), static_cast<cudaStream_t>(stream));
    const double one64 = 1, zero64 = 0;
    const float one32 = 1, zero32 = 0;
    const bool wide = type == DeviceType::F64;
    const void* one = wide ? static_cast<const void*>(&one64) : &one32;
    const void* zero = wide ? static_cast<const void*>(&zero64) : &zero32;
    return static_cast<int>(cublasGemmStridedBatchedEx_64(
        handle_of(handle_), CUBLAS_OP_N, CUBLAS_OP_N, s.n, s.m, s.k, one, w, row.data, s.n, s.k * s.n, a, row.data,
        s.k > 0 ? s.k : 1, s.m * s.k, zero, c, row.data, s.n, s.m * s.n, s.batch, row.compute, CUBLAS_GEMM_DEFAULT));
  }
  return static_cast<int>(CUBLAS_STATUS_INVALID_VALUE);
}

}  // namespace gg::cuda
