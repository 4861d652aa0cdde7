// select-and-scatter: in each window of the operand the selected element receives the source value of that window, combined
// by the scatter computation.
#include "kernels/kernel_list.h"
#include "kernels/region_program.h"

namespace gg::kernels {

bool select_and_scatter_applies(const Call& call, NumberMode) {
  return call.regions.size() == 2 && call.regions[0]->results.size() == 1 && call.regions[1]->results.size() == 1;
}

/// Regions: select, then scatter (the order of the attributes). The first element of a window stays selected while
/// select(it, next) holds; places in the padding are no elements.
void select_and_scatter(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode,
                        std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties) {
  const Type& type = *call.operands[0];
  const Type& source_type = *call.operands[1];
  const Buffer& values = *operands[0].buffer;
  const Buffer& source = *operands[1].buffer;
  const Buffer& initial = *operands[2].buffer;
  const auto& window = call.attributes->window();
  Buffer& out = results[0];
  RegionProgram select(arena, *call.regions[0], mode, 1), scatter(arena, *call.regions[1], mode, 1);
  const auto strides = strides_of(type.dims);
  std::vector<std::int64_t> sizes;
  for (const WindowDim& w : window) sizes.push_back(w.size);
  Row parameters[2];
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const std::int64_t base = rank * type.count();
    row_copy(out.storage(), element(out, base), {element(initial, rank), 0}, type.count());
    if (source_type.count() == 0) continue;
    std::vector<std::int64_t> place(source_type.dims.size(), 0);
    std::int64_t number = rank * source_type.count();
    do {
      std::int64_t chosen = -1;
      std::vector<std::int64_t> tap(sizes.size(), 0);
      do {
        const auto inside = window_tap(window, place, tap, type.dims, strides);
        if (!inside) continue;
        const std::int64_t from = base + *inside;
        if (chosen >= 0) {
          parameters[0] = {element(values, chosen), 0};
          parameters[1] = {element(values, from), 0};
          select.run(parameters, 1, ties);
          if (*static_cast<const std::int64_t*>(select.result(0).data) != 0) continue;
        }
        chosen = from;
      } while (next_index(tap, sizes));
      if (chosen >= 0) {
        parameters[0] = {element(out, chosen), 0};
        parameters[1] = {element(source, number), 0};
        scatter.run(parameters, 1, ties);
        row_copy(out.storage(), element(out, chosen), scatter.result(0), 1);
      }
      ++number;
    } while (next_index(place, source_type.dims));
  }
}

}  // namespace gg::kernels
