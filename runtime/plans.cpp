// Plan cache (runtime/plans.h).
#include "runtime/plans.h"

namespace gg {

const Plan& PlanCache::get(const Arena& arena, const Body& body, std::span<const Operand> operands) {
  auto& plan = plans_[&body];
  if (!plan) plan = std::make_unique<Plan>(compile(arena, body, operands));
  return *plan;
}

Buffer evaluate_once(const Arena& arena, const Body& body, NumberMode mode, std::span<const Operand> operands,
                     TieCounter& ties, const Buffer* unknown) {
  Buffer out(storage_of(body.type, mode), element_count(body.extents));
  if (out.count() != 0) run(compile(arena, body, operands), mode, operands, out, ties, unknown);
  return out;
}

std::int64_t element_count(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

}  // namespace gg
