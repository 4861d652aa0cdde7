// Parameters, bindings and the plain relation.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/base/text.h"
#include "models/fx/complex.h"
#include "models/fx/relation.h"

namespace gg::fx {
namespace {

const Placeholder* input_of(const Graph& graph, const std::string& name) {
  for (const Placeholder& input : graph.inputs) {
    if (input.name == name) return &input;
  }
  return nullptr;
}

/// The input whose ignored elements this parameter chooses; empty: it is a parameter of another kind.
std::string labels_of(const std::string& name) {
  const std::string_view suffix = kIgnore;
  return name.size() > suffix.size() && name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : "";
}

bool has(const Plan& plan, const std::string& name) {
  return std::any_of(plan.parameters.begin(), plan.parameters.end(), [&](const ParameterSpec& p) { return p.name == name; });
}

const ParameterSpec& parameter(const Plan& plan, const std::string& name) {
  return *std::find_if(plan.parameters.begin(), plan.parameters.end(), [&](const ParameterSpec& p) { return p.name == name; });
}

std::string names_of(const Plan& plan) {
  return joined_text(plan.parameters, ", ", [&](const ParameterSpec& p) { return p.name; });
}

std::string leaf_name(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' ? c : '_';
  return result;
}

}  // namespace

const Json* GraphRelation::flat_of(const std::string& name) const {
  if (!value_.contains("inputs") || !value_["inputs"].contains(name)) return nullptr;
  const Json& entry = value_["inputs"][name];
  return entry.is_object() && entry.contains("flat") ? &entry : nullptr;
}

/// {"shard": axes, "dim": d} as a list of dimensions; all else as it is.
Json GraphRelation::dims_placement(const Json& entry, const Type& type, const JsonPath& at) const {
  if (!entry.is_object() || !entry.contains("shard")) return entry;
  require_keys(entry, {"shard", "dim"}, at);
  Json dims = Json::array();
  const std::int64_t dim = entry.contains("dim") ? require_integer(entry["dim"], at / "dim") : 0;
  if (dim < 0 || dim >= type.rank()) (at / "dim").fail("dimension " + std::to_string(dim) + " of " + torch_text(type) + " does not exist", DiagCode::BadPlacement);
  for (std::int64_t d = 0; d < type.rank(); ++d) dims.push_back(d == dim ? entry["shard"] : Json::array());
  return dims;
}

Json GraphRelation::with_parts(Json placement, bool complex) {
  Json* dims = placement.is_object() && placement.contains("dims") ? &placement["dims"] : &placement;
  if (complex && dims->is_array()) dims->push_back(Json::array());
  return placement;
}

Json GraphRelation::placement_of(const std::string& name, const Type& type) const {
  if (const std::string labels = labels_of(name); !labels.empty()) return placement_of(labels, type);
  const std::string dropout = name.substr(0, name.rfind('.'));
  if (name == dropout + kMask && value_.contains("masks") && value_["masks"].contains(dropout)) {
    const Json& entry = value_["masks"][dropout];
    const bool long_form = entry.is_object() && entry.contains("placement");
    return dims_placement(long_form ? entry["placement"] : entry, type, top() / "masks" / dropout);
  }
  if (cuts_.count(name) != 0) {
    const Json& entry = value_["cut"][name];
    return dims_placement(entry.contains("placement") ? entry["placement"] : Json("replicated"), type, top() / "cut" / name);
  }
  if (value_.contains("inputs") && value_["inputs"].contains(name)) return dims_placement(value_["inputs"][name], type, top() / "inputs" / name);
  if (value_.contains("default")) return value_["default"];
  top().fail("'" + name + "' is not placed and there is no \"default\"", DiagCode::LeafCount);
}

/// Whole, or cut along axes: nothing else stands in it.
bool GraphRelation::holds_elements(const std::string& name) const {
  const bool own = value_.contains("inputs") && value_["inputs"].contains(name);
  if (!own && !value_.contains("default")) return false;
  const Json& entry = own ? value_["inputs"][name] : value_["default"];
  if (entry.is_array()) return std::all_of(entry.begin(), entry.end(), [](const Json& dim) { return dim.is_array(); });
  return entry.is_object() ? entry.contains("shard") : entry == "replicated";
}

void GraphRelation::add_input(Plan& plan, const std::string& name, const Type& type) const {
  plan.parameters.push_back({name, stored(type), is_complex(type.element)});
  Binding binding;
  binding.name = name;
  binding.type = type;
  binding.elements = cuts_.empty() && holds_elements(name);
  if (value_.contains("ignore") && value_["ignore"].contains(name)) {
    const JsonPath at = top() / "ignore" / name;
    const Json& entry = require_array(value_["ignore"][name], at);
    if (entry.size() != 2 || !entry[1].is_number()) at.fail("expected [value, share], found " + entry.dump());
    const double share = entry[1].get<double>();
    if (!(share >= 0 && share <= 1)) (at / 1).fail("a share lies between 0 and 1, found " + entry[1].dump(), DiagCode::BadRange);
    if (!is_integral(type.element)) at.fail("'" + name + "' is no integer");
    binding.kind = Binding::Kind::Ignore;
    binding.ignored = require_integer(entry[0], at / 0);
    plan.parameters.push_back({name + kIgnore, Type::array(ElementType::S32, type.dims)});
  }
  plan.bindings.push_back(std::move(binding));
}

Plan GraphRelation::sequential_plan(const Graph& graph, const std::vector<OutputSpec>& specs) const {
  Plan plan;
  plan.groups = groups({});
  plan.constants = constants();
  plan.objects = objects(true);
  std::vector<std::string> known;
  for (const Placeholder& input : graph.inputs) {
    add_input(plan, input.name, input.type);
    known.push_back(input.name);
  }
  for (const std::string& node : cut_nodes(false)) {
    const bool present = std::any_of(graph.statements.begin(), graph.statements.end(), [&](const Statement& s) { return s.name == node; });
    if (present) add_input(plan, node, type_of(graph, node, (top() / "cut").where()));
  }
  for (const char* key : {"inputs", "ignore"}) {
    if (!value_.contains(key) || !cuts_.empty()) continue;
    for (const auto& [name, entry] : require_object(value_[key], top() / key).items()) {
      if (has(plan, name) || (std::string_view(key) == "inputs" && flat_of(name) != nullptr)) continue;
      throw InputError(DiagCode::BadPlacement, (top() / key / name).where(), key + std::string(".") + name + ": the sequential graph has no input '" + name + "'", {"its inputs: " + joined_text(known)});
    }
  }
  for (const OutputSpec& spec : specs) {
    plan.outputs.push_back(spec.node);
    plan.output_names.push_back(leaf_name(spec.name));
  }
  return plan;
}

Binding GraphRelation::flat(const std::string& name, const Type& type, const std::vector<std::int64_t>& ranks, const Plan& sequential) const {
  const Json& entry = *flat_of(name);
  const JsonPath at = top() / "inputs" / name;
  require_keys(entry, {"flat", "axes", "pad", "pad_value"}, at);
  Binding binding;
  binding.kind = Binding::Kind::Flat;
  binding.name = name;
  binding.type = type;
  binding.parts = require_strings(entry["flat"], at / "flat");
  std::int64_t length = 0;
  for (const std::string& part : binding.parts) {
    if (!has(sequential, part)) throw InputError(DiagCode::BadPlacement, (at / "flat").where(), "the sequential graph has no input '" + part + "'", {"its inputs: " + names_of(sequential)});
    length += parameter(sequential, part).type.count();
  }
  const auto axes = entry.contains("axes") ? require_strings(entry["axes"], at / "axes") : std::vector<std::string>{};
  std::int64_t blocks = 1;
  for (const std::string& axis : axes) {
    const auto found = std::find_if(mesh_.axes.begin(), mesh_.axes.end(), [&](const MeshAxis& a) { return a.name == axis; });
    if (found == mesh_.axes.end()) (at / "axes").fail("the mesh has no axis '" + axis + "'", DiagCode::BadPlacement);
    blocks *= found->size;
  }
  for (const std::int64_t rank : ranks) {
    std::int64_t position = 0;
    for (const std::string& axis : axes) {
      const auto found = std::find_if(mesh_.axes.begin(), mesh_.axes.end(), [&](const MeshAxis& a) { return a.name == axis; });
      position = position * found->size + mesh_.coordinate(rank, static_cast<int>(found - mesh_.axes.begin()));
    }
    binding.positions.push_back(position);
  }
  binding.padded = entry.contains("pad") ? require_integer(entry["pad"], at / "pad") : length;
  if (type.rank() != 1 || binding.padded < length || type.dims[0] * blocks != binding.padded) {
    at.fail("the named inputs have " + std::to_string(length) + " elements, padded " + std::to_string(binding.padded) + " over " + std::to_string(blocks) + " blocks; '" + name + "' is " + torch_text(type), DiagCode::BlockMismatch);
  }
  if (binding.padded > length && !entry.contains("pad_value")) at.fail("\"pad_value\" is missing: what stands in the padding");
  if (entry.contains("pad_value")) {
    if (!entry["pad_value"].is_number()) at.fail("\"pad_value\" is no number");
    binding.pad = entry["pad_value"].get<double>();
  }
  return binding;
}

/// An input that the ranks do not have is not split over them, but as a part of another one.
void GraphRelation::check_taken(const std::string& name, const Graph& ranks) const {
  if (!value_.contains("inputs") || !value_["inputs"].contains(name)) return;
  const auto& inputs = value_["inputs"];
  const bool part = std::any_of(inputs.begin(), inputs.end(), [&](const Json& entry) {
    return entry.is_object() && entry.contains("flat") && entry["flat"].is_array() && std::find(entry["flat"].begin(), entry["flat"].end(), Json(name)) != entry["flat"].end();
  });
  const std::string placement = inputs[name].dump();
  const bool split = std::any_of(mesh_.axes.begin(), mesh_.axes.end(), [&](const MeshAxis& a) { return a.size > 1 && placement.find(Json(a.name).dump()) != std::string::npos; });
  if (part || !split) return;
  throw InputError(DiagCode::LeafCount, (top() / "inputs" / name).where(), "inputs." + name + ": the graphs of the ranks have no input '" + name + "'",
                   {"their inputs: " + joined_text(ranks.inputs, ", ", [](const Placeholder& input) { return input.name; })});
}

Plan GraphRelation::rank_plan(const Graph& graph, const Graph& whole, const std::vector<std::int64_t>& ranks, const Plan& sequential, bool alone) const {
  Plan plan;
  plan.groups = groups(ranks);
  plan.constants = constants();
  plan.objects = objects(false);
  plan.ranks = ranks;
  const auto nodes = cut_nodes(false), own = cut_nodes(true);
  std::set<std::string> bound;
  std::vector<const Placeholder*> flats, parts;
  for (const ParameterSpec& p : sequential.parameters) {
    const auto cut = std::find(nodes.begin(), nodes.end(), p.name);
    const std::string name = cut == nodes.end() ? p.name : own[static_cast<std::size_t>(cut - nodes.begin())];
    const bool joined = value_.contains("inputs") && value_["inputs"].contains(name) && value_["inputs"][name].is_object() && value_["inputs"][name].contains("concat");
    if (joined || has(plan, name)) continue;
    const Placeholder* input = input_of(graph, name);
    if (cut != nodes.end()) {
      add_input(plan, name, type_of(graph, name, (top() / "cut").where()));
    } else if (input != nullptr) {
      add_input(plan, name, input->type);
    } else if (alone) {
      const std::string labels = labels_of(name);
      const Placeholder* unneeded = input_of(whole, labels.empty() ? name : labels);
      if (unneeded == nullptr) check_taken(p.name, whole);
      const Type type = unneeded == nullptr ? p.type : labels.empty() ? stored(unneeded->type)
                                                                      : Type::array(p.type.element, unneeded->type.dims);
      plan.parameters.push_back({p.name, type});  // of the whole where the ranks do not take it, or in another form
    } else {
      continue;
    }
    bound.insert(name);
  }
  for (const Placeholder& input : graph.inputs) {
    if (bound.count(input.name) != 0) continue;
    if (flat_of(input.name) != nullptr) {
      plan.bindings.push_back(flat(input.name, input.type, ranks, sequential));
      for (const std::string& part : plan.bindings.back().parts) {
        if (!has(plan, part)) plan.parameters.push_back(parameter(sequential, part));
      }
      continue;
    }
    bool part = false;
    if (value_.contains("inputs")) {
      for (const auto& [name, entry] : value_["inputs"].items()) {
        part = part || (entry.is_object() && entry.contains("concat") && std::find(entry["concat"].begin(), entry["concat"].end(), Json(input.name)) != entry["concat"].end());
      }
    }
    if (!part) {
      throw InputError(DiagCode::LeafCount, input.where, "input '" + input.name + "' is not related to an input of the sequential graph", {"its inputs: " + names_of(sequential), "\"flat\" or \"concat\" in \"inputs\" of the relation says what it is made of"});
    }
    add_input(plan, input.name, input.type);
  }
  return plan;
}

bool GraphRelation::inside(std::size_t axis, const std::vector<std::vector<std::int64_t>>& programs) const {
  if (programs.size() == 1) return true;
  const auto coordinate = [&](std::int64_t rank) { return mesh_.coordinate(rank, static_cast<int>(axis)); };
  return std::any_of(programs.begin(), programs.end(), [&](const auto& ranks) {
    return std::any_of(ranks.begin(), ranks.end(), [&](std::int64_t rank) { return coordinate(rank) != coordinate(ranks[0]); });
  });
}

GraphRelation::Part GraphRelation::part_of(const Json& placement, const Type& whole, std::int64_t rank, const std::vector<std::vector<std::int64_t>>& programs) const {
  if (!placement.is_array() || placement.size() != whole.dims.size()) return {};
  Part part(placement.size());
  bool split = false;
  for (std::size_t d = 0; d < placement.size(); ++d) {
    if (!placement[d].is_array()) return {};
    std::int64_t blocks = 1, place = 0;
    bool own = false;  // an axis of the programs' own: what it cuts lies inside of the part
    for (const Json& name : placement[d]) {
      const auto axis = std::find_if(mesh_.axes.begin(), mesh_.axes.end(), [&](const MeshAxis& a) { return name == a.name; });
      if (axis == mesh_.axes.end()) return {};
      const auto number = static_cast<std::size_t>(axis - mesh_.axes.begin());
      const bool common = inside(number, programs);
      if (!common && own) return {};
      own = own || common;
      if (common) continue;
      blocks *= axis->size;
      place = place * axis->size + mesh_.coordinate(rank, static_cast<int>(number));
    }
    if (whole.dims[d] % blocks != 0) return {};
    if (blocks == 1) continue;
    part[d] = std::pair{place * (whole.dims[d] / blocks), (place + 1) * (whole.dims[d] / blocks)};
    split = true;
  }
  return split ? part : Part{};
}

GraphRelation::Part GraphRelation::input_part(const ParameterSpec& whole, std::int64_t rank, const std::vector<std::vector<std::int64_t>>& programs) const {
  Type type = whole.type;
  if (whole.complex) type.dims.pop_back();
  return part_of(placement_of(whole.name, type), type, rank, programs);
}

Json GraphRelation::within(Json placement, const Type& whole, const std::vector<std::vector<std::int64_t>>& programs) const {
  if (part_of(placement, whole, 0, programs).empty()) return placement;
  for (Json& dim : placement) {
    Json rest = Json::array();
    for (const Json& name : dim) {
      const auto axis = std::find_if(mesh_.axes.begin(), mesh_.axes.end(), [&](const MeshAxis& a) { return name == a.name; });
      if (inside(static_cast<std::size_t>(axis - mesh_.axes.begin()), programs)) rest.push_back(name);
    }
    dim = rest;
  }
  return placement;
}

std::string GraphRelation::plain(const Plan& sequential, const std::vector<OutputSpec>& specs, const std::vector<std::vector<std::int64_t>>& programs) const {
  Json result = Json::object();
  Json axes = Json::array();
  for (std::size_t a = 0; a < mesh_.axes.size(); ++a) {
    if (inside(a, programs)) axes.push_back(Json::array({mesh_.axes[a].name, mesh_.axes[a].size}));
  }
  result["mesh"] = axes;
  if (value_.contains("devices") && programs.size() == 1) result["devices"] = value_["devices"];
  Json inputs = Json::array();
  for (const ParameterSpec& p : sequential.parameters) {
    Type type = p.type;
    if (p.complex) type.dims.pop_back();
    inputs.push_back(with_parts(within(placement_of(p.name, type), type, programs), p.complex));
  }
  result["inputs"] = inputs;
  Json outputs = Json::array();
  for (const OutputSpec& spec : specs) {
    outputs.push_back(within(spec.placement, spec.type, programs));
    const std::string left = outputs.back().dump();
    for (std::size_t a = 0; a < mesh_.axes.size(); ++a) {
      if (inside(a, programs) || left.find(Json(mesh_.axes[a].name).dump()) == std::string::npos) continue;
      (top() / "outputs").fail("output '" + spec.name + "' is placed over '" + mesh_.axes[a].name + "', along which the ranks run programs of their own: such an output is one that the ranks at one place return (\"on\"), or parts of it by dimension", DiagCode::BadPlacement);
    }
  }
  result["outputs"] = outputs;
  Json ranges = value_.contains("ranges") ? value_["ranges"] : Json::object();
  for (const ParameterSpec& p : sequential.parameters) {
    const std::string labels = labels_of(p.name);
    if (labels.empty()) continue;
    const double share = value_["ignore"][labels][1].get<double>();
    ranges[p.name] = Json::array({0, static_cast<std::int64_t>(std::clamp(std::round(1 / share), 2.0, 1000.0))});
  }
  if (!ranges.empty()) result["ranges"] = ranges;
  for (const char* key : {"recorded", "note"}) {
    if (value_.contains(key)) result[key] = value_[key];
  }
  return result.dump(1) + "\n";
}

}  // namespace gg::fx
