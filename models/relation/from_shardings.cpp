// A relation from the shardings of a module before partitioning: the mesh is the coarsest one in which every tile list
// is a split over axes.
#include <algorithm>

#include "models/relation/assemble.h"
#include "models/relation/relation.h"

namespace gg {
namespace {

// The shardings of a value's array leaves; an empty optional where none is printed.
using LeafShardings = std::vector<std::optional<Sharding>>;

void collect(const Sharding& sharding, LeafShardings& leaves) {
  if (sharding.kind != ShardingKind::Tuple) {
    leaves.emplace_back(sharding);
    return;
  }
  for (const Sharding& element : sharding.elements) collect(element, leaves);
}

void leaves_of(const Module& module, InstructionId id, LeafShardings& result) {
  const auto leaves = module.type(id).leaves();
  const auto arrays = static_cast<std::size_t>(
      std::count_if(leaves.begin(), leaves.end(), [](const Type* type) { return type->is_array(); }));
  const Instruction& instruction = module[id];
  if (instruction.sharding == kNone) {
    if (instruction.op == Op::Tuple) {
      for (const InstructionId operand : module.operands(id)) leaves_of(module, operand, result);
      return;
    }
    result.resize(result.size() + arrays);
    return;
  }
  LeafShardings own;
  collect(parse_sharding(module.string(instruction.sharding)), own);
  if (own.size() == 1 && arrays != 1) own.resize(arrays, own.front());  // one sharding for a whole tuple
  if (own.size() != arrays) {
    throw InputError(DiagCode::BadPlacement, module.where(id),
                     "the sharding of %" + std::string(module.name_of(id)) + " has " + std::to_string(own.size()) +
                         " leaves, its type has " + std::to_string(arrays));
  }
  result.insert(result.end(), own.begin(), own.end());
}

// For each tile dimension the ranks along it, in order.
std::vector<std::vector<std::vector<std::int64_t>>> tile_groups(const Sharding& sharding) {
  std::vector<std::vector<std::vector<std::int64_t>>> result;
  auto below = static_cast<std::int64_t>(sharding.devices.size());
  for (const std::int64_t tiles : sharding.tiles) {
    below /= tiles;
    if (tiles == 1) continue;
    auto& groups = result.emplace_back();
    for (std::size_t start = 0; start < sharding.devices.size(); ++start) {
      if (static_cast<std::int64_t>(start) / below % tiles != 0) continue;
      auto& group = groups.emplace_back();
      for (std::int64_t k = 0; k < tiles; ++k) {
        group.push_back(sharding.devices[start + static_cast<std::size_t>(k * below)]);
      }
    }
  }
  return result;
}

std::int64_t ranks_of(const Module& sequential, const Module& distributed) {
  for (const Module* module : {&distributed, &sequential}) {
    if (!module->num_partitions && !module->replica_count) continue;
    std::int64_t ranks = 0;
    if (__builtin_mul_overflow(module->replica_count.value_or(1), module->num_partitions.value_or(1), &ranks) ||
        ranks < 1 || ranks > (std::int64_t{1} << 20)) {
      throw InputError(DiagCode::RankCount, {module->file}, "the header's number of ranks is not supported");
    }
    return ranks;
  }
  throw InputError(DiagCode::RankCount, {distributed.file},
                   "no relation is given and no module header says how many ranks there are");
}

Mesh mesh_of(std::int64_t ranks, const LeafShardings& shardings) {
  std::vector<std::vector<std::vector<std::int64_t>>> groups;
  for (const auto& sharding : shardings) {
    if (!sharding || sharding->kind != ShardingKind::Tiled ||
        static_cast<std::int64_t>(sharding->devices.size()) != ranks) {
      continue;
    }
    for (auto& tiles : tile_groups(*sharding)) groups.push_back(std::move(tiles));
  }
  const RankDigits digits = RankDigits::refine(Mesh{{{"rank", ranks}}, {}}, groups, {});
  Mesh mesh;
  for (const Digit& digit : digits.digits()) {
    mesh.axes.push_back({"axis_" + std::to_string(mesh.axes.size()), digit.extent});
  }
  return mesh;
}

std::vector<Placement> placements_of(const LeafShardings& shardings, const std::vector<Leaf>& global,
                                     const std::vector<Leaf>& local, const Mesh& mesh, const char* list,
                                     const std::string& file) {
  std::vector<Placement> placements;
  for (std::size_t k = 0; k < global.size(); ++k) {
    const std::string name = leaf_text(list, k, global[k].shown());
    std::optional<Placement> placement;
    if (shardings[k]) {
      placement = placement_of(*shardings[k], mesh);
      if (!placement) {
        throw InputError(DiagCode::UnsupportedForm, {file},
                         name + ": the sharding " + to_string(*shardings[k]) + " is no split over axes of one mesh",
                         {"write a relation file instead"});
      }
    } else if (k < local.size() && local[k].type == global[k].type) {
      placement.emplace();  // not annotated and not split: every rank holds it whole
    } else {
      throw InputError(DiagCode::NotPropagated, {file},
                       name + " has no sharding but is split in the distributed program, and no relation is given",
                       {"is this the text just before spmd-partitioning? Its name ends in "
                        "after_shardy-xla.before_spmd-partitioning.txt (GSPMD: "
                        "after_sharding-propagation.before_spmd-partitioning.txt)"});
    }
    if (placement->dims.empty()) placement->dims.resize(static_cast<std::size_t>(global[k].type.rank()));
    check_placement(*placement, mesh, global[k].type.rank(), {file});
    placements.push_back(*std::move(placement));
  }
  return placements;
}

}  // namespace

Mesh mesh_from_shardings(const Module& module) {
  LeafShardings shardings;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module[id].sharding != kNone) collect(parse_sharding(module.string(module[id].sharding)), shardings);
  }
  return mesh_of(ranks_of(module, module), shardings);
}

Relation relation_from_shardings(Arena& arena, const Module& sequential, const Module& distributed) {
  const Computation& entry = sequential.computation(sequential.entry());
  LeafShardings inputs;
  for (const InstructionId id : entry.parameters) leaves_of(sequential, id, inputs);
  LeafShardings outputs;
  leaves_of(sequential, entry.root, outputs);
  const auto present = [](const std::optional<Sharding>& sharding) { return sharding.has_value(); };
  if (std::none_of(inputs.begin(), inputs.end(), present) && std::none_of(outputs.begin(), outputs.end(), present)) {
    throw InputError(DiagCode::FileMissing, {sequential.file},
                     "no relation is given and the sequential module carries no shardings");
  }
  Relation relation;
  relation.file = sequential.file;
  relation.from_shardings = true;
  LeafShardings all = inputs;
  all.insert(all.end(), outputs.begin(), outputs.end());
  relation.mesh = mesh_of(ranks_of(sequential, distributed), all);
  relation.input_placements = placements_of(inputs, input_leaves(sequential), input_leaves(distributed), relation.mesh,
                                            "inputs", sequential.file);
  relation.output_placements = placements_of(outputs, output_leaves(sequential), output_leaves(distributed),
                                             relation.mesh, "outputs", sequential.file);
  assemble(arena, relation, sequential, distributed);
  return relation;
}

}  // namespace gg
