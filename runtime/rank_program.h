// One rank of a distributed program as a program of its own: what a process of an MPI or NCCL run executes.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "models/pair/case.h"
#include "runtime/communicator.h"
#include "runtime/error_bounds.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"
#include "runtime/plans.h"

namespace gg {

/// The distributed module with partition-id and replica-id as constants, executed over the buffers of one rank; its
/// collectives go to the communicator, which holds this one rank.
class RankProgram {
 public:
  /// `arena`: not the case's own, for it may be in use elsewhere.
  RankProgram(const Case& c, std::int64_t rank, Arena& arena, Communicator& communicator);
  /// The rank's parameters in, its outputs out.
  RunResult run(std::vector<Buffer> inputs, const RunOptions& options) { return executor_.run(std::move(inputs), options); }

 private:
  Module module_;
  BodyTable bodies_;
  Executor executor_;
};

/// The part of one rank of a lifted buffer.
Buffer part_of(const Buffer& lifted, std::int64_t rank, std::int64_t ranks);

/// A collective of one group computed from the operands of all its members, by the operator's body: every member gets
/// what its position says. So all transports agree with the local run bit for bit.
class GroupEvaluator {
 public:
  explicit GroupEvaluator(Arena& arena) : arena_(arena) {}
  /// `members[m][k]`: operand k of member m, in group order. Results as in Communicator::run. With `errors` the results' error bounds: each
  /// member's operands are then followed by a bound for each of them (Double).
  void run(const CollectiveCall& call, const std::vector<std::vector<Buffer>>& members, std::size_t position, NumberMode mode, bool errors,
           std::span<Buffer> results, TieCounter& ties);

 private:
  /// The call of one group among `members` ranks, by address of attributes and types; lookup only.
  struct GroupCall {
    RankDigits digits;
    Attributes attributes;
    Call call;
    std::vector<std::unique_ptr<Body>> bodies;
  };
  /// The buffers of all members, lifted, as operands of the group's bodies.
  struct Lifted {
    std::vector<Buffer> buffers;
    std::vector<std::vector<std::int64_t>> extents;
    std::vector<Operand> operands;
  };
  GroupCall& group_call(const Call& call, std::int64_t members, std::size_t leaves);
  static Lifted lift(const GroupCall& group, const Call& call, const std::vector<std::vector<Buffer>>& members);

  Arena& arena_;
  std::map<std::vector<const void*>, std::map<std::int64_t, GroupCall>> calls_;
  PlanCache plans_;
  ErrorBodies error_bodies_;
};

/// Collectives of a process that holds one rank: the operands of the whole group are brought together by some transport, and
/// the operator's body computes this rank's part from them. So every transport agrees with the local run bit for bit, in
/// every number type, and carries error bounds as the local run does.
class RankCommunicator : public Communicator {
 public:
  RankCommunicator(std::int64_t rank, RankLayout layout, Arena& arena) : rank_(rank), layout_(layout), evaluator_(arena) {}
  std::int64_t ranks() const override { return layout_.ranks(); }
  std::optional<RankLayout> one_rank_of() const override { return layout_; }

  void run(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands, std::span<Buffer> results,
           TieCounter& ties) override;
  void run_errors(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands,
                  std::span<const Operand> errors, std::span<Buffer> results) override;

 protected:
  /// The buffers of every member of the group, in its order; all ranks of the group call it for the same collective.
  virtual std::vector<std::vector<Buffer>> gather(const CollectiveCall& call, const std::vector<std::int64_t>& group,
                                                  std::span<const Operand> operands) = 0;
  /// Sends the buffer along the pairs; false where this rank receives nothing.
  virtual bool permute(const CollectiveCall& call, const Buffer& buffer, Buffer& result) = 0;

  std::int64_t rank() const { return rank_; }
  const std::vector<std::int64_t>& own_group(const CollectiveCall& call) const;
  std::size_t position_in(const std::vector<std::int64_t>& group) const;

 private:
  /// With `errors` the operands are followed by their bounds.
  void evaluate(const CollectiveCall& call, NumberMode mode, std::span<const Operand> operands, bool errors, std::span<Buffer> results,
                TieCounter& ties);

  std::int64_t rank_;
  RankLayout layout_;
  GroupEvaluator evaluator_;
};

}  // namespace gg
