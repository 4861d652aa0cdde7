#include "models/mutation/control.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/op/groups.h"

namespace gg {
namespace {

using Place = ControlEdit::Place;

/// Two ranks that meet in the collective.
std::optional<std::pair<std::int64_t, std::int64_t>> partners(const Module& module, RankLayout layout, InstructionId id) {
  if (info(module[id].op).traits != OpTraits::Collective) return std::nullopt;
  const Attributes& attributes = module.attributes(id);
  if (module[id].op == Op::CollectivePermute) {
    for (const auto& [source, target] : rank_pairs(attributes, layout)) {
      if (source != target) return std::pair{source, target};
    }
    return std::nullopt;
  }
  for (const auto& group : rank_groups(module[id].op, attributes, layout)) {
    if (group.size() >= 2) return std::pair{group[0], group[1]};
  }
  return std::nullopt;
}

bool is_drawn(const Module& module, InstructionId id) {
  while (module[id].op == Op::Copy) id = module.operands(id)[0];
  const Type& type = module.type(id);
  return module[id].op == Op::Parameter && type.is_array() && type.element == ElementType::F32 && type.count() > 0;
}

/// A parameter before this instruction that is a float input of the program: of the entry, or of what the entry calls with one.
std::optional<InstructionId> drawn_input(const Module& module, InstructionId before) {
  const Computation& entry = module.computation(module.entry());
  const ComputationId computation = module.computation_of(before);
  const auto& parameters = module.computation(computation).parameters;
  if (computation == module.entry()) {
    const auto at = std::find_if(parameters.begin(), parameters.end(), [&](InstructionId id) { return id < before && is_drawn(module, id); });
    return at == parameters.end() ? std::nullopt : std::optional(*at);
  }
  for (InstructionId id = entry.first; id < entry.first + entry.count; ++id) {
    if (module[id].op != Op::Call || module.attributes(id).computations(Attr::ToApply).at(0) != computation) continue;
    const auto operands = module.operands(id);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (parameters[k] < before && is_drawn(module, operands[k])) return parameters[k];
    }
  }
  return std::nullopt;
}

Attributes literal(ElementType type, double value) {
  const Scalar scalar = is_float(type) ? Scalar::of(type, value) : Scalar::of_int(type, static_cast<std::int64_t>(value));
  return {Attr::Literal, ConstantArray{Type::array(type, {}), {scalar}}};
}

class Editor {
 public:
  Editor(const Module& module, RankLayout layout, const ControlEdit& edit)
      : module_(module), layout_(layout), edit_(edit), builder_(module.file), ids_(module.size(), kNone), value_(module.type(edit.instruction)), operand_(module.type(module.operands(edit.instruction)[0])) {}

  Module run() {
    builder_.reserve_all(module_);
    yes_ = builder_.reserve("gg_control_yes");
    no_ = builder_.reserve("gg_control_no");
    if (edit_.place == Place::DeadLoop) loop_computations();
    else branches();
    for (const ComputationId cid : module_.in_order()) {
      const Computation& c = module_.computation(cid);
      builder_.begin(cid, c.line);
      for (InstructionId id = c.first; id < c.first + c.count; ++id) {
        if (id == edit_.instruction) {
          control();
          if (edit_.place == Place::UsedBranch) continue;
        }
        std::vector<InstructionId> operands;
        for (const InstructionId operand : module_.operands(id)) operands.push_back(ids_[operand]);
        ids_[id] = copied(id, operands);
      }
      builder_.end(ids_[c.root]);
    }
    builder_.set_entry(module_.entry());
    builder_.copy_header(module_);
    return builder_.finish();
  }

 private:
  const Type flag_ = Type::array(ElementType::Pred, {});

  InstructionId copied(InstructionId id, std::span<const InstructionId> operands) {
    Instruction now = builder_.like(module_, id);
    now.type = builder_.intern(module_.type(id));
    now.attributes = builder_.intern(module_.attributes(id));
    return builder_.add(now, operands);
  }

  InstructionId add(Op op, const Type& type, Attributes attributes, std::vector<InstructionId> operands = {}) {
    const std::string name = "gg_control." + std::to_string(names_++);
    return builder_.add({op, builder_.intern(type), builder_.intern(std::move(attributes)), 0, 0, builder_.intern(name), 0, 0}, operands);
  }

  InstructionId parameter(const Type& type) { return add(Op::Parameter, type, Attributes(Attr::Parameter, std::int64_t{0})); }
  InstructionId element(InstructionId tuple, const Type& type, std::int64_t k) {
    return add(Op::GetTupleElement, type, Attributes(Attr::Index, k), {tuple});
  }

  void branches() {
    builder_.begin(yes_, 0);
    const InstructionId operand = parameter(operand_);
    builder_.end(copied(edit_.instruction, {&operand, 1}));
    builder_.begin(no_, 0);
    InstructionId other = parameter(operand_);
    if (!(operand_ == value_)) {
      const InstructionId zero = add(Op::Constant, Type::array(value_.element, {}), literal(value_.element, 0));
      other = add(Op::Broadcast, value_, Attributes(Attr::BroadcastDims, IntList{}), {zero});
    }
    builder_.end(other);
  }

  void loop_computations() {
    const Type state = Type::tuple({flag_, operand_});
    builder_.begin(yes_, 0);
    const InstructionId operand = element(parameter(state), operand_, 1);
    copied(edit_.instruction, {&operand, 1});
    builder_.end(add(Op::Tuple, state, {}, {add(Op::Constant, flag_, literal(ElementType::Pred, 0)), operand}));
    builder_.begin(no_, 0);
    builder_.end(element(parameter(state), flag_, 0));
  }

  /// True on some of the ranks that meet, not on all: for all inputs, or for some.
  InstructionId decision() {
    const auto [one, other] = *partners(module_, layout_, edit_.instruction);
    const bool partition = one % layout_.partitions != other % layout_.partitions;
    const Type number = Type::array(ElementType::U32, {}), real = Type::array(ElementType::F32, {});
    const InstructionId rank = add(partition ? Op::PartitionId : Op::ReplicaId, number, {});
    if (!edit_.rare) {
      const auto value = static_cast<double>(partition ? one % layout_.partitions : one / layout_.partitions);
      return add(Op::Compare, flag_, Attributes(Attr::Direction, std::string("EQ")), {rank, add(Op::Constant, number, literal(ElementType::U32, value))});
    }
    const InstructionId input = *drawn_input(module_, edit_.instruction);
    const Type& type = module_.type(input);
    std::vector<SliceDim> corner(type.dims.size());
    for (SliceDim& d : corner) d = {0, 1, 1};
    const Type first = Type::array(ElementType::F32, std::vector<std::int64_t>(type.dims.size(), 1));
    const InstructionId slice = add(Op::Slice, first, Attributes(Attr::Slice, corner), {ids_[input]});
    const InstructionId scalar = add(Op::Reshape, real, {}, {slice});
    const InstructionId sum = add(Op::Add, real, {}, {scalar, add(Op::Convert, real, {}, {rank})});
    return add(Op::Compare, flag_, Attributes(Attr::Direction, std::string("GT")), {sum, add(Op::Constant, real, literal(ElementType::F32, 1000))});
  }

  void control() {
    const InstructionId operand = ids_[module_.operands(edit_.instruction)[0]];
    const InstructionId flag = decision();
    Attributes attributes;
    if (edit_.place == Place::DeadLoop) {
      const Type state = Type::tuple({flag_, operand_});
      attributes.set(Attr::Condition, ComputationList{no_});
      attributes.set(Attr::Body, ComputationList{yes_});
      add(Op::While, state, std::move(attributes), {add(Op::Tuple, state, {}, {flag, operand})});
      return;
    }
    attributes.set(Attr::TrueComputation, ComputationList{yes_});
    attributes.set(Attr::FalseComputation, ComputationList{no_});
    const InstructionId made = add(Op::Conditional, value_, std::move(attributes), {flag, operand, operand});
    if (edit_.place == Place::UsedBranch) ids_[edit_.instruction] = made;
  }

  const Module& module_;
  RankLayout layout_;
  const ControlEdit& edit_;
  Builder builder_;
  std::vector<InstructionId> ids_;
  const Type &value_, &operand_;
  ComputationId yes_ = 0, no_ = 0;
  int names_ = 0;
};

}  // namespace

std::vector<ControlEdit> control_edits(const Module& module, RankLayout layout) {
  std::vector<ControlEdit> result;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (!partners(module, layout, id) || module.operands(id).size() != 1 || !module.type(id).is_array()) continue;
    for (const Place place : {Place::DeadBranch, Place::DeadLoop, Place::UsedBranch}) {
      if (place == Place::UsedBranch && !(module.type(id) == module.type(module.operands(id)[0]))) continue;
      result.push_back({place, false, id});
      if (drawn_input(module, id)) result.push_back({place, true, id});
    }
  }
  return result;
}

Module apply(const Module& module, RankLayout layout, const ControlEdit& edit) { return Editor(module, layout, edit).run(); }

std::string to_string(const Module& module, const ControlEdit& edit) {
  constexpr const char* kPlaces[] = {"dead-branch", "dead-loop", "used-branch"};
  return std::string(kPlaces[static_cast<std::size_t>(edit.place)]) + (edit.rare ? "-rare" : "-rank") + " at %" +
         std::string(module.name_of(edit.instruction));
}

}  // namespace gg
