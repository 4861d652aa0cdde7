// Checks of placements, and their translation from and to HLO shardings.
#include "models/relation/placement.h"

#include <algorithm>
#include <array>

#include "models/base/check.h"
#include "models/base/text.h"

namespace gg {
namespace {

constexpr std::array<std::string_view, 5> kPartialOps = {"sum", "max", "min", "mul", "avg"};

void use_axis(const Mesh& mesh, const std::string& name, std::vector<std::string>& used, const Location& where) {
  if (!mesh.find(name)) {
    const std::string known = joined_text(mesh.axes, ", ", [&](const MeshAxis& axis) { return axis.name; });
    throw InputError(DiagCode::BadPlacement, where, "the mesh has no axis '" + name + "'",
                     {"axes of the mesh: " + (known.empty() ? "none" : known)});
  }
  if (std::find(used.begin(), used.end(), name) != used.end()) {
    throw InputError(DiagCode::BadPlacement, where, "axis '" + name + "' is used twice in one placement");
  }
  used.push_back(name);
}

void check_dim(const DimPlacement& dim, const Location& where) {
  const auto bad = [&](const std::string& problem) { throw InputError(DiagCode::BadPlacement, where, problem); };
  for (const std::int64_t segment : dim.segments) {
    if (segment < 1) bad("a segment has length " + std::to_string(segment));
  }
  if (dim.pad < 0 || dim.stride < 0 || dim.interleave < 0) bad("pad, stride and interleave must be positive");
  const int exclusive =
      (dim.segments.empty() ? 0 : 1) + (dim.stride > 0 ? 1 : 0) + (dim.interleave > 0 ? 1 : 0) + (dim.chunk ? 1 : 0);
  if (exclusive > 1) bad("segments, split, stride and interleave exclude each other");
  if (!dim.segments.empty() && dim.pad > 0) bad("segments and pad exclude each other");
}

// The mesh place (row-major over the axes) of mixed-radix `place` over the axes in `order`, major first.
std::int64_t mesh_place(const Mesh& mesh, const std::vector<int>& order, std::int64_t place) {
  std::vector<std::int64_t> coordinate(mesh.axes.size(), 0);
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    const auto a = static_cast<std::size_t>(*axis);
    coordinate[a] = place % mesh.axes[a].size;
    place /= mesh.axes[a].size;
  }
  std::int64_t result = 0;
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) result = result * mesh.axes[a].size + coordinate[a];
  return result;
}

// Axes (major first) whose mixed radix is the tile coordinate `tile_of_rank`, or nothing.
std::optional<std::vector<int>> axes_of_tile(const Mesh& mesh, std::span<const std::int64_t> tile_of_place,
                                             std::int64_t tiles) {
  struct Step {
    std::int64_t weight;
    int axis;
  };
  std::vector<Step> steps;
  std::int64_t inner = 1;
  for (std::size_t a = mesh.axes.size(); a-- > 0;) {
    if (mesh.axes[a].size > 1 && tile_of_place[static_cast<std::size_t>(inner)] != 0) {
      steps.push_back({tile_of_place[static_cast<std::size_t>(inner)], static_cast<int>(a)});
    }
    inner *= mesh.axes[a].size;
  }
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.weight > b.weight; });
  std::int64_t weight = tiles;
  std::vector<int> axes;
  for (const Step& step : steps) {
    const std::int64_t size = mesh.axes[static_cast<std::size_t>(step.axis)].size;
    if (weight % size != 0 || step.weight != weight / size) return std::nullopt;
    weight = step.weight;
    axes.push_back(step.axis);
  }
  if (weight != 1) return std::nullopt;
  for (std::size_t place = 0; place < tile_of_place.size(); ++place) {
    std::int64_t expected = 0;
    for (const int axis : axes) {
      std::int64_t below = 1;
      for (std::size_t a = static_cast<std::size_t>(axis) + 1; a < mesh.axes.size(); ++a) below *= mesh.axes[a].size;
      const std::int64_t size = mesh.axes[static_cast<std::size_t>(axis)].size;
      expected = expected * size + static_cast<std::int64_t>(place) / below % size;
    }
    if (tile_of_place[place] != expected) return std::nullopt;
  }
  return axes;
}

}  // namespace

void check_placement(const Placement& placement, const Mesh& mesh, int rank, const Location& where) {
  std::vector<std::string> used;
  for (const DimPlacement& dim : placement.dims) {
    for (const std::string& axis : dim.axes) use_axis(mesh, axis, used, where);
    check_dim(dim, where);
  }
  for (const std::string& axis : placement.partial_axes) use_axis(mesh, axis, used, where);
  if (placement.kind == Placement::Kind::Partial) {
    if (placement.partial_axes.empty()) {
      throw InputError(DiagCode::BadPlacement, where, "a partial placement needs at least one axis");
    }
    if (std::find(kPartialOps.begin(), kPartialOps.end(), placement.partial_op) == kPartialOps.end()) {
      throw InputError(DiagCode::BadPlacement, where,
                       "'" + placement.partial_op + "' is no operation of a partial placement",
                       {"known: sum, max, min, mul, avg"});
    }
  }
  if (rank >= 0 && !placement.dims.empty() && static_cast<int>(placement.dims.size()) != rank) {
    throw InputError(DiagCode::BadPlacement, where,
                     "the placement has " + std::to_string(placement.dims.size()) + " dimensions, the tensor has " +
                         std::to_string(rank));
  }
}

Sharding sharding_of(const Placement& placement, const Mesh& mesh) {
  const auto refuse = [](const std::string& why) {
    throw InputError(DiagCode::UnsupportedForm, {}, "an HLO sharding cannot say " + why);
  };
  const bool tiled = placement.kind == Placement::Kind::Tiled;
  if (!tiled && (placement.kind != Placement::Kind::Partial || placement.partial_op != "sum")) refuse("this placement");
  Sharding sharding;
  std::vector<int> order;
  std::vector<bool> used(mesh.axes.size(), false);
  const auto take = [&](const std::string& name) {
    const auto axis = mesh.find(name);
    GG_CHECK(axis.has_value(), "unchecked placement: axis " + name);
    order.push_back(static_cast<int>(*axis));
    used[*axis] = true;
    return mesh.axes[*axis].size;
  };
  std::int64_t split = 1;
  for (const DimPlacement& dim : placement.dims) {
    if (dim != DimPlacement{.axes = dim.axes, .segments = {}})
      refuse("segments, chunks, padding, strides or interleaving");
    std::int64_t tiles = 1;
    for (const std::string& axis : dim.axes) tiles *= take(axis);
    sharding.tiles.push_back(tiles);
    split *= tiles;
  }
  std::int64_t partial = 1;
  for (const std::string& axis : placement.partial_axes) partial *= take(axis);
  if (split == 1 && partial == 1) return {};
  sharding.kind = ShardingKind::Tiled;
  if (partial > 1) {
    sharding.tiles.push_back(partial);
    sharding.subgroups.push_back(Subgroup::Unreduced);
  }
  std::int64_t rest = 1;
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) {
    if (used[a]) continue;
    order.push_back(static_cast<int>(a));
    rest *= mesh.axes[a].size;
  }
  if (rest > 1) {
    sharding.tiles.push_back(rest);
    sharding.subgroups.push_back(Subgroup::Replicated);
  }
  for (std::int64_t k = 0; k < mesh.ranks(); ++k) {
    const std::int64_t place = mesh_place(mesh, order, k);
    sharding.devices.push_back(mesh.devices.empty() ? place : mesh.devices[static_cast<std::size_t>(place)]);
  }
  return sharding;
}

std::optional<Placement> placement_of(const Sharding& sharding, const Mesh& mesh) {
  Placement placement;
  if (sharding.kind == ShardingKind::Replicated) return placement;
  const auto ranks = static_cast<std::size_t>(mesh.ranks());
  if (sharding.kind != ShardingKind::Tiled || sharding.devices.size() != ranks) return std::nullopt;
  std::vector<std::int64_t> position(ranks, -1);  // of each rank in the device list
  for (std::size_t k = 0; k < ranks; ++k) {
    const std::int64_t rank = sharding.devices[k];
    if (rank < 0 || rank >= mesh.ranks()) return std::nullopt;
    position[static_cast<std::size_t>(rank)] = static_cast<std::int64_t>(k);
  }
  if (std::count(position.begin(), position.end(), -1) != 0) return std::nullopt;
  std::int64_t inner = mesh.ranks();
  const std::size_t dims = sharding.tiles.size() - sharding.subgroups.size();
  for (std::size_t t = 0; t < sharding.tiles.size(); ++t) {
    inner /= sharding.tiles[t];
    std::vector<std::int64_t> tile_of_place;
    for (std::size_t place = 0; place < ranks; ++place) {
      const std::int64_t rank = mesh.devices.empty() ? static_cast<std::int64_t>(place) : mesh.devices[place];
      tile_of_place.push_back(position[static_cast<std::size_t>(rank)] / inner % sharding.tiles[t]);
    }
    const bool replicated = t >= dims && sharding.subgroups[t - dims] == Subgroup::Replicated;
    if (replicated) continue;
    if (t >= dims && sharding.subgroups[t - dims] != Subgroup::Unreduced) return std::nullopt;
    const auto axes = axes_of_tile(mesh, tile_of_place, sharding.tiles[t]);
    if (!axes) return std::nullopt;
    auto& names = t < dims ? placement.dims.emplace_back().axes : placement.partial_axes;
    for (const int axis : *axes) names.push_back(mesh.axes[static_cast<std::size_t>(axis)].name);
  }
  if (!placement.partial_axes.empty()) placement.kind = Placement::Kind::Partial;
  return placement;
}

}  // namespace gg
