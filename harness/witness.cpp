#include "harness/witness.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/replay_py.h"
#include "harness/safetensors.h"
#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/hlo/printer.h"

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

/// The flat sequential index behind every compared element of an output: the claim evaluated on a program whose outputs
/// hold their own positions. Nothing for claims that do more than choose an element.
std::optional<Buffer> source_map(Case& c, const OutputClaim& claim, const std::vector<Leaf>& leaves) {
  Arena& arena = *c.arena;
  const auto position = as_position(arena, claim.sequential);
  if (!position || arena[claim.distributed].kind != ExprKind::Read) return std::nullopt;
  std::vector<Buffer> positions;
  std::vector<Operand> operands;
  for (const auto& leaf : leaves) {
    positions.emplace_back(Storage::Int64, leaf.type.count());
    std::iota(positions.back().as<std::int64_t>().begin(), positions.back().as<std::int64_t>().end(), 0);
  }
  for (std::size_t k = 0; k < leaves.size(); ++k) operands.push_back({&positions[k], ElementType::S64, leaves[k].type.dims});
  const ExprId none = arena.lit(Scalar::of_int(ElementType::S64, -1));
  const Body body{ElementType::S64, claim.extents, arena.select(claim.compared, *position, none)};
  const std::int64_t count = std::accumulate(claim.extents.begin(), claim.extents.end(), std::int64_t{1}, std::multiplies<>());
  Buffer values(Storage::Int64, count);
  TieCounter ties;
  run(compile(arena, body, operands), NumberMode::F64, operands, values, ties);
  return values;
}

std::vector<NamedTensor> tensors_of(Case& c, const InputSet& inputs) {
  std::vector<NamedTensor> tensors;
  const auto add = [&](const char* prefix, std::size_t k, std::vector<std::int64_t> dims, Buffer data) {
    tensors.push_back({std::string(prefix) + "." + std::to_string(k), std::move(dims), std::move(data)});
  };
  for (std::size_t k = 0; k < inputs.free.size(); ++k) add("free", k, c.relation.free[k].type.dims, inputs.free[k].clone());
  const auto sequential_leaves = input_leaves(*c.sequential);
  auto sequential = sequential_inputs(c, inputs, NumberMode::F64);
  for (std::size_t k = 0; k < sequential.size(); ++k) add("sequential", k, sequential_leaves[k].type.dims, std::move(sequential[k]));
  const auto distributed_leaves = input_leaves(*c.distributed);
  auto distributed = distributed_inputs(c, inputs, NumberMode::F64);
  for (std::size_t k = 0; k < distributed.size(); ++k) {
    add("distributed", k, with_ranks(c.relation, distributed_leaves[k].type.dims), std::move(distributed[k]));
  }
  const auto outputs = output_leaves(*c.sequential);
  const auto local_outputs = output_leaves(*c.distributed);
  for (std::size_t k = 0; k < c.relation.outputs.size(); ++k) {
    const OutputClaim& claim = c.relation.outputs[k];
    if (claim.kind == OutputClaim::Kind::Ignored) continue;
    auto source = source_map(c, claim, outputs);
    if (source) add("source", k, with_ranks(c.relation, local_outputs[k].type.dims), std::move(*source));
  }
  return tensors;
}

Json to_json(const Difference& d) {
  return {{"output", d.output},        {"element", d.element},         {"rank", d.rank},
          {"ranks", d.ranks},          {"sequential", d.sequential},   {"distributed", d.distributed},
          {"differing", d.differing},  {"compared", d.compared}};
}

}  // namespace

void write_witness(const std::string& folder, Case& c, const InputSet& inputs, const DrawOutcome& outcome) {
  std::error_code error;
  fs::create_directories(folder + "/xla", error);
  if (error) throw InputError(DiagCode::FileWrite, {folder}, "cannot create folder '" + folder + "': " + error.message());
  write_file(folder + "/inputs.safetensors",
             write_safetensors(tensors_of(c, inputs), {{"seed", std::to_string(inputs.seed)},
                                                       {"regime", std::to_string(inputs.regime)}}));
  const PrintOptions plain{.widen = false, .as_replicas = false, .metadata = true, .expand_custom_calls = true};
  const PrintOptions xla{.widen = true, .as_replicas = true, .metadata = false, .expand_custom_calls = true};
  write_file(folder + "/sequential.hlo", print_hlo(*c.sequential, plain));
  write_file(folder + "/distributed.hlo", print_hlo(*c.distributed, plain));
  write_file(folder + "/xla/sequential.hlo", print_hlo(*c.sequential, xla));
  write_file(folder + "/xla/distributed.hlo", print_hlo(*c.distributed, xla));
  write_file(folder + "/relation.json", c.relation_text);
  Json difference = {{"schema", 1},
                     {"case", c.name},
                     {"seed", inputs.seed},
                     {"regime", inputs.regime},
                     {"ranks", c.relation.layout.ranks()},
                     {"differences", Json::array()}};
  for (const auto& d : outcome.differences) difference["differences"].push_back(to_json(d));
  if (outcome.failure) difference["mismatch"] = outcome.failure->what();
  write_file(folder + "/difference.json", difference.dump(1) + "\n");
  write_file(folder + "/replay.py", kReplayPy);
}

InputSet read_witness_inputs(const std::string& folder, const Case& c) {
  const std::string file = folder + "/inputs.safetensors";
  auto tensors = read_safetensors(read_file(file), file);
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
