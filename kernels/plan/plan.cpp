// Plans: the body, kept in an arena of its own.
#include "kernels/plan/plan.h"

#include "kernels/plan/semantics.h"
#include "models/base/check.h"

namespace gg {

struct Plan::Impl {
  Arena arena;
  Body body;
};

Plan::Plan() = default;
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

Plan compile(const Arena& arena, const Body& body, std::span<const Operand>) {
  Plan plan;
  plan.impl = std::make_unique<Plan::Impl>();
  plan.impl->body = body;
  plan.impl->body.root = plan.impl->arena.import(arena, body.root);
  return plan;
}

void run(const Plan& plan, NumberMode mode, std::span<const Operand> operands, Buffer& out, TieCounter& ties,
         const Buffer* unknown) {
  evaluate(plan.impl->arena, plan.impl->body, mode, operands, out, ties, unknown);
}

}  // namespace gg
