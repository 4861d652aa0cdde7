// Steps written out (harness/pinpoint/steps.h).
#include "harness/pinpoint/steps.h"

#include <cstdlib>

#include "harness/pinpoint/rounds.h"
#include "harness/pinpoint/walk.h"
#include "models/body/store.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxStep = 128;                       ///< instructions of a step
constexpr std::int64_t kMaxCount = std::int64_t{1} << 30U;  ///< products of two fit
constexpr int kMaxNumber = 64;                              ///< instructions of a number

/// The number that an integer scalar is, if constants alone say so; `most` instructions are looked at.
std::optional<std::int64_t> number(const Module& module, InstructionId id, int& most) {
  if (--most < 0 || !module.type(id).is_array() || !module.type(id).dims.empty()) return std::nullopt;
  if (is_constant(module, id)) return constant_number(module, id);
  std::vector<std::int64_t> n;
  for (const InstructionId operand : module.operands(id)) {
    const auto value = number(module, operand, most);
    if (!value) return std::nullopt;
    n.push_back(*value);
  }
  if (n.size() == 1 && DivergenceTrace::moves(module[id].op)) return n[0];
  const auto function = scalar_of(module[id].op, module.attributes(id));
  if (!function || n.empty()) return std::nullopt;
  return integer_fn(*function, module.type(module.operands(id).back()).element, n);
}

std::optional<std::int64_t> number(const Module& module, InstructionId id) {
  const Type& type = module.type(id);
  int most = kMaxNumber;
  const bool whole = type.is_array() && type.dims.empty() && is_integral(type.element) && type.element != ElementType::Pred;
  return whole ? number(module, id, most) : std::nullopt;
}

}  // namespace

InstructionId step_before(const Module& module, InstructionId id) {
  for (const InstructionId operand : module.operands(id)) {
    if (alike(module, operand, id)) return operand;
  }
  return kNone;
}

Steps::Steps(const Module& module, InstructionId before, InstructionId last) : module_(module), last_(last) { pair(before, last); }

/// False, and nothing is noted, where the two are not made in the same way.
bool Steps::pair(InstructionId a, InstructionId b) {
  if (a == b || after_.count(a) != 0) return true;
  if (number(module_, a) && number(module_, b)) {
    numbers_[b] = a;
    return true;
  }
  if (!alike(module_, a, b) || after_.size() > kMaxStep || !(module_.attributes(a) == module_.attributes(b))) return false;
  after_[a] = b;
  before_[b] = a;
  for (std::size_t k = 0; k < module_.operands(b).size(); ++k) {
    const InstructionId here = module_.operands(b)[k];
    if (after_.count(here) == 0 && !pair(module_.operands(a)[k], here)) exact_ = false;
  }
  return true;
}

/// Is it a value of the earlier step, or computed from one?
bool Steps::continues(InstructionId id) {
  if (after_.empty() || id < after_.begin()->first) return false;  // operands stand before what reads them
  if (after_.count(id) != 0) return true;
  const auto [known, fresh] = continues_.try_emplace(id, false);
  if (!fresh || continues_.size() > kMaxStep) return known->second;
  for (const InstructionId operand : module_.operands(id)) {
    if (continues(operand)) return continues_[id] = true;
  }
  return false;
}

/// Nothing for what the next step reads as the last one does.
std::optional<Ref> Steps::made_again(InstructionId id, Patch& patch) {
  if (const auto later = after_.find(id); later != after_.end()) return Ref{later->second, false};
  if (numbers_.count(id) != 0) return counted_on(id, patch);
  const auto [known, fresh] = made_.try_emplace(id, std::nullopt);
  if (!fresh || (before_.count(id) == 0 && !continues(id))) return known->second;
  Added added{module_[id].op, module_.type(id), module_.attributes(id), {}, std::nullopt, module_[id].channel > 0};
  bool changes = false;
  for (const InstructionId operand : module_.operands(id)) {
    const auto next = made_again(operand, patch);
    changes = changes || next;
    added.operands.push_back(next.value_or(Ref{operand, false}));
  }
  return known->second = changes ? std::optional(patch.add(std::move(added))) : std::nullopt;
}

std::optional<Ref> Steps::counted_on(InstructionId id, Patch& patch) {
  const std::int64_t now = *number(module_, id), then = *number(module_, numbers_.at(id));
  if (now == then || std::abs(now) > kMaxCount || std::abs(then) > kMaxCount) return std::nullopt;
  const ElementType element = module_.type(id).element;
  const Scalar next = Scalar::of_int(element, wrap_to(element, 2 * now - then));
  return Maker(module_, {}, patch).constant({Type::array(element, {}), {next}});
}

}  // namespace gg::pinpoint
