// What stands around a float literal, as far as it speaks of sizes: the sums above the value that it divides or multiplies,
// the dimensions over which it is spread, the sums below it. At most kSteps operators away; what only moves values is free.
#pragma once

#include <utility>
#include <vector>

#include "runtime/shapes/collect.h"

namespace gg {

/// constant * product of sizes, on one rank.
struct SizeProduct {
  std::int64_t constant = 1;
  std::vector<SizeVar> sizes;
  std::int64_t summed_ranks = 1;  ///< of sums over ranks that lie between
  bool has_small = false;         ///< there is a dimension of a few elements, of which nothing is known
};

struct FloatContext {
  enum class Kind : std::uint8_t {
    Sum,       ///< the other operand is a sum over just these dimensions, or of one term for each pass of a loop
    Dot,       ///< the other operand is a product that contracts just these dimensions
    Places,    ///< the other operand is a number of a place in this dimension
    Ranks,     ///< the other operand is a sum over ranks
    Spread,    ///< the literal is spread over just these dimensions
    LaterSum,  ///< what it is added to or multiplied with is summed over just these dimensions
    LaterDot,  ///< the same, contracted
  } kind;
  bool divides;  ///< the literal is a divisor
  SizeProduct size;
};

class FloatContexts {
 public:
  FloatContexts(const Constraints& all, std::size_t side);
  /// The constant whose value this is, if all its entries are one float: a constant, or one that is spread, reshaped, copied
  /// or converted. kNone: none.
  InstructionId literal(InstructionId id) const { return literals_[id]; }
  const std::vector<InstructionId>& literals() const { return literals_; }
  /// All contexts of a literal that operand `operand` of `user` reads.
  std::vector<FloatContext> of(InstructionId user, std::uint32_t operand) const;

 private:
  using Path = std::vector<InstructionId>;  ///< calls and loops that were entered
  using Use = std::pair<InstructionId, std::uint32_t>;
  class Walk;

  const Constraints& all_;
  const ProgramSizes& program_;
  const Module& module_;
  std::vector<InstructionId> literals_;
  std::vector<std::vector<Use>> users_;
  std::vector<std::vector<InstructionId>> callers_;  ///< by computation: calls, fusions
};

}  // namespace gg
