// Custom calls: those that annotate, those that a definition gives a meaning, borders of manual regions, opaque ones.
#include "models/op/custom_calls.h"

#include <algorithm>
#include <array>

#include "models/base/text.h"
#include "models/hlo/instruction.h"
#include "models/hlo/sharding.h"

namespace gg::hlo {
namespace {

/// Custom calls that only annotate their operand with a sharding; they are read as copies.
constexpr std::array<std::string_view, 2> kIdentityCalls = {"Sharding", "xla.sdy.FuncResultSharding"};

/// The order of memory that a call asks for: dimensions from the fastest on, counted from the last one (-1), without the slowest ones that are in their usual
/// order. A batch dimension in front changes nothing.
std::string layout_text(const Type& type) {
  std::string text;
  for (const Type* leaf : type.leaves()) {
    std::size_t kept = leaf->layout.size();
    while (kept > 0 && leaf->layout[kept - 1] == static_cast<std::int64_t>(leaf->layout.size() - kept)) --kept;
    for (std::size_t k = 0; k < kept; ++k) text += std::to_string(leaf->layout[k] - static_cast<std::int64_t>(leaf->layout.size())) + (k + 1 < kept ? "," : "");
    text += ";";
  }
  return text;
}

}  // namespace

/// A custom call whose meaning the user gave, as a call of that computation.
bool InstructionParser::replace_defined_call(const std::string& target, Instruction& instruction) {
  const Module& module = builder_.module();
  std::vector<std::string> known;
  for (const DefinitionFile& file : options_.definitions) {
    for (const Definition& definition : file.definitions) {
      if (definition.target != target) continue;
      const std::string types = joined_text(definition.parameters, ", ", [&](const Type& type) { return to_string(type); });
      known.push_back("(" + types + ") -> " + to_string(definition.result));
      const bool fits = definition.result == module.type_by_id(instruction.type) &&
                        std::equal(operands_.begin(), operands_.end(), definition.parameters.begin(), definition.parameters.end(),
                                   [&](InstructionId id, const Type& type) { return module.type(id) == type; });
      if (!fits) continue;
      Attributes attributes(Attr::ToApply, ComputationList{builder_.reserve(definition.computation)});
      instruction.op = Op::Call;
      instruction.attributes = builder_.intern(std::move(attributes));
      return true;
    }
  }
  if (!known.empty() && problems.size() < kMaxProblems) {
    for (std::string& text : known) text = "defined: " + text;
    problems.push_back({DiagCode::UnsupportedForm,
                        {cursor_.file(), instruction.line, instruction.column},
                        "no definition of '" + target + "' takes these operands",
                        known});
  }
  return !known.empty();
}

/// The tiles of a manual region's border: SPMDFullToShardShape has those of its operand, SPMDShardToFullShape its own.
/// Nothing is attached to a border that is manual over some axes only.
void InstructionParser::attach_border(const std::string& target, Instruction& instruction) {
  const bool enters = target == "SPMDFullToShardShape";
  if ((!enters && target != "SPMDShardToFullShape") || operands_.size() != 1) return;
  const Module& module = builder_.module();
  const StringId outer = enters ? module[operands_[0]].sharding : instruction.sharding;
  const StringId inner = enters ? instruction.sharding : module[operands_[0]].sharding;
  const Type& local = enters ? module.type_by_id(instruction.type) : module.type(operands_[0]);
  if (inner == kNone || parse_sharding(module.string(inner)).kind != ShardingKind::Manual) return;
  Attributes attributes = module.attributes_by_id(instruction.attributes);
  IntList tiles(local.dims.size(), 1), devices;
  if (outer != kNone) {
    const Sharding sharding = parse_sharding(module.string(outer));
    const bool plain = std::all_of(sharding.subgroups.begin(), sharding.subgroups.end(),
                                   [](Subgroup group) { return group == Subgroup::Replicated; });
    if (sharding.kind == ShardingKind::Tiled && plain && sharding.tiles.size() == tiles.size() + sharding.subgroups.size()) {
      std::copy_n(sharding.tiles.begin(), tiles.size(), tiles.begin());
      devices = sharding.devices;
    } else if (sharding.kind != ShardingKind::Replicated) {
      return;
    }
  }
  attributes.set(Attr::ManualTiles, std::move(tiles));
  attributes.set(Attr::ManualDevices, std::move(devices));
  instruction.attributes = builder_.intern(std::move(attributes));
}

bool has_own_meaning(std::string_view target) {
  return find_custom_call(target) != nullptr || std::find(kIdentityCalls.begin(), kIdentityCalls.end(), target) != kIdentityCalls.end();
}

/// `custom-call(%x), custom_call_target="Sharding", sharding={...}` means x; a defined call means its definition; an opaque
/// one learns its batch dimensions.
void InstructionParser::replace_custom_call(Instruction& instruction) {
  const std::string target = builder_.module().attributes_by_id(instruction.attributes).text(Attr::CustomCallTarget);
  if (std::find(kIdentityCalls.begin(), kIdentityCalls.end(), target) != kIdentityCalls.end()) {
    instruction.op = Op::Copy;
    instruction.attributes = builder_.intern(Attributes{});
    return;
  }
  if (replace_defined_call(target, instruction)) return;
  attach_border(target, instruction);
  std::optional<IntList> batch;
  for (const auto& [name, dims] : options_.opaque_batch_dims) {
    if (name != target) continue;
    batch = dims;
    const std::vector<const Type*> leaves = array_leaf_types(builder_.module().type_by_id(instruction.type));
    const std::size_t rank = leaves.empty() ? 0 : leaves[0]->dims.size();
    for (const std::int64_t d : dims) {
      if (static_cast<std::size_t>(d) < rank || problems.size() >= kMaxProblems) continue;
      problems.push_back({DiagCode::Usage,
                          {cursor_.file(), instruction.line, instruction.column},
                          "--opaque gives '" + target + "' the batch dimension " + std::to_string(d) + ", and its result has " + std::to_string(rank) + " dimensions",
                          {}});
    }
  }
  if (is_library_function(target) && !operands_.empty()) batch = before_matrix(builder_.module().type(operands_[0]));
  if (batch) {
    Attributes attributes = builder_.module().attributes_by_id(instruction.attributes);
    attributes.set(Attr::OpaqueBatchDims, *batch);
    std::string notes = layout_text(builder_.module().type_by_id(instruction.type)) + ">";
    for (const Type& operand : constraints_) notes += layout_text(operand);
    if (notes.find('-') == std::string::npos) notes.clear();
    for (const std::string& note : is_library_function(target) ? std::set<std::string>() : notes_) notes += " " + note;
    if (!given_notes_.empty()) notes = constraints_.empty() ? given_notes_ : given_notes_ + notes;  // as printed they have none
    if (!notes.empty()) attributes.set(Attr::CallNotes, std::move(notes));
    instruction.attributes = builder_.intern(std::move(attributes));
  }
  if (key_.back() == '\2' && problems.size() < kMaxProblems) {
    problems.push_back({DiagCode::UnsupportedForm,
                        {cursor_.file(), instruction.line, instruction.column},
                        "custom call '" + target + "' has side effects",
                        {}});
  }
}

}  // namespace gg::hlo
