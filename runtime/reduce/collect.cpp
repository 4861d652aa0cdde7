// The tables of unknowns, helpers of the rules, and the rules of elementwise and structural operators.
#include "runtime/reduce/collect.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "models/base/check.h"
#include "models/type/leaves.h"

namespace gg {
namespace {

bool chains_literals(Op op) {
  return op == Op::Broadcast || op == Op::Reshape || op == Op::Bitcast || op == Op::Copy || op == Op::Convert;
}

bool is_plain_integer(ElementType type) { return is_integral(type) && type != ElementType::Pred; }

// Floats that count: places as floats, moved and added.
bool counts_floats(const Module& module, InstructionId id, const std::vector<bool>& counts) {
  switch (module[id].op) {
    case Op::Iota: return true;
    case Op::Convert:
      if (is_plain_integer(module.type(module.operands(id)[0]).element)) return true;
      [[fallthrough]];
    case Op::Broadcast:
    case Op::Reshape:
    case Op::Copy:
    case Op::Transpose:
    case Op::Slice: return counts[module.operands(id)[0]];
    case Op::Add:
    case Op::Subtract: return counts[module.operands(id)[0]] || counts[module.operands(id)[1]];
    default: return false;
  }
}

}  // namespace

ProgramSizes::ProgramSizes(const Module& module, std::uint8_t side, SizeSystem& sizes, Kinds& kinds)
    : module_(module), side_(side) {
  std::vector<std::vector<const Type*>> by_type(module.type_count());
  for (TypeId t = 0; t < module.type_count(); ++t) by_type[t] = array_leaf_types(module.type_by_id(t));
  literals_.assign(module.size(), kNone);
  counts_.assign(module.size(), false);
  for (InstructionId id = 0; id < module.size(); ++id) {
    first_.push_back(static_cast<std::uint32_t>(leaves_.size()));
    for (const Type* leaf : by_type[module[id].type]) {
      const auto dims = static_cast<SizeVar>(sizes.count());
      for (const std::int64_t extent : leaf->dims) sizes.add(extent);
      leaves_.push_back({leaf, dims, kinds.add()});
    }
    if (!module.type(id).is_array()) continue;
    if (is_float(module.type(id).element)) counts_[id] = counts_floats(module, id, counts_);
    if (!is_plain_integer(module.type(id).element)) continue;
    if (module[id].op == Op::Constant) literals_[id] = id;
    else if (chains_literals(module[id].op)) literals_[id] = literals_[module.operands(id)[0]];
  }
  first_.push_back(static_cast<std::uint32_t>(leaves_.size()));
}

std::optional<InstructionId> ProgramSizes::literal(InstructionId id) const {
  if (literals_[id] == kNone) return std::nullopt;
  return literals_[id];
}

Kind Rules::operand_kind(std::size_t k) {
  const InstructionId source = operand(k);
  if (!program.literal(source) || program.literal(id)) return program.kind(source);
  auto& uses = constraints.uses;
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
    if (use->side != program.side() || use->user != id) break;
    if (use->operand == k) return use->kind;
  }
  uses.push_back({program.side(), id, static_cast<std::uint32_t>(k), source, kinds.add()});
  return uses.back().kind;
}

bool Rules::integer(std::size_t k) const {
  return operand_type(k).is_array() && is_plain_integer(operand_type(k).element);
}

void Rules::same_leaf(InstructionId a, std::size_t leaf_a, InstructionId b, std::size_t leaf_b) {
  const std::size_t rank = program.type(a, leaf_a).dims.size();
  for (std::size_t d = 0; d < rank; ++d) equal(program.dim(a, leaf_a, d), program.dim(b, leaf_b, d));
  kinds.tie(program.kind(a, leaf_a), program.kind(b, leaf_b));
}

void Rules::same_value(InstructionId a, InstructionId b) {
  for (std::size_t leaf = 0; leaf < program.leaves(a); ++leaf) same_leaf(a, leaf, b, leaf);
}

void Rules::pass(std::size_t k, InstructionId b, std::size_t first_leaf) {
  const InstructionId source = operand(k);
  if (!program.literal(source)) {
    for (std::size_t leaf = 0; leaf < program.leaves(source); ++leaf) same_leaf(source, leaf, b, first_leaf + leaf);
    return;
  }
  const std::size_t rank = program.type(source).dims.size();
  for (std::size_t d = 0; d < rank; ++d) equal(in(k, d), program.dim(b, first_leaf, d));
  kinds.tie(operand_kind(k), program.kind(b, first_leaf));
}

void Rules::as_result(std::size_t k, std::size_t leaf) {
  for (std::size_t d = 0; d < type(leaf).dims.size(); ++d) equal(in(k, d), out(d, leaf));
}
void Rules::as_first(std::size_t k) {
  for (std::size_t d = 0; d < operand_type(k).dims.size(); ++d) equal(in(0, d), in(k, d));
}

void Rules::tie_result(std::size_t k, std::size_t leaf) {
  const bool from = integer(k) || program.counts(operand(k)), to = is_plain_integer(type(leaf).element) || program.counts(id);
  if (from && to) kinds.tie(operand_kind(k), result_kind(leaf));
}

void Rules::keep_all(const char* reason) {
  for (std::size_t k = 0; k < operand_count(); ++k) {
    for (std::size_t leaf = 0; leaf < program.leaves(operand(k)); ++leaf) {
      const std::size_t rank = program.type(operand(k), leaf).dims.size();
      for (std::size_t d = 0; d < rank; ++d) keep(program.dim(operand(k), leaf, d), reason);
    }
  }
  for (std::size_t leaf = 0; leaf < program.leaves(id); ++leaf) {
    for (std::size_t d = 0; d < type(leaf).dims.size(); ++d) keep(out(d, leaf), reason);
  }
}

namespace {

void nothing_rule(Rules&) {}

// Operands with the result's rank have its extents (scalars of clamp and select are spread).
void same_extents(Rules& r) {
  for (std::size_t k = 0; k < r.operand_count(); ++k) {
    if (r.operand_type(k).dims.size() == r.type().dims.size()) r.as_result(k);
  }
}

void untied_rule(Rules& r) { same_extents(r); }

void tied_rule(Rules& r) {
  same_extents(r);
  for (std::size_t k = 0; k < r.operand_count(); ++k) r.tie_result(k);
}

void compare_rule(Rules& r) {
  same_extents(r);
  const bool counted = r.program.counts(r.operand(0)) && r.program.counts(r.operand(1));
  if (r.integer(0) || counted) r.kinds.tie(r.operand_kind(0), r.operand_kind(1));
}

// A literal factor is a unit of the product: rank * 4 counts in blocks of 4.
void multiply_rule(Rules& r) {
  same_extents(r);
  for (std::size_t k = 0; k < 2; ++k) {
    if (r.program.literal(r.operand(k))) r.tie_result(k);
  }
}

void divide_rule(Rules& r) {
  same_extents(r);
  if (r.integer(0) && r.program.literal(r.operand(1))) r.kinds.tie(r.operand_kind(0), r.operand_kind(1));
}

void remainder_rule(Rules& r) {
  divide_rule(r);
  r.tie_result(0);
}

// Operand k becomes result leaf k: all-reduce, sort, opt-barrier of arrays.
void leafwise_rule(Rules& r) {
  for (std::size_t k = 0; k < r.program.leaves(r.id); ++k) {
    r.as_result(k, k);
    r.tie_result(k, k);
  }
}

void sort_rule(Rules& r) {
  leafwise_rule(r);
  for (std::size_t k = 1; k < r.operand_count(); ++k) r.as_first(k);
}

void barrier_rule(Rules& r) { r.pass(0, r.id); }

void enter(Rules& r, ComputationId computation, std::size_t first_operand) {
  const Computation& callee = r.module.computation(computation);
  for (std::size_t k = 0; k < callee.parameters.size(); ++k) r.pass(first_operand + k, callee.parameters[k]);
  r.same_value(callee.root, r.id);
}

void call_rule(Rules& r) {
  const Attr attr = r.module[r.id].op == Op::Fusion ? Attr::Calls : Attr::ToApply;
  enter(r, r.attributes().computations(attr).at(0), 0);
}

void conditional_rule(Rules& r) {
  const ComputationList branches = branches_of(r.module, r.id);
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const Computation& callee = r.module.computation(branches[k]);
    if (!callee.parameters.empty()) r.pass(k + 1, callee.parameters[0]);
    r.same_value(callee.root, r.id);
  }
}

void while_rule(Rules& r) {
  const Computation& condition = r.module.computation(r.attributes().computations(Attr::Condition).at(0));
  const Computation& body = r.module.computation(r.attributes().computations(Attr::Body).at(0));
  r.pass(0, condition.parameters.at(0));
  r.pass(0, body.parameters.at(0));
  r.pass(0, r.id);
  r.same_value(body.root, r.id);
}

void tuple_rule(Rules& r) {
  std::size_t offset = 0;
  for (std::size_t k = 0; k < r.operand_count(); ++k) {
    r.pass(k, r.id, offset);
    offset += r.program.leaves(r.operand(k));
  }
}

void element_rule(Rules& r) {
  const std::size_t offset = first_leaf(r.module.type(r.operand(0)), r.attributes().integer(Attr::Index));
  for (std::size_t leaf = 0; leaf < r.program.leaves(r.id); ++leaf) r.same_leaf(r.operand(0), offset + leaf, r.id, leaf);
}

void custom_call_rule(Rules& r) {
  const std::string& target = r.attributes().text(Attr::CustomCallTarget);
  if (target == "AwsNeuronTransferWithStaticRing") return tied_rule(r);
  if (target != "AwsNeuronRmsNorm") return r.keep_all("an operand or result of an opaque call");
  same_extents(r);
  const std::string& config = r.attributes().text(Attr::BackendConfig);
  std::size_t d = 0;
  std::from_chars(config.data(), config.data() + config.size(), d);
  r.equal(r.in(1, 0), r.in(0, d));
}

// A table over ranks keeps its length, and so does one of integers: its entries have no other meaning.
void constant_rule(Rules& r) {
  const Type& type = r.type();
  if (!r.attributes().has(Attr::Literal)) {
    for (std::size_t d = 0; d < type.dims.size(); ++d) r.keep(r.out(d), "an elided constant");
    return;
  }
  const auto& values = r.attributes().literal().values;
  const bool splat = std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s == values.front(); });
  if (splat || !is_plain_integer(type.element)) return;
  for (std::size_t d = 0; d < type.dims.size(); ++d) r.keep(r.out(d), "the length of an integer table");
}

void bitcast_rule(Rules& r) {
  if (r.operand_type(0).layout.empty() && r.type().layout.empty()) return reshape_rule(r);
  r.keep_all("a bitcast between layouts");
}

void rank_id_rule(Rules& r) { r.constraints.rank_kinds.push_back(r.result_kind()); }

struct OpRule {
  Op op;
  SizeRule rule;
};

constexpr OpRule kRules[] = {
    {Op::Add, tied_rule}, {Op::Subtract, tied_rule}, {Op::Maximum, tied_rule}, {Op::Minimum, tied_rule},
    {Op::Clamp, tied_rule}, {Op::Select, tied_rule}, {Op::Negate, tied_rule}, {Op::Abs, tied_rule},
    {Op::Copy, tied_rule}, {Op::Convert, tied_rule}, {Op::Reverse, tied_rule}, {Op::CollectivePermute, tied_rule},
    {Op::Compare, compare_rule}, {Op::Multiply, multiply_rule}, {Op::Divide, divide_rule},
    {Op::Remainder, remainder_rule}, {Op::Map, untied_rule},
    {Op::Broadcast, broadcast_rule}, {Op::Concatenate, concatenate_rule}, {Op::Iota, iota_rule}, {Op::Pad, pad_rule},
    {Op::Reshape, reshape_rule}, {Op::Bitcast, bitcast_rule}, {Op::Slice, slice_rule}, {Op::Transpose, transpose_rule},
    {Op::Constant, constant_rule}, {Op::Parameter, nothing_rule}, {Op::PartitionId, rank_id_rule},
    {Op::ReplicaId, rank_id_rule},
    {Op::Convolution, convolution_rule}, {Op::Dot, dot_rule}, {Op::Reduce, reduce_rule},
    {Op::ReduceWindow, reduce_window_rule}, {Op::TopK, topk_rule}, {Op::Sort, sort_rule},
    {Op::DynamicSlice, dynamic_slice_rule}, {Op::DynamicUpdateSlice, dynamic_update_slice_rule},
    {Op::Gather, gather_rule}, {Op::Scatter, scatter_rule},
    {Op::AllGather, all_gather_rule}, {Op::AllReduce, leafwise_rule}, {Op::AllToAll, all_to_all_rule},
    {Op::ReduceScatter, reduce_scatter_rule},
    {Op::AfterAll, nothing_rule}, {Op::Call, call_rule}, {Op::Fusion, call_rule}, {Op::Conditional, conditional_rule},
    {Op::While, while_rule}, {Op::Tuple, tuple_rule}, {Op::GetTupleElement, element_rule},
    {Op::OptimizationBarrier, barrier_rule}, {Op::CustomCall, custom_call_rule},
};

void unknown_rule(Rules& r) { r.keep_all("an operator without a rule for sizes"); }

using RuleTable = std::array<SizeRule, 256>;

RuleTable make_table() {
  RuleTable table;
  for (std::size_t op = 0; op < table.size(); ++op) {
    const bool elementwise = op < operators().size() && info(static_cast<Op>(op)).traits == OpTraits::Elementwise;
    table[op] = elementwise ? untied_rule : unknown_rule;
  }
  for (const OpRule& row : kRules) table[static_cast<std::size_t>(row.op)] = row.rule;
  return table;
}

}  // namespace

SizeRule size_rule(Op op) {
  static const RuleTable kTable = make_table();
  return kTable[static_cast<std::size_t>(op)];
}

void collect_instructions(Constraints& constraints, std::size_t program) {
  const ProgramSizes& p = constraints.programs[program];
  const Module& module = p.module();
  for (InstructionId id = 0; id < module.size(); ++id) {
    Rules rules(constraints, program, id);
    size_rule(module[id].op)(rules);
    if (p.literal(id)) continue;  // inside a chain
    for (std::size_t k = 0; k < rules.operand_count(); ++k) {
      if (p.literal(rules.operand(k))) rules.operand_kind(k);
    }
  }
  for (const Computation& computation : module.computations()) {
    if (p.literal(computation.root)) {
      constraints.uses.push_back({p.side(), kNone, 0, computation.root, p.kind(computation.root)});
    }
  }
}

}  // namespace gg
