// Call-like operators against the computations they name, one row an operator.
#include <array>

#include "models/ir/verify.h"

namespace gg {
namespace {

/// The parameter types and the result type that one callee must have.
struct Signature {
  std::vector<Type> parameters;
  Type result;
};

Type scalar(const Type& type) { return Type::array(type.element, {}); }

std::optional<std::string> disagreement(const Module& module, ComputationId callee, const Signature& wanted) {
  const Computation& computation = module.computation(callee);
  const std::string name = "computation '%" + std::string(module.string(computation.name)) + "'";
  if (computation.parameters.size() != wanted.parameters.size()) {
    return name + " has " + std::to_string(computation.parameters.size()) + " parameters where " +
           std::to_string(wanted.parameters.size()) + " are passed";
  }
  for (std::size_t k = 0; k < wanted.parameters.size(); ++k) {
    const Type& type = module.type(computation.parameters[k]);
    if (type == wanted.parameters[k]) continue;
    return "parameter " + std::to_string(k) + " of " + name + " is " + to_string(type) + " where " +
           to_string(wanted.parameters[k]) + " is passed";
  }
  const Type& result = module.type(computation.root);
  if (result == wanted.result) return std::nullopt;
  return name + " gives " + to_string(result) + " where " + to_string(wanted.result) + " is expected";
}

std::vector<Type> operand_types(const Module& module, InstructionId id) {
  std::vector<Type> types;
  for (const InstructionId operand : module.operands(id)) types.push_back(module.type(operand));
  return types;
}

/// One value as such, several as a tuple.
Type packed(std::vector<Type> types) { return types.size() == 1 ? std::move(types[0]) : Type::tuple(std::move(types)); }

// ---- rows: what callee number k of attribute `attr` must look like

Signature call_row(const Module& module, InstructionId id, Attr, std::size_t) {
  return {operand_types(module, id), module.type(id)};
}

Signature loop_row(const Module& module, InstructionId id, Attr attr, std::size_t) {
  const Type& state = module.type(id);
  return {{state}, attr == Attr::Condition ? Type::array(ElementType::Pred, {}) : state};
}

Signature branch_row(const Module& module, InstructionId id, Attr attr, std::size_t k) {
  const auto operands = module.operands(id);
  const std::size_t at = 1 + (attr == Attr::FalseComputation ? 1 : k);
  if (at >= operands.size()) return {{}, module.type(id)};
  return {{module.type(operands[at])}, module.type(id)};
}

/// reduce and reduce-window: (accumulators..., elements...) -> accumulators, all scalars.
Signature reduce_row(const Module& module, InstructionId id, Attr, std::size_t) {
  const auto operands = module.operands(id);
  std::vector<Type> accumulators;
  for (std::size_t k = operands.size() / 2; k < operands.size(); ++k) {
    accumulators.push_back(scalar(module.type(operands[k])));
  }
  std::vector<Type> parameters = accumulators;
  parameters.insert(parameters.end(), accumulators.begin(), accumulators.end());
  return {std::move(parameters), packed(std::move(accumulators))};
}

/// scatter: (old..., updates...) -> new, scalars of the scattered operands.
Signature scatter_row(const Module& module, InstructionId id, Attr, std::size_t) {
  const auto operands = module.operands(id);
  std::vector<Type> values;
  for (std::size_t k = 0; k < operands.size() / 2; ++k) values.push_back(scalar(module.type(operands[k])));
  std::vector<Type> parameters = values;
  parameters.insert(parameters.end(), values.begin(), values.end());
  return {std::move(parameters), packed(std::move(values))};
}

/// all-reduce and reduce-scatter: (T, T) -> T.
Signature combine_row(const Module& module, InstructionId id, Attr, std::size_t) {
  const Type type = scalar(module.type(module.operands(id)[0]));
  return {{type, type}, type};
}

Signature map_row(const Module& module, InstructionId id, Attr, std::size_t) {
  std::vector<Type> parameters;
  for (const Type& type : operand_types(module, id)) parameters.push_back(scalar(type));
  return {std::move(parameters), scalar(module.type(id))};
}

/// sort: (left 0, right 0, left 1, right 1, ...) -> pred.
Signature sort_row(const Module& module, InstructionId id, Attr, std::size_t) {
  std::vector<Type> parameters;
  for (const Type& type : operand_types(module, id)) parameters.insert(parameters.end(), 2, scalar(type));
  return {std::move(parameters), Type::array(ElementType::Pred, {})};
}

/// select of select-and-scatter: (T, T) -> pred.
Signature select_row(const Module& module, InstructionId id, Attr, std::size_t) {
  const Type type = scalar(module.type(module.operands(id)[0]));
  return {{type, type}, Type::array(ElementType::Pred, {})};
}

struct Row {
  Op op;
  Attr attr;
  Signature (*wanted)(const Module& module, InstructionId id, Attr attr, std::size_t k);
};

constexpr std::array kRows = {
    Row{Op::Call, Attr::ToApply, call_row},
    Row{Op::Fusion, Attr::Calls, call_row},
    Row{Op::While, Attr::Condition, loop_row},
    Row{Op::While, Attr::Body, loop_row},
    Row{Op::Conditional, Attr::Branches, branch_row},
    Row{Op::Conditional, Attr::TrueComputation, branch_row},
    Row{Op::Conditional, Attr::FalseComputation, branch_row},
    Row{Op::Reduce, Attr::ToApply, reduce_row},
    Row{Op::ReduceWindow, Attr::ToApply, reduce_row},
    Row{Op::Scatter, Attr::ToApply, scatter_row},
    Row{Op::AllReduce, Attr::ToApply, combine_row},
    Row{Op::ReduceScatter, Attr::ToApply, combine_row},
    Row{Op::Map, Attr::ToApply, map_row},
    Row{Op::Sort, Attr::ToApply, sort_row},
    Row{Op::SelectAndScatter, Attr::SelectRegion, select_row},
    Row{Op::SelectAndScatter, Attr::ScatterRegion, combine_row},
};

}  // namespace

std::optional<std::string> check_signature(const Module& module, InstructionId id) {
  for (const Row& row : kRows) {
    if (row.op != module[id].op) continue;
    const auto& callees = module.attributes(id).computations(row.attr);
    if (callees.size() > 1 && row.attr != Attr::Branches) {
      return "attribute " + std::string(info(row.attr).name) + " names several computations";
    }
    for (std::size_t k = 0; k < callees.size(); ++k) {
      if (auto problem = disagreement(module, callees[k], row.wanted(module, id, row.attr, k))) return problem;
    }
  }
  return std::nullopt;
}

}  // namespace gg
