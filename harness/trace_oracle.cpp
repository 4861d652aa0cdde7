#include "harness/trace_oracle.h"

namespace gg {
namespace {

/// Leaf types of an instruction, array leaves only.
std::vector<Type> array_leaves(const Module& module, InstructionId id) {
  std::vector<Type> result;
  for (const Type* leaf : module.type(id).leaves()) {
    if (leaf->is_array()) result.push_back(*leaf);
  }
  return result;
}

void store(const Buffer& buffer, TraceTensor& tensor) {
  const auto count = static_cast<std::size_t>(buffer.count());
  if (buffer.storage() == Storage::Int64) {
    const auto values = buffer.as<std::int64_t>();
    tensor.integers.assign(values.begin(), values.end());
    return;
  }
  tensor.high.resize(count);
  tensor.low.resize(count);
  const auto values = buffer.as<Real113>();
  for (std::size_t k = 0; k < count; ++k) RealOps<Real113>::to_pair(values[k], tensor.high[k], tensor.low[k]);
}

}  // namespace

Trace TraceOracle::trace(std::uint64_t seed) {
  Trace trace;
  trace.seed = seed;
  const InputSet inputs = draw_inputs(case_.relation, seed, 0);
  const auto record = [&trace](const Module& module, Side side, std::int64_t ranks) {
    return [&trace, &module, side, ranks](const Instance& instance, std::span<const Buffer* const> leaves) {
      const auto types = array_leaves(module, instance.instruction);
      for (std::size_t k = 0; k < leaves.size() && k < types.size(); ++k) {
        TraceTensor tensor{side, instance, static_cast<int>(k), types[k].element, ranks, types[k].dims, {}, {}, {}};
        store(*leaves[k], tensor);
        trace.tensors.push_back(std::move(tensor));
      }
    };
  };
  RunOptions options;
  options.mode = NumberMode::Real;
  options.budget = options_.budget;
  options.seed = seed;
  options.probe = record(*case_.sequential, Side::Sequential, 1);
  Executor sequential(*case_.sequential_bodies, nullptr);
  sequential.run(sequential_inputs(case_, inputs, options.mode), options);
  const std::int64_t ranks = case_.relation.layout.ranks();
  const auto communicator = local_communicator(ranks);
  options.probe = record(*case_.distributed, Side::Distributed, ranks);
  Executor distributed(*case_.distributed_bodies, communicator.get());
  distributed.run(distributed_inputs(case_, inputs, options.mode), options);
  return trace;
}

}  // namespace gg
