#include "models/mutation/mutate.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "models/base/check.h"
#include "models/ir/kinds.h"
#include "models/mutation/alternatives.h"
#include "models/mutation/rewritten.h"

namespace gg {
namespace {

using mutation::Form;
using mutation::form_of;
using mutation::Slip;

using Rule = std::optional<Form> (*)(const Module& module, InstructionId id);

/// The first of the alternatives.
template <Slip slip>
std::optional<Form> first(const Module& module, InstructionId id) {
  std::vector<Form> forms = alternatives(module, id, slip);
  return forms.empty() ? std::nullopt : std::optional(std::move(forms.front()));
}

std::optional<Form> with(const Module& module, InstructionId id, Attr attr, AttrValue value) {
  Form result = form_of(module, id);
  result.attributes.set(attr, std::move(value));
  return result;
}

/// Root operator of a two-parameter region, if its root reads the parameters directly.
std::optional<Op> region_op(const Module& module, ComputationId id) {
  const Computation& region = module.computation(id);
  if (region.parameters.size() != 2 || module.operands(region.root).size() != 2) return std::nullopt;
  return module[region.root].op;
}

std::optional<Form> drop_collective(const Module& module, InstructionId id) {
  const Op op = module[id].op;
  if ((op != Op::AllReduce && op != Op::CollectivePermute) || module.operands(id).size() != 1) return std::nullopt;
  return Form{Op::Copy, {}, {module.operands(id)[0]}};
}

std::optional<Form> reduce_max(const Module& module, InstructionId id) {
  if (module[id].op != Op::AllReduce) return std::nullopt;
  const ComputationId region = module.attributes(id).computations(Attr::ToApply).at(0);
  if (region_op(module, region) != Op::Add) return std::nullopt;
  const TypeId type = module[module.computation(region).root].type;
  for (ComputationId other = 0; other < module.computations().size(); ++other) {
    if (region_op(module, other) == Op::Maximum && module[module.computation(other).root].type == type) {
      return with(module, id, Attr::ToApply, ComputationList{other});
    }
  }
  return std::nullopt;
}

bool grouped(const Module& module, InstructionId id) {
  const auto& groups = module.attributes(id).groups().groups;
  return module.attributes(id).has(Attr::ReplicaGroups) && !groups.empty() && groups[0].size() > 1 &&
         std::all_of(groups.begin(), groups.end(), [&](const auto& g) { return g.size() == groups[0].size(); });
}

std::optional<Form> regroup(const Module& module, InstructionId id) {
  if (!grouped(module, id)) return std::nullopt;
  ReplicaGroups groups = module.attributes(id).groups();
  const std::size_t n = groups.groups.size();
  if (n < 2) return std::nullopt;
  const auto old = groups.groups;
  for (std::size_t g = 0; g < n; ++g) {
    for (std::size_t k = 0; k < old[g].size(); ++k) groups.groups[g][k] = old[(g + k) % n][k];
  }
  return with(module, id, Attr::ReplicaGroups, groups);
}

std::optional<Form> reorder_group(const Module& module, InstructionId id) {
  const Op op = module[id].op;
  if (!grouped(module, id) || op == Op::AllReduce) return std::nullopt;
  ReplicaGroups groups = module.attributes(id).groups();
  for (auto& group : groups.groups) std::rotate(group.begin(), group.begin() + 1, group.end());
  return with(module, id, Attr::ReplicaGroups, groups);
}

/// The literal of a constant in a computation that is no reducer region, with its values changed.
std::optional<Form> edit_literal(const Module& module, InstructionId id, bool floats, std::size_t least,
                                 const std::function<void(std::vector<Scalar>&)>& change) {
  if (module[id].op != Op::Constant || is_float(module.type(id).element) != floats) return std::nullopt;
  ConstantArray literal = module.attributes(id).literal();
  if (literal.values.size() < least || literal.type.element == ElementType::Pred) return std::nullopt;
  const auto before = literal.values;
  change(literal.values);
  if (literal.values == before) return std::nullopt;
  return with(module, id, Attr::Literal, std::move(literal));
}

std::optional<Form> scale_literal(const Module& module, InstructionId id) {
  return edit_literal(module, id, true, 1, [&](std::vector<Scalar>& values) {
    for (auto& value : values) value = Scalar::of(value.type, round_to(value.type, 2 * value.real));
  });
}

std::optional<Form> shift_table(const Module& module, InstructionId id) {
  const bool numbers = is_constant(module, id) && is_integral(module.type(id).element) && module.type(id).element != ElementType::Pred;
  return numbers ? first<Slip::Table>(module, id) : std::nullopt;
}

std::optional<Form> shift_literal(const Module& module, InstructionId id) {
  return edit_literal(module, id, false, 1, [](std::vector<Scalar>& values) {
    if (values.size() == 1) values[0] = Scalar::of_int(values[0].type, wrap_to(values[0].type, values[0].integer + 1));
  });
}

std::optional<Form> swap_operands(const Module& module, InstructionId id) {
  const Op op = module[id].op;
  return op == Op::Subtract || op == Op::Divide ? first<Slip::Order>(module, id) : std::nullopt;
}

std::optional<Form> add_collective(const Module& module, InstructionId id) {
  const bool moves_nothing = module[id].op == Op::Copy || module[id].op == Op::Reshape || module[id].op == Op::Bitcast;
  if (!moves_nothing || !(module.type(id) == module.type(module.operands(id)[0]))) return std::nullopt;
  for (InstructionId other = 0; other < module.size(); ++other) {
    if (module[other].op != Op::AllReduce || !module.type(other).is_array()) continue;
    if (module.type(other).element != module.type(id).element) continue;
    return Form{Op::AllReduce, module.attributes(other), {module.operands(id)[0]}};
  }
  return std::nullopt;
}

std::optional<Form> stale_operand(const Module& module, InstructionId id) {
  Form result = form_of(module, id);
  if (result.operands.size() < 2 || result.op == Op::Tuple || !module.type(id).is_array()) return std::nullopt;
  const InstructionId last = result.operands.back();
  const auto used = [&](InstructionId x) {
    return std::find(result.operands.begin(), result.operands.end(), x) != result.operands.end();
  };
  for (InstructionId other = last; other-- > module.computation(module.computation_of(id)).first;) {
    if (module[other].type != module[last].type || used(other)) continue;
    result.operands.back() = other;
    return result;
  }
  return std::nullopt;
}

std::optional<Form> swap_dimensions(const Module& module, InstructionId id) {
  const Op op = module[id].op;
  const bool list = op == Op::Transpose || op == Op::Broadcast || (op == Op::Reduce && module.operands(id).size() == 2);
  return list ? first<Slip::Dimensions>(module, id) : std::nullopt;
}

struct Row {
  Defect defect;
  const char* name;
  Rule rule;
};

constexpr std::array kRows = {
    Row{Defect::DropCollective, "drop-collective", drop_collective},
    Row{Defect::ReduceMax, "reduce-max", reduce_max},
    Row{Defect::RegroupCollective, "regroup-collective", regroup},
    Row{Defect::ReorderGroup, "reorder-group", reorder_group},
    Row{Defect::ReversePermute, "reverse-permute", first<Slip::Pairs>},
    Row{Defect::ScaleLiteral, "scale-literal", scale_literal},
    Row{Defect::ShiftTable, "shift-table", shift_table},
    Row{Defect::ShiftLiteral, "shift-literal", shift_literal},
    Row{Defect::SwapOperands, "swap-operands", swap_operands},
    Row{Defect::ShiftSlice, "shift-slice", first<Slip::Start>},
    Row{Defect::FlipCompare, "flip-compare", first<Slip::Direction>},
    Row{Defect::AddCollective, "add-collective", add_collective},
    Row{Defect::StaleOperand, "stale-operand", stale_operand},
    Row{Defect::SwapDimensions, "swap-dimensions", swap_dimensions},
};

}  // namespace

std::vector<Edit> edits(const Module& module) {
  std::vector<Edit> result;
  for (InstructionId id = 0; id < module.size(); ++id) {
    for (const Row& row : kRows) {
      if (row.rule(module, id)) result.push_back({row.defect, id});
    }
  }
  return result;
}

Module apply(const Module& module, const Edit& edit) {
  return rewritten(module, [&](InstructionId id, Draft& draft) {
    if (id != edit.instruction) return;
    auto changed = kRows[static_cast<std::size_t>(edit.defect)].rule(module, id);
    GG_CHECK(changed.has_value(), "the edit does not apply to this module");
    static_cast<Form&>(draft) = *std::move(changed);
  });
}

std::string to_string(const Module& module, const Edit& edit) {
  return std::string(kRows[static_cast<std::size_t>(edit.defect)].name) + " at %" +
         std::string(module.name_of(edit.instruction));
}

}  // namespace gg
