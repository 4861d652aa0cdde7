#include "harness/decide/beyond_premise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "harness/decide/input_notes.h"
#include "runtime/decision.h"

namespace gg {
namespace {

constexpr std::size_t kBeyondDraws = 16;  ///< an input: a mask of which each element is a coin's toss leaves one out in most of them

constexpr std::array<int, 6> kMaskedRegimes = {kEnds, kEnds + 1, kMeetings, kMeetings + 1, kMeetings + 2, kMeetings + 3};  ///< masks are throughout what leaves out all, or what they are compared with
constexpr std::size_t kPlaces = 8;                                                                                         ///< of an input, elements that are in turn no finite number: each of so many ranks has one of them

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

/// Draws of which some elements of one input are no finite numbers.
class NotFinite {
 public:
  NotFinite(Case& c, const DifferentialOptions& options) : c_(c), seed_(options.seed), judge_(c, for_notes(options)) {
    for (std::size_t k = 0; k < c.relation.free.size(); ++k) {
      const FreeInput& input = c.relation.free[k];
      if (is_float(input.type.element) && input.range.origin != Range::Origin::Given) inputs_.push_back(k);
    }
    const double values = static_cast<double>(c.sequential->size() + c.distributed->size() + c.relation.free.size() + c.relation.outputs.size());
    const double draw = estimated_operations(c) + kOneValue * values;
    left_ = static_cast<std::size_t>(kNoteOperations / draw);
  }
  /// Float inputs of which no range is given.
  const std::vector<std::size_t>& inputs() const { return inputs_; }
  /// A plain draw with this value where `is_one(element)`; nothing where no more draws are affordable.
  template <class IsOne>
  std::optional<DrawOutcome> decide(std::size_t input, double value, const IsOne& is_one) {
    if (left_ == 0) return std::nullopt;
    --left_;
    InputSet set = draw_inputs(c_.relation, seed_, 0);
    const auto values = set.free[input].as<double>();
    for (std::size_t at = 0; at < values.size(); ++at) {
      if (is_one(at)) values[at] = value;
    }
    try {
      DrawOutcome outcome = judge_.decide(set);
      if (outcome.failure) outcome.differences.clear();
      return outcome;
    } catch (const RuntimeFailure&) {
      return std::nullopt;  // no budget left
    }
  }

 private:
  Case& c_;
  std::uint64_t seed_;
  DrawJudge judge_;
  std::vector<std::size_t> inputs_;
  std::size_t left_ = 0;
};

}  // namespace

std::optional<BeyondPremise> differs_beyond_premise(Case& c, const DifferentialOptions& options, const std::vector<std::size_t>& inputs) {
  const bool raises = std::ranges::any_of(c.relation.outputs, [](const OutputClaim& claim) { return claim.name == kInRange; });  // then there is no output at all
  if (raises || estimated_operations(c) * static_cast<double>(kBeyondDraws) > kNoteOperations) return std::nullopt;
  DrawJudge judge(c, for_notes(options));
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

std::optional<BeyondPremise> differs_where_all_masked(Case& c, const DifferentialOptions& options, std::vector<std::string>& notes) {
  if (estimated_operations(c) * static_cast<double>(kMaskedRegimes.size()) > kNoteOperations) return std::nullopt;
  DrawJudge judge(c, for_notes(options));
  bool told = false;
  for (const int regime : kMaskedRegimes) {
    InputSet set = draw_inputs(c.relation, options.seed, regime);
    try {
      DrawOutcome outcome = judge.decide(set);
      if (outcome.failure || !differs(outcome)) continue;
      const auto number = [](const Difference& d) { return std::isfinite(std::strtod(d.distributed.c_str(), nullptr)); };
      if (!told) notes.push_back(fmt::format("differs where a row has no value that is not masked (output {} on rank {}: expected {}, got {}): the proof assumes that each has one", outcome.differences[0].output, outcome.differences[0].rank, outcome.differences[0].sequential, outcome.differences[0].distributed));
      told = true;
      std::erase_if(outcome.differences, number);
      if (!outcome.differences.empty()) return BeyondPremise{std::move(set), std::move(outcome), "what is no number where the sequential program has one spreads to all that is computed of it: that is no matter of the premise"};
    } catch (const RuntimeFailure&) {
      break;  // no budget left
    }
  }
  return std::nullopt;
}

std::vector<std::string> differs_where_infinite(Case& c, const DifferentialOptions& options) {
  NotFinite draws(c, options);
  std::vector<std::string> names;
  for (const std::size_t k : draws.inputs()) {
    const FreeInput& input = c.relation.free[k];
    if (input.type.rank() == 0 || input.type.dims.back() == 1) continue;
    const auto row = static_cast<std::size_t>(input.type.dims.back());
    for (const bool last : {false, true}) {
      const auto outcome = draws.decide(k, -std::numeric_limits<double>::infinity(), [&](std::size_t at) { return (at % row < row / 2) != last; });
      if (!outcome) return names;
      if (!all_finite(*outcome) || outcome->differences.empty()) continue;
      names.push_back(input.name);
      break;
    }
  }
  return names;
}

std::optional<std::string> differs_where_tests_turn(Case& c, const DifferentialOptions& options) {
  constexpr std::array<double, 3> kValues = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()};
  NotFinite draws(c, options);
  for (const std::size_t k : draws.inputs()) {
    const FreeInput& input = c.relation.free[k];
    const auto size = static_cast<std::size_t>(input.type.count());
    for (std::size_t place = 0; place < std::min(size, kPlaces); ++place) {
      const std::size_t at = (2 * place + 1) * size / (2 * std::min(size, kPlaces));
      const double value = kValues[place % kValues.size()];
      const auto outcome = draws.decide(k, value, [&](std::size_t element) { return element == at; });
      if (!outcome) return std::nullopt;
      if (!differs(*outcome)) continue;
      for (const Difference& d : outcome->differences) {
        if (outcome->outputs[static_cast<std::size_t>(d.output)].undefined != 0) continue;
        return fmt::format("element {} of {} is {} in a draw in which output {} ({}) differs, and is finite in the sequential program", at, input.name, value, d.output, c.relation.outputs[static_cast<std::size_t>(d.output)].name);
      }
    }
  }
  return std::nullopt;
}

}  // namespace gg
