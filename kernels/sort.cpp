// Sort and topk. Sorting is a merge sort of positions, so that it is stable, the same everywhere, and safe with a
// comparator that is no order at all. Ties are counted between neighbours of the result: only they decide.
#include <algorithm>
#include <numeric>

#include "kernels/kernel_list.h"
#include "kernels/region_program.h"
#include "models/base/progress.h"

namespace gg::kernels {
namespace {

/// Stable bottom-up merge sort; `before(a, b)` as strict order of positions.
template <class Before>
void merge_sort(std::vector<std::int64_t>& order, const Before& before) {
  std::vector<std::int64_t> merged(order.size());
  for (std::size_t width = 1; width < order.size(); width *= 2) {
    for (std::size_t low = 0; low < order.size(); low += 2 * width) {
      ask_deadline();
      const std::size_t middle = std::min(low + width, order.size()), high = std::min(low + 2 * width, order.size());
      std::size_t a = low, b = middle;
      for (std::size_t k = low; k < high; ++k) {
        const bool right = a == middle || (b < high && before(order[b], order[a]));
        merged[k] = right ? order[b++] : order[a++];
      }
    }
    order.swap(merged);
  }
}

/// Rows of an array along one dimension, for all ranks: first element of row r, and the step within a row.
struct Lines {
  std::int64_t count, length, step;
  std::int64_t first(std::int64_t line) const { return line / step * step * length + line % step; }
};

Lines lines_of(const Type& type, std::int64_t dim, std::int64_t ranks) {
  const std::int64_t length = type.dims[static_cast<std::size_t>(dim)];
  const std::int64_t step = strides_of(type.dims)[static_cast<std::size_t>(dim)];
  return {length == 0 ? 0 : ranks * type.count() / length, length, step};
}

}  // namespace

bool sort_applies(const Call& call, NumberMode) {
  return call.regions.size() == 1 && call.regions[0]->results.size() == 1;
}

void sort(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode, std::span<const Operand> operands,
          std::span<Buffer> results, TieCounter& ties) {
  const Lines lines = lines_of(*call.operands[0], call.attributes->ints(Attr::BroadcastDims).at(0), ranks);
  RegionProgram comparator(arena, *call.regions[0], mode, 1);
  std::vector<Row> parameters(2 * operands.size());
  std::vector<std::int64_t> order(static_cast<std::size_t>(lines.length));
  TieCounter ignored;
  const bool open = call.attributes->flag(Attr::OpenTies);
  for (std::int64_t line = 0; line < lines.count; ++line) {
    const std::int64_t first = lines.first(line);
    const auto before = [&](std::int64_t a, std::int64_t b, TieCounter& counter) {
      for (std::size_t k = 0; k < operands.size(); ++k) {
        parameters[2 * k] = {element(*operands[k].buffer, first + a * lines.step), 0};
        parameters[2 * k + 1] = {element(*operands[k].buffer, first + b * lines.step), 0};
      }
      comparator.run(parameters, 1, counter);
      return *static_cast<const std::int64_t*>(comparator.result(0).data) != 0;
    };
    std::iota(order.begin(), order.end(), 0);
    merge_sort(order, [&](std::int64_t a, std::int64_t b) { return before(a, b, ignored); });
    for (std::size_t k = 1; k < order.size(); ++k) {
      const bool apart = before(order[k - 1], order[k], ties);
      if (open && !apart && !before(order[k], order[k - 1], ignored)) ++ties.open;
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
      for (std::int64_t i = 0; i < lines.length; ++i) {
        const std::int64_t from = first + order[static_cast<std::size_t>(i)] * lines.step;
        row_copy(results[k].storage(), element(results[k], first + i * lines.step),
                 {element(*operands[k].buffer, from), 0}, 1);
      }
    }
  }
}

bool topk_applies(const Call&, NumberMode) { return true; }

/// Values in order and their positions along the last dimension. Equal values (zeros of either sign are equal) stay in
/// ascending order of position; NaN is larger than every number.
void topk(const Arena&, const Call& call, std::int64_t ranks, NumberMode mode, std::span<const Operand> operands,
          std::span<Buffer> results, TieCounter& ties) {
  const Type& type = *call.operands[0];
  const std::int64_t k = call.attributes->integer(Attr::K);
  const bool largest = !call.attributes->has(Attr::Largest) || call.attributes->flag(Attr::Largest);
  const Lines lines = lines_of(type, type.rank() - 1, ranks);
  const Buffer& values = *operands[0].buffer;
  const Storage storages[2] = {values.storage(), values.storage()};
  const ElementType types[2] = {type.element, type.element};
  const Rounding pred{ElementType::Pred, mode};
  TieCounter ignored;
  const auto compare = [&](ScalarFn fn, std::int64_t a, std::int64_t b, TieCounter& counter) {
    const Row rows[2] = {{element(values, a), 0}, {element(values, b), 0}};
    std::int64_t result = 0;
    row_apply(fn, pred, Storage::Int64, &result, rows, storages, types, 1, counter);
    return result != 0;
  };
  std::vector<std::int64_t> order(static_cast<std::size_t>(lines.length));
  std::vector<char> nan(order.size());
  const bool open = call.attributes->flag(Attr::OpenTies);
  auto indices = results[1].as<std::int64_t>();
  for (std::int64_t line = 0; line < lines.count; ++line) {
    const std::int64_t first = line * lines.length;
    for (std::int64_t i = 0; i < lines.length; ++i) {
      nan[static_cast<std::size_t>(i)] = compare(ScalarFn::CompareNe, first + i, first + i, ignored) ? 1 : 0;
    }
    const auto greater = [&](std::int64_t a, std::int64_t b) {
      const bool nan_a = nan[static_cast<std::size_t>(a)] != 0, nan_b = nan[static_cast<std::size_t>(b)] != 0;
      if (nan_a || nan_b) return nan_a && !nan_b;
      return compare(ScalarFn::CompareGt, first + a, first + b, ignored);
    };
    std::iota(order.begin(), order.end(), 0);
    merge_sort(order, [&](std::int64_t a, std::int64_t b) { return largest ? greater(a, b) : greater(b, a); });
    for (std::int64_t i = 0; i < k; ++i) {
      const std::int64_t from = order[static_cast<std::size_t>(i)];
      row_copy(values.storage(), element(results[0], line * k + i), {element(values, first + from), 0}, 1);
      indices[static_cast<std::size_t>(line * k + i)] = from;
      const std::int64_t next = i + 1 < lines.length ? order[static_cast<std::size_t>(i + 1)] : from;
      if (open && next != from && !greater(from, next) && !greater(next, from)) ++ties.open;
      // Neighbours decide the order of what is taken; the last one is apart from all that is left, however wide those are.
      const std::int64_t last = i + 1 < k ? i + 1 : lines.length - 1;
      for (std::int64_t other = i + 1; other <= last; ++other) {
        compare(ScalarFn::CompareGt, first + from, first + order[static_cast<std::size_t>(other)], ties);
      }
    }
  }
}

}  // namespace gg::kernels
