// Shardings: hints printed by XLA. Tile lists, iota lists, named meshes and subgroups all become tiles and devices.
#include "models/hlo/sharding.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "models/base/text.h"
#include "models/hlo/values.h"
#include "models/type/type.h"

namespace gg {
namespace {

using hlo::AxisPart;
using hlo::Cursor;
using hlo::NamedMesh;

struct Word {
  std::string_view name;
  ShardingKind kind;
};

constexpr std::array kWords = {Word{"replicated", ShardingKind::Replicated}, Word{"manual", ShardingKind::Manual},
                               Word{"unknown", ShardingKind::Unknown}, Word{"unreduced", ShardingKind::Unreduced}};

struct SubgroupWord {
  std::string_view name;
  Subgroup subgroup;
};

constexpr std::array kSubgroups = {SubgroupWord{"replicated", Subgroup::Replicated},
                                   SubgroupWord{"manual", Subgroup::Manual},
                                   SubgroupWord{"unreduced", Subgroup::Unreduced}};

/// `metadata={...}`, `shard_as 1`, `shard_like 1` at the end of a sharding: no part of the placement.
bool skip_trailer(Cursor& cursor) {
  if (cursor.accept("metadata")) {
    cursor.expect('=');
    cursor.balanced("sharding metadata");
    return true;
  }
  if (!cursor.accept("shard_as") && !cursor.accept("shard_like")) return false;
  cursor.integer("a shard group");
  return true;
}

Subgroup subgroup(Cursor& cursor, std::string_view expected) {
  const auto* row = std::find_if(kSubgroups.begin(), kSubgroups.end(), [&](const SubgroupWord& word) { return cursor.accept(word.name); });
  if (row == kSubgroups.end()) cursor.unexpected(expected);
  return row->subgroup;
}

void parse_subgroups(Cursor& cursor, Sharding& out) {
  if (cursor.accept("last_tile_dim_replicate")) {
    out.subgroups = {Subgroup::Replicated};
    return;
  }
  cursor.expect("last_tile_dims");
  cursor.expect('=');
  cursor.expect('{');
  cursor.items('}', [&] { out.subgroups.push_back(subgroup(cursor, "replicated, manual or unreduced")); });
}

/// Behind `devices=`.
void parse_tiles(Cursor& cursor, Sharding& out) {
  const Location where = cursor.place();
  out.kind = ShardingKind::Tiled;
  out.tiles = hlo::parse_extents(cursor, "sharding tiles");
  if (cursor.accept_text("<=")) {
    out.devices = hlo::parse_iota(cursor);
  } else {
    do {
      out.devices.push_back(cursor.integer_in("a device", 0, hlo::kMaxGroupRanks - 1));
      if (static_cast<std::int64_t>(out.devices.size()) > hlo::kMaxGroupRanks) break;
    } while (cursor.accept(','));
  }
  if (element_count(out.tiles) != static_cast<std::int64_t>(out.devices.size())) {
    throw InputError(DiagCode::BadAttribute, where,
                     "sharding lists " + std::to_string(out.devices.size()) + " devices for " +
                         std::to_string(element_count(out.tiles)) + " tiles");
  }
  while (!cursor.accept('}')) {
    if (!skip_trailer(cursor)) parse_subgroups(cursor, out);
  }
  if (out.subgroups.size() > out.tiles.size()) {
    throw InputError(DiagCode::BadAttribute, where, "sharding has more subgroup dimensions than tiles");
  }
}

std::vector<AxisPart> parse_axes(Cursor& cursor, const NamedMesh& mesh) {
  std::vector<AxisPart> axes;
  cursor.list('{', '}', [&] {
    if (cursor.accept('?')) return;  // open dimension: propagation may shard it further
    axes.push_back(hlo::parse_axis(cursor, mesh));
  });
  return axes;
}

/// `, [{'a'}, {}], replicated={..}, unreduced={..}, manual={..}` behind the mesh.
void parse_named(Cursor& cursor, Sharding& out) {
  const NamedMesh mesh = hlo::parse_mesh(cursor);
  cursor.expect(',');
  for (const Word& word : kWords) {
    if (!cursor.accept(word.name)) continue;
    out.kind = word.kind;
    while (cursor.accept(',')) skip_trailer(cursor);
    return cursor.expect('}');
  }
  out.kind = ShardingKind::Tiled;
  std::vector<AxisPart> parts;
  auto append = [&](const std::vector<AxisPart>& axes) {
    std::int64_t size = 1;
    for (const AxisPart& axis : axes) size *= axis.size;
    out.tiles.push_back(size);
    parts.insert(parts.end(), axes.begin(), axes.end());
  };
  cursor.list('[', ']', [&] { append(parse_axes(cursor, mesh)); });
  while (cursor.accept(',')) {
    if (skip_trailer(cursor)) continue;
    const Subgroup kind = subgroup(cursor, "replicated, manual or unreduced axes");
    cursor.expect('=');
    const auto axes = parse_axes(cursor, mesh);
    if (kind == Subgroup::Replicated) continue;  // what is not mentioned is replicated anyway
    append(axes);
    out.subgroups.push_back(kind);
  }
  cursor.expect('}');
  // Axes that nothing names come first in `runs`; they belong behind all tiles, as a replicated subgroup.
  const auto runs = hlo::devices_by_axes(cursor, mesh, parts);
  const std::int64_t used = element_count(out.tiles);
  const std::int64_t rest = static_cast<std::int64_t>(runs.size()) / used;
  out.devices.resize(runs.size());
  for (std::int64_t r = 0; r < rest; ++r) {
    for (std::int64_t t = 0; t < used; ++t) {
      out.devices[static_cast<std::size_t>(t * rest + r)] = runs[static_cast<std::size_t>(r * used + t)];
    }
  }
  if (rest > 1) {
    out.tiles.push_back(rest);
    out.subgroups.push_back(Subgroup::Replicated);
  }
}

Sharding parse(Cursor& cursor, int depth) {
  if (depth > most(Limit::ShardingDepth)) cursor.fail(DiagCode::TooDeep, exceeds(Limit::ShardingDepth, depth));
  Sharding out;
  cursor.expect('{');
  cursor.skip_space();
  if (cursor.peek() == '{' || cursor.peek() == '}') {
    out.kind = ShardingKind::Tuple;
    if (!cursor.accept('}')) cursor.items('}', [&] { out.elements.push_back(parse(cursor, depth + 1)); });
    return out;
  }
  for (const Word& word : kWords) {
    if (!cursor.accept(word.name)) continue;
    out.kind = word.kind;
    while (skip_trailer(cursor)) {
    }
    cursor.expect('}');
    return out;
  }
  if (cursor.accept("maximal") || cursor.accept("maximal_mesh")) {
    const bool named = cursor.accept('[');
    if (!cursor.accept("device") && !cursor.accept("device_id")) cursor.unexpected("device=");
    cursor.expect('=');
    out.kind = ShardingKind::Maximal;
    out.device = cursor.integer_in("a device", 0, hlo::kMaxGroupRanks - 1);
    if (named) cursor.expect(']');
    while (skip_trailer(cursor)) {
    }
    cursor.expect('}');
    return out;
  }
  if (cursor.accept("devices")) {
    cursor.expect('=');
    parse_tiles(cursor, out);
    return out;
  }
  parse_named(cursor, out);
  return out;
}

std::string print_tiled(const Sharding& sharding) {
  std::string text = "{devices=[" + joined_text(sharding.tiles, ",") + "]";
  std::vector<std::int64_t> iota(sharding.devices.size());
  std::iota(iota.begin(), iota.end(), 0);
  text += iota == sharding.devices ? "<=[" + std::to_string(iota.size()) + "]" : joined_text(sharding.devices, ",");
  if (sharding.subgroups.size() == 1 && sharding.subgroups[0] == Subgroup::Replicated) {
    return text + " last_tile_dim_replicate}";
  }
  if (sharding.subgroups.empty()) return text + "}";
  return text + " last_tile_dims={" + joined_text(sharding.subgroups, ", ", [](Subgroup group) { return kSubgroups[static_cast<std::size_t>(group)].name; }) + "}}";
}

}  // namespace

Sharding parse_sharding(std::string_view text) {
  return hlo::parse_whole(text, "the sharding", [](Cursor& cursor) { return parse(cursor, 0); });
}

std::string to_string(const Sharding& sharding) {
  for (const Word& word : kWords) {
    if (word.kind == sharding.kind) return "{" + std::string(word.name) + "}";
  }
  if (sharding.kind == ShardingKind::Maximal) return "{maximal device=" + std::to_string(sharding.device) + "}";
  if (sharding.kind == ShardingKind::Tiled) return print_tiled(sharding);
  return "{" + joined_text(sharding.elements, ", ", [](const Sharding& element) { return to_string(element); }) + "}";
}

}  // namespace gg
