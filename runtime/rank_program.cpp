#include "runtime/rank_program.h"

#include <algorithm>
#include <cstring>

#include "models/base/check.h"
#include "models/mutation/rewritten.h"
#include "models/op/facts.h"
#include "models/rank/digits.h"

namespace gg {
namespace {

// The module with the rank's own numbers in place of partition-id and replica-id; everything else as it was.
Module of_one_rank(const Module& module, std::int64_t rank, RankLayout layout) {
  return rewritten(module, [&](InstructionId id, Draft& draft) {
    const auto number = rank_number(draft.op, rank, layout);
    if (!number) return;
    draft.attributes.set(Attr::Literal, ConstantArray{module.type(id), {Scalar::of_int(module.type(id).element, *number)}});
    draft.op = Op::Constant;
  });
}

}  // namespace

Buffer part_of(const Buffer& lifted, std::int64_t rank, std::int64_t ranks) {
  Buffer part(lifted.storage(), lifted.count() / ranks);
  if (part.bytes() != 0) {
    std::memcpy(part.data(), static_cast<const char*>(lifted.data()) + static_cast<std::size_t>(rank) * part.bytes(),
                part.bytes());
  }
  return part;
}

RankProgram::RankProgram(const Case& c, std::int64_t rank, Arena& arena, Communicator& communicator)
    : module_(of_one_rank(*c.distributed, rank, c.relation.layout)), bodies_(arena, module_, RankDigits(), RankLayout()), executor_(bodies_, &communicator) {}

GroupEvaluator::GroupCall& GroupEvaluator::group_call(const Call& call, std::int64_t members, std::size_t leaves) {
  std::vector<const void*> key = {call.attributes};
  key.insert(key.end(), call.operands.begin(), call.operands.end());
  auto& by_size = calls_[key];
  const auto found = by_size.find(members);
  if (found != by_size.end()) return found->second;
  GroupCall& made = by_size[members];
  made.digits = RankDigits::whole(members);
  for (const auto& [attr, value] : call.attributes->entries()) {
    if (attr != Attr::HasChannel && attr != Attr::UseGlobalDeviceIds) made.attributes.set(attr, value);
  }
  ReplicaGroups group;
  group.groups.emplace_back();
  for (std::int64_t m = 0; m < members; ++m) group.groups[0].push_back(m);
  made.attributes.set(Attr::ReplicaGroups, std::move(group));
  made.call = call;
  made.call.attributes = &made.attributes;
  made.call.digits = &made.digits;
  made.call.layout = {members, 1};
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    made.bodies.push_back(std::make_unique<Body>(make_body(arena_, made.call, static_cast<int>(leaf))));
  }
  return made;
}

GroupEvaluator::Lifted GroupEvaluator::lift(const GroupCall& group, const Call& call,
                                            const std::vector<std::vector<Buffer>>& members) {
  Lifted lifted;
  const auto count = static_cast<std::int64_t>(members.size());
  const std::size_t operands = call.operands.size();
  for (std::size_t k = 0; k < members[0].size(); ++k) {
    Buffer& all = lifted.buffers.emplace_back(members[0][k].storage(), members[0][k].count() * count);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::size_t bytes = members[m][k].bytes();
      if (bytes != 0) std::memcpy(static_cast<char*>(all.data()) + m * bytes, members[m][k].data(), bytes);
    }
    lifted.extents.push_back(lifted_extents(group.digits, call.operands[k % operands]->dims));
  }
  for (std::size_t k = 0; k < lifted.buffers.size(); ++k) {
    const ElementType type = k < operands ? call.operands[k]->element : ElementType::F64;
    lifted.operands.push_back({&lifted.buffers[k], type, lifted.extents[k]});
  }
  return lifted;
}

void GroupEvaluator::run(const CollectiveCall& call, const std::vector<std::vector<Buffer>>& members, std::size_t position, NumberMode mode,
                         bool errors, std::span<Buffer> results, TieCounter& ties) {
  const auto count = static_cast<std::int64_t>(members.size());
  GroupCall& group = group_call(call.call, count, results.size());
  const Lifted lifted = lift(group, call.call, members);
  const std::vector<bool> inexact(call.call.operands.size(), true);
  for (std::size_t leaf = 0; leaf < results.size(); ++leaf) {
    const Body* body = errors ? error_bodies_.get(arena_, *group.bodies[leaf], inexact, {mode, true}) : group.bodies[leaf].get();
    if (body == nullptr || results[leaf].count() == 0) continue;
    Buffer all(results[leaf].storage(), results[leaf].count() * count);
    gg::run(plans_.get(arena_, *body, lifted.operands), errors ? NumberMode::F64 : mode, lifted.operands, all, ties);
    results[leaf] = part_of(all, static_cast<std::int64_t>(position), count);
  }
}

const std::vector<std::int64_t>& RankCommunicator::own_group(const CollectiveCall& call) const {
  for (const auto& group : call.groups) {
    if (std::find(group.begin(), group.end(), rank_) != group.end()) return group;
  }
  GG_CHECK(false, "a rank without a group");
  return call.groups.front();
}

std::size_t RankCommunicator::position_in(const std::vector<std::int64_t>& group) const {
  return static_cast<std::size_t>(std::find(group.begin(), group.end(), rank_) - group.begin());
}

void RankCommunicator::evaluate(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands, bool errors,
                                std::span<Buffer> results, TieCounter& ties) {
  if (!call.call.attributes->has(Attr::SourceTargetPairs)) {
    const auto& group = own_group(call);
    return evaluator_.run(call, gather(call, group, operands), position_in(group), mode, errors, results, ties);
  }
  const Buffer& moved = *operands[errors ? operands.size() / 2 : 0].buffer;
  if (!permute(call, moved, results[0]) && results[0].bytes() != 0) std::memset(results[0].data(), 0, results[0].bytes());
}

void RankCommunicator::run(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands,
                           std::span<Buffer> results, TieCounter& ties) {
  evaluate(call, mode, operands, false, results, ties);
}

void RankCommunicator::run_errors(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands,
                                  std::span<const Operand> errors, std::span<Buffer> results) {
  std::vector<Operand> both(operands.begin(), operands.end());
  both.insert(both.end(), errors.begin(), errors.end());
  TieCounter ties;
  evaluate(call, mode, both, true, results, ties);
}

}  // namespace gg
