// Loading cases: folders or two files, with a relation file or the shardings of the sequential module.
#include "models/pair/case.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>
#include <set>

#include "models/base/file.h"
#include "models/base/progress.h"
#include "models/hlo/parser.h"
#include "models/ir/verify.h"
#include "models/relation/programs.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

// A relation on one device: every leaf is the whole tensor.
std::string whole_leaves(const Module& module) {
  const auto list = [](std::size_t count) {
    std::string text;
    for (std::size_t k = 0; k < count; ++k) text += k == 0 ? "\"replicated\"" : ", \"replicated\"";
    return "[" + text + "]";
  };
  return R"({"mesh": [["device", 1]], "inputs": )" + list(input_leaves(module).size()) + R"(, "outputs": )" +
         list(output_leaves(module).size()) + "}";
}

// `path`, or "" if there is no such file, compressed or not.
std::string optional_file(const std::string& folder, const std::string& stem) {
  for (const char* suffix : {"", ".gz"}) {
    const std::string path = (fs::path(folder) / (stem + suffix)).string();
    if (is_file(path)) return path;
  }
  return "";
}

// The name without folders, ".gz" and ".hlo" or ".txt".
std::string stem_of(const std::string& file) {
  fs::path path = fs::path(file).filename();
  if (path.extension() == ".gz") path = path.stem();
  return path.stem().string();
}

// How texts are read, and what their hashes cover beside them.
struct Reading {
  ParseOptions options;
  std::string definitions;
  std::vector<Assumption> stated;
};

Reading reading(const CaseOptions& options) {
  Reading result;
  result.options.allow_elided = options.allow_elided;
  result.options.accept_unknown_calls = true;  // opaque: the rest of the program is still looked at
  for (const std::string& text : options.opaque_targets) {
    const OpaqueTarget opaque = parse_opaque_target(text);
    result.options.opaque_batch_dims.emplace_back(opaque.target, opaque.batch_dims);
  }
  for (const std::string& path : options.definitions) {
    result.options.definitions.push_back(load_definitions(path));
    const DefinitionFile& file = result.options.definitions.back();
    result.definitions += file.text;
    result.stated.push_back({AssumptionKind::Defined, {file.target, file.hash}});
  }
  return result;
}

// Constants that the text does not show, where that was allowed.
void note_elided(const Module& module, const char* side, std::vector<Assumption>& stated) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module[id].op != Op::Constant || module.attributes(id).has(Attr::Literal)) continue;
    const std::string_view computation = module.string(module.computation(module.computation_of(id)).name);
    stated.push_back({AssumptionKind::ElidedConstants, {side + std::string(computation) + "/%" + std::string(module.name_of(id))}});
  }
}

std::unique_ptr<Module> parse(const std::string& file, const Reading& how, std::string& hash) {
  const std::string text = read_file(file);
  hash = content_hash(text + how.definitions);
  return std::make_unique<Module>(parse_hlo(text, file, how.options));
}

// The programs of a relation as one module, and what becomes of the sequential one and the relation's text; the hash is of all
// texts, in the order of the list.
void parse_programs(const ProgramList& list, const std::string& relation, Reading how, Case& c) {
  const ParseOptions checked = how.options;
  how.options.keep_transfers = true;
  std::vector<Module> modules;
  std::string texts;
  for (const ProgramText& program : list.programs) {
    const std::string file = path_beside(relation, program.file);
    const std::string text = read_file(file);
    texts += content_hash(text) + "\n";
    modules.push_back(parse_hlo(text, file, how.options));
  }
  c.hashes.distributed = content_hash(texts + how.definitions);
  MergedPrograms merged = merge_rank_classes(list, modules, *c.sequential, relation);
  verify(merged.module, {checked.opaque_targets, checked.allow_elided, checked.accept_unknown_calls});
  c.distributed = std::make_unique<Module>(std::move(merged.module));
  c.relation_text = list.relation;
  if (merged.copies.empty()) return;
  c.relation_text = relation_with_copies(list.relation, relation, *c.sequential, merged.copies);
  c.sequential = std::make_unique<Module>(with_output_copies(*c.sequential, merged.copies));
}

// The texts of the modules that the relation refers to: they are part of it.
std::string placement_programs(const Relation& relation) {
  std::string text;
  for (const auto* placements : {&relation.input_placements, &relation.output_placements}) {
    for (const Placement& placement : *placements) {
      if (placement.kind != Placement::Kind::Hlo) continue;
      text += read_file(path_beside(relation.file, placement.hlo_file));
    }
  }
  return text;
}

Case load(const std::string& sequential, const std::string& distributed, const std::string& relation,
          const CaseOptions& options) {
  enter_phase("reading");
  Case result;
  result.arena = std::make_unique<Arena>();
  const Reading how = reading(options);
  const std::string relation_text = relation.empty() ? "" : read_file(relation);
  const auto programs = relation.empty() ? std::nullopt : read_programs(relation_text, relation);
  if (!programs && distributed.empty()) {
    throw InputError(DiagCode::Usage, {sequential}, "there is no distributed program: neither a text nor \"programs\" in a relation");
  }
  result.sequential = parse(sequential, how, result.hashes.sequential);
  const Module& whole = *result.sequential;
  if (options.input_names.size() == whole.computation(whole.entry()).parameters.size()) {
    result.sequential->parameter_names = options.input_names;
  }
  if (distributed.empty()) {
    parse_programs(*programs, relation, how, result);
  } else {
    result.distributed = parse(distributed, how, result.hashes.distributed);
  }
  if (options.one_device) {
    for (Module* module : {result.sequential.get(), result.distributed.get()}) {
      module->replica_count.reset();
      module->num_partitions.reset();
    }
    result.relation_text = whole_leaves(*result.sequential);
    result.relation = read_relation(*result.arena, result.relation_text, "relation.json", *result.sequential, *result.distributed);
  } else if (relation.empty()) {
    result.relation = relation_from_shardings(*result.arena, *result.sequential, *result.distributed);
    result.relation_text = print_relation(result.relation, Notation::Json);
  } else {
    if (!distributed.empty()) result.relation_text = relation_text;
    result.relation =
        read_relation(*result.arena, result.relation_text, relation, *result.sequential, *result.distributed);
  }
  result.hashes.relation = content_hash((relation.empty() || options.one_device ? result.relation_text : relation_text) + placement_programs(result.relation));
  std::set<const FreeInput*> given;
  for (const auto& [input, range] : options.ranges) set_range(result.relation, input, range.lo, range.hi, {"--range"}, given);
  result.stated = how.stated;
  note_elided(*result.sequential, "S ", result.stated);
  note_elided(*result.distributed, "D ", result.stated);
  std::sort(result.stated.begin(), result.stated.end());
  result.sequential_bodies = std::make_unique<BodyTable>(*result.arena, *result.sequential, RankDigits(), RankLayout());
  result.distributed_bodies =
      std::make_unique<BodyTable>(*result.arena, *result.distributed, result.relation.digits, result.relation.layout);
  result.manual_regions = count_manual_regions(*result.sequential);
  if (result.manual_regions != 0) {
    const RankLayout layout = result.relation.layout;
    result.manual_bodies = std::make_unique<BodyTable>(
        *result.arena, *result.sequential, rank_digits(*result.sequential, result.relation.mesh, layout), layout);
  }
  return result;
}

}  // namespace

int count_manual_regions(const Module& module) {
  std::vector<InstructionId> parent(module.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](InstructionId id) {
    while (parent[id] != id) id = parent[id] = parent[parent[id]];
    return id;
  };
  std::vector<bool> manual(module.size(), false);
  std::set<InstructionId> borders;
  for (InstructionId id = 0; id < module.size(); ++id) {
    const std::string& target = module[id].op == Op::CustomCall ? module.attributes(id).text(Attr::CustomCallTarget) : std::string();
    const bool leaves = target == "SPMDShardToFullShape";
    manual[id] = target == "SPMDFullToShardShape";
    if (manual[id] || leaves) borders.insert(id);
    if (manual[id]) continue;
    for (const InstructionId operand : module.operands(id)) {
      if (!manual[operand] && !leaves) continue;
      parent[root(operand)] = root(id);
      manual[id] = !leaves;
    }
  }
  std::set<InstructionId> regions;
  for (const InstructionId id : borders) regions.insert(root(id));
  return static_cast<int>(regions.size());
}

void add_range(CaseOptions& options, const std::string& text) {
  const auto equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  const auto number = [&](std::size_t from, std::size_t to) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, value);
    if (from >= to || error != std::errc{} || end != text.data() + to) throw InputError(DiagCode::Usage, {}, "'" + text + "' is not of the form NAME=LO:HI");
    return value;
  };
  if (equals == std::string::npos || colon == std::string::npos) number(0, 0);
  const Range range{number(equals + 1, colon), number(colon + 1, text.size()), Range::Origin::Given};
  if (!options.ranges.emplace(text.substr(0, equals), range).second) {
    throw InputError(DiagCode::BadRange, {"--range"}, "range of input '" + text.substr(0, equals) + "': it is given twice");
  }
}

OpaqueTarget parse_opaque_target(const std::string& text) {
  const auto colon = text.rfind(":batch=");
  OpaqueTarget result{text.substr(0, colon), {}};
  if (colon == std::string::npos) return result;
  std::string number;
  for (const char c : text.substr(colon + 7) + ",") {
    if (c != ',') {
      number += c;
      continue;
    }
    if (number.empty() || number.size() > 3 || number.find_first_not_of("0123456789") != std::string::npos) {
      throw InputError(DiagCode::Usage, {}, "'" + text + "' is not of the form NAME:batch=0,1");
    }
    result.batch_dims.push_back(std::stoll(number));
    number.clear();
  }
  return result;
}

bool has_transfers(const Case& c) { return c.sequential->replaced_transfers + c.distributed->replaced_transfers > 0; }

std::vector<std::string> opaque_calls(const Case& c) {
  std::set<std::string> targets;
  for (const Module* module : {c.sequential.get(), c.distributed.get()}) {
    for (const InstructionId id : unsupported_calls(*module, {})) {
      targets.insert(module->attributes(id).text(Attr::CustomCallTarget));
    }
  }
  return {targets.begin(), targets.end()};
}

Case load_case(const std::string& folder, const CaseOptions& options) {
  if (is_file(folder) && !options.relation_file.empty()) return load_case(folder, "", options);
  if (!is_folder(folder)) {
    throw InputError(DiagCode::FileMissing, {folder}, "'" + folder + "' is no folder");
  }
  if (optional_file(folder, "sequential.hlo").empty() && !optional_file(folder, "sequential.fx").empty()) {
    throw InputError(DiagCode::NotYet, {folder}, "this case holds FX graphs, which this build does not read");
  }
  const std::string relation =
      options.relation_file.empty() ? optional_file(folder, "relation.json") : options.relation_file;
  std::string distributed = optional_file(folder, "distributed.hlo");
  if (distributed.empty() && (relation.empty() || !read_programs(read_file(relation), relation))) {
    distributed = find_file(folder, "distributed.hlo");  // says what is missing
  }
  Case result = load(find_file(folder, "sequential.hlo"), distributed, relation, options);
  result.folder = folder;
  fs::path name = fs::path(folder).lexically_normal();
  if (name.filename().empty()) name = name.parent_path();
  if (name.filename() == "." || name.filename() == "..") name = fs::absolute(name).lexically_normal();
  if (name.filename().empty()) name = name.parent_path();
  result.name = name.filename().string();
  return result;
}

Case load_case(const std::string& sequential, const std::string& distributed, const CaseOptions& options) {
  Case result = load(sequential, distributed, options.relation_file, options);
  result.name = stem_of(distributed.empty() ? options.relation_file : distributed);
  return result;
}

Case with_modules(const Case& c, Module sequential, Module distributed) {
  Case result;
  result.folder = c.folder;
  result.name = c.name;
  result.arena = std::make_unique<Arena>();
  result.sequential = std::make_unique<Module>(std::move(sequential));
  result.distributed = std::make_unique<Module>(std::move(distributed));
  result.relation_text = c.relation_text;
  result.relation = c.relation.file.empty()
                        ? relation_from_shardings(*result.arena, *result.sequential, *result.distributed)
                        : read_relation(*result.arena, c.relation_text, c.relation.file, *result.sequential,
                                        *result.distributed);
  for (std::size_t k = 0; k < c.relation.free.size(); ++k) {
    FreeInput& input = result.relation.free[k];
    input.range = c.relation.free[k].range;
    input.corners = c.relation.free[k].corners;
    input.in_bounds = c.relation.free[k].in_bounds;
  }
  result.hashes = c.hashes;
  result.stated = c.stated;
  result.sequential_bodies =
      std::make_unique<BodyTable>(*result.arena, *result.sequential, RankDigits(), RankLayout());
  result.distributed_bodies = std::make_unique<BodyTable>(*result.arena, *result.distributed, result.relation.digits,
                                                          result.relation.layout);
  return result;
}

}  // namespace gg
