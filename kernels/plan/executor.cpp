// Nodes over rows: reads, functions, choices, and which values are kept. Folds: executor_fold.cpp; forms and guards:
// executor_form.cpp.
#include "kernels/plan/executor.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/plan/memory.h"
#include "kernels/plan/semantics.h"
#include "models/base/check.h"
#include "models/base/progress.h"

namespace gg::plan {

Executor::Executor(const Program& program, const RunContext& context)
    : p_(program), context_(context), states_(program.nodes.size()) {
  constexpr std::size_t kAlign = 64;
  const auto cells = static_cast<std::size_t>(program.block + 1);
  std::size_t total = kAlign;
  const auto rounded = [](std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; };
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& s = states_[i];
    s.storage = storage_of(p_.nodes[i].type, context.mode);
    s.size = bytes_of(s.storage);
    total += rounded(cells * s.size) * (p_.nodes[i].product && p_.nodes[i].kind == ExprKind::Fold ? 2 : 1);
  }
  memory_.reset(new unsigned char[total]);
  auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  unsigned char* at = memory_.get() + (kAlign - address % kAlign) % kAlign;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& s = states_[i];
    const Node& n = p_.nodes[i];
    s.cells = at;
    at += rounded(cells * s.size);
    unsigned char* const scalar = s.cells + static_cast<std::size_t>(p_.block) * s.size;
    if (n.kind == ExprKind::Lit) store_scalar(s.storage, scalar, n.type, n.literal.real, n.literal.integer);
    if (n.kind == ExprKind::Unknown) store_unknown(s.storage, scalar, n.type);
    if (n.kind == ExprKind::Fold && n.product) {
      s.product = at;
      at += rounded(cells * s.size);
    }
    if (n.kind == ExprKind::Read) {
      GG_CHECK(n.operand < static_cast<int>(context.sources.size()), "read of a buffer that is not given");
      GG_CHECK(context.sources[static_cast<std::size_t>(n.operand)].storage == s.storage,
               "operand in another storage than its type has in this mode");
    }
  }
}

void Executor::begin_block(int row_level, std::int64_t lo) {
  row_level_ = row_level;
  row_bit_ = bit(row_level);
  block_ = lo;
  if (row_level >= 0) tick_[static_cast<std::size_t>(row_level)] = ++now_;
}

std::uint64_t Executor::stamp(Mask mask) const {
  std::uint64_t latest = 1;
  for (; mask != 0; mask &= mask - 1) {
    latest = std::max(latest, tick_[static_cast<std::size_t>(std::countr_zero(mask))]);
  }
  return latest;
}

Row Executor::row(int id, std::int64_t lo, std::int64_t n, void* to) {
  const Node& x = node(id);
  State& s = state(id);
  auto* const target = static_cast<unsigned char*>(to);
  if (!moves(x.mask)) {
    unsigned char* const scalar = s.cells + static_cast<std::size_t>(p_.block) * s.size;
    if (x.kind == ExprKind::Lit) return {scalar, 0};
    if (!x.cached) return {computed(id, lo, 1, scalar).data, 0};
    const std::uint64_t stamped = stamp(x.mask);
    if (s.scalar_stamp < stamped) {
      const Row r = computed(id, lo, 1, scalar);
      if (r.data != scalar) std::memcpy(scalar, r.data, s.size);
      s.scalar_stamp = now_;
    }
    return {scalar, 0};
  }
  if (!x.cached) return computed(id, lo, n, target);
  // Kept rows stand at their place in the block, so that parts of a row can be asked for in any order.
  const std::uint64_t stamped = stamp(x.mask);
  const bool fresh = s.row_stamp >= stamped && s.level == row_level_;
  if (!fresh || lo < s.lo || lo + n > s.hi) {
    const Row r = computed(id, lo, n, cell(s, lo));
    if (r.data != cell(s, lo)) row_copy(s.storage, cell(s, lo), r, n);
    s.row_stamp = now_;
    s.level = row_level_;
    s.lo = lo;
    s.hi = lo + n;
  }
  return {cell(s, lo), 1};
}

Row Executor::computed(int id, std::int64_t lo, std::int64_t n, unsigned char* to) {
  ask_deadline();
  const Node& x = node(id);
  if (to == nullptr && x.kind != ExprKind::Unknown) to = cell(state(id), lo);
  switch (x.kind) {
    case ExprKind::Read:
      return read(id, lo, n, to);
    case ExprKind::Index:
      return index(id, lo, n, to);
    case ExprKind::Fn:
      return function(id, lo, n, to, {x.type, context_.mode});
    case ExprKind::Case:
      return choice(id, lo, n, to);
    case ExprKind::Fold:
      return fold(id, lo, n, to);
    case ExprKind::Unknown:
      return unknown(id, lo, n);
    case ExprKind::Lit:
    case ExprKind::Constant:
      break;
  }
  GG_CHECK(false, "node kind");
  return {nullptr, 0};
}

Row Executor::read(int id, std::int64_t lo, std::int64_t n, unsigned char* to) {
  const Node& x = node(id);
  const State& s = state(id);
  const Form& f = form(x.form);
  const Source& source = context_.sources[static_cast<std::size_t>(x.operand)];
  bool gathers = false;
  for (const Slot& slot : f.slots) gathers = gathers || moves(slot.mask);
  if (!gathers) {
    const std::int64_t first = value(x.form, lo), step = f.coef(row_level_), last = first + step * (n - 1);
    GG_CHECK(first >= 0 && first < source.count && last >= 0 && last < source.count, "read out of range");
    return {source.data + static_cast<std::size_t>(first) * s.size, step};
  }
  if (run_copy(f, source, lo, n, to)) return {to, 1};
  std::int64_t* const addresses = take_row();
  values(x.form, lo, n, addresses);
  gather_row(s.storage, to, source.data, addresses, n, source.count);
  give_row();
  return {to, 1};
}

Row Executor::unknown(int id, std::int64_t lo, std::int64_t n) {
  const State& s = state(id);
  if (context_.unknown == nullptr || s.storage != context_.unknown_storage) {
    return {s.cells + static_cast<std::size_t>(p_.block) * s.size, 0};
  }
  const Form& f = form(node(id).form);
  const std::int64_t first = value(node(id).form, lo), step = f.coef(row_level_), last = first + step * (n - 1);
  GG_CHECK(first >= 0 && first < context_.unknown_count && last >= 0 && last < context_.unknown_count,
           "unknown element out of range");
  return {context_.unknown + static_cast<std::size_t>(first) * s.size, step};
}

// Index values are 64-bit integers, converted to the element type.
Row Executor::index(int id, std::int64_t lo, std::int64_t n, unsigned char* to) {
  const Node& x = node(id);
  const State& s = state(id);
  std::int64_t* const list = take_row();
  values(x.form, lo, n, list);
  const Row from{list, 1};
  const Storage storage = Storage::Int64;
  const ElementType type = ElementType::S64;
  row_apply(ScalarFn::Convert, {x.type, context_.mode}, s.storage, to, &from, &storage, &type, n, *context_.ties);
  give_row();
  return {to, 1};
}

Row Executor::function(int id, std::int64_t lo, std::int64_t n, unsigned char* to, Rounding rounding) {
  const Node& x = node(id);
  std::array<Row, 3> rows;
  std::array<Storage, 3> storages;
  std::array<ElementType, 3> types;
  for (std::size_t k = 0; k < x.kids.size(); ++k) {
    rows[k] = row(x.kids[k], lo, n, nullptr);
    storages[k] = state(x.kids[k]).storage;
    types[k] = node(x.kids[k]).type;
  }
  row_apply(x.fn, rounding, state(id).storage, to, rows.data(), storages.data(), types.data(), n, *context_.ties);
  return {to, 1};
}

Row Executor::choice(int id, std::int64_t lo, std::int64_t n, unsigned char* to) {
  const Node& x = node(id);
  const State& s = state(id);
  if (!moves(p_.guards[static_cast<std::size_t>(x.guard)].mask)) {
    return row(x.kids[holds(x.guard, lo) ? 0 : 1], lo, n, to);
  }
  Intervals list = take_list();
  intervals(x.guard, lo, n, list);
  const auto part = [&](int kid, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    unsigned char* const place = to + static_cast<std::size_t>(first - lo) * s.size;
    const Row r = row(kid, first, last - first, place);
    if (r.data != place || r.stride != 1) row_copy(s.storage, place, r, last - first);
  };
  std::int64_t done = lo;
  for (const auto& [first, last] : list) {
    part(x.kids[1], done, first);
    part(x.kids[0], first, last);
    done = last;
  }
  part(x.kids[1], done, lo + n);
  give_list(std::move(list));
  return {to, 1};
}

}  // namespace gg::plan
