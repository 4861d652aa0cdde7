// Read access to a module: strings, places, metadata and the user's source lines.
#include "models/ir/module.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/base/text.h"

namespace gg {
namespace {

/// The value of `key=` at the top level of metadata text (strings without their quotes, escapes kept); "" if absent.
std::string_view field(std::string_view metadata, std::string_view key) {
  std::size_t pos = 0;
  while (pos < metadata.size()) {
    while (pos < metadata.size() && (metadata[pos] == ' ' || metadata[pos] == ',')) ++pos;
    const std::size_t start = pos;
    while (pos < metadata.size() && metadata[pos] != '=') ++pos;
    const std::string_view name = metadata.substr(start, pos - start);
    if (pos < metadata.size()) ++pos;
    std::size_t first = pos;
    std::size_t last = pos;
    if (pos < metadata.size() && metadata[pos] == '"') {
      first = ++pos;
      while (pos < metadata.size() && metadata[pos] != '"') pos += metadata[pos] == '\\' ? 2 : 1;
      last = std::min(pos, metadata.size());
      ++pos;
    } else {
      int depth = 0;
      for (; pos < metadata.size() && (depth > 0 || metadata[pos] != ' '); ++pos) {
        depth += metadata[pos] == '{' ? 1 : 0;
        depth -= metadata[pos] == '}' ? 1 : 0;
      }
      last = pos;
    }
    if (name == key) return metadata.substr(first, last - first);
  }
  return {};
}

std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

}  // namespace

std::span<const InstructionId> Module::operands(InstructionId id) const {
  const Instruction& instruction = instructions_[id];
  return std::span(operands_).subspan(instruction.first_operand, instruction.operand_count);
}

std::string_view Module::string(StringId id) const {
  GG_CHECK(id + 1 < string_ends_.size(), "string id " + std::to_string(id));
  return std::string_view(text_).substr(string_ends_[id], string_ends_[id + 1] - string_ends_[id]);
}

ComputationId Module::computation_of(InstructionId id) const {
  GG_CHECK(id < instructions_.size() && !order_.empty(), "instruction " + std::to_string(id));
  // Empty computations do not exist, so the first positions ascend strictly.
  const auto after = std::upper_bound(order_.begin(), order_.end(), id, [this](InstructionId value, ComputationId c) {
    return value < computations_[c].first;
  });
  return *(after - 1);
}

Location Module::where(InstructionId id) const {
  const Instruction& instruction = instructions_[id];
  return {files.empty() ? file : files[instruction.text], instruction.line, instruction.column};
}

std::string Module::op_name(InstructionId id) const {
  const StringId metadata = instructions_[id].metadata;
  return metadata == kNone ? std::string() : unescape(field(string(metadata), "op_name"));
}

std::string Module::resolved_metadata(InstructionId id) const {
  std::string text(string(instructions_[id].metadata));
  const std::size_t at = text.rfind("stack_frame_id=");
  if (at == std::string::npos) return text;
  std::size_t end = at + 15;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  if (end != text.size() && text[end] != ' ') return text;  // part of a string
  const auto place = source(id);
  text.replace(at, end - at, place ? "source_file=" + quote(place->file) + " source_line=" + std::to_string(place->line) : "");
  if (!place && at > 0 && text[at - 1] == ' ') text.erase(at - 1, 1);
  return text;
}

std::optional<SourcePlace> Module::source(InstructionId id) const {
  const StringId metadata = instructions_[id].metadata;
  if (metadata == kNone) return std::nullopt;
  const std::string_view text = string(metadata);
  if (const auto frame = whole_number(field(text, "stack_frame_id"))) {
    const auto location = stack_frames_.find(*frame);
    if (location == stack_frames_.end()) return std::nullopt;
    const auto place = file_locations_.find(location->second);
    if (place == file_locations_.end()) return std::nullopt;
    const auto path = file_names_.find(place->second.first);
    if (path == file_names_.end()) return std::nullopt;
    return SourcePlace{path->second, place->second.second};
  }
  const std::string_view source_file = field(text, "source_file");
  if (source_file.empty()) return std::nullopt;
  return SourcePlace{unescape(source_file), whole_number(field(text, "source_line")).value_or(0)};
}

std::size_t Module::memory_bytes() const {
  std::size_t bytes = instructions_.capacity() * sizeof(Instruction) + operands_.capacity() * sizeof(InstructionId) +
                      text_.capacity() + string_ends_.capacity() * sizeof(std::uint32_t) +
                      computations_.capacity() * sizeof(Computation) + types_.capacity() * sizeof(Type);
  for (const auto& computation : computations_) bytes += computation.parameters.capacity() * sizeof(InstructionId);
  for (const auto& attributes : attributes_) {
    bytes += sizeof(Attributes) + attributes.entries().capacity() * sizeof(std::pair<Attr, AttrValue>);
    if (attributes.has(Attr::Literal)) bytes += attributes.literal().values.capacity() * sizeof(Scalar);
  }
  return bytes;
}

Call call_of(const Module& module, InstructionId id) {
  const Instruction& instruction = module[id];
  Call call{instruction.op, &module.attributes(id), {}, &module.type(id), {}, nullptr, {}};
  call.operands.reserve(instruction.operand_count);
  for (const InstructionId operand : module.operands(id)) call.operands.push_back(&module.type(operand));
  return call;
}

ComputationList branches_of(const Module& module, InstructionId conditional) {
  const Attributes& attributes = module.attributes(conditional);
  ComputationList branches = attributes.computations(Attr::Branches);
  for (const Attr attr : {Attr::TrueComputation, Attr::FalseComputation}) {
    const ComputationList& more = attributes.computations(attr);
    branches.insert(branches.end(), more.begin(), more.end());
  }
  return branches;
}

// `main/layer.3/%mul.2#4`.
std::string to_string(const Module& module, const Instance& instance) {
  std::string text(module.string(module.computation(module.entry()).name));
  std::size_t branch = 0;
  for (const InstructionId call : instance.path) {
    text += "/" + std::string(module.name_of(call));
    if (module[call].op == Op::Conditional && branch < instance.branches.size()) text += "@" + std::to_string(instance.branches[branch++]);
  }
  text += "/%" + std::string(module.name_of(instance.instruction));
  if (instance.iteration >= 0) text += "#" + std::to_string(instance.iteration);
  return text;
}

}  // namespace gg
