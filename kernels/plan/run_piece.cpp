// Running one box of the output: a strided copy, or rows of its program in a loop over the other levels.
#include <algorithm>

#include "kernels/numbers/parallel.h"
#include "kernels/plan/executor.h"
#include "kernels/plan/memory.h"
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

/// The blocks of a piece's rows, one row after the other in the order of its loops.
struct Blocks {
  std::vector<FoldVar> loops;
  Level row;
  std::int64_t rows = 1, length, a_row;  ///< elements of a block, blocks of a row
};

Blocks blocks_of(const Piece& piece, bool shared) {
  constexpr std::int64_t kRows = 8, kShort = 16;  // a piece of few rows is shared by shorter blocks
  Blocks b{{}, piece.row < 0 ? Level{1, 1} : piece.levels[static_cast<std::size_t>(piece.row)], 1, kBlock, 1};
  for (const int l : piece.loops) {
    b.loops.push_back({l, piece.levels[static_cast<std::size_t>(l)].extent});
    b.rows *= b.loops.back().extent;
  }
  if (shared && b.rows < kRows) b.length = std::clamp(b.row.extent / kRows, kShort, kBlock);
  b.a_row = (b.row.extent + b.length - 1) / b.length;
  return b;
}

void run_blocks(const Piece& piece, const RunContext& context, Storage storage, unsigned char* out, const Blocks& blocks, std::int64_t first, std::int64_t end) {
  Executor executor(piece.program, context);
  const std::size_t size = bytes_of(storage);
  const Level row = blocks.row;
  std::int64_t left = first / blocks.a_row;
  for (auto l = blocks.loops.rbegin(); l != blocks.loops.rend(); left /= (l++)->extent) executor.set(l->level, left % l->extent);
  for (std::int64_t k = first; k < end; ++k) {
    if (k != first && k % blocks.a_row == 0) executor.step(blocks.loops);
    std::int64_t base = piece.base;
    for (const FoldVar& l : blocks.loops) base += executor.at(l.level) * piece.levels[static_cast<std::size_t>(l.level)].stride;
    const std::int64_t lo = k % blocks.a_row * blocks.length, n = std::min(blocks.length, row.extent - lo);
    executor.begin_block(piece.row, lo);
    unsigned char* const to = out + static_cast<std::size_t>(base + lo * row.stride) * size;
    const Row r = executor.row(piece.root, lo, n, row.stride == 1 ? to : nullptr);
    if (r.data != to || r.stride != 1) store_row(storage, to, row.stride, r, n);
  }
}

/// Worth the start of threads? A ball's operation takes about as long as this many of doubles.
bool is_long(const Piece& piece, Storage storage) {
  constexpr double kThreads = 1 << 17, kBall = 64;
  return piece.operations * (is_ball(storage) ? kBall : 1) >= kThreads;
}

}  // namespace

void run_piece(const Piece& piece, const RunContext& context, Storage storage, unsigned char* out) {
  for (const Level& l : piece.levels) {
    if (l.extent == 0) return;
  }
  if (piece.copy) return copy_piece(piece, context, storage, out);
  constexpr std::int64_t kParts = 8;
  const bool shared = is_long(piece, storage);
  const Blocks blocks = blocks_of(piece, shared);
  const std::int64_t all = blocks.rows * blocks.a_row, parts = shared ? std::min(kParts, all) : 1;
  std::vector<TieCounter> ties(static_cast<std::size_t>(parts));
  const auto part = [&](std::int64_t k) {
    RunContext own = context;
    own.ties = &ties[static_cast<std::size_t>(k)];
    run_blocks(piece, own, storage, out, blocks, all * k / parts, all * (k + 1) / parts);
  };
  if (parts == 1) part(0);
  else for_each_part(parts, part);
  for (const TieCounter& t : ties) context.ties->ties += t.ties;
  replicate(piece, storage, out);
}

}  // namespace gg::plan
