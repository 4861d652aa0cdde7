#include "harness/dump/hints.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "harness/dump/names.h"
#include "models/base/file.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

std::string header_line(const std::string& text) {
  const auto start = std::min(text.find("HloModule"), text.size());
  return text.substr(start, text.find('\n', start) - start);
}

std::string first_line(const std::string& path) { return header_line(read_file(path)); }

/// Behind the name of the argument: `['m']['emb']` of `s['m']['emb']`, "" of `x`.
std::string_view behind_root(std::string_view label) { return label.substr(std::min(label.find_first_of("[."), label.size())); }

/// Which outputs feed which inputs of the next step.
class NextStep {
 public:
  NextStep(const DumpHints& hints, std::vector<Leaf> inputs, std::vector<Leaf> outputs)
      : hints_(hints), inputs_(std::move(inputs)), outputs_(std::move(outputs)), next_(outputs_.size()) {}

  std::vector<std::optional<std::int64_t>> find() {
    std::vector<bool> taken(inputs_.size(), false);
    for (const Alias& alias : hints_.aliases) {
      if (!fits(alias.output_leaf, alias.input_leaf)) continue;
      next_[static_cast<std::size_t>(alias.output_leaf)] = alias.input_leaf;
      taken[static_cast<std::size_t>(alias.input_leaf)] = true;
    }
    by_name(taken);
    return next_;
  }

 private:
  bool fits(std::int64_t output, std::int64_t input) const {
    if (output < 0 || input < 0) return false;
    const auto o = static_cast<std::size_t>(output), i = static_cast<std::size_t>(input);
    if (o >= outputs_.size() || i >= inputs_.size() || !(outputs_[o].type == inputs_[i].type)) return false;
    return outputs_[o].label.empty() || inputs_[i].label.empty() || outputs_[o].label.ends_with(behind_root(inputs_[i].label));
  }

  /// Pairs that only have each other.
  void by_name(const std::vector<bool>& taken) {
    std::map<std::size_t, std::vector<std::int64_t>> of_output;
    std::map<std::int64_t, int> count;
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      if (next_[o] || outputs_[o].label.empty()) continue;
      for (const std::int64_t donor : hints_.donors) {
        if (!fits(static_cast<std::int64_t>(o), donor) || taken[static_cast<std::size_t>(donor)]) continue;
        if (behind_root(inputs_[static_cast<std::size_t>(donor)].label).empty()) continue;
        of_output[o].push_back(donor);
        ++count[donor];
      }
    }
    for (const auto& [output, donors] : of_output) {
      if (donors.size() == 1 && count[donors.front()] == 1) next_[output] = donors.front();
    }
  }

  const DumpHints& hints_;
  std::vector<Leaf> inputs_, outputs_;
  std::vector<std::optional<std::int64_t>> next_;
};

}  // namespace

DumpHints read_dump_hints(const std::string& before) {
  DumpHints hints;
  if (is_file(before)) hints.meshes = parse_meshes(read_file(before));  // in the shardings, since 2026
  const auto own = parse_dump_name(fs::path(before).filename().string());
  if (!own || own->stage != DumpStage::BeforePartitioning || own->binary) return hints;
  const fs::path folder = fs::path(before).parent_path();
  parse_buffers(first_line(before), hints);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string file = entry.path().filename().string();
    if (file.rfind(own->stem, 0) != 0) continue;
    if (is_folder(entry.path().string()) && file == own->stem && is_file((entry.path() / "module.mlir").string())) {
      hints.outputs = parse_result_names(read_file((entry.path() / "module.mlir").string()));
    }
    const auto name = is_file(entry.path().string()) ? parse_dump_name(file) : std::nullopt;
    if (!name || name->binary || name->stem != own->stem) continue;
    if (name->stage == DumpStage::BeforeOptimizations) {
      const std::string text = read_file(entry.path().string());
      const auto meshes = parse_meshes(header_line(text));
      hints.meshes.insert(hints.meshes.begin(), meshes.begin(), meshes.end());
      hints.inputs = parse_parameter_names(text);
    }
    if (name->stage == DumpStage::AfterOptimizations) parse_buffers(first_line(entry.path().string()), hints);
  }
  return hints;
}

std::optional<std::vector<std::vector<std::string>>> name_axes(const Mesh& mesh, const std::vector<MeshAxis>& named) {
  if (!mesh.devices.empty()) return std::nullopt;
  std::vector<std::vector<std::string>> result;
  std::size_t at = 0;
  for (const MeshAxis& axis : mesh.axes) {
    auto& names = result.emplace_back();
    std::int64_t size = 1;
    for (; size < axis.size && at < named.size(); ++at) {
      if (named[at].size == 1) continue;
      if (axis.size % (size * named[at].size) != 0) return std::nullopt;
      size *= named[at].size;
      names.push_back(named[at].name);
    }
    if (size != axis.size) return std::nullopt;
  }
  const bool rest = std::any_of(named.begin() + static_cast<std::ptrdiff_t>(at), named.end(),
                                [](const MeshAxis& axis) { return axis.size != 1; });
  return rest ? std::nullopt : std::optional(result);
}

void apply_meshes(Mesh& mesh, const DumpHints& hints) {
  for (const auto& named : hints.meshes) {
    if (!name_axes(mesh, named)) continue;
    mesh.axes = named;
    return;
  }
}

void apply_hints(Case& c, const DumpHints& hints) {
  Relation& relation = c.relation;
  if (!relation.from_shardings) return;
  const Mesh recovered = relation.mesh;
  apply_meshes(relation.mesh, hints);
  if (const auto names = name_axes(recovered, relation.mesh.axes)) {
    std::map<std::string, std::vector<std::string>> of;
    for (std::size_t k = 0; k < recovered.axes.size(); ++k) of[recovered.axes[k].name] = (*names)[k];
    for (auto* placements : {&relation.input_placements, &relation.output_placements}) {
      for (Placement& placement : *placements) {
        for (DimPlacement& dim : placement.dims) {
          std::vector<std::string> axes;
          for (const std::string& axis : dim.axes) axes.insert(axes.end(), of[axis].begin(), of[axis].end());
          dim.axes = std::move(axes);
        }
      }
    }
  }
  const std::vector<Leaf> inputs = input_leaves(*c.sequential);
  std::vector<Leaf> outputs = output_leaves(*c.sequential);
  const bool named = hints.outputs.size() == outputs.size() && outputs.size() == relation.outputs.size();
  for (std::size_t k = 0; named && k < outputs.size(); ++k) outputs[k].label = hints.outputs[k];
  const bool known = std::any_of(relation.next.begin(), relation.next.end(), [](const auto& input) { return input.has_value(); });
  if (!known && relation.next.size() == outputs.size()) relation.next = NextStep(hints, inputs, outputs).find();
  for (std::size_t k = 0; k < outputs.size() && k < relation.next.size(); ++k) {
    if (!relation.next[k]) {
      if (!outputs[k].label.empty()) relation.outputs[k].name = outputs[k].label;
      continue;
    }
    const Leaf& input = inputs[static_cast<std::size_t>(*relation.next[k])];
    if (!input.label.empty()) relation.outputs[k].name = "next " + input.label;
  }
  c.relation_text = print_relation(relation, Notation::Json);  // hashes: still of what the two texts give
}

}  // namespace gg
