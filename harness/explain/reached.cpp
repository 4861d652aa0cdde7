// The closure over operands, calls, loops and branches (harness/explain/reached.h).
#include "harness/explain/reached.h"

#include <algorithm>

#include "runtime/value.h"

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

void Reached::pass(InstructionId from, std::size_t first, InstructionId to, std::size_t at, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) reach(to, at + k, distance(from, first + k));
}

void Reached::call(InstructionId id, ComputationId callee) {
  const Computation& c = module_.computation(callee);
  const auto operands = module_.operands(id);
  for (std::size_t k = 0; k < c.parameters.size(); ++k) pass(operands[k], 0, c.parameters[k], 0, leaves(operands[k]));
  pass(c.root, 0, id, 0, leaves(id));
}

void Reached::loop(InstructionId id) {
  const Computation& body = module_.computation(module_.attributes(id).computations(Attr::Body).at(0));
  const Computation& condition = module_.computation(module_.attributes(id).computations(Attr::Condition).at(0));
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
    if (!branch.parameters.empty()) pass(operands[k + 1], 0, branch.parameters[0], 0, leaves(operands[k + 1]));
    pass(branch.root, 0, id, 0, leaves(id));
  }
}

void Reached::walk(InstructionId id) {
  const auto operands = module_.operands(id);
  const Attributes& attributes = module_.attributes(id);
  switch (module_[id].op) {
    case Op::Parameter: return;
    case Op::While: return loop(id);
    case Op::Conditional: return branches(id);
    case Op::Call:
    case Op::Fusion: return call(id, attributes.computations(attributes.has(Attr::Calls) ? Attr::Calls : Attr::ToApply).at(0));
    case Op::Tuple:
    case Op::OptimizationBarrier: {
      std::size_t at = 0;
      for (const InstructionId operand : operands) {
        pass(operand, 0, id, at, leaves(operand));
        at += leaves(operand);
      }
      return;
    }
    case Op::GetTupleElement: {
      const auto& elements = module_.type(operands[0]).elements;
      std::size_t first = 0;
      for (std::int64_t k = 0; k < attributes.integer(Attr::Index); ++k) first += array_leaves(elements[static_cast<std::size_t>(k)]);
      return pass(operands[0], first, id, 0, leaves(id));
    }
    default: break;
  }
  std::uint32_t nearest = kNone;
  const auto read = [&](InstructionId x) {
    for (std::size_t leaf = 0; leaf < leaves(x); ++leaf) nearest = std::min(nearest, distance(x, leaf));
  };
  for (const InstructionId operand : operands) read(operand);
  for (const ComputationId region : attributes.computations(Attr::ToApply)) read(module_.computation(region).root);
  if (nearest != kNone) reach_all(id, nearest + 1);
}

}  // namespace gg
