// Running one box of the output: a strided copy, or rows of its program in a loop over the other levels.
#include <algorithm>

#include "kernels/plan/memory.h"
#include "kernels/plan/executor.h"
#include "models/base/check.h"

namespace gg::plan {

namespace {

void copy_piece(const Piece& piece, const RunContext& context, Storage storage, unsigned char* out) {
  const Node& root = piece.program.nodes[static_cast<std::size_t>(piece.root)];
  const Form& f = piece.program.forms[static_cast<std::size_t>(root.form)];
  const Source& source = context.sources[static_cast<std::size_t>(root.operand)];
  GG_CHECK(source.storage == storage, "operand in another storage than its type has in this mode");
  std::vector<CopyLoop> loops;
  std::int64_t least = f.c0, most = f.c0;
  for (std::size_t l = 0; l < piece.levels.size(); ++l) {
    const Level& level = piece.levels[l];
    const std::int64_t step = f.coef(static_cast<int>(l)), reach = step * (level.extent - 1);
    loops.push_back({level.extent, level.stride, step});
    (reach < 0 ? least : most) += reach;
  }
  GG_CHECK(least >= 0 && most < source.count, "read out of range");
  const std::size_t size = bytes_of(storage);
  copy_box(storage, out + static_cast<std::size_t>(piece.base) * size,
           source.data + static_cast<std::size_t>(f.c0) * size, loops);
}

// What was computed at index 0 of the replicated levels, to their other indices.
void replicate(const Piece& piece, Storage storage, unsigned char* out) {
  std::vector<CopyLoop> loops;
  const auto loop = [&](int l) {
    const Level& level = piece.levels[static_cast<std::size_t>(l)];
    return CopyLoop{level.extent, level.stride, level.stride};
  };
  for (const int l : piece.loops) loops.push_back(loop(l));
  if (piece.row >= 0) loops.push_back(loop(piece.row));
  const std::size_t size = bytes_of(storage);
  unsigned char* const base = out + static_cast<std::size_t>(piece.base) * size;
  for (auto l = piece.replicated.rbegin(); l != piece.replicated.rend(); ++l) {
    const CopyLoop outer = loop(*l);
    for (std::int64_t k = 1; k < outer.extent; ++k) {
      copy_box(storage, base + static_cast<std::size_t>(k * outer.to) * size, base, loops);
    }
    loops.insert(loops.begin(), outer);
  }
}

}  // namespace

void run_piece(const Piece& piece, const RunContext& context, Storage storage, unsigned char* out) {
  for (const Level& l : piece.levels) {
    if (l.extent == 0) return;
  }
  if (piece.copy) return copy_piece(piece, context, storage, out);
  Executor executor(piece.program, context);
  const std::size_t size = bytes_of(storage);
  std::vector<FoldVar> loops;
  for (const int l : piece.loops) loops.push_back({l, piece.levels[static_cast<std::size_t>(l)].extent});
  const Level row = piece.row < 0 ? Level{1, 1} : piece.levels[static_cast<std::size_t>(piece.row)];
  do {
    std::int64_t base = piece.base;
    for (const FoldVar& l : loops)
      base += executor.at(l.level) * piece.levels[static_cast<std::size_t>(l.level)].stride;
    for (std::int64_t lo = 0; lo < row.extent; lo += kBlock) {
      const std::int64_t n = std::min(kBlock, row.extent - lo);
      executor.begin_block(piece.row, lo);
      unsigned char* const to = out + static_cast<std::size_t>(base + lo * row.stride) * size;
      const Row r = executor.row(piece.root, lo, n, row.stride == 1 ? to : nullptr);
      if (r.data != to || r.stride != 1) store_row(storage, to, row.stride, r, n);
    }
  } while (executor.step(loops));
  replicate(piece, storage, out);
}

}  // namespace gg::plan
