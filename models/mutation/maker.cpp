// Instructions that a patch adds (models/mutation/maker.h).
#include "models/mutation/maker.h"

#include <cmath>

namespace gg::mutation {
Ref Maker::add(Op op, const Type& type, std::vector<Ref> operands, Attributes attributes, std::optional<Reducer> reducer) {
  const bool channel = info(op).traits == OpTraits::Collective && by_partition();
  return patch_.add({op, type, std::move(attributes), std::move(operands), reducer, channel});
}

Type Maker::type(Ref value) const {
  const Type& type = value.added ? patch_.added[value.id].type : module_.type(value.id);
  return Type::array(type.element, type.dims);
}

Ref Maker::constant(ConstantArray values) {
  const Type type = values.type;
  return add(Op::Constant, type, {}, Attributes(Attr::Literal, std::move(values)));
}

Ref Maker::full(Scalar number, const IntList& dims) {
  const Ref scalar = constant({Type::array(number.type, {}), {number}});
  return dims.empty() ? scalar : broadcast(scalar, dims, {});
}

Ref Maker::count(ElementType element, std::int64_t extent) {
  return add(Op::Iota, Type::array(element, {extent}), {}, Attributes(Attr::IotaDimension, std::int64_t{0}));
}

Ref Maker::apply(Op op, std::vector<Ref> operands) {
  const Type result = type(operands.back());
  return add(op, result, std::move(operands));
}

Ref Maker::sum(Ref a, Ref b) { return apply(Op::Add, {a, b}); }
Ref Maker::difference(Ref a, Ref b) { return apply(Op::Subtract, {a, b}); }
Ref Maker::product(Ref a, Ref b) { return apply(Op::Multiply, {a, b}); }
Ref Maker::exponential(Ref a) { return apply(Op::Exponential, {a}); }
Ref Maker::both(Ref a, Ref b) { return apply(Op::And, {a, b}); }
Ref Maker::select(Ref mask, Ref a, Ref b) { return apply(Op::Select, {mask, a, b}); }

Ref Maker::compare(Ref a, Ref b, const char* direction) {
  return add(Op::Compare, Type::array(ElementType::Pred, type(a).dims), {a, b}, Attributes(Attr::Direction, std::string(direction)));
}

Ref Maker::convert(Ref value, ElementType element) { return add(Op::Convert, Type::array(element, type(value).dims), {value}); }

Ref Maker::scaled(Ref value, double factor) {
  const Type result = type(value);
  const bool divide = factor < 1 && factor > 0;  // by a whole number, exactly
  const double number = divide ? std::round(1 / factor) : factor;
  return apply(divide ? Op::Divide : Op::Multiply, {value, full(Scalar::of(result.element, round_to(result.element, number)), result.dims)});
}

Ref Maker::reshape(Ref value, IntList dims) { return add(Op::Reshape, Type::array(type(value).element, std::move(dims)), {value}); }

Ref Maker::broadcast(Ref value, const IntList& dims, const IntList& at) {
  return add(Op::Broadcast, Type::array(type(value).element, dims), {value}, Attributes(Attr::BroadcastDims, at));
}

Ref Maker::transpose(Ref value, const IntList& order) {
  const Type from = type(value);
  Type result = Type::array(from.element, {});
  for (const std::int64_t d : order) result.dims.push_back(from.dims[static_cast<std::size_t>(d)]);
  return add(Op::Transpose, result, {value}, Attributes(Attr::BroadcastDims, order));
}

Ref Maker::concatenate(const std::vector<Ref>& parts, std::size_t dim) {
  Type result = type(parts.front());
  for (std::size_t k = 1; k < parts.size(); ++k) result.dims[dim] += type(parts[k]).dims[dim];
  return add(Op::Concatenate, result, parts, Attributes(Attr::BroadcastDims, IntList{static_cast<std::int64_t>(dim)}));
}

Ref Maker::slice(Ref value, std::size_t dim, std::int64_t start, std::int64_t limit) {
  Type result = type(value);
  std::vector<SliceDim> dims;
  for (const std::int64_t extent : result.dims) dims.push_back({0, extent, 1});
  dims[dim] = {start, limit, 1};
  result.dims[dim] = limit - start;
  return add(Op::Slice, result, {value}, Attributes(Attr::Slice, std::move(dims)));
}

Ref Maker::part(Ref value, const IntList& dims, const std::vector<Ref>& begins) {
  std::vector<Ref> operands = {value};
  operands.insert(operands.end(), begins.begin(), begins.end());
  return add(Op::DynamicSlice, Type::array(type(value).element, dims), std::move(operands), Attributes(Attr::DynamicSliceSizes, dims));
}

Ref Maker::element(Ref tuple, std::size_t index, const Type& type) {
  return add(Op::GetTupleElement, Type::array(type.element, type.dims), {tuple}, Attributes(Attr::Index, static_cast<std::int64_t>(index)));
}

Ref Maker::all_reduce(Ref value, const RankGroups& groups, Op reducer) {
  const Type result = type(value);
  return add(Op::AllReduce, result, {value}, group_attributes(groups, layout_), Reducer{reducer, result.element});
}

Ref Maker::all_gather(Ref value, const RankGroups& groups, std::size_t dim) {
  Type result = type(value);
  result.dims[dim] *= static_cast<std::int64_t>(groups.front().size());
  Attributes attributes = group_attributes(groups, layout_);
  attributes.set(Attr::BroadcastDims, IntList{static_cast<std::int64_t>(dim)});
  return add(kGather, result, {value}, std::move(attributes));
}

Ref Maker::permute(Ref value, PairList pairs) {
  Attributes attributes(Attr::SourceTargetPairs, std::move(pairs));
  if (by_partition()) attributes.set(Attr::HasChannel, true);
  return add(Op::CollectivePermute, type(value), {value}, std::move(attributes));
}

Ref Maker::rank() { return add(by_partition() ? Op::PartitionId : Op::ReplicaId, Type::array(ElementType::U32, {}), {}); }

Ref Maker::table(const std::vector<std::int64_t>& entries, const IntList& dims, ElementType element) {
  ConstantArray values{Type::array(element, dims), {}};
  for (const std::int64_t entry : entries) values.values.push_back(Scalar::whole(element, entry));
  return constant(std::move(values));
}

Ref Maker::entry(Ref table, const std::vector<Ref>& at) { return reshape(part(table, IntList(at.size(), 1), at), {}); }

Ref Maker::by_rank(const std::vector<std::int64_t>& entries, ElementType element) {
  const Ref rows = table(entries, {static_cast<std::int64_t>(entries.size())}, element);
  return entry(rows, {rank()});
}

Ref Maker::by_round(const std::vector<std::int64_t>& entries, Ref round, ElementType element) {
  const auto ranks = static_cast<std::int64_t>(layout_.ranks());
  const Ref rows = table(entries, {static_cast<std::int64_t>(entries.size()) / ranks, ranks}, element);
  return entry(rows, {round, convert(rank(), type(round).element)});
}

Ref Maker::position(const RankGroups& groups, ElementType element, std::int64_t step) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(layout_.ranks()), 0);
  for (const auto& group : groups) {
    for (std::size_t k = 0; k < group.size(); ++k) positions[static_cast<std::size_t>(group[k])] = static_cast<std::int64_t>(k);
  }
  const Ref at = by_rank(positions, element);
  return step == 1 ? at : product(at, whole(element, step));
}

Attributes group_attributes(const RankGroups& groups, RankLayout layout) {
  ReplicaGroups list;
  list.groups = groups;
  Attributes attributes(Attr::ReplicaGroups, std::move(list));
  if (layout.partitions > 1) {
    attributes.set(Attr::UseGlobalDeviceIds, true);
    attributes.set(Attr::HasChannel, true);
  }
  return attributes;
}

}  // namespace gg::mutation
