// Bounds of the sequential program (harness/pinpoint/bounds.h).
#include "harness/pinpoint/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "runtime/plans.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxBounds = 8;

/// The constant behind moves and conversions, if all its elements are one whole number.
std::optional<std::int64_t> whole_number(const Module& module, InstructionId id) {
  id = behind_moves(module, id);
  if (!has_values(module, id)) return std::nullopt;
  const auto& values = module.attributes(id).literal().values;
  if (values.empty() || !is_integral(values[0].type)) return std::nullopt;
  const bool same = std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s.integer == values[0].integer; });
  return same ? std::optional(values[0].integer) : std::nullopt;
}

/// Instructions that a parameter of their computation reaches.
std::vector<bool> depending(const Module& module) {
  std::vector<bool> depends(module.size(), false);
  for (InstructionId id = 0; id < module.size(); ++id) {
    depends[id] = is_parameter(module, id);
    for (const InstructionId operand : module.operands(id)) depends[id] = depends[id] || depends[operand];
  }
  return depends;
}

}  // namespace

std::vector<Bound> bounds(const Module& sequential) {
  const std::vector<bool> depends = depending(sequential);
  std::vector<Bound> result;
  for (InstructionId id = 0; id < sequential.size() && result.size() < kMaxBounds; ++id) {
    if (!is_comparison(sequential, id) || sequential.type(id).count() < 2) continue;
    const auto operands = sequential.operands(id);
    const Type& type = sequential.type(operands[0]);
    if (!is_integral(type.element) || type.element == ElementType::Pred) continue;
    const std::string direction = sequential.attributes(id).text(Attr::Direction);
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const auto limit = whole_number(sequential, operands[1 - side]);
      if (!limit || *limit <= 0 || !depends[operands[side]] || (direction[0] != 'L' && direction[0] != 'G')) continue;
      const bool below = (direction[0] == 'L') == (side == 0);  // the comparison says that the value is below
      const bool or_equal = (direction[1] == 'E') == below;
      result.push_back({id, below, fmt::format("%{} stays {} {} everywhere (%{})", sequential.name_of(operands[side]), or_equal ? "at most" : "below", *limit, sequential.name_of(id))});
      break;
    }
  }
  return result;
}

std::vector<bool> kept(Case& c, const std::vector<Bound>& bounds, const InputSet& inputs, const Budget& budget) {
  std::map<InstructionId, std::size_t> numbers;
  for (std::size_t k = 0; k < bounds.size(); ++k) numbers[bounds[k].compare] = k;
  std::vector<bool> all(bounds.size(), true), seen(bounds.size(), false);
  RunOptions options;
  options.mode = NumberMode::F64;
  options.budget = budget;
  options.seed = inputs.seed;
  options.probe = [&](const Instance& instance, Leaves leaves) {
    const auto found = numbers.find(instance.instruction);
    if (found == numbers.end() || leaves.empty()) return;
    seen[found->second] = true;
    for (const std::int64_t value : leaves[0]->as<std::int64_t>()) {
      if ((value != 0) != bounds[found->second].wanted) all[found->second] = false;
    }
  };
  Executor executor(*c.sequential_bodies, nullptr, &kept_by_runs(c).plans);
  executor.run(sequential_inputs(c, inputs, options.mode), options);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = all[k] && seen[k];
  return all;
}

}  // namespace gg::pinpoint
