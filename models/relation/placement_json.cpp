// Placements as the relation file writes them: lists of dimensions, objects, strings.
#include <nlohmann/json.hpp>

#include "models/relation/json.h"

namespace gg {
namespace {

std::int64_t positive(const Json& value, const JsonPath& at) {
  const std::int64_t number = require_integer(value, at);
  if (number < 1) at.fail("must be positive, found " + std::to_string(number), DiagCode::BadPlacement);
  return number;
}

// {"axes": ["tp"], "segments": [..] | "split": "chunk" | "stride": s | "interleave": m, "pad": n}
DimPlacement dim_from_json(const Json& entry, const JsonPath& at) {
  DimPlacement dim;
  if (entry.is_array()) {
    dim.axes = require_strings(entry, at);
    return dim;
  }
  require_keys(entry, {"axes", "segments", "split", "pad", "stride", "interleave"}, at);
  if (entry.contains("axes")) dim.axes = require_strings(entry["axes"], at / "axes");
  if (entry.contains("segments")) {
    dim.segments = require_integers(entry["segments"], at / "segments");
    if (dim.segments.empty()) (at / "segments").fail("the list is empty", DiagCode::BadPlacement);
  }
  if (entry.contains("split")) {
    const std::string split = require_string(entry["split"], at / "split");
    if (split != "chunk" && split != "blocks") {
      (at / "split").fail("\"" + split + "\" is neither \"chunk\" nor \"blocks\"", DiagCode::BadPlacement);
    }
    dim.chunk = split == "chunk";
  }
  if (entry.contains("pad")) dim.pad = positive(entry["pad"], at / "pad");
  if (entry.contains("stride")) dim.stride = positive(entry["stride"], at / "stride");
  if (entry.contains("interleave")) dim.interleave = positive(entry["interleave"], at / "interleave");
  return dim;
}

std::vector<DimPlacement> dims_from_json(const Json& list, int rank, const JsonPath& at) {
  std::vector<DimPlacement> dims;
  for (std::size_t d = 0; d < require_array(list, at).size(); ++d) dims.push_back(dim_from_json(list[d], at / d));
  if (static_cast<int>(dims.size()) != rank) {
    at.fail("the placement has " + std::to_string(dims.size()) + " dimensions, the tensor has " + std::to_string(rank),
            DiagCode::BadPlacement);
  }
  return dims;
}

// Parts are named by the distributed program's parameters, or by position.
std::vector<std::string> parts_from_json(const Json& list, const JsonPath& at) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < require_array(list, at).size(); ++k) {
    const Json& part = list[k];
    parts.push_back(part.is_number() ? std::to_string(require_integer(part, at / k)) : require_string(part, at / k));
  }
  if (parts.empty()) at.fail("the list is empty", DiagCode::BadPlacement);
  return parts;
}

Placement object_from_json(const Json& entry, int rank, const JsonPath& at) {
  Placement placement;
  placement.dims.resize(static_cast<std::size_t>(rank));
  if (entry.contains("node") || entry.contains("equals") || entry.contains("shard")) {
    at.fail("relations between inner nodes are for FX graphs; these programs are HLO text", DiagCode::NotYet);
  }
  if (entry.contains("hlo")) {
    require_keys(entry, {"hlo"}, at);
    placement.kind = Placement::Kind::Hlo;
    placement.dims.clear();
    placement.hlo_file = require_string(entry["hlo"], at / "hlo");
    return placement;
  }
  if (entry.contains("partial")) {
    require_keys(entry, {"partial", "op", "dims"}, at);
    placement.kind = Placement::Kind::Partial;
    placement.partial_axes = require_strings(entry["partial"], at / "partial");
    if (entry.contains("op")) placement.partial_op = require_string(entry["op"], at / "op");
  } else if (entry.contains("concat")) {
    require_keys(entry, {"concat", "dim", "dims"}, at);
    placement.kind = Placement::Kind::Parts;
    placement.parts = parts_from_json(entry["concat"], at / "concat");
    if (entry.contains("dim")) {
      const std::int64_t dim = require_integer(entry["dim"], at / "dim");
      if (dim < 0 || dim >= rank) {
        (at / "dim")
            .fail("dimension " + std::to_string(dim) + " does not exist, the tensor has " + std::to_string(rank),
                  DiagCode::BadPlacement);
      }
      placement.concat_dim = static_cast<int>(dim);
    }
  } else {
    at.fail("expected \"partial\", \"concat\" or \"hlo\", found " + entry.dump());
  }
  if (entry.contains("dims")) placement.dims = dims_from_json(entry["dims"], rank, at / "dims");
  return placement;
}

}  // namespace

Placement placement_from_json(const Json& entry, const Mesh& mesh, int rank, const JsonPath& at) {
  Placement placement;
  if (entry.is_array()) placement.dims = dims_from_json(entry, rank, at);
  else if (!entry.is_string()) placement = object_from_json(require_object(entry, at), rank, at);
  try {
    if (entry.is_string()) return parse_placement(entry.get<std::string>(), mesh, rank, at.where());
    check_placement(placement, mesh, rank, at.where());
  } catch (const InputError& error) {
    const Diag& diag = error.diags().front();
    throw InputError(diag.code, diag.where, at.text + ": " + diag.message, diag.notes);
  }
  return placement;
}

}  // namespace gg
