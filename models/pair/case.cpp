// Loading cases: folders or two files, with a relation file or the shardings of the sequential module.
#include "models/pair/case.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>
#include <set>

#include "models/base/file.h"
#include "models/base/progress.h"
#include "models/base/text.h"
#include "models/ir/kinds.h"
#include "models/ir/verify.h"
#include "models/op/body_support.h"
#include "models/pair/frontend.h"
#include "models/relation/programs.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

// A relation on one device: every leaf is the whole tensor.
std::string whole_leaves(const Module& module) {
  const auto list = [](std::size_t count) {
    return "[" + joined_text(std::vector<std::string>(count, "\"replicated\"")) + "]";
  };
  return R"({"mesh": [["device", 1]], "inputs": )" + list(input_leaves(module).size()) + R"(, "outputs": )" +
         list(output_leaves(module).size()) + "}";
}

// The name without folders, ".gz" and ".hlo" or ".txt".
std::string stem_of(const std::string& file) {
  fs::path path = fs::path(file).filename();
  if (path.extension() == ".gz") path = path.stem();
  return path.stem().string();
}

// Constants that the text does not show, where that was allowed.
void note_elided(const Module& module, const char* side, std::vector<Assumption>& stated) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module[id].op != Op::Constant || module.attributes(id).has(Attr::Literal)) continue;
    const std::string_view computation = module.string(module.computation(module.computation_of(id)).name);
    stated.push_back({AssumptionKind::ElidedConstants, {side + std::string(computation) + "/%" + std::string(module.name_of(id))}});
  }
}

/// Is a value made of constants alone?
bool of_constants(const Module& module, InstructionId id) {
  std::set<InstructionId> seen{id};
  for (std::vector<InstructionId> todo{id}; !todo.empty();) {
    const InstructionId at = todo.back();
    todo.pop_back();
    const auto operands = module.operands(at);
    if (operands.empty() && !is_constant(module, at) && !is_count(module, at)) return false;
    for (const InstructionId operand : operands) {
      if (seen.insert(operand).second) todo.push_back(operand);
    }
  }
  return true;
}

/// `unique_indices` and `indices_are_sorted` of several indices that the text does not show: HLO says of no other index what is then computed.
/// Nor does it say in which order several updates of an element are applied, where that makes a difference.
void note_several_indices(const Module& module, BodyTable& bodies, std::vector<Assumption>& stated) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    const Attributes& a = module.attributes(id);
    const bool flagged = a.flag(Attr::IndicesSorted) || a.flag(Attr::UniqueIndices);
    const Call call = is_scatter(module, id) ? bodies.call(id) : Call{};
    const bool ordered = !call.regions.empty() && !a.flag(Attr::UniqueIndices) && !find_monoid(bodies.arena(), *call.regions[0], 0, call.operands[0]->element);
    if (!flagged && !ordered) continue;
    const auto operands = module.operands(id);
    const InstructionId indices = operands[operands.size() / 2];
    const Type& type = module.type(indices);
    std::int64_t several = type.count();
    const auto without = [&](std::int64_t d) { several /= std::max<std::int64_t>(1, d < static_cast<std::int64_t>(type.dims.size()) ? type.dims[static_cast<std::size_t>(d)] : 1); };
    without(a.integer(Attr::IndexVectorDim));
    for (const Attr batch : {Attr::ScatterBatchingDims, Attr::StartBatchingDims}) {
      if (!a.has(batch)) continue;
      for (const std::int64_t d : a.ints(batch)) without(d);
    }
    const std::vector<std::string> named{std::string(module.name_of(id))};
    if (several > 1 && flagged && !of_constants(module, indices)) stated.push_back({AssumptionKind::FlaggedIndices, named});
    if (several > 1 && ordered) stated.push_back({AssumptionKind::UpdateOrder, named});
  }
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

/// A range that is given reaches no further than what the sequential program takes.
void keep_within(Relation& relation, const std::string& parameter, const IntegerSpan& accepted, const Location& where) {
  for (FreeInput& input : relation.free) {
    if (input.parameter != parameter || input.range.origin != Range::Origin::Given || !input.combined_by.empty() || !is_integral(input.type.element)) continue;
    const auto lo = static_cast<std::int64_t>(input.range.lo), hi = static_cast<std::int64_t>(input.range.hi);
    const IntegerSpan span = IntegerSpan{lo, std::max(lo, hi - 1)}.within(accepted);
    if (span.hi < span.lo) {
      throw InputError(DiagCode::BadRange, where, "range of input '" + input.name + "': the sequential program raises on all of it, it takes " + std::to_string(accepted.lo) + " to " + std::to_string(accepted.hi));
    }
    input.range.lo = static_cast<double>(span.lo);
    input.range.hi = static_cast<double>(span.hi + 1);
  }
}

Case load(const std::string& sequential, const std::string& distributed, const std::string& relation,
          const CaseOptions& options) {
  enter_phase("reading");
  Case result;
  result.arena = std::make_unique<Arena>();
  const std::string relation_text = relation.empty() ? "" : read_file(relation);
  ReadPair pair = frontend_of(sequential).load({sequential, distributed, relation}, options);
  result.sequential = std::move(pair.sequential);
  result.distributed = std::move(pair.distributed);
  result.relation_text = std::move(pair.relation);
  result.hashes.sequential = std::move(pair.sequential_hash);
  result.hashes.distributed = std::move(pair.distributed_hash);
  const Module& whole = *result.sequential;
  result.manual_regions = count_manual_regions(whole);
  if (result.manual_regions == 0) need_one_rank(whole);
  if (options.input_names.size() == whole.computation(whole.entry()).parameters.size()) {
    result.sequential->parameter_names = options.input_names;
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
    result.relation =
        read_relation(*result.arena, result.relation_text, relation, *result.sequential, *result.distributed);
  }
  result.hashes.relation = content_hash((relation.empty() || options.one_device ? result.relation_text : relation_text) + placement_programs(result.relation));
  RangeList ranges(result.relation);
  for (const auto& [input, range] : options.ranges) ranges.set(input, range.lo, range.hi, {"--range"});
  for (const auto& [name, span] : pair.accepted) keep_within(result.relation, name, span, {relation});
  result.accepted = std::move(pair.accepted);
  result.stated = std::move(pair.stated);
  result.unused = std::move(pair.unused);
  result.written = std::move(pair.written);
  result.left_out = pair.left_out;
  result.originals = std::move(pair.originals);
  note_elided(*result.sequential, "S ", result.stated);
  note_elided(*result.distributed, "D ", result.stated);
  result.sequential_bodies = std::make_unique<BodyTable>(*result.arena, *result.sequential, RankDigits(), RankLayout());
  result.distributed_bodies =
      std::make_unique<BodyTable>(*result.arena, *result.distributed, result.relation.digits, result.relation.layout);
  note_several_indices(*result.distributed, *result.distributed_bodies, result.stated);
  std::sort(result.stated.begin(), result.stated.end());
  if (result.manual_regions != 0) {
    const RankLayout layout = result.relation.layout;
    result.manual_bodies = std::make_unique<BodyTable>(
        *result.arena, *result.sequential, rank_digits(*result.sequential, result.relation.mesh, layout), layout);
  }
  return result;
}

}  // namespace

std::vector<Assumption> in_range_assumptions(const Case& c) {
  std::vector<Assumption> all;
  const Module& module = *c.sequential;
  for (InstructionId id = 0; !c.accepted.empty() && id < module.size(); ++id) {
    const std::string name(module.name_of(id));
    const auto span = c.accepted.find(name);
    if (span == c.accepted.end() || module.computation_of(id) != module.entry() || module[id].op == Op::Parameter || !module.type(id).is_array()) continue;
    all.push_back({AssumptionKind::InRange, {std::to_string(span->second.lo), std::to_string(span->second.hi + 1), name}});
  }
  return all;
}

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
  for (const std::string_view piece : split_text(std::string_view(text).substr(colon + 7), ',')) {
    const auto number = whole_number(piece);
    if (!number || *number < 0 || *number > 999) throw InputError(DiagCode::Usage, {}, "'" + text + "' is not of the form NAME:batch=0,1");
    result.batch_dims.push_back(*number);
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
  const Frontend* found = frontend_of_folder(folder);
  const Frontend& frontend = found == nullptr ? frontends().front() : *found;
  const std::string relation =
      options.relation_file.empty() ? optional_file(folder, "relation.json") : options.relation_file;
  const std::string name_of_ranks(frontend.distributed);
  std::string distributed = optional_file(folder, name_of_ranks);
  if (name_of_ranks.find('*') != std::string::npos) distributed = (fs::path(folder) / name_of_ranks).string();
  if (distributed.empty() && (relation.empty() || !read_programs(read_file(relation), relation))) {
    distributed = find_file(folder, name_of_ranks);  // says what is missing
  }
  Case result = load(find_file(folder, std::string(frontend.sequential)), distributed, relation, options);
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
    input.from_end = c.relation.free[k].from_end;
    input.wide = c.relation.free[k].wide;
  }
  result.hashes = c.hashes;
  result.stated = c.stated;
  result.written = c.written;
  result.left_out = c.left_out;
  result.accepted = c.accepted;
  result.sequential_bodies =
      std::make_unique<BodyTable>(*result.arena, *result.sequential, RankDigits(), RankLayout());
  result.distributed_bodies = std::make_unique<BodyTable>(*result.arena, *result.distributed, result.relation.digits,
                                                          result.relation.layout);
  return result;
}

}  // namespace gg
