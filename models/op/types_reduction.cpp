// Type rules of reduce, reduce-window, sort and topk. Signatures of to_apply are checked by models/ir/verify.
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// Operands are n arrays of equal dimensions and their n scalar initial values; returns n.
std::size_t arrays_and_initial_values(const Call& call) {
  if (call.operands.size() % 2 != 0) {
    refuse_operand(name_of(call) + " takes as many initial values as arrays, but has " +
                   std::to_string(call.operands.size()) + " operands");
  }
  const std::size_t n = call.operands.size() / 2;
  need_same(call, 0, n - 1, false);
  for (std::size_t k = 0; k < n; ++k) {
    const Type& initial = array_operand(call, n + k);
    if (initial.rank() != 0 || initial.element != call.operands[k]->element) {
      refuse_operand(name_of(call) + ": the initial value " + to_string(initial) + " is no scalar of the type of " +
                     to_string(*call.operands[k]));
    }
  }
  return n;
}

Type results(const Call& call, std::size_t n, const std::vector<std::int64_t>& dims) {
  std::vector<Type> types;
  for (std::size_t k = 0; k < n; ++k) types.push_back(array_type(call, call.operands[k]->element, dims));
  return one_or_tuple(std::move(types));
}

}  // namespace

Type reduce_type(const Call& call) {
  const std::size_t n = arrays_and_initial_values(call);
  const IntList& dims = call.attributes->ints(Attr::BroadcastDims);
  need_dimensions(call, dims, call.operands[0]->rank(), "dimensions");
  return results(call, n, without(call.operands[0]->dims, dims));
}

Type reduce_window_type(const Call& call) {
  const std::size_t n = arrays_and_initial_values(call);
  const Type& first = *call.operands[0];
  const std::vector<WindowDim>& window = call.attributes->window();
  if (window.size() != first.dims.size()) {
    refuse_attribute("reduce-window: the window has " + std::to_string(window.size()) + " dimensions, the operand is " +
                     to_string(first));
  }
  std::vector<std::int64_t> dims;
  for (std::size_t k = 0; k < window.size(); ++k) {
    if (window[k].reversal) refuse_attribute("reduce-window: a window of a reduction cannot be reversed");
    dims.push_back(window_places(call, window[k], first.dims[k]));
  }
  return results(call, n, dims);
}

Type sort_type(const Call& call) {
  need_same(call, 0, call.operands.size() - 1, false);
  const IntList& dims = call.attributes->ints(Attr::BroadcastDims);
  if (dims.size() != 1) refuse_attribute("sort: dimensions=" + list(dims) + " must be one dimension");
  need_dimension(call, dims[0], call.operands[0]->rank(), "dimensions");
  std::vector<Type> types;
  for (const Type* operand : call.operands) types.push_back(Type::array(operand->element, operand->dims));
  return one_or_tuple(std::move(types));
}

Type topk_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const std::int64_t k = call.attributes->integer(Attr::K);
  if (operand.rank() == 0 || k < 0 || k > operand.dims.back()) {
    refuse_attribute("topk: there are no " + std::to_string(k) + " elements in the last dimension of " +
                     to_string(operand));
  }
  std::vector<std::int64_t> dims = operand.dims;
  dims.back() = k;
  return Type::tuple({Type::array(operand.element, dims), Type::array(ElementType::S32, dims)});
}

}  // namespace gg
