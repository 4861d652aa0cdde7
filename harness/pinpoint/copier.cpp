// Copies between modules (harness/pinpoint/copier.h).
#include "harness/pinpoint/copier.h"

#include "models/ir/control_flow.h"
#include "models/ir/structure.h"

namespace gg::pinpoint {

Names names_of(const Module& module, const Computation& computation) {
  Names names;
  for (InstructionId id = computation.first; id < computation.first + computation.count; ++id) names.emplace(module.name_of(id), id);
  return names;
}

Copier::Copier(const Module& from) : from_(from), builder_(from.file) {
  builder_.module().name = from.name;
  builder_.module().replica_count = from.replica_count;
  builder_.module().num_partitions = from.num_partitions;
}

ComputationId Copier::callee(ComputationId id) {
  const auto known = callees_.find(id);
  if (known != callees_.end()) return known->second;
  const Computation& c = from_.computation(id);
  for (InstructionId k = c.first; k < c.first + c.count; ++k) prepare(k);
  const ComputationId made = builder_.reserve(from_.string(c.name));
  callees_[id] = made;
  builder_.begin(made, 0);
  std::vector<InstructionId> ids(c.count);
  for (InstructionId k = 0; k < c.count; ++k) {
    std::vector<InstructionId> operands;
    for (const InstructionId operand : from_.operands(c.first + k)) operands.push_back(ids[operand - c.first]);
    ids[k] = copy(c.first + k, operands);
  }
  builder_.end(ids[c.root - c.first]);
  return made;
}

void Copier::prepare(InstructionId id) {
  for (const ComputationId called : computations_of(from_, id)) callee(called);
}

void Copier::open(std::string_view name, std::uint32_t line) {
  entry_ = builder_.reserve(name);
  builder_.begin(entry_, line);
}

InstructionId Copier::parameter(const Type& type, std::string_view name) { return add_parameter(builder_, parameters_++, type, name); }

Module Copier::close(InstructionId root) {
  builder_.end(root);
  builder_.set_entry(entry_);
  return builder_.finish();
}

Instruction Copier::instruction(InstructionId id) {
  Instruction copy = from_[id];
  copy.type = builder_.intern(from_.type(id));
  copy.attributes = builder_.intern(with_computations(from_.attributes(id), [&](ComputationId called) { return callees_.at(called); }));
  copy.name = builder_.intern(from_.name_of(id));
  copy.metadata = kNone;
  copy.sharding = kNone;
  return copy;
}

}  // namespace gg::pinpoint
