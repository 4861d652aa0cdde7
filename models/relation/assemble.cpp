// Every leaf's placement becomes a body or a claim; problems of several leaves are reported together.
#include "models/relation/assemble.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/base/file.h"
#include "models/hlo/parser.h"
#include "models/ir/region.h"
#include "models/rank/digits.h"
#include "models/relation/bodies.h"

namespace gg {
namespace {

constexpr std::size_t kMaxReported = 20;

void check_rank_count(Relation& relation, const Module& distributed) {
  const std::int64_t ranks = relation.mesh.ranks();
  const auto& replicas = distributed.replica_count;
  const auto& partitions = distributed.num_partitions;
  if (replicas || partitions) {
    std::int64_t stated = 0;
    const bool overflow = __builtin_mul_overflow(replicas.value_or(1), partitions.value_or(1), &stated);
    if (overflow || stated != ranks) {
      throw InputError(DiagCode::RankCount, {relation.file},
                       "the mesh has " + std::to_string(ranks) + " ranks, the header of '" + distributed.file +
                           "' says " + std::to_string(replicas.value_or(1)) + " replicas of " +
                           std::to_string(partitions.value_or(1)) + " partitions");
    }
  }
  relation.layout = rank_layout(distributed, ranks);
  GG_CHECK(relation.layout.ranks() == ranks, "rank_layout does not give the mesh's ranks");
}

// Problems of leaves, thrown together.
class Problems {
 public:
  template <class Work>
  void collect(Work work) {
    try {
      work();
    } catch (const InputError& error) {
      for (const Diag& diag : error.diags()) {
        if (diags_.size() < kMaxReported) diags_.push_back(diag);
      }
    }
  }
  void raise() const {
    if (!diags_.empty()) throw InputError(diags_);
  }

 private:
  std::vector<Diag> diags_;
};

class Assembler {
 public:
  Assembler(Arena& arena, Relation& relation, const Module& sequential, const Module& distributed)
      : arena_(arena),
        relation_(relation),
        mesh_(arena, relation.mesh, relation.digits),
        sequential_inputs_(input_leaves(sequential)),
        distributed_inputs_(input_leaves(distributed)),
        sequential_outputs_(output_leaves(sequential)),
        distributed_outputs_(output_leaves(distributed)) {}

  void inputs() {
    match_inputs();
    for (std::size_t k = 0; k < sequential_inputs_.size(); ++k) {
      problems_.collect([&] { sequential_input(k); });
    }
    problems_.raise();
    relation_.distributed_inputs.resize(distributed_inputs_.size());
    for (std::size_t k = 0; k < sequential_inputs_.size(); ++k) {
      problems_.collect([&] { distributed_input(k); });
    }
    problems_.raise();
  }

  void outputs() {
    check_count("outputs", relation_.output_placements.size(), sequential_outputs_.size(), distributed_outputs_.size());
    for (std::size_t k = 0; k < sequential_outputs_.size(); ++k) {
      problems_.collect([&] { relation_.outputs.push_back(claim(k)); });
    }
    problems_.raise();
  }

  void next(const Module& sequential, const Module& distributed) {
    relation_.next.assign(sequential_outputs_.size(), std::nullopt);
    const bool own = !distributed.aliases.empty();
    for (const Alias& alias : own ? distributed.aliases : sequential.aliases) {
      const auto leaf = own ? sequential_leaf_of(alias.input_leaf) : std::optional(alias.input_leaf);
      if (!leaf || !in_range(*leaf, sequential_inputs_) || !in_range(alias.output_leaf, sequential_outputs_)) continue;
      const Type& given = sequential_outputs_[static_cast<std::size_t>(alias.output_leaf)].type;
      if (!(given == sequential_inputs_[static_cast<std::size_t>(*leaf)].type)) continue;  // only the buffer is reused
      relation_.next[static_cast<std::size_t>(alias.output_leaf)] = leaf;
      name_output(static_cast<std::size_t>(alias.output_leaf), sequential_inputs_[static_cast<std::size_t>(*leaf)]);
    }
  }

 private:
  /// An output that becomes an input of the next step is called after it.
  void name_output(std::size_t output, const Leaf& input) {
    if (!input.label.empty()) relation_.outputs[output].name = "next " + input.label;
  }

  Location where() const { return {relation_.file}; }

  LeafPlace place(const char* list, std::size_t k, const std::string& name) const {
    return {leaf_text(list, k, name), where()};
  }

  static bool in_range(std::int64_t leaf, const std::vector<Leaf>& leaves) {
    return leaf >= 0 && leaf < static_cast<std::int64_t>(leaves.size());
  }

  void check_count(const char* what, std::size_t given, std::size_t sequential, std::size_t distributed) const {
    if (given == sequential && sequential == distributed) return;
    throw InputError(DiagCode::LeafCount, where(),
                     "the relation places " + std::to_string(given) + " " + what + ", the sequential program has " +
                         std::to_string(sequential) + " and the distributed program " + std::to_string(distributed));
  }

  // Which distributed leaves hold each sequential one: parts by name, all others in order.
  void match_inputs() {
    const auto& placements = relation_.input_placements;
    matches_.resize(sequential_inputs_.size());
    std::vector<bool> is_part(distributed_inputs_.size(), false);
    std::size_t joined = 0;
    for (std::size_t k = 0; k < std::min(placements.size(), matches_.size()); ++k) {
      if (placements[k].kind != Placement::Kind::Parts) continue;
      ++joined;
      for (const std::string& part : placements[k].parts) {
        const std::size_t leaf = distributed_leaf(part, place("inputs", k, sequential_inputs_[k].name));
        if (is_part[leaf]) {
          throw InputError(DiagCode::BadPlacement, where(), "the distributed input '" + part + "' is a part twice");
        }
        is_part[leaf] = true;
        matches_[k].push_back(leaf);
      }
    }
    const auto parts = static_cast<std::size_t>(std::count(is_part.begin(), is_part.end(), true));
    check_count(joined == 0 ? "inputs" : "inputs in one piece", placements.size() - joined, matches_.size() - joined,
                distributed_inputs_.size() - parts);
    std::size_t leaf = 0;
    for (auto& match : matches_) {
      if (!match.empty()) continue;
      while (is_part[leaf]) ++leaf;
      match.push_back(leaf++);
    }
  }

  std::size_t distributed_leaf(const std::string& name, const LeafPlace& from) const {
    if (const auto leaf = find_leaf(distributed_inputs_, name)) return *leaf;
    throw InputError(DiagCode::BadPlacement, from.where,
                     from.text + ": the distributed program has no input '" + name + "'");
  }

  std::optional<std::int64_t> sequential_leaf_of(std::int64_t distributed) const {
    for (std::size_t k = 0; k < matches_.size(); ++k) {
      if (matches_[k].size() == 1 && static_cast<std::int64_t>(matches_[k].front()) == distributed) {
        return static_cast<std::int64_t>(k);
      }
    }
    return std::nullopt;
  }

  int add_free(const Leaf& from, Type type, std::size_t leaf) {
    type.layout.clear();
    const Range range = default_range(type.element);
    FreeInput input;
    input.name = from.shown();
    input.type = std::move(type);
    input.range = range;
    input.leaf = static_cast<int>(leaf);
    input.parameter = from.name;
    relation_.free.push_back(std::move(input));
    return static_cast<int>(relation_.free.size()) - 1;
  }

  void sequential_input(std::size_t k) {
    const Leaf& leaf = sequential_inputs_[k];
    const Placement& placement = relation_.input_placements[k];
    const LeafPlace at = place("inputs", k, leaf.shown());
    first_free_.push_back(static_cast<int>(relation_.free.size()));
    if (placement.kind == Placement::Kind::Ignored) {
      throw InputError(DiagCode::BadPlacement, at.where, at.text + ": only outputs can be ignored");
    }
    if (placement.kind == Placement::Kind::Parts) {
      relation_.sequential_inputs.push_back(joined_parts(k, placement, at));
    } else if (placement.kind == Placement::Kind::Partial) {
      std::vector<std::int64_t> leading;
      for (const int digit : mesh_.digits_of(placement.partial_axes, at.where)) {
        leading.push_back(relation_.digits.digits()[static_cast<std::size_t>(digit)].extent);
      }
      Type type = leaf.type;
      type.dims.insert(type.dims.begin(), leading.begin(), leading.end());
      const int free = add_free(leaf, type, k);
      relation_.free.back().combined_by = placement.partial_op;
      relation_.free.back().leading = leading.size();
      relation_.sequential_inputs.push_back(fold_body(arena_, placement.partial_op, free, leading, leaf.type, at));
    } else {
      relation_.sequential_inputs.push_back(plain_body(arena_, add_free(leaf, leaf.type, k), leaf.type));
    }
  }

  // The concatenation of free inputs, one a part; their global types are stored in part_types_.
  Body joined_parts(std::size_t k, const Placement& placement, const LeafPlace& at) {
    const Type& whole = sequential_inputs_[k].type;
    const auto dim = static_cast<std::size_t>(placement.concat_dim);
    if (placement.concat_dim < 0 || placement.concat_dim >= whole.rank()) {
      throw InputError(DiagCode::BadPlacement, at.where,
                       at.text + ": dimension " + std::to_string(placement.concat_dim) + " of " + to_string(whole) +
                           " does not exist");
    }
    const DimPlacement split = placement.dims.empty() ? DimPlacement{} : placement.dims[dim];
    if (split != DimPlacement{.axes = split.axes, .segments = {}}) {
      throw InputError(DiagCode::UnsupportedForm, at.where,
                       at.text + ": the dimension along which parts are joined can only be split into blocks");
    }
    const auto index = index_variables(arena_, 0, whole.dims);
    std::vector<ExprId> reads;
    std::vector<std::int64_t> ends;
    std::int64_t start = 0;
    for (const std::size_t leaf : matches_[k]) {
      const Type& local = distributed_inputs_[leaf].type;
      if (local.rank() != whole.rank()) {
        throw InputError(DiagCode::BlockMismatch, at.where,
                         at.text + ": its part '" + distributed_inputs_[leaf].name + "' is " + to_string(local) +
                             ", the sequential tensor " + to_string(whole));
      }
      Type type = whole;
      type.dims[dim] = local.dims[dim] * mesh_.extent(split.axes);
      const int free = add_free(distributed_inputs_[leaf], type, k);
      auto position = index;
      position[dim] = arena_.offset(index[dim], -start);
      reads.push_back(arena_.read(free, type.element, position));
      start += type.dims[dim];
      ends.push_back(start);
    }
    if (start != whole.dims[dim]) {
      throw InputError(DiagCode::BlockMismatch, at.where,
                       at.text + ": the parts have " + std::to_string(start) + " elements along dimension " +
                           std::to_string(dim) + ", the sequential tensor " + to_string(whole) + " has " +
                           std::to_string(whole.dims[dim]));
    }
    ExprId root = reads.back();
    for (std::size_t p = reads.size() - 1; p-- > 0;) {
      root = arena_.select(arena_.lt(index[dim], arena_.constant(ends[p])), reads[p], root);
    }
    return {whole.element, whole.dims, root};
  }

  void distributed_input(std::size_t k) {
    const Placement& placement = relation_.input_placements[k];
    const LeafPlace at = place("inputs", k, sequential_inputs_[k].shown());
    const Type& global = sequential_inputs_[k].type;
    const int free = first_free_[k];
    if (placement.kind == Placement::Kind::Hlo) {
      const Type& local = distributed_inputs_[matches_[k].front()].type;
      relation_.distributed_inputs[matches_[k].front()] =
          computed(placement, relation_.sequential_inputs, k, local, at);
      return;
    }
    std::vector<LinId> leading;
    const auto variables = relation_.digits.variables(arena_);
    for (const int digit : mesh_.digits_of(placement.partial_axes, at.where)) {
      leading.push_back(variables[static_cast<std::size_t>(digit)]);
    }
    for (std::size_t p = 0; p < matches_[k].size(); ++p) {
      const std::size_t leaf = matches_[k][p];
      const bool part = placement.kind == Placement::Kind::Parts;
      const int source = free + static_cast<int>(p);
      const Type& type = part ? relation_.free[static_cast<std::size_t>(source)].type : global;
      check_block(mesh_, placement.dims, type, distributed_inputs_[leaf].type, at);
      relation_.distributed_inputs[leaf] =
          shard_body(mesh_, placement.dims, source, leading, type, distributed_inputs_[leaf].type);
    }
  }

  // {"hlo": file}: the module takes all tensors of the list, or this leaf alone.
  Body computed(const Placement& placement, const std::vector<Body>& tensors, std::size_t k, const Type& local,
                const LeafPlace& at) {
    const Module module = load_hlo(path_beside(relation_.file, placement.hlo_file));
    const bool alone = tensors.size() != 1 && input_leaves(module).size() == 1;
    const std::span<const Body> used = alone ? std::span(tensors).subspan(k, 1) : std::span(tensors);
    return inline_module(arena_, module, relation_.digits, relation_.layout, used, local, at);
  }

  OutputClaim claim(std::size_t k) {
    const Placement& placement = relation_.output_placements[k];
    const Leaf& global = sequential_outputs_[k];
    const Type& local = distributed_outputs_[k].type;
    const LeafPlace at = place("outputs", k, global.name);
    OutputClaim result;
    if (placement.kind == Placement::Kind::Parts) {
      throw InputError(DiagCode::BadPlacement, at.where, at.text + ": only inputs can be made of parts");
    }
    if (placement.kind == Placement::Kind::Ignored) {
      result = ignored(global.type, local, static_cast<int>(k));
    } else if (placement.kind == Placement::Kind::Hlo) {
      std::vector<Body> tensors;
      for (std::size_t o = 0; o < sequential_outputs_.size(); ++o) {
        tensors.push_back(plain_body(arena_, static_cast<int>(o), sequential_outputs_[o].type));
      }
      result = ignored(global.type, local, static_cast<int>(k));
      result.kind = OutputClaim::Kind::Compared;
      result.sequential = computed(placement, tensors, k, local, at).root;
      result.compared = arena_.always();
    } else {
      check_block(mesh_, placement.dims, global.type, local, at);
      result = tiled_claim(mesh_, placement, static_cast<int>(k), global.type, local, at);
    }
    result.name = global.name;
    return result;
  }

  OutputClaim ignored(const Type& global, const Type& local, int leaf) {
    OutputClaim claim;
    claim.kind = OutputClaim::Kind::Ignored;
    auto index = relation_.digits.variables(arena_);
    claim.extents = lifted_extents(relation_.digits, local.dims);
    const auto inner = index_variables(arena_, relation_.digits.count(), local.dims);
    index.insert(index.end(), inner.begin(), inner.end());
    claim.distributed = arena_.read(leaf, local.element, index);
    claim.sequential = arena_.unknown(global.element);
    claim.compared = arena_.never();
    return claim;
  }

  Arena& arena_;
  Relation& relation_;
  MeshForms mesh_;
  std::vector<Leaf> sequential_inputs_, distributed_inputs_, sequential_outputs_, distributed_outputs_;
  std::vector<std::vector<std::size_t>> matches_;  // distributed leaves of each sequential input
  std::vector<int> first_free_;                    // of each sequential input
  Problems problems_;
};

}  // namespace

std::string leaf_text(const char* list, std::size_t index, const std::string& name) {
  return std::string(list) + "[" + std::to_string(index) + "] '" + name + "'";
}

void assemble(Arena& arena, Relation& relation, const Module& sequential, const Module& distributed) {
  check_rank_count(relation, distributed);
  relation.digits = rank_digits(distributed, relation.mesh, relation.layout);
  Assembler assembler(arena, relation, sequential, distributed);
  assembler.inputs();
  assembler.outputs();
  assembler.next(sequential, distributed);
}

}  // namespace gg
