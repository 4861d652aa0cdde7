// Preconditions confirmed by runs (harness/pinpoint/preconditions.h).
#include "harness/pinpoint/preconditions.h"

#include <algorithm>
#include <array>
#include <optional>

#include "harness/pinpoint/bounds.h"

namespace gg::pinpoint {
namespace {

constexpr int kDraws = 6;              ///< that must agree
constexpr std::size_t kMaxInputs = 4;  ///< counted inputs that are tried
constexpr int kMostDraws = 40;         ///< made to find some that keep a bound
constexpr double kBoundable = 2e7;     ///< operations of a pair whose bounds are tried
constexpr std::array kAll = {Circumstance::EqualSums, Circumstance::SameValues, Circumstance::SameBlocks, Circumstance::NothingMasked};

class Confirmer {
 public:
  Confirmer(Case& c, const InputSet& differing, const DrawOutcome& outcome, const DifferentialOptions& options)
      : case_(c), differing_(differing), outcome_(outcome), options_(options) {}

  bool holds(std::size_t input, Circumstance circumstance, const std::vector<std::string>& axes) {
    for (int draw = 0; draw < kDraws; ++draw) {
      InputSet inputs = draw_inputs(case_.relation, options_.seed + 5001 + static_cast<std::uint64_t>(draw), draw % 2);
      if (!satisfy(case_, input, circumstance, axes, inputs) || !agrees(inputs)) return false;
    }
    return true;
  }

  /// Bounds of the sequential program under which the pair agrees, on draws that keep them.
  std::vector<Precondition> kept_bounds() {
    const std::vector<Bound> all = bounds(*case_.sequential);
    if (all.empty() || estimated_operations(case_) > kBoundable) return {};
    std::vector<int> agreed(all.size(), 0);
    const std::vector<bool> here_too = kept(case_, all, differing_, options_.budget);
    for (std::size_t k = 0; k < all.size(); ++k) agreed[k] = here_too[k] ? -1 : 0;  // the pair differs although it is kept
    const auto settled = [](int n) { return n < 0 || n >= kDraws; };
    for (int draw = 0; draw < kMostDraws && !std::all_of(agreed.begin(), agreed.end(), settled); ++draw) {
      const InputSet inputs = draw_inputs(case_.relation, options_.seed + 6001 + static_cast<std::uint64_t>(draw), 0);
      const std::vector<bool> here = kept(case_, all, inputs, options_.budget);
      std::optional<bool> same;
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (!here[k] || settled(agreed[k])) continue;
        if (!same) same = agrees(inputs);
        agreed[k] = *same ? agreed[k] + 1 : -1;
      }
    }
    std::vector<Precondition> result;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (agreed[k] < kDraws) continue;
      result.push_back({Circumstance::BoundKept, std::string(case_.sequential->name_of(all[k].compare)), {}, all[k].text, agreed[k]});
    }
    return result;
  }

 private:
  /// All outputs agree, and those that differed before are compared.
  bool agrees(const InputSet& inputs) {
    DifferentialOptions options = options_;
    options.agreement_only = true;
    const DrawOutcome now = run_once(case_, inputs, options);
    if (now.failure || !now.differences.empty()) return false;
    return std::all_of(outcome_.differences.begin(), outcome_.differences.end(), [&](const Difference& d) {
      const OutputOutcome& output = now.outputs[static_cast<std::size_t>(d.output)];
      return output.agreement == Agreement::Agrees && output.compared > 0;
    });
  }

  Case& case_;
  const InputSet& differing_;
  const DrawOutcome& outcome_;
  const DifferentialOptions& options_;
};

}  // namespace

std::vector<Precondition> preconditions(Case& c, const InputSet& differing, const DrawOutcome& outcome, const DifferentialOptions& options) {
  std::vector<Precondition> result;
  std::vector<std::size_t> inputs = counted_inputs(c);
  inputs.resize(std::min(inputs.size(), kMaxInputs));
  Confirmer confirmer(c, differing, outcome, options);
  for (const std::size_t input : inputs) {
    const Placement* placement = even_blocks(c, input);
    std::vector<std::vector<std::string>> choices;
    std::vector<std::string> all;
    for (std::size_t d = 0; placement != nullptr && d < placement->dims.size(); ++d) {
      for (const std::string& axis : placement->dims[d].axes) {
        choices.push_back({axis});
        all.push_back(axis);
      }
    }
    if (all.size() > 1) choices.push_back(all);
    if (choices.empty()) choices.emplace_back();
    const std::size_t before = result.size();
    for (const Circumstance circumstance : kAll) {
      for (const auto& axes : choices) {
        if (circumstance == Circumstance::NothingMasked && &axes != &choices.front()) continue;
        if (!confirmer.holds(input, circumstance, axes)) continue;
        const std::vector<std::string> where = circumstance == Circumstance::NothingMasked ? std::vector<std::string>{} : axes;
        const std::string& name = c.relation.free[input].name;
        result.push_back({circumstance, name, where, told(circumstance, name, where), kDraws});
        break;
      }
      if (result.size() != before) break;
    }
  }
  for (Precondition& bound : confirmer.kept_bounds()) result.push_back(std::move(bound));
  return result;
}

}  // namespace gg::pinpoint
