// Running a scatter: one loop over the updates in ascending order, each added where its indices point.
#include <algorithm>
#include <array>

#include "kernels/plan/executor.h"
#include "kernels/plan/memory.h"

namespace gg::plan {

namespace {

// Where the guard holds in [lo, lo + n) of the row.
void guarded(const Scatter& s, Executor& executor, std::int64_t lo, std::int64_t n, Intervals& list) {
  list.clear();
  if (s.guard < 0) list.emplace_back(lo, lo + n);
  else executor.intervals(s.guard, lo, n, list);
}

// One update: its row of free indices, accumulated where the targets point.
void scatter_row(const Scatter& s, Executor& executor, Rounding rounding, Storage storage, std::int64_t base,
                 unsigned char* acc, std::vector<unsigned char>& scratch) {
  const std::size_t size = bytes_of(storage);
  const auto r = static_cast<std::size_t>(s.row < 0 ? 0 : s.row);
  const std::int64_t extent = s.row < 0 ? 1 : s.extents[r], stride = s.row < 0 ? 1 : s.strides[r];
  Intervals list;
  for (std::int64_t lo = 0; lo < extent; lo += kBlock) {
    const std::int64_t n = std::min(kBlock, extent - lo);
    executor.begin_block(s.row, lo);
    guarded(s, executor, lo, n, list);
    for (const auto& [first, end] : list) {
      unsigned char* const place = acc + static_cast<std::size_t>(base + first * stride) * size;
      if (stride == 1) {
        executor.accumulate(s.fn, rounding, storage, s.body, s.product, first, end - first, place);
        continue;
      }
      scratch.resize(static_cast<std::size_t>(kBlock) * size);
      row_copy(storage, scratch.data(), {place, stride}, end - first);
      executor.accumulate(s.fn, rounding, storage, s.body, s.product, first, end - first, scratch.data());
      store_row(storage, place, stride, {scratch.data(), 1}, end - first);
    }
  }
}

// Without free levels the last fold variable is the row: indices and updates come in rows, only the sum is by element.
bool by_elements(const Scatter& s) {
  Mask named = 0;
  for (const Scatter::Target& t : s.targets) named |= bit(t.level);
  const auto uses_named = [&](const auto& part) { return (part.mask & named) != 0; };
  return s.after.empty() && std::none_of(s.program.nodes.begin(), s.program.nodes.end(), uses_named) &&
         std::none_of(s.program.guards.begin(), s.program.guards.end(), uses_named);
}

void scatter_elements(const Scatter& s, Executor& executor, Rounding rounding, Storage storage, std::int64_t base,
                      unsigned char* acc) {
  const FoldVar last = s.vars.back();
  std::array<std::int64_t, kBlock> place;
  std::array<std::int64_t, kBlock> index;
  Intervals list;
  for (std::int64_t lo = 0; lo < last.extent; lo += kBlock) {
    const std::int64_t n = std::min(kBlock, last.extent - lo);
    executor.begin_block(last.level, lo);
    std::fill_n(place.begin(), n, base);
    for (const Scatter::Target& t : s.targets) {
      const auto l = static_cast<std::size_t>(t.level);
      executor.values(t.form, lo, n, index.data());
      for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
        const bool inside = index[k] >= 0 && index[k] < s.extents[l] && place[k] >= 0;
        place[k] = inside ? place[k] + index[k] * s.strides[l] : -1;
      }
    }
    guarded(s, executor, lo, n, list);
    for (const auto& [first, end] : list) {
      executor.accumulate_at(s.fn, rounding, storage, s.body, s.product, first, end - first,
                             &place[static_cast<std::size_t>(first - lo)], acc);
    }
  }
}

// What was accumulated in a wider type, rounded once.
void round_buffer(const Scatter& s, ElementType type, const RunContext& context, Buffer& buffer) {
  if (type == s.type) return;
  const Storage storage = buffer.storage();
  const Row from{buffer.data(), 1};
  row_apply(ScalarFn::Convert, {s.type, context.mode}, storage, buffer.data(), &from, &storage, &type, s.count,
            *context.ties);
}

}  // namespace

Buffer run_scatter(const Scatter& s, const RunContext& context) {
  const Storage storage = storage_of(s.type, context.mode);
  Buffer buffer(storage, s.count);
  auto* const data = static_cast<unsigned char*>(buffer.data());
  RunContext no_unknown = context;
  no_unknown.unknown = nullptr;
  for (const Piece& piece : s.init) run_piece(piece, no_unknown, storage, data);
  const ElementType type = accumulation_type(s.type, context.mode);
  Executor executor(s.program, context);
  std::vector<FoldVar> free;
  for (const FoldVar& v : s.after) {
    if (v.level != s.row) free.push_back(v);
  }
  std::vector<unsigned char> scratch;
  const auto place = [&](std::span<const FoldVar> vars) {
    std::int64_t sum = 0;
    for (const FoldVar& v : vars) sum += executor.at(v.level) * s.strides[static_cast<std::size_t>(v.level)];
    return sum;
  };
  if (by_elements(s)) {
    const std::span<const FoldVar> outer(s.vars.data(), s.vars.size() - 1);
    do {
      do {
        scatter_elements(s, executor, {type, context.mode}, storage, place(s.before), data);
      } while (executor.step(outer));
    } while (executor.step(s.before));
    round_buffer(s, type, context, buffer);
    return buffer;
  }
  do {
    do {
      executor.begin_block(kNoLevel, 0);
      std::int64_t base = place(s.before);
      bool inside = true;
      for (const Scatter::Target& t : s.targets) {
        const auto l = static_cast<std::size_t>(t.level);
        const std::int64_t i = executor.value(t.form);
        inside = i >= 0 && i < s.extents[l];
        if (!inside) break;
        executor.set(t.level, i);
        base += i * s.strides[l];
      }
      if (!inside) continue;
      do {
        scatter_row(s, executor, {type, context.mode}, storage, base + place(free), data, scratch);
      } while (executor.step(free));
    } while (executor.step(s.vars));
  } while (executor.step(s.before));
  round_buffer(s, type, context, buffer);
  return buffer;
}

}  // namespace gg::plan
