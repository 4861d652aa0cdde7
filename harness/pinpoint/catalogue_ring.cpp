// Repairs of masks that compare row and column numbers while blocks travel around a ring: the block that a step works on belongs to
// another rank, which the collective-permutes on its way say. Written out, or in the body of a loop.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxConsumers = 64;
constexpr std::size_t kMaxMask = 48;     ///< instructions of a mask
constexpr std::size_t kMaxRounds = 64;

using Ranks = std::vector<std::int64_t>;  ///< for each rank, the one from which its block comes

/// From which rank a rank's block comes, by the longest way through collective-permutes.
struct Origin {
  int hops = 0;
  bool known = true;
  Ranks rank;
  bool same_as(const Origin& other) const { return known && other.known && rank == other.rank; }
};

Origin moved(const Origin& origin, const PairList& pairs) {
  Origin result{origin.hops + 1, origin.known && pairs.size() == origin.rank.size(), Ranks(origin.rank.size(), -1)};
  for (const auto& [source, target] : pairs) {
    if (result.known) result.rank[static_cast<std::size_t>(target)] = origin.rank[static_cast<std::size_t>(source)];
  }
  result.known = result.known && std::find(result.rank.begin(), result.rank.end(), -1) == result.rank.end();
  return result;
}

Ranks everyone(const Context& context) {
  Ranks own;
  for (std::int64_t rank = 0; rank < context.pair().relation.layout.ranks(); ++rank) own.push_back(rank);
  return own;
}

/// The body of a loop whose state travels: what it counts with, and which elements are sent on in every round.
struct Loop {
  InstructionId counter = kNone;                      ///< 0 in the first round, one more in each
  std::map<InstructionId, PairList> travelling;       ///< elements of the state, as read in the body
  std::map<InstructionId, InstructionId> kept;        ///< elements that stay as they were before the loop
};

std::optional<Loop> loop_of(const Context& context, ComputationId body) {
  const Module& module = context.module();
  InstructionId loop = kNone;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module[id].op == Op::While && module.attributes(id).computations(Attr::Body).at(0) == body) loop = id;
  }
  if (loop == kNone || module[module.operands(loop)[0]].op != Op::Tuple || module[module.computation(body).root].op != Op::Tuple) return std::nullopt;
  const auto first = module.operands(module.operands(loop)[0]), next = module.operands(module.computation(body).root);
  Loop result;
  const Computation& c = module.computation(body);
  for (InstructionId id = c.first; id < c.first + c.count; ++id) {
    if (module[id].op != Op::GetTupleElement || module.operands(id)[0] != c.parameters.at(0)) continue;
    const auto k = static_cast<std::size_t>(module.attributes(id).integer(Attr::Index));
    const InstructionId after = next[k], before = first[k];
    if (module[after].op == Op::CollectivePermute && module.operands(after)[0] == id) result.travelling.emplace(id, module.attributes(after).pairs());
    if (after == id) result.kept.emplace(id, before);
    const bool zero = module[before].op == Op::Constant && is_integral(module.type(before).element) && module.type(before).dims.empty() &&
                      module.attributes(before).literal().values.at(0).integer == 0;
    if (zero && module[after].op == Op::Add && module.operands(after)[0] == id && module[module.operands(after)[1]].op == Op::Constant &&
        module.attributes(module.operands(after)[1]).literal().values.at(0).integer == 1) {
      result.counter = id;
    }
  }
  if (result.counter == kNone || result.travelling.empty()) return std::nullopt;
  return result;
}

/// Origins of all values of a computation at the begin of a round; and the way by which the state they hang on travels from round to round.
struct Origins {
  std::map<InstructionId, Origin> now;
  std::map<InstructionId, const PairList*> later;
};

Origins origins(const Context& context, const Computation& c, const std::optional<Loop>& loop) {
  const Module& module = context.module();
  const Origin own{0, true, everyone(context)};
  Origins all;
  for (InstructionId id = c.first; id < c.first + c.count; ++id) {
    Origin farthest = own;
    const PairList* way = nullptr;
    if (loop && loop->travelling.count(id) != 0) way = &loop->travelling.at(id);
    for (const InstructionId operand : module.operands(id)) {
      const auto found = all.now.find(operand);
      if (found == all.now.end()) continue;
      if (way == nullptr) way = all.later[operand];
      if (found->second.hops < farthest.hops) continue;
      if (found->second.hops > farthest.hops) farthest = found->second;
      else if (farthest.hops > 0 && !farthest.same_as(found->second)) farthest.known = false;
    }
    if (module[id].op == Op::CollectivePermute) farthest = moved(farthest, module.attributes(id).pairs());
    all.now.emplace(id, std::move(farthest));
    all.later[id] = way;
  }
  return all;
}

/// Row or column numbers of a block: how many, and whether the number of the first one is added already.
struct Numbers {
  std::int64_t block = 0;  ///< 0: not seen to be such numbers
  bool placed = false;
};

Numbers numbers(const Module& module, const std::optional<Loop>& loop, InstructionId id) {
  Numbers result;
  for (;;) {
    const auto operands = module.operands(id);
    const Op op = module[id].op;
    if ((DivergenceTrace::moves(op) || op == Op::Convert) && operands.size() == 1) {
      id = operands[0];
    } else if (op == Op::Add && !result.placed) {
      result.placed = true;
      id = numbers(module, loop, operands[0]).block != 0 ? operands[0] : operands[1];
    } else if (loop && loop->kept.count(id) != 0) {
      id = loop->kept.at(id);
    } else if (op == Op::Iota) {
      const auto dim = static_cast<std::size_t>(module.attributes(id).integer(Attr::IotaDimension));
      if (dim < module.type(id).dims.size()) result.block = module.type(id).dims[dim];
      return result;
    } else {
      return {};
    }
  }
}

/// Who reads the mask: the instruction, in which operand, and what of the mask it reads.
struct Consumer {
  InstructionId id;
  std::size_t operand;
  InstructionId mask;
};

bool mask_like(const Type& type) { return type.is_array() && (type.element == ElementType::Pred || is_integral(type.element)); }

/// Everything of the mask that is made from `value`, and its readers.
void find_consumers(const Context& context, InstructionId value, std::set<InstructionId>& mask, std::vector<Consumer>& out) {
  const Module& module = context.module();
  if (!mask.insert(value).second || mask.size() > kMaxMask) return;
  for (const InstructionId user : context.users(value)) {
    if (mask_like(module.type(user))) {
      find_consumers(context, user, mask, out);
      continue;
    }
    const auto operands = module.operands(user);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (operands[k] == value && out.size() <= kMaxConsumers) out.push_back({user, k, value});
    }
  }
}

/// Where the block of one consumer comes from, in every round of the loop (one without a loop).
using Rounds = std::vector<Ranks>;

std::optional<Rounds> rounds_of(const Context& context, const Origins& all, InstructionId consumer) {
  const Origin& now = all.now.at(consumer);
  const PairList* way = all.later.at(consumer);
  if (!now.known) return std::nullopt;
  if (way == nullptr) return Rounds{now.rank};
  Rounds rounds;
  Origin state{0, true, everyone(context)};
  do {
    Ranks ranks;
    for (const std::int64_t rank : now.rank) ranks.push_back(state.rank[static_cast<std::size_t>(rank)]);
    rounds.push_back(std::move(ranks));
    state = moved(state, *way);
    if (!state.known || rounds.size() > kMaxRounds) return std::nullopt;
  } while (state.rank != everyone(context));
  return rounds;
}

/// The masks of one place, made again for every block that arrives.
class Masks {
 public:
  Masks(const Context& context, Patch& patch, InstructionId place, const AxisSet& axes, const std::optional<Loop>& loop)
      : context_(context), patch_(patch), place_(place), loop_(loop), position_(everyone(context).size(), 0) {
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
      const Type type = Type::array(context_.type(operand).element, context_.type(operand).dims);
      const Ref start = context_.broadcast(patch_, first_row(s == side ? rounds : own, sides[s], type.element), type.element, type.dims, {});
      change.operands[s] = patch_.add({Op::Add, type, {}, {{operand, false}, start}, std::nullopt, false});
    }
    return patch_.add({change.op, Type::array(context_.type(place_).element, context_.type(place_).dims), change.attributes, change.operands, std::nullopt, false});
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
    if (rounds.size() == 1) return context_.by_rank(patch_, table, element);
    return context_.by_round(patch_, table, {loop_->counter, false}, context_.type(loop_->counter).element, element);
  }

  const Context& context_;
  Patch& patch_;
  InstructionId place_;
  const std::optional<Loop>& loop_;
  std::vector<std::int64_t> position_;
};

/// The comparison at `place`, made again for the block of every consumer.
void mask_repairs_at(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if ((module[place].op != Op::Compare && module[place].op != Op::Subtract) || !mask_like(module.type(place)) || module.type(place).dims.empty()) return;
  const auto loop = loop_of(context, module.computation_of(place));
  const std::array<Numbers, 2> sides = {numbers(module, loop, module.operands(place)[0]), numbers(module, loop, module.operands(place)[1])};
  if (sides[0].block == 0 && sides[1].block == 0) return;
  std::vector<Consumer> consumers;
  std::set<InstructionId> mask;
  find_consumers(context, place, mask, consumers);
  if (consumers.empty() || consumers.size() > kMaxConsumers || mask.size() > kMaxMask) return;
  const Origins all = origins(context, module.computation(module.computation_of(place)), loop);
  std::vector<Rounds> from;
  bool travels = false;
  for (const Consumer& consumer : consumers) {
    auto rounds = rounds_of(context, all, consumer.id);
    if (!rounds) return;
    travels = travels || rounds->size() > 1 || rounds->front() != everyone(context);
    from.push_back(std::move(*rounds));
  }
  if (!travels) return;  // an offset alone may be missing (own_origin)
  for (const AxisSet& axes : context.axes()) {
    if (axes.axes > 1 || axes.size < 2) continue;
    for (const std::size_t side : {std::size_t{1}, std::size_t{0}}) {
      if (sides[side].block == 0) continue;
      Repair r;
      r.place = place;
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
                     : fmt::format("{} compares local row and column numbers, the same on every rank and in every step of the ring: the offsets of "
                                   "the blocks over {} are missing", context.name(place), axes.name);
      r.edit = stale ? fmt::format("count {} on to the block that has arrived over {}, for each of {} masks", name, axes.name, std::max(made.size(), from[0].size()))
                     : fmt::format("add the first row of the rank's own block over {} to {} in {}, and that of the block that has arrived to {}, for each "
                                   "of {} masks", axes.name, context.name(module.operands(place)[1 - side]), context.name(place), name, made.size());
      if (!stale) r.after = std::string(module.name_of(place));
      r.cost = 12;  // few programs have what it takes: tried early
      out.push_back(std::move(r));
    }
  }
}

/// What a mask is made of.
std::set<InstructionId> behind_mask(const Module& module, InstructionId mask) {
  std::set<InstructionId> seen;
  std::vector<InstructionId> todo = {mask};
  while (!todo.empty() && seen.size() < kMaxMask) {
    const InstructionId id = todo.back();
    todo.pop_back();
    if (!mask_like(module.type(id)) || !seen.insert(id).second) continue;
    todo.insert(todo.end(), module.operands(id).begin(), module.operands(id).end());
  }
  return seen;
}

bool sends(const Module& module, const Computation& c) {
  for (InstructionId id = c.first; id < c.first + c.count; ++id) {
    if (module[id].op == Op::CollectivePermute) return true;
  }
  return false;
}

}  // namespace

// A mask is no function of the inputs, so that it is found through what it masks.
void ring_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const bool masked = module[place].op == Op::Select && context.is_float_array(place);
  if ((!masked && !mask_like(module.type(place))) || !sends(module, module.computation(module.computation_of(place)))) return;
  if (!masked) return mask_repairs_at(context, place, out);
  for (const InstructionId id : behind_mask(module, module.operands(place)[0])) mask_repairs_at(context, id, out);
}

}  // namespace gg::pinpoint
