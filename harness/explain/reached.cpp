// The closure over operands, calls, loops and branches (harness/explain/reached.h).
#include "harness/explain/reached.h"

#include <algorithm>

#include "models/ir/structure.h"

namespace gg {

Reached::Reached(const Module& module, const std::vector<InstructionId>& edits, const Reached* anywhere)
    : module_(module), anywhere_(anywhere) {
  begin_.push_back(0);
  for (InstructionId id = 0; id < module.size(); ++id) begin_.push_back(begin_.back() + array_leaves(module.type(id)));
  distances_.assign(begin_.back(), kNone);
  for (const InstructionId id : edits) reach_all(id, 0);
  do {
    more_ = false;
    for (InstructionId id = 0; id < module.size(); ++id) walk(id);
  } while (more_);
}

void Reached::reach(InstructionId id, std::size_t leaf, std::uint32_t distance) {
  std::uint32_t& known = distances_[begin_[id] + leaf];
  if (distance >= known) return;
  known = distance;
  more_ = true;
}

void Reached::reach_all(InstructionId id, std::uint32_t distance) {
  for (std::size_t leaf = 0; leaf < leaves(id); ++leaf) reach(id, leaf, distance);
}

void Reached::pass(InstructionId from, InstructionId to) {
  for (std::size_t leaf = 0; leaf < leaves(from); ++leaf) reach(to, leaf, distance(from, leaf));
}

void Reached::call(InstructionId id) {
  const Computation& c = module_.computation(callee_of(module_, id));
  const auto operands = module_.operands(id);
  for (std::size_t k = 0; k < c.parameters.size(); ++k) pass(operands[k], c.parameters[k]);
  pass(c.root, id);
}

void Reached::loop(InstructionId id) {
  const Computation& body = module_.computation(body_of(module_, id));
  const Computation& condition = module_.computation(condition_of(module_, id));
  const InstructionId start = module_.operands(id)[0];
  const Reached& later = anywhere_ == nullptr ? *this : *anywhere_;
  const std::uint32_t trips = later.distance(condition.root, 0);
  for (std::size_t leaf = 0; leaf < leaves(id); ++leaf) {
    const std::uint32_t before = distance(start, leaf), after = later.distance(body.root, leaf);
    reach(body.parameters.at(0), leaf, anywhere_ == nullptr ? std::min(before, after) : before);
    reach(condition.parameters.at(0), leaf, std::min(before, after));
    reach(id, leaf, std::min({before, after, trips}));
  }
}

void Reached::branches(InstructionId id) {
  const ComputationList all = branches_of(module_, id);
  const auto operands = module_.operands(id);
  reach_all(id, distance(operands[0], 0));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Computation& branch = module_.computation(all[k]);
    if (!branch.parameters.empty()) pass(operands[k + 1], branch.parameters[0]);
    pass(branch.root, id);
  }
}

void Reached::walk(InstructionId id) {
  switch (structure_of(module_, id)) {
    case Structure::Parameter:
    case Structure::Token: return;
    case Structure::Loop: return loop(id);
    case Structure::Branches: return branches(id);
    case Structure::Call: return call(id);
    case Structure::Join:
    case Structure::Element: {
      std::size_t at = 0;
      for (const OperandLeaf& from : handed_leaves(module_, id)) reach(id, at++, distance(from.id, from.leaf));
      return;
    }
    case Structure::None: break;
  }
  std::uint32_t nearest = kNone;
  const auto read = [&](InstructionId x) {
    for (std::size_t leaf = 0; leaf < leaves(x); ++leaf) nearest = std::min(nearest, distance(x, leaf));
  };
  for (const InstructionId operand : module_.operands(id)) read(operand);
  for (const ComputationId region : module_.attributes(id).computations(Attr::ToApply)) read(module_.computation(region).root);
  if (nearest != kNone) reach_all(id, nearest + 1);
}

}  // namespace gg
