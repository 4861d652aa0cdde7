// Repairs of masks that compare row and column numbers while blocks travel around a ring: the block that a step works on belongs to
// another rank, which the collective-permutes on its way say. Written out, or in the body of a loop.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/rounds.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxConsumers = 64;
constexpr std::size_t kMaxMask = 48;  ///< instructions of a mask

/// Row or column numbers of a block: how many, and whether the number of the first one is added already.
struct Numbers {
  std::int64_t block = 0;  ///< 0: not seen to be such numbers
  bool placed = false;
};

/// The value behind moves and what a loop leaves as it is.
InstructionId origin_of(const Module& module, const std::optional<Loop>& loop, InstructionId id) {
  for (;;) {
    id = behind_moves(module, id);
    if (!loop || loop->kept.count(id) == 0) return id;
    id = loop->kept.at(id);
  }
}

Numbers numbers(const Module& module, const std::optional<Loop>& loop, InstructionId id) {
  Numbers result;
  id = origin_of(module, loop, id);
  if (term_sign(module[id].op) != 0) {
    result.placed = true;
    const InstructionId a = origin_of(module, loop, module.operands(id)[0]), b = origin_of(module, loop, module.operands(id)[1]);
    id = is_count(module, a) ? a : b;
  }
  if (!is_count(module, id)) return {};
  const auto dim = static_cast<std::size_t>(module.attributes(id).integer(Attr::IotaDimension));
  if (dim < module.type(id).dims.size()) result.block = module.type(id).dims[dim];
  return result;
}

/// Who reads the mask: the instruction, in which operand, and what of the mask it reads.
struct Consumer {
  InstructionId id;
  std::size_t operand;
  InstructionId mask;
};

/// Numbers of rows, comparisons, and what is added to scores in their place: no function of the inputs.
bool mask_like(const Context& context, InstructionId id) {
  const Type& type = context.type(id);
  const ValueState* state = context.state(id);
  return type.is_array() && (!is_float(type.element) || (state != nullptr && !state->derived));
}

/// Everything of the mask that is made from `value`, and its readers.
void find_consumers(const Context& context, InstructionId value, std::set<InstructionId>& mask, std::vector<Consumer>& out) {
  const Module& module = context.module();
  if (!mask.insert(value).second || mask.size() > kMaxMask) return;
  for (const InstructionId user : context.users(value)) {
    if (mask_like(context, user)) {
      find_consumers(context, user, mask, out);
      continue;
    }
    const auto operands = module.operands(user);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (operands[k] == value && out.size() <= kMaxConsumers) out.push_back({user, k, value});
    }
  }
}

/// The masks of one place, made again for every block that arrives.
class Masks {
 public:
  Masks(const Context& context, Patch& patch, InstructionId place, const AxisSet& axes, const std::optional<Loop>& loop)
      : context_(context), patch_(patch), maker_(context.maker(patch)), place_(place), loop_(loop), position_(everyone(context).size(), 0) {
    for (const auto& group : axes.groups) {
      for (std::size_t k = 0; k < group.size(); ++k) position_[static_cast<std::size_t>(group[k])] = static_cast<std::int64_t>(k);
    }
  }

  /// The comparison with `side` counted on to the blocks of `rounds`.
  Ref compared(const std::array<Numbers, 2>& sides, std::size_t side, const Rounds& rounds) {
    Changed change = unchanged(context_.module(), place_);
    const Rounds own = {everyone(context_)};
    for (const std::size_t s : {std::size_t{0}, std::size_t{1}}) {
      if (s != side && (sides[s].block == 0 || sides[s].placed)) continue;
      const InstructionId operand = context_.module().operands(place_)[s];
      const Type& type = context_.type(operand);
      change.operands[s] = maker_.sum({operand, false}, maker_.broadcast(first_row(s == side ? rounds : own, sides[s], type.element), type.dims, {}));
    }
    return patch_.add({change.op, maker_.type({place_, false}), change.attributes, change.operands, std::nullopt, false});
  }

  /// What a consumer reads, made from the new comparison.
  Ref made(InstructionId mask, const std::set<InstructionId>& all, std::map<InstructionId, Ref>& known) {
    const auto found = known.find(mask);
    if (found != known.end()) return found->second;
    Changed change = unchanged(context_.module(), mask);
    for (Ref& operand : change.operands) {
      if (all.count(operand.id) != 0) operand = made(operand.id, all, known);
    }
    const Ref copy = patch_.add({change.op, context_.type(mask), change.attributes, change.operands, std::nullopt, false});
    return known[mask] = copy;
  }

 private:
  /// The number of the first row of the block, or how much it is more than that of the rank's own block.
  Ref first_row(const Rounds& rounds, const Numbers& numbers, ElementType element) {
    std::vector<std::int64_t> table;
    for (const Ranks& ranks : rounds) {
      for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::int64_t from = position_[static_cast<std::size_t>(ranks[rank])];
        table.push_back((numbers.placed ? from - position_[rank] : from) * numbers.block);
      }
    }
    return rounds.size() == 1 ? maker_.by_rank(table, element) : maker_.by_round(table, {loop_->counter, false}, element);
  }

  const Context& context_;
  Patch& patch_;
  Maker maker_;
  InstructionId place_;
  const std::optional<Loop>& loop_;
  std::vector<std::int64_t> position_;
};

/// The comparison at `place`, made again for the block of every consumer.
void mask_repairs_at(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (!(is_comparison(module, place) || term_sign(module[place].op) == -1) || !module.type(place).is_array() || is_float(module.type(place).element) || module.type(place).dims.empty()) return;
  auto loop = loop_of(context, module.computation_of(place));
  if (loop && loop->travelling.empty()) loop.reset();
  const std::array<Numbers, 2> sides = {numbers(module, loop, module.operands(place)[0]), numbers(module, loop, module.operands(place)[1])};
  if (sides[0].block == 0 && sides[1].block == 0) return;
  std::vector<Consumer> consumers;
  std::set<InstructionId> mask;
  find_consumers(context, place, mask, consumers);
  if (consumers.empty() || consumers.size() > kMaxConsumers || mask.size() > kMaxMask) return;
  const Origins all(context, module.computation(module.computation_of(place)), loop);
  std::vector<Rounds> from;
  bool travels = false;
  for (const Consumer& consumer : consumers) {
    auto rounds = all.rounds(consumer.id);
    if (!rounds) return;
    travels = travels || rounds->size() > 1 || rounds->front() != everyone(context);
    from.push_back(std::move(*rounds));
  }
  if (!travels) return;  // an offset alone may be missing (own_origin)
  for (const AxisSet& axes : context.axes()) {
    if (axes.axes > 1 || axes.size < 2) continue;
    for (const std::size_t side : {std::size_t{1}, std::size_t{0}}) {
      if (sides[side].block == 0) continue;
      Repair r{.place = place, .cost = 12};  // few programs have what it takes: tried early
      Masks masks(context, r.patch, place, axes, loop);
      std::map<Rounds, std::map<InstructionId, Ref>> made;
      std::map<InstructionId, Changed> changed;
      for (std::size_t k = 0; k < consumers.size(); ++k) {
        auto& known = made[from[k]];
        if (known.empty()) known[place] = masks.compared(sides, side, from[k]);
        const auto [entry, fresh] = changed.try_emplace(consumers[k].id, unchanged(module, consumers[k].id));
        entry->second.operands[consumers[k].operand] = masks.made(consumers[k].mask, mask, known);
      }
      for (auto& [id, change] : changed) r.patch.changed.push_back(std::move(change));
      const bool stale = sides[side].placed;
      const std::string name = context.name(module.operands(place)[side]);
      r.kind = stale ? FindingKind::Wrong : FindingKind::Missing;
      r.diagnosis = stale ? Diagnosis::StaleMask : Diagnosis::OffsetBlock;
      r.text = stale ? fmt::format("{} makes the mask from {} of the rank's own block in every step of the ring over {}, though the blocks that it masks travel on",
                                   context.name(place), name, axes.name)
                     : fmt::format(
                           "{} compares local row and column numbers, the same on every rank and in every step of the ring: the offsets of "
                           "the blocks over {} are missing",
                           context.name(place), axes.name);
      r.edit = stale ? fmt::format("count {} on to the block that has arrived over {}, for each of {} masks", name, axes.name, std::max(made.size(), from[0].size()))
                     : fmt::format(
                           "add the first row of the rank's own block over {} to {} in {}, and that of the block that has arrived to {}, for each "
                           "of {} masks",
                           axes.name, context.name(module.operands(place)[1 - side]), context.name(place), name, made.size());
      if (!stale) r.after = std::string(module.name_of(place));
      out.push_back(std::move(r));
    }
  }
}

/// What a mask is made of.
std::vector<InstructionId> behind_mask(const Context& context, InstructionId mask) {
  return behind(context.module(), mask, kMaxMask, [&](InstructionId id) { return mask_like(context, id); });
}

bool sends(const Module& module, const Computation& c) {
  for (InstructionId id = c.first; id < c.first + c.count; ++id) {
    if (is_message(module, id)) return true;
  }
  return false;
}

}  // namespace

// A mask is no function of the inputs, so that it is found through what it masks.
void ring_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const bool itself = mask_like(context, place);
  if (!module.type(place).is_array() || !sends(module, module.computation(module.computation_of(place)))) return;
  if (itself) return mask_repairs_at(context, place, out);
  if (info(module[place].op).traits != OpTraits::Elementwise) return;
  for (const InstructionId operand : module.operands(place)) {
    if (!mask_like(context, operand)) continue;
    for (const InstructionId id : behind_mask(context, operand)) mask_repairs_at(context, id, out);
  }
}

}  // namespace gg::pinpoint
