// Reductions whose region is no monoid, or that reduce several arrays at once (arg-max): the region is applied in
// ascending index order, region(accumulators..., elements...), for a row of results at a time. In Model mode every step
// rounds to the types that the region is written in.
#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/kernel_list.h"
#include "kernels/region_program.h"
#include "models/base/check.h"
#include "models/type/type.h"

namespace gg::kernels {
namespace {

/// Accumulators of a row of results: region's results become the next accumulators.
class Accumulators {
 public:
  Accumulators(const Arena& arena, const Region& region, NumberMode mode, std::span<const Operand> initial)
      : program_(arena, region, mode, kRegionRow) {
    GG_CHECK(program_.results() == initial.size(), "results of a region and arrays differ in number");
    for (const Operand& operand : initial) {
      rows_.emplace_back(operand.buffer->storage(), kRegionRow);
      next_.emplace_back(operand.buffer->storage(), kRegionRow);
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

/// A window at each of these places of the arrays.
struct Windows {
  const std::vector<WindowDim>& window;
  const std::vector<std::int64_t>& places;

  /// The dimension along which results are made in rows: the last one with several places, where each has its own element. -1: none.
  std::ptrdiff_t row() const {
    auto d = static_cast<std::ptrdiff_t>(places.size()) - 1;
    while (d >= 0 && places[static_cast<std::size_t>(d)] == 1) --d;
    return d >= 0 && window[static_cast<std::size_t>(d)] == WindowDim{} ? d : -1;
  }
};

void fold_windows(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode, const Windows& windows,
                  std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties) {
  const std::size_t arrays = operands.size() / 2;
  const auto initial = operands.subspan(arrays);
  const auto& dims = call.operands[0]->dims;
  const auto strides = strides_of(dims);
  std::vector<std::int64_t> sizes, outer = windows.places;
  for (const WindowDim& w : windows.window) sizes.push_back(w.size);
  if (element_count(outer) == 0) return;
  const std::ptrdiff_t along = windows.row();
  const std::int64_t row = along < 0 ? 1 : std::exchange(outer[static_cast<std::size_t>(along)], 1);
  const std::int64_t step = along < 0 ? 0 : strides[static_cast<std::size_t>(along)];
  const bool empty = element_count(sizes) == 0;
  Accumulators accumulators(arena, *call.regions[0], mode, initial);
  std::vector<Row> elements(arrays);
  std::int64_t out = 0;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::int64_t> at(outer.size(), 0);
    do {
      for (std::int64_t start = 0; start < row; start += kRegionRow) {
        const std::int64_t n = std::min(kRegionRow, row - start);
        accumulators.start(initial, rank, n);
        std::vector<std::int64_t> tap(sizes.size(), 0);
        do {
          const auto from = empty ? std::nullopt : window_tap(windows.window, at, tap, dims, strides);
          if (!from) continue;
          const std::int64_t first = rank * call.operands[0]->count() + *from + start * step;
          for (std::size_t k = 0; k < arrays; ++k) elements[k] = {element(*operands[k].buffer, first), step};
          accumulators.step(elements, n, ties);
        } while (!empty && next_index(tap, sizes));
        for (std::size_t k = 0; k < arrays; ++k) {
          row_copy(results[k].storage(), element(results[k], out), {accumulators.row(k).data(), 1}, n);
        }
        out += n;
      }
    } while (next_index(at, outer));
  }
}

}  // namespace

bool reduce_applies(const Call& call, NumberMode) { return needs_order(call); }

void reduce(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode,
            std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties) {
  std::vector<std::int64_t> places = call.operands[0]->dims;
  std::vector<WindowDim> window(places.size());
  for (const std::int64_t d : call.attributes->ints(Attr::BroadcastDims)) {
    const auto at = static_cast<std::size_t>(d);
    window[at].size = std::exchange(places[at], 1);
  }
  fold_windows(arena, call, ranks, mode, {window, places}, operands, results, ties);
}

bool reduce_window_applies(const Call& call, NumberMode) { return needs_order(call); }

void reduce_window(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode,
                   std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties) {
  const Type& result = call.result->is_tuple() ? call.result->elements[0] : *call.result;
  fold_windows(arena, call, ranks, mode, {call.attributes->window(), result.dims}, operands, results, ties);
}

}  // namespace gg::kernels
