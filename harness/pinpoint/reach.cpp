// The reach of an edit (harness/pinpoint/reach.h).
#include "harness/pinpoint/reach.h"

#include <algorithm>
#include <map>

#include "harness/pinpoint/copier.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

class Comparison {
 public:
  Comparison(const Module& base, const Module& edited) : base_(base), edited_(edited) {
    for (ComputationId id = 0; id < base.computations().size(); ++id) by_name_.emplace(base.string(base.computation(id).name), id);
  }

  /// The instruction in the base computation of which `id` (of the edited one) is an unchanged copy, operands aside.
  std::optional<InstructionId> counterpart(InstructionId id, const Names& names) {
    const auto found = names.find(edited_.name_of(id));
    if (found == names.end()) return std::nullopt;
    const InstructionId old = found->second;
    if (edited_[id].op != base_[old].op || !(edited_.type(id) == base_.type(old))) return std::nullopt;
    if (edited_.operands(id).size() != base_.operands(old).size()) return std::nullopt;
    const auto& a = edited_.attributes(id).entries();
    const auto& b = base_.attributes(old).entries();
    if (a.size() != b.size()) return std::nullopt;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k].first != b[k].first) return std::nullopt;
      const auto* now = std::get_if<ComputationList>(&a[k].second);
      const auto* then = std::get_if<ComputationList>(&b[k].second);
      if (now == nullptr || then == nullptr) {
        if (!(a[k].second == b[k].second)) return std::nullopt;
      } else if (!same(*now, *then)) {
        return std::nullopt;
      }
    }
    return old;
  }

 private:
  bool same(const ComputationList& now, const ComputationList& then) {
    if (now.size() != then.size()) return false;
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (edited_.string(edited_.computation(now[k]).name) != base_.string(base_.computation(then[k]).name)) return false;
      if (!same(now[k])) return false;
    }
    return true;
  }

  /// The edited computation and the base's of the same name, instruction by instruction.
  bool same(ComputationId id) {
    const auto known = same_.find(id);
    if (known != same_.end()) return known->second;
    same_[id] = false;
    const Computation& now = edited_.computation(id);
    const auto found = by_name_.find(edited_.string(now.name));
    bool equal = found != by_name_.end() && base_.computation(found->second).count == now.count;
    if (equal) {
      const Computation& then = base_.computation(found->second);
      const Names names = names_of(base_, then);
      for (InstructionId k = 0; k < now.count && equal; ++k) {
        const auto old = counterpart(now.first + k, names);
        equal = old && *old == then.first + k;
        for (std::size_t n = 0; equal && n < edited_.operands(now.first + k).size(); ++n) {
          equal = edited_.operands(now.first + k)[n] - now.first == base_.operands(*old)[n] - then.first;
        }
      }
      equal = equal && now.root - now.first == then.root - then.first;
    }
    same_[id] = equal;
    return equal;
  }

  const Module& base_;
  const Module& edited_;
  std::unordered_map<std::string_view, ComputationId> by_name_;
  std::map<ComputationId, bool> same_;
};

bool has_token(const Type& type) {
  const auto leaves = type.leaves();
  return std::any_of(leaves.begin(), leaves.end(), [](const Type* leaf) { return !leaf->is_array(); });
}

}  // namespace

std::vector<InstructionId> same_values(const Module& base, const Module& edited) {
  Comparison comparison(base, edited);
  const Computation& entry = edited.computation(edited.entry());
  const Names names = names_of(base, base.computation(base.entry()));
  std::vector<InstructionId> clean(entry.count, kNone);
  for (InstructionId k = 0; k < entry.count; ++k) {
    const InstructionId id = entry.first + k;
    const auto operands = edited.operands(id);
    const auto old = comparison.counterpart(id, names);
    bool same = old.has_value();
    for (std::size_t n = 0; same && n < operands.size(); ++n) same = clean[operands[n] - entry.first] == base.operands(*old)[n];
    if (same) clean[k] = *old;
  }
  return clean;
}

std::optional<Reach> reach_of(const Module& base, const Module& edited) {
  const Computation& entry = edited.computation(edited.entry());
  const std::vector<InstructionId> clean = same_values(base, edited);
  std::vector<bool> derived(entry.count);
  for (InstructionId k = 0; k < entry.count; ++k) {
    const auto operands = edited.operands(entry.first + k);
    derived[k] = is_parameter(edited, entry.first + k) ||
                 std::any_of(operands.begin(), operands.end(), [&](InstructionId o) { return derived[o - entry.first]; });
  }
  Reach reach;
  const InstructionId root = entry.root;
  const bool tuple = is_tuple(edited, root);
  // Needed: dirty values behind the root, and what they read; clean values that depend on inputs are parameters.
  std::vector<bool> needed(entry.count), parameter(entry.count);
  const auto is_clean = [&](InstructionId id) { return clean[id - entry.first] != kNone; };
  needed[root - entry.first] = true;
  for (InstructionId k = entry.count; k-- > 0;) {
    if (!needed[k]) continue;
    const InstructionId id = entry.first + k;
    const bool keep = id == root && tuple;
    parameter[k] = !keep && derived[k] && is_clean(id);
    if (parameter[k]) {
      if (has_token(edited.type(id))) return std::nullopt;
      continue;
    }
    for (const InstructionId operand : edited.operands(id)) needed[operand - entry.first] = true;
  }
  Copier copier(edited);
  for (InstructionId k = 0; k < entry.count; ++k) {
    if (needed[k] && !parameter[k]) copier.prepare(entry.first + k);
  }
  copier.open(edited.string(entry.name));
  std::vector<InstructionId> ids(entry.count, kNone);
  for (InstructionId k = 0; k < entry.count; ++k) {
    if (!needed[k]) continue;
    const InstructionId id = entry.first + k;
    if (parameter[k]) {
      ids[k] = copier.parameter(edited.type(id), edited.name_of(id));
      reach.frontier.push_back(clean[k]);
      continue;
    }
    std::vector<InstructionId> operands;
    for (const InstructionId operand : edited.operands(id)) operands.push_back(ids[operand - entry.first]);
    ids[k] = copier.copy(id, operands);
  }
  reach.module = copier.close(ids[root - entry.first]);
  const auto leaves = [&](InstructionId id, bool changed) {
    for (const Type* leaf : edited.type(id).leaves()) {
      if (leaf->is_array()) reach.changed.push_back(changed);
    }
  };
  const InstructionId old_root = base.computation(base.entry()).root;
  const auto old_parts = base.operands(old_root);
  if (tuple) {
    const bool alike = is_tuple(base, old_root) && old_parts.size() == edited.operands(root).size();
    for (std::size_t k = 0; k < edited.operands(root).size(); ++k) {
      const InstructionId operand = edited.operands(root)[k];
      leaves(operand, !alike || clean[operand - entry.first] != old_parts[k]);
    }
  } else {
    leaves(root, clean[root - entry.first] != old_root);
  }
  return reach;
}

}  // namespace gg::pinpoint
