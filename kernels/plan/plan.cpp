// Compiling a body and running the result: scatters first, then the boxes of the output.
#include "kernels/plan/plan.h"

#include <algorithm>

#include "kernels/plan/executor.h"
#include "kernels/plan/rewrite.h"
#include "kernels/plan/semantics.h"
#include "models/base/check.h"
#include "models/body/reads.h"
#include "models/op/op.h"
#include "models/type/type.h"

namespace gg {

using namespace plan;  // NOLINT: the parts of this library

Plan::Plan() = default;
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

namespace {

// Constant arrays that are read anywhere in an expression, data indices included.
void find_constants(const Arena& arena, ExprId root, std::vector<ArrayId>& found) {
  each_expression(arena, root, [&](ExprId id) {
    const Expr& e = arena[id];
    if (e.kind == ExprKind::Constant && std::find(found.begin(), found.end(), ArrayId{e.arg}) == found.end()) found.push_back(ArrayId{e.arg});
  });
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

void plan::check_levels(std::int64_t levels) {
  if (levels > kMaxLevels) {
    throw TypeError{DiagCode::UnsupportedForm, "a loop nest of " + std::to_string(levels) + " levels, " + std::to_string(kMaxLevels) + " are the most"};
  }
}

Plan compile(const Arena& arena, const Body& body, std::span<const Operand> operands) {
  Plan result;
  result.impl = std::make_unique<Plan::Impl>();
  Plan::Impl& p = *result.impl;
  p.body = body;
  std::vector<ElementType> types;
  for (const Operand& o : operands) {
    p.operand_extents.emplace_back(o.extents.begin(), o.extents.end());
    p.operand_counts.push_back(element_count(o.extents));
    types.push_back(o.type);
  }
  if (element_count(body.extents) == 0) return result;
  check_levels(static_cast<std::int64_t>(body.extents.size()));
  Arena& own = p.arena;
  ExprId root = flatten_reads(own, own.import(arena, body.root), body.extents, p.operand_extents, types);
  root = solve_guards(own, root, body.extents);
  std::vector<ScatterSource> scatters;
  root = take_scatters(own, root, body.extents, static_cast<int>(operands.size()), scatters);
  std::vector<FoldSource> folds;
  root = take_folds(own, root, body.extents, static_cast<int>(operands.size() + scatters.size()), folds);
  find_constants(own, root, p.constants);
  for (const ScatterSource& s : scatters) find_constants(own, s.fold, p.constants);
  for (const FoldSource& f : folds) find_constants(own, f.fold, p.constants);
  p.own_buffers = scatters.size() + folds.size();
  for (const FoldSource& f : folds) p.hoisted.push_back(lower_fold(own, f, body.extents, p));
  for (const ScatterSource& s : scatters) p.scatters.push_back(lower_scatter(own, s, body.extents, p));
  const LinId out = own.flatten(identity(own, body.extents), body.extents);
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
  own.reserve(p.own_buffers + p.constants.size());
  context.sources.resize(operands.size() + p.own_buffers, Source{nullptr, Storage::Double, 0});
  for (const ArrayId id : p.constants) {
    own.push_back(constant_buffer(p.arena.array(id), mode));
    context.sources.push_back(source_of(own.back()));
  }
  for (std::size_t k = 0; k < p.scatters.size(); ++k) {
    own.push_back(run_scatter(p.scatters[k], context));
    context.sources[operands.size() + k] = source_of(own.back());
  }
  for (std::size_t k = 0; k < p.hoisted.size(); ++k) {
    const Hoisted& h = p.hoisted[k];
    Buffer& buffer = own.emplace_back(storage_of(h.type, mode), h.count);
    RunContext inner = context;
    inner.unknown = nullptr;
    for (const Piece& piece : h.pieces) {
      run_piece(piece, inner, buffer.storage(), static_cast<unsigned char*>(buffer.data()));
    }
    context.sources[operands.size() + p.scatters.size() + k] = source_of(buffer);
  }
  for (const Piece& piece : p.pieces) run_piece(piece, context, out.storage(), static_cast<unsigned char*>(out.data()));
}

}  // namespace gg
