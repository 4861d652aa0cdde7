// What a replacement mends, by the structure of both computations (harness/pinpoint/causes.h).
#include "harness/pinpoint/causes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include <fmt/format.h>

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxRegion = 2000;
constexpr std::array kSums = {Op::Reduce, Op::Add, Op::AllReduce, Op::Dot};

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

bool is_sum(Op op) { return std::find(kSums.begin(), kSums.end(), op) != kSums.end(); }

/// Divisors of the quotients of a region that are sums, behind moves.
std::vector<ValueId> divisors(const ValueGraph& graph, const std::vector<ValueId>& region) {
  std::vector<ValueId> found;
  for (const ValueId id : region) {
    if (op_of(graph, id) != Op::Divide) continue;
    const ValueId divisor = DivergenceTrace::origin(graph, graph.values()[id].operands.at(1));
    if (is_sum(op_of(graph, divisor))) found.push_back(divisor);
  }
  return found;
}

/// Quotients by sums over parts, where the sequential program divides by a sum over everything that is computed nowhere here.
std::optional<Cause> mean_of_means(const Context& context, const std::vector<ValueId>& distributed, const std::vector<ValueId>& sequential) {
  const DivergenceTrace& trace = *context.trace();
  std::set<ValueId> held;
  for (ValueId id = 0; id < trace.distributed().values().size(); ++id) {
    const auto& match = trace.state(id).match;
    const auto anchor = match && match->partial.empty() ? trace.representative(trace.anchor(*match)) : std::nullopt;
    if (anchor) held.insert(*anchor);
  }
  const auto wanted = divisors(trace.sequential(), sequential);
  const auto total = std::find_if(wanted.begin(), wanted.end(), [&](ValueId id) {
    const auto same = trace.representative(id);
    return same && held.count(*same) == 0;
  });
  if (total == wanted.end()) return std::nullopt;
  for (const ValueId id : divisors(trace.distributed(), distributed)) {
    const ValueState& state = trace.state(id);
    const bool part = state.derived && (!state.match || !state.match->partial.empty()) && trace.operands_good(id);
    if (!part) continue;
    const auto name = [](const ValueGraph& graph, ValueId value) { return "%" + std::string(graph.module().name_of(graph.values()[value].instance.instruction)); };
    return Cause{Diagnosis::MeanOfMeans, fmt::format("it is made of quotients by {}, a sum over a part, where the sequential program divides by the sum {} over everything",
                                                    name(trace.distributed(), id), name(trace.sequential(), *total))};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Cause> cause_of(const Context& context, ValueId place, ValueId sequential) {
  const DivergenceTrace& trace = *context.trace();
  const auto bad = region(trace.distributed(), place, [&](ValueId id) { return trace.state(id).match && trace.state(id).match->partial.empty(); });
  const auto lost = region(trace.sequential(), sequential, [](ValueId) { return false; });
  return mean_of_means(context, bad, lost);
}

}  // namespace gg::pinpoint
