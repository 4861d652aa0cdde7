// Where blocks that collective-permutes send around come from: in a program written out, and round by round in the body of a loop.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {

using Ranks = std::vector<std::int64_t>;  ///< for each rank, the one from which its block comes
using Rounds = std::vector<Ranks>;        ///< in every round of a loop; one without a loop

/// The body of a loop whose state travels: what it counts with, and which elements are sent on in every round.
struct Loop {
  InstructionId counter = kNone;                 ///< 0 in the first round, one more in each
  std::map<InstructionId, PairList> travelling;  ///< elements of the state, as read in the body
  std::map<InstructionId, InstructionId> kept;   ///< elements that stay as they were before the loop
};

/// Nothing where the computation is no body of a loop that counts.
std::optional<Loop> loop_of(const Context& context, ComputationId body);

/// The loop that ends where its counter is this integer constant; kNone where there is none.
InstructionId ended_loop(const Context& context, InstructionId constant);

/// Every rank its own block.
Ranks everyone(const Context& context);

/// The integer that a scalar constant is.
std::optional<std::int64_t> constant_number(const Module& module, InstructionId id);

/// From which ranks the blocks come on which the instructions of a computation work, by the longest way through permutes.
class Origins {
 public:
  Origins(const Context& context, const Computation& c, const std::optional<Loop>& loop);
  /// Nothing where permutes leave ranks without a block, or ways differ.
  std::optional<Rounds> rounds(InstructionId id) const;

 private:
  struct Origin {
    int hops = 0;
    bool known = true;
    Ranks rank;
    bool same_as(const Origin& other) const { return known && other.known && rank == other.rank; }
  };
  static Origin moved(const Origin& origin, const PairList& pairs);

  Ranks own_;
  std::map<InstructionId, Origin> now_;             ///< in one round
  std::map<InstructionId, const PairList*> later_;  ///< how the state behind it travels from round to round
};

}  // namespace gg::pinpoint
