// Type rules of calls, loops, branches and tuples. They check what the operands say; models/ir/verify compares the
// signatures of the called computations.
#include "models/base/check.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

Type stated_type(const Call& call) {
  GG_CHECK(call.result != nullptr, name_of(call) + " needs the printed type");
  return *call.result;
}

Type call_type(const Call& call) { return stated_type(call); }

Type token_type(const Call& call) {
  for (const Type* operand : call.operands) {
    if (operand->element != ElementType::Token) refuse_operand("after-all takes tokens, not " + to_string(*operand));
  }
  return Type::token();
}

Type conditional_type(const Call& call) {
  const Type& index = *call.operands[0];
  const bool indexed = call.attributes->has(Attr::Branches);
  const bool pair = call.attributes->has(Attr::TrueComputation) && call.attributes->has(Attr::FalseComputation);
  if (indexed == pair ||
      (indexed && (call.attributes->has(Attr::TrueComputation) || call.attributes->has(Attr::FalseComputation)))) {
    refuse(DiagCode::MissingAttribute,
           "conditional needs either branch_computations or both true_computation and false_computation");
  }
  const std::size_t branches = pair ? 2 : call.attributes->computations(Attr::Branches).size();
  const bool by_pred = index == Type::array(ElementType::Pred, {});
  const bool by_number = index == Type::array(ElementType::S32, {});
  if (!(by_pred && branches == 2) && !(by_number && indexed && branches >= 1)) {
    refuse_operand("conditional: " + to_string(index) + " does not choose among " + std::to_string(branches) +
                   " branches");
  }
  if (call.operands.size() != branches + 1) {
    refuse_operand("conditional: " + std::to_string(call.operands.size() - 1) + " operands for " +
                   std::to_string(branches) + " branches");
  }
  return stated_type(call);
}

Type get_tuple_element_type(const Call& call) {
  const Type& operand = *call.operands[0];
  const std::int64_t index = call.attributes->integer(Attr::Index);
  if (!operand.is_tuple()) refuse_operand("get-tuple-element of " + to_string(operand) + ", which is no tuple");
  if (index < 0 || index >= static_cast<std::int64_t>(operand.elements.size())) {
    refuse_attribute("get-tuple-element: index=" + std::to_string(index) + " of a tuple with " +
                     std::to_string(operand.elements.size()) + " elements");
  }
  return operand.elements[static_cast<std::size_t>(index)];
}

Type tuple_type(const Call& call) {
  std::vector<Type> elements;
  for (const Type* operand : call.operands) elements.push_back(*operand);
  return Type::tuple(std::move(elements));
}

Type while_type(const Call& call) { return *call.operands[0]; }

}  // namespace gg
