// Printing placements: one function a notation, chosen from a table.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "models/base/check.h"
#include "models/base/text.h"
#include "models/relation/placement.h"

namespace gg {
namespace {

using Printer = std::string (*)(const Placement&, const Mesh&);

// In single quotes, as Python writes names; require_plain has refused names that would need escapes.
std::string quoted(const std::vector<std::string>& names) {
  return joined_text(names, ", ", [](const std::string& name) { return "'" + name + "'"; });
}

[[noreturn]] void refuse(const std::string& notation) {
  throw InputError(DiagCode::UnsupportedForm, {}, "this placement cannot be written as " + notation);
}

// Only dimensions split over axes in blocks can be said outside JSON.
void require_plain(const Placement& placement, const std::string& notation) {
  const bool known = placement.kind == Placement::Kind::Tiled || placement.kind == Placement::Kind::Partial;
  if (!known) refuse(notation);
  for (const DimPlacement& dim : placement.dims) {
    if (dim != DimPlacement{.axes = dim.axes, .segments = {}}) refuse(notation);
    for (const std::string& axis : dim.axes) {
      if (axis.find_first_of("'\"\\") != std::string::npos) refuse(notation);
    }
  }
}

std::string json_string(const std::string& text) { return nlohmann::json(text).dump(); }

std::string json_strings(const std::vector<std::string>& texts) { return "[" + joined_text(texts, ", ", json_string) + "]"; }

std::string json_dim(const DimPlacement& dim) {
  const std::string axes = json_strings(dim.axes);
  if (dim == DimPlacement{.axes = dim.axes, .segments = {}}) return axes;
  std::string text = "{\"axes\": " + axes;
  if (!dim.segments.empty()) text += ", \"segments\": [" + joined_text(dim.segments) + "]";
  if (dim.chunk) text += ", \"split\": \"chunk\"";
  if (dim.pad != 0) text += ", \"pad\": " + std::to_string(dim.pad);
  if (dim.stride != 0) text += ", \"stride\": " + std::to_string(dim.stride);
  if (dim.interleave != 0) text += ", \"interleave\": " + std::to_string(dim.interleave);
  return text + "}";
}

std::string json_dims(const Placement& placement) { return "[" + joined_text(placement.dims, ", ", json_dim) + "]"; }

std::string print_json(const Placement& placement, const Mesh&) {
  const std::string dims = placement.dims.empty() ? "" : ", \"dims\": " + json_dims(placement);
  switch (placement.kind) {
    case Placement::Kind::Tiled:
      return json_dims(placement);
    case Placement::Kind::Ignored:
      return "\"ignored\"";
    case Placement::Kind::Partial:
      return "{\"partial\": " + json_strings(placement.partial_axes) +
             ", \"op\": " + json_string(placement.partial_op) + dims + "}";
    case Placement::Kind::Hlo:
      return "{\"hlo\": " + json_string(placement.hlo_file) + "}";
    case Placement::Kind::Parts:
      return "{\"concat\": " + json_strings(placement.parts) + ", \"dim\": " + std::to_string(placement.concat_dim) +
             dims + "}";
  }
  GG_CHECK(false, "unknown kind of placement");
}

std::string print_partition_spec(const Placement& placement, const Mesh&) {
  require_plain(placement, "a PartitionSpec");
  std::vector<std::string> items;
  for (const DimPlacement& dim : placement.dims) {
    const std::string axes = quoted(dim.axes);
    items.push_back(dim.axes.empty() ? "None" : dim.axes.size() == 1 ? axes
                                                                     : "(" + axes + ")");
  }
  if (placement.kind == Placement::Kind::Partial) {
    if (placement.partial_op != "sum") refuse("a PartitionSpec");
    items.push_back("unreduced={" + quoted(placement.partial_axes) + "}");
  }
  return "P(" + joined_text(items) + ")";
}

std::string print_sharding(const Placement& placement, const Mesh& mesh) {
  return to_string(sharding_of(placement, mesh));
}

std::string print_shardy(const Placement& placement, const Mesh&) {
  require_plain(placement, "a Shardy sharding");
  std::string text = "[" + joined_text(placement.dims, ", ", [](const DimPlacement& dim) { return "{" + quoted(dim.axes) + "}"; }) + "]";
  if (placement.kind == Placement::Kind::Partial) {
    if (placement.partial_op != "sum") refuse("a Shardy sharding");
    text += ", unreduced={" + quoted(placement.partial_axes) + "}";
  }
  return text;
}

// The placement of one axis: where it splits a dimension after later axes, its split factor is their product.
std::string print_axis(const Placement& placement, const Mesh& mesh, std::size_t axis) {
  const auto later = [&](const std::string& name) -> std::int64_t {
    const auto other = mesh.find(name);
    return other && *other > axis ? mesh.axes[*other].size : 1;
  };
  const auto& partial = placement.partial_axes;
  if (std::find(partial.begin(), partial.end(), mesh.axes[axis].name) != partial.end()) {
    return "Partial(" + placement.partial_op + ")";
  }
  for (std::size_t d = 0; d < placement.dims.size(); ++d) {
    std::int64_t factor = 1;
    for (const std::string& name : placement.dims[d].axes) {
      if (name == mesh.axes[axis].name) {
        const std::string dim = std::to_string(d);
        return factor == 1 ? "Shard(" + dim + ")" : "_StridedShard(" + dim + ", sf=" + std::to_string(factor) + ")";
      }
      factor *= later(name);
    }
  }
  return "Replicate()";
}

std::string print_dtensor(const Placement& placement, const Mesh& mesh) {
  require_plain(placement, "DTensor placements");
  std::vector<std::string> items;
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) items.push_back(print_axis(placement, mesh, a));
  return "[" + joined_text(items) + "]";
}

// In the order of Notation.
constexpr std::array<Printer, 5> kPrinters = {print_json, print_partition_spec, print_sharding, print_dtensor,
                                              print_shardy};

}  // namespace

std::string print_placement(const Placement& placement, const Mesh& mesh, Notation notation) {
  return kPrinters[static_cast<std::size_t>(notation)](placement, mesh);
}

}  // namespace gg
