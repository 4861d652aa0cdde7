#include "models/ir/structure.h"

#include "models/base/check.h"
#include "models/type/type.h"

namespace gg {
namespace {

ComputationId only(const Module& module, InstructionId id, Attr attr) {
  const ComputationList& list = module.attributes(id).computations(attr);
  GG_CHECK(list.size() == 1, "%" + std::string(module.name_of(id)) + " has one such computation");
  return list[0];
}

}  // namespace

Structure structure_of(Op op) {
  switch (op) {
    case Op::Parameter: return Structure::Parameter;
    case Op::AfterAll: return Structure::Token;
    case Op::Tuple:
    case Op::OptimizationBarrier: return Structure::Join;
    case Op::GetTupleElement: return Structure::Element;
    case Op::Call:
    case Op::Fusion: return Structure::Call;
    case Op::While: return Structure::Loop;
    case Op::Conditional: return Structure::Branches;
    default: return Structure::None;
  }
}

std::vector<OperandLeaf> handed_leaves(const Module& module, InstructionId id) {
  std::vector<OperandLeaf> leaves;
  const auto operands = module.operands(id);
  const bool one = structure_of(module, id) == Structure::Element;
  const std::size_t first = one ? first_leaf(module.type(operands[0]), module.attributes(id).integer(Attr::Index)) : 0;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const std::size_t count = array_leaves(one ? module.type(id) : module.type(operands[k]));
    for (std::size_t leaf = 0; leaf < count; ++leaf) leaves.push_back({k, operands[k], first + leaf});
  }
  return leaves;
}

InstructionId add_parameter(Builder& builder, std::size_t number, const Type& type, std::string_view name) {
  return builder.add({Op::Parameter, builder.intern(type), builder.intern(Attributes(Attr::Parameter, static_cast<std::int64_t>(number))), 0, 0, builder.intern(name), 0, 0}, {});
}

InstructionId add_tuple(Builder& builder, const std::vector<InstructionId>& parts, std::vector<Type> types, std::string_view name) {
  return builder.add({Op::Tuple, builder.intern(Type::tuple(std::move(types))), builder.intern(Attributes()), 0, 0, builder.intern(name), 0, 0}, parts);
}

ComputationId callee_of(const Module& module, InstructionId call) {
  return only(module, call, module.attributes(call).has(Attr::Calls) ? Attr::Calls : Attr::ToApply);
}

ComputationId condition_of(const Module& module, InstructionId loop) { return only(module, loop, Attr::Condition); }
ComputationId body_of(const Module& module, InstructionId loop) { return only(module, loop, Attr::Body); }

}  // namespace gg
