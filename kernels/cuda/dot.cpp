#include "kernels/cuda/dot.h"

#include <cublas_v2.h>

#include <stdexcept>
#include <string>

namespace gg::cuda {
namespace {

using device::Element;

struct TypeRow {
  Element type;
  cudaDataType_t data;
  cublasComputeType_t compute;
};

constexpr TypeRow kTypes[] = {
    {Element::F64, CUDA_R_64F, CUBLAS_COMPUTE_64F_PEDANTIC},
    {Element::F32, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC},
    {Element::F16, CUDA_R_16F, CUBLAS_COMPUTE_32F_PEDANTIC},
    {Element::BF16, CUDA_R_16BF, CUBLAS_COMPUTE_32F_PEDANTIC},
};

const TypeRow* row_of(Element type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

cublasHandle_t handle_of(void* handle) { return static_cast<cublasHandle_t>(handle); }

/// The functions of cuBLAS that are used, looked up once.
struct Api {
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasDestroy_v2) destroy = nullptr;
  decltype(&cublasSetMathMode) set_math_mode = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasGemmStridedBatchedEx_64) gemm = nullptr;
};
Api api;

template <class F>
void look_up(const SymbolLookup& find, F& function, const char* name) {
  function = reinterpret_cast<F>(find(name));
  if (function == nullptr) throw std::runtime_error(std::string("this cuBLAS has no ") + name);
}

}  // namespace

Blas::Blas(const SymbolLookup& find) {
  look_up(find, api.create, "cublasCreate_v2");
  look_up(find, api.destroy, "cublasDestroy_v2");
  look_up(find, api.set_math_mode, "cublasSetMathMode");
  look_up(find, api.set_stream, "cublasSetStream_v2");
  look_up(find, api.gemm, "cublasGemmStridedBatchedEx_64");
  cublasHandle_t handle = nullptr;
  if (api.create(&handle) != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cublasCreate failed");
  api.set_math_mode(handle, CUBLAS_PEDANTIC_MATH);
  handle_ = handle;
}

bool Blas::multiplies(Element type) { return row_of(type) != nullptr; }

Blas::~Blas() { api.destroy(handle_of(handle_)); }

// cuBLAS is column-major: the row-major product is that of the transposes, c^T = w^T a^T.
int Blas::dot(Element type, Element result, const DotShape& s, const void* a, const void* w, void* c, void* stream) {
  if (s.batch * s.m * s.n == 0) return 0;
  const TypeRow* in = row_of(type);
  const TypeRow* out = row_of(result);
  if (in == nullptr || out == nullptr) return static_cast<int>(CUBLAS_STATUS_INVALID_VALUE);
  api.set_stream(handle_of(handle_), static_cast<cudaStream_t>(stream));
  const double one64 = 1, zero64 = 0;
  const float one32 = 1, zero32 = 0;
  const bool wide = type == Element::F64;
  const void* one = wide ? static_cast<const void*>(&one64) : &one32;
  const void* zero = wide ? static_cast<const void*>(&zero64) : &zero32;
  return static_cast<int>(api.gemm(handle_of(handle_), CUBLAS_OP_N, CUBLAS_OP_N, s.n, s.m, s.k, one, w, in->data, s.n, s.k * s.n, a,
                                   in->data, s.k > 0 ? s.k : 1, s.m * s.k, zero, c, out->data, s.n, s.m * s.n, s.batch,
                                   in->compute, CUBLAS_GEMM_DEFAULT));
}

}  // namespace gg::cuda
