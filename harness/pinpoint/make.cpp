// Instructions that repairs insert (harness/pinpoint/make.h).
#include "harness/pinpoint/make.h"

namespace gg::pinpoint {
namespace {

Ref with(Patch& patch, Op op, const Type& type, std::vector<Ref> operands, Attributes attributes = {}) {
  return patch.add({op, plain(type), std::move(attributes), std::move(operands), std::nullopt, false});
}

}  // namespace

Type plain(const Type& type) { return Type::array(type.element, type.dims); }

Ref constant(Patch& patch, ConstantArray values) {
  Attributes literal;
  const Type type = values.type;
  literal.set(Attr::Literal, std::move(values));
  return with(patch, Op::Constant, type, {}, std::move(literal));
}

Ref select(Patch& patch, const Type& type, Ref mask, Ref a, Ref b) { return with(patch, Op::Select, type, {mask, a, b}); }

Ref compare(Patch& patch, Ref a, Ref b, const IntList& dims, const char* direction) {
  Attributes attributes;
  attributes.set(Attr::Direction, std::string(direction));
  return with(patch, Op::Compare, Type::array(ElementType::Pred, dims), {a, b}, std::move(attributes));
}

Ref reshape(Patch& patch, Ref value, const Type& type) { return with(patch, Op::Reshape, type, {value}); }

Ref convert(Patch& patch, Ref value, const Type& type) { return with(patch, Op::Convert, type, {value}); }

Ref transpose(Patch& patch, Ref value, const Type& type, const IntList& order) {
  Attributes attributes;
  attributes.set(Attr::BroadcastDims, order);
  return with(patch, Op::Transpose, type, {value}, std::move(attributes));
}

Ref product(Patch& patch, const Type& type, Ref a, Ref b) { return with(patch, Op::Multiply, type, {a, b}); }

Ref sum(Patch& patch, const Type& type, Ref a, Ref b) { return with(patch, Op::Add, type, {a, b}); }

Ref all_gather(const Context& context, Patch& patch, Ref value, const Type& type, const AxisSet& axes, std::size_t dim) {
  Attributes attributes = context.collective_attributes(axes.groups);
  attributes.set(Attr::BroadcastDims, IntList{static_cast<std::int64_t>(dim)});
  return patch.add({Op::AllGather, plain(type), std::move(attributes), {value}, std::nullopt, context.by_partition()});
}

Ref own_begin(const Context& context, Patch& patch, const AxisSet& axes, ElementType element, std::int64_t block) {
  const Type scalar = Type::array(element, {});
  const Ref at = context.coordinate(patch, axes, element);
  return block == 1 ? at : product(patch, scalar, at, context.spread(patch, Scalar::of_int(element, block), scalar));
}

Ref part_at(Patch& patch, Ref value, const Type& type, const std::vector<Ref>& begins) {
  Attributes sizes;
  sizes.set(Attr::DynamicSliceSizes, type.dims);
  std::vector<Ref> operands = {value};
  operands.insert(operands.end(), begins.begin(), begins.end());
  return with(patch, Op::DynamicSlice, type, std::move(operands), std::move(sizes));
}

}  // namespace gg::pinpoint
