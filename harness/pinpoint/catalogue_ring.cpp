// Repairs of masks that compare local row and column numbers while blocks travel around a ring: the block that a step
// works on belongs to another rank, which the collective-permutes on its way say.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxConsumers = 64;
constexpr int kMaxMoves = 8;

/// From which rank a rank's block comes, by the longest way through collective-permutes.
struct Origin {
  int hops = 0;
  bool known = true;
  std::vector<std::int64_t> rank;
  bool same_as(const Origin& other) const { return known && other.known && rank == other.rank; }
};

Origin moved(const Origin& origin, const PairList& pairs) {
  Origin result{origin.hops + 1, origin.known && pairs.size() == origin.rank.size(), std::vector<std::int64_t>(origin.rank.size(), -1)};
  for (const auto& [source, target] : pairs) {
    if (result.known) result.rank[static_cast<std::size_t>(target)] = origin.rank[static_cast<std::size_t>(source)];
  }
  result.known = result.known && std::find(result.rank.begin(), result.rank.end(), -1) == result.rank.end();
  return result;
}

/// Origins of all values of a computation.
std::map<InstructionId, Origin> origins(const Context& context, const Computation& c) {
  const Module& module = context.module();
  Origin own;
  for (std::int64_t rank = 0; rank < context.pair().relation.layout.ranks(); ++rank) own.rank.push_back(rank);
  std::map<InstructionId, Origin> all;
  for (InstructionId id = c.first; id < c.first + c.count; ++id) {
    Origin farthest = own;
    for (const InstructionId operand : module.operands(id)) {
      const auto found = all.find(operand);
      if (found == all.end() || found->second.hops < farthest.hops) continue;
      if (found->second.hops > farthest.hops) farthest = found->second;
      else if (farthest.hops > 0 && !farthest.same_as(found->second)) farthest.known = false;
    }
    if (module[id].op == Op::CollectivePermute) farthest = moved(farthest, module.attributes(id).pairs());
    all.emplace(id, std::move(farthest));
  }
  return all;
}

/// The extent of the iota behind moves and conversions; 0 where there is none.
std::int64_t counted(const Module& module, InstructionId id) {
  while ((DivergenceTrace::moves(module[id].op) || module[id].op == Op::Convert) && module.operands(id).size() == 1) id = module.operands(id)[0];
  if (module[id].op != Op::Iota) return 0;
  const auto dim = static_cast<std::size_t>(module.attributes(id).integer(Attr::IotaDimension));
  return dim < module.type(id).dims.size() ? module.type(id).dims[dim] : 0;
}

/// Who reads the mask: the instruction, behind which moves, in which operand.
struct Consumer {
  InstructionId id;
  std::size_t operand;
  std::vector<InstructionId> moves;
};

void find_consumers(const Context& context, InstructionId value, std::vector<InstructionId>& moves, std::vector<Consumer>& out) {
  const Module& module = context.module();
  for (const InstructionId user : context.users(value)) {
    const auto operands = module.operands(user);
    if (operands.size() == 1 && DivergenceTrace::moves(module[user].op)) {
      moves.push_back(user);
      if (moves.size() <= kMaxMoves) find_consumers(context, user, moves, out);
      moves.pop_back();
      continue;
    }
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (operands[k] == value && out.size() <= kMaxConsumers) out.push_back({user, k, moves});
    }
  }
}

/// The number of the first row of the block that comes from `origin`, over the shape of `type`.
Ref first_row(const Context& context, Patch& patch, const AxisSet& axes, const std::vector<std::int64_t>& origin, std::int64_t block, const Type& type) {
  std::vector<std::int64_t> position(origin.size(), 0);
  for (const auto& group : axes.groups) {
    for (std::size_t k = 0; k < group.size(); ++k) position[static_cast<std::size_t>(group[k])] = static_cast<std::int64_t>(k);
  }
  std::vector<std::int64_t> table;
  for (const std::int64_t rank : origin) table.push_back(position[static_cast<std::size_t>(rank)] * block);
  const Ref start = context.by_rank(patch, table, type.element);
  if (type.dims.empty()) return start;
  Attributes none;
  none.set(Attr::BroadcastDims, IntList{});
  return patch.add({Op::Broadcast, Type::array(type.element, type.dims), std::move(none), {start}, std::nullopt, false});
}

/// The mask of one consumer, with the moves on its way.
Ref own_mask(const Context& context, Patch& patch, InstructionId place, const std::array<std::vector<std::int64_t>, 2>& ranks,
             const AxisSet& axes, const std::array<std::int64_t, 2>& blocks, const std::vector<InstructionId>& moves) {
  const Module& module = context.module();
  std::vector<Ref> sides;
  for (std::size_t side = 0; side < 2; ++side) {
    const InstructionId operand = module.operands(place)[side];
    const Type type = Type::array(module.type(operand).element, module.type(operand).dims);
    const Ref start = first_row(context, patch, axes, ranks[side], blocks[side], type);
    sides.push_back(patch.add({Op::Add, type, {}, {{operand, false}, start}, std::nullopt, false}));
  }
  Ref mask = patch.add({Op::Compare, Type::array(ElementType::Pred, module.type(place).dims), module.attributes(place), sides, std::nullopt, false});
  for (const InstructionId move : moves) {
    mask = patch.add({module[move].op, Type::array(ElementType::Pred, module.type(move).dims), module.attributes(move), {mask}, std::nullopt, false});
  }
  return mask;
}

}  // namespace

void ring_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (module[place].op != Op::Compare) return;
  const std::array<std::int64_t, 2> blocks = {counted(module, module.operands(place)[0]), counted(module, module.operands(place)[1])};
  if (blocks[0] == 0 || blocks[1] == 0) return;
  std::vector<Consumer> consumers;
  std::vector<InstructionId> moves;
  find_consumers(context, place, moves, consumers);
  if (consumers.empty() || consumers.size() > kMaxConsumers) return;
  const auto all = origins(context, module.computation(module.computation_of(place)));
  std::vector<Origin> from;
  int hops = 0;
  for (const Consumer& consumer : consumers) {
    from.push_back(all.at(consumer.id));
    if (!from.back().known) return;
    hops = std::max(hops, from.back().hops);
  }
  if (hops == 0) return;  // an offset alone may be missing (own_origin)
  std::vector<std::int64_t> own;
  for (std::size_t rank = 0; rank < from[0].rank.size(); ++rank) own.push_back(static_cast<std::int64_t>(rank));
  for (const AxisSet& axes : context.axes()) {
    if (axes.axes > 1 || axes.size < 2) continue;
    for (std::size_t travelling : {std::size_t{1}, std::size_t{0}}) {
      Repair r;
      r.place = place;
      r.kind = FindingKind::Missing;
      std::map<std::pair<std::vector<std::int64_t>, std::vector<InstructionId>>, Ref> made;
      std::map<InstructionId, Changed> changed;
      for (std::size_t k = 0; k < consumers.size(); ++k) {
        const std::pair key(from[k].rank, consumers[k].moves);
        if (made.count(key) == 0) {
          std::array<std::vector<std::int64_t>, 2> ranks = {own, own};
          ranks[travelling] = from[k].rank;
          made.emplace(key, own_mask(context, r.patch, place, ranks, axes, blocks, consumers[k].moves));
        }
        const auto [entry, fresh] = changed.try_emplace(consumers[k].id, unchanged(module, consumers[k].id));
        entry->second.operands[consumers[k].operand] = made.at(key);
      }
      for (auto& [id, change] : changed) r.patch.changed.push_back(std::move(change));
      r.diagnosis = Diagnosis::OffsetBlock;
      r.text = fmt::format("{} compares local row and column numbers, the same on every rank and in every step of the ring: the offsets of "
                           "the blocks over {} are missing", context.name(place), axes.name);
      r.edit = fmt::format("add the first row of the rank's own block over {} to {} in {}, and that of the block that has arrived to {}, for each "
                           "of {} masks", axes.name, context.name(module.operands(place)[1 - travelling]), context.name(place),
                           context.name(module.operands(place)[travelling]), made.size());
      r.after = std::string(module.name_of(place));
      r.cost = 12;  // few programs have what it takes: tried early
      out.push_back(std::move(r));
    }
  }
}

}  // namespace gg::pinpoint
