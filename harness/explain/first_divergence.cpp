// A place from a trace (harness/explain/first_divergence.h).
#include "harness/explain/first_divergence.h"

#include <algorithm>
#include <set>
#include <vector>

#include "harness/pinpoint/repair.h"
#include "models/ir/mask_shift.h"
#include "models/mutation/maker.h"
#include "runtime/divergence.h"

namespace gg {

namespace {

/// " (%a is %x, %b is %y)": which sequential values the operands of a value match, the first few.
std::string roles(const DivergenceTrace& trace, ValueId id) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown;
  for (const ValueId operand : trace.distributed().values()[id].operands) {
    const auto& match = trace.state(operand).match;
    if (!match || !match->partial.empty()) continue;
    std::string one = trace.name(operand) + " is " + trace.anchor_name(*match);
    if (shown.size() < kShown && std::find(shown.begin(), shown.end(), one) == shown.end()) shown.push_back(std::move(one));
  }
  std::string text;
  for (const std::string& one : shown) text += (text.empty() ? " (" : ", ") + one;
  return text.empty() ? text : text + ")";
}

/// Does a maximum make this sequential value, of one operand after the other? Only then maxima of parts are what it lacks: of other values any number of ranks may hold the largest
/// by chance.
bool is_maximum(const DivergenceTrace& trace, ValueId id) {
  constexpr int kMostSteps = 16;
  const ValueGraph& graph = trace.sequential();
  for (int step = 0; step < kMostSteps; ++step) {
    const TracedValue& value = graph.values()[id];
    if (reducer(graph.module(), value.instance.instruction) == mutation::kLargest) return true;
    if (value.operands.empty()) return false;
    id = value.operands.front();
  }
  return false;
}

/// "%x of the sequential program takes %y where it takes %z", of the one sequential operation of the same operator that has all operands but one in common; what may be
/// wrong in general where there is none, or several.
std::string compared_with_counterpart(const DivergenceTrace& trace, ValueId id) {
  const ValueGraph &here = trace.distributed(), &there = trace.sequential();
  const auto& reads = here.values()[id].operands;
  const auto held = [&](ValueId operand) {
    const auto& match = trace.state(operand).match;
    return match && match->partial.empty() ? trace.representative(trace.anchor(*match)) : std::nullopt;
  };
  std::set<std::pair<ValueId, std::size_t>> found;
  for (ValueId other = 0; other < there.values().size(); ++other) {
    const auto& read = there.values()[other].operands;
    if (there.module()[there.values()[other].instance.instruction].op != trace.op(id) || read.size() != reads.size() || reads.size() < 2) continue;
    std::vector<std::size_t> different;
    for (std::size_t k = 0; k < reads.size(); ++k) {
      const auto own = held(reads[k]);
      if (!own || own != trace.representative(read[k])) different.push_back(k);
    }
    if (different.size() == 1) found.emplace(other, different.front());
  }
  if (found.size() != 1) return "what it makes of them is not made there, or one of them should be another";
  const auto& [other, k] = *found.begin();
  const auto name = [&](ValueId value) { return to_string(there.module(), there.values()[value].instance); };
  return name(other) + " of the sequential program takes " + name(there.values()[other].operands[k]) + " where it takes " + trace.name(reads[k]);
}

/// Is what this value makes of its operands summed later over the ranks that differ in these digits (or the largest of it taken), with nothing on the way but what may as well come behind
/// that? Then no reduction is missing before it.
bool reduced_later(const DivergenceTrace& trace, const pinpoint::Context& context, ValueId from, const Match& match) {
  const ValueGraph& graph = trace.distributed();
  const auto groups = context.digit_set(match.partial).groups;
  const Op wanted = match.sum ? mutation::kSum : mutation::kLargest;
  const auto passes = [&](ValueId id, const std::vector<bool>& reached) {
    const Op op = trace.op(id);
    const auto& operands = graph.values()[id].operands;
    if (DivergenceTrace::moves(op) || converts(op)) return true;
    if (reducer(graph.module(), graph.values()[id].instance.instruction) == wanted) return true;
    if (!match.sum) return op == wanted;
    if (term_sign(op) != 0 || info(op).traits == OpTraits::Contraction) return true;
    const auto parts = std::count_if(operands.begin(), operands.end(), [&](ValueId operand) { return reached[operand]; });
    return parts == 1 && (factor_exponent(op) == 1 || (factor_exponent(op) == -1 && reached[operands[0]]));
  };
  std::vector<bool> reached(graph.values().size());
  for (ValueId id = from; id < reached.size(); ++id) {
    const TracedValue& value = graph.values()[id];
    if (id != from && std::none_of(value.operands.begin(), value.operands.end(), [&](ValueId operand) { return reached[operand]; })) continue;
    if (id == from) {
      for (const ValueId operand : value.operands) reached[operand] = trace.state(operand).match && trace.state(operand).match->partial == match.partial;
    }
    if (!passes(id, reached)) {
      if (id == from) return false;
      continue;
    }
    const InstructionId at = value.instance.instruction;
    if (info(trace.op(id)).traits == OpTraits::Collective && reducer(graph.module(), at) == wanted) {
      const auto there = pinpoint::groups_of(context, at);
      if (there && pinpoint::same_members(*there, groups)) return true;
    }
    reached[id] = true;
  }
  return false;
}

}  // namespace

std::optional<Divergence> first_divergence(Case& c, const InputSet& inputs, const DifferentialOptions& options) {
  try {
    const DivergenceTrace trace(c, inputs, options.mode, options.budget);
    if (!trace.complete() || trace.wrong_outputs().empty()) return std::nullopt;
    const auto at = [&](ValueId id, std::string text, bool missing) {
      const Instance& instance = trace.distributed().values()[id].instance;
      return Divergence{instance.instruction, instance, std::move(text), missing};
    };
    const auto partial = [&](ValueId id) {
      const auto& match = trace.state(id).match;
      return match && !match->partial.empty() && (match->sum || is_maximum(trace, trace.anchor(*match)));
    };
    const auto missing = [&](ValueId id, const std::string& user) {
      const Match& match = *trace.state(id).match;
      return at(id, "it is a partial " + std::string(match.sum ? "sum" : "maximum") + " over " + trace.digit_names(match.partial) + " of " + trace.anchor_name(match) + ": a reduction is missing before " + user, true);
    };
    const pinpoint::Context context(c, &trace);
    for (const ValueId source : trace.sources()) {
      if (info(trace.op(source)).traits == OpTraits::Collective) break;
      for (const ValueId operand : trace.distributed().values()[source].operands) {
        if (partial(operand) && !reduced_later(trace, context, source, *trace.state(operand).match)) return missing(operand, trace.name(source));
      }
      break;
    }
    if (!trace.sources().empty()) {
      const ValueId source = trace.sources().front();
      const auto& reads = trace.distributed().values()[source].operands;
      const bool parts = std::any_of(reads.begin(), reads.end(), [&](ValueId id) { return trace.state(id).match && !trace.state(id).match->partial.empty(); });
      const std::string operands = parts ? "not all that it reads is a sequential value" + roles(trace, source) : "its operands match sequential values" + roles(trace, source);
      return at(source, operands + ", its result matches none: " + compared_with_counterpart(trace, source), false);
    }
    const ValueId output = DivergenceTrace::origin(trace.distributed(), trace.wrong_outputs().front());
    if (partial(output)) return missing(output, "the output");
    return at(output,
              "an output is computed from values that match sequential ones, but is not the one that the relation "
              "claims, or not in that placement",
              false);
  } catch (const RuntimeFailure&) {
    return std::nullopt;  // the run that found the difference is the evidence; this one only explains it
  }
}

}  // namespace gg
