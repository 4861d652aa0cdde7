// The values of one traced run as a graph: what each was computed from, with calls, loops and tuples resolved away. Built
// from the executor's probe.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "models/ir/module.h"

namespace gg {

using ValueId = std::uint32_t;

/// One array leaf of one executed instruction that is no structure.
struct TracedValue {
  Instance instance;
  std::uint32_t leaf = 0;
  std::vector<ValueId> operands;
  ValueId group = 0;  ///< first leaf of the same execution
};

/// Follows a run. Call `add` for every probe event, in order.
class ValueGraph {
 public:
  explicit ValueGraph(const Module& module);
  /// Ids of the instruction's leaves; `fresh` if they are new values (not passed through by structure).
  std::span<const ValueId> add(const Instance& instance, bool& fresh);
  const std::vector<TracedValue>& values() const { return values_; }
  /// Leaves of the entry's root, once the run is over.
  std::span<const ValueId> outputs() const;
  const Module& module() const { return module_; }

 private:
  using Ids = std::vector<ValueId>;
  std::uint32_t path_id(const std::vector<InstructionId>& path);
  Ids& latest(std::uint32_t path, InstructionId id) { return latest_[{path, id}]; }
  Ids passed_through(const Instance& instance, std::uint32_t path, bool& structure);
  Ids argument(const Instance& instance);

  const Module& module_;
  std::map<std::vector<InstructionId>, std::uint32_t> paths_;
  std::map<std::pair<std::uint32_t, InstructionId>, Ids> latest_;  ///< most recent execution
  std::vector<TracedValue> values_;
};

}  // namespace gg
