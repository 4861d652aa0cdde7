// Value graph of a traced run (runtime/value_graph.h).
#include "runtime/value_graph.h"

#include "models/base/check.h"
#include "models/ir/structure.h"
#include "runtime/value.h"

namespace gg {

ValueGraph::ValueGraph(const Module& module) : module_(module) {}

std::uint32_t ValueGraph::path_id(const std::vector<InstructionId>& path) {
  return paths_.try_emplace(path, static_cast<std::uint32_t>(paths_.size())).first->second;
}

// The argument behind a parameter: of the call, of the branch, or of the loop (its state before the first trip, then what
// the body left).
ValueGraph::Ids ValueGraph::argument(const Instance& instance) {
  if (instance.path.empty()) return {};
  const InstructionId caller = instance.path.back();
  const std::uint32_t here = path_id(instance.path);
  const std::uint32_t outer = path_id({instance.path.begin(), instance.path.end() - 1});
  const auto operands = module_.operands(caller);
  if (structure_of(module_, caller) == Structure::Loop) {
    const Ids& left = latest(here, module_.computation(body_of(module_, caller)).root);
    return instance.iteration > 0 && !left.empty() ? left : latest(outer, operands[0]);
  }
  if (structure_of(module_, caller) == Structure::Branches) {
    const ComputationList branches = branches_of(module_, caller);
    const ComputationId own = module_.computation_of(instance.instruction);
    for (std::size_t k = 0; k < branches.size() && k + 1 < operands.size(); ++k) {
      if (branches[k] == own) return latest(outer, operands[k + 1]);
    }
    return {};
  }
  const auto number = static_cast<std::size_t>(module_.attributes(instance.instruction).integer(Attr::Parameter));
  return number < operands.size() ? latest(outer, operands[number]) : Ids{};
}

ValueGraph::Ids ValueGraph::passed_through(const Instance& instance, std::uint32_t path, bool& structure) {
  const InstructionId id = instance.instruction;
  const Structure kind = structure_of(module_, id);
  structure = true;
  Ids ids;
  switch (kind) {
    case Structure::Parameter: return argument(instance);
    case Structure::Join:
    case Structure::Element:
      for (const OperandLeaf& from : handed_leaves(module_, id)) {
        const Ids& leaves = latest(path, from.id);
        if (from.leaf < leaves.size()) ids.push_back(leaves[from.leaf]);
      }
      return ids;
    case Structure::Call:
    case Structure::Loop: {
      std::vector<InstructionId> inner = instance.path;
      inner.push_back(id);
      const ComputationId callee = kind == Structure::Loop ? body_of(module_, id) : callee_of(module_, id);
      const Ids& left = latest(path_id(inner), module_.computation(callee).root);
      return left.empty() && kind == Structure::Loop ? latest(path, module_.operands(id)[0]) : left;
    }
    default: structure = false; return {};
  }
}

std::span<const ValueId> ValueGraph::add(const Instance& instance, bool& fresh) {
  const std::uint32_t path = path_id(instance.path);
  bool structure = false;
  Ids ids = passed_through(instance, path, structure);
  const std::size_t leaves = array_leaves(module_.type(instance.instruction));
  fresh = !structure || ids.size() != leaves;  // entry parameters and conditionals are values of their own
  if (fresh) {
    std::vector<ValueId> operands;
    for (const InstructionId operand : module_.operands(instance.instruction)) {
      const Ids& of = latest(path, operand);
      operands.insert(operands.end(), of.begin(), of.end());
    }
    ids.clear();
    const auto group = static_cast<ValueId>(values_.size());
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      ids.push_back(static_cast<ValueId>(values_.size()));
      values_.push_back({instance, static_cast<std::uint32_t>(leaf), operands, group});
    }
  }
  Ids& slot = latest(path, instance.instruction);
  slot = std::move(ids);
  return slot;
}

std::span<const ValueId> ValueGraph::outputs() const {
  const InstructionId root = module_.computation(module_.entry()).root;
  const auto path = paths_.find({});
  GG_CHECK(path != paths_.end(), "no run was traced");
  const auto found = latest_.find({path->second, root});
  GG_CHECK(found != latest_.end(), "the run did not reach the root");
  return found->second;
}

}  // namespace gg
