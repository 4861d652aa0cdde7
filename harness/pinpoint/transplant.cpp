#include "harness/pinpoint/transplant.h"

#include <map>
#include <string_view>

#include "harness/pinpoint/chains.h"
#include "models/ir/control_flow.h"

namespace gg::pinpoint {
namespace {

using mutation::Added;
using mutation::Changed;
using mutation::Patch;
using mutation::Ref;
using mutation::Reroute;

/// One patch in the terms of the whole program.
class Transplant {
 public:
  Transplant(const Module& part, const Module& whole) : part_(part), whole_(whole) {
    for (InstructionId id = 0; id < whole.size(); ++id) instructions_.emplace(name_of(whole, id), id);
    for (ComputationId id = 0; id < whole.computations().size(); ++id) computations_.emplace(whole.string(whole.computation(id).name), id);
  }

  std::optional<Patch> run(const Patch& patch) {
    Patch result = patch;
    for (Added& added : result.added) {
      move(added.attributes);
      for (Ref& operand : added.operands) operand = moved(operand);
    }
    for (Changed& changed : result.changed) {
      const InstructionId before = changed.id;
      changed.id = moved(before);
      move(changed.attributes);
      if (!found_) break;
      for (std::size_t k = 0; k < changed.operands.size(); ++k) changed.operands[k] = operand(before, changed.id, k, changed.operands[k]);
    }
    for (Reroute& reroute : result.reroutes) {
      reroute.from = moved(reroute.from);
      reroute.to = moved(reroute.to);
      if (reroute.only) reroute.only = moved(*reroute.only);
    }
    return found_ ? std::optional(std::move(result)) : std::nullopt;
  }

 private:
  InstructionId moved(InstructionId id) {
    const auto there = instructions_.find(name_of(part_, id));
    if (there != instructions_.end()) return there->second;
    found_ = false;
    return 0;
  }

  Ref moved(Ref value) { return value.added ? value : Ref{moved(value.id), false}; }

  /// An operand that the edit leaves alone may be another one in the whole program: that of the layer before.
  Ref operand(InstructionId before, InstructionId there, std::size_t k, Ref value) {
    const auto old = part_.operands(before);
    const bool same = !value.added && k < old.size() && value.id == old[k] && k < whole_.operands(there).size();
    return same ? Ref{whole_.operands(there)[k], false} : moved(value);
  }

  void move(Attributes& attributes) {
    attributes = with_computations(attributes, [&](ComputationId c) {
      const auto known = computations_.find(part_.string(part_.computation(c).name));
      found_ = found_ && known != computations_.end();
      return known == computations_.end() ? c : known->second;
    });
  }

  const Module& part_;
  const Module& whole_;
  std::map<Name, InstructionId> instructions_;
  std::map<std::string_view, ComputationId> computations_;
  bool found_ = true;
};

}  // namespace

std::optional<Module> transplanted(const Module& part, const std::vector<Patch>& patches, const Module& whole) {
  Module here(part), there(whole);
  for (const Patch& patch : patches) {
    const std::optional<Patch> same = Transplant(here, there).run(patch);
    std::optional<Module> next = patched(here, patch), all = same ? patched(there, *same) : std::nullopt;
    if (!next || !all) return std::nullopt;
    here = std::move(*next);
    there = std::move(*all);
  }
  return there;
}

}  // namespace gg::pinpoint
