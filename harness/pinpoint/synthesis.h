// Synthesis: what the sequential program computes, made inside the distributed one from what is at hand there. Operands that the
// distributed program holds are gathered where they are distributed, the sequential instructions between them and the value are copied,
// and the rank takes its own block.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {

/// A value replaced by what the rank holds of a sequential one.
struct Replacement {
  Patch patch;
  std::size_t copied = 0;  ///< sequential instructions
};

/// Values that stand in the place of one distributed value. `context` must have a complete trace.
class Synthesis {
 public:
  Synthesis(const Context& context, InstructionId place);
  /// One for each placement of the sequential value of which the distributed one could be the rank's block. `anew`: it is computed though something holds its numbers.
  std::vector<Replacement> replacements(ValueId id, bool anew = false);
  /// The rank's own block of a sequential value, with digits by dimension; made in `patch`.
  std::optional<Ref> block(ValueId id, const Type& local, const std::vector<std::vector<int>>& splits, Patch& patch, bool anew = false);
  /// Sequential instructions that the last one took.
  std::size_t copied() const { return copied_; }

 private:
  std::optional<Ref> whole(ValueId id);
  std::optional<Ref> held(ValueId id);
  std::optional<Ref> given(ValueId id);
  std::optional<Ref> computed(ValueId id);
  Maker maker() { return context_.maker(*patch_); }
  const Module& sequential() const { return *context_.pair().sequential; }
  const TracedValue& value(ValueId id) const { return context_.trace()->sequential().values()[id]; }
  const Type& type_of(ValueId id) const;

  const Context& context_;
  InstructionId place_;
  std::set<InstructionId> after_;  ///< what is computed from the place, itself included
  Patch* patch_ = nullptr;
  std::size_t copied_ = 0;
  std::map<ValueId, Ref> made_;
};

/// The last resort among repairs: replacements of the suspects, fewest instructions first. They say what should be there, not where the
/// slip is.
std::vector<Repair> replacements(const Context& context);

}  // namespace gg::pinpoint
