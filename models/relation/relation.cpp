// relation.json: mesh, placements by position or name, ranges, next.
#include "models/relation/relation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "models/base/text.h"
#include "models/relation/assemble.h"
#include "models/relation/json.h"

namespace gg {
namespace {

constexpr double kMaxExactInteger = 9007199254740992.0;  // 2^53

MeshAxis axis_from_json(const std::string& name, const Json& size, const Mesh& mesh, const JsonPath& at) {
  const std::int64_t number = require_integer(size, at);
  check_limit(Limit::MeshAxes, static_cast<std::int64_t>(mesh.axes.size()) + 1, at.where());
  if (name.empty()) at.fail("an axis needs a name");
  if (number < 1) at.fail("axis '" + name + "' has size " + std::to_string(number));
  for (const MeshAxis& other : mesh.axes) {
    if (other.name == name) at.fail("two axes are called '" + name + "'");
  }
  if (number > most(Limit::Ranks) / mesh.ranks()) {
    at.fail("the mesh has more than " + std::to_string(most(Limit::Ranks)) + " ranks", DiagCode::TooLarge);
  }
  return {name, number};
}

// [["dp", 2], ["tp", 4]] or {"dp": 2, "tp": 4}, in the order of the text.
Mesh axes_from_json(const Json& value, const JsonPath& at) {
  Mesh mesh;
  if (value.is_object()) {
    for (const auto& [name, size] : value.items()) mesh.axes.push_back(axis_from_json(name, size, mesh, at / name));
    return mesh;
  }
  for (std::size_t k = 0; k < require_array(value, at).size(); ++k) {
    const Json& axis = require_array(value[k], at / k);
    if (axis.size() != 2) (at / k).fail("an axis is a name and a size, found " + axis.dump());
    mesh.axes.push_back(axis_from_json(require_string(axis[0], at / k), axis[1], mesh, at / k));
  }
  return mesh;
}

// The rank at each coordinate: a permutation of all ranks.
std::vector<std::int64_t> devices_from_json(const Json& value, const Mesh& mesh, const JsonPath& at) {
  auto devices = require_integers(value, at);
  const std::int64_t ranks = mesh.ranks();
  if (static_cast<std::int64_t>(devices.size()) != ranks) {
    at.fail("it lists " + std::to_string(devices.size()) + " ranks, the mesh has " + std::to_string(ranks),
            DiagCode::RankCount);
  }
  std::vector<bool> seen(devices.size(), false);
  bool identity = true;
  for (std::size_t k = 0; k < devices.size(); ++k) {
    const std::int64_t rank = devices[k];
    if (rank < 0 || rank >= ranks) at.fail("rank " + std::to_string(rank) + " does not exist", DiagCode::RankCount);
    if (seen[static_cast<std::size_t>(rank)])
      at.fail("rank " + std::to_string(rank) + " occurs twice", DiagCode::RankCount);
    seen[static_cast<std::size_t>(rank)] = true;
    identity = identity && rank == static_cast<std::int64_t>(k);
  }
  if (identity) devices.clear();
  return devices;
}

// Entries by position. Problems of several entries are thrown together.
std::vector<Placement> listed(const Json& list, const std::vector<Leaf>& leaves, const Mesh& mesh, const JsonPath& at) {
  if (list.size() != leaves.size()) {
    at.fail("the relation places " + std::to_string(list.size()) + " of them, the sequential program has " +
                std::to_string(leaves.size()),
            DiagCode::LeafCount);
  }
  std::vector<Placement> placements;
  std::vector<Diag> diags;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    try {
      placements.push_back(placement_from_json(list[k], mesh, leaves[k].type.rank(), at / k));
    } catch (const InputError& error) {
      if (diags.size() < 20) diags.push_back(error.diags().front());
    }
  }
  if (!diags.empty()) throw InputError(std::move(diags));
  return placements;
}

// Entries by name; leaves that are not named take `fallback`.
std::vector<Placement> named(const Json& object, const std::vector<Leaf>& leaves, const Mesh& mesh,
                             const Json* fallback, const JsonPath& at) {
  std::vector<std::optional<Placement>> placements(leaves.size());
  for (const auto& [name, entry] : require_object(object, at).items()) {
    const auto leaf = find_leaf(leaves, name);
    if (!leaf) at.fail("the sequential program has no '" + name + "'", DiagCode::BadPlacement);
    if (placements[*leaf]) at.fail("'" + name + "' is placed twice", DiagCode::BadPlacement);
    placements[*leaf] = placement_from_json(entry, mesh, leaves[*leaf].type.rank(), at / name);
  }
  std::vector<Placement> result;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (!placements[k]) {
      if (fallback == nullptr) {
        at.fail("'" + leaves[k].name + "' is not placed and there is no \"default\"", DiagCode::LeafCount);
      }
      placements[k] = placement_from_json(*fallback, mesh, leaves[k].type.rank(), JsonPath{at.file, "default"});
    }
    result.push_back(*std::move(placements[k]));
  }
  return result;
}

void read_ranges(const Json& object, Relation& relation, const JsonPath& at) {
  RangeList ranges(relation);
  for (const auto& [name, entry] : require_object(object, at).items()) {
    const JsonPath here = at / name;
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number() || !entry[1].is_number()) {
      here.fail("a range is a list of two numbers, found " + entry.dump(), DiagCode::BadRange);
    }
    ranges.set(name, entry[0].get<double>(), entry[1].get<double>(), at.where());
  }
}

std::int64_t leaf_number(const Json& value, const std::vector<Leaf>& leaves, const JsonPath& at) {
  const std::string key = value.is_number() ? std::to_string(require_integer(value, at)) : require_string(value, at);
  const auto leaf = find_leaf(leaves, key);
  if (!leaf) at.fail("there is no leaf '" + key + "'", DiagCode::LeafCount);
  return static_cast<std::int64_t>(*leaf);
}

void read_next(const Json& object, Relation& relation, const std::vector<Leaf>& inputs,
               const std::vector<Leaf>& outputs, const JsonPath& at) {
  std::fill(relation.next.begin(), relation.next.end(), std::nullopt);
  for (const auto& [output, input] : require_object(object, at).items()) {
    const auto from = static_cast<std::size_t>(leaf_number(Json(output), outputs, at));
    const std::int64_t to = leaf_number(input, inputs, at / output);
    const Type& given = outputs[from].type;
    const Type& taken = inputs[static_cast<std::size_t>(to)].type;
    if (!(given == taken)) {
      (at / output)
          .fail("an output " + to_string(given) + " cannot become an input " + to_string(taken), DiagCode::LeafCount);
    }
    relation.next[from] = to;
  }
}

}  // namespace

Mesh mesh_from_json(const Json& relation, const JsonPath& top) {
  Mesh mesh = axes_from_json(relation["mesh"], top / "mesh");
  if (relation.contains("devices")) mesh.devices = devices_from_json(relation["devices"], mesh, top / "devices");
  return mesh;
}

void IntegerSpan::cover(std::int64_t lowest, std::int64_t highest) {
  lo = std::min(lo, lowest);
  hi = std::max(hi, highest);
}

IntegerSpan IntegerSpan::within(const IntegerSpan& other) const { return {std::max(lo, other.lo), std::min(hi, other.hi)}; }

IntegerSpan IntegerSpan::of(ElementType type) {
  const int bits = info(type).bits - (is_signed(type) ? 1 : 0);
  const std::int64_t most = bits >= 63 ? INT64_MAX : (std::int64_t{1} << bits) - 1;
  return {is_signed(type) ? -most - 1 : 0, most};
}

Range default_range(ElementType type) {
  if (!is_integral(type)) return {-1, 1, Range::Origin::Default};
  const std::int64_t most = type == ElementType::Pred ? 1 : std::min<std::int64_t>(IntegerSpan::of(type).hi, 7);
  return {0, static_cast<double>(most + 1), Range::Origin::Default};
}

RangeList::RangeList(Relation& relation) : relation_(relation) {
  for (FreeInput& free : relation.free) {
    for (const std::string& name : std::set<std::string>{free.name, free.parameter, std::to_string(free.leaf)}) named_[name].push_back(&free);
  }
}

void RangeList::set(const std::string& input, double lo, double hi, const Location& where) {
  const auto bad = [&](const std::string& problem) {
    throw InputError(DiagCode::BadRange, where, "range of input '" + input + "': " + problem);
  };
  const auto found = named_.find(input);
  for (const FreeInput* const named : found == named_.end() ? std::vector<FreeInput*>() : found->second) {
    const FreeInput& first = *found->second.front();  // parts of one input have its position
    if (named->leaf != first.leaf) bad("input " + std::to_string(first.leaf) + " ('" + first.parameter + "') and input " + std::to_string(named->leaf) + " ('" + named->parameter + "') are both called so; give it by another name");
  }
  for (FreeInput* const named : found == named_.end() ? std::vector<FreeInput*>() : found->second) {
    FreeInput& free = *named;
    if (!given_.insert(&free).second) bad("'" + free.name + "' has two ranges; give it one, by one name");
    if (std::isnan(lo) || std::isnan(hi) || std::isinf(lo) || std::isinf(hi)) bad("its ends must be finite");
    if (lo > hi) bad("the lower end " + std::to_string(lo) + " is above the upper end " + std::to_string(hi));
    if (is_integral(free.type.element)) {
      if (lo != std::floor(lo) || hi != std::floor(hi)) bad("an integer input needs integer ends");
      if (std::abs(lo) > kMaxExactInteger || std::abs(hi) > kMaxExactInteger) bad("an end is beyond 2^53");
      const auto last = static_cast<std::int64_t>(lo == hi ? hi : hi - 1);
      for (const std::int64_t value : {static_cast<std::int64_t>(lo), last}) {
        if (wrap_to(free.type.element, value) != value || (value < 0 && !is_signed(free.type.element))) {
          bad(std::to_string(value) + " does not fit " + std::string(info(free.type.element).name));
        }
      }
    }
    free.range = {lo, hi, Range::Origin::Given};
  }
  if (found != named_.end()) return;
  constexpr std::size_t kShown = 12;
  const auto& free = relation_.free;
  const std::string all = joined_text(std::span(free).first(std::min(free.size(), kShown)), ", ", [](const FreeInput& f) { return f.name; });
  bad("there is no such input; there are " + all + (free.size() > kShown ? ", ... " + std::to_string(free.size()) + " in all" : ""));
}

bool compares(const Arena& arena, const OutputClaim& claim) {
  if (claim.kind != OutputClaim::Kind::Compared || arena[claim.compared].kind == GuardKind::False) return false;
  return std::find(claim.extents.begin(), claim.extents.end(), 0) == claim.extents.end();
}

Relation read_relation(Arena& arena, const std::string& json, const std::string& file, const Module& sequential,
                       const Module& distributed) {
  const JsonPath top{file, ""};
  const Json value = parse_json(json, file);
  for (const char* key : {"groups", "cut", "constants"}) {
    if (require_object(value, top).contains(key)) {
      top.fail("\"" + std::string(key) + "\" belongs to FX graphs; these programs are HLO text", DiagCode::NotYet);
    }
  }
  if (value.contains("programs")) {
    top.fail("\"programs\" lists what the distributed program consists of: give the sequential one alone (or a folder without distributed.hlo)",
             DiagCode::Usage);
  }
  require_keys(value, {"mesh", "devices", "inputs", "outputs", "default", "ranges", "recorded", "next", "note"}, top);
  for (const char* key : {"mesh", "inputs", "outputs"}) {
    if (!value.contains(key)) top.fail("\"" + std::string(key) + "\" is missing");
  }
  Relation relation;
  relation.file = file;
  relation.mesh = mesh_from_json(value, top);
  const auto inputs = input_leaves(sequential);
  const auto outputs = output_leaves(sequential);
  const Json ignored = "ignored";
  const Json& in = value["inputs"];
  const Json& out = value["outputs"];
  const Json* fallback = value.contains("default") ? &value["default"] : nullptr;
  relation.input_placements = in.is_array() ? listed(in, inputs, relation.mesh, top / "inputs")
                                            : named(in, inputs, relation.mesh, fallback, top / "inputs");
  relation.output_placements = out.is_array() ? listed(out, outputs, relation.mesh, top / "outputs")
                                              : named(out, outputs, relation.mesh, &ignored, top / "outputs");
  assemble(arena, relation, sequential, distributed);
  if (value.contains("ranges")) read_ranges(value["ranges"], relation, top / "ranges");
  if (value.contains("recorded")) set_recorded(relation, value["recorded"], top / "recorded");
  if (value.contains("next")) read_next(value["next"], relation, inputs, outputs, top / "next");
  return relation;
}

}  // namespace gg
