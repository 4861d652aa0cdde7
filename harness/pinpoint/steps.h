// Recurrences that are written out step by step (pipeline schedules, microbatches): the same value of successive steps, and the step after
// the last one, made like it.
#pragma once

#include <map>
#include <optional>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {

/// The value of the step before from which this one is computed directly: an operand like it; kNone.
InstructionId step_before(const Module& module, InstructionId id);

class Steps {
 public:
  /// `before` and `last`: the same value of two successive steps, instructions that are alike.
  Steps(const Module& module, InstructionId before, InstructionId last);
  /// Is the later one computed from what the earlier step has made?
  bool linked() { return continues(last_); }
  /// Do both steps consist of the same instructions, which read the same values but for numbers that count steps?
  bool exact() const { return exact_; }
  /// Instructions that the two have in common.
  std::size_t size() const { return after_.size(); }
  /// The same value of the step after the last: what is computed from the earlier step is made again from the later one, with numbers
  /// counted on.
  Ref next(Patch& patch) { return *made_again(last_, patch); }

 private:
  bool pair(InstructionId a, InstructionId b);
  bool continues(InstructionId id);
  std::optional<Ref> made_again(InstructionId id, Patch& patch);
  std::optional<Ref> counted_on(InstructionId id, Patch& patch);

  const Module& module_;
  InstructionId last_;
  bool exact_ = true;
  std::map<InstructionId, InstructionId> after_, before_;  ///< a value and the same one of the next step
  std::map<InstructionId, InstructionId> numbers_;         ///< of the later step, and what stands there in the earlier one
  std::map<InstructionId, bool> continues_;
  std::map<InstructionId, std::optional<Ref>> made_;
};

}  // namespace gg::pinpoint
