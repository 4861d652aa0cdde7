#include "harness/witness/witness.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/witness/replay_py.h"
#include "harness/witness/safetensors.h"
#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/base/progress.h"
#include "models/base/text.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "models/rank/digits.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::int64_t> with_ranks(const Relation& relation, std::vector<std::int64_t> dims) {
  dims.insert(dims.begin(), relation.layout.ranks());
  return dims;
}

/// The same choice of element as `expr`, over operands of type s64; nothing for expressions that compute.
std::optional<ExprId> as_position(Arena& arena, ExprId expr) {
  const Expr node = arena[expr];
  if (node.kind == ExprKind::Read) {
    const std::vector<LinId> index(arena.indices(expr).begin(), arena.indices(expr).end());
    return arena.read(static_cast<int>(node.arg), ElementType::S64, index);
  }
  if (node.kind == ExprKind::Unknown) return arena.lit(Scalar::of_int(ElementType::S64, -1));
  if (node.kind != ExprKind::Case) return std::nullopt;
  const std::vector<ExprId> kids(arena.kids(expr).begin(), arena.kids(expr).end());
  const auto then = as_position(arena, kids[0]);
  const auto otherwise = as_position(arena, kids[1]);
  if (!then || !otherwise) return std::nullopt;
  return arena.select(arena.guard(expr), *then, *otherwise);
}

std::int64_t volume(const std::vector<std::int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

Buffer iota(std::int64_t count) {
  Buffer positions(Storage::Int64, count);
  std::iota(positions.as<std::int64_t>().begin(), positions.as<std::int64_t>().end(), 0);
  return positions;
}

Buffer evaluate_positions(Arena& arena, const Body& body, std::span<const Operand> operands) {
  Buffer values(Storage::Int64, volume(body.extents));
  TieCounter ties;
  run(compile(arena, body, operands), NumberMode::F64, operands, values, ties);
  return values;
}

/// The flat sequential index behind every compared element of an output: the claim evaluated on a program whose outputs
/// hold their own positions. Nothing for claims that do more than choose an element.
std::optional<Buffer> source_map(Case& c, const OutputClaim& claim, const std::vector<Leaf>& leaves) {
  Arena& arena = *c.arena;
  const auto position = as_position(arena, claim.sequential);
  if (!position) return std::nullopt;
  std::vector<Buffer> positions;
  std::vector<Operand> operands;
  for (const auto& leaf : leaves) positions.push_back(iota(leaf.type.count()));
  for (std::size_t k = 0; k < leaves.size(); ++k) operands.push_back({&positions[k], ElementType::S64, leaves[k].type.dims});
  const ExprId none = arena.lit(Scalar::of_int(ElementType::S64, -1));
  return evaluate_positions(arena, {ElementType::S64, claim.extents, arena.select(claim.compared, *position, none)}, operands);
}

/// A claim whose distributed side is combined from several ranks: for every element of its box the flat positions, in
/// the stacked distributed output, of the values that are combined.
struct Summands {
  Buffer positions;
  std::vector<std::int64_t> dims;  ///< [ranks, local dims..., summands]
};

/// The summands of a partial output: a fold of one read, divided by their number for a mean.
std::optional<Summands> summands(Case& c, std::size_t output, const std::vector<Leaf>& leaves) {
  Arena& arena = *c.arena;
  const OutputClaim& claim = c.relation.outputs[output];
  ExprId fold = claim.distributed;
  if (arena[fold].kind == ExprKind::Fn && arena[fold].fn == ScalarFn::Divide) fold = arena.kids(fold)[0];
  if (arena[fold].kind != ExprKind::Fold) return std::nullopt;
  const auto position = as_position(arena, arena.kids(fold)[1]);
  if (!position) return std::nullopt;
  std::vector<std::int64_t> extents = claim.extents;
  extents.insert(extents.end(), arena.extents(fold).begin(), arena.extents(fold).end());
  std::vector<Buffer> positions;
  std::vector<Operand> operands;
  std::vector<std::vector<std::int64_t>> lifted;
  for (const auto& leaf : leaves) {
    positions.push_back(iota(c.relation.layout.ranks() * leaf.type.count()));
    lifted.push_back(lifted_extents(c.relation.digits, leaf.type.dims));
  }
  for (std::size_t k = 0; k < leaves.size(); ++k) operands.push_back({&positions[k], ElementType::S64, lifted[k]});
  Buffer values = evaluate_positions(arena, {ElementType::S64, extents, *position}, operands);
  std::vector<std::int64_t> dims = with_ranks(c.relation, leaves[output].type.dims);
  const std::int64_t boxes = volume(claim.extents);
  dims.push_back(boxes == 0 ? 0 : volume(extents) / boxes);
  return Summands{std::move(values), std::move(dims)};
}

/// What replay.py needs to check the outputs: tensors source.K and terms.K, and how each output is to be compared.
Json add_claims(Case& c, const std::string& folder, const PrintOptions& xla, std::vector<NamedTensor>& tensors) {
  Json claims = Json::object();
  const auto outputs = output_leaves(*c.sequential);
  const auto local_outputs = output_leaves(*c.distributed);
  for (std::size_t k = 0; k < c.relation.outputs.size(); ++k) {
    const OutputClaim& claim = c.relation.outputs[k];
    if (claim.kind == OutputClaim::Kind::Ignored) continue;
    const Placement& placement = c.relation.output_placements[k];
    const std::string number = std::to_string(k);
    if (placement.kind == Placement::Kind::Hlo) {
      const Module module = load_hlo(path_beside(c.relation.file, placement.hlo_file));
      write_file(folder + "/xla/claim." + number + ".hlo", print_hlo(module, xla));
      claims[number] = {{"module", "claim." + number + ".hlo"}};
      continue;
    }
    auto source = source_map(c, claim, outputs);
    if (!source) continue;
    tensors.push_back({"source." + number, with_ranks(c.relation, local_outputs[k].type.dims), std::move(*source)});
    claims[number] = Json::object();
    if (placement.kind != Placement::Kind::Partial) continue;
    auto terms = summands(c, k, local_outputs);
    if (!terms) continue;  // partial over axes of extent 1
    tensors.push_back({"terms." + number, std::move(terms->dims), std::move(terms->positions)});
    claims[number] = {{"combine", placement.partial_op}};
  }
  return claims;
}

std::vector<NamedTensor> input_tensors(Case& c, const InputSet& inputs) {
  std::vector<NamedTensor> tensors;
  const auto add = [&](const char* prefix, std::size_t k, std::vector<std::int64_t> dims, Buffer data) {
    tensors.push_back({std::string(prefix) + "." + std::to_string(k), std::move(dims), std::move(data)});
  };
  for (std::size_t k = 0; k < inputs.free.size(); ++k) {
    add("free", k, c.relation.free[k].type.dims, inputs.free[k].clone());
  }
  const auto sequential_leaves = input_leaves(*c.sequential);
  auto sequential = sequential_inputs(c, inputs, NumberMode::F64);
  for (std::size_t k = 0; k < sequential.size(); ++k) {
    add("sequential", k, sequential_leaves[k].type.dims, std::move(sequential[k]));
  }
  const auto distributed_leaves = input_leaves(*c.distributed);
  auto distributed = distributed_inputs(c, inputs, NumberMode::F64);
  for (std::size_t k = 0; k < distributed.size(); ++k) {
    add("distributed", k, with_ranks(c.relation, distributed_leaves[k].type.dims), std::move(distributed[k]));
  }
  return tensors;
}

/// Copies the modules that a relation names into the folder and lets the relation name the copies.
void gather_modules(Json& value, const std::string& relation, const std::string& folder, std::size_t& count) {
  if (value.is_object() && value.contains("hlo") && value["hlo"].is_string()) {
    const std::string name = "placement." + std::to_string(count++) + ".hlo";
    write_file(folder + "/" + name, read_file(path_beside(relation, value["hlo"].get<std::string>())));
    value["hlo"] = name;
  } else if (value.is_structured()) {
    for (auto& kid : value) gather_modules(kid, relation, folder, count);
  }
}

void write_relation(const Case& c, const std::string& folder) {
  std::string text = c.relation_text;
  if (text.find("\"hlo\"") != std::string::npos) {
    Json relation = Json::parse(text, nullptr, true, true);
    std::size_t count = 0;
    gather_modules(relation, c.relation.file, folder, count);
    if (count != 0) text = relation.dump(1) + "\n";
  }
  write_file(folder + "/relation.json", text);
}

Json to_json(const Difference& d) {
  return {{"output", d.output}, {"element", d.element}, {"rank", d.rank}, {"ranks", d.ranks}, {"sequential", d.sequential}, {"distributed", d.distributed}, {"differing", d.differing}, {"compared", d.compared}};
}

/// Graphs as they were read, which replay_torch.py runs, and what their inputs are called here.
void write_graphs(const Case& c, const std::string& folder) {
  if (c.originals.empty()) return;
  fs::create_directory(folder + "/fx");
  for (const auto& [name, text] : c.originals) write_file(folder + "/fx/" + name, text);
  Json names = Json::array();
  for (const Leaf& leaf : input_leaves(*c.sequential)) names.push_back(leaf.name);
  write_file(folder + "/fx/inputs.json", names.dump(1) + "\n");
  write_file(folder + "/replay_torch.py", kReplayTorchPy);
}

void fill_witness(const std::string& folder, Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Budget& budget,
                  const RecordedPair* recorded) {
  std::optional<Grace> grace(std::in_place);
  fs::create_directory(folder + "/xla");
  const RankLayout layout = c.relation.layout;
  const PrintOptions plain{.metadata = true, .expand_custom_calls = true, .layout = std::nullopt};
  const PrintOptions alone{.widen = true, .as_replicas = true, .metadata = false, .expand_custom_calls = true, .layout = RankLayout()};
  const PrintOptions xla{.widen = true, .as_replicas = true, .metadata = false, .expand_custom_calls = true, .layout = layout};
  std::vector<NamedTensor> tensors = input_tensors(c, inputs);
  const Json claims = add_claims(c, folder, xla, tensors);
  write_file(folder + "/inputs.safetensors", write_safetensors(tensors, {{"seed", std::to_string(inputs.seed)},
                                                                         {"regime", std::to_string(inputs.regime)}}));
  write_file(folder + "/sequential.hlo", print_hlo(*c.sequential, plain));
  write_file(folder + "/distributed.hlo", print_hlo(*c.distributed, plain));
  write_file(folder + "/xla/sequential.hlo", print_hlo(*c.sequential, alone));
  write_file(folder + "/xla/distributed.hlo", print_hlo(*c.distributed, xla));
  write_relation(c, folder);
  Json difference = {{"schema", 1},
                     {"case", printable(c.name)},
                     {"seed", inputs.seed},
                     {"regime", inputs.regime},
                     {"ranks", layout.ranks()},
                     {"claims", claims},
                     {"differences", Json::array()}};
  for (const auto& d : outcome.differences) difference["differences"].push_back(to_json(d));
  if (outcome.failure) difference["mismatch"] = printable(outcome.failure->what());
  write_file(folder + "/difference.json", difference.dump(1) + "\n");
  write_file(folder + "/replay.py", kReplayPy);
  write_graphs(c, folder);
  grace.reset();
  write_exact_run(folder, c, inputs, budget, recorded);
}

}  // namespace

void write_witness(const std::string& path, Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Budget& budget,
                   const RecordedPair* recorded) {
  const FolderContent content{"difference.json", {"sequential.hlo", "distributed.hlo", "relation.json", "inputs.safetensors", "exact.safetensors", "replay.py", "xla", "replay_torch.py", "fx", "placement.*"}};
  write_folder(path, content, [&](const std::string& folder) { fill_witness(folder, c, inputs, outcome, budget, recorded); });
}

InputSet read_witness_inputs(const std::string& folder, const Case& c) {
  const std::string file = folder + "/inputs.safetensors";
  auto tensors = read_safetensors(read_file(file, Limit::TensorBytes), file);
  InputSet inputs;
  for (std::size_t k = 0; k < c.relation.free.size(); ++k) {
    const FreeInput& free = c.relation.free[k];
    const std::string name = "free." + std::to_string(k);
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
    if (found == tensors.end() || found->dims != free.type.dims ||
        found->data.storage() != storage_of(free.type.element, NumberMode::F64)) {
      throw InputError(DiagCode::BadWitness, {file}, "tensor '" + name + "' is missing or is not " + to_string(free.type));
    }
    inputs.free.push_back(std::move(found->data));
  }
  return inputs;
}

}  // namespace gg
