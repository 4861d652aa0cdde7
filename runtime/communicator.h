// Collectives behind one interface: in-process ranks (all in one lifted buffer) here, MPI and NCCL as further
// implementations. A communicator holds all of the program's ranks or one; buffers passed in are rank-major over those.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/plan/plan.h"
#include "models/ir/region.h"

namespace gg {

/// One collective of the program, groups resolved to ranks.
struct CollectiveCall {
  const Arena* arena = nullptr;                              ///< of the bodies
  Call call;                                                 ///< operator, attributes, operand types, regions, digits
  std::vector<std::vector<std::int64_t>> groups;             ///< position in a group matters; empty for permutes
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  ///< collective-permute
  std::string instance;                                      ///< for messages: `main/%all-reduce.3`
  std::vector<const Body*> bodies;                           ///< one a result leaf; null where the operator has none
};

class PlanStore;

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual std::string name() const = 0;  ///< local, mpi, nccl
  virtual std::int64_t ranks() const = 0;
  /// Set where this process holds one rank of a program of this layout and executes that rank alone: buffers then have no
  /// ranks dimension, and collectives come without bodies.
  virtual std::optional<RankLayout> one_rank_of() const { return std::nullopt; }
  /// Runs the collective on the local ranks' parts. Blocks until done; a peer that does not arrive within the deadline
  /// is a RuntimeFailure naming ranks and instruction.
  virtual void run(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands,
                   std::span<Buffer> results, TieCounter& ties) = 0;
  /// Error bounds of the results (Double, one a result): `errors[k]` bounds operand k. Only where one_rank_of() is set:
  /// elsewhere the collective's body says it.
  virtual void run_errors(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands,
                          std::span<const Operand> errors, std::span<Buffer> results);
};

/// All ranks in this process: evaluates the collective's body over the rank digits (plans are kept), or its kernel where
/// it has no body. Throws TypeError(UnsupportedForm) for a collective with neither.
std::unique_ptr<Communicator> local_communicator(std::int64_t ranks, PlanStore* plans = nullptr);

}  // namespace gg
