// Repairs of operands and operators: exchanged, replaced by another value of the same type, or left out.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

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
constexpr int kMostAlike = 12;  ///< values that hold what the sequential operator reads
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

Repair reading(const Context& context, InstructionId place, std::size_t operand, InstructionId other, int cost) {
  const Module& module = context.module();
  const std::string now = context.name(module.operands(place)[operand]), then = context.name(other), at = context.name(place);
  Changed change = unchanged(module, place);
  change.operands[operand] = {other, false};
  const bool clamped = clamps(module, module.operands(place)[operand], other);
  return {.patch = changing(std::move(change)), .place = place, .diagnosis = clamped ? Diagnosis::PaddingCounted : Diagnosis::StaleOperand, .text = fmt::format("{} reads {} where {} is right{}", at, now, then, clamped ? ": indices outside the rank's block are moved to its edges and count there" : ""), .edit = fmt::format("read {} in place of {} in {}", then, now, at), .cost = cost};
}

/// A value of the same type that nobody reads, in one operand's place: what an operand was exchanged for leaves one behind.
void unread(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Computation& c = module.computation(module.computation_of(place));
  const auto operands = module.operands(place);
  if (is_element(module, place) || !module.type(place).is_array()) return;
  for (std::size_t k = 0; k < operands.size() && k < 3; ++k) {
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      if (id == place || id == c.root || !context.users(id).empty() || !(module.type(id) == module.type(operands[k]))) continue;
      if (is_parameter(module, id)) continue;
      out.push_back(reading(context, place, k, id, kUnread));
    }
  }
}

/// Another value of the same type in one operand's place.
void others(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  if (is_loop(module, place) || is_element(module, place)) return;
  const Computation& c = module.computation(module.computation_of(place));
  const auto operands = module.operands(place);
  for (std::size_t k = 0; k < operands.size() && k < 3; ++k) {
    const ValueState* now = context.state(operands[k]);
    const bool derived = now == nullptr || now->derived;
    const auto fits = [&](std::int64_t at) {
      const auto id = static_cast<InstructionId>(at);
      if (id == place || (module[id].type != module[operands[k]].type && !(module.type(id) == module.type(operands[k])))) return false;
      if (context.users(id).empty() && !is_parameter(module, id)) return false;  // told already
      const ValueState* state = context.state(id);
      return state != nullptr && state->derived == derived;
    };
    std::vector<InstructionId> found;
    const auto take = [&](std::int64_t first, std::int64_t end, std::int64_t at) {
      if (at >= first && at < end && found.size() < kMaxOthers && fits(at)) found.push_back(static_cast<InstructionId>(at));
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
    }
  }
}

/// The operand that the same operator of the sequential program has in this place where its other operands are the same.
void as_sequential(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const DivergenceTrace* trace = context.trace();
  const Module& module = context.module();
  if (trace == nullptr || !trace->complete()) return;
  const auto& values = trace->distributed().values();
  ValueId wrong = 0;
  while (wrong < values.size() && (values[wrong].instance.instruction != place || trace->state(wrong).good)) ++wrong;
  if (wrong == values.size() || values[wrong].operands.size() < 2 || values[wrong].operands.size() > 3) return;
  std::vector<std::optional<ValueId>> held;
  for (const ValueId operand : values[wrong].operands) {
    const auto& match = trace->state(operand).match;
    held.push_back(match ? trace->representative(trace->anchor(*match)) : std::nullopt);
  }
  std::set<std::pair<std::size_t, std::optional<ValueId>>> wanted;
  for (const TracedValue& other : trace->sequential().values()) {
    const bool fits = trace->sequential().module()[other.instance.instruction].op == module[place].op && other.operands.size() == held.size();
    std::size_t different = 0, at = 0;
    std::optional<ValueId> instead;
    for (std::size_t k = 0; fits && k < held.size(); ++k) {
      const auto reads = trace->representative(other.operands[k]);
      if (held[k] && reads == held[k]) continue;
      ++different;
      at = k;
      instead = reads;
    }
    if (fits && different == 1) wanted.insert({at, instead});
  }
  const Computation& c = module.computation(module.computation_of(place));
  for (const auto& [k, value] : wanted) {
    if (k >= module.operands(place).size()) continue;
    const InstructionId now = module.operands(place)[k];
    int count = 0;
    for (InstructionId id = place; id-- > c.first && count < kMostAlike;) {
      const ValueState* state = context.state(id);
      if (id == now || state == nullptr || !(module.type(id) == module.type(now))) continue;
      const bool fits = value ? state->match && trace->representative(trace->anchor(*state->match)) == value : !state->derived;
      if (!fits) continue;
      out.push_back(reading(context, place, k, id, 25 + count++ / 4));  // after what explains more: a factor left out, an operator too many
    }
  }
}

/// A reduction that starts from a number of another operator's.
void starts(const Context& context, InstructionId place, std::vector<Repair>& out) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Module& module = context.module();
  const auto op = reducer(module, place);
  const auto monoid = op ? scalar_of(*op, {}) : std::nullopt;
  if (!monoid || info(module[place].op).traits != OpTraits::Reduction || !context.is_float_array(place)) return;
  const InstructionId start = module.operands(place)[1];
  if (!has_values(module, start) || is_unit(*monoid, module.attributes(start).literal().values[0])) return;
  const Scalar now = module.attributes(start).literal().values[0];
  for (const double number : {0.0, 1.0, -kInfinity, kInfinity}) {
    const Scalar unit = Scalar::of(now.type, number);
    if (!is_unit(*monoid, unit)) continue;
    Patch patch;
    Changed change = unchanged(module, place);
    change.operands[1] = context.maker(patch).constant({Type::array(now.type, {}), {unit}});
    patch.changed.push_back(std::move(change));
    out.push_back({.patch = std::move(patch), .place = place, .diagnosis = Diagnosis::LiteralDiffers, .text = fmt::format("{} starts from {} where {} is right", context.name(place), now.real, number), .edit = fmt::format("start {} from {}", context.name(place), number), .cost = 8});
  }
}

}  // namespace

void operand_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  starts(context, place, out);
  leave_out(context, place, out);
  unread(context, place, out);
  others(context, place, out);
  as_sequential(context, place, out);
}

}  // namespace gg::pinpoint
