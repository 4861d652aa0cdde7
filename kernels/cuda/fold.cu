// Reductions and scans in ascending order (so that they agree with the host bit for bit), random bits, comparison and
// digests.
#include "kernels/cuda/common.cuh"

namespace gg::cuda {
namespace {

// One thread a result: the order is that of the host. `each`: also write every prefix.
template <class T>
__global__ void fold_kernel(BinaryFn fn, const T* in, T* out, std::int64_t outer, std::int64_t reduced,
                            std::int64_t inner, bool each) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x, all = outer * inner;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < all; k += step) {
    const std::int64_t base = k / inner * reduced * inner + k % inner;
    WideOf<T> sum = widen(in[base]);
    if (each) out[base] = narrow<T>(sum);
    for (std::int64_t r = 1; r < reduced; ++r) {
      sum = apply(fn, sum, widen(in[base + r * inner]));
      if (each) out[base + r * inner] = narrow<T>(sum);
    }
    if (!each) out[k] = narrow<T>(sum);
  }
}

__global__ void philox_kernel(std::uint64_t key, std::uint32_t input, std::uint64_t first, std::int64_t count,
                              std::uint32_t* out) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t n = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < count; n += step) {
    const std::uint64_t index = first + static_cast<std::uint64_t>(n);
    std::uint32_t c[4] = {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), input, 0};
    std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p0 = 0xD2511F53ULL * c[0], p1 = 0xCD9E8D57ULL * c[2];
      const std::uint32_t next[4] = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
                                     static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
      for (int k = 0; k < 4; ++k) c[k] = next[k];
      k0 += 0x9E3779B9U;
      k1 += 0xBB67AE85U;
    }
    for (int k = 0; k < 4; ++k) out[4 * n + k] = c[k];
  }
}

/// Bits as an integer that counts representable values: neighbours differ by one.
template <class T>
__device__ long long ordered_bits(T value) {
  if constexpr (sizeof(T) == 8) {
    long long bits;
    memcpy(&bits, &value, 8);
    return bits < 0 ? static_cast<long long>(0x8000000000000000ULL - static_cast<unsigned long long>(bits)) : bits;
  } else if constexpr (sizeof(T) == 4) {
    int bits;
    memcpy(&bits, &value, 4);
    return bits < 0 ? 0x80000000LL - static_cast<long long>(static_cast<unsigned>(bits)) : bits;
  } else {
    short bits;
    memcpy(&bits, &value, 2);
    return bits < 0 ? 0x8000LL - static_cast<long long>(static_cast<unsigned short>(bits)) : bits;
  }
}

template <class T>
__global__ void compare_kernel(const T* a, const T* b, std::int64_t count, Comparison* result) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += step) {
    const WideOf<T> x = widen(a[k]), y = widen(b[k]);
    const bool nan_x = x != x, nan_y = y != y;
    if (x == y || (nan_x && nan_y)) continue;
    atomicAdd(reinterpret_cast<unsigned long long*>(&result->count), 1ULL);
    // The first: -1 as an unsigned number is larger than every index.
    atomicMin(reinterpret_cast<unsigned long long*>(&result->first), static_cast<unsigned long long>(k));
    if (nan_x != nan_y) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&result->nan), 1ULL);
      continue;
    }
    const long long left = ordered_bits(a[k]), right = ordered_bits(b[k]);
    const unsigned long long distance = left < right
                                            ? static_cast<unsigned long long>(right) - static_cast<unsigned long long>(left)
                                            : static_cast<unsigned long long>(left) - static_cast<unsigned long long>(right);
    atomicMax(reinterpret_cast<unsigned long long*>(&result->largest_ulp), distance);
  }
}

__global__ void digest_kernel(const std::uint64_t* data, std::int64_t words, unsigned long long* result) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  unsigned long long sum = 0;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < words; k += step) {
    std::uint64_t h = data[k] ^ (static_cast<std::uint64_t>(k) * 0x9E3779B97F4A7C15ULL);
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDULL;
    h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53ULL;
    sum += h ^ (h >> 33);
  }
  atomicAdd(result, sum);
}

int fold_or_scan(BinaryFn fn, DeviceType type, const void* in, void* out, std::int64_t outer, std::int64_t reduced,
                 std::int64_t inner, bool each, void* stream) {
  if (outer * reduced * inner == 0) return 0;
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    fold_kernel<T><<<blocks_for(outer * inner), kThreads, 0, stream_of(stream)>>>(
        fn, static_cast<const T*>(in), static_cast<T*>(out), outer, reduced, inner, each);
    return launched();
  });
}

}  // namespace

int fold(BinaryFn fn, DeviceType type, const void* in, void* out, std::int64_t outer, std::int64_t reduced,
         std::int64_t inner, void* stream) {
  return fold_or_scan(fn, type, in, out, outer, reduced, inner, false, stream);
}

int scan(BinaryFn fn, DeviceType type, const void* in, void* out, std::int64_t outer, std::int64_t scanned,
         std::int64_t inner, void* stream) {
  return fold_or_scan(fn, type, in, out, outer, scanned, inner, true, stream);
}

int philox_blocks(std::uint64_t key, std::uint32_t input, std::uint64_t first, std::int64_t count, std::uint32_t* out,
                  void* stream) {
  if (count == 0) return 0;
  philox_kernel<<<blocks_for(count), kThreads, 0, stream_of(stream)>>>(key, input, first, count, out);
  return launched();
}

int compare(DeviceType type, const void* a, const void* b, std::int64_t count, Comparison* result, void* stream) {
  if (count == 0) return 0;
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    compare_kernel<T><<<blocks_for(count), kThreads, 0, stream_of(stream)>>>(static_cast<const T*>(a),
                                                                            static_cast<const T*>(b), count, result);
    return launched();
  });
}

int digest(const void* data, std::int64_t words, std::uint64_t* result, void* stream) {
  if (words == 0) return 0;
  digest_kernel<<<blocks_for(words), kThreads, 0, stream_of(stream)>>>(
      static_cast<const std::uint64_t*>(data), words, reinterpret_cast<unsigned long long*>(result));
  return launched();
}

}  // namespace gg::cuda
