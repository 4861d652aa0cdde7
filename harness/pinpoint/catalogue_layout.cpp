// Repairs of layout: moves that should not stand, or are missing; gathers along the right dimension.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr int kMaxMoves = 4;
constexpr int kMissingGather = 12;  ///< cost of a gather that is missing

/// Users of a moved value read the value before the moves, if it has the same type.
void bypass_moves(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  InstructionId at = place;
  for (int moves = 0; moves < kMaxMoves; ++moves) {
    const bool copy = is_copy(module, at), pieces = module.operands(at).size() > 1;
    at = moved_from(module, at);
    if (at == kNone) return;
    if (copy || !(module.type(at) == module.type(place))) continue;
    const InstructionId exchange = exchange_beside(context, place);
    const std::string text = exchange == kNone ? fmt::format("moves elements of {} that should stay where they are", context.name(at)) : puts_in_other_order(context, exchange);
    const Diagnosis moved = pieces ? Diagnosis::SliceShifted : Diagnosis::SwappedDims;
    out.push_back({.patch = rerouting(place, {at, false}), .place = place, .kind = FindingKind::Extra, .diagnosis = exchange == kNone ? moved : Diagnosis::GroupOrder, .text = context.name(place) + " " + text, .edit = fmt::format("use {} in place of {}", context.name(at), context.name(place)), .cost = 17 + moves});
    return;
  }
}

/// An exchange of two dimensions of equal extents inserted after a value that is computed, or moved in order.
void insert_transpose(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Type& type = context.type(place);
  if (!context.is_float_array(place) || has_values(context.module(), place)) return;
  const Module& module = context.module();
  if (moves_one(module, place) && (is_copy(module, place) || module.type(module.operands(place)[0]).count() != type.count())) return;
  for (std::size_t a = 0; a < type.dims.size(); ++a) {
    for (std::size_t b = a + 1; b < type.dims.size(); ++b) {
      if (type.dims[a] != type.dims[b] || type.dims[a] == 1) continue;
      IntList order(type.dims.size());
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[a], order[b]);
      Patch patch;
      patch.reroutes.push_back({place, context.maker(patch).transpose({place, false}, order), std::nullopt});
      out.push_back({.patch = std::move(patch), .place = place, .kind = FindingKind::Missing, .diagnosis = Diagnosis::SwappedDims, .text = fmt::format("missing transpose of dimensions {} and {} after {}{}", a, b, context.name(place), context.consumer(place)), .edit = fmt::format("insert a transpose of dimensions {} and {} after {}", a, b, context.name(place)), .after = std::string(context.module().name_of(place)), .cost = 34});
    }
  }
}

/// Is it a reshape that leaves all elements in their order?
bool keeps_order(const Module& module, InstructionId id) {
  return moves_one(module, id) && !module.attributes(id).has(Attr::BroadcastDims) && module.type(id).count() == module.type(module.operands(id)[0]).count();
}

/// The exchange between ranks for which the value is cut (`sends`), or whose blocks it puts together; kNone.
InstructionId exchange_of(const Context& context, InstructionId place, bool sends) {
  const Module& module = context.module();
  InstructionId at = place;
  for (int moves = 0; moves < kMaxMoves; ++moves) {
    const bool one = context.users(at).size() == 1;
    if (sends && !one) return kNone;
    const InstructionId next = sends ? context.users(at).front() : module.operands(at)[0];
    if (!keeps_order(module, next)) return exchange_beside(context, at) == next ? next : kNone;
    at = next;
  }
  return kNone;
}

/// A value cut into blocks for an exchange, or put together of those that it brought, as if the dimension that is cut stood first: the transpose is missing, here and wherever it is done alike.
void blocks_of_exchange(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!keeps_order(module, place) || !context.is_float_array(place)) return;
  for (const bool sends : {true, false}) {
    const InstructionId exchange = exchange_of(context, place, sends);
    const IntList& blocks = module.type(sends ? place : module.operands(place)[0]).dims;
    if (exchange == kNone || blocks.size() < 2 || blocks == module.type(sends ? module.operands(place)[0] : place).dims) continue;
    if (std::none_of(context.axes().begin(), context.axes().end(), [&](const AxisSet& axes) { return axes.size == blocks[0]; })) continue;
    std::vector<InstructionId> all;
    for (InstructionId id = 0; id < module.size(); ++id) {
      const bool same = id == place || (alike(module, id, place) && keeps_order(module, id) && module.type(module.operands(id)[0]) == module.type(module.operands(place)[0]) && module.computation_of(id) == module.computation_of(place));
      if (same && exchange_of(context, id, sends) != kNone) all.push_back(id);
    }
    const InstructionId first = all.front();
    for (std::size_t d = 1; d < blocks.size(); ++d) {
      IntList cut(blocks.begin() + 1, blocks.end()), order(blocks.size());  // the dimensions with the blocks at d
      cut.insert(cut.begin() + static_cast<std::ptrdiff_t>(d), blocks[0]);
      for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int64_t>(sends ? (k == 0 ? d : k <= d ? k - 1
                                                                                                                       : k)
                                                                                                : (k < d ? k + 1 : k == d ? 0
                                                                                                                          : k));
      Patch patch;
      Maker maker = context.maker(patch);
      for (const InstructionId id : all) {
        const Ref from{module.operands(id)[0], false};
        patch.reroutes.push_back({id, sends ? maker.transpose(maker.reshape(from, cut), order) : maker.reshape(maker.transpose(from, order), module.type(id).dims), std::nullopt});
      }
      const std::string name = context.name(first), with = context.name(exchange_of(context, first, sends)), more = all.size() == 1 ? "" : fmt::format("; so do the other {} like it", all.size() - 1);
      const std::string like = all.size() == 1 ? "" : fmt::format(", and in the {} like it", all.size() - 1), value = context.name(module.operands(first)[0]);
      const std::string text = sends ? fmt::format("{} cuts {} for {} as if the blocks lay one behind the other: they lie along dimension {}", name, value, with, d) : fmt::format("{} puts the blocks that {} brings one behind the other: they belong along dimension {}", name, with, d);
      const std::string edit = sends ? fmt::format("cut {} into blocks along dimension {} in {}", value, d, name) : fmt::format("put the blocks that {} brings along dimension {} in {}", with, d, name);
      out.push_back({.patch = std::move(patch), .place = first, .kind = FindingKind::Missing, .diagnosis = Diagnosis::GroupOrder, .text = text + more, .edit = edit + like, .after = std::string(module.name_of(first)), .cost = 18});
    }
  }
}

/// A value moved around a gather (or reduce-scatter) becomes the plain collective along one of its dimensions.
void direct_collective(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const InstructionId collective = behind_moves(module, place);
  const bool gathers = is_gather_of_ranks(module, collective);
  if ((!gathers && !is_reduce_scatter(module, collective)) || module.operands(collective).size() != 1) return;
  const Type& type = module.type(place);
  std::vector<InstructionId> sources = {module.operands(collective)[0]};
  while (moves_one(module, sources.back())) sources.push_back(module.operands(sources.back())[0]);
  for (const InstructionId source : sources) {
    const Type& from = module.type(source);
    if (from.dims.size() != type.dims.size()) continue;
    for (std::size_t d = 0; d < type.dims.size(); ++d) {
      const std::int64_t small = gathers ? from.dims[d] : type.dims[d], large = gathers ? type.dims[d] : from.dims[d];
      if (small == 0 || large % small != 0 || large == small) continue;
      Attributes attributes = module.attributes(collective);
      attributes.set(Attr::BroadcastDims, IntList{static_cast<std::int64_t>(d)});
      if (source == sources.front() && place == collective && attributes == module.attributes(collective)) continue;
      Patch patch;
      const Added direct{module[collective].op, Type::array(type.element, type.dims), std::move(attributes), {{source, false}}, std::nullopt, module[collective].channel >= 0};
      patch.reroutes.push_back({place, patch.add(direct), std::nullopt});
      out.push_back({.patch = std::move(patch), .place = collective, .diagnosis = Diagnosis::GroupOrder, .text = fmt::format("{} puts the blocks of the ranks in the wrong order: {} should hold them along dimension {}", context.name(collective), context.name(place), d), .edit = fmt::format("make {} the {} of {} along dimension {}", context.name(place), info(module[collective].op).name, context.name(source), d), .cost = 19});
    }
  }
}

/// What the rank's own block is moved into, or put into or read of, takes the blocks of all ranks.
void missing_gather(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const bool indexes = info(module[place].op).traits == OpTraits::Indexing;
  if (!context.is_float_array(place) || !(indexes || moves_elements(module[place].op))) return;
  const auto operands = module.operands(place);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (std::find(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(k), operands[k]) != operands.begin() + static_cast<std::ptrdiff_t>(k)) continue;
    const ValueState* state = context.state(operands[k]);
    if (state == nullptr || !state->derived || !state->match || !state->match->partial.empty() || !module.type(operands[k]).is_array()) continue;
    Patch patch;
    Maker maker = context.maker(patch);
    const auto whole = gathered(context, operands[k], *state->match, maker);
    if (!whole || !whole->added) continue;
    if (indexes) {
      Changed change = unchanged(module, place);
      change.operands[k] = *whole;
      patch.changed.push_back(std::move(change));
    } else if (maker.type(*whole) == maker.type({place, false})) {
      patch.reroutes.push_back({place, *whole, std::nullopt});
    } else {
      continue;
    }
    const std::string name = context.name(operands[k]), at = context.name(place);
    out.push_back({.patch = std::move(patch), .place = place, .kind = FindingKind::Missing, .diagnosis = Diagnosis::LocalStatistic, .text = fmt::format("{} takes the rank's own block {} where that of all ranks is right: an all-gather is missing", at, name), .edit = fmt::format("gather {} {} {}", name, indexes ? "before" : "in place of", at), .after = std::string(module.name_of(operands[k])), .before = std::string(module.name_of(place)), .cost = kMissingGather});
  }
}

/// A broadcast whose one new dimension is put together with the dimension beside it by the reshape that reads it.
struct Repeated {
  InstructionId reshape;
  std::size_t dim;           ///< the new one
  std::size_t beside;        ///< the other one, before or behind it
  std::int64_t times, each;  ///< their extents
};

std::optional<Repeated> repeated(const Context& context, InstructionId place) {
  const Module& module = context.module();
  if (!moves_one(module, place) || !module.attributes(place).has(Attr::BroadcastDims) || context.users(place).size() != 1) return std::nullopt;
  const InstructionId reader = context.users(place)[0];
  const IntList &dims = context.type(place).dims, &kept = module.attributes(place).ints(Attr::BroadcastDims);
  if (!keeps_order(module, reader) || context.type(module.operands(place)[0]).count() == context.type(place).count() || kept.size() + 1 != dims.size() || !std::is_sorted(kept.begin(), kept.end())) return std::nullopt;
  std::size_t dim = 0;
  while (dim < kept.size() && kept[dim] == static_cast<std::int64_t>(dim)) ++dim;
  for (const bool behind : {true, false}) {
    std::size_t beside = dim;
    do beside += behind ? 1 : std::size_t(-1);
    while (beside < dims.size() && dims[beside] == 1);
    if (beside >= dims.size() || dims[beside] == dims[dim]) continue;  // of equal extents, other dimensions are told
    std::int64_t middle = 1, product = 1;
    for (std::size_t d = 0; d < std::max(dim, beside); ++d) middle *= dims[d];
    bool apart = false;
    for (const std::int64_t extent : context.type(reader).dims) apart = (product *= extent) == middle || apart;
    if (!apart) return Repeated{reader, dim, beside, dims[dim], dims[beside]};
  }
  return std::nullopt;
}

/// All values behind each other once more where each belongs beside its copy, or the other way around: heads that are repeated. Alone, and wherever it is done alike.
void repeat_otherwise(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto found = repeated(context, place);
  if (!found) return;
  std::vector<InstructionId> all;
  for (InstructionId id = 0; id < module.size(); ++id) {
    const bool same = alike(module, id, place) && module.attributes(id) == module.attributes(place) && module.computation_of(id) == module.computation_of(place);
    if (same && repeated(context, id)) all.push_back(id);
  }
  const auto propose = [&](const std::vector<InstructionId>& places, int cost) {
    Patch patch;
    Maker maker = context.maker(patch);
    std::string likewise;
    for (const InstructionId id : places) {
      const Repeated at = *repeated(context, id);
      IntList dims = context.type(id).dims, kept;
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(at.dim));
      dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at.beside), at.times);
      for (std::size_t d = 0; d < dims.size(); ++d) {
        if (d != at.beside) kept.push_back(static_cast<std::int64_t>(d));
      }
      patch.reroutes.push_back({at.reshape, maker.reshape(maker.broadcast({module.operands(id)[0], false}, dims, kept), context.type(at.reshape).dims), std::nullopt});
      if (id != places.front()) likewise += (likewise.empty() ? "; likewise " : ", ") + context.name(id);
    }
    const InstructionId first = places.front();
    const bool behind = found->dim < found->beside;
    const std::string name = context.name(first), what = context.name(module.operands(first)[0]);
    const std::string now = behind ? fmt::format("puts all {} of {} behind each other {} times", found->each, what, found->times) : fmt::format("puts each of the {} of {} there {} times", found->each, what, found->times);
    const std::string edit = behind ? fmt::format("put each of the {} of {} there {} times in {}", found->each, what, found->times, name) : fmt::format("put all {} of {} behind each other {} times in {}", found->each, what, found->times, name);
    out.push_back({.patch = std::move(patch), .place = first, .diagnosis = Diagnosis::SwappedDims, .text = fmt::format("{} {}, where {} is right{}", name, now, behind ? "each beside its copies" : "all of them behind each other", likewise), .edit = edit + likewise, .cost = cost});
  };
  propose({place}, 16);
  if (all.size() > 1) propose(all, 17);
}

}  // namespace

void layout_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  bypass_moves(context, place, out);
  direct_collective(context, place, out);
  insert_transpose(context, place, out);
  blocks_of_exchange(context, place, out);
  missing_gather(context, place, out);
  repeat_otherwise(context, place, out);
}

}  // namespace gg::pinpoint
