// Kernels of the GPU, called from host code without CUDA's headers. Pointers are device memory, `stream` a cudaStream_t.
// Each has a reference on the host that tests compare with, bit for bit where the order is fixed.
#pragma once

#include <cstdint>

namespace gg::cuda {

enum class DeviceType : std::uint8_t { F64, F32, F16, BF16, S64, S32 };
/// Bytes of one element.
int bytes_of(DeviceType type);

enum class UnaryFn : std::uint8_t { Copy, Negate, Abs, Exp, Log, Sqrt, Rsqrt, Tanh };
enum class BinaryFn : std::uint8_t { Add, Subtract, Multiply, Divide, Maximum, Minimum };

/// Greatest number of dimensions of a remap.
inline constexpr int kMaxDims = 8;

/// out[i] = in[offset + sum_d stride_d * i_d] where 0 <= i_d + pad_d * ... lies inside, else `fill`: transpose, slice,
/// broadcast (stride 0), reverse (negative stride) and pad in one form.
struct Remap {
  int dims = 0;
  std::int64_t extents[kMaxDims] = {};  ///< of the result
  std::int64_t strides[kMaxDims] = {};  ///< in the operand
  std::int64_t low[kMaxDims] = {};      ///< first result index inside the operand
  std::int64_t high[kMaxDims] = {};     ///< one behind the last
  std::int64_t offset = 0;              ///< operand address of result index 0 (may lie outside)
};

// Each returns a CUDA error code, 0 for success; nothing is synchronised.
int unary(UnaryFn fn, DeviceType type, const void* in, void* out, std::int64_t count, void* stream);
int binary(BinaryFn fn, DeviceType type, const void* a, const void* b, void* out, std::int64_t count, void* stream);
int remap(const Remap& remap, DeviceType type, const void* in, const void* fill, void* out, void* stream);
/// out[o, i] = the ordered fold of in[o, r, i] over r, ascending; f16 and bf16 accumulate in f32 and round once.
int fold(BinaryFn fn, DeviceType type, const void* in, void* out, std::int64_t outer, std::int64_t reduced,
         std::int64_t inner, void* stream);
/// Inclusive scan along the middle dimension, in the same order.
int scan(BinaryFn fn, DeviceType type, const void* in, void* out, std::int64_t outer, std::int64_t scanned,
         std::int64_t inner, void* stream);
/// out[k, :] = table[clamp(index[k]), :], rows of `width` elements.
int gather_rows(DeviceType type, const void* table, std::int64_t rows, std::int64_t width, const std::int64_t* index,
                std::int64_t count, void* out, void* stream);
/// Philox4x32-10 blocks of counters (first + k, 0, input, 0) under `key`: the bits of the host's draws.
int philox_blocks(std::uint64_t key, std::uint32_t input, std::uint64_t first, std::int64_t count, std::uint32_t* out,
                  void* stream);

/// What a comparison found; NaN equals NaN only.
struct Comparison {
  std::int64_t first = -1;      ///< first element that differs in bits of value, -1 if none
  std::int64_t count = 0;       ///< how many
  std::int64_t nan = 0;         ///< NaN on one side only
  std::uint64_t largest_ulp = 0;  ///< largest distance in units in the last place, finite pairs
};
/// `result` is device memory for one Comparison, already set to its initial value.
int compare(DeviceType type, const void* a, const void* b, std::int64_t count, Comparison* result, void* stream);
/// A 64-bit digest of the bits, independent of the launch: sum of mixed (index, word) pairs into *result.
int digest(const void* data, std::int64_t words, std::uint64_t* result, void* stream);

}  // namespace gg::cuda
