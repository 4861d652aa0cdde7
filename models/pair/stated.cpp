#include "models/pair/stated.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/ir/control_flow.h"
#include "models/relation/bodies.h"
#include "models/relation/json.h"

namespace gg {
namespace {

[[noreturn]] void fail(const std::string& problem) { throw InputError(DiagCode::Usage, {}, "--assume: " + problem); }

bool is_named(const std::string& instance, const std::string& name) {
  if (name.find('/') != std::string::npos) return instance == name;
  const std::string last = instance.substr(instance.rfind('/') + 1);
  return last == (name.empty() || name[0] != '%' ? "%" + name : name);
}

/// The one array of the entry computation that is called so.
std::uint32_t node_of(const Module& module, const FlatProgram& flat, const std::string& name, const std::string& program) {
  std::vector<std::string> found;
  std::uint32_t result = 0;
  for (std::uint32_t node = 0; node < flat.nodes.size(); ++node) {
    if (!flat.paths[flat.nodes[node].path].branches.empty()) continue;  // not every rank computes it
    const std::string instance = to_string(module, flat.instance(flat.nodes[node]));
    if (!is_named(instance, name)) continue;
    found.push_back(instance);
    result = node;
  }
  if (found.empty()) fail("the " + program + " program has no value '" + name + "' outside of loops and branches");
  if (found.size() > 1) {
    fail("'" + name + "' names " + std::to_string(found.size()) + " values of the " + program + " program, such as '" + found[0] +
         "' and '" + found[1] + "'");
  }
  if (!module.type(flat.nodes[result].instruction).is_array()) fail("'" + name + "' of the " + program + " program is no array");
  return result;
}

/// The list of a relation file, without blanks: a certificate's fields are separated by them.
std::string compact(const Placement& placement, const Mesh& mesh) {
  const std::string text = Json::parse(print_placement(placement, mesh, Notation::Json)).dump();
  if (text.find(' ') != std::string::npos) fail("the placement " + text + " has a mesh axis with a blank in its name");
  return text;
}

Placement placement_from_text(const std::string& text, const Mesh& mesh, int rank) {
  const std::string file = "--assume";
  const Json entry = !text.empty() && (text[0] == '[' || text[0] == '"') ? parse_json(text, file) : Json(text);
  Placement placement = placement_from_json(entry, mesh, rank, {file, "placement"});
  if (placement.kind == Placement::Kind::Tiled) {
    placement.dims.resize(static_cast<std::size_t>(rank));
    return placement;
  }
  fail("'" + text + "' is no placement of one value in blocks");
}

}  // namespace

Assumption equal_assumption(const Case& c, const Instance& sequential, const Instance& distributed, const Placement& placement) {
  return {AssumptionKind::Equal, {to_string(*c.sequential, sequential), to_string(*c.distributed, distributed), compact(placement, c.relation.mesh)}};
}

Assumption parse_equal(const Case& c, const std::string& text) {
  std::vector<std::string> fields;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = fields.size() == 3 ? text.size() : std::min(text.find(':', from), text.size());
    fields.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  if (fields.size() < 3 || fields[0] != "equal") fail("'" + text + "' is not equal:SEQ:DIST or equal:SEQ:DIST:PLACEMENT");
  const FlatProgram one = flatten(*c.sequential), many = flatten(*c.distributed);
  const FlatNode& s = one.nodes[node_of(*c.sequential, one, fields[1], "sequential")];
  const FlatNode& d = many.nodes[node_of(*c.distributed, many, fields[2], "distributed")];
  const Type &global = c.sequential->type(s.instruction), &local = c.distributed->type(d.instruction);
  Placement placement;
  placement.dims.resize(global.dims.size());
  if (fields.size() == 4) {
    placement = placement_from_text(fields[3], c.relation.mesh, static_cast<int>(global.rank()));
  } else if (global.dims != local.dims) {
    fail("'" + fields[1] + "' and '" + fields[2] + "' have different shapes, so their placement is needed: equal:SEQ:DIST:PLACEMENT");
  }
  return equal_assumption(c, one.instance(s), many.instance(d), placement);
}

EqualValues equal_values(Case& c, const Assumption& assumption) {
  const std::vector<std::string>& a = assumption.arguments;
  if (a.size() != 3) fail("equal needs two values and a placement");
  const FlatProgram one = flatten(*c.sequential), many = flatten(*c.distributed);
  EqualValues values;
  values.sequential = node_of(*c.sequential, one, a[0], "sequential");
  values.distributed = node_of(*c.distributed, many, a[1], "distributed");
  const InstructionId s = one.nodes[values.sequential].instruction, d = many.nodes[values.distributed].instruction;
  if ((*c.distributed)[d].op == Op::Parameter) fail("'" + a[1] + "' is a parameter, which the relation places");
  const Type &global = c.sequential->type(s), &local = c.distributed->type(d);
  const Placement placement = placement_from_text(a[2], c.relation.mesh, static_cast<int>(global.rank()));
  const MeshForms mesh(*c.arena, c.relation.mesh, c.relation.digits);
  check_block(mesh, placement.dims, global, local, {"--assume " + a[1], {}});
  values.body = shard_body(mesh, placement.dims, 0, {}, global, local);
  return values;
}

namespace {

constexpr std::size_t kShown = 20;

}  // namespace

bool is_control(const std::string& text) { return text.rfind("terminates:", 0) == 0 || text.rfind("uniform:", 0) == 0; }

std::vector<Assumption> parse_control(const Case& c, const std::string& text) {
  const std::size_t colon = text.find(':');
  const bool loop = text.substr(0, colon) == "terminates";
  const std::string name = text.substr(colon + 1);
  std::vector<Assumption> result;
  std::vector<std::string> all;
  for (const Duty& duty : ControlFlow(*c.distributed, c.relation.layout).all()) {
    if (duty.loop != loop) continue;
    const std::string instance = to_string(*c.distributed, duty.instance);
    all.push_back(instance);
    if (is_named(instance, name)) result.push_back({loop ? AssumptionKind::Terminates : AssumptionKind::Uniform, {instance}});
  }
  if (!result.empty()) return result;
  const std::string what = loop ? "while" : "conditional with a collective inside";
  std::string message = "the distributed program has no " + what + " '" + name + "'";
  for (std::size_t k = 0; k < all.size() && k < kShown; ++k) message += (k == 0 ? "; there are '" : ", '") + all[k] + "'";
  fail(message + (all.size() > kShown ? ", ..." : ""));
}

std::vector<Assumption> parse_stated(const Case& c, const std::string& text) {
  return is_control(text) ? parse_control(c, text) : std::vector<Assumption>{parse_equal(c, text)};
}

}  // namespace gg
