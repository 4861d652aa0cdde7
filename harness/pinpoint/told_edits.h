// The edits that what bad values are kin to asks for, each at a place that is given.
#pragma once

#include <optional>
#include <vector>

#include "harness/pinpoint/kin.h"

namespace gg::pinpoint {

class ToldEdits {
 public:
  /// Of the context's module, which must have a trace.
  explicit ToldEdits(const Context& context) : context_(context) {}
  bool is_collective(InstructionId id) const;
  /// Is the factor, or one divided by it, the number of ranks of some axes?
  bool ranks(double factor) const;
  /// What the instruction multiplies a value by, where that is one number.
  double by_constant(InstructionId place) const;

  /// Is the mean of the ranks' values right, not their sum?
  bool is_mean(const Kin& kin) const;
  /// The reduction that a partial value lacks.
  Repair reduced(InstructionId place, const Kin& kin) const;
  /// A factor taken back.
  Repair scaled(InstructionId place, const Kin& kin) const;
  /// The a times b blocks of dimension 0 exchanged.
  Repair in_order(InstructionId place, std::int64_t a, std::int64_t b) const;
  /// Two messages in each other's place.
  Repair exchanged(InstructionId first, InstructionId second) const;

  /// Other instructions that do the same for the same line of the program, in other layers or steps.
  std::vector<InstructionId> of_the_line(InstructionId place) const;
  /// Do all stand in one line of the program: a loop over parameters, say?
  bool one_line(const std::vector<Repair>& repairs) const;

 protected:
  const Context& context_;

 private:
  /// Do both instructions come from one line of the program? False where that is not told.
  bool same_line(InstructionId a, InstructionId b) const;
  /// The operand of a product or quotient with one number that makes the factor.
  std::optional<InstructionId> factored(InstructionId place, double factor) const;
  /// Values that a sum of sums adds, 1 for what is no sum.
  std::size_t summands(InstructionId place) const;
  /// The factor of a product that hangs on no input.
  std::optional<InstructionId> weight_of(InstructionId place) const;
};

}  // namespace gg::pinpoint
