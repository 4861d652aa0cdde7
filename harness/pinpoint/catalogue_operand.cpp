// Repairs of operands and operators: exchanged, replaced by another value of the same type, or left out.
#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "models/ir/mask_shift.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxOthers = 24;
constexpr int kUnread = 3;    ///< right programs leave nothing unread
constexpr int kMaxClamp = 6;
constexpr int kMostAlike = 12;  ///< values that hold what the sequential operator reads
constexpr std::array kOrdered = {Op::Subtract, Op::Divide, Op::Power, Op::Remainder, Op::Compare};
constexpr std::array<std::pair<Op, Op>, 6> kTwins = {{{Op::Add, Op::Subtract},
                                                     {Op::Subtract, Op::Add},
                                                     {Op::Multiply, Op::Divide},
                                                     {Op::Divide, Op::Multiply},
                                                     {Op::Maximum, Op::Minimum},
                                                     {Op::Minimum, Op::Maximum}}};

void swap(const Context& context, InstructionId place, std::size_t a, std::size_t b, std::vector<Repair>& out) {
  const Module& module = context.module();
  const auto operands = module.operands(place);
  if (operands[a] == operands[b] || !(module.type(operands[a]) == module.type(operands[b]))) return;
  Repair r;
  r.place = place;
  Changed change = unchanged(module, place);
  std::swap(change.operands[a], change.operands[b]);
  r.patch.changed.push_back(std::move(change));
  r.diagnosis = Diagnosis::SwappedOperands;
  r.text = context.name(place) + " takes " + context.name(operands[a]) + " and " + context.name(operands[b]) + " in the wrong order";
  r.edit = "exchange " + context.name(operands[a]) + " and " + context.name(operands[b]) + " in " + context.name(place);
  r.cost = 15;
  out.push_back(std::move(r));
}

void swaps(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Op op = context.module()[place].op;
  const std::size_t n = context.module().operands(place).size();
  if (std::find(kOrdered.begin(), kOrdered.end(), op) != kOrdered.end()) swap(context, place, 0, 1, out);
  if (op == Op::Select) swap(context, place, 1, 2, out);
  if (op != Op::Concatenate || n > 6) return;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) swap(context, place, a, b, out);
  }
}

bool splat(const Module& module, InstructionId id) {
  id = behind_moves(module, id);
  return is_constant(module, id) && module.type(id).dims.empty();
}

/// Users of the instruction read one of its operands: a term, a factor or a function too many.
void leave_out(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Op op = module[place].op;
  if (info(op).traits != OpTraits::Elementwise || op == Op::Convert || !module.type(place).is_array()) return;
  const auto operands = module.operands(place);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!(module.type(operands[k]) == module.type(place))) continue;
    Repair r;
    r.place = place;
    r.kind = FindingKind::Extra;
    r.patch.reroutes.push_back({place, {operands[k], false}, std::nullopt});
    r.diagnosis = Diagnosis::MissingTerm;
    const bool factor = operands.size() == 2 && splat(module, operands[1 - k]);
    if (factor && op == Op::Divide && k == 0) r.diagnosis = Diagnosis::ScaleTooSmall;
    if (factor && op == Op::Multiply) r.diagnosis = Diagnosis::ScaleTooLarge;
    r.text = context.name(place) + " should not be there: " + context.name(operands[k]) + " is the right value";
    r.edit = "use " + context.name(operands[k]) + " in place of " + context.name(place);
    r.cost = factor ? 24 : 27;
    out.push_back(std::move(r));
  }
}

void twins(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Op op = context.module()[place].op;
  for (const auto& [from, to] : kTwins) {
    if (op != from) continue;
    Repair r;
    r.place = place;
    Changed change = unchanged(context.module(), place);
    change.op = to;
    r.patch.changed.push_back(std::move(change));
    r.diagnosis = Diagnosis::WrongOperator;
    r.text = fmt::format("{} is {} where {} is right", context.name(place), info(from).name, info(to).name);
    r.edit = fmt::format("{} in place of {} in {}", info(to).name, info(from).name, context.name(place));
    r.cost = 22;
    out.push_back(std::move(r));
  }
}

/// Is `id` the integer `raw` moved into a range?
bool clamps(const Module& module, InstructionId id, InstructionId raw) {
  for (int depth = 0; depth < kMaxClamp; ++depth) {
    if (id == raw) return depth > 0;
    const auto operands = module.operands(id);
    InstructionId next = kNone;
    if (module[id].op == Op::Clamp) next = operands[1];
    for (const InstructionId operand : operands) {
      const bool bound = module[id].op == Op::Maximum || module[id].op == Op::Minimum;
      if (bound && !splat(module, operand)) next = operand;
    }
    if (DivergenceTrace::moves(module[id].op) && operands.size() == 1) next = operands[0];
    if (next == kNone || !module.type(id).is_array() || !is_integral(module.type(id).element)) return false;
    id = next;
  }
  return false;
}

Repair reading(const Context& context, InstructionId place, std::size_t operand, InstructionId other) {
  const Module& module = context.module();
  const InstructionId now = module.operands(place)[operand];
  Repair r;
  r.place = place;
  Changed change = unchanged(module, place);
  change.operands[operand] = {other, false};
  r.patch.changed.push_back(std::move(change));
  r.diagnosis = Diagnosis::StaleOperand;
  r.text = context.name(place) + " reads " + context.name(now) + " where " + context.name(other) + " is right";
  if (clamps(module, now, other)) {
    r.diagnosis = Diagnosis::PaddingCounted;
    r.text += ": indices outside the rank's block are moved to its edges and count there";
  }
  r.edit = "read " + context.name(other) + " in place of " + context.name(now) + " in " + context.name(place);
  return r;
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
      Repair r = reading(context, place, k, id);
      r.cost = kUnread;
      out.push_back(std::move(r));
    }
  }
}

/// Another value of the same type in one operand's place.
void others(const Context& context, InstructionId place, std::vector<Repair>& out) {
  const Module& module = context.module();
  const Op op = module[place].op;
  if (op == Op::While || op == Op::Conditional || op == Op::GetTupleElement) return;
  const Computation& c = module.computation(module.computation_of(place));
  const auto operands = module.operands(place);
  for (std::size_t k = 0; k < operands.size() && k < 3; ++k) {
    const ValueState* now = context.state(operands[k]);
    const bool derived = now == nullptr || now->derived;
    std::vector<std::pair<std::int64_t, InstructionId>> found;
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      if (id == operands[k] || id == place || !(module.type(id) == module.type(operands[k]))) continue;
      if (context.users(id).empty() && !is_parameter(module, id)) continue;  // told already
      const ValueState* state = context.state(id);
      if (state == nullptr || state->derived != derived) continue;
      const bool later = id > place;
      found.push_back({std::abs(static_cast<std::int64_t>(id) - static_cast<std::int64_t>(operands[k])) + (later ? 10000 : 0), id});
    }
    std::sort(found.begin(), found.end());
    found.resize(std::min(found.size(), kMaxOthers));
    for (std::size_t n = 0; n < found.size(); ++n) {
      Repair r = reading(context, place, k, found[n].second);
      r.cost = 26 + static_cast<int>(n / 2);
      out.push_back(std::move(r));
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
      Repair r = reading(context, place, k, id);
      r.cost = 25 + count++ / 4;  // after what explains more: a factor left out, an operator too many
      out.push_back(std::move(r));
    }
  }
}

/// A reduction that starts from a number of another operator's.
void starts(const Context& context, InstructionId place, std::vector<Repair>& out) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array<std::pair<Op, double>, 4> kNeutral = {{{Op::Add, 0}, {Op::Multiply, 1}, {Op::Maximum, -kInfinity}, {Op::Minimum, kInfinity}}};
  const Module& module = context.module();
  if (module[place].op != Op::Reduce || !context.is_float_array(place)) return;
  const InstructionId start = module.operands(place)[1];
  const auto known = std::find_if(kNeutral.begin(), kNeutral.end(), [&](const auto& row) { return reducer(module, place) == row.first; });
  if (known == kNeutral.end() || module[start].op != Op::Constant) return;
  const Scalar now = module.attributes(start).literal().values[0];
  if (now.real == known->second) return;
  Repair r;
  r.place = place;
  Changed change = unchanged(module, place);
  change.operands[1] = context.spread(r.patch, Scalar::of(now.type, known->second), module.type(start));
  r.patch.changed.push_back(std::move(change));
  r.diagnosis = Diagnosis::LiteralDiffers;
  r.text = fmt::format("{} starts from {} where {} is right", context.name(place), now.real, known->second);
  r.edit = fmt::format("start {} from {}", context.name(place), known->second);
  r.cost = 8;
  out.push_back(std::move(r));
}

}  // namespace

void operand_repairs(const Context& context, InstructionId place, std::vector<Repair>& out) {
  starts(context, place, out);
  swaps(context, place, out);
  twins(context, place, out);
  leave_out(context, place, out);
  unread(context, place, out);
  others(context, place, out);
  as_sequential(context, place, out);
}

}  // namespace gg::pinpoint
