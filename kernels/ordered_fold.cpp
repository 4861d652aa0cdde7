// Reductions whose region is no monoid, or that reduce several arrays at once (arg-max): the region is applied in
// ascending index order, region(accumulators..., elements...), for a row of results at a time. In Model mode every step
// rounds to the types that the region is written in.
#include <algorithm>
#include <array>

#include "kernels/kernel_list.h"
#include "kernels/region_program.h"
#include "models/base/check.h"

namespace gg::kernels {
namespace {

constexpr std::int64_t kRow = 256;

/// Accumulators of a row of results: region's results become the next accumulators.
class Accumulators {
 public:
  Accumulators(const Arena& arena, const Region& region, NumberMode mode, std::span<const Operand> initial)
      : program_(arena, region, mode, kRow) {
    GG_CHECK(program_.results() == initial.size(), "results of a region and arrays differ in number");
    for (const Operand& operand : initial) {
      rows_.emplace_back(operand.buffer->storage(), kRow);
      next_.emplace_back(operand.buffer->storage(), kRow);
    }
    parameters_.resize(2 * initial.size());
  }

  /// Sets the first n accumulators to the initial values of rank `rank`.
  void start(std::span<const Operand> initial, std::int64_t rank, std::int64_t n) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      row_copy(rows_[k].storage(), rows_[k].data(), {element(*initial[k].buffer, rank), 0}, n);
    }
  }
  /// The first n accumulators take in one element each.
  void step(std::span<const Row> elements, std::int64_t n, TieCounter& ties) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      parameters_[k] = {rows_[k].data(), 1};
      parameters_[rows_.size() + k] = elements[k];
    }
    program_.run(parameters_, n, ties);
    // A result may be the row of another accumulator: all are read before one is replaced.
    for (std::size_t k = 0; k < rows_.size(); ++k) row_copy(next_[k].storage(), next_[k].data(), program_.result(k), n);
    std::swap(rows_, next_);
  }
  const Buffer& row(std::size_t k) const { return rows_[k]; }

 private:
  RegionProgram program_;
  std::vector<Buffer> rows_, next_;
  std::vector<Row> parameters_;
};

bool needs_order(const Call& call) {
  return call.regions.size() == 1 && !call.regions[0]->results.empty() &&
         (call.operands.size() != 2 || !call.regions[0]->monoid.has_value());
}

}  // namespace

bool reduce_applies(const Call& call, NumberMode) { return needs_order(call); }

void reduce(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode,
            std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties) {
  const std::size_t arrays = operands.size() / 2;
  const auto initial = operands.subspan(arrays);
  const auto& dims = call.operands[0]->dims;
  const auto strides = strides_of(dims);
  const IntList& reduced = call.attributes->ints(Attr::BroadcastDims);
  std::vector<std::int64_t> out_dims, out_strides, fold_dims, fold_strides;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool folded = contains(reduced, d);
    (folded ? fold_dims : out_dims).push_back(dims[d]);
    (folded ? fold_strides : out_strides).push_back(strides[d]);
  }
  // Rows run along the last result dimension.
  const std::int64_t row = out_dims.empty() ? 1 : out_dims.back();
  const std::int64_t row_stride = out_dims.empty() ? 0 : out_strides.back();
  const auto outer = std::span(out_dims).first(out_dims.empty() ? 0 : out_dims.size() - 1);
  const std::int64_t count = call.operands[0]->count();
  const std::int64_t out_count = Type::array(ElementType::F32, out_dims).count();
  const bool empty = Type::array(ElementType::F32, fold_dims).count() == 0;
  if (out_count == 0) return;
  Accumulators accumulators(arena, *call.regions[0], mode, initial);
  std::vector<Row> elements(arrays);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::int64_t out = rank * out_count;
    std::vector<std::int64_t> at(outer.size(), 0);
    do {
      std::int64_t base = rank * count;
      for (std::size_t d = 0; d < at.size(); ++d) base += at[d] * out_strides[d];
      for (std::int64_t start = 0; start < row; start += kRow) {
        const std::int64_t n = std::min(kRow, row - start);
        accumulators.start(initial, rank, n);
        std::vector<std::int64_t> fold(fold_dims.size(), 0);
        if (!empty) {
          do {
            std::int64_t from = base + start * row_stride;
            for (std::size_t d = 0; d < fold.size(); ++d) from += fold[d] * fold_strides[d];
            for (std::size_t k = 0; k < arrays; ++k) elements[k] = {element(*operands[k].buffer, from), row_stride};
            accumulators.step(elements, n, ties);
          } while (next_index(fold, fold_dims));
        }
        for (std::size_t k = 0; k < arrays; ++k) {
          row_copy(results[k].storage(), element(results[k], out), {accumulators.row(k).data(), 1}, n);
        }
        out += n;
      }
    } while (next_index(at, outer));
  }
}

bool reduce_window_applies(const Call& call, NumberMode) { return needs_order(call); }

void reduce_window(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode,
                   std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties) {
  const std::size_t arrays = operands.size() / 2;
  const auto initial = operands.subspan(arrays);
  const auto& dims = call.operands[0]->dims;
  const auto strides = strides_of(dims);
  const auto& window = call.attributes->window();
  const Type& result = call.result->is_tuple() ? call.result->elements[0] : *call.result;
  std::vector<std::int64_t> sizes;
  for (const WindowDim& w : window) sizes.push_back(w.size);
  const std::int64_t count = call.operands[0]->count();
  if (result.count() == 0) return;
  const bool empty = Type::array(ElementType::F32, sizes).count() == 0;
  Accumulators accumulators(arena, *call.regions[0], mode, initial);
  std::vector<Row> elements(arrays);
  std::int64_t out = 0;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::int64_t> at(result.dims.size(), 0);
    do {
      accumulators.start(initial, rank, 1);
      std::vector<std::int64_t> tap(sizes.size(), 0);
      if (!empty) {
        do {
          // Padding holds the initial value; taps on it, and on holes of a dilated base, are left out.
          std::int64_t from = rank * count;
          bool inside = true;
          for (std::size_t d = 0; d < tap.size() && inside; ++d) {
            const WindowDim& w = window[d];
            const std::int64_t place = at[d] * w.stride + tap[d] * w.window_dilation - w.pad_low;
            inside = place >= 0 && place % w.base_dilation == 0 && place / w.base_dilation < dims[d];
            from += place / w.base_dilation * strides[d];
          }
          if (!inside) continue;
          for (std::size_t k = 0; k < arrays; ++k) elements[k] = {element(*operands[k].buffer, from), 0};
          accumulators.step(elements, 1, ties);
        } while (next_index(tap, sizes));
      }
      for (std::size_t k = 0; k < arrays; ++k) {
        row_copy(results[k].storage(), element(results[k], out), {accumulators.row(k).data(), 1}, 1);
      }
      ++out;
    } while (next_index(at, result.dims));
  }
}

}  // namespace gg::kernels
