// Compiling a body and running the result: scatters first, then the boxes of the output.
#include "kernels/plan/plan.h"

#include <algorithm>
#include <set>

#include "kernels/plan/executor.h"
#include "kernels/plan/memory.h"
#include "kernels/plan/rewrite.h"
#include "kernels/plan/semantics.h"
#include "models/base/check.h"

namespace gg {

using namespace plan;  // NOLINT: the parts of this library

Plan::Plan() = default;
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

namespace {

std::int64_t product(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t n : extents) count *= n;
  return count;
}

// Constant arrays that are read anywhere in an expression, data indices included.
class ConstantFinder {
 public:
  ConstantFinder(const Arena& arena, std::vector<ArrayId>& found) : arena_(arena), found_(found) {}
  void expr(ExprId id) {
    if (!seen_.insert({0, id.value}).second) return;
    const Expr& e = arena_[id];
    if (e.kind == ExprKind::Constant && std::find(found_.begin(), found_.end(), ArrayId{e.arg}) == found_.end()) {
      found_.push_back(ArrayId{e.arg});
    }
    if (e.kind == ExprKind::Index) lin(LinId{e.arg});
    if (e.kind == ExprKind::Constant || e.kind == ExprKind::Read) {
      for (const LinId l : arena_.indices(id)) lin(l);
    }
    if (e.kind == ExprKind::Case || e.kind == ExprKind::Fold) guard(arena_.guard(id));
    for (const ExprId k : arena_.kids(id)) expr(k);
  }

 private:
  void lin(LinId id) {
    if (!seen_.insert({1, id.value}).second) return;
    for (const Term& t : arena_.terms(id)) {
      const Atom& a = arena_.atom(t.atom);
      if (a.kind == AtomKind::Div) lin(LinId{a.arg});
      if (a.kind == AtomKind::Data) expr(ExprId{a.arg});
      if (a.kind == AtomKind::Table) lin(LinId{a.index});
    }
  }
  void guard(GuardId id) {
    const GuardKind kind = arena_[id].kind;
    if (kind == GuardKind::Le0 || kind == GuardKind::Eq0) lin(arena_.lin(id));
    for (const GuardId k : arena_.kids(id)) guard(k);
  }
  const Arena& arena_;
  std::vector<ArrayId>& found_;
  std::set<std::pair<int, std::uint32_t>> seen_;
};

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
    list.clear();
    if (s.guard < 0) {
      list.emplace_back(lo, lo + n);
    } else {
      executor.intervals(s.guard, lo, n, list);
    }
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
  if (type != s.type) {
    const Row from{data, 1};
    row_apply(ScalarFn::Convert, {s.type, context.mode}, storage, data, &from, &storage, &type, s.count, *context.ties);
  }
  return buffer;
}

Buffer constant_buffer(const ConstantArray& array, NumberMode mode) {
  const Storage storage = storage_of(array.type.element, mode);
  Buffer buffer(storage, static_cast<std::int64_t>(array.values.size()));
  auto* to = static_cast<unsigned char*>(buffer.data());
  for (const Scalar& s : array.values) {
    store_scalar(storage, to, s.type, s.real, s.integer);
    to += bytes_of(storage);
  }
  return buffer;
}

Source source_of(const Buffer& b) { return {static_cast<const unsigned char*>(b.data()), b.storage(), b.count()}; }

}  // namespace

Plan compile(const Arena& arena, const Body& body, std::span<const Operand> operands) {
  Plan result;
  result.impl = std::make_unique<Plan::Impl>();
  Plan::Impl& p = *result.impl;
  p.body = body;
  std::vector<ElementType> types;
  for (const Operand& o : operands) {
    p.operand_extents.emplace_back(o.extents.begin(), o.extents.end());
    p.operand_counts.push_back(product(o.extents));
    types.push_back(o.type);
  }
  if (product(body.extents) == 0) return result;
  Arena& own = p.arena;
  ExprId root = flatten_reads(own, own.import(arena, body.root), body.extents, p.operand_extents, types);
  root = solve_guards(own, root, body.extents);
  std::vector<ScatterSource> scatters;
  root = take_scatters(own, root, body.extents, static_cast<int>(operands.size()), scatters);
  ConstantFinder finder(own, p.constants);
  finder.expr(root);
  for (const ScatterSource& s : scatters) finder.expr(s.fold);
  p.body_scatters = scatters.size();
  for (const ScatterSource& s : scatters) p.scatters.push_back(lower_scatter(own, s, body.extents, p));
  LinId out = own.constant(0);
  for (std::size_t l = 0; l < body.extents.size(); ++l) {
    out = own.axpy(body.extents[l], out, own.var(static_cast<int>(l), body.extents[l]));
  }
  for (const Box& box : split_boxes(own, {body.extents, root, out})) p.pieces.push_back(lower(own, box, p));
  return result;
}

void run(const Plan& plan, NumberMode mode, std::span<const Operand> operands, Buffer& out, TieCounter& ties,
         const Buffer* unknown) {
  GG_CHECK(plan.impl != nullptr, "run of an empty plan");
  const Plan::Impl& p = *plan.impl;
  check_output(p.body, mode, out, unknown);
  if (out.count() == 0) return;
  RunContext context{mode, {}, nullptr, out.storage(), out.count(), &ties};
  if (unknown != nullptr) context.unknown = static_cast<const unsigned char*>(unknown->data());
  GG_CHECK(operands.size() == p.operand_counts.size(), "plan run with another number of operands");
  for (std::size_t k = 0; k < operands.size(); ++k) {
    GG_CHECK(operands[k].buffer->count() == p.operand_counts[k], "plan run with another operand");
    context.sources.push_back(source_of(*operands[k].buffer));
  }
  std::vector<Buffer> own;
  own.reserve(p.scatters.size() + p.constants.size());
  context.sources.resize(operands.size() + p.scatters.size(), Source{nullptr, Storage::Double, 0});
  for (const ArrayId id : p.constants) {
    own.push_back(constant_buffer(p.arena.array(id), mode));
    context.sources.push_back(source_of(own.back()));
  }
  for (std::size_t k = 0; k < p.scatters.size(); ++k) {
    own.push_back(run_scatter(p.scatters[k], context));
    context.sources[operands.size() + k] = source_of(own.back());
  }
  for (const Piece& piece : p.pieces) run_piece(piece, context, out.storage(), static_cast<unsigned char*>(out.data()));
}

}  // namespace gg
