// Smaller witnesses (harness/pinpoint/minimize.h).
#include "harness/pinpoint/minimize.h"

#include <algorithm>
#include <cmath>

#include "models/base/progress.h"
#include "runtime/decision.h"
#include "runtime/plans.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr double kClear = 1e-6;  ///< a relative difference that no rounding of f64 makes
constexpr std::int64_t kElements = 30'000'000;
constexpr std::int64_t kMostRuns = 150, kLeastRuns = 4;

std::int64_t elements_of(const Module& module) {
  std::int64_t sum = 0;
  for (InstructionId id = 0; id < module.size(); ++id) {
    for (const Type* leaf : array_leaf_types(module.type(id))) sum += std::min<std::int64_t>(leaf->count(), kElements);
  }
  return sum;
}

class Minimizer {
 public:
  Minimizer(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const DifferentialOptions& options)
      : case_(c), runner_(c), best_(inputs.clone()) {
    options_.mode = NumberMode::F64;
    options_.budget = options.budget;
    options_.seed = inputs.seed;
    for (const Difference& d : outcome.differences) outputs_.push_back(static_cast<std::size_t>(d.output));
    const std::int64_t cost = elements_of(*c.sequential) + elements_of(*c.distributed) * c.relation.layout.ranks();
    runs_ = std::clamp(kElements / std::max<std::int64_t>(cost, 1), kLeastRuns, kMostRuns);
  }

  InputSet run() {
    if (!differs(best_)) return std::move(best_);
    if (!attempt([&](InputSet& set) { for (std::size_t k = 0; k < set.free.size(); ++k) whole_numbers(set, k); })) {
      for (std::size_t k = 0; k < best_.free.size(); ++k) attempt([&](InputSet& set) { whole_numbers(set, k); });
    }
    std::vector<Place> places;
    for (std::size_t k = 0; k < best_.free.size(); ++k) {
      const std::vector<Place> mine = nonzero(k);
      if (!attempt([&](InputSet& set) { clear(set, mine, 0, mine.size()); })) places.insert(places.end(), mine.begin(), mine.end());
    }
    halves(places);
    runs_ = std::max<std::int64_t>(runs_, 1);
    attempt([&](InputSet& set) { for (std::size_t k = 0; k < set.free.size(); ++k) own_numbers(set, k); });
    return std::move(best_);
  }

 private:
  struct Place {
    std::size_t input;
    std::size_t element;
  };

  bool differs(const InputSet& inputs) {
    if (runs_-- <= 0) return false;
    try {
      const PairRun run = runner_.run(inputs, options_);
      const auto tied = [](const RunResult& side, std::size_t k) { return k < side.ties.size() && side.ties[k].ties != 0; };
      return std::any_of(outputs_.begin(), outputs_.end(), [&](std::size_t k) {
        return !tied(run.sequential, k) && !tied(run.distributed, k) && clearly(claimed_values(case_, k, run, NumberMode::F64, &kept_by_runs(case_).plans));
      });
    } catch (const RuntimeFailure&) {
      return false;
    } catch (const OutOfTime&) {
      return false;
    }
  }

  static bool clearly(const ClaimedValues& v) {
    const auto compared = v.compared.as<std::int64_t>();
    for (std::size_t k = 0; k < compared.size(); ++k) {
      if (compared[k] == 0) continue;
      if (v.integral) {
        if (v.sequential.as<std::int64_t>()[k] != v.distributed.as<std::int64_t>()[k]) return true;
        continue;
      }
      const double a = v.sequential.as<double>()[k], b = v.distributed.as<double>()[k];
      if (std::isfinite(a) && std::isfinite(b) && std::abs(a - b) > kClear * std::max(std::abs(a), std::abs(b)) &&
          std::abs(a - b) > kClear * kClear) return true;
    }
    return false;
  }

  template <class Change>
  bool attempt(Change change) {
    if (runs_ <= 0) return false;
    InputSet trial = best_.clone();
    change(trial);
    if (!differs(trial)) return false;
    best_ = std::move(trial);
    return true;
  }

  /// Summands of a value whose range is given: any change of one might leave it.
  bool fixed(std::size_t input) const { return stated(input) && !case_.relation.free[input].combined_by.empty(); }
  bool stated(std::size_t input) const { return case_.relation.free[input].range.origin != Range::Origin::Default; }

  /// x times three, rounded: a whole number that keeps order and sign; within a stated range, eighths of it.
  void whole_numbers(InputSet& set, std::size_t input) const {
    if (set.free[input].storage() != Storage::Double || fixed(input)) return;
    for (double& x : set.free[input].as<double>()) x = stated(input) ? allowed(input, std::round(x * 8) / 8) : std::round(3 * x);
  }

  /// The nearest number that the input's range allows; one of the input's own type, where that is in the range too.
  double allowed(std::size_t input, double x) const {
    const FreeInput& free = case_.relation.free[input];
    const double near = std::clamp(x, free.range.lo, std::max(free.range.lo, free.range.hi));
    const double own = is_float(free.type.element) ? round_to(free.type.element, near) : near;
    return own >= free.range.lo && own <= free.range.hi ? own : near;
  }

  /// Numbers of the input's own type, so that programs that are run in it are given the same ones.
  void own_numbers(InputSet& set, std::size_t input) const {
    if (set.free[input].storage() != Storage::Double || fixed(input)) return;
    for (double& x : set.free[input].as<double>()) x = stated(input) ? allowed(input, x) : round_to(case_.relation.free[input].type.element, x);
  }

  /// Zero, or the number nearest to it that a stated range allows.
  double least(std::size_t input) const { return stated(input) ? allowed(input, 0.0) : 0.0; }

  std::vector<Place> nonzero(std::size_t input) const {
    std::vector<Place> places;
    if (fixed(input)) return places;
    const Buffer& buffer = best_.free[input];
    for (std::size_t k = 0; k < static_cast<std::size_t>(buffer.count()); ++k) {
      const bool zero = buffer.storage() == Storage::Double
                            ? buffer.as<double>()[k] == least(input)
                            : buffer.as<std::int64_t>()[k] == static_cast<std::int64_t>(least(input));
      if (!zero) places.push_back({input, k});
    }
    return places;
  }

  void clear(InputSet& set, const std::vector<Place>& places, std::size_t from, std::size_t to) const {
    for (std::size_t k = from; k < to; ++k) {
      Buffer& buffer = set.free[places[k].input];
      if (buffer.storage() == Storage::Double) buffer.as<double>()[places[k].element] = least(places[k].input);
      else buffer.as<std::int64_t>()[places[k].element] = static_cast<std::int64_t>(least(places[k].input));
    }
  }

  /// Delta debugging over the elements that are left: halves, quarters, ... single ones.
  void halves(std::vector<Place> places) {
    for (std::size_t size = (places.size() + 1) / 2; size >= 1 && runs_ > 0; size = size == 1 ? 0 : (size + 1) / 2) {
      std::vector<Place> left;
      for (std::size_t from = 0; from < places.size(); from += size) {
        const std::size_t to = std::min(from + size, places.size());
        if (!attempt([&](InputSet& set) { clear(set, places, from, to); })) {
          left.insert(left.end(), places.begin() + static_cast<std::ptrdiff_t>(from), places.begin() + static_cast<std::ptrdiff_t>(to));
        }
      }
      places = std::move(left);
      if (size == 1) break;
    }
  }

  Case& case_;
  PairRunner runner_;
  RunOptions options_;
  InputSet best_;
  std::vector<std::size_t> outputs_;
  std::int64_t runs_ = 0;
};

void count(SmallWitness& witness) {
  for (const Buffer& buffer : witness.inputs.free) {
    witness.elements += buffer.count();
    if (buffer.storage() == Storage::Double) {
      for (const double x : buffer.as<double>()) witness.nonzero += x != 0 ? 1 : 0;
    } else {
      for (const std::int64_t x : buffer.as<std::int64_t>()) witness.nonzero += x != 0 ? 1 : 0;
    }
  }
}

}  // namespace

SmallWitness minimize(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const DifferentialOptions& options) {
  SmallWitness witness{inputs.clone(), outcome, 0, 0};
  if (!outcome.failure && !out_of_time() && !c.relation.recorded) try {
      InputSet small = Minimizer(c, inputs, outcome, options).run();
      DifferentialOptions kept = options;
      kept.record = true;
      kept.record_values = false;
      kept.literals = false;
      std::shared_ptr<const RecordedPair> recorded;
      DrawOutcome again = run_once(c, small, kept, &recorded);
      if (gg::differs(again) && !again.failure) witness = {std::move(small), std::move(again), 0, 0, std::move(recorded)};
    } catch (const RuntimeFailure& failure) {
      if (failure.kind != RuntimeFailure::Kind::Budget) throw;  // else the inputs as they were drawn will do
    }
  count(witness);
  return witness;
}

}  // namespace gg::pinpoint
