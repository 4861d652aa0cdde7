// Keys of graphs' relation files, and the plain relation that is left when they have been applied.
#include "models/fx/relation.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "models/fx/complex.h"
#include "models/relation/placement.h"

namespace gg::fx {
namespace {

/// Names, for a message about one that is not among them.
std::vector<std::string> list_of(const std::vector<std::string>& names, const std::string& what) {
  std::string text;
  for (const std::string& name : names) {
    if (text.size() < 300) text += (text.empty() ? "" : ", ") + name;
  }
  return {what + ": " + (text.empty() ? "none" : text)};
}

/// What the statements of a text read of `self`, and what they call it.
std::vector<std::string> attributes_of(const std::string& text) {
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::set<std::string> names;
  for (const std::string_view marker : {" = self.", " = torch.ops.aten.lift_fresh_copy.default("}) {
    for (std::size_t at = text.find(marker); at != std::string::npos; at = text.find(marker, at + 1)) {
      std::size_t end = at + marker.size(), start = at;
      while (end < text.size() && word(text[end])) ++end;
      names.insert(text.substr(at + marker.size(), end - at - marker.size()));
      start = text.rfind('\n', at) + 1;
      while (start < at && !word(text[start])) ++start;
      end = start;
      while (end < at && word(text[end])) ++end;
      names.insert(text.substr(start, end - start));
    }
  }
  return {names.begin(), names.end()};
}

bool complex_node(const Graph& graph, const std::string& node) {
  const auto input = std::find_if(graph.inputs.begin(), graph.inputs.end(), [&](const Placeholder& p) { return p.name == node; });
  if (input != graph.inputs.end()) return is_complex(input->type.element);
  const auto made = std::find_if(graph.statements.begin(), graph.statements.end(), [&](const Statement& s) { return s.name == node; });
  return made != graph.statements.end() && made->type && is_complex(made->type->element);
}

}  // namespace

GraphRelation::GraphRelation(const std::string& text, const std::string& file) : file_(file), value_(parse_json(text, file)) {
  require_object(value_, top());
  require_keys(value_, {"mesh", "devices", "inputs", "outputs", "default", "ranges", "recorded", "note", "groups", "sequential_groups", "objects", "sequential_objects", "ignore", "masks", "output_names", "cut", "constants", "sizes", "sequential_sizes", "written"},
               top());
  for (const char* key : {"mesh", "outputs"}) {
    if (!value_.contains(key)) top().fail("\"" + std::string(key) + "\" is missing");
  }
  mesh_ = mesh_from_json(value_, top());
  if (value_.contains("inputs") && !value_["inputs"].is_array()) require_object(value_["inputs"], top() / "inputs");
  check_groups("groups", mesh_.ranks());
  check_groups("sequential_groups", 1);
  if (!value_.contains("cut")) return;
  for (const auto& [node, entry] : require_object(value_["cut"], top() / "cut").items()) cuts_.insert(node);
}

void GraphRelation::name_inputs(const Graph& sequential) {
  if (!value_.contains("inputs") || value_["inputs"].is_object()) return;
  const Json list = value_["inputs"];
  if (list.size() != sequential.inputs.size()) {
    (top() / "inputs").fail("the relation places " + std::to_string(list.size()) + " inputs, the sequential graph takes " + std::to_string(sequential.inputs.size()), DiagCode::LeafCount);
  }
  value_["inputs"] = Json::object();
  for (std::size_t k = 0; k < list.size(); ++k) value_["inputs"][sequential.inputs[k].name] = list[k];
}

std::vector<std::string> GraphRelation::written() const {
  return value_.contains("written") ? require_strings(value_["written"], top() / "written") : std::vector<std::string>();
}

std::vector<std::string> GraphRelation::cut_nodes(bool ranks) const {
  std::vector<std::string> nodes;
  if (!value_.contains("cut")) return nodes;
  for (const auto& [node, entry] : value_["cut"].items()) {
    const JsonPath at = top() / "cut" / node;
    require_keys(require_object(entry, at), {"node", "placement"}, at);
    nodes.push_back(ranks && entry.contains("node") ? require_string(entry["node"], at / "node") : node);
  }
  return nodes;
}

Graph GraphRelation::with_masks(Graph graph, bool ranks) const {
  if (!value_.contains("masks")) return graph;
  const auto draws = [](const Statement& s) {
    const bool off = s.arguments.size() > 2 && s.arguments[2].kind == Argument::Kind::Bool && s.arguments[2].integer == 0;
    return draws_numbers(s.target) || (is_dropout(s.target) && s.arguments.size() >= 2 && s.keywords.empty() && !off);
  };
  std::vector<std::string> drawn;
  for (const Statement& s : graph.statements) {
    if (draws(s)) drawn.push_back(s.name);
  }
  for (const auto& [name, entry] : require_object(value_["masks"], top() / "masks").items()) {
    const JsonPath at = top() / "masks" / name;
    const bool named = ranks && entry.is_object() && entry.contains("node");
    const std::string node = named ? require_string(entry["node"], at / "node") : name;
    const auto call = std::find_if(graph.statements.begin(), graph.statements.end(), [&](const Statement& s) { return s.name == node && draws(s); });
    if (call == graph.statements.end()) {
      if (ranks && !named) continue;  // a rank that does not run it
      throw InputError(DiagCode::UnknownName, at.where(), "'" + node + "' of " + graph.file + " draws nothing", list_of(drawn, "those that do:"));
    }
    if (draws_numbers(call->target)) {
      graph.inputs.push_back({name + kMask, type_of(graph, node, at.where()), call->where});
      call->kind = Statement::Kind::Copy;
      call->target = name + kMask;
      call->arguments.clear();
      call->keywords.clear();
      continue;
    }
    const Type mask = Type::array(ElementType::Pred, type_of(graph, call->arguments[0].text, at.where()).dims);
    graph.inputs.push_back({name + kMask, mask, call->where});
    call->target = "gg.dropout.default";
    call->arguments.resize(2);
    call->keywords.clear();
    call->arguments.emplace_back();
    call->arguments.back().kind = Argument::Kind::Name;
    call->arguments.back().text = name + kMask;
  }
  return graph;
}

std::vector<OutputSpec> GraphRelation::outputs(const Graph& sequential) const {
  std::vector<OutputSpec> specs;
  const Json& list = value_["outputs"];
  const JsonPath at = top() / "outputs";
  const auto read = [&](const std::string& node, const Json& entry, std::size_t index, const JsonPath& here) {
    OutputSpec spec{node, node, {}, entry, "", index, {}};
    if (entry.is_object() && (entry.contains("on") || entry.contains("index") || entry.contains("node") || entry.contains("equals") || entry.contains("placement"))) {
      require_keys(entry, {"on", "index", "node", "equals", "placement"}, here);
      if (entry.contains("on")) {
        for (const auto& [axis, coordinate] : require_object(entry["on"], here / "on").items()) spec.on[axis] = require_integer(coordinate, here / "on" / axis);
      }
      if (entry.contains("index")) spec.index = static_cast<std::size_t>(std::max<std::int64_t>(0, require_integer(entry["index"], here / "index")));
      if (entry.contains("node")) spec.other = require_string(entry["node"], here / "node");
      if (entry.contains("equals")) spec.other = require_string(entry["equals"], here / "equals");
      spec.placement = entry.contains("placement") ? entry["placement"] : Json("replicated");
    }
    spec.placement = with_parts(std::move(spec.placement), complex_node(sequential, node));
    if (spec.placement.is_string() && spec.placement == "ignored") return;
    spec.type = stored(type_of(sequential, node, here.where()));
    specs.push_back(std::move(spec));
  };
  if (list.is_object()) {
    for (const auto& [node, entry] : list.items()) {
      const std::size_t before = specs.size();
      type_of(sequential, node, (at / node).where());
      read(node, entry, 0, at / node);
      if (specs.size() > before && specs.back().other.empty()) specs.back().other = node;
    }
    return specs;
  }
  std::vector<std::size_t> values;
  for (std::size_t k = 0; k < sequential.outputs.size(); ++k) {
    if (sequential.outputs[k].kind == Argument::Kind::Name) values.push_back(k);
  }
  require_array(list, at);
  const bool all = list.size() == sequential.outputs.size();
  if (!all && list.size() != values.size()) {
    at.fail("the relation places " + std::to_string(list.size()) + " outputs, the sequential graph returns " + std::to_string(values.size()) + " tensors", DiagCode::LeafCount);
  }
  const Json names = value_.contains("output_names") ? value_["output_names"] : Json::array();
  if (!names.empty() && require_array(names, top() / "output_names").size() != list.size()) (top() / "output_names").fail("it has another length than \"outputs\"", DiagCode::LeafCount);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::size_t leaf = all ? k : values[k];
    if (sequential.outputs[leaf].kind != Argument::Kind::Name) continue;
    const std::size_t before = specs.size();
    read(sequential.outputs[leaf].text, list[k], leaf, at / k);
    if (specs.size() > before && !names.empty()) specs.back().name = require_string(names[k], top() / "output_names" / k);
  }
  return specs;
}

std::vector<std::int64_t> GraphRelation::along(const std::vector<std::string>& axes, std::int64_t rank) const {
  std::vector<std::int64_t> members;
  for (std::int64_t other = 0; other < mesh_.ranks(); ++other) {
    bool together = true;
    for (std::size_t a = 0; a < mesh_.axes.size(); ++a) {
      const bool free = std::find(axes.begin(), axes.end(), mesh_.axes[a].name) != axes.end();
      together = together && (free || mesh_.coordinate(other, static_cast<int>(a)) == mesh_.coordinate(rank, static_cast<int>(a)));
    }
    if (together) members.push_back(other);
  }
  return members;
}

/// A name means mesh axes, a group, or groups that share no rank.
void GraphRelation::check_groups(const char* key, std::int64_t ranks) const {
  if (!value_.contains(key)) return;
  for (const auto& [name, entry] : require_object(value_[key], top() / key).items()) {
    const JsonPath at = top() / key / name;
    require_array(entry, at);
    std::set<std::string> axes;
    std::map<std::int64_t, std::string> places;  // of the ranks
    const auto add = [&](const Json& group, const JsonPath& here) {
      const auto members = require_integers(group, here);
      for (std::size_t k = 0; k < members.size(); ++k) {
        const std::string place = (here / k).text;
        if (members[k] < 0 || members[k] >= ranks) (here / k).fail("there is no rank " + std::to_string(members[k]) + ", the ranks are 0 to " + std::to_string(ranks - 1), DiagCode::BadGroups);
        const auto [first, added] = places.emplace(members[k], place);
        if (!added) (here / k).fail("rank " + std::to_string(members[k]) + " stands in " + first->second + " already", DiagCode::BadGroups);
      }
    };
    for (std::size_t k = 0; k < entry.size(); ++k) {
      if (entry[k].is_array()) {
        add(entry[k], at / k);
      } else if (entry[k].is_string()) {
        const std::string axis = require_strings(entry, at)[k];
        const bool known = std::any_of(mesh_.axes.begin(), mesh_.axes.end(), [&](const MeshAxis& a) { return a.name == axis; });
        if (!known) (at / k).fail("the mesh has no axis '" + axis + "'", DiagCode::BadGroups);
        if (!axes.insert(axis).second) (at / k).fail("the axis '" + axis + "' is given twice", DiagCode::BadGroups);
      } else {
        add(entry, at);
        break;
      }
    }
  }
}

std::vector<std::int64_t> GraphRelation::group_of(const std::string& name, std::int64_t rank, bool sequential, const Location& where) const {
  const std::string key = sequential ? "sequential_groups" : "groups";
  if (sequential && !value_.contains(key)) return {0};  // one rank: every group is itself
  const Json known = value_.contains(key) ? value_[key] : Json::object();
  const JsonPath at = top() / key;
  const std::string found = known.contains(name) ? name : "*";
  if (!require_object(known, at).contains(found)) {
    std::vector<std::string> names;
    for (const auto& [other, entry] : known.items()) names.push_back(other);
    throw InputError(DiagCode::BadGroups, where, "process group '" + name + "' is not in \"" + key + "\" of the relation", list_of(names, "known are"));
  }
  const Json& entry = require_array(known[found], at / found);
  if (!entry.empty() && entry[0].is_string()) return along(require_strings(entry, at / found), rank);
  if (!entry.empty() && entry[0].is_array()) {
    for (std::size_t k = 0; k < entry.size(); ++k) {
      const auto members = require_integers(entry[k], at / found / k);
      if (std::find(members.begin(), members.end(), rank) != members.end()) return members;
    }
  } else {
    const auto members = require_integers(entry, at / found);
    if (std::find(members.begin(), members.end(), rank) != members.end()) return members;
  }
  throw InputError(DiagCode::BadGroups, where, "rank " + std::to_string(rank) + " is not in process group '" + name + "', which it calls");
}

Groups GraphRelation::groups(const std::vector<std::int64_t>& ranks) const {
  Groups result;
  const bool sequential = ranks.empty();
  result.ranks = sequential ? 1 : static_cast<std::int64_t>(ranks.size());
  const std::vector<std::int64_t> members = sequential ? std::vector<std::int64_t>{0} : ranks;
  result.find = [this, members, sequential](const std::vector<std::string>& names, const Location& where) {
    std::vector<std::vector<std::int64_t>> groups;
    std::vector<bool> seen(members.size(), false);
    for (std::size_t r = 0; r < members.size(); ++r) {
      std::vector<std::int64_t> group;
      for (const std::int64_t rank : group_of(names[names.size() == 1 ? 0 : r], members[r], sequential, where)) {
        const auto seat = std::find(members.begin(), members.end(), rank);
        if (seat == members.end()) {
          throw InputError(DiagCode::UnsupportedForm, where, "the ranks of this group run different programs: rank " + std::to_string(members[r]) + " and rank " + std::to_string(rank));
        }
        group.push_back(seat - members.begin());
      }
      if (std::find(groups.begin(), groups.end(), group) != groups.end()) continue;
      for (const std::int64_t seat : group) {
        if (seen[static_cast<std::size_t>(seat)]) {
          throw InputError(DiagCode::BadGroups, where, "rank " + std::to_string(members[static_cast<std::size_t>(seat)]) + " is in two of the groups that the ranks call here");
        }
        seen[static_cast<std::size_t>(seat)] = true;
      }
      groups.push_back(group);
    }
    return groups;
  };
  return result;
}

std::map<std::string, double> GraphRelation::constants() const {
  std::map<std::string, double> result;
  if (!value_.contains("constants")) return result;
  for (const auto& [name, entry] : require_object(value_["constants"], top() / "constants").items()) {
    if (!entry.is_number()) (top() / "constants" / name).fail("a constant is a number, found " + entry.dump());
    result[name] = entry.get<double>();
  }
  return result;
}

void GraphRelation::check_attributes(const std::string& sequential, const std::string& ranks) const {
  const auto check = [&](const char* key, const std::string& text) {
    if (!value_.contains(key)) return;
    const std::vector<std::string> names = attributes_of(text);
    for (const auto& [name, entry] : require_object(value_[key], top() / key).items()) {
      const bool found = std::any_of(names.begin(), names.end(), [&, &n = name](const std::string& own) {
        return n.empty() || n.back() != '*' ? own == n : own.compare(0, n.size() - 1, n, 0, n.size() - 1) == 0;
      });
      if (!found) throw InputError(DiagCode::UnknownName, (top() / key / name).where(), "no graph reads '" + name + "'", list_of(names, "they read"));
    }
  };
  check("objects", ranks);
  check("sequential_objects", sequential);
  check("constants", sequential + ranks);
}

Sizes GraphRelation::sizes(bool sequential) const {
  Sizes result;
  const char* key = sequential ? "sequential_sizes" : "sizes";
  if (!value_.contains(key)) return result;
  for (const auto& [name, entry] : require_object(value_[key], top() / key).items()) result.symbols[name] = require_integer(entry, top() / key / name);
  return result;
}

std::map<std::string, std::string> GraphRelation::objects(bool sequential) const {
  std::map<std::string, std::string> result;
  const char* key = sequential ? "sequential_objects" : "objects";
  if (!value_.contains(key)) return result;
  for (const auto& [name, entry] : require_object(value_[key], top() / key).items()) {
    const JsonPath at = top() / key / name;
    require_keys(require_object(entry, at), {"group", "op"}, at);
    for (const char* field : {"group", "op"}) {
      if (entry.contains(field)) result[name] = require_string(entry[field], at / field);
    }
  }
  return result;
}

}  // namespace gg::fx
