#include "runtime/shapes/bound.h"

#include <algorithm>

namespace gg {
namespace {

using Marks = std::vector<bool>;  ///< by instruction: an integer made from the rank's number

// Marks what the instruction makes of a marked value, parameters of what it calls, and what it has of their results.
bool follow(const Module& module, InstructionId id, Marks& marks) {
  bool changed = false;
  const auto mark = [&](InstructionId value) {
    changed |= !marks[value];
    marks[value] = true;
  };
  const auto operands = module.operands(id);
  const bool given = std::any_of(operands.begin(), operands.end(), [&](InstructionId o) { return marks[o]; });
  if (given && module.type(id).is_array() && is_integral(module.type(id).element)) mark(id);
  const Attributes& a = module.attributes(id);
  const Attr attr = a.has(Attr::Calls) ? Attr::Calls : Attr::ToApply;
  if (info(module[id].op).traits != OpTraits::Structure || !a.has(attr)) return changed;
  const Computation& callee = module.computation(a.computations(attr).at(0));
  for (std::size_t k = 0; k < std::min(callee.parameters.size(), operands.size()); ++k) {
    if (marks[operands[k]]) mark(callee.parameters[k]);
  }
  if (marks[callee.root]) mark(id);
  return changed;
}

// Is it a number of the rank, by its body?
bool numbers_ranks(const ProgramSizes& p, InstructionId id) {
  if (p.leaves(id) != 1 || !is_integral(p.type(id).element)) return false;
  const Body* body = p.bodies().body(id, 0);
  if (body == nullptr) return false;
  const Arena& arena = p.bodies().arena();
  const Expr& root = arena[body->root];
  if (root.kind != ExprKind::Index) return false;
  const std::size_t levels = arena[LinId{root.arg}].levels;
  return levels > 0 && levels <= p.bodies().digits().digits().size();
}

Marks of_rank(const ProgramSizes& p) {
  const Module& module = p.module();
  Marks marks(module.size());
  for (InstructionId id = 0; id < module.size(); ++id) marks[id] = numbers_ranks(p, id);
  for (bool changed = true; changed;) {
    changed = false;
    for (InstructionId id = 0; id < module.size(); ++id) changed |= follow(module, id, marks);
  }
  return marks;
}

}  // namespace

BoundToSizes::BoundToSizes(const Constraints& all) : all_(all) {
  std::set<std::pair<std::uint8_t, ComputationId>> conditions;
  for (const ProgramSizes& p : all.programs) {
    const Marks marks = of_rank(p);
    for (InstructionId id = 0; id < p.module().size(); ++id) {
      if (marks[id]) bound_[p.side()].insert(all.kinds.root(p.kind(id)));
      const Attributes& a = p.module().attributes(id);
      if (a.has(Attr::Condition)) conditions.emplace(p.side(), a.computations(Attr::Condition).at(0));
    }
  }
  std::set<KindId> places;
  for (const KindId kind : all.places) places.insert(all.kinds.root(kind));
  for (const KindId kind : all.remainders) {
    if (places.count(all.kinds.root(kind)) != 0) rings_.insert(all.kinds.root(kind));
  }
  for (const LiteralUse& use : all.uses) {
    const bool ends = use.user != kNone && conditions.count({use.side, all.programs[use.side].module().computation_of(use.user)}) != 0;
    if (ends) bound_[use.side].insert(all.kinds.root(use.kind));
  }
}

bool BoundToSizes::operator()(const LiteralUse& use, std::int64_t value) const {
  const KindId kind = all_.kinds.root(use.kind);
  if (bound_[use.side].count(kind) != 0) return true;
  const auto& attachments = all_.kinds.attachments(kind);
  return rings_.count(kind) != 0 && std::any_of(attachments.begin(), attachments.end(), [&](const auto& a) { return all_.sizes.size(a.dimension) == value; });
}

}  // namespace gg
