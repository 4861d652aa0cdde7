// A place from a trace (harness/explain/first_divergence.h).
#include "harness/explain/first_divergence.h"

#include <algorithm>
#include <vector>

#include "runtime/divergence.h"

namespace gg {

namespace {

/// " (%a is %x, %b is %y)": which sequential values the operands of a value match, the first few.
std::string roles(const DivergenceTrace& trace, ValueId id) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown;
  for (const ValueId operand : trace.distributed().values()[id].operands) {
    const auto& match = trace.state(operand).match;
    std::string one = match ? trace.name(operand) + " is " + trace.anchor_name(*match) : "";
    if (match && shown.size() < kShown && std::find(shown.begin(), shown.end(), one) == shown.end()) shown.push_back(std::move(one));
  }
  std::string text;
  for (const std::string& one : shown) text += (text.empty() ? " (" : ", ") + one;
  return text.empty() ? text : text + ")";
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
      return match && !match->partial.empty();
    };
    const auto missing = [&](ValueId id, const std::string& user) {
      const Match& match = *trace.state(id).match;
      return at(id, "it is a partial " + std::string(match.sum ? "sum" : "maximum") + " over " + trace.digit_names(match.partial) + " of " + trace.anchor_name(match) + ": a reduction is missing before " + user, true);
    };
    for (const ValueId source : trace.sources()) {
      if (info(trace.op(source)).traits == OpTraits::Collective) break;
      for (const ValueId operand : trace.distributed().values()[source].operands) {
        if (partial(operand)) return missing(operand, trace.name(source));
      }
      break;
    }
    if (!trace.sources().empty()) {
      const ValueId source = trace.sources().front();
      return at(source, "its operands match sequential values" + roles(trace, source) + ", its result matches none: what it makes of them is not made there, or one of them should be another", false);
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
