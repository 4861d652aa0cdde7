// Compiled bodies, kept by body: a BodyTable gives one Body a signature, so a plan is compiled once a signature.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/plan/plan.h"
#include "models/pair/case.h"
#include "models/type/type.h"

namespace gg {

/// Plans by content, for many programs over one arena that have most bodies in common.
class PlanStore {
 public:
  std::shared_ptr<const Plan> get(const Arena& arena, const Body& body, std::span<const Operand> operands);

 private:
  std::map<std::vector<std::int64_t>, std::shared_ptr<const Plan>> plans_;
};

/// Plans by the address of their body; bodies must outlive the cache. Lookup only, never iterated.
class PlanCache {
 public:
  /// `store` (may be null) gives plans that other caches have made; it must outlive the cache.
  explicit PlanCache(PlanStore* store = nullptr) : store_(store) {}
  const Plan& get(const Arena& arena, const Body& body, std::span<const Operand> operands);

 private:
  PlanStore* store_;
  std::unordered_map<const Body*, std::shared_ptr<const Plan>> plans_;
};

/// A body over buffers that are used once (relations, claims, guards): compiles (or takes
/// the plan from `plans`) and runs. The result has the storage of
/// the body's type in `mode`.
Buffer evaluate_once(const Arena& arena, const Body& body, NumberMode mode, std::span<const Operand> operands,
                     TieCounter& ties, const Buffer* unknown = nullptr, PlanStore* plans = nullptr);

/// The operand whose buffer is the result, if the body only renames indices without moving an element: reshape, copy,
/// bitcast and the like, whose row-major address is that of the operand.
std::optional<std::size_t> same_buffer(Arena& arena, const Body& body, std::span<const ElementType> types,
                                       std::span<const std::vector<std::int64_t>> extents);

/// What the runs of one pair share.
struct KeptByRuns {
  PlanStore plans;                   ///< of bodies in the case's arena
  std::optional<double> operations;  ///< estimated_operations
};

/// That of `c`; its programs and its arena do not change.
inline KeptByRuns& kept_by_runs(const Case& c) {
  if (!c.kept) c.kept = std::make_shared<KeptByRuns>();
  return *c.kept;
}

}  // namespace gg
