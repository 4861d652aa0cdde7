// What a replacement mends, by the structure of both computations (harness/pinpoint/causes.h).
#include "harness/pinpoint/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "harness/pinpoint/walk.h"
#include "models/ir/kinds.h"
#include "models/ir/mask_shift.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxRegion = 2000;
constexpr int kMaxDepth = 12;

using Known = std::function<bool(ValueId)>;

/// The values between `from` and those that are known, `from` included, the latest first.
std::vector<ValueId> region(const ValueGraph& graph, ValueId from, const Known& known) {
  std::set<ValueId, std::greater<>> seen = {from};
  for (auto at = seen.begin(); at != seen.end() && seen.size() < kMaxRegion; ++at) {
    if (*at != from && known(*at)) continue;
    for (const ValueId operand : graph.values()[*at].operands) seen.insert(operand);
  }
  return {seen.begin(), seen.end()};
}

Op op_of(const ValueGraph& graph, ValueId id) { return graph.module()[graph.values()[id].instance.instruction].op; }

/// Adds up: terms, elements, or the values of ranks.
bool adds_up(Op op) {
  const OpTraits traits = info(op).traits;
  return term_sign(op) != 0 || traits == OpTraits::Reduction || traits == OpTraits::Contraction || traits == OpTraits::Collective;
}

/// Is the value good, or made of good ones by moves, dynamic slices and sums?
bool sum_of_good(const DivergenceTrace& trace, ValueId id, int depth = 0) {
  const Op op = trace.op(id);
  const ValueState& state = trace.state(id);
  if (state.good || !state.derived) return true;
  const bool takes_part = is_dynamic_slice(trace.distributed().module(), trace.distributed().values()[id].instance.instruction);
  if (depth > kMaxDepth || (!adds_up(op) && !DivergenceTrace::moves(op) && !takes_part)) return false;
  const auto& operands = trace.distributed().values()[id].operands;
  return std::all_of(operands.begin(), operands.end(), [&](ValueId operand) { return sum_of_good(trace, operand, depth + 1); });
}

/// The sum of which the value is a multiple, behind moves: a count of one rank times the number of ranks stands for the count of all.
std::optional<ValueId> sum_behind(const ValueGraph& graph, ValueId id) {
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    id = DivergenceTrace::origin(graph, id);
    const auto& operands = graph.values()[id].operands;
    const Op op = op_of(graph, id);
    if (adds_up(op)) return id;
    const auto constant = [&](ValueId operand) { return has_values(graph.module(), graph.values()[DivergenceTrace::origin(graph, operand)].instance.instruction); };
    if (converts(op)) id = operands[0];
    else if (factor_exponent(op) == 1 && constant(operands[1])) id = operands[0];
    else if (factor_exponent(op) == 1 && constant(operands[0])) id = operands[1];
    else break;
  }
  return std::nullopt;
}

/// Divisors of the quotients of a region that are sums, or multiples of sums.
std::vector<ValueId> divisors(const ValueGraph& graph, const std::vector<ValueId>& region) {
  std::vector<ValueId> found;
  for (const ValueId id : region) {
    const auto& operands = graph.values()[id].operands;
    if (factor_exponent(op_of(graph, id)) != -1 || operands.size() != 2) continue;
    if (const auto divisor = sum_behind(graph, operands[1])) found.push_back(*divisor);
  }
  return found;
}

std::string name_in(const ValueGraph& graph, ValueId value) { return "%" + std::string(graph.module().name_of(graph.values()[value].instance.instruction)); }

/// A sum of what the rank has of good values.
bool over_a_part(const DivergenceTrace& trace, ValueId id) {
  const ValueState& state = trace.state(id);
  return state.derived && (!state.match || !state.match->partial.empty()) && sum_of_good(trace, id);
}

/// Quotients by sums over parts, where the sequential program divides by a sum over everything instead.
std::optional<Cause> mean_of_means(const Context& context, const std::vector<ValueId>& distributed, const std::vector<ValueId>& sequential) {
  const DivergenceTrace& trace = *context.trace();
  const auto wanted = divisors(trace.sequential(), sequential);
  const auto total = std::find_if(wanted.begin(), wanted.end(), [&](ValueId id) { return trace.hangs_on_inputs(id); });
  if (total == wanted.end()) return std::nullopt;
  for (const ValueId id : divisors(trace.distributed(), distributed)) {
    if (!over_a_part(trace, id)) continue;
    return Cause{Diagnosis::MeanOfMeans, fmt::format("it is made of quotients by {}, a sum over a part, where the sequential program divides by the sum {} over everything",
                                                     name_in(trace.distributed(), id), name_in(trace.sequential(), *total))};
  }
  return std::nullopt;
}

/// The divisor itself is replaced.
std::optional<Cause> divisor_over_a_part(const Context& context, ValueId place, ValueId sequential) {
  const DivergenceTrace& trace = *context.trace();
  if (!is_divisor(context, trace.distributed().values()[place].instance.instruction)) return std::nullopt;
  const auto own = sum_behind(trace.distributed(), place), total = sum_behind(trace.sequential(), sequential);
  if (!own || !total || !over_a_part(trace, *own) || !trace.hangs_on_inputs(*total)) return std::nullopt;
  return Cause{Diagnosis::MeanOfMeans, fmt::format("it divides, and is made of {}, a sum over a part, where the sequential program divides by the sum {} over everything",
                                                   name_in(trace.distributed(), *own), name_in(trace.sequential(), *total))};
}

/// Does the region multiply or divide this value by something, behind moves? Then what it lacks is no factor: it may have another one.
bool has_a_factor(const Context& context, const std::vector<ValueId>& region, InstructionId value) {
  const ValueGraph& graph = context.trace()->distributed();
  return std::any_of(region.begin(), region.end(), [&](ValueId id) {
    const auto& operands = graph.values()[id].operands;
    return factor_exponent(op_of(graph, id)) != 0 && std::any_of(operands.begin(), operands.end(), [&](ValueId operand) {
             return graph.values()[operand].instance.instruction == value || graph.values()[DivergenceTrace::origin(graph, operand)].instance.instruction == value;
           });
  });
}

/// A product or quotient of the sequential region that stands nowhere, though the distributed one reads an operand of it.
std::optional<Cause> lost_factor(const Context& context, const std::vector<ValueId>& distributed, const std::vector<ValueId>& sequential) {
  const DivergenceTrace& trace = *context.trace();
  std::set<InstructionId> read;
  for (const ValueId id : distributed) read.insert(trace.distributed().values()[id].instance.instruction);
  for (const ValueId id : sequential) {
    const int exponent = factor_exponent(op_of(trace.sequential(), id));
    const auto& operands = trace.sequential().values()[id].operands;
    if (exponent == 0 || operands.size() != 2 || !trace.representative(id) || !context.holders(id).empty()) continue;
    for (std::size_t k = 0; k < (exponent == -1 ? 1U : 2U); ++k) {
      const auto &alone = context.holders(operands[k]), &other = context.holders(operands[1 - k]);
      const auto reads = std::find_if(alone.begin(), alone.end(), [&](const Holder& h) { return h.match->partial.empty() && read.count(h.instruction) != 0; });
      if (reads == alone.end() || other.empty() || has_a_factor(context, distributed, reads->instruction)) continue;
      return Cause{Diagnosis::MissingTerm, fmt::format("it reads {} without the {} {} of the sequential program", context.name(reads->instruction),
                                                       exponent == -1 ? "divisor" : "factor", context.name(other.front().instruction))};
    }
  }
  return std::nullopt;
}

/// What reads a value, through moves.
std::vector<InstructionId> readers_behind_moves(const Context& context, InstructionId id) {
  std::vector<InstructionId> found, todo = {id};
  for (std::size_t k = 0; k < todo.size() && k < kMaxRegion; ++k) {
    for (const InstructionId user : context.users(todo[k])) (moves_one(context.module(), user) ? todo : found).push_back(user);
  }
  return found;
}

/// The operators that read an added value, through added moves.
std::set<Op> operators_on(const Patch& patch, std::uint32_t added) {
  std::set<Op> found;
  std::set<std::uint32_t> moved = {added};
  for (std::uint32_t k = added + 1; k < patch.added.size(); ++k) {
    const Added& next = patch.added[k];
    if (std::none_of(next.operands.begin(), next.operands.end(), [&](Ref r) { return r.added && moved.count(r.id) != 0; })) continue;
    if (DivergenceTrace::moves(next.op) && next.operands.size() == 1) moved.insert(k);
    else found.insert(next.op);
  }
  return found;
}

/// Do ranks exchange what is made of this instruction, otherwise than by a sum? Then it may work on a block: candidates of each rank are put together.
bool is_exchanged(const ValueGraph& graph, InstructionId from) {
  std::vector<bool> made(graph.values().size());
  for (ValueId id = 0; id < made.size(); ++id) {
    const TracedValue& value = graph.values()[id];
    const InstructionId at = value.instance.instruction;
    if (std::any_of(value.operands.begin(), value.operands.end(), [&](ValueId operand) { return made[operand]; })) {
      made[id] = true;
      if (info(op_of(graph, id)).traits == OpTraits::Collective && reducer(graph.module(), at) != mutation::kSum) return true;
    }
    made[id] = made[id] || at == from;
  }
  return false;
}

/// An operator that reads the rank's own block where the sequential one, made in its place, reads what all ranks hold of it. Sums are told as such.
std::optional<Cause> works_on_block(const Context& context, ValueId place, const std::vector<ValueId>& distributed, const Patch& patch) {
  std::set<InstructionId> bad;
  for (const ValueId id : distributed) {
    if (id == place || !context.trace()->state(id).good) bad.insert(context.trace()->distributed().values()[id].instance.instruction);
  }
  for (std::uint32_t k = 0; k < patch.added.size(); ++k) {
    const Added& gather = patch.added[k];
    if (gather.op != mutation::kGather || gather.operands[0].added) continue;
    const std::set<Op> there = operators_on(patch, k);
    for (const InstructionId reader : readers_behind_moves(context, gather.operands[0].id)) {
      const Op op = context.module()[reader].op;
      const bool alone = info(op).traits == OpTraits::Elementwise;  // each element by itself
      if (alone || adds_up(op) || there.count(op) == 0 || bad.count(reader) == 0 || is_exchanged(context.trace()->distributed(), reader)) continue;
      return Cause{Diagnosis::LocalStatistic, fmt::format("{} works on the rank's own block of {} only, not on the whole", context.name(reader), context.name(gather.operands[0].id)), reader};
    }
  }
  return std::nullopt;
}

/// Sums, or largest ones, of more or fewer elements than in the sequential program, where that is not so because ranks have parts of them.
std::optional<Cause> other_elements(const Context& context, ValueId place, ValueId sequential) {
  const ValueGraph &here = context.trace()->distributed(), &there = context.trace()->sequential();
  const InstructionId own = here.values()[place].instance.instruction, other = there.values()[sequential].instance.instruction;
  const auto each = [](const Module& module, InstructionId id) -> std::int64_t {
    if (info(module[id].op).traits != OpTraits::Reduction || module.attributes(id).has(Attr::Window) || !module.type(id).is_array() || module.type(id).count() == 0) return 0;
    return module.type(module.operands(id)[0]).count() / module.type(id).count();
  };
  const std::int64_t now = each(here.module(), own), right = each(there.module(), other);
  const bool part = std::any_of(context.axes().begin(), context.axes().end(), [&](const AxisSet& axes) { return now * axes.size == right; });
  if (now == 0 || right == 0 || now == right || part || reducer(here.module(), own) != reducer(there.module(), other)) return std::nullopt;
  return Cause{Diagnosis::StaleOperand, fmt::format("it is over {} elements each, where that is over {}", now, right)};
}

/// A comparison of what is NaN in this run is false, whatever the other side is.
std::optional<Cause> compares_nan(const Context& context, const std::vector<ValueId>& distributed) {
  const DivergenceTrace& trace = *context.trace();
  for (const ValueId id : distributed) {
    if (!is_comparison(trace.distributed().module(), trace.distributed().values()[id].instance.instruction)) continue;
    for (const ValueId operand : trace.distributed().values()[id].operands) {
      const Buffer* value = is_float(trace.element(operand)) ? trace.value(operand) : nullptr;
      const std::vector<double> numbers = value == nullptr ? std::vector<double>{} : numbers_of(*value);
      if (std::none_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); })) continue;
      return Cause{Diagnosis::NotComparable, fmt::format("{} compares {}, which has NaN in this run", name_in(trace.distributed(), id), name_in(trace.distributed(), operand))};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Cause> cause_of(const Context& context, ValueId place, ValueId sequential, const Patch& patch) {
  const DivergenceTrace& trace = *context.trace();
  const auto bad = region(trace.distributed(), place, [&](ValueId id) { return trace.state(id).match && trace.state(id).match->partial.empty(); });
  const auto lost = region(trace.sequential(), sequential, [](ValueId) { return false; });
  if (auto cause = divisor_over_a_part(context, place, sequential)) return cause;
  if (auto cause = mean_of_means(context, bad, lost)) return cause;
  if (auto cause = lost_factor(context, bad, lost)) return cause;
  if (auto cause = other_elements(context, place, sequential)) return cause;
  if (auto cause = compares_nan(context, bad)) return cause;
  return lacks_term(context, sequential) ? std::nullopt : works_on_block(context, place, bad, patch);
}

bool lacks_term(const Context& context, ValueId sequential) {
  const ValueGraph& graph = context.trace()->sequential();
  const auto& terms = graph.values()[sequential].operands;
  return term_sign(op_of(graph, sequential)) != 0 && std::any_of(terms.begin(), terms.end(), [&](ValueId term) { return !context.holders(term).empty(); });
}

}  // namespace gg::pinpoint
