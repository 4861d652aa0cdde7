#include "models/mutation/mutate.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "models/base/check.h"
#include "models/mutation/rewritten.h"

namespace gg {
namespace {

/// What an instruction becomes; the type stays.
struct Replacement {
  Op op;
  Attributes attributes;
  std::vector<InstructionId> operands;
};

using Rule = std::optional<Replacement> (*)(const Module& module, InstructionId id);

Replacement same(const Module& module, InstructionId id) {
  const auto operands = module.operands(id);
  return {module[id].op, module.attributes(id), {operands.begin(), operands.end()}};
}

std::optional<Replacement> with(const Module& module, InstructionId id, Attr attr, AttrValue value) {
  Replacement result = same(module, id);
  result.attributes.set(attr, std::move(value));
  return result;
}

/// Root operator of a two-parameter region, if its root reads the parameters directly.
std::optional<Op> region_op(const Module& module, ComputationId id) {
  const Computation& region = module.computation(id);
  if (region.parameters.size() != 2 || module.operands(region.root).size() != 2) return std::nullopt;
  return module[region.root].op;
}

std::optional<Replacement> drop_collective(const Module& module, InstructionId id) {
  const Op op = module[id].op;
  if ((op != Op::AllReduce && op != Op::CollectivePermute) || module.operands(id).size() != 1) return std::nullopt;
  return Replacement{Op::Copy, {}, {module.operands(id)[0]}};
}

std::optional<Replacement> reduce_max(const Module& module, InstructionId id) {
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

std::optional<Replacement> regroup(const Module& module, InstructionId id) {
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

std::optional<Replacement> reorder_group(const Module& module, InstructionId id) {
  const Op op = module[id].op;
  if (!grouped(module, id) || op == Op::AllReduce) return std::nullopt;
  ReplicaGroups groups = module.attributes(id).groups();
  for (auto& group : groups.groups) std::rotate(group.begin(), group.begin() + 1, group.end());
  return with(module, id, Attr::ReplicaGroups, groups);
}

std::optional<Replacement> reverse_permute(const Module& module, InstructionId id) {
  if (module[id].op != Op::CollectivePermute) return std::nullopt;
  PairList pairs = module.attributes(id).pairs();
  for (auto& [source, target] : pairs) std::swap(source, target);
  return with(module, id, Attr::SourceTargetPairs, pairs);
}

/// The literal of a constant in a computation that is no reducer region, with its values changed.
std::optional<Replacement> edit_literal(const Module& module, InstructionId id, bool floats, std::size_t least,
                                        const std::function<void(std::vector<Scalar>&)>& change) {
  if (module[id].op != Op::Constant || is_float(module.type(id).element) != floats) return std::nullopt;
  ConstantArray literal = module.attributes(id).literal();
  if (literal.values.size() < least || literal.type.element == ElementType::Pred) return std::nullopt;
  const auto before = literal.values;
  change(literal.values);
  if (literal.values == before) return std::nullopt;
  return with(module, id, Attr::Literal, std::move(literal));
}

std::optional<Replacement> scale_literal(const Module& module, InstructionId id) {
  return edit_literal(module, id, true, 1, [&](std::vector<Scalar>& values) {
    for (auto& value : values) value = Scalar::of(value.type, round_to(value.type, 2 * value.real));
  });
}

std::optional<Replacement> shift_table(const Module& module, InstructionId id) {
  return edit_literal(module, id, false, 2, [](std::vector<Scalar>& values) {
    std::rotate(values.begin(), values.begin() + 1, values.end());
  });
}

std::optional<Replacement> shift_literal(const Module& module, InstructionId id) {
  return edit_literal(module, id, false, 1, [](std::vector<Scalar>& values) {
    if (values.size() == 1) values[0] = Scalar::of_int(values[0].type, wrap_to(values[0].type, values[0].integer + 1));
  });
}

std::optional<Replacement> swap_operands(const Module& module, InstructionId id) {
  Replacement result = same(module, id);
  if ((result.op != Op::Subtract && result.op != Op::Divide) || result.operands[0] == result.operands[1]) return std::nullopt;
  std::swap(result.operands[0], result.operands[1]);
  return result;
}

std::optional<Replacement> shift_slice(const Module& module, InstructionId id) {
  if (module[id].op != Op::Slice) return std::nullopt;
  std::vector<SliceDim> dims = module.attributes(id).slice();
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::int64_t step = dims[d].limit < module.type(module.operands(id)[0]).dims[d] ? 1 : -1;
    if (dims[d].start + step < 0) continue;
    dims[d].start += step;
    dims[d].limit += step;
    return with(module, id, Attr::Slice, dims);
  }
  return std::nullopt;
}

std::optional<Replacement> flip_compare(const Module& module, InstructionId id) {
  static constexpr std::array<std::pair<const char*, const char*>, 6> kFlips = {
      {{"LT", "LE"}, {"LE", "LT"}, {"GT", "GE"}, {"GE", "GT"}, {"EQ", "NE"}, {"NE", "EQ"}}};
  if (module[id].op != Op::Compare) return std::nullopt;
  const std::string& direction = module.attributes(id).text(Attr::Direction);
  for (const auto& [from, to] : kFlips) {
    if (direction == from) return with(module, id, Attr::Direction, std::string(to));
  }
  return std::nullopt;
}

std::optional<Replacement> add_collective(const Module& module, InstructionId id) {
  const bool moves_nothing = module[id].op == Op::Copy || module[id].op == Op::Reshape || module[id].op == Op::Bitcast;
  if (!moves_nothing || !(module.type(id) == module.type(module.operands(id)[0]))) return std::nullopt;
  for (InstructionId other = 0; other < module.size(); ++other) {
    if (module[other].op != Op::AllReduce || !module.type(other).is_array()) continue;
    if (module.type(other).element != module.type(id).element) continue;
    return Replacement{Op::AllReduce, module.attributes(other), {module.operands(id)[0]}};
  }
  return std::nullopt;
}

std::optional<Replacement> stale_operand(const Module& module, InstructionId id) {
  Replacement result = same(module, id);
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

/// `dims` with the first two entries exchanged that `fits` allows.
std::optional<std::vector<std::int64_t>> exchanged(std::vector<std::int64_t> dims,
                                                   const std::function<bool(std::size_t, std::size_t)>& fits) {
  for (std::size_t a = 0; a < dims.size(); ++a) {
    for (std::size_t b = a + 1; b < dims.size(); ++b) {
      if (!fits(a, b)) continue;
      std::swap(dims[a], dims[b]);
      return dims;
    }
  }
  return std::nullopt;
}

std::optional<Replacement> swap_dimensions(const Module& module, InstructionId id) {
  const Op op = module[id].op;
  if (!module.type(id).is_array() || module.operands(id).empty()) return std::nullopt;
  const std::vector<std::int64_t>& from = module.type(module.operands(id)[0]).dims;
  const std::vector<std::int64_t>& to = module.type(id).dims;
  if (op == Op::Transpose || op == Op::Broadcast) {
    const auto dims = exchanged(module.attributes(id).ints(Attr::BroadcastDims), [&](std::size_t a, std::size_t b) {
      return op == Op::Transpose ? to[a] == to[b] && to[a] > 1 : from[a] == from[b] && from[a] > 1;
    });
    return dims ? with(module, id, Attr::BroadcastDims, *dims) : std::nullopt;
  }
  if (op != Op::Reduce || module.operands(id).size() != 2) return std::nullopt;
  std::vector<std::int64_t> dims = module.attributes(id).ints(Attr::BroadcastDims);
  for (auto& d : dims) {
    for (std::int64_t e = 0; e < static_cast<std::int64_t>(from.size()); ++e) {
      const bool equal = from[static_cast<std::size_t>(e)] == from[static_cast<std::size_t>(d)];
      if (!equal || from[static_cast<std::size_t>(e)] < 2 || std::abs(e - d) != 1) continue;  // the result keeps its type
      if (std::find(dims.begin(), dims.end(), e) != dims.end()) continue;
      d = e;
      std::sort(dims.begin(), dims.end());
      return with(module, id, Attr::BroadcastDims, dims);
    }
  }
  return std::nullopt;
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
    Row{Defect::ReversePermute, "reverse-permute", reverse_permute},
    Row{Defect::ScaleLiteral, "scale-literal", scale_literal},
    Row{Defect::ShiftTable, "shift-table", shift_table},
    Row{Defect::ShiftLiteral, "shift-literal", shift_literal},
    Row{Defect::SwapOperands, "swap-operands", swap_operands},
    Row{Defect::ShiftSlice, "shift-slice", shift_slice},
    Row{Defect::FlipCompare, "flip-compare", flip_compare},
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
    const auto changed = kRows[static_cast<std::size_t>(edit.defect)].rule(module, id);
    GG_CHECK(changed.has_value(), "the edit does not apply to this module");
    draft.op = changed->op;
    draft.attributes = changed->attributes;
    draft.operands = changed->operands;
  });
}

std::string to_string(const Module& module, const Edit& edit) {
  return std::string(kRows[static_cast<std::size_t>(edit.defect)].name) + " at %" +
         std::string(module.name_of(edit.instruction));
}

}  // namespace gg
