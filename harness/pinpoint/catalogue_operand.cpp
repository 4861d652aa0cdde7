// Repairs of operands and operators: exchanged, replaced by another value of the same type, or left out.
#include <fmt/format.h>

#include <algorithm>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/body/store.h"
#include "models/ir/kinds.h"
#include "models/ir/mask_shift.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxOthers = 24;
constexpr int kUnread = 3;  ///< right programs leave nothing unread
constexpr int kMaxClamp = 6;
bool splat(const Module& module, InstructionId id) {
  id = behind_moves(module, id);
  return is_constant(module, id) && module.type(id).dims.empty();
}

/// Users of the instruction read one of its operands: a term, a factor or a function too many.
void leave_out(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Op op = module[place].op;
  if (info(op).traits != OpTraits::Elementwise || !module.type(place).is_array()) return;
  const auto operands = module.operands(place);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!(module.type(operands[k]) == module.type(place))) continue;
    const bool factor = operands.size() == 2 && factor_exponent(op) != 0 && splat(module, operands[1 - k]);
    const Diagnosis scaled = factor_exponent(op) == -1 ? Diagnosis::ScaleTooSmall : Diagnosis::ScaleTooLarge;
    out.push_back({.patch = rerouting(place, {operands[k], false}), .place = place, .kind = FindingKind::Extra, .diagnosis = factor && !(factor_exponent(op) == -1 && k == 1) ? scaled : Diagnosis::MissingTerm, .text = context.name(place) + " should not be there: " + context.name(operands[k]) + " is the right value", .edit = "use " + context.name(operands[k]) + " in place of " + context.name(place), .cost = operands.size() == 2 && splat(module, operands[1 - k]) ? 24 : 27});
  }
}

/// Is `id` the integer `raw` moved into a range?
bool clamps(const Module& module, InstructionId id, InstructionId raw) {
  for (int depth = 0; depth < kMaxClamp; ++depth) {
    if (id == raw) return depth > 0;
    if (!module.type(id).is_array() || !is_integral(module.type(id).element)) return false;
    const auto operands = module.operands(id);
    const auto function = scalar_of(module[id].op, module.attributes(id));
    const bool bounds = function && info(*function).cls == ScalarClass::Order;
    const auto inner = std::find_if(operands.begin(), operands.end(), [&](InstructionId operand) { return !bounds || !splat(module, operand); });
    if (inner == operands.end() || (!bounds && !moves_one(module, id))) return false;
    id = *inner;
  }
  return false;
}

/// Another value of the same type in one operand's place: first those that nobody reads, which an operand that was exchanged for another
/// leaves behind, then the nearest ones.
void others(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Computation& c = module.computation(module.computation_of(place));
  const auto operands = module.operands(place);
  if (is_element(module, place)) return;
  for (std::size_t k = 0; k < operands.size() && k < 3; ++k) {
    const ValueState* now = context.state(operands[k]);
    const bool derived = now == nullptr || now->derived;
    std::vector<std::pair<std::int64_t, InstructionId>> found;
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      if (id == operands[k] || id == place || !(module.type(id) == module.type(operands[k]))) continue;
      if (context.users(id).empty() && !is_parameter(module, id)) {
        if (id != c.root && module.type(place).is_array()) out.push_back(reading(context, place, k, id, kUnread));
        continue;
      }
      const ValueState* state = context.state(id);
      if (is_loop(module, place) || state == nullptr || state->derived != derived) continue;
      const bool later = id > place;
      found.push_back({std::abs(static_cast<std::int64_t>(id) - static_cast<std::int64_t>(operands[k])) + (later ? 10000 : 0), id});
    }
    std::sort(found.begin(), found.end());
    found.resize(std::min(found.size(), kMaxOthers));
    for (std::size_t n = 0; n < found.size(); ++n) out.push_back(reading(context, place, k, found[n].second, 26 + static_cast<int>(n / 2)));
  }
}

}  // namespace

Repair reading(const Context& context, InstructionId place, std::size_t operand, InstructionId other, int cost) {
  const Module& module = context.module();
  const std::string now = context.name(module.operands(place)[operand]), then = context.name(other), at = context.name(place);
  Changed change = unchanged(module, place);
  change.operands[operand] = {other, false};
  const bool clamped = clamps(module, module.operands(place)[operand], other);
  return {.patch = changing(std::move(change)), .place = place, .diagnosis = clamped ? Diagnosis::PaddingCounted : Diagnosis::StaleOperand, .text = fmt::format("{} reads {} where {} is right{}", at, now, then, clamped ? ": indices outside the rank's block are moved to its edges and count there" : ""), .edit = fmt::format("read {} in place of {} in {}", then, now, at), .cost = cost};
}

void operand_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  leave_out(context, place, out);
  others(context, place, out);
}

}  // namespace gg::pinpoint
