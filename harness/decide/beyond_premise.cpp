#include "harness/decide/beyond_premise.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/decide/input_notes.h"

namespace gg {
namespace {

constexpr std::size_t kBeyondDraws = 16;  ///< an input: a mask of which each element is a coin's toss leaves one out in most of them

constexpr double kOneValue = 5e3;  ///< operations of a draw that one value is worth, an instruction's or an output's, beside those of its elements

bool all_finite(const DrawOutcome& outcome) {
  return std::ranges::all_of(outcome.outputs, [](const OutputOutcome& o) { return o.undefined == 0; });
}

/// Leaves the differences that count.
void leave_counted(const FreeInput& input, DrawOutcome& outcome) {
  const bool taken = input.filled && all_finite(outcome);
  std::erase_if(outcome.differences, [&](const Difference& d) {
    const auto k = static_cast<std::size_t>(d.output);
    return outcome.outputs[k].agreement != Agreement::Differs || (!taken && (k >= input.spoils.size() || input.spoils[k]));
  });
}

}  // namespace

std::optional<BeyondPremise> differs_beyond_premise(Case& c, const DifferentialOptions& options, const std::vector<std::size_t>& inputs) {
  const bool raises = std::ranges::any_of(c.relation.outputs, [](const OutputClaim& claim) { return claim.name == kInRange; });  // then there is no output at all
  if (raises || estimated_operations(c) * static_cast<double>(kBeyondDraws) > kNoteOperations) return std::nullopt;
  const DifferentialOptions once = for_notes(options);
  DrawJudge judge(c, once);
  for (const std::size_t k : inputs) {
    const FreeInput& input = c.relation.free[k];
    if (input.spoils.empty()) continue;
    for (std::size_t draw = 0; draw < kBeyondDraws; ++draw) {
      auto set = draw_outside(c.relation, options.seed + draw, k, Outside::Beyond, draw);
      if (!set) break;
      try {
        DrawOutcome outcome = judge.decide(*set);
        leave_counted(input, outcome);
        if (outcome.failure || outcome.differences.empty()) continue;
        return BeyondPremise{std::move(*set), std::move(outcome),
                             fmt::format("{} is out of the bounds of what it indexes in the draw that differs: the sequential program takes it, its outputs are finite or do not hang on the lookup", input.name)};
      } catch (const RuntimeFailure&) {
        return std::nullopt;  // no budget left
      }
    }
  }
  return std::nullopt;
}

std::vector<std::string> differs_where_infinite(Case& c, const DifferentialOptions& options) {
  std::vector<std::size_t> inputs;
  for (std::size_t k = 0; k < c.relation.free.size(); ++k) {
    const FreeInput& input = c.relation.free[k];
    if (is_float(input.type.element) && input.type.rank() > 0 && input.type.dims.back() > 1 && input.range.origin != Range::Origin::Given) inputs.push_back(k);
  }
  std::vector<std::string> names;
  const double elements = estimated_operations(c);
  if (elements * 2 * static_cast<double>(inputs.size()) > kNoteOperations) return names;
  const double draw = elements + kOneValue * static_cast<double>(c.sequential->size() + c.distributed->size() + c.relation.free.size() + c.relation.outputs.size());
  inputs.resize(std::min(inputs.size(), static_cast<std::size_t>(kNoteOperations / (2 * draw))));
  const DifferentialOptions once = for_notes(options);
  DrawJudge judge(c, once);
  for (const std::size_t k : inputs) {
    const auto row = static_cast<std::size_t>(c.relation.free[k].type.dims.back());
    for (const bool last : {false, true}) {
      InputSet set = draw_inputs(c.relation, options.seed, 0);
      const auto values = set.free[k].as<double>();
      for (std::size_t at = 0; at < values.size(); ++at)
        if ((at % row < row / 2) != last) values[at] = -std::numeric_limits<double>::infinity();
      try {
        const DrawOutcome outcome = judge.decide(set);
        if (outcome.failure || !all_finite(outcome) || outcome.differences.empty()) continue;
      } catch (const RuntimeFailure&) {
        return names;  // no budget left
      }
      names.push_back(c.relation.free[k].name);
      break;
    }
  }
  return names;
}

}  // namespace gg
