// What a replacement mends, by the structure of both computations (harness/pinpoint/causes.h).
#include "harness/pinpoint/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "models/ir/kinds.h"

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

/// Divisors of the quotients of a region that are sums, behind moves.
std::vector<ValueId> divisors(const ValueGraph& graph, const std::vector<ValueId>& region) {
  std::vector<ValueId> found;
  for (const ValueId id : region) {
    const auto& operands = graph.values()[id].operands;
    if (factor_exponent(op_of(graph, id)) != -1 || operands.size() != 2) continue;
    const ValueId divisor = DivergenceTrace::origin(graph, operands[1]);
    if (adds_up(op_of(graph, divisor))) found.push_back(divisor);
  }
  return found;
}

/// Quotients by sums over parts, where the sequential program divides by a sum over everything instead.
std::optional<Cause> mean_of_means(const Context& context, const std::vector<ValueId>& distributed, const std::vector<ValueId>& sequential) {
  const DivergenceTrace& trace = *context.trace();
  const auto wanted = divisors(trace.sequential(), sequential);
  const auto total = std::find_if(wanted.begin(), wanted.end(), [&](ValueId id) { return trace.representative(id).has_value(); });
  if (total == wanted.end()) return std::nullopt;
  for (const ValueId id : divisors(trace.distributed(), distributed)) {
    const ValueState& state = trace.state(id);
    const bool part = state.derived && (!state.match || !state.match->partial.empty()) && sum_of_good(trace, id);
    if (!part) continue;
    const auto name = [](const ValueGraph& graph, ValueId value) { return "%" + std::string(graph.module().name_of(graph.values()[value].instance.instruction)); };
    return Cause{Diagnosis::MeanOfMeans, fmt::format("it is made of quotients by {}, a sum over a part, where the sequential program divides by the sum {} over everything",
                                                     name(trace.distributed(), id), name(trace.sequential(), *total))};
  }
  return std::nullopt;
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
      if (reads == alone.end() || other.empty()) continue;
      return Cause{Diagnosis::MissingTerm, fmt::format("it reads {} without the {} {} of the sequential program", context.name(reads->instruction),
                                                       exponent == -1 ? "divisor" : "factor", context.name(other.front().instruction))};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Cause> cause_of(const Context& context, ValueId place, ValueId sequential) {
  const DivergenceTrace& trace = *context.trace();
  const auto bad = region(trace.distributed(), place, [&](ValueId id) { return trace.state(id).match && trace.state(id).match->partial.empty(); });
  const auto lost = region(trace.sequential(), sequential, [](ValueId) { return false; });
  if (auto cause = mean_of_means(context, bad, lost)) return cause;
  return lost_factor(context, bad, lost);
}

}  // namespace gg::pinpoint
