// The table of kernels.
#include "kernels/kernels.h"

#include <array>

#include "kernels/kernel_list.h"

namespace gg {
namespace kernels {
namespace {

struct KernelRow {
  Op op;
  bool (*applies)(const Call& call, NumberMode mode);
  Kernel kernel;
};

constexpr std::array kKernels = {
    KernelRow{Op::BitcastConvert, bitcast_convert_applies, bitcast_convert},
    KernelRow{Op::Cholesky, cholesky_applies, cholesky},
    KernelRow{Op::RngBitGenerator, random_bits_applies, random_bits},
    KernelRow{Op::SelectAndScatter, select_and_scatter_applies, select_and_scatter},
    KernelRow{Op::TriangularSolve, triangular_solve_applies, triangular_solve},
    KernelRow{Op::CustomCall, opaque_call_applies, opaque_call},
    KernelRow{Op::Dot, dot_applies, dot},
    KernelRow{Op::Reduce, reduce_applies, reduce},
    KernelRow{Op::ReduceWindow, reduce_window_applies, reduce_window},
    KernelRow{Op::Scatter, scatter_applies, scatter},
    KernelRow{Op::Sort, sort_applies, sort},
    KernelRow{Op::TopK, topk_applies, topk},
};

}  // namespace

std::vector<std::int64_t> strides_of(std::span<const std::int64_t> extents) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t k = extents.size(); k-- > 1;) strides[k - 1] = strides[k] * extents[k];
  return strides;
}

bool next_index(std::vector<std::int64_t>& index, std::span<const std::int64_t> extents) {
  for (std::size_t k = index.size(); k-- > 0;) {
    if (++index[k] < extents[k]) return true;
    index[k] = 0;
  }
  return false;
}

std::optional<std::int64_t> window_tap(std::span<const WindowDim> window, std::span<const std::int64_t> place, std::span<const std::int64_t> tap,
                                       std::span<const std::int64_t> dims, std::span<const std::int64_t> strides) {
  std::int64_t from = 0;
  for (std::size_t d = 0; d < tap.size(); ++d) {
    const WindowDim& w = window[d];
    const std::int64_t at = place[d] * w.stride + tap[d] * w.window_dilation - w.pad_low;
    if (at < 0 || at % w.base_dilation != 0 || at / w.base_dilation >= dims[d]) return std::nullopt;
    from += at / w.base_dilation * strides[d];
  }
  return from;
}

}  // namespace kernels

Kernel find_kernel(const Call& call, NumberMode mode) {
  for (const auto& row : kernels::kKernels) {
    if (row.op == call.op && row.applies(call, mode)) return row.kernel;
  }
  return nullptr;
}

}  // namespace gg
