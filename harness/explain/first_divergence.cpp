// A place from a trace (harness/explain/first_divergence.h).
#include "harness/explain/first_divergence.h"

#include "runtime/divergence.h"

namespace gg {

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
      return at(id, "it is a partial " + std::string(match.sum ? "sum" : "maximum") + " over " +
                        trace.digit_names(match.partial) + " of " + trace.anchor_name(match) +
                        ": a reduction is missing before " + user, true);
    };
    for (const ValueId source : trace.sources()) {
      if (info(trace.op(source)).traits == OpTraits::Collective) break;
      for (const ValueId operand : trace.distributed().values()[source].operands) {
        if (partial(operand)) return missing(operand, trace.name(source));
      }
      break;
    }
    if (!trace.sources().empty()) {
      return at(trace.sources().front(), "its operands match sequential values, its result matches none", false);
    }
    const ValueId output = DivergenceTrace::origin(trace.distributed(), trace.wrong_outputs().front());
    if (partial(output)) return missing(output, "the output");
    return at(output, "an output is computed from values that match sequential ones, but is not the one that the relation "
                      "claims, or not in that placement", false);
  } catch (const RuntimeFailure&) {
    return std::nullopt;  // the run that found the difference is the evidence; this one only explains it
  }
}

}  // namespace gg
