#include "harness/dump/hints.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "harness/dump/names.h"
#include "models/base/file.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMaxLeaf = std::int64_t{1} << 32;

/// A short text that is looked through from left to right; nothing here is an error, what does not fit ends the search.
struct Scan {
  std::string_view text;

  bool take(std::string_view word) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (text.substr(0, word.size()) != word) return false;
    text.remove_prefix(word.size());
    return true;
  }
  /// Goes behind the next `word`.
  bool find(std::string_view word) {
    const auto at = text.find(word);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + word.size());
    return true;
  }
  std::optional<std::int64_t> number() {
    take("");
    std::int64_t value = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
      value = value * 10 + (text[digits] - '0');
      if (value > kMaxLeaf) return std::nullopt;
    }
    text.remove_prefix(digits);
    return digits == 0 ? std::nullopt : std::optional(value);
  }
};

/// `"dp"=2, "tp"=4]>`, quotes escaped where the mesh stands in a string. Nothing where devices are listed.
std::optional<std::vector<MeshAxis>> parse_axes(Scan& scan) {
  std::vector<MeshAxis> axes;
  while (!scan.take("]")) {
    if (!axes.empty() && !scan.take(",")) return std::nullopt;
    scan.take("\\");
    if (!scan.take("\"")) return std::nullopt;
    const auto end = scan.text.find_first_of("\\\"");
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    const std::string name(scan.text.substr(0, end));
    scan.text.remove_prefix(end);
    scan.take("\\");
    if (!scan.take("\"") || !scan.take("=")) return std::nullopt;
    const auto size = scan.number();
    if (!size || *size < 1) return std::nullopt;
    axes.push_back({name, *size});
  }
  return scan.take(">") && !axes.empty() ? std::optional(axes) : std::nullopt;
}

/// `(3, {}`: an entry parameter that is an array.
std::optional<std::int64_t> parse_parameter(Scan& scan) {
  if (!scan.take("(")) return std::nullopt;
  const auto number = scan.number();
  return number && scan.take(",") && scan.take("{") && scan.take("}") ? number : std::nullopt;
}

/// MLIR writes quotes and what is not printable as a backslash and two hexadecimal digits.
std::string unescaped(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\\' && k + 2 < text.size() && digit(text[k + 1]) >= 0 && digit(text[k + 2]) >= 0) {
      result += static_cast<char>(digit(text[k + 1]) * 16 + digit(text[k + 2]));
      k += 2;
    } else if (text[k] != '\\' || k + 1 == text.size()) {
      result += text[k];
    }
  }
  return result;
}

std::string first_line(const std::string& path) {
  const std::string text = read_file(path);
  const auto start = std::min(text.find("HloModule"), text.size());
  return text.substr(start, text.find('\n', start) - start);
}

/// Behind the name of the argument: `['m']['emb']` of `s['m']['emb']`, "" of `x`.
std::string_view behind_root(std::string_view label) { return label.substr(std::min(label.find_first_of("[."), label.size())); }

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

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
    return outputs_[o].label.empty() || inputs_[i].label.empty() || ends_with(outputs_[o].label, behind_root(inputs_[i].label));
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

std::vector<std::vector<MeshAxis>> parse_meshes(std::string_view text) {
  std::vector<std::vector<MeshAxis>> meshes;
  Scan scan{text};
  while (scan.find("#sdy.mesh<[")) {
    if (auto axes = parse_axes(scan)) meshes.push_back(*std::move(axes));
  }
  return meshes;
}

void parse_buffers(std::string_view header, DumpHints& hints) {
  Scan scan{header};
  if (scan.find("input_output_alias={")) {
    while (scan.take("{")) {
      const auto output = scan.number();
      if (!scan.take("}") || !scan.take(":")) break;
      const auto input = parse_parameter(scan);
      if (!input || !scan.find(")")) break;
      hints.aliases.push_back({output.value_or(0), *input});
      hints.donors.push_back(*input);
      if (!scan.take(",")) break;
    }
  }
  scan.text = header;
  if (scan.find("buffer_donor={")) {
    while (const auto input = parse_parameter(scan)) {
      hints.donors.push_back(*input);
      if (!scan.take(")") || !scan.take(",")) break;
    }
  }
  std::sort(hints.donors.begin(), hints.donors.end());
  hints.donors.erase(std::unique(hints.donors.begin(), hints.donors.end()), hints.donors.end());
}

std::vector<std::string> parse_result_names(std::string_view mlir) {
  Scan scan{mlir};
  if (!scan.find("func.func public @main(")) return {};
  scan.text = scan.text.substr(0, scan.text.find('\n'));
  std::vector<std::string> names;
  while (scan.find("jax.result_info = \"")) {
    const auto end = scan.text.find('"');
    if (end == std::string_view::npos) return {};
    names.push_back(unescaped(scan.text.substr(0, end)));
  }
  return names;
}

DumpHints read_dump_hints(const std::string& before) {
  DumpHints hints;
  const auto own = parse_dump_name(fs::path(before).filename().string());
  if (!own || own->stage != DumpStage::BeforePartitioning || own->binary) return hints;
  const fs::path folder = fs::path(before).parent_path();
  parse_buffers(first_line(before), hints);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string file = entry.path().filename().string();
    if (file.rfind(own->stem, 0) != 0) continue;
    if (entry.is_directory() && file == own->stem && fs::is_regular_file(entry.path() / "module.mlir")) {
      hints.outputs = parse_result_names(read_file((entry.path() / "module.mlir").string()));
    }
    const auto name = entry.is_regular_file() ? parse_dump_name(file) : std::nullopt;
    if (!name || name->binary || name->stem != own->stem) continue;
    if (name->stage == DumpStage::BeforeOptimizations) hints.meshes = parse_meshes(first_line(entry.path().string()));
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
