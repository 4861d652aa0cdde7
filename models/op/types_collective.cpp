// Type rules of collectives. Where the program's ranks are known (Call::layout), the groups are checked completely;
// a module without counts in its header and without written groups leaves the group size to the printed result.
#include "models/op/groups.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// Does the call know the program's ranks?
bool layout_known(const Call& call) { return call.layout.replicas > 1 || call.layout.partitions > 1; }

/// Members of each group, if groups or layout say it.
std::optional<std::int64_t> group_size(const Call& call) {
  if (layout_known(call)) {
    const auto groups = rank_groups(call.op, *call.attributes, call.layout);
    return static_cast<std::int64_t>(groups.front().size());
  }
  const ReplicaGroups& written = call.attributes->groups();
  const bool times_partitions = call.op != Op::AllToAll && call.attributes->flag(Attr::HasChannel) &&
                                !call.attributes->flag(Attr::UseGlobalDeviceIds);
  if (written.everyone || written.groups.empty() || times_partitions) return std::nullopt;
  const std::size_t size = written.groups.front().size();
  for (const auto& group : written.groups) {
    if (group.size() != size || size == 0) {
      refuse(DiagCode::BadGroups, name_of(call) + ": replica groups of " + std::to_string(size) + " and of " +
                                      std::to_string(group.size()) + " members");
    }
  }
  return static_cast<std::int64_t>(size);
}

std::size_t only_dimension(const Call& call, int rank) {
  const IntList& dims = call.attributes->ints(Attr::BroadcastDims);
  if (dims.size() != 1) refuse_attribute(name_of(call) + ": dimensions=" + list(dims) + " must be one dimension");
  need_dimension(call, dims[0], rank, "dimensions");
  return static_cast<std::size_t>(dims[0]);
}

/// Array leaf k of the printed result, of the right rank.
const Type& stated_leaf(const Call& call, std::size_t k) {
  const Type whole = stated_type(call);
  const std::size_t leaves = whole.is_tuple() ? whole.elements.size() : 1;
  if (leaves != call.operands.size() || whole.is_tuple() != (call.operands.size() > 1)) {
    refuse(DiagCode::TypeMismatch,
           name_of(call) + ": " + std::to_string(call.operands.size()) + " operands do not give " + to_string(whole));
  }
  const Type& leaf = whole.is_tuple() ? call.result->elements[k] : *call.result;
  if (leaf.rank() != call.operands[k]->rank()) {
    refuse(DiagCode::TypeMismatch,
           name_of(call) + " of " + to_string(*call.operands[k]) + " does not give " + to_string(leaf));
  }
  return leaf;
}

/// The group size that the printed result implies: `larger` is a positive multiple of `smaller`.
std::int64_t implied_size(const Call& call, std::int64_t smaller, std::int64_t larger) {
  if (smaller == 0 && larger == 0) return 1;
  if (smaller <= 0 || larger % smaller != 0 || larger < smaller) {
    refuse(DiagCode::TypeMismatch, name_of(call) + ": extents " + std::to_string(smaller) + " and " +
                                       std::to_string(larger) + " are no multiples of each other");
  }
  return larger / smaller;
}

void need_valid_groups(const Call& call) {
  if (layout_known(call)) rank_groups(call.op, *call.attributes, call.layout);
}

void need_divisible(const std::string& name, const Type& operand, std::size_t d, std::int64_t size) {
  if (operand.dims[d] % size == 0) return;
  refuse_operand(name + ": dimension " + std::to_string(d) + " of " + to_string(operand) + " is not divisible by the " + std::to_string(size) + " members of a group");
}

/// The operands with their one dimension `resized(operand, d, members of a group)`; without groups, what the stated type implies by
/// `implied(operand's extent, stated extent)`.
template <class Implied, class Resized>
Type along_dimension(const Call& call, Implied implied, Resized resized) {
  const std::size_t d = only_dimension(call, array_operand(call, 0).rank());
  std::optional<std::int64_t> size = group_size(call);
  std::vector<Type> types;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const Type& operand = array_operand(call, k);
    need_dimension(call, static_cast<std::int64_t>(d), operand.rank(), "dimensions");
    if (!size) size = implied(operand.dims[d], stated_leaf(call, k).dims[d]);
    std::vector<std::int64_t> dims = operand.dims;
    dims[d] = resized(operand, d, *size);
    types.push_back(array_type(call, operand.element, std::move(dims)));
  }
  return one_or_tuple(std::move(types));
}

}  // namespace

Type all_gather_type(const Call& call) {
  return along_dimension(
      call, [&](std::int64_t part, std::int64_t whole) { return implied_size(call, part, whole); },
      [&](const Type& operand, std::size_t d, std::int64_t size) { return checked_multiply(call, operand.dims[d], size); });
}

Type all_reduce_type(const Call& call) {
  need_valid_groups(call);
  std::vector<Type> types;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const Type& operand = array_operand(call, k);
    types.push_back(Type::array(operand.element, operand.dims));
  }
  return one_or_tuple(std::move(types));
}

Type collective_broadcast_type(const Call& call) {
  need_valid_groups(call);
  const Type& operand = array_operand(call, 0);
  return Type::array(operand.element, operand.dims);
}

Type reduce_scatter_type(const Call& call) {
  return along_dimension(
      call, [&](std::int64_t whole, std::int64_t part) { return implied_size(call, part, whole); },
      [&](const Type& operand, std::size_t d, std::int64_t size) {
        need_divisible("reduce-scatter", operand, d, size);
        return operand.dims[d] / size;
      });
}

Type all_to_all_type(const Call& call) {
  const std::optional<std::int64_t> size = group_size(call);
  const Type& first = array_operand(call, 0);
  if (call.attributes->has(Attr::BroadcastDims)) {
    if (call.operands.size() != 1) {
      refuse_operand("all-to-all: with dimensions it takes one operand, not " + std::to_string(call.operands.size()));
    }
    const std::size_t d = only_dimension(call, first.rank());
    if (size) need_divisible("all-to-all", first, d, *size);
    return Type::array(first.element, first.dims);
  }
  need_same(call, 0, call.operands.size() - 1, true);
  if (size && *size != static_cast<std::int64_t>(call.operands.size())) {
    refuse_operand("all-to-all: " + std::to_string(call.operands.size()) + " operands for groups of " +
                   std::to_string(*size) + " members");
  }
  return Type::tuple(std::vector<Type>(call.operands.size(), Type::array(first.element, first.dims)));
}

}  // namespace gg
