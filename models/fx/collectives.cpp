// Functional collectives: _c10d_functional, as graphs have them after functionalisation.
#include <algorithm>
#include <numeric>

#include "models/fx/formula.h"
#include "models/fx/reduction_names.h"

namespace gg::fx {
namespace {

using GroupList = std::vector<std::vector<std::int64_t>>;

GroupList groups_of(Operation& call, std::size_t k) { return call.groups.find(call.names(k), call.statement.where); }

std::int64_t size_of(Operation& call, const GroupList& groups) {
  for (const auto& group : groups) {
    if (group.size() != groups[0].size()) call.refuse("its groups have different sizes");
  }
  return static_cast<std::int64_t>(groups[0].size());
}

Attributes over(const GroupList& groups, bool global = true) {
  Attributes attributes(Attr::ReplicaGroups, ReplicaGroups{groups, false, ""});
  attributes.set(Attr::HasChannel, true);
  if (global) attributes.set(Attr::UseGlobalDeviceIds, true);
  return attributes;
}

const Reduction& reduction_of(Operation& call, std::size_t k, ElementType type) {
  const std::string name = call.text(k);
  for (const Reduction& row : kReductions) {
    if (row.name != name) continue;
    if (row.mean && !is_float(type)) call.refuse("the mean of integers");
    if (type == ElementType::Pred && row.op != Op::And && row.op != Op::Or) call.refuse("'" + name + "' of Booleans");
    return row;
  }
  call.refuse("the reduction '" + name + "'");
}

NodeId mean_of(Operation& call, NodeId sum, const Reduction& how, std::int64_t size) {
  return how.mean ? call.e.binary(Op::Divide, sum, call.e.integer(call.e.element(sum), size)) : sum;
}

/// Vectors for those collectives that work along dimension 0.
NodeId at_least_vector(Operation& call, NodeId x) { return call.e.dims(x).empty() ? call.e.reshape(x, {1}) : x; }

NodeId reduced_over(Operation& call, NodeId x, std::size_t op, std::size_t group) {
  const GroupList groups = groups_of(call, group);
  const Reduction& how = reduction_of(call, op, call.e.element(x));
  const bool equal = std::all_of(groups.begin(), groups.end(), [&](const auto& g) { return g.size() == groups[0].size(); });
  if (how.mean && !equal) call.refuse("a mean over groups of different sizes");
  if (call.groups.ranks == 1) return x;
  Attributes attributes = over(groups);
  call.e.apply(attributes, how.op, call.e.element(x));
  return mean_of(call, call.e.add(Op::AllReduce, {x}, std::move(attributes)), how, static_cast<std::int64_t>(groups[0].size()));
}

Value all_reduce(Operation& call) { return done(reduced_over(call, call.tensor(0), 1, 2)); }

void need_size(Operation& call, std::size_t k, std::int64_t size) {
  if (call.integer(k) != size) call.refuse("its group has " + std::to_string(size) + " ranks, the call says " + std::to_string(call.integer(k)));
}

NodeId of_group(Operation& call, NodeId x, std::size_t size, std::size_t group) {
  const GroupList groups = groups_of(call, group);
  need_size(call, size, size_of(call, groups));
  x = at_least_vector(call, x);
  if (call.groups.ranks == 1) return x;
  Attributes attributes = over(groups);
  attributes.set(Attr::BroadcastDims, IntList{0});
  std::vector<std::int64_t> dims = call.e.dims(x);
  dims[0] *= size_of(call, groups);
  return call.e.add(Op::AllGather, {x}, std::move(attributes), Type::array(call.e.element(x), dims));
}

Value all_gather(Operation& call) { return done(of_group(call, call.tensor(0), 1, 2)); }

NodeId scattered(Operation& call, NodeId x, std::size_t op, std::size_t size, std::size_t group) {
  const GroupList groups = groups_of(call, group);
  const std::int64_t n = size_of(call, groups);
  need_size(call, size, n);
  const Reduction& how = reduction_of(call, op, call.e.element(x));
  if (call.e.dims(x).empty() || call.e.dims(x)[0] % n != 0) call.refuse("dimension 0 is not divisible by the " + std::to_string(n) + " ranks of its group");
  if (call.groups.ranks == 1) return x;
  Attributes attributes = over(groups);
  attributes.set(Attr::BroadcastDims, IntList{0});
  call.e.apply(attributes, how.op, call.e.element(x));
  std::vector<std::int64_t> dims = call.e.dims(x);
  dims[0] /= n;
  return mean_of(call, call.e.add(Op::ReduceScatter, {x}, std::move(attributes), Type::array(call.e.element(x), dims)), how, n);
}

Value reduce_scatter(Operation& call) { return done(scattered(call, call.tensor(0), 1, 2, 3)); }

/// How many rows each rank sends to (or gets from) each seat of its group.
std::vector<std::vector<std::int64_t>> splits_of(Operation& call, std::size_t k, std::int64_t n) {
  const auto& items = call.raw(k).items;
  if (call.raw(k).kind != Argument::Kind::List || static_cast<std::int64_t>(items.size()) != n) {
    call.refuse("it lists " + std::to_string(items.size()) + " splits, its group has " + std::to_string(n) + " ranks");
  }
  std::vector<std::vector<std::int64_t>> result(static_cast<std::size_t>(call.groups.ranks));
  for (std::size_t r = 0; r < result.size(); ++r) {
    for (const Argument& item : items) {
      const Argument& own = item.kind == Argument::Kind::Table ? item.items[r] : item;
      if (own.kind != Argument::Kind::Integer || own.integer < 0) call.refuse("a split that is no number");
      result[r].push_back(own.integer);
    }
  }
  return result;
}

/// Where each of the pieces of each rank starts.
std::vector<double> starts_of(const std::vector<std::vector<std::int64_t>>& splits, std::size_t piece) {
  std::vector<double> starts;
  for (const auto& own : splits) {
    std::int64_t start = 0;
    for (std::size_t k = 0; k < piece; ++k) start += own[k];
    starts.push_back(static_cast<double>(start));
  }
  return starts;
}

NodeId exchanged(Operation& call, NodeId x, const GroupList& groups) {
  Attributes attributes = over(groups, false);
  attributes.set(Attr::BroadcastDims, IntList{0});
  return call.e.add(Op::AllToAll, {x}, std::move(attributes));
}

/// Pieces of different sizes are exchanged as pieces of the largest; each is put where it belongs over what the piece before left behind it.
NodeId uneven(Operation& call, NodeId x, const GroupList& groups, const std::vector<std::vector<std::int64_t>>& sent, const std::vector<std::vector<std::int64_t>>& got) {
  Emitter& e = call.e;
  std::int64_t most = 0;
  for (const auto& group : groups) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = 0; j < group.size(); ++j) {
        const auto from = static_cast<std::size_t>(group[i]), to = static_cast<std::size_t>(group[j]);
        if (sent[from][j] != got[to][i]) {
          call.refuse("rank " + std::to_string(from) + " sends " + std::to_string(sent[from][j]) + " rows to rank " + std::to_string(to) + ", which expects " + std::to_string(got[to][i]));
        }
        most = std::max(most, sent[from][j]);
      }
    }
  }
  if (most == 0) return x;
  const NodeId nothing = e.number(e.element(x), 0);
  const std::size_t n = groups[0].size();
  const NodeId padded = e.pad(x, nothing, 0, 0, most);
  std::vector<NodeId> pieces;
  for (std::size_t k = 0; k < n; ++k) pieces.push_back(e.dynamic_slice(padded, 0, e.by_rank(ElementType::S64, starts_of(sent, k)), most));
  const NodeId moved = exchanged(call, e.concatenate(pieces, 0), groups);
  std::vector<std::int64_t> dims = e.dims(x);
  const std::int64_t rows = std::accumulate(got[0].begin(), got[0].end(), std::int64_t{0});
  dims[0] = rows + most;
  NodeId result = e.full(dims, nothing);
  for (std::size_t k = 0; k < n; ++k) {
    const auto start = static_cast<std::int64_t>(k) * most;
    result = e.dynamic_update(result, e.slice(moved, 0, start, start + most), 0, e.by_rank(ElementType::S64, starts_of(got, k)));
  }
  return e.slice(result, 0, 0, rows);
}

Value all_to_all(Operation& call) {
  const NodeId x = call.tensor(0);
  const GroupList groups = groups_of(call, 3);
  const std::int64_t n = size_of(call, groups);
  if (call.e.dims(x).empty()) call.refuse("of a scalar");
  const auto got = splits_of(call, 1, n), sent = splits_of(call, 2, n);
  bool even = true;
  for (const auto* splits : {&got, &sent}) {
    for (const auto& own : *splits) {
      const std::int64_t rows = std::accumulate(own.begin(), own.end(), std::int64_t{0});
      if (splits == &got && call.out().dims[0] != rows) call.refuse("its splits say " + std::to_string(rows) + " rows, its result has " + std::to_string(call.out().dims[0]));
      if (splits == &sent && rows != call.e.dims(x)[0]) call.refuse("its splits say " + std::to_string(rows) + " rows, the tensor has " + std::to_string(call.e.dims(x)[0]));
      for (const std::int64_t size : own) even = even && size * n == call.e.dims(x)[0];
    }
  }
  if (call.groups.ranks == 1) return done(x);
  return done(even ? exchanged(call, x, groups) : uneven(call, x, groups, sent, got));
}

/// `src` counts within the group; the operator table sends from the first of a group.
Value broadcast(Operation& call) {
  GroupList groups = groups_of(call, 2);
  const std::int64_t n = size_of(call, groups), source = call.integer(1);
  if (source < 0 || source >= n) call.refuse("source " + std::to_string(source) + " of a group of " + std::to_string(n));
  if (call.groups.ranks == 1) return done(call.tensor(0));
  for (auto& group : groups) std::swap(group[0], group[static_cast<std::size_t>(source)]);
  return done(call.e.add(Op::CollectiveBroadcast, {call.tensor(0)}, over(groups, false)));
}

Value wait(Operation& call) {
  if (!call.is_tensor(0)) return {};
  return done(call.tensor(0));
}

template <NodeId (*kOne)(Operation&, NodeId)>
Value coalesced(Operation& call) {
  std::vector<Value> items;
  for (const NodeId x : call.tensors(0)) items.push_back(done(kOne(call, x)));
  return Value::tuple(std::move(items));
}

NodeId reduce_one(Operation& call, NodeId x) { return reduced_over(call, x, 1, 2); }
NodeId gather_one(Operation& call, NodeId x) { return of_group(call, x, 1, 2); }
NodeId scatter_one(Operation& call, NodeId x) { return scattered(call, x, 1, 2, 3); }

/// DTensor's exchange of sharded dimensions: split along shard_dim, joined along gather_dim.
Value shard_dim_alltoall(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const GroupList groups = groups_of(call, 3);
  const std::int64_t n = size_of(call, groups);
  const std::int64_t gather = call.dim(1, e.dims(x).size()), shard = call.dim(2, e.dims(x).size());
  std::vector<std::int64_t> dims = e.dims(x);
  const std::int64_t piece = dims[static_cast<std::size_t>(shard)] / n;
  if (piece * n != dims[static_cast<std::size_t>(shard)] || gather == shard) call.refuse("uneven splits");
  if (call.groups.ranks == 1) return done(x);
  std::vector<NodeId> parts;  // [n, piece]: the exchange goes along a new dimension in front
  for (std::int64_t k = 0; k < n; ++k) parts.push_back(e.slice(x, shard, k * piece, (k + 1) * piece));
  dims[static_cast<std::size_t>(shard)] = piece;
  std::vector<std::int64_t> stacked = dims;
  stacked.insert(stacked.begin(), 1);
  for (NodeId& part : parts) part = e.reshape(part, stacked);
  const NodeId moved = exchanged(call, e.concatenate(parts, 0), groups);
  std::vector<NodeId> received;
  for (std::int64_t k = 0; k < n; ++k) received.push_back(e.reshape(e.slice(moved, 0, k, k + 1), dims));
  return done(e.concatenate(received, gather));
}

constexpr Overload kCollectiveRows[] = {
    {"_c10d_functional.all_gather_into_tensor.default", "input, group_size, group_name", all_gather},
    {"_c10d_functional.all_gather_into_tensor_coalesced.default", "inputs, group_size, group_name", coalesced<gather_one>},
    {"_c10d_functional.all_reduce.default", "input, reduce_op, group_name", all_reduce},
    {"_c10d_functional.all_reduce_coalesced.default", "inputs, reduce_op, group_name", coalesced<reduce_one>},
    {"_c10d_functional.all_to_all_single.default", "input, output_split_sizes, input_split_sizes, group_name", all_to_all},
    {"_c10d_functional.broadcast.default", "input, src, group_name", broadcast},
    {"_c10d_functional.reduce_scatter_tensor.default", "input, reduce_op, group_size, group_name", reduce_scatter},
    {"_c10d_functional.reduce_scatter_tensor_coalesced.default", "inputs, reduce_op, group_size, group_name", coalesced<scatter_one>},
    {"_c10d_functional.wait_tensor.default", "tensor", wait},
    {"_dtensor.shard_dim_alltoall.default", "input, gather_dim, shard_dim, group_name", shard_dim_alltoall},
};

}  // namespace

std::span<const Overload> collective_rows() { return kCollectiveRows; }

}  // namespace gg::fx
