// Elementwise chains, remaps and row gathers.
#include "kernels/cuda/common.cuh"

namespace gg::cuda {
namespace {

template <class W>
__device__ W apply_float(UnaryFn fn, W x) {
  switch (fn) {
    case UnaryFn::Copy: return x;
    case UnaryFn::Negate: return -x;
    case UnaryFn::Abs: return fabs(x);
    case UnaryFn::Exp: return exp(x);
    case UnaryFn::Log: return log(x);
    case UnaryFn::Sqrt: return sqrt(x);
    case UnaryFn::Rsqrt: return W(1) / sqrt(x);
    case UnaryFn::Tanh: return tanh(x);
  }
  return x;
}

template <class W>
__device__ W apply_integer(UnaryFn fn, W x) {
  if (fn == UnaryFn::Negate || (fn == UnaryFn::Abs && x < 0)) return divide(x, W(-1));
  return x;
}

// Four elements a thread: 16-byte accesses for f32 where the pointers allow it are left to the compiler's vectoriser.
constexpr int kPerThread = 4;

template <class T>
__global__ void unary_kernel(UnaryFn fn, const T* in, T* out, std::int64_t count) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x * kPerThread;
  for (std::int64_t base = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * kPerThread; base < count;
       base += step) {
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
      if (base + k >= count) break;
      const WideOf<T> x = widen(in[base + k]);
      if constexpr (WideOf<T>(0.5) == WideOf<T>(0)) out[base + k] = narrow<T>(apply_integer(fn, x));
      else out[base + k] = narrow<T>(apply_float(fn, x));
    }
  }
}

template <class T>
__global__ void binary_kernel(BinaryFn fn, const T* a, const T* b, T* out, std::int64_t count) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x * kPerThread;
  for (std::int64_t base = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * kPerThread; base < count;
       base += step) {
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
      if (base + k < count) out[base + k] = narrow<T>(apply(fn, widen(a[base + k]), widen(b[base + k])));
    }
  }
}

template <class T>
__global__ void remap_kernel(Remap map, const T* in, const T* fill, T* out, std::int64_t count) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += step) {
    std::int64_t rest = k, from = map.offset;
    bool inside = true;
    for (int d = map.dims - 1; d >= 0; --d) {
      const std::int64_t i = rest % map.extents[d];
      rest /= map.extents[d];
      inside = inside && i >= map.low[d] && i < map.high[d];
      from += i * map.strides[d];
    }
    out[k] = inside ? in[from] : *fill;
  }
}

template <class T>
__global__ void gather_kernel(const T* table, std::int64_t rows, std::int64_t width, const std::int64_t* index,
                              std::int64_t count, T* out) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x, all = count * width;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < all; k += step) {
    std::int64_t row = index[k / width];
    row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
    out[k] = table[row * width + k % width];
  }
}

}  // namespace

int bytes_of(DeviceType type) {
  constexpr int kBytes[] = {8, 4, 2, 2, 8, 4};
  return kBytes[static_cast<int>(type)];
}

int unary(UnaryFn fn, DeviceType type, const void* in, void* out, std::int64_t count, void* stream) {
  if (count == 0) return 0;
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    unary_kernel<T><<<blocks_for((count + kPerThread - 1) / kPerThread), kThreads, 0, stream_of(stream)>>>(
        fn, static_cast<const T*>(in), static_cast<T*>(out), count);
    return launched();
  });
}

int binary(BinaryFn fn, DeviceType type, const void* a, const void* b, void* out, std::int64_t count, void* stream) {
  if (count == 0) return 0;
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    binary_kernel<T><<<blocks_for((count + kPerThread - 1) / kPerThread), kThreads, 0, stream_of(stream)>>>(
        fn, static_cast<const T*>(a), static_cast<const T*>(b), static_cast<T*>(out), count);
    return launched();
  });
}

int remap(const Remap& map, DeviceType type, const void* in, const void* fill, void* out, void* stream) {
  std::int64_t count = 1;
  for (int d = 0; d < map.dims; ++d) count *= map.extents[d];
  if (count == 0) return 0;
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    remap_kernel<T><<<blocks_for(count), kThreads, 0, stream_of(stream)>>>(
        map, static_cast<const T*>(in), static_cast<const T*>(fill), static_cast<T*>(out), count);
    return launched();
  });
}

int gather_rows(DeviceType type, const void* table, std::int64_t rows, std::int64_t width, const std::int64_t* index,
                std::int64_t count, void* out, void* stream) {
  if (count * width == 0) return 0;
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    gather_kernel<T><<<blocks_for(count * width), kThreads, 0, stream_of(stream)>>>(
        static_cast<const T*>(table), rows, width, index, count, static_cast<T*>(out));
    return launched();
  });
}

}  // namespace gg::cuda
