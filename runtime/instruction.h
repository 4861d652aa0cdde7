// Executes one instruction that is no structure: a shared buffer where the operator only renames indices, else a kernel,
// the plan of its body, or a collective of the communicator.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "models/ir/attained.h"
#include "models/ir/region.h"
#include "runtime/device_run.h"
#include "runtime/error_bounds.h"
#include "runtime/executor.h"
#include "runtime/plans.h"
#include "runtime/ranks.h"
#include "runtime/value.h"

namespace gg {

/// What is known of an instruction before it runs; made once.
struct Prepared {
  Call call;
  std::vector<std::vector<std::int64_t>> operand_extents;  ///< lifted
  std::vector<ElementType> operand_types;
  std::vector<const Type*> results;  ///< array leaves
  std::vector<const Body*> bodies;   ///< one a leaf, null where there is none
  std::optional<Body> own_body;      ///< of a comparison that is asked as a bound
  std::optional<CollectiveCall> collective;
  std::optional<std::size_t> same_buffer;  ///< operand whose buffer is the result (reshape, copy, ...)
};

/// The Mismatch of an instruction, with two of the ranks.
class RanksParted : public RuntimeFailure {
 public:
  RanksParted(const Parted& parted, const std::string& name, const Instance& place)
      : RuntimeFailure(Kind::Mismatch, name + ": " + parted.text, place), here(parted.here), absent(parted.absent) {}
  std::int64_t here, absent;
};

class InstructionRunner {
 public:
  InstructionRunner(BodyTable& bodies, Communicator* communicator, PlanStore* plans = nullptr);
  /// Operands: one array leaf each. `here` is for messages; `active` are the ranks that execute.
  Values run(InstructionId id, std::span<const Value> operands, const RunOptions& options, const RankMask& active,
             const Instance& here);
  /// What it reads: another value than the text says where a comparison is asked as a bound (models/ir/attained.h).
  std::span<const InstructionId> operands(InstructionId id) const;
  std::int64_t ranks() const { return ranks_; }

  /// Computes every leaf from operand buffers, without aliases, errors or masks (the error bounds of contractions
  /// evaluate the same operator on magnitudes).
  std::vector<Buffer> compute(const Prepared& prepared, std::span<const Buffer* const> operands, NumberMode mode,
                              TieCounter& ties, const Instance& here);
  const Prepared& prepare(InstructionId id);
  PlanCache& plans() { return plans_; }
  BodyTable& bodies() { return bodies_; }
  Communicator* communicator() { return communicator_; }
  bool one_rank() const { return one_rank_of_.has_value(); }
  ErrorBodies& error_bodies() { return error_bodies_; }

 private:
  std::optional<Value> shared(InstructionId id, const Prepared& prepared, std::span<const Value> operands,
                              const RunOptions& options);
  std::optional<Value> rounded_literal(InstructionId id, std::span<const Value> operands, const RunOptions& options);
  std::optional<Values> run_on_device(const Prepared& prepared, InstructionId id, std::span<const Value> operands, const RunOptions& options,
                                      const Instance& here);
  void probe_operator(const Prepared& prepared, std::span<const Value> operands, const Values& results, const RunOptions& options,
                      const Instance& here);
  void check_groups(const Prepared& prepared, const RankMask& active, const Instance& here) const;
  void check_memory(const Prepared& prepared, const RunOptions& options, const Instance& here) const;

  BodyTable& bodies_;
  Communicator* communicator_;
  std::int64_t ranks_;
  std::optional<RankLayout> one_rank_of_;  ///< see Communicator
  PlanCache plans_;
  ErrorBodies error_bodies_;
  DeviceRunner device_runner_;
  std::map<InstructionId, BoundTest> bounds_;
  std::vector<std::unique_ptr<Prepared>> prepared_;  ///< by instruction
};

}  // namespace gg
