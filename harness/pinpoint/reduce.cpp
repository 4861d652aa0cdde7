// Smaller pairs (harness/pinpoint/reduce.h). Both programs are made straight (inline.h) and traced. From an output that
// differs the walk goes back through the distributed program and stops at values that hold sequential ones: these become
// inputs, with the placement in which they were found; the sequential program is cut at the same values.
#include "harness/pinpoint/reduce.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/pinpoint/cutter.h"
#include "harness/pinpoint/inline.h"
#include "models/ir/kinds.h"
#include "models/ir/verify.h"
#include "models/pair/hlo_frontend.h"
#include "prover/prover.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMaxExpected = 12;           ///< values on the way that are tried as the output
constexpr std::size_t kMaxProofs = 400;            ///< smaller pairs that are given to the prover
constexpr std::uint64_t kProofSteps = 20'000'000;  ///< of each

Case straight(const Case& c) { return with_modules(c, inlined(*c.sequential), inlined(*c.distributed)); }

/// The texts again as a pair. Throws InputError where they are not well formed.
Case as_case(const Reduced& reduced) {
  Case c = case_of_texts(reduced.sequential, reduced.distributed, reduced.relation);
  verify(*c.sequential);
  verify(*c.distributed);
  infer_ranges(c);
  return c;
}

DifferentialResult run_of(Case& c, const ReduceOptions& options, int seeds) {
  DifferentialOptions run;
  run.budget = options.budget;
  run.seed = options.seed;
  run.seeds = seeds;
  return run_pair(c, run);
}

/// Well formed, and different on drawn inputs?
bool differs(const Reduced& reduced, const ReduceOptions& options) {
  try {
    Case c = as_case(reduced);
    return run_of(c, options, 1).differing.has_value();
  } catch (const InputError&) {
    return false;
  } catch (const RuntimeFailure&) {
    return false;
  }
}

/// Well formed, equal on drawn inputs, and unknown for this reason?
bool open_for(const Reduced& reduced, Reason reason, const ReduceOptions& options) {
  try {
    Case c = as_case(reduced);
    ProverOptions limits;
    limits.max_steps = kProofSteps;
    const ProofResult proof = prove(c, limits);
    if (proof.proved || proof.reason.value_or(Reason::NoLemma) != reason) return false;
    const DifferentialResult run = run_of(c, options, 2);
    return !run.differing && !run.stopped && run.undefined < run.elements;
  } catch (const InputError&) {
    return false;
  } catch (const RuntimeFailure&) {
    return false;
  }
}

using LeafName = std::pair<std::string, std::uint32_t>;

/// What the values of a program hold, by instruction and leaf; nothing of loops.
std::map<LeafName, Match> matches(const DivergenceTrace& trace) {
  std::map<LeafName, Match> result;
  const auto& values = trace.distributed().values();
  for (ValueId id = 0; id < values.size(); ++id) {
    if (!trace.state(id).match || values[id].instance.iteration >= 0) continue;
    result.emplace(LeafName(trace.distributed().module().name_of(values[id].instance.instruction), values[id].leaf), *trace.state(id).match);
  }
  return result;
}

/// Bad values with what the mended program has in their place, in the order of the run.
std::vector<std::pair<ValueId, Match>> expected(const DivergenceTrace& trace, const DivergenceTrace& mended) {
  const auto should = matches(mended);
  std::vector<std::pair<ValueId, Match>> result;
  const auto& values = trace.distributed().values();
  for (ValueId id = 0; id < values.size() && result.size() < kMaxExpected; ++id) {
    const auto found = should.find(LeafName(trace.distributed().module().name_of(values[id].instance.instruction), values[id].leaf));
    if (found == should.end() || values[id].instance.iteration >= 0) continue;
    const auto& now = trace.state(id).match;
    const bool same = now && now->partial == found->second.partial && now->splits == found->second.splits &&
                      trace.anchor(*now) == mended.anchor(found->second);
    if (!same && trace.state(id).derived) result.push_back({id, found->second});
  }
  return result;
}

}  // namespace

std::optional<Reduced> reduce(const Case& c, const InputSet& inputs, const Module* mended, const ReduceOptions& options) {
  Case flat = straight(c);
  const DivergenceTrace trace(flat, inputs, NumberMode::Real, options.budget);
  if (!trace.complete()) return std::nullopt;
  const auto outputs = trace.distributed().outputs();
  std::optional<Reduced> best;
  const auto take = [&](std::optional<Reduced> reduced) {
    if (!reduced || (best && reduced->instructions >= best->instructions) || !differs(*reduced, options)) return false;
    best = std::move(reduced);
    return true;
  };
  if (mended != nullptr) {
    Case right = straight(with_distributed(c, Module(*mended)));
    const DivergenceTrace after(right, inputs, NumberMode::Real, options.budget);
    if (after.complete()) {
      for (const auto& [id, match] : expected(trace, after)) take(cut_value(flat, trace, id, match, true, options.anonymous));
    }
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (std::find(trace.wrong_outputs().begin(), trace.wrong_outputs().end(), outputs[k]) == trace.wrong_outputs().end()) continue;
    for (const bool late : {true, false}) {
      if (take(cut_output(flat, trace, k, late, options.anonymous))) break;
    }
  }
  if (best) best->before = flat.distributed->computation(flat.distributed->entry()).count;
  return best;
}

std::optional<Reduced> reduce_unknown(const Case& c, const InputSet& inputs, Reason reason, const ReduceOptions& options) {
  Case flat = straight(c);
  const DivergenceTrace trace(flat, inputs, NumberMode::Real, options.budget);
  if (!trace.complete()) return std::nullopt;
  const auto& values = trace.distributed().values();
  const std::size_t before = flat.distributed->computation(flat.distributed->entry()).count;
  std::vector<Reduced> smaller;
  const auto take = [&](std::optional<Reduced> reduced) {
    if (reduced && reduced->instructions < before) smaller.push_back(std::move(*reduced));
  };
  for (ValueId id = 0; id < values.size(); ++id) {
    const ValueState& state = trace.state(id);
    if (!state.match || !state.derived || is_parameter(trace.distributed().module(), values[id].instance.instruction) || values[id].instance.iteration >= 0) continue;
    for (const bool late : {true, false}) take(cut_value(flat, trace, id, *state.match, late, options.anonymous));
  }
  for (std::size_t k = 0; k < trace.distributed().outputs().size(); ++k) {
    for (const bool late : {true, false}) take(cut_output(flat, trace, k, late, options.anonymous));
  }
  std::stable_sort(smaller.begin(), smaller.end(), [](const Reduced& a, const Reduced& b) { return a.instructions < b.instructions; });
  std::set<std::pair<std::string, std::string>> tried;
  for (Reduced& reduced : smaller) {
    if (tried.size() >= kMaxProofs) break;
    if (!tried.emplace(reduced.distributed, reduced.sequential).second || !open_for(reduced, reason, options)) continue;
    reduced.before = before;
    return std::move(reduced);
  }
  return std::nullopt;
}

}  // namespace gg::pinpoint
