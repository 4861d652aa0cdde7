// Type rules of sources and layout operators.
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

Type same_type(const Call& call) {
  if (info(call.op).traits != OpTraits::Structure) array_operand(call, 0);
  return *call.operands[0];
}

Type constant_type(const Call& call) {
  if (!call.attributes->has(Attr::Literal)) return stated_array(call);
  const ConstantArray& literal = call.attributes->literal();
  const Type type = array_type(call, literal.type.element, literal.type.dims);
  if (static_cast<std::int64_t>(literal.values.size()) != type.count()) {
    refuse(DiagCode::TypeMismatch,
           "constant: " + std::to_string(literal.values.size()) + " values for " + to_string(type));
  }
  return type;
}

Type iota_type(const Call& call) {
  const Type& result = stated_array(call);
  need_dimension(call, call.attributes->integer(Attr::IotaDimension), result.rank(), "iota_dimension");
  if (result.element == ElementType::Pred)
    refuse(DiagCode::TypeMismatch, "iota has no meaning for elements of type pred");
  return Type::array(result.element, result.dims);
}

Type rank_id_type(const Call&) { return Type::array(ElementType::U32, {}); }

Type bitcast_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& result = stated_array(call);
  if (operand.element != result.element) {
    refuse_form("bitcast: a change of the element type from " + to_string(operand) + " to " + to_string(result) +
                " is not supported");
  }
  return reshape_type(call);
}

Type bitcast_convert_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& result = stated_array(call);
  const std::int64_t from = info(operand.element).bits, to = info(result.element).bits;
  if (operand.element == ElementType::Pred || result.element == ElementType::Pred) {
    refuse_operand("bitcast-convert: elements of type pred have no bits");
  }
  std::vector<std::int64_t> dims = operand.dims;
  if (from > to) {
    dims.push_back(from / to);
  } else if (from < to) {
    if (dims.empty() || dims.back() != to / from) {
      refuse_operand("bitcast-convert: " + std::to_string(to / from) + " elements of " + to_string(operand) +
                     " along its last dimension would form one of " + std::string(info(result.element).name));
    }
    dims.pop_back();
  }
  return Type::array(result.element, std::move(dims));
}

Type broadcast_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& result = stated_array(call);
  const IntList& dims = call.attributes->ints(Attr::BroadcastDims);
  if (static_cast<int>(dims.size()) != operand.rank()) {
    refuse_attribute("broadcast: dimensions=" + list(dims) + " must have one entry for each dimension of " +
                     to_string(operand));
  }
  need_dimensions(call, dims, result.rank(), "dimensions");
  for (std::size_t k = 0; k < dims.size(); ++k) {
    const std::int64_t wanted = result.dims[static_cast<std::size_t>(dims[k])];
    if (operand.dims[k] != wanted) {
      refuse(DiagCode::TypeMismatch, "broadcast: dimension " + std::to_string(k) + " of extent " +
                                         std::to_string(operand.dims[k]) + " becomes dimension " +
                                         std::to_string(dims[k]) + " of extent " + std::to_string(wanted));
    }
  }
  return Type::array(operand.element, result.dims);
}

Type concatenate_type(const Call& call) {
  const Type& first = array_operand(call, 0);
  const IntList& dims = call.attributes->ints(Attr::BroadcastDims);
  if (dims.size() != 1) refuse_attribute("concatenate: dimensions=" + list(dims) + " must be one dimension");
  need_dimension(call, dims[0], first.rank(), "dimensions");
  const auto d = static_cast<std::size_t>(dims[0]);
  std::vector<std::int64_t> result = first.dims;
  for (std::size_t k = 1; k < call.operands.size(); ++k) {
    const Type& operand = array_operand(call, k);
    std::vector<std::int64_t> others = operand.dims;
    if (others.size() == result.size()) others[d] = first.dims[d];
    if (operand.element != first.element || others != first.dims) {
      refuse_operand("concatenate: operand " + std::to_string(k) + " is " + to_string(operand) +
                     ", which differs from " + to_string(first) + " outside dimension " + std::to_string(d));
    }
    result[d] = checked_add(call, result[d], operand.dims[d]);
  }
  return array_type(call, first.element, std::move(result));
}

Type pad_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& value = array_operand(call, 1);
  if (value.rank() != 0 || value.element != operand.element) {
    refuse_operand("pad: the padding value is " + to_string(value) + ", not a scalar of type " +
                   std::string(info(operand.element).name));
  }
  const std::vector<PadDim>& padding = call.attributes->padding();
  if (padding.size() != operand.dims.size()) {
    refuse_attribute("pad: the padding has " + std::to_string(padding.size()) + " dimensions, the operand " +
                     std::to_string(operand.rank()));
  }
  std::vector<std::int64_t> dims;
  for (std::size_t k = 0; k < padding.size(); ++k) {
    const PadDim& pad = padding[k];
    if (pad.interior < 0)
      refuse_attribute("pad: the interior padding " + std::to_string(pad.interior) + " is negative");
    need_bounded(call, pad.low, "the padding");
    need_bounded(call, pad.high, "the padding");
    need_bounded(call, pad.interior, "the padding");
    const std::int64_t inside = dilated(call, operand.dims[k], pad.interior + 1);
    need_bounded(call, inside, "the padded extent");
    dims.push_back(inside + pad.low + pad.high);
  }
  return array_type(call, operand.element, std::move(dims));
}

Type reshape_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& result = stated_array(call);
  if (operand.element != result.element || operand.count() != result.count()) {
    refuse(DiagCode::TypeMismatch,
           name_of(call) + " keeps element type and count: from " + to_string(operand) + " to " + to_string(result));
  }
  return Type::array(operand.element, result.dims);
}

Type reverse_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  need_dimensions(call, call.attributes->ints(Attr::BroadcastDims), operand.rank(), "dimensions");
  return Type::array(operand.element, operand.dims);
}

Type slice_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const std::vector<SliceDim>& slice = call.attributes->slice();
  if (slice.size() != operand.dims.size()) {
    refuse_attribute("slice: " + std::to_string(slice.size()) + " ranges for the " + std::to_string(operand.rank()) +
                     " dimensions of " + to_string(operand));
  }
  std::vector<std::int64_t> dims;
  for (std::size_t k = 0; k < slice.size(); ++k) {
    const SliceDim& s = slice[k];
    if (s.start < 0 || s.start > s.limit || s.limit > operand.dims[k] || s.stride < 1) {
      refuse_attribute("slice: [" + std::to_string(s.start) + ":" + std::to_string(s.limit) + ":" +
                       std::to_string(s.stride) + "] is no range of dimension " + std::to_string(k) + " of extent " +
                       std::to_string(operand.dims[k]));
    }
    const std::int64_t length = s.limit - s.start;
    dims.push_back(length / s.stride + (length % s.stride != 0 ? 1 : 0));
  }
  return array_type(call, operand.element, std::move(dims));
}

Type transpose_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const IntList& dims = call.attributes->ints(Attr::BroadcastDims);
  if (static_cast<int>(dims.size()) != operand.rank()) {
    refuse_attribute("transpose: dimensions=" + list(dims) + " is no permutation of the dimensions of " +
                     to_string(operand));
  }
  need_dimensions(call, dims, operand.rank(), "dimensions");
  std::vector<std::int64_t> result;
  for (const std::int64_t d : dims) result.push_back(operand.dims[static_cast<std::size_t>(d)]);
  return Type::array(operand.element, std::move(result));
}

}  // namespace gg
