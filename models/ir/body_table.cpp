// Bodies made once a signature: operator, attributes without channel number and with regions by content, types.
#include <array>
#include <deque>
#include <optional>
#include <unordered_map>

#include "models/base/check.h"
#include "models/base/progress.h"
#include "models/ir/canonical.h"
#include "models/ir/region.h"
#include "models/op/compare.h"

namespace gg {

namespace {

/// Attributes that name scalar functions, in the order of Call::regions.
constexpr std::array kRegionAttributes = {Attr::ToApply, Attr::SelectRegion, Attr::ScatterRegion};

ComputationList region_computations(const Attributes& attributes) {
  ComputationList all;
  for (const Attr attr : kRegionAttributes) {
    const ComputationList& some = attributes.computations(attr);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// Regions of to_apply are part of an operator's meaning; the computations of calls are structure.
bool applies_region(const Instruction& instruction, const Attributes& attributes) {
  return info(instruction.op).traits != OpTraits::Structure && !region_computations(attributes).empty();
}

using Key = std::vector<std::uint32_t>;
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t h = key.size();
    for (const std::uint32_t word : key) h = ((h ^ word) * 0x9e3779b97f4a7c15ULL) ^ (h >> 29);
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};

struct Entry {
  std::optional<Body> body;
  std::string reason;
};

}  // namespace

struct BodyTable::Memo {
  std::unordered_map<ComputationId, std::uint32_t> region_index;  // into regions
  std::deque<Region> regions;
  std::vector<std::uint32_t> region_content;  // by region; equal numbers: equal regions
  std::unordered_map<Key, std::uint32_t, KeyHash> contents;
  std::unordered_map<AttributesId, AttributesId> without_regions;                    // the first that differs in regions only
  std::unordered_map<std::uint64_t, std::vector<InstructionId>> attributes_by_hash;  // one of each
  std::unordered_map<Key, std::uint32_t, KeyHash> signatures;
  std::vector<std::uint32_t> signature_of;  // by instruction, kNone = not yet
  std::deque<std::deque<Entry>> entries;    // by signature, by leaf; addresses are stable

  AttributesId canonical(const Module& module, InstructionId id);
  std::uint32_t signature(BodyTable& table, InstructionId id);
  const Entry& entry(BodyTable& table, InstructionId id, int leaf);
};

/// The attributes with the regions left out: those that differ in the names of their regions only have one number.
AttributesId BodyTable::Memo::canonical(const Module& module, InstructionId id) {
  const AttributesId attributes = module[id].attributes;
  if (!applies_region(module[id], module.attributes(id))) return attributes;
  const auto known = without_regions.find(attributes);
  if (known != without_regions.end()) return known->second;
  const auto bare = [](Attributes copy) {
    for (const Attr attr : kRegionAttributes) {
      if (copy.has(attr)) copy.set(attr, ComputationList{});
    }
    return copy;
  };
  const Attributes mine = bare(module.attributes(id));
  auto& candidates = attributes_by_hash[hash(mine)];
  for (const InstructionId candidate : candidates) {
    if (bare(module.attributes(candidate)) == mine) {
      return without_regions[attributes] = module[candidate].attributes;
    }
  }
  candidates.push_back(id);
  return without_regions[attributes] = attributes;
}

std::uint32_t BodyTable::Memo::signature(BodyTable& table, InstructionId id) {
  if (signature_of.empty()) signature_of.resize(table.module_.size(), kNone);
  if (signature_of[id] != kNone) return signature_of[id];
  const Module& module = table.module_;
  const Instruction& instruction = module[id];
  Key key = {static_cast<std::uint32_t>(instruction.op), canonical(module, id), instruction.type};
  for (const InstructionId operand : module.operands(id)) key.push_back(module[operand].type);
  if (orders_canonical(module, id)) key.push_back(kNone);
  if (applies_region(instruction, module.attributes(id))) {
    for (const ComputationId computation : region_computations(module.attributes(id))) {
      table.region(computation);
      key.push_back(region_content[region_index.at(computation)]);
    }
  }
  const auto next = static_cast<std::uint32_t>(signatures.size());
  const auto [place, fresh] = signatures.emplace(std::move(key), next);
  if (fresh) entries.emplace_back();
  return signature_of[id] = place->second;
}

const Entry& BodyTable::Memo::entry(BodyTable& table, InstructionId id, int leaf) {
  auto& leaves = entries[signature(table, id)];
  while (leaves.size() <= static_cast<std::size_t>(leaf)) {
    Entry fresh;
    ask_deadline();
    try {
      const Call call = table.call(id);
      fresh.body = orders_canonical(table.module_, id) ? canonical_compare_body(table.arena_, call)
                                                       : make_body(table.arena_, call, static_cast<int>(leaves.size()));
    } catch (const TypeError& error) {
      fresh.reason = error.message;
    }
    leaves.push_back(std::move(fresh));
  }
  return leaves[static_cast<std::size_t>(leaf)];
}

BodyTable::BodyTable(Arena& arena, const Module& module, RankDigits digits, RankLayout layout)
    : arena_(arena), module_(module), digits_(std::move(digits)), layout_(layout), memo_(std::make_unique<Memo>()) {
  GG_CHECK(digits_.ranks() == layout_.ranks(), "rank digits and layout disagree on the ranks");
}

BodyTable::~BodyTable() = default;

const Region& BodyTable::region(ComputationId id) {
  const auto known = memo_->region_index.find(id);
  if (known != memo_->region_index.end()) return memo_->regions[known->second];
  Region region = read_region(arena_, module_, id);
  Key content;
  if (region.results.empty()) {
    content = {0, id};  // no scalar function: equal to itself only
  } else {
    content = {1, static_cast<std::uint32_t>(region.parameters.size())};
    for (const ElementType type : region.parameters) content.push_back(static_cast<std::uint32_t>(type));
    for (const ExprId result : region.results) content.push_back(result.value);
  }
  memo_->region_index.emplace(id, static_cast<std::uint32_t>(memo_->regions.size()));
  memo_->regions.push_back(std::move(region));
  const auto next = static_cast<std::uint32_t>(memo_->contents.size());
  memo_->region_content.push_back(memo_->contents.emplace(std::move(content), next).first->second);
  return memo_->regions.back();
}

Call BodyTable::call(InstructionId id) {
  Call call = call_of(module_, id);
  if (applies_region(module_[id], *call.attributes)) {
    for (const ComputationId computation : region_computations(*call.attributes)) {
      call.regions.push_back(&region(computation));
    }
  }
  call.digits = &digits_;
  call.layout = layout_;
  return call;
}

const Body* BodyTable::body(InstructionId id, int leaf) {
  const Entry& entry = memo_->entry(*this, id, leaf);
  return entry.body ? &*entry.body : nullptr;
}

std::string BodyTable::reason(InstructionId id) { return memo_->entry(*this, id, 0).reason; }

std::size_t BodyTable::signatures() const { return memo_->signatures.size(); }

}  // namespace gg
