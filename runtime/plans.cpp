// Plan cache (runtime/plans.h).
#include "runtime/plans.h"

#include "models/body/reads.h"

namespace gg {
namespace {

constexpr std::size_t kManyOperands = 16;

/// The expression, in `own`, over only those operands that it reads: claims about thousands of outputs read one each.
ExprId over_read_operands(Arena& own, const Arena& arena, const Body& body, std::span<const Operand> operands, std::vector<Operand>& few) {
  const std::vector<bool> reads = operands_read(arena, body.root, operands.size());
  std::vector<int> number(operands.size(), 0);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    number[k] = static_cast<int>(few.size());
    if (reads[k]) few.push_back(operands[k]);
  }
  Arena::Substitution renumbered;
  for (std::size_t d = 0; d < body.extents.size(); ++d) renumbered.vars.push_back(own.var(static_cast<int>(d), body.extents[d]));
  renumbered.depth = static_cast<int>(body.extents.size());
  renumbered.read = [&](int operand, std::span<const LinId> index, int) {
    const auto k = static_cast<std::size_t>(operand);
    return own.read(number[k], operands[k].type, index);
  };
  return own.substitute(own.import(arena, body.root), renumbered);
}

}  // namespace

std::shared_ptr<const Plan> PlanStore::get(const Arena& arena, const Body& body, std::span<const Operand> operands) {
  std::vector<std::int64_t> key = {body.root.value, static_cast<std::int64_t>(body.type),
                                   static_cast<std::int64_t>(body.extents.size())};
  key.insert(key.end(), body.extents.begin(), body.extents.end());
  for (const Operand& operand : operands) {
    key.push_back(static_cast<std::int64_t>(operand.type));
    key.push_back(static_cast<std::int64_t>(operand.extents.size()));
    key.insert(key.end(), operand.extents.begin(), operand.extents.end());
  }
  auto& plan = plans_[std::move(key)];
  if (!plan) plan = std::make_shared<const Plan>(compile(arena, body, operands));
  return plan;
}

const Plan& PlanCache::get(const Arena& arena, const Body& body, std::span<const Operand> operands) {
  auto& plan = plans_[&body];
  if (!plan) plan = store_ != nullptr ? store_->get(arena, body, operands) : std::make_shared<const Plan>(compile(arena, body, operands));
  return *plan;
}

Buffer evaluate_once(const Arena& arena, const Body& body, NumberMode mode, std::span<const Operand> operands,
                     TieCounter& ties, const Buffer* unknown, PlanStore* plans) {
  Buffer out(storage_of(body.type, mode), element_count(body.extents));
  if (out.count() == 0) return out;
  if (plans != nullptr) {
    run(*plans->get(arena, body, operands), mode, operands, out, ties, unknown);
  } else if (operands.size() <= kManyOperands) {
    run(compile(arena, body, operands), mode, operands, out, ties, unknown);
  } else {
    Arena own;
    std::vector<Operand> few;
    const ExprId root = over_read_operands(own, arena, body, operands, few);
    run(compile(own, {body.type, body.extents, root}, few), mode, few, out, ties, unknown);
  }
  return out;
}

std::optional<std::size_t> same_buffer(Arena& arena, const Body& body, std::span<const ElementType> types,
                                       std::span<const std::vector<std::int64_t>> extents) {
  const Expr root = arena[body.root];
  if (root.kind != ExprKind::Read) return std::nullopt;
  const std::size_t operand = root.arg;
  const auto& from = extents[operand];
  if (types[operand] != body.type || element_count(from) != element_count(body.extents)) return std::nullopt;
  std::vector<LinId> variables;
  for (std::size_t d = 0; d < body.extents.size(); ++d) {
    if (body.extents[d] == 0) return std::nullopt;
    variables.push_back(arena.var(static_cast<int>(d), body.extents[d]));
  }
  const auto span = arena.indices(body.root);
  const std::vector<LinId> index(span.begin(), span.end());
  if (!(arena.flatten(index, from) == arena.flatten(variables, body.extents))) return std::nullopt;
  return operand;
}

}  // namespace gg
