// What the relation says about sizes: a sharded dimension is ranks times its shard, segments are borders on both sides.
#include <algorithm>

#include "models/base/check.h"
#include "runtime/shapes/collect.h"

namespace gg {
namespace {

struct LeafPosition {
  InstructionId id;
  std::size_t leaf;
};

std::vector<LeafPosition> leaves_of(const ProgramSizes& program, std::span<const InstructionId> values) {
  std::vector<LeafPosition> leaves;
  for (const InstructionId id : values) {
    for (std::size_t k = 0; k < program.leaves(id); ++k) leaves.push_back({id, k});
  }
  return leaves;
}

class RelationSizes {
 public:
  RelationSizes(Constraints& constraints, const Mesh& mesh) : all_(constraints), mesh_(mesh) {}

  void leaf(const LeafPosition& s, const LeafPosition& d, const Placement& placement) {
    const ProgramSizes &sequential = all_.programs[0], &distributed = all_.programs[1];
    const auto& extents = sequential.type(s.id, s.leaf).dims;
    const bool dimwise = placement.kind == Placement::Kind::Tiled || placement.kind == Placement::Kind::Partial;
    for (std::size_t k = 0; k < extents.size(); ++k) {
      const SizeVar global = sequential.dim(s.id, s.leaf, k);
      if (!dimwise || k >= distributed.type(d.id, d.leaf).dims.size()) {
        keep(global);
        continue;
      }
      const SizeVar local = distributed.dim(d.id, d.leaf, k);
      dimension(global, local, k < placement.dims.size() ? placement.dims[k] : DimPlacement{});
    }
    if (!dimwise) {
      const std::size_t rank = distributed.type(d.id, d.leaf).dims.size();
      for (std::size_t k = 0; k < rank; ++k) keep(distributed.dim(d.id, d.leaf, k));
    }
    all_.kinds.tie(sequential.kind(s.id, s.leaf), distributed.kind(d.id, d.leaf));
  }

  void keep_leaf(const ProgramSizes& program, const LeafPosition& leaf) {
    for (std::size_t k = 0; k < program.type(leaf.id, leaf.leaf).dims.size(); ++k) {
      keep(program.dim(leaf.id, leaf.leaf, k));
    }
  }

 private:
  void keep(SizeVar v) { all_.sizes.keep(v, "a placement that does not scale", {}); }

  std::int64_t ranks_of(const DimPlacement& dim) const {
    std::int64_t ranks = 1;
    for (const std::string& name : dim.axes) {
      for (const MeshAxis& axis : mesh_.axes) ranks *= axis.name == name ? axis.size : 1;
    }
    return ranks;
  }

  /// The ranks of the axes, and what each of them holds.
  std::vector<SizeFactor> shards(const DimPlacement& dim, SizeVar local) const {
    std::vector<SizeFactor> factors;
    for (const std::string& name : dim.axes) {
      const auto axis = all_.axes.find(name);
      if (axis == all_.axes.end()) return {{kNoSize, ranks_of(dim)}, {local, 1}};
      for (const SizeVar ranks : axis->second) factors.push_back({ranks, 1});
    }
    factors.push_back({local, 1});
    return factors;
  }

  void dimension(SizeVar global, SizeVar local, const DimPlacement& dim) {
    SizeSystem& sizes = all_.sizes;
    const std::int64_t ranks = ranks_of(dim), whole = sizes.size(global), part = sizes.size(local);
    const bool plain = !dim.chunk && dim.pad == 0 && dim.stride == 0 && dim.interleave == 0;
    const bool even = std::all_of(dim.segments.begin(), dim.segments.end(), [&](auto n) { return n % ranks == 0; });
    if (!plain || whole != ranks * part || !even) {
      keep(global);
      keep(local);
    } else if (dim.segments.empty()) {
      sizes.factor(global, shards(dim, local), {});
    } else {
      std::int64_t start = 0;
      for (const std::int64_t n : dim.segments) {
        const SizeVar mine = sizes.add(n), shard = sizes.add(n / ranks);
        sizes.span(global, start, start + n, mine, {});
        sizes.span(local, start / ranks, (start + n) / ranks, shard, {});
        sizes.factor(mine, shards(dim, shard), {});
        start += n;
      }
    }
  }

  Constraints& all_;
  const Mesh& mesh_;
};

void side_by_side(Constraints& constraints, RelationSizes& relation, const std::vector<LeafPosition>& sequential,
                  const std::vector<LeafPosition>& distributed, const std::vector<Placement>& placements) {
  const bool matched = sequential.size() == distributed.size() && placements.size() == sequential.size();
  if (matched) {
    for (std::size_t k = 0; k < placements.size(); ++k) relation.leaf(sequential[k], distributed[k], placements[k]);
    return;
  }
  for (const LeafPosition& leaf : sequential) relation.keep_leaf(constraints.programs[0], leaf);
  for (const LeafPosition& leaf : distributed) relation.keep_leaf(constraints.programs[1], leaf);
}

}  // namespace

void collect_relation(Constraints& constraints, const Case& c) {
  RelationSizes relation(constraints, c.relation.mesh);
  const Module &sequential = *c.sequential, &distributed = *c.distributed;
  const auto parameters = [](const ProgramSizes& p) {
    return leaves_of(p, p.module().computation(p.module().entry()).parameters);
  };
  const auto results = [](const ProgramSizes& p) {
    const InstructionId root[] = {p.module().computation(p.module().entry()).root};
    return leaves_of(p, root);
  };
  GG_CHECK(&sequential == &constraints.programs[0].module() && &distributed == &constraints.programs[1].module(),
           "constraints of another case");
  side_by_side(constraints, relation, parameters(constraints.programs[0]), parameters(constraints.programs[1]),
               c.relation.input_placements);
  side_by_side(constraints, relation, results(constraints.programs[0]), results(constraints.programs[1]),
               c.relation.output_placements);
  // An output that becomes an input of the next step has its extents.
  const ProgramSizes& p = constraints.programs[0];
  const auto inputs = parameters(p), outputs = results(p);
  for (std::size_t k = 0; k < std::min(c.relation.next.size(), outputs.size()); ++k) {
    if (!c.relation.next[k]) continue;
    const LeafPosition from = outputs[k], to = inputs.at(static_cast<std::size_t>(*c.relation.next[k]));
    const std::size_t rank = p.type(from.id, from.leaf).dims.size();
    for (std::size_t d = 0; d < rank; ++d) {
      constraints.sizes.equal(p.dim(from.id, from.leaf, d), p.dim(to.id, to.leaf, d), {});
    }
  }
}

}  // namespace gg
