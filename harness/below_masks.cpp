#include "harness/below_masks.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <set>

namespace gg {
namespace {

constexpr int kDraws = 2;  ///< of either sign
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

void make_negative(InputSet& inputs) {
  for (Buffer& buffer : inputs.free) {
    if (buffer.storage() != Storage::Double) continue;
    for (double& x : buffer.as<double>()) x = -std::abs(x);
  }
}

}  // namespace

std::string differs_below_masks(Case& c, const std::vector<Assumption>& assumptions, const DifferentialOptions& options) {
  for (const double literal : mask_literals(assumptions)) {
    int regime = kAmplified;
    while (std::ldexp(1, 2 * (regime - kAmplified + 1)) < -kFactor * literal) ++regime;
    for (int draw = 0; draw < 2 * kDraws; ++draw) {
      InputSet inputs = draw_inputs(c.relation, options.seed + static_cast<std::uint64_t>(draw), regime);
      if (draw % 2 != 0) make_negative(inputs);
      const DrawOutcome outcome = run_once(c, inputs, options);
      for (const Difference& d : outcome.differences) {
        if (outcome.outputs[static_cast<std::size_t>(d.output)].agreement != Agreement::Differs) continue;
        return fmt::format("differs where unmasked values lie below the literal {:g} of a mask (output {} on rank {}: expected {}, got {}): "
                           "the proof assumes that none does", literal, d.output, d.rank, d.sequential, d.distributed);
      }
    }
  }
  return "";
}

}  // namespace gg
