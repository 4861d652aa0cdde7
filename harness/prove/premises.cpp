#include "harness/prove/premises.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "models/ir/flatten.h"
#include "models/ir/kinds.h"

namespace gg {
namespace {

constexpr int kDraws = 2;       ///< of either sign
constexpr double kFactor = 64;  ///< so much larger than the literal are drawn values, at most

/// The literals of masks that a proof assumes.
std::set<double> mask_literals(const std::vector<Assumption>& assumptions) {
  std::set<double> literals;
  for (const Assumption& a : assumptions) {
    if (a.kind != AssumptionKind::MaskIsMinusInfinity) continue;
    const std::string& text = a.arguments.back();  // INSTANCE=LITERAL
    literals.insert(std::strtod(text.c_str() + text.rfind('=') + 1, nullptr));
  }
  return literals;
}

/// Inputs with a range keep to it.
void make_negative(const Relation& relation, InputSet& inputs) {
  for (std::size_t k = 0; k < inputs.free.size(); ++k) {
    Buffer& buffer = inputs.free[k];
    if (buffer.storage() != Storage::Double || relation.free[k].range.origin != Range::Origin::Default) continue;
    for (double& x : buffer.as<double>()) x = -std::abs(x);
  }
}

/// One sentence where the pair differs for such inputs, "" where it does not.
std::string differs_below_masks(Case& c, const std::vector<Assumption>& assumptions, const DifferentialOptions& options) {
  for (const double literal : mask_literals(assumptions)) {
    int regime = kAmplified;
    while (std::ldexp(1, 2 * (regime - kAmplified + 1)) < -kFactor * literal) ++regime;
    for (int draw = 0; draw < 2 * kDraws; ++draw) {
      InputSet inputs = draw_inputs(c.relation, options.seed + static_cast<std::uint64_t>(draw), regime);
      if (draw % 2 != 0) make_negative(c.relation, inputs);
      const DrawOutcome outcome = run_once(c, inputs, options);
      for (const Difference& d : outcome.differences) {
        if (outcome.outputs[static_cast<std::size_t>(d.output)].agreement != Agreement::Differs) continue;
        return fmt::format(
            "differs where unmasked values lie below the literal {:g} of a mask (output {} on rank {}: expected {}, got {}): "
            "the proof assumes that none does",
            literal, d.output, d.rank, d.sequential, d.distributed);
      }
    }
  }
  return "";
}

}  // namespace

void note_below_masks(Case& c, const DifferentialOptions& options, const std::vector<Assumption>& assumptions, std::vector<std::string>& notes) {
  try {
    const std::string text = differs_below_masks(c, assumptions, options);
    if (!text.empty()) notes.push_back(text);
  } catch (const RuntimeFailure& failure) {
    notes.emplace_back(std::string("masks were not tried with values below their literals: ") + failure.what());
  }
}

std::string leaves_range(const Case& c, const std::vector<Assumption>& assumptions) {
  const FlatProgram flat = flatten(*c.sequential);
  for (std::size_t k = 0; k < c.relation.next.size() && k < flat.outputs.size(); ++k) {
    if (!c.relation.next[k]) continue;
    FlatValue v = flat.outputs[k];
    while (is_copy(*c.sequential, flat.nodes[v.node].instruction)) v = flat.operands(flat.nodes[v.node])[0];
    const auto input = static_cast<std::size_t>(*c.relation.next[k]);
    if (input < flat.inputs.size() && v == flat.inputs[input]) continue;
    for (const FreeInput& free : c.relation.free) {
      if (static_cast<std::size_t>(free.leaf) != input) continue;
      const auto ranged = [&](const Assumption& a) {
        const bool range = a.kind == AssumptionKind::InputRange || a.kind == AssumptionKind::InBounds || a.kind == AssumptionKind::RangeNotGiven;
        return range && (a.arguments[0] == free.name || a.arguments[0].rfind(free.name + ":", 0) == 0);
      };
      const auto found = std::find_if(assumptions.begin(), assumptions.end(), ranged);
      if (found == assumptions.end()) continue;
      return "not closed under steps: output " + c.relation.outputs[k].name + " becomes input " + free.name + ", and that it stays in its range is not shown (" +
             to_string(*found) + ")";
    }
  }
  return "";
}

}  // namespace gg
