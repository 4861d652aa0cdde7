// A relation as the text of a relation file.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/base/text.h"
#include "models/relation/relation.h"

namespace gg {
namespace {

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

// A string in the notation, or the JSON form where the notation cannot say it.
std::string entry(const Placement& placement, const Mesh& mesh, Notation notation) {
  const std::string json = print_placement(placement, mesh, Notation::Json);
  if (notation == Notation::Json) return json;
  try {
    return quoted(print_placement(placement, mesh, notation));
  } catch (const InputError&) {
    return json;
  }
}

std::string entries(const std::vector<Placement>& placements, const Mesh& mesh, Notation notation) {
  const std::string items = joined_text(placements, ",\n  ", [&](const Placement& placement) { return entry(placement, mesh, notation); });
  return items.empty() ? "[]" : "[\n  " + items + "\n ]";
}

std::string number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<std::int64_t>(value));
  return nlohmann::json(value).dump();
}

// Ranges that were given; inferred and default ones are found again.
std::vector<std::string> ranges_of(const Relation& relation) {
  std::vector<std::string> items;
  for (const FreeInput& free : relation.free) {
    if (free.range.origin != Range::Origin::Given) continue;
    const auto pieces = std::count_if(relation.free.begin(), relation.free.end(),
                                      [&](const FreeInput& other) { return other.leaf == free.leaf; });
    const std::string key = pieces == 1 ? std::to_string(free.leaf) : free.name;
    items.push_back(quoted(key) + ": [" + number(free.range.lo) + ", " + number(free.range.hi) + "]");
  }
  return items;
}

}  // namespace

std::string print_relation(const Relation& relation, Notation notation) {
  const Mesh& mesh = relation.mesh;
  const auto axis_text = [](const MeshAxis& axis) { return "[" + quoted(axis.name) + ", " + std::to_string(axis.size) + "]"; };
  std::string text = "{\n \"mesh\": [" + joined_text(mesh.axes, ", ", axis_text) + "]";
  if (!mesh.devices.empty()) text += ",\n \"devices\": [" + joined_text(mesh.devices) + "]";
  text += ",\n \"inputs\": " + entries(relation.input_placements, mesh, notation);
  text += ",\n \"outputs\": " + entries(relation.output_placements, mesh, notation);
  text += ",\n \"ranges\": {" + joined_text(ranges_of(relation)) + "}";
  std::vector<std::string> next;
  for (std::size_t k = 0; k < relation.next.size(); ++k) {
    if (relation.next[k]) next.push_back("\"" + std::to_string(k) + "\": " + std::to_string(*relation.next[k]));
  }
  if (!next.empty()) text += ",\n \"next\": {" + joined_text(next) + "}";
  return text + "\n}\n";
}

}  // namespace gg
