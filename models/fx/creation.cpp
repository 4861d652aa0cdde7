// Tensors from nothing.
#include <algorithm>
#include <cmath>

#include "models/fx/types.h"

namespace gg::fx {
namespace {

/// What torch printed for a statement that makes a tensor is what its arguments say: nothing else may hang on it once it is written.
void check_made(const Operation& call) {
  const Statement& made = call.statement;
  constexpr std::string_view kMakers[] = {"aten.empty", "aten.full", "aten.new_", "aten.ones", "aten.zeros"};
  if (!made.type || is_complex(made.type->element) || std::none_of(std::begin(kMakers), std::end(kMakers), [&](std::string_view name) { return made.target.starts_with(name); })) return;
  for (const auto& [name, argument] : made.keywords) {
    const auto type = name == "dtype" && argument.kind == Argument::Kind::Word ? dtype_of(argument.text) : std::nullopt;
    if (type && !is_complex(*type) && *type != made.type->element) call.refuse("torch printed another element type than its dtype");
  }
  const auto is_list = [](const Argument& argument) { return argument.kind == Argument::Kind::List; };
  const auto size = std::find_if(made.arguments.begin(), made.arguments.end(), is_list);
  const auto is_number = [](const Argument& item) { return item.kind == Argument::Kind::Integer; };
  if (size == made.arguments.end() || !std::all_of(size->items.begin(), size->items.end(), is_number)) return;
  std::vector<std::int64_t> dims;
  for (const Argument& item : size->items) dims.push_back(item.integer);
  if (dims != made.type->dims) call.refuse("torch printed another shape than its size");
}

Value filled(Operation& call, double value) {
  check_made(call);
  return Value::tensor(call.e.full(call.out().dims, scalar(call, value)));
}

template <int kValue>
Value constant(Operation& call) {
  return filled(call, kValue);
}

template <std::size_t kArgument>
Value full(Operation& call) {
  check_made(call);
  return Value::tensor(call.e.full(call.out().dims, call.stored(kArgument, call.element())));
}

/// What nobody has written, nobody may read.
Value unknown(Operation& call) {
  check_made(call);
  if (call.out().count() == 0) return filled(call, 0);
  if (!is_float(call.element())) return {};  // reading it is refused by name
  return Value::tensor(call.e.unknown(call.out()));
}

/// start + k step; as many as torch says.
Value range(Operation& call, NodeId start, NodeId step, bool plain) {
  Emitter& e = call.e;
  const NodeId place = e.iota(call.element(), call.out().dims, 0);
  if (plain) return Value::tensor(place);
  return Value::tensor(e.binary(Op::Add, start, e.binary(Op::Multiply, place, step)));
}

std::int64_t length(Operation& call, double from, double to, double step) {
  const double count = std::ceil((to - from) / step);
  if (!(count >= 0 && count < 0x1p48)) call.refuse("bounds and a step that give no length");
  return static_cast<std::int64_t>(count);
}

Value arange_of(Operation& call, double from, double to, double step) {
  if (call.out().dims != std::vector<std::int64_t>{length(call, from, to, step)}) call.refuse("torch printed another length than its bounds give");
  return range(call, scalar(call, from), scalar(call, step), from == 0 && step == 1);
}

Value arange(Operation& call) { return arange_of(call, 0, call.number(0), 1); }

/// The bounds may differ between the ranks, the length may not.
Value arange_start(Operation& call) {
  if (call.raw(0).kind != Argument::Kind::Table) return arange_of(call, call.number(0), call.number(1), 1);
  const auto from = call.by_rank(0), to = call.by_rank(1);
  for (std::size_t r = 0; r < from.size(); ++r) {
    if (call.out().dims != std::vector<std::int64_t>{to[r] - from[r]}) call.refuse("the ranks make ranges of different lengths");
  }
  return range(call, call.operand(0, call.element()), scalar(call, 1), false);
}

Value arange_step(Operation& call) { return arange_of(call, call.number(0), call.number(1), call.number(2)); }

Value iota(Operation& call) {
  if (call.out().dims != std::vector<std::int64_t>{call.integer(0)}) call.refuse("torch printed another length");
  return range(call, call.operand(1, call.element()), call.operand(2, call.element()), call.raw(1).kind == Argument::Kind::Integer && call.integer(1) == 0 && call.integer(2) == 1);
}

constexpr Overload kCreationRows[] = {
    {"aten.arange.default", "end, *, dtype=None", arange},
    {"aten.arange.start", "start, end, *, dtype=None", arange_start},
    {"aten.arange.start_step", "start, end, step=1, *, dtype=None", arange_step},
    {"aten.empty.memory_format", "size, *, dtype=None", unknown},
    {"aten.empty_like.default", "self, *, dtype=None", unknown},
    {"aten.empty_permuted.default", "size, physical_layout, *, dtype=None", unknown},
    {"aten.empty_strided.default", "size, stride, *, dtype=None", unknown},
    {"aten.full.default", "size, fill_value, *, dtype=None", full<1>},
    {"aten.full_like.default", "self, fill_value, *, dtype=None", full<1>},
    {"aten.new_empty.default", "self, size, *, dtype=None", unknown},
    {"aten.new_empty_strided.default", "self, size, stride, *, dtype=None", unknown},
    {"aten.new_full.default", "self, size, fill_value, *, dtype=None", full<2>},
    {"aten.new_ones.default", "self, size, *, dtype=None", constant<1>},
    {"aten.new_zeros.default", "self, size, *, dtype=None", constant<0>},
    {"aten.ones.default", "size, *, dtype=None", constant<1>},
    {"aten.ones_like.default", "self, *, dtype=None", constant<1>},
    {"aten.scalar_tensor.default", "s, *, dtype=None", full<0>},
    {"aten.zeros.default", "size, *, dtype=None", constant<0>},
    {"aten.zeros_like.default", "self, *, dtype=None", constant<0>},
    {"prims.iota.default", "length, *, start, step, dtype", iota},
};

}  // namespace

std::span<const Overload> creation_rows() { return kCreationRows; }

}  // namespace gg::fx
