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
constexpr int kFunctionMissing = 21;  ///< few values are none of the sequential program's

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
    out.push_back({.patch = rerouting(place, {operands[k], false}), .place = place, .kind = FindingKind::Extra, .diagnosis = factor && !(factor_exponent(op) == -1 && k == 1) ? scaled : Diagnosis::MissingTerm, .text = context.name(place) + " should not be there: " + context.name(operands[k]) + " is the right value", .edit = "use " + context.name(operands[k]) + " in place of " + context.name(place), .cost = operands.size() == 2 && splat(module, operands[1 - k]) ? 24 : 27, .any = true});
  }
}

/// A function of the sequential program that is missing behind a value which is none of it: shares of logarithms in place of shares of what these are the logarithms of.
void put_in(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const ValueState* state = context.state(place);
  if (!context.is_float_array(place) || state == nullptr || !state->derived || state->match || DivergenceTrace::moves(context.module()[place].op) || info(context.module()[place].op).traits == OpTraits::Source) return;
  for (const Op op : context.sequential_ops()) {
    const auto function = scalar_of(op, Attributes{});
    if (!function || op == context.module()[place].op || info(*function).arity != 1 || info(*function).cls != ScalarClass::Unit) continue;
    Patch patch;
    const Type& type = context.type(place);
    const Ref result = patch.add({op, Type::array(type.element, type.dims), {}, {{place, false}}, std::nullopt, false});
    patch.reroutes.push_back({place, result, std::nullopt});
    const std::string name(info(op).name);
    out.push_back({.patch = std::move(patch), .place = place, .kind = FindingKind::Missing, .diagnosis = Diagnosis::MissingTerm, .text = fmt::format("missing {} after {}{}", name, context.name(place), context.consumer(place)), .edit = fmt::format("insert the {} of the sequential program after {}", name, context.name(place)), .after = std::string(context.module().name_of(place)), .cost = kFunctionMissing});
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
  const auto unread = [&](InstructionId id) { return context.users(id).empty() && !is_parameter(module, id); };
  for (std::size_t k = 0; k < operands.size() && k < 3; ++k) {
    const auto same_type = [&](InstructionId id) { return module[id].type == module[operands[k]].type || module.type(id) == module.type(operands[k]); };
    for (InstructionId id = c.first; id < c.first + c.count && module.type(place).is_array(); ++id) {
      if (unread(id) && id != operands[k] && id != place && id != c.root && same_type(id)) out.push_back(reading(context, place, k, id, kUnread));
    }
    if (is_loop(module, place)) continue;
    const ValueState* now = context.state(operands[k]);
    const bool derived = now == nullptr || now->derived;
    const auto fits = [&](InstructionId id) {
      const ValueState* state = context.state(id);
      return id != place && state != nullptr && state->derived == derived && same_type(id) && !unread(id);
    };
    std::vector<InstructionId> found;
    const auto take = [&](std::int64_t first, std::int64_t end, std::int64_t at) {
      if (at >= first && at < end && found.size() < kMaxOthers && fits(static_cast<InstructionId>(at))) found.push_back(static_cast<InstructionId>(at));
    };
    const std::int64_t first = c.first, end = first + c.count, from = operands[k], here = place;
    // The nearest that stand before the place, then those behind it.
    for (std::int64_t d = 1; d < std::max(from - first + 1, here - from) && found.size() < kMaxOthers; ++d) {
      take(first, here, from - d);
      take(first, here, from + d);
    }
    for (std::int64_t at = here + 1; at < end && found.size() < kMaxOthers; ++at) take(here, end, at);
    for (std::size_t n = 0; n < found.size(); ++n) {
      out.push_back(reading(context, place, k, found[n], 26 + static_cast<int>(n / 2)));
      out.back().any = true;
    }
  }
}

}  // namespace

Repair reading(const Context& context, InstructionId place, std::size_t operand, InstructionId other, int cost) {
  const Module& module = context.module();
  const std::string now = context.name(module.operands(place)[operand]), then = context.name(other), at = context.name(place);
  Changed change = unchanged(module, place);
  const auto operands = module.operands(place);
  const bool first = std::find(operands.begin(), operands.end(), operands[operand]) == operands.begin() + static_cast<std::ptrdiff_t>(operand);
  for (std::size_t k = operand; k < operands.size(); ++k) {  // a square is one of the other value
    if (k == operand || (first && operands[k] == operands[operand])) change.operands[k] = {other, false};
  }
  const bool clamped = clamps(module, module.operands(place)[operand], other);
  return {.patch = changing(std::move(change)), .place = place, .diagnosis = clamped ? Diagnosis::PaddingCounted : Diagnosis::StaleOperand, .text = fmt::format("{} reads {} where {} is right{}", at, now, then, clamped ? ": indices outside the rank's block are moved to its edges and count there" : ""), .edit = fmt::format("read {} in place of {} in {}", then, now, at), .cost = cost};
}

void operand_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  leave_out(context, place, out);
  put_in(context, place, out);
  others(context, place, out);
}

}  // namespace gg::pinpoint
