// Repairs of layout: other dimensions, moves that should not stand, gathers along the right dimension.
#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "harness/pinpoint/make.h"
#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "models/op/groups.h"

namespace gg::pinpoint {
namespace {

constexpr int kMaxMoves = 4;
constexpr std::size_t kMaxRank = 5;

/// The change if the operator's rule still gives the same type.
bool keeps_type(const Context& context, const Changed& change) {
  Call call = call_of(context.module(), change.id);
  call.attributes = &change.attributes;
  try {
    return infer_type(call) == context.type(change.id);
  } catch (const TypeError&) {
    return false;
  }
}

/// The all-to-all whose blocks the moves at `place` put into order: behind them, or what reads them; kNone without one.
InstructionId exchange_beside(const Context& context, InstructionId place) {
  const Module& module = context.module();
  const InstructionId origin = behind_moves(module, place), user = context.user_behind_copies(place);
  if (module[origin].op == Op::AllToAll) return origin;
  return user != kNone && module[user].op == Op::AllToAll ? user : kNone;
}

void propose(const Context& context, Changed change, const std::string& text, const std::string& edit, int cost, std::vector<Repair>& out) {
  if (!keeps_type(context, change)) return;
  Repair r;
  r.place = change.id;
  r.patch.changed.push_back(std::move(change));
  const InstructionId exchange = context.module()[r.place].op == Op::Transpose ? exchange_beside(context, r.place) : kNone;
  r.diagnosis = exchange == kNone ? Diagnosis::SwappedDims : Diagnosis::GroupOrder;
  r.text = text;
  if (exchange != kNone) r.text += ": the blocks that " + context.name(exchange) + " exchanges come into another order than the ranks hold them in";
  r.edit = edit;
  r.cost = cost;
  out.push_back(std::move(r));
}

std::string list(const IntList& values) { return fmt::format("{{{}}}", fmt::join(values, ",")); }

/// Other orders of a dimension list (transpose, broadcast).
void reorder(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const IntList now = context.module().attributes(place).ints(Attr::BroadcastDims);
  if (now.size() < 2 || now.size() > kMaxRank) return;
  IntList order = now;
  std::sort(order.begin(), order.end());
  do {
    if (order == now) continue;
    Changed change = unchanged(context.module(), place);
    change.attributes.set(Attr::BroadcastDims, order);
    propose(context, std::move(change), context.name(place) + " takes dimensions " + list(now) + " where " + list(order) + " is right",
            "use dimensions " + list(order) + " in " + context.name(place), 18, out);
  } while (std::next_permutation(order.begin(), order.end()));
}

/// One dimension exchanged for another (reduce, gather, concatenate, iota, contractions).
void replace_dimension(const Context& context, InstructionId place, Attr attr, int rank, std::vector<Repair>& out) {
  const Attributes& attributes = context.module().attributes(place);
  if (attr == Attr::IotaDimension) {
    for (std::int64_t d = 0; d < rank; ++d) {
      Changed change = unchanged(context.module(), place);
      if (attributes.integer(attr) == d) continue;
      change.attributes.set(attr, d);
      propose(context, std::move(change), fmt::format("{} counts along another dimension than {}", context.name(place), d),
              fmt::format("count along dimension {} in {}", d, context.name(place)), 18, out);
    }
    return;
  }
  const IntList now = attributes.ints(attr);
  for (std::size_t k = 0; k < now.size(); ++k) {
    for (std::int64_t d = 0; d < rank; ++d) {
      if (std::find(now.begin(), now.end(), d) != now.end()) continue;
      IntList dims = now;
      dims[k] = d;
      if (attr == Attr::BroadcastDims) std::sort(dims.begin(), dims.end());
      Changed change = unchanged(context.module(), place);
      change.attributes.set(attr, dims);
      propose(context, std::move(change), context.name(place) + " works along " + list(now) + " where " + list(dims) + " is right",
              "work along " + list(dims) + " in " + context.name(place), 20, out);
    }
  }
}

/// Users of a moved value read the value before the moves, if it has the same type.
void bypass_moves(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  InstructionId at = place;
  for (int moves = 0; moves < kMaxMoves; ++moves) {
    if (!DivergenceTrace::moves(module[at].op) || module.operands(at).size() != 1) return;
    const bool copy = is_copy(module, at);
    at = module.operands(at)[0];
    if (copy || !(module.type(at) == module.type(place))) continue;
    Repair r;
    r.place = place;
    r.kind = FindingKind::Extra;
    r.patch.reroutes.push_back({place, {at, false}, std::nullopt});
    r.diagnosis = Diagnosis::SwappedDims;
    r.text = context.name(place) + " moves elements of " + context.name(at) + " that should stay where they are";
    if (const InstructionId exchange = exchange_beside(context, place); exchange != kNone) {
      r.diagnosis = Diagnosis::GroupOrder;
      r.text = fmt::format("{} puts the blocks that {} exchanges into another order than the ranks hold them in", context.name(place), context.name(exchange));
    }
    r.edit = "use " + context.name(at) + " in place of " + context.name(place);
    r.cost = 17 + moves;
    out.push_back(std::move(r));
    return;
  }
}

/// A reshape that makes one dimension of two takes the other one as the major one, behind an exchange of blocks.
void merge_other_way(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const InstructionId operand = module.operands(place)[0], exchange = exchange_beside(context, place);
  const Type& type = module.type(operand);
  if (exchange == kNone || type.dims.size() != module.type(place).dims.size() + 1) return;
  for (std::size_t d = 0; d + 1 < type.dims.size(); ++d) {
    IntList merged = type.dims;
    merged[d] *= merged[d + 1];
    merged.erase(merged.begin() + static_cast<std::ptrdiff_t>(d) + 1);
    if (merged != module.type(place).dims || type.dims[d] == 1 || type.dims[d + 1] == 1) continue;
    Repair r;
    r.place = place;
    IntList order(type.dims.size()), dims = type.dims;
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[d], order[d + 1]);
    std::swap(dims[d], dims[d + 1]);
    Changed change = unchanged(module, place);
    change.operands[0] = transpose(r.patch, {operand, false}, Type::array(type.element, dims), order);
    r.patch.changed.push_back(std::move(change));
    r.diagnosis = Diagnosis::GroupOrder;
    r.text = fmt::format("{} puts the blocks that {} exchanges into another order than the ranks hold them in: dimension {} is the major one of {} and {}",
                         context.name(place), context.name(exchange), d + 1, d, d + 1);
    r.edit = fmt::format("transpose dimensions {} and {} of {} before {}", d, d + 1, context.name(operand), context.name(place));
    r.cost = 16;
    out.push_back(std::move(r));
  }
}

/// An exchange of two dimensions of equal extents inserted after a value.
void insert_transpose(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Type& type = context.type(place);
  const Op op = context.module()[place].op;
  if (!context.is_float_array(place) || op == Op::Broadcast || op == Op::Constant) return;
  if (DivergenceTrace::moves(op) && op != Op::Transpose && op != Op::Reshape) return;
  for (std::size_t a = 0; a < type.dims.size(); ++a) {
    for (std::size_t b = a + 1; b < type.dims.size(); ++b) {
      if (type.dims[a] != type.dims[b] || type.dims[a] == 1) continue;
      Repair r;
      r.place = place;
      r.kind = FindingKind::Missing;
      IntList order(type.dims.size());
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[a], order[b]);
      const Ref swapped = transpose(r.patch, {place, false}, type, order);
      r.patch.reroutes.push_back({place, swapped, std::nullopt});
      r.diagnosis = Diagnosis::SwappedDims;
      r.text = fmt::format("missing transpose of dimensions {} and {} after {}{}", a, b, context.name(place), context.consumer(place));
      r.edit = fmt::format("insert a transpose of dimensions {} and {} after {}", a, b, context.name(place));
      r.after = std::string(context.module().name_of(place));
      r.cost = 34;
      out.push_back(std::move(r));
    }
  }
}

/// A value moved around a gather (or reduce-scatter) becomes the plain collective along one of its dimensions.
void direct_collective(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!DivergenceTrace::moves(module[place].op) && info(module[place].op).traits != OpTraits::Collective) return;
  const InstructionId collective = behind_moves(module, place);
  const Op op = module[collective].op;
  if ((op != Op::AllGather && op != Op::ReduceScatter) || module.operands(collective).size() != 1) return;
  const Type& type = module.type(place);
  std::vector<InstructionId> sources;
  for (InstructionId at = module.operands(collective)[0];; at = module.operands(at)[0]) {
    sources.push_back(at);
    if (!DivergenceTrace::moves(module[at].op) || module.operands(at).size() != 1) break;
  }
  for (const InstructionId source : sources) {
    const Type& from = module.type(source);
    if (from.dims.size() != type.dims.size()) continue;
    for (std::size_t d = 0; d < type.dims.size(); ++d) {
      const Type& small = op == Op::AllGather ? from : type;
      const Type& large = op == Op::AllGather ? type : from;
      if (small.dims[d] == 0 || large.dims[d] % small.dims[d] != 0 || large.dims[d] == small.dims[d]) continue;
      Changed change = unchanged(module, collective);
      change.attributes.set(Attr::BroadcastDims, IntList{static_cast<std::int64_t>(d)});
      if (source == module.operands(collective)[0] && place == collective && change.attributes == module.attributes(collective)) continue;
      Repair r;
      r.place = collective;
      std::optional<Reducer> reducer;
      Attributes attributes = change.attributes;
      const Ref direct = r.patch.add({op, Type::array(type.element, type.dims), std::move(attributes), {{source, false}}, reducer, module[collective].channel >= 0});
      r.patch.reroutes.push_back({place, direct, std::nullopt});
      r.diagnosis = Diagnosis::GroupOrder;
      const std::string what(info(op).name);
      r.text = fmt::format("{} puts the blocks of the ranks in the wrong order: {} should hold them along dimension {}", context.name(collective), context.name(place), d);
      r.edit = fmt::format("make {} the {} of {} along dimension {}", context.name(place), what, context.name(source), d);
      r.cost = 19;
      out.push_back(std::move(r));
    }
  }
}

}  // namespace

void layout_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Op op = module[place].op;
  const auto rank_of = [&](std::size_t operand) { return module.type(module.operands(place)[operand]).rank(); };
  switch (op) {
    case Op::Transpose:
    case Op::Broadcast: reorder(context, place, out); break;
    case Op::Iota: replace_dimension(context, place, Attr::IotaDimension, module.type(place).rank(), out); break;
    case Op::Reduce:
    case Op::AllGather:
    case Op::Reverse:
    case Op::Concatenate: replace_dimension(context, place, Attr::BroadcastDims, rank_of(0), out); break;
    case Op::Dot:
      replace_dimension(context, place, Attr::LhsContractingDims, rank_of(0), out);
      replace_dimension(context, place, Attr::RhsContractingDims, rank_of(1), out);
      break;
    case Op::Reshape: merge_other_way(context, place, out); break;
    default: break;
  }
  bypass_moves(context, place, out);
  direct_collective(context, place, out);
  insert_transpose(context, place, out);
}

}  // namespace gg::pinpoint
