// Scatter with any region: updates are applied one window after the other, in ascending order of the scatter indices, a
// row of the window at a time. Linear in the updates, where the body folds over all updates for each element. An update
// whose window is not wholly inside is dropped, as XLA does.
#include <algorithm>

#include "kernels/kernel_list.h"
#include "kernels/plan/memory.h"
#include "kernels/region_program.h"
#include "models/base/check.h"
#include "models/op/rule_support.h"

namespace gg::kernels {
namespace {

/// How dimensions of the updates, the indices and the arrays belong together.
struct Shape {
  std::vector<std::int64_t> places, place_strides, index_strides;   ///< update dimensions that are no window
  std::vector<std::int64_t> batch_strides;                          ///< of the arrays, a place dimension; 0 = none
  std::vector<std::int64_t> window, window_strides, array_strides;  ///< window dimensions, major first
  std::vector<std::int64_t> limits;                                 ///< largest start, a component of the index vector
  std::vector<std::int64_t> start_strides;                          ///< of the arrays, a component
  std::int64_t vector_stride = 0;                                   ///< between components of an index vector
  std::int64_t array_count = 0, index_count = 0, update_count = 0;
};

Shape shape_of(const Call& call) {
  const std::size_t n = call.operands.size() / 2;
  const Attributes& attributes = *call.attributes;
  const Type& array = *call.operands[0];
  const Type& indices = *call.operands[n];
  const Type& updates = *call.operands[n + 1];
  const IntList& window = attributes.ints(Attr::UpdateWindowDims);
  const IntList& inserted = attributes.ints(Attr::InsertedWindowDims);
  const IntList& batching = attributes.ints(Attr::InputBatchingDims);
  const IntList& index_batching = attributes.ints(Attr::ScatterBatchingDims);
  const std::int64_t vector_dim = attributes.integer(Attr::IndexVectorDim);
  const auto array_strides = strides_of(array.dims);
  const auto index_strides = strides_of(indices.dims);
  const auto update_strides = strides_of(updates.dims);
  Shape s;
  s.array_count = array.count();
  s.index_count = indices.count();
  s.update_count = updates.count();
  std::int64_t index_dim = 0;
  for (std::int64_t d = 0; d < updates.rank(); ++d) {
    if (contains(window, d)) continue;
    if (index_dim == vector_dim) ++index_dim;
    s.places.push_back(updates.dims[at(d)]);
    s.place_strides.push_back(update_strides[at(d)]);
    s.index_strides.push_back(index_strides[at(index_dim)]);
    const auto found = std::find(index_batching.begin(), index_batching.end(), index_dim);
    const auto batch = at(found - index_batching.begin());
    s.batch_strides.push_back(found == index_batching.end() ? 0 : array_strides[at(batching[batch])]);
    ++index_dim;
  }
  std::vector<std::int64_t> extent(array.dims.size(), 1);
  std::size_t w = 0;
  for (std::int64_t d = 0; d < array.rank(); ++d) {
    if (contains(inserted, d) || contains(batching, d)) continue;
    const std::size_t dim = at(window[w++]);
    extent[at(d)] = updates.dims[dim];
    s.window.push_back(updates.dims[dim]);
    s.window_strides.push_back(update_strides[dim]);
    s.array_strides.push_back(array_strides[at(d)]);
  }
  for (const std::int64_t d : attributes.ints(Attr::ScatterDims)) {
    s.limits.push_back(array.dims[at(d)] - extent[at(d)]);
    s.start_strides.push_back(array_strides[at(d)]);
  }
  s.vector_stride = vector_dim < indices.rank() ? index_strides[at(vector_dim)] : 0;
  return s;
}

/// Applies the region to one row of a window.
class Updater {
 public:
  Updater(const Arena& arena, const Call& call, NumberMode mode, std::span<const Operand> operands,
          std::span<Buffer> results, TieCounter& ties)
      : program_(arena, *call.regions[0], mode, kRegionRow), operands_(operands), results_(results), ties_(ties) {
    GG_CHECK(program_.results() == results.size(), "results of a region and arrays differ in number");
    for (const Buffer& result : results) new_.emplace_back(result.storage(), kRegionRow);
    parameters_.resize(2 * results.size());
  }
  void row(std::int64_t array, std::int64_t array_stride, std::int64_t update, std::int64_t update_stride,
           std::int64_t count) {
    const std::size_t n = results_.size();
    for (std::int64_t start = 0; start < count; start += kRegionRow) {
      const std::int64_t length = std::min(kRegionRow, count - start);
      const std::int64_t to = array + start * array_stride, from = update + start * update_stride;
      for (std::size_t k = 0; k < n; ++k) {
        parameters_[k] = {element(results_[k], to), array_stride};
        parameters_[n + k] = {element(*operands_[n + 1 + k].buffer, from), update_stride};
      }
      program_.run(parameters_, length, ties_);
      // A result may be the row of another array: all are read before one is written.
      for (std::size_t k = 0; k < n; ++k) row_copy(new_[k].storage(), new_[k].data(), program_.result(k), length);
      for (std::size_t k = 0; k < n; ++k) {
        plan::store_row(results_[k].storage(), element(results_[k], to), array_stride, {new_[k].data(), 1}, length);
      }
    }
  }

 private:
  RegionProgram program_;
  std::span<const Operand> operands_;
  std::span<Buffer> results_;
  TieCounter& ties_;
  std::vector<Buffer> new_;
  std::vector<Row> parameters_;
};

/// Address of the window in its array, or -1 if it does not lie wholly inside.
std::int64_t window_start(const Shape& s, std::span<const std::int64_t> vector) {
  std::int64_t start = 0;
  for (std::size_t k = 0; k < s.limits.size(); ++k) {
    const std::int64_t component = vector[k * at(s.vector_stride)];
    if (component < 0 || component > s.limits[k]) return -1;
    start += component * s.start_strides[k];
  }
  return start;
}

}  // namespace

bool scatter_applies(const Call& call, NumberMode) {
  return call.regions.size() == 1 && call.regions[0]->results.size() == call.operands.size() / 2;
}

void scatter(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode,
             std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties) {
  const Shape s = shape_of(call);
  for (std::size_t k = 0; k < results.size(); ++k) {
    row_copy(results[k].storage(), results[k].data(), {operands[k].buffer->data(), 1}, results[k].count());
  }
  if (s.update_count == 0) return;
  Updater updater(arena, call, mode, operands, results, ties);
  const auto indices = operands[results.size()].buffer->as<std::int64_t>();
  const bool scalar_window = s.window.empty();
  const auto outer = std::span(s.window).first(scalar_window ? 0 : s.window.size() - 1);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::int64_t> place(s.places.size(), 0);
    do {
      std::int64_t index = rank * s.index_count, update = rank * s.update_count, array = rank * s.array_count;
      for (std::size_t d = 0; d < place.size(); ++d) {
        index += place[d] * s.index_strides[d];
        update += place[d] * s.place_strides[d];
        array += place[d] * s.batch_strides[d];
      }
      const std::int64_t start = window_start(s, indices.subspan(at(index)));
      if (start < 0) continue;
      std::vector<std::int64_t> inner(outer.size(), 0);
      do {
        std::int64_t to = array + start, from = update;
        for (std::size_t d = 0; d < inner.size(); ++d) {
          to += inner[d] * s.array_strides[d];
          from += inner[d] * s.window_strides[d];
        }
        if (scalar_window)
          updater.row(to, 0, from, 0, 1);
        else
          updater.row(to, s.array_strides.back(), from, s.window_strides.back(), s.window.back());
      } while (next_index(inner, outer));
    } while (next_index(place, s.places));
  }
}

}  // namespace gg::kernels
