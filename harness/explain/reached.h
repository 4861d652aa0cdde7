// What edits of a program reach: every leaf of every instruction whose value may be another one, and how far away.
#pragma once

#include <vector>

#include "models/ir/module.h"

namespace gg {

class Reached {
 public:
  /// Everywhere, in any iteration of a loop.
  Reached(const Module& module, const std::vector<InstructionId>& edits) : Reached(module, edits, nullptr) {}
  /// In the first iteration of every loop: what only comes back from an iteration before is not reached there.
  static Reached first(const Module& module, const std::vector<InstructionId>& edits, const Reached& anywhere) {
    return Reached(module, edits, &anywhere);
  }
  bool holds(InstructionId id, std::size_t leaf) const { return distance(id, leaf) != kNone; }
  /// Operators between the nearest edit and this leaf, what only hands on not counted; kNone: it is not reached.
  std::uint32_t distance(InstructionId id, std::size_t leaf) const { return distances_[begin_[id] + leaf]; }

 private:
  Reached(const Module& module, const std::vector<InstructionId>& edits, const Reached* anywhere);
  void walk(InstructionId id);
  void loop(InstructionId id);
  void branches(InstructionId id);
  void call(InstructionId id);
  std::size_t leaves(InstructionId id) const { return begin_[id + 1] - begin_[id]; }
  void reach(InstructionId id, std::size_t leaf, std::uint32_t distance);
  void reach_all(InstructionId id, std::uint32_t distance);
  void pass(InstructionId from, InstructionId to);

  const Module& module_;
  const Reached* anywhere_;
  std::vector<std::size_t> begin_;  ///< first leaf of each instruction
  std::vector<std::uint32_t> distances_;
  bool more_ = false;
};

}  // namespace gg
