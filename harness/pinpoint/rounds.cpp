// Where travelling blocks come from (harness/pinpoint/rounds.h).
#include "harness/pinpoint/rounds.h"

#include <algorithm>

#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMostRounds = 64;

}  // namespace

Ranks everyone(const Context& context) {
  Ranks own;
  for (std::int64_t rank = 0; rank < context.pair().relation.layout.ranks(); ++rank) own.push_back(rank);
  return own;
}

std::optional<std::int64_t> constant_number(const Module& module, InstructionId id) {
  const Type& type = module.type(id);
  const bool scalar = type.is_array() && type.dims.empty() && is_integral(type.element);
  if (!scalar || !has_values(module, id)) return std::nullopt;
  return module.attributes(id).literal().values.at(0).integer;
}

InstructionId ended_loop(const Context& context, InstructionId constant) {
  const Module& module = context.module();
  const ComputationId c = module.computation_of(constant);
  const InstructionId root = module.computation(c).root;
  const auto operands = module.operands(root);
  if (!constant_number(module, constant) || !is_comparison(module, root) || std::count(operands.begin(), operands.end(), constant) == 0) return kNone;
  for (InstructionId loop = 0; loop < module.size(); ++loop) {
    if (is_loop(module, loop) && module.attributes(loop).computations(Attr::Condition).at(0) == c) return loop;
  }
  return kNone;
}

std::optional<Loop> loop_of(const Context& context, ComputationId body) {
  const Module& module = context.module();
  InstructionId loop = kNone;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (is_loop(module, id) && module.attributes(id).computations(Attr::Body).at(0) == body) loop = id;
  }
  if (loop == kNone || !is_tuple(module, module.operands(loop)[0]) || !is_tuple(module, module.computation(body).root)) return std::nullopt;
  const auto first = module.operands(module.operands(loop)[0]), next = module.operands(module.computation(body).root);
  Loop result;
  const Computation& c = module.computation(body);
  for (InstructionId id = c.first; id < c.first + c.count; ++id) {
    if (!is_element(module, id) || module.operands(id)[0] != c.parameters.at(0)) continue;
    const auto k = static_cast<std::size_t>(module.attributes(id).integer(Attr::Index));
    const InstructionId after = next[k], before = first[k];
    if (is_message(module, after) && module.operands(after)[0] == id) result.travelling.emplace(id, module.attributes(after).pairs());
    if (after == id) result.kept.emplace(id, before);
    const bool adds = term_sign(module[after].op) != 0 && module.operands(after)[0] == id;
    if (constant_number(module, before) == 0 && adds && constant_number(module, module.operands(after)[1]) == 1) result.counter = id;
  }
  if (result.counter == kNone) return std::nullopt;
  return result;
}

Origins::Origin Origins::moved(const Origin& origin, const PairList& pairs) {
  Origin result{origin.hops + 1, origin.known && pairs.size() == origin.rank.size(), Ranks(origin.rank.size(), -1)};
  for (const auto& [source, target] : pairs) {
    if (result.known) result.rank[static_cast<std::size_t>(target)] = origin.rank[static_cast<std::size_t>(source)];
  }
  result.known = result.known && std::find(result.rank.begin(), result.rank.end(), -1) == result.rank.end();
  return result;
}

Origins::Origins(const Context& context, const Computation& c, const std::optional<Loop>& loop) : own_(everyone(context)) {
  const Module& module = context.module();
  const Origin own{0, true, own_};
  for (InstructionId id = c.first; id < c.first + c.count; ++id) {
    Origin farthest = own;
    const PairList* way = nullptr;
    if (loop && loop->travelling.count(id) != 0) way = &loop->travelling.at(id);
    for (const InstructionId operand : module.operands(id)) {
      const auto found = now_.find(operand);
      if (found == now_.end()) continue;
      if (way == nullptr) way = later_[operand];
      if (found->second.hops < farthest.hops) continue;
      if (found->second.hops > farthest.hops) farthest = found->second;
      else if (farthest.hops > 0 && !farthest.same_as(found->second)) farthest.known = false;
    }
    if (is_message(module, id)) farthest = moved(farthest, module.attributes(id).pairs());
    now_.emplace(id, std::move(farthest));
    later_[id] = way;
  }
}

std::optional<Rounds> Origins::rounds(InstructionId id) const {
  const Origin& now = now_.at(id);
  const PairList* way = later_.at(id);
  if (!now.known) return std::nullopt;
  if (way == nullptr) return Rounds{now.rank};
  Rounds all;
  Origin state{0, true, own_};
  do {
    Ranks ranks;
    for (const std::int64_t rank : now.rank) ranks.push_back(state.rank[static_cast<std::size_t>(rank)]);
    all.push_back(std::move(ranks));
    state = moved(state, *way);
    if (!state.known || all.size() > kMostRounds) return std::nullopt;
  } while (state.rank != own_);
  return all;
}

}  // namespace gg::pinpoint
