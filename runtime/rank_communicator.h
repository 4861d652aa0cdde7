// Collectives of a process that holds one rank: the operands of the whole group are brought together by some transport, and
// the operator's body computes this rank's part from them. So every transport agrees with the local run bit for bit, in
// every number type, and carries error bounds as the local run does.
#pragma once

#include "runtime/communicator.h"
#include "runtime/rank_program.h"

namespace gg {

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
  void move(const CollectiveCall& call, const Buffer& buffer, Buffer& result);

  std::int64_t rank_;
  RankLayout layout_;
  GroupEvaluator evaluator_;
};

}  // namespace gg
