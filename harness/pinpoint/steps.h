// Recurrences that are written out step by step (pipeline schedules, microbatches, rounds of a ring): the same values of successive steps,
// and the step after the last one, made like it.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {

/// The value of the step before from which this one is computed directly: an operand like it; kNone.
InstructionId step_before(const Module& module, InstructionId id);

/// The nearest value like this one from which it is computed, by however many instructions of a step; kNone.
InstructionId alike_before(const Module& module, InstructionId id);

class Steps {
 public:
  /// `before` and `last`: the same value of two successive steps, instructions that are alike.
  Steps(const Module& module, InstructionId before, InstructionId last);
  /// Is the later one computed from what the earlier step has made?
  bool linked() { return continues(last_); }
  /// Do both steps consist of the same instructions, which read the same values but for numbers that count steps?
  bool exact() const { return exact_; }
  /// Do numbers, parts or distances count the steps, or do ranks send something on in each?
  bool counts() const { return counts_ || sends_; }
  bool sends() const { return sends_; }
  /// Instructions that the two have in common.
  std::size_t size() const { return after_.size(); }
  /// Takes in what else the steps make, by those who read their values, where both do it alike.
  void widen(const Context& context);
  /// The values that go from step to step and that others read after the last one, in the order of the text.
  std::vector<InstructionId> carried(const Context& context) const;
  /// The same value so many steps after the last: what is computed from the step before is made again from the later one, with numbers,
  /// parts and distances counted on. Nothing where it stays as it is.
  std::optional<Ref> next(InstructionId value, Patch& patch, int steps = 1);
  /// Has a step been asked for of which a part lies behind the end of what it is read of?
  bool ended() const { return ended_; }
  /// A message of the later step that is sent farther than in the earlier one, with its pairs so many steps later; kNone.
  std::pair<InstructionId, PairList> farther(int steps = 1) const;

 private:
  void pair_all();
  void pair(InstructionId earlier, InstructionId later);
  bool continues(InstructionId id);
  std::optional<Attributes> told_later(InstructionId id, int steps) const;

  const Module* module_;
  InstructionId last_;
  bool exact_ = true, counts_ = false, sends_ = false, ended_ = false;
  std::map<InstructionId, InstructionId, std::greater<>> todo_;                                     ///< a value of the later step, and what it is of the earlier one
  std::map<InstructionId, InstructionId> after_, before_;                                           ///< a value and the same one of the next step
  std::map<std::pair<InstructionId, std::size_t>, std::pair<std::int64_t, std::int64_t>> numbers_;  ///< what the two steps read by an operand of the later one
  std::map<InstructionId, bool> continues_;
  std::map<std::pair<InstructionId, int>, std::optional<Ref>> made_;
};

}  // namespace gg::pinpoint
