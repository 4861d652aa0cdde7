// Element types and launch helpers of the device kernels.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/device_kernels.h"

namespace gg::cuda {

inline constexpr int kThreads = 256;
inline constexpr std::int64_t kMaxBlocks = 65535;

inline int blocks_for(std::int64_t count) {
  const std::int64_t blocks = (count + kThreads - 1) / kThreads;
  return static_cast<int>(blocks < 1 ? 1 : blocks > kMaxBlocks ? kMaxBlocks : blocks);
}

inline cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }
inline int launched() { return static_cast<int>(cudaGetLastError()); }

/// The type in which an element type is computed.
template <class T>
struct Wide {
  using type = T;
};
template <>
struct Wide<__half> {
  using type = float;
};
template <>
struct Wide<__nv_bfloat16> {
  using type = float;
};
template <class T>
using WideOf = typename Wide<T>::type;

template <class T>
__device__ WideOf<T> widen(T value) {
  if constexpr (sizeof(WideOf<T>) == sizeof(T)) return value;
  else return static_cast<float>(value);
}
template <class T>
__device__ T narrow(WideOf<T> value) {
  if constexpr (sizeof(WideOf<T>) == sizeof(T)) return value;
  else return T(value);
}

/// NaN wins, as in HLO's maximum and minimum.
template <class W>
__device__ W larger(W a, W b) {
  return a != a ? a : b != b ? b : a < b ? b : a;
}
template <class W>
__device__ W smaller(W a, W b) {
  return a != a ? a : b != b ? b : b < a ? b : a;
}

template <class W>
__device__ W divide(W a, W b) {
  return a / b;
}
// Integers by HLO's rules: x / 0 = -1, MIN / -1 = MIN.
template <>
__device__ inline std::int64_t divide(std::int64_t a, std::int64_t b) {
  if (b == 0) return -1;
  return b == -1 ? static_cast<std::int64_t>(0ULL - static_cast<unsigned long long>(a)) : a / b;
}
template <>
__device__ inline std::int32_t divide(std::int32_t a, std::int32_t b) {
  if (b == 0) return -1;
  return b == -1 ? static_cast<std::int32_t>(0U - static_cast<unsigned>(a)) : a / b;
}

template <class W>
__device__ W apply(BinaryFn fn, W a, W b) {
  switch (fn) {
    case BinaryFn::Add: return a + b;
    case BinaryFn::Subtract: return a - b;
    case BinaryFn::Multiply: return a * b;
    case BinaryFn::Divide: return divide(a, b);
    case BinaryFn::Maximum: return larger(a, b);
    case BinaryFn::Minimum: return smaller(a, b);
  }
  return a;
}

/// Calls f with a value of the element type.
template <class F>
int with_type(DeviceType type, F f) {
  switch (type) {
    case DeviceType::F64: return f(double{});
    case DeviceType::F32: return f(float{});
    case DeviceType::F16: return f(__half{});
    case DeviceType::BF16: return f(__nv_bfloat16{});
    case DeviceType::S64: return f(std::int64_t{});
    case DeviceType::S32: return f(std::int32_t{});
  }
  return static_cast<int>(cudaErrorInvalidValue);
}

}  // namespace gg::cuda
