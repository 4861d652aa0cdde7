// Nodes with inferred types; constants are made once.
#include "models/fx/emitter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gg::fx {
namespace {

Attributes dimensions(std::vector<std::int64_t> dims) { return {Attr::BroadcastDims, std::move(dims)}; }

/// The unit of a monoid.
Scalar unit_of(Op monoid, ElementType type) {
  if (monoid == Op::Add || monoid == Op::Or) return Scalar::whole(type, 0);
  if (monoid == Op::Multiply || monoid == Op::And) return Scalar::whole(type, 1);
  const bool least = monoid == Op::Maximum;
  if (is_float(type)) return Scalar::of(type, least ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity());
  if (!is_signed(type)) return Scalar::of_int(type, least ? 0 : wrap_to(type, -1));
  const std::int64_t low = std::numeric_limits<std::int64_t>::min() >> (64 - info(type).bits);
  return Scalar::of_int(type, least ? low : -(low + 1));
}

}  // namespace

NodeId Emitter::begin(Site site) {
  sites_.push_back(std::move(site));
  constants_.clear();  // each statement has its own, so that an edit of one is an edit of that statement
  tables_.clear();
  scalars_.clear();
  return static_cast<NodeId>(nodes_.size());
}

void Emitter::label(NodeId node, const std::string& name, NodeId first) {
  if (node >= first && nodes_[node].name.empty() && nodes_[node].op != Op::Parameter) nodes_[node].name = name;
}

NodeId Emitter::add(Op op, std::vector<NodeId> operands, Attributes attributes, Type stated) {
  check_size(stated);
  Call call{op, &attributes, {}, &stated, {}, nullptr, {}};
  for (const NodeId operand : operands) call.operands.push_back(&nodes_[operand].type);
  Type type;
  try {
    type = infer_type(call);
  } catch (const TypeError& error) {
    fail(error.code, error.message);
  }
  check_size(type);
  nodes_.push_back({op, std::move(type), std::move(attributes), std::move(operands), static_cast<std::uint32_t>(sites_.size() - 1), "", -1});
  return static_cast<NodeId>(nodes_.size() - 1);
}

void Emitter::fail(DiagCode code, const std::string& problem) const {
  const Site& site = sites_.back();
  throw InputError(code, site.where, "'" + site.name + "'" + (site.operation.empty() ? "" : " (" + site.operation + ")") + ": " + problem);
}

void Emitter::check_size(const Type& made) const {
  std::int64_t count = 1;
  for (const std::int64_t extent : made.dims) {
    if (extent < 0 || (extent > 0 && count > kMaxElements / extent)) fail(DiagCode::SizeOverflow, "a tensor of more than 2^48 elements, or with a negative extent");
    count *= std::max<std::int64_t>(extent, 1);
  }
}

NodeId Emitter::parameter(const std::string& name, const Type& type) {
  parameters_.push_back(add(Op::Parameter, {}, {Attr::Parameter, static_cast<std::int64_t>(parameters_.size())}, type));
  nodes_.back().name = name;
  return parameters_.back();
}

NodeId Emitter::constant(ConstantArray value) {
  const Type type = value.type;
  std::string key = to_string(type);
  for (const Scalar& scalar : value.values) key += " " + std::to_string(scalar.integer) + "/" + std::to_string(std::hash<double>()(scalar.real)) + (std::signbit(scalar.real) ? "-" : "");
  const auto found = constants_.find(key);
  if (found != constants_.end()) return found->second;
  return constants_[key] = add(Op::Constant, {}, {Attr::Literal, std::move(value)}, type);
}

NodeId Emitter::number(ElementType type, double value) {
  if (!is_float(type)) {
    if (!(std::abs(value) < 0x1p62) || value != std::floor(value)) fail(DiagCode::BadNumber, "the number " + std::to_string(value) + " as an integer");
    return integer(type, static_cast<std::int64_t>(value));
  }
  return constant({Type::array(type, {}), {Scalar::of(type, round_to(type, value))}});
}

NodeId Emitter::integer(ElementType type, std::int64_t value) {
  if (is_float(type)) return number(type, static_cast<double>(value));
  return constant({Type::array(type, {}), {Scalar::of_int(type, wrap_to(type, value))}});
}

NodeId Emitter::by_rank(ElementType type, const std::vector<double>& values) {
  const auto known = tables_.find({type, values});
  return known != tables_.end() ? known->second : tables_[{type, values}] = new_table(type, values);
}

NodeId Emitter::new_table(ElementType type, const std::vector<double>& values) {
  const double step = values.size() > 1 ? values[1] - values[0] : 0;
  bool affine = !is_float(type);
  for (std::size_t r = 0; r < values.size(); ++r) affine = affine && values[r] == values[0] + step * static_cast<double>(r);
  if (step == 0 && affine) return number(type, values[0]);
  const NodeId rank = add(Op::PartitionId, {}, {}, Type::array(ElementType::U32, {}));
  if (affine) {
    const NodeId scaled = binary(Op::Multiply, convert(rank, type), number(type, step));
    return values[0] == 0 ? scaled : binary(Op::Add, scaled, number(type, values[0]));
  }
  ConstantArray table{Type::array(type, {static_cast<std::int64_t>(values.size())}), {}};
  for (const double value : values) {
    table.values.push_back(is_float(type) ? Scalar::of(type, round_to(type, value)) : Scalar::of_int(type, static_cast<std::int64_t>(value)));
  }
  return row_of(rank, std::move(table));
}

NodeId Emitter::row_of(NodeId rank, ConstantArray table) {
  std::vector<std::int64_t> dims(table.type.dims.begin() + 1, table.type.dims.end());
  return reshape(dynamic_slice(constant(std::move(table)), 0, convert(rank, ElementType::S32), 1), std::move(dims));
}

NodeId Emitter::known(std::vector<std::int64_t> dims, const std::vector<std::vector<std::int64_t>>& by_rank) {
  const bool one = std::all_of(by_rank.begin(), by_rank.end(), [&](const auto& elements) { return elements == by_rank.front(); });
  if (!one) dims.insert(dims.begin(), static_cast<std::int64_t>(by_rank.size()));
  ConstantArray table{Type::array(ElementType::S64, std::move(dims)), {}};
  for (std::size_t r = 0; r < (one ? 1 : by_rank.size()); ++r) {
    for (const std::int64_t value : by_rank[r]) table.values.push_back(Scalar::of_int(ElementType::S64, value));
  }
  return one ? constant(std::move(table)) : row_of(add(Op::PartitionId, {}, {}, Type::array(ElementType::U32, {})), std::move(table));
}

NodeId Emitter::iota(ElementType type, std::vector<std::int64_t> dims, std::int64_t dim) {
  return add(Op::Iota, {}, {Attr::IotaDimension, dim}, Type::array(type, std::move(dims)));
}

NodeId Emitter::unknown(const Type& type) {
  if (!is_float(type.element)) {
    throw InputError(DiagCode::UnsupportedForm, sites_.back().where,
                     "'" + sites_.back().name + "' reads " + to_string(type) + " from memory that was not written: only floats have a value for that");
  }
  return full(type.dims, number(type.element, std::numeric_limits<double>::quiet_NaN()));
}

NodeId Emitter::full(std::vector<std::int64_t> dims, NodeId scalar) { return broadcast(scalar, std::move(dims), {}); }

NodeId Emitter::reshape(NodeId x, std::vector<std::int64_t> dims) {
  if (dims == type(x).dims) return x;
  return add(Op::Reshape, {x}, {}, Type::array(element(x), std::move(dims)));
}

NodeId Emitter::transpose(NodeId x, std::vector<std::int64_t> permutation) {
  std::vector<std::int64_t> sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  bool each = sorted.size() == dims(x).size();
  for (std::size_t k = 0; k < sorted.size(); ++k) each = each && sorted[k] == static_cast<std::int64_t>(k);
  if (!each) fail(DiagCode::BadOperand, "its dimensions are no permutation of those of " + to_string(type(x)));
  if (sorted == permutation) return x;
  return add(Op::Transpose, {x}, dimensions(std::move(permutation)));
}

NodeId Emitter::broadcast(NodeId x, std::vector<std::int64_t> dims, std::vector<std::int64_t> map) {
  if (dims == type(x).dims) return x;
  const Type stated = Type::array(element(x), std::move(dims));
  const bool scalar = type(x).dims.empty();
  const auto known = scalars_.find({x, stated.dims});
  if (scalar && known != scalars_.end()) return known->second;
  const NodeId made = add(Op::Broadcast, {x}, dimensions(std::move(map)), stated);
  if (scalar) scalars_[{x, stated.dims}] = made;
  return made;
}

NodeId Emitter::expand(NodeId x, std::vector<std::int64_t> wanted) {
  const std::vector<std::int64_t> have = type(x).dims;
  if (have == wanted) return x;
  std::vector<std::int64_t> map, kept;
  const std::size_t lead = wanted.size() - std::min(have.size(), wanted.size());
  bool fits = have.size() <= wanted.size();
  for (std::size_t d = 0; fits && d < have.size(); ++d) {
    fits = have[d] == wanted[lead + d] || have[d] == 1;
    if (have[d] != wanted[lead + d]) continue;
    map.push_back(static_cast<std::int64_t>(lead + d));
    kept.push_back(have[d]);
  }
  if (!fits) {
    fail(DiagCode::BadOperand, to_string(type(x)) + " does not broadcast to " + to_string(Type::array(element(x), wanted)));
  }
  return broadcast(reshape(x, kept), wanted, map);
}

NodeId Emitter::slice(NodeId x, std::int64_t dim, std::int64_t start, std::int64_t limit, std::int64_t step) {
  std::vector<SliceDim> bounds;
  for (const std::int64_t extent : dims(x)) bounds.push_back({0, extent, 1});
  if (start == 0 && limit == bounds[at(dim)].limit && step == 1) return x;
  bounds[at(dim)] = {start, limit, step};
  return add(Op::Slice, {x}, {Attr::Slice, std::move(bounds)});
}

NodeId Emitter::reverse(NodeId x, std::vector<std::int64_t> dims) {
  return add(Op::Reverse, {x}, dimensions(std::move(dims)));
}

NodeId Emitter::concatenate(std::vector<NodeId> parts, std::int64_t dim) {
  return parts.size() == 1 ? parts[0] : add(Op::Concatenate, std::move(parts), dimensions({dim}));
}

NodeId Emitter::dynamic_slice(NodeId x, std::int64_t dim, NodeId start, std::int64_t size) {
  std::vector<NodeId> operands{x};
  std::vector<std::int64_t> sizes = dims(x);
  const NodeId zero = integer(element(start), 0);
  if (op(x) == Op::DynamicUpdateSlice) {  // what was written there
    const NodeId update = nodes_[x].operands[1];
    std::vector<std::int64_t> wanted = sizes;
    wanted[at(dim)] = size;
    bool same = dims(update) == wanted;
    for (std::size_t d = 0; d < wanted.size(); ++d) same = same && equal(nodes_[x].operands[d + 2], d == at(dim) ? start : zero);
    if (same) return update;
  }
  for (std::size_t d = 0; d < sizes.size(); ++d) operands.push_back(d == at(dim) ? start : zero);
  sizes[at(dim)] = size;
  return add(Op::DynamicSlice, std::move(operands), {Attr::DynamicSliceSizes, std::move(sizes)});
}

NodeId Emitter::dynamic_update(NodeId x, NodeId update, std::int64_t dim, NodeId start) {
  std::vector<NodeId> operands{x, update};
  const NodeId zero = integer(element(start), 0);
  for (std::size_t d = 0; d < dims(x).size(); ++d) operands.push_back(d == at(dim) ? start : zero);
  return add(Op::DynamicUpdateSlice, std::move(operands));
}

NodeId Emitter::pad(NodeId x, NodeId value, std::int64_t dim, std::int64_t low, std::int64_t high, std::int64_t interior) {
  std::vector<PadDim> padding(dims(x).size());
  padding[at(dim)] = {low, high, interior};
  return add(Op::Pad, {x, value}, {Attr::Padding, std::move(padding)});
}

NodeId Emitter::convert(NodeId x, ElementType to) {
  if (element(x) == to) return x;
  if (to == ElementType::Pred) return compare("NE", x, integer(element(x), 0));
  const auto converted = [&](NodeId value, ElementType type) { return add(Op::Convert, {value}, {}, Type::array(type, dims(x))); };
  if (!is_float(element(x)) || !is_integral(to) || to == ElementType::U64) return converted(x, to);
  // Beyond the range C++ does not say; torch has on x86 the least integer of 32 bits (of 64 for wider types), of which narrow ones take the low bits.
  const ElementType whole = info(to).bits < 32 || to == ElementType::S32 ? ElementType::S32 : ElementType::S64;
  const double limit = std::ldexp(1.0, info(whole).bits - 1);
  const NodeId inside = select(compare("LT", x, number(element(x), limit)), converted(x, whole), integer(whole, whole == ElementType::S32 ? INT32_MIN : INT64_MIN));
  return whole == to ? inside : converted(inside, to);
}

NodeId Emitter::scalar_operand(NodeId x, const std::vector<std::int64_t>& wanted) {
  return dims(x).empty() && !wanted.empty() ? full(wanted, x) : x;
}

NodeId Emitter::binary(Op op, NodeId a, NodeId b) {
  const std::vector<std::int64_t> shape = dims(dims(a).empty() ? b : a);
  const NodeId left = scalar_operand(a, shape);
  return add(op, {left, scalar_operand(b, shape)});
}

bool Emitter::equal(NodeId a, NodeId b, int depth) const {
  if (a == b) return true;
  const Node &x = nodes_[a], &y = nodes_[b];
  if (depth == 0 || x.op != y.op || x.op == Op::Parameter || x.op == Op::CustomCall || !(x.type == y.type) || !(x.attributes == y.attributes)) return false;
  bool same = x.operands.size() == y.operands.size();
  for (std::size_t k = 0; same && k < x.operands.size(); ++k) same = equal(x.operands[k], y.operands[k], depth - 1);
  return same;
}

bool Emitter::is_constant(NodeId x) const {
  const Node& node = nodes_[x];
  return node.op == Op::Constant || ((node.op == Op::Broadcast || node.op == Op::Reshape) && is_constant(node.operands[0]));
}

std::optional<Emitter::Choice> Emitter::choice_of(NodeId x) {
  const Node node = nodes_[x];
  if (node.op == Op::Select && (is_constant(node.operands[1]) || is_constant(node.operands[2]))) return Choice{node.operands[0], node.operands[1], node.operands[2]};
  if (node.op != Op::Reshape && node.op != Op::Broadcast && node.op != Op::Convert && node.op != Op::Transpose) return std::nullopt;
  const auto inner = choice_of(node.operands[0]);
  if (!inner) return std::nullopt;
  const auto same = [&](NodeId part) {
    if (node.op == Op::Convert && element(part) == ElementType::Pred) return part;
    return add(node.op, {part}, node.attributes, Type::array(node.op == Op::Convert ? node.type.element : element(part), node.type.dims));
  };
  const NodeId condition = same(inner->condition), first = same(inner->first);
  return Choice{condition, first, same(inner->second)};
}

NodeId Emitter::compare(const char* direction, NodeId a, NodeId b) {
  const std::vector<std::int64_t> shape = dims(dims(a).empty() ? b : a);
  const NodeId left = scalar_operand(a, shape);
  return add(Op::Compare, {left, scalar_operand(b, shape)}, {Attr::Direction, std::string(direction)});
}

NodeId Emitter::select(NodeId condition, NodeId a, NodeId b) {
  const std::vector<std::int64_t> shape = dims(condition).empty() ? dims(dims(a).empty() ? b : a) : dims(condition);
  const NodeId c = scalar_operand(condition, shape), x = chosen(c, 1, scalar_operand(a, shape));
  return add(Op::Select, {c, x, chosen(c, 2, scalar_operand(b, shape))});
}

NodeId Emitter::flat_of(NodeId x) const {
  while (nodes_[x].op == Op::Reshape || nodes_[x].op == Op::Copy) x = nodes_[x].operands[0];
  return x;
}

bool Emitter::same_elements(NodeId a, NodeId b) const {
  a = flat_of(a), b = flat_of(b);
  const Node &x = nodes_[a], &y = nodes_[b];
  if (a == b || x.op != Op::Broadcast || y.op != Op::Broadcast) return equal(a, b);
  const bool alike = x.type == y.type && x.attributes == y.attributes && dims(x.operands[0]) == dims(y.operands[0]);
  return alike && same_elements(x.operands[0], y.operands[0]);
}

NodeId Emitter::chosen(NodeId condition, std::size_t branch, NodeId x) {
  const NodeId inner = flat_of(x);
  if (op(inner) != Op::Select || !same_elements(nodes_[inner].operands[0], condition)) return x;
  return reshape(nodes_[inner].operands[branch], dims(x));
}

NodeId Emitter::reduce(Op monoid, NodeId x, std::vector<std::int64_t> over) {
  if (over.empty()) return x;
  std::sort(over.begin(), over.end());
  Attributes attributes = dimensions(std::move(over));
  apply(attributes, monoid, element(x));
  return add(Op::Reduce, {x, unit(monoid, element(x))}, std::move(attributes));
}

NodeId Emitter::unit(Op monoid, ElementType type) { return constant({Type::array(type, {}), {unit_of(monoid, type)}}); }

NodeId Emitter::running(Op monoid, NodeId x, std::int64_t dim) {
  std::vector<WindowDim> window(dims(x).size());
  window[at(dim)].size = dims(x)[at(dim)];
  window[at(dim)].pad_low = dims(x)[at(dim)] - 1;
  Attributes attributes(Attr::Window, std::move(window));
  apply(attributes, monoid, element(x));
  return add(Op::ReduceWindow, {x, unit(monoid, element(x))}, std::move(attributes));
}

NodeId Emitter::matmul(NodeId a, NodeId b) {
  if (dims(a).size() < 2 || dims(a).size() != dims(b).size()) fail(DiagCode::BadOperand, "a matrix product of " + to_string(type(a)) + " and " + to_string(type(b)));
  std::vector<std::int64_t> batch, result = dims(a);
  const auto last = static_cast<std::int64_t>(result.size()) - 1;
  for (std::int64_t d = 0; d + 1 < last; ++d) batch.push_back(d);
  Attributes attributes;
  if (!batch.empty()) attributes.set(Attr::LhsBatchDims, batch);
  if (!batch.empty()) attributes.set(Attr::RhsBatchDims, batch);
  attributes.set(Attr::LhsContractingDims, IntList{last});
  attributes.set(Attr::RhsContractingDims, IntList{last - 1});
  result.back() = dims(b).back();
  return add(Op::Dot, {a, b}, std::move(attributes), Type::array(element(a), std::move(result)));
}

void Emitter::apply(Attributes& attributes, Op monoid, ElementType type) {
  const auto key = std::pair(monoid, type);
  auto& regions = shared_->regions;
  if (regions.count(key) == 0) {
    regions[key] = shared_->builder.reserve((monoid == Op::Parameter ? "second" : std::string(info(monoid).name)) + "." + std::string(info(type).name));
  }
  attributes.set(Attr::ToApply, ComputationList{regions[key]});
}

Emitter& Emitter::part(const std::string& name) {
  parts_.push_back(std::unique_ptr<Emitter>(new Emitter(shared_, shared_->builder.reserve(fresh(name)), sites_.back())));
  return *parts_.back();
}

Emitter Emitter::apart() const {
  Emitter result(sites_.back().where.file, shared_->sequential);
  result.begin(sites_.back());
  return result;
}

std::vector<NodeId> Emitter::items(NodeId tuple) {
  std::vector<NodeId> result;
  for (std::size_t k = 0; k < type(tuple).elements.size(); ++k) result.push_back(add(Op::GetTupleElement, {tuple}, {Attr::Index, static_cast<std::int64_t>(k)}));
  return result;
}

NodeId Emitter::transfer(Transfer::Kind kind, std::vector<NodeId> operands, Type type, PairList pairs, std::int64_t channel) {
  if (id_ != kNone) fail(DiagCode::UnsupportedForm, "a send or a receive in a nested graph");
  nodes_.push_back({Op::CustomCall, std::move(type), {Attr::CustomCallTarget, std::string("point-to-point")}, std::move(operands), static_cast<std::uint32_t>(sites_.size() - 1), "", static_cast<int>(transfers_.size())});
  transfers_.push_back({kind, 0, channel, std::move(pairs)});
  return static_cast<NodeId>(nodes_.size() - 1);
}

}  // namespace gg::fx
