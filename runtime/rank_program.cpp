#include "runtime/rank_program.h"

#include <algorithm>
#include <cstring>

#include "models/base/check.h"

namespace gg {
namespace {

// The module with the rank's own numbers in place of partition-id and replica-id; everything else as it was.
Module of_one_rank(const Module& module, std::int64_t rank, RankLayout layout) {
  Builder builder(module.file);
  for (const Computation& c : module.computations()) builder.reserve(module.string(c.name));
  std::vector<ComputationId> order(module.computations().size());
  for (ComputationId id = 0; id < order.size(); ++id) order[id] = id;
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return module.computation(a).first < module.computation(b).first; });
  const auto intern = [&](StringId id) { return id == kNone ? kNone : builder.intern(module.string(id)); };
  for (const ComputationId cid : order) {
    const Computation& c = module.computation(cid);
    builder.begin(cid, c.line);
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      Instruction copy = module[id];
      Attributes attributes = module.attributes(id);
      if (copy.op == Op::PartitionId || copy.op == Op::ReplicaId) {
        const std::int64_t value = copy.op == Op::PartitionId ? rank % layout.partitions : rank / layout.partitions;
        attributes.set(Attr::Literal, ConstantArray{module.type(id), {Scalar::of_int(module.type(id).element, value)}});
        copy.op = Op::Constant;
      }
      copy.type = builder.intern(module.type(id));
      copy.attributes = builder.intern(std::move(attributes));
      copy.name = intern(copy.name);
      copy.metadata = intern(copy.metadata);
      copy.sharding = intern(copy.sharding);
      builder.add(copy, module.operands(id));
    }
    builder.end(c.root);
  }
  builder.set_entry(module.entry());
  builder.module().name = module.name;
  return builder.finish();
}

Buffer part_of(const Buffer& lifted, std::int64_t rank, std::int64_t ranks) {
  Buffer part(lifted.storage(), lifted.count() / ranks);
  if (part.bytes() != 0) {
    std::memcpy(part.data(), static_cast<const char*>(lifted.data()) + static_cast<std::size_t>(rank) * part.bytes(),
                part.bytes());
  }
  return part;
}

}  // namespace

RankProgram::RankProgram(const Case& c, std::int64_t rank, Arena& arena, Communicator& communicator)
    : rank_(rank), module_(of_one_rank(*c.distributed, rank, c.relation.layout)),
      bodies_(arena, module_, RankDigits(), RankLayout()), executor_(bodies_, &communicator) {}

RunResult RankProgram::run(const Case& c, const InputSet& inputs, const RunOptions& options) {
  const std::int64_t ranks = c.relation.layout.ranks();
  std::vector<Buffer> mine;
  for (const Buffer& lifted : distributed_inputs(c, inputs, options.mode)) mine.push_back(part_of(lifted, rank_, ranks));
  return executor_.run(std::move(mine), options);
}

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

void GroupEvaluator::run(const CollectiveCall& call, const std::vector<std::vector<Buffer>>& members,
                         std::size_t position, NumberMode mode, std::span<Buffer> results, TieCounter& ties) {
  const auto count = static_cast<std::int64_t>(members.size());
  GroupCall& group = group_call(call.call, count, results.size());
  std::vector<Buffer> lifted;
  std::vector<std::vector<std::int64_t>> extents;
  for (std::size_t k = 0; k < call.call.operands.size(); ++k) {
    Buffer& all = lifted.emplace_back(members[0][k].storage(), members[0][k].count() * count);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::size_t bytes = members[m][k].bytes();
      if (bytes != 0) std::memcpy(static_cast<char*>(all.data()) + m * bytes, members[m][k].data(), bytes);
    }
    auto& dims = extents.emplace_back();
    for (const Digit& digit : group.digits.digits()) dims.push_back(digit.extent);
    dims.insert(dims.end(), call.call.operands[k]->dims.begin(), call.call.operands[k]->dims.end());
  }
  std::vector<Operand> operands;
  for (std::size_t k = 0; k < lifted.size(); ++k) {
    operands.push_back({&lifted[k], call.call.operands[k]->element, extents[k]});
  }
  for (std::size_t leaf = 0; leaf < results.size(); ++leaf) {
    if (results[leaf].count() == 0) continue;
    Buffer all(results[leaf].storage(), results[leaf].count() * count);
    gg::run(plans_.get(arena_, *group.bodies[leaf], operands), mode, operands, all, ties);
    results[leaf] = part_of(all, static_cast<std::int64_t>(position), count);
  }
}

}  // namespace gg
