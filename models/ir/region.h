// Computations used as scalar functions, and the bodies of a module's instructions, each made once a signature.
#pragma once

#include <memory>

#include "models/body/body.h"
#include "models/ir/module.h"

namespace gg {

/// Reads a computation as a scalar function of its parameters, in `arena`. `results` stays empty if it has array
/// values, control flow or opaque operators.
Region read_region(Arena& arena, const Module& module, ComputationId id);

/// Bodies of the instructions of one module over one set of rank digits. Signature = operator, attributes without
/// channel, operand types, region contents; equal signatures share one body, made on first use.
class BodyTable {
 public:
  BodyTable(Arena& arena, const Module& module, RankDigits digits, RankLayout layout);
  ~BodyTable();
  /// Body of array leaf `leaf` of the instruction, or null if the operator is opaque, structural, or has no body in
  /// this form; reason() then says why.
  const Body* body(InstructionId id, int leaf = 0);
  std::string reason(InstructionId id);
  const Region& region(ComputationId id);
  /// The complete call (digits, layout, regions) of an instruction, for executors of opaque operators.
  Call call(InstructionId id);
  Arena& arena() { return arena_; }
  const Module& module() const { return module_; }
  const RankDigits& digits() const { return digits_; }
  RankLayout layout() const { return layout_; }
  std::size_t signatures() const;

 private:
  struct Memo;
  Arena& arena_;
  const Module& module_;
  RankDigits digits_;
  RankLayout layout_;
  std::unique_ptr<Memo> memo_;
};

/// Replicas and partitions of a module: its header, or (a header without counts) `ranks` replicas if no collective has
/// a channel_id, else partitions (docs/design.md).
RankLayout rank_layout(const Module& module, std::int64_t ranks);

/// RankDigits::refine over the mesh (one axis of all ranks if it has none) and every collective of the module. Throws
/// InputError(RankCount | BadGroups | BadPermute).
RankDigits rank_digits(const Module& module, const Mesh& mesh, RankLayout layout);

}  // namespace gg
