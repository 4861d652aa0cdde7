// The decision of a draw (runtime/decision.h).
#include "runtime/decision.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "models/base/file.h"
#include "runtime/compare.h"
#include "runtime/cone.h"
#include "runtime/literals.h"
#include "runtime/sides.h"

namespace gg {
namespace {

constexpr std::size_t kTried = 16;  ///< outputs, with elements that are made on their own

class Decision {
 public:
  Decision(PairRunner& runner, const InputSet& inputs, const DifferentialOptions& options, std::set<std::size_t>& left_open)
      : runner_(runner), inputs_(inputs), options_(options), claims_(runner.pair()), left_open_(left_open) {}

  DrawOutcome decide() {
    DrawOutcome draw;
    draw.seed = inputs_.seed;
    draw.regime = inputs_.regime;
    draw.beyond = inputs_.beyond;
    const Case& c = runner_.pair();
    PairRun run;
    try {
      const bool asked = options_.mode == NumberMode::Real && (options_.screened || options_.agreement_only);
      if (asked && said_in_doubles(draw)) return draw;
      run = options_.record && options_.backend == nullptr ? recorded_run() : make({options_.mode});  // what is recorded is run in this process
    } catch (const RuntimeFailure& failure) {
      const Agreement agreement = hangs(failure);
      if (agreement == Agreement::Differs) draw.failure = failure;
      draw.outputs.assign(c.relation.outputs.size(), {});
      for (OutputOutcome& output : draw.outputs) output.agreement = draw.failure ? Agreement::Undefined : agreement;
      fingerprints.resize(draw.outputs.size());
      return draw;
    }
    runs_.emplace(Reading{options_.mode}, std::move(run));
    look_at_outputs(options_.mode, draw);
    std::stable_sort(draw.differences.begin(), draw.differences.end(), [](const Difference& a, const Difference& b) { return a.output < b.output; });
    if (!differs(draw)) element_by_element(draw);
    if (!differs(draw)) open_one(draw);
    else if (!is_real(last_mode_)) confirm_one(draw);
    draw.in_doubles = differs(draw) && !is_real(last_mode_);
    if (differs(draw)) {  // beside it, what ties or the rounding of literals explain is none
      std::erase_if(draw.differences, [&](const Difference& d) { return draw.outputs[static_cast<std::size_t>(d.output)].agreement != Agreement::Differs; });
    }
    return draw;
  }

  /// The runs behind the outcome, where they were to be kept.
  std::shared_ptr<const RecordedPair> recorded() {
    const auto run = runs_.extract(Reading{options_.mode});
    if (!recording_ || run.empty()) return nullptr;
    recording_->sequential.result = std::make_shared<const RunResult>(std::move(run.mapped().sequential));
    recording_->distributed.result = std::make_shared<const RunResult>(std::move(run.mapped().distributed));
    return recording_->complete() ? std::move(recording_) : nullptr;
  }

  /// Does a run in f64 say all that is asked: that a screened draw agrees, or who asks for agreement only that it does not, beyond its noise?
  bool said_in_doubles(DrawOutcome& draw) {
    const Case& c = runner_.pair();
    const PairRun run = make({.mode = NumberMode::F64, .bounds = false});
    std::vector<OutputOutcome> outputs(c.relation.outputs.size());
    std::vector<std::string> prints(outputs.size());
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (!is_compared(c, k)) continue;
      const ClaimedValues values = claims_.values(k, run, NumberMode::F64);
      const DoubleLook look = look_in_doubles(values, kDoubleNoise, options_.agreement_only ? kDoubleZero : 0);
      if (look.differing != 0) {
        if (!options_.agreement_only || tied(run, k)) return false;
        draw.outputs.resize(outputs.size());
        draw.outputs[k].agreement = Agreement::Differs;
        draw.differences.emplace_back().output = static_cast<int>(k);
        return true;
      }
      prints[k] = content_hash({static_cast<const char*>(values.sequential.data()), values.sequential.bytes()});
      outputs[k].compared = look.compared;
      outputs[k].undefined = look.undefined;
      if (look.compared == 0) outputs[k].agreement = Agreement::Undefined;
    }
    if (!options_.screened) return false;
    draw.outputs = std::move(outputs);
    fingerprints = std::move(prints);
    return true;
  }

  std::vector<std::string> fingerprints;  ///< of each output's sequential values

 private:
  /// As make(), with what it gives kept, and its values where these are asked for.
  PairRun recorded_run() {
    recording_ = std::make_shared<RecordedPair>();
    recording_->mode = options_.mode;
    RunOptions options = run_options({options_.mode});
    PairRun run;
    if (options_.record_values) options.probe = recording_->sequential.probe();
    run.sequential = runner_.run_sequential(inputs_, options);
    if (options_.record_values) options.probe = recording_->distributed.probe();
    run.distributed = runner_.run_distributed_after(run.sequential, inputs_, options);
    return run;
  }

  static bool parted(const RuntimeFailure& failure) {
    return failure.kind == RuntimeFailure::Kind::Mismatch || failure.kind == RuntimeFailure::Kind::Doubtful;
  }

  /// How a run reads the programs.
  struct Reading {
    NumberMode mode;
    bool literal_balls = false;
    std::optional<int> shared_draw = std::nullopt;  ///< literals of both programs are one number: LiteralReading::draw
    bool bounds = true;                             ///< f64: with error bounds
    friend auto operator<=>(const Reading&, const Reading&) = default;
  };

  PairRun make(const Reading& reading) { return runner_.run(inputs_, run_options(reading)); }
  RunOptions run_options(const Reading& reading) {
    return {.mode = reading.mode,
            .budget = options_.budget,
            .literals = {reading.literal_balls, reading.shared_draw ? &shared_literals_ : nullptr, reading.shared_draw.value_or(0)},
            .error_bounds = reading.bounds && !is_real(reading.mode)};
  }
  const PairRun& made(Reading reading) {
    if (all_shared_ && reading.shared_draw == 0) reading = {.mode = reading.mode, .bounds = reading.bounds};
    const auto known = runs_.find(reading);
    return known != runs_.end() ? known->second : runs_.emplace(reading, make(reading)).first->second;
  }

  /// Ranks that part: for good, at a tie, or through the rounding of the program's literals. Other failures are thrown again.
  Agreement hangs(const RuntimeFailure& failure) {
    using Kind = RuntimeFailure::Kind;
    const auto fails = [&](const Reading& reading) -> std::optional<Kind> {
      try {
        made(reading);
        return std::nullopt;
      } catch (const RuntimeFailure& other) {
        if (!parted(other)) throw;
        return other.where.instruction == failure.where.instruction ? std::optional(other.kind) : std::nullopt;
      }
    };
    std::optional<Kind> kind = failure.kind;
    if (!parted(failure)) throw failure;
    std::optional<NumberMode> mode = options_.mode;
    while (kind == Kind::Doubtful && (mode = is_real(*mode) ? finer(*mode) : std::nullopt)) kind = fails({*mode});
    if (kind != Kind::Mismatch) return Agreement::Tied;
    return fails({*mode, true}) == Kind::Mismatch ? Agreement::Differs : Agreement::Literals;
  }

  /// One output at one precision.
  struct Sight {
    Reading reading;
    ClaimedValues values;
    Look look;
    bool tied;
    /// A finer look may say more: nothing differs for certain, and something is not known.
    bool open() const { return look.differing.empty() ? look.outcome.unresolved != 0 : tied; }
  };
  Sight sight(std::size_t k, const PairRun& run, const Reading& reading) {
    ClaimedValues values = claims_.values(k, run, reading.mode);
    Look look = look_at(values);
    return {reading, std::move(values), std::move(look), tied(run, k)};
  }

  /// How the literals of a difference are read: in which mode (nothing: that of the difference), each use for itself or those that
  /// both programs have as one number. What f64 tells apart need not be looked at over the reals.
  struct Round {
    std::optional<NumberMode> mode;
    bool shared;
  };
  std::span<const Round> rounds(NumberMode mode) const {
    static constexpr Round kApart[] = {{NumberMode::F64, false}, {std::nullopt, false}, {std::nullopt, true}};
    static constexpr Round kShared[] = {{std::nullopt, true}, {NumberMode::F64, false}, {std::nullopt, false}};  // no balls are left in the first
    static constexpr Round kDoubles[] = {{std::nullopt, false}, {std::nullopt, true}};
    if (!is_real(mode)) return kDoubles;
    return all_shared_ ? kShared : kApart;
  }

  /// All outputs; where none differs, those that are open once more at the next precision.
  void look_at_outputs(NumberMode first, DrawOutcome& draw) {
    const Case& c = runner_.pair();
    draw.outputs.resize(c.relation.outputs.size());
    fingerprints.resize(draw.outputs.size());
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < draw.outputs.size(); ++k) {
      if (is_compared(c, k)) all.push_back(k);
    }
    for (std::optional<NumberMode> mode = first; mode && !all.empty();) {
      last_mode_ = *mode;
      first_unknown_.clear();
      const auto next = is_real(*mode) ? finer(*mode) : std::nullopt;
      std::vector<std::size_t> open, literals;
      for (const std::size_t k : all) {
        const bool known_open = left_open_.contains(k), last = !next || known_open;
        const bool is_open = output(k, *mode, draw, last, rounds(*mode).front());
        if (known_open) first_unknown_.erase(k);
        if (is_open && !last) open.push_back(k);
        if (is_open && !next) left_open_.insert(k);
        if (draw.outputs[k].agreement == Agreement::Literals) literals.push_back(k);
      }
      for (const Round& round : rounds(*mode).subspan(1)) {
        if (differs(draw)) return;
        for (const std::size_t k : literals) output(k, *mode, draw, true, round);
      }
      if (differs(draw)) return;
      all = std::move(open);
      mode = next;
    }
  }

  /// Over the reals ties are counted for an output as a whole. In f64 the bounds say of each element whether a decision that it hangs on lies
  /// within its error: what differs beyond them hangs on no tie.
  void element_by_element(DrawOutcome& draw) {
    if (!is_real(options_.mode)) return;
    DrawOutcome now = draw;
    try {
      for (std::size_t k = 0; k < draw.outputs.size(); ++k) {
        for (const Round& round : rounds(NumberMode::F64)) {
          if (draw.outputs[k].agreement != Agreement::Tied || now.outputs[k].agreement == Agreement::Differs) continue;
          output(k, NumberMode::F64, now, true, round);
        }
        if (now.outputs[k].agreement != Agreement::Differs) now.outputs[k] = draw.outputs[k];
      }
    } catch (const RuntimeFailure& failure) {
      if (!parted(failure)) throw;
    }
    if (!differs(now)) return;
    draw = std::move(now);
    last_mode_ = NumberMode::F64;
  }

  /// One output at one precision; true if a finer one may say more. Ties are judged at the `last` one only.
  bool output(std::size_t k, NumberMode mode, DrawOutcome& draw, bool last, const Round& round) {
    Sight seen = sight(k, made({mode}), {mode});
    if (fingerprints[k].empty()) fingerprints[k] = content_hash({static_cast<const char*>(seen.values.sequential.data()), seen.values.sequential.bytes()});
    OutputOutcome& outcome = draw.outputs[k];
    outcome = seen.look.outcome;
    std::erase_if(draw.differences, [&](const Difference& d) { return d.output == static_cast<int>(k); });
    if (seen.look.differing.empty()) {
      if (seen.look.first_unknown >= 0) first_unknown_[k] = seen.look.first_unknown;
      if (outcome.compared != 0 && outcome.unresolved == outcome.compared) outcome.agreement = Agreement::Open;
      if (outcome.underflown != 0) outcome.agreement = Agreement::Underflow;
    } else if (seen.tied && !last) {
      outcome.agreement = Agreement::Tied;
    } else {
      outcome.agreement = judge(k, seen, round);
      draw.differences.push_back(describe(runner_.pair(), k, seen.values, seen.look.differing, outcome));
      if (outcome.agreement == Agreement::Differs) first_differences_[k] = seen.look.differing.front();
    }
    return seen.open();
  }

  /// What disjoint balls mean: nothing if the run tied (but on the cone of the element, which may have no tie), a rounded literal if they
  /// meet once the literals are balls, else a difference; then only the elements that differ all the same are left.
  Agreement judge(std::size_t k, Sight& seen, const Round& round) {
    const std::int64_t first = seen.look.differing.front();
    if (seen.tied) {
      const auto answer = is_real(options_.mode) ? cones().look(k, first, false) : std::nullopt;
      if (!answer || !answer->differs) return Agreement::Tied;
    }
    if (options_.agreement_only || !options_.literals) return Agreement::Differs;
    const NumberMode mode = round.mode.value_or(seen.reading.mode);
    std::vector<std::int64_t> real = round.shared ? differing_at_all_readings(k, seen, mode) : differing_as_balls(k, seen, mode);
    if (real.empty()) return Agreement::Literals;
    seen.look.differing = std::move(real);
    return Agreement::Differs;
  }

  /// Ties of a run in this mode, where there is none on the cone of the element.
  static bool excused(const Sight& seen, NumberMode mode) { return seen.tied && mode == seen.reading.mode; }

  std::vector<std::int64_t> differing_as_balls(std::size_t k, const Sight& seen, NumberMode mode) try {
    const Reading reading{mode, true};
    Sight balls = sight(k, made(reading), reading);
    if (balls.tied && !excused(seen, mode)) return {};
    return std::move(balls.look.differing);
  } catch (const RuntimeFailure& failure) {
    if (!parted(failure) || mode == seen.reading.mode) throw;
    return {};
  }

  /// Balls of two uses of one literal know nothing of each other, so that those of bf16 hide what is real. Here a literal that both
  /// programs have is one number, the others are balls: does some reading of these numbers close the difference?
  std::vector<std::int64_t> differing_at_all_readings(std::size_t k, const Sight& seen, NumberMode mode) try {
    constexpr double kSafety = 2;
    const Reading balls{mode, true, 0};
    Sight apart = sight(k, made(balls), balls);
    if (apart.look.differing.empty() || (apart.tied && !excused(seen, mode))) return {};
    const std::int64_t element = apart.look.differing.front();
    const double gap = distance_at(apart.values, element).second;
    const auto reach = reach_of_literals(shared_literals_.size(), gap, [&](int draw) {
      const Reading reading{NumberMode::F64, true, draw, false};
      return distance_at(claims_.values(k, made(reading), reading.mode), element).first;
    });
    return reach && kSafety * *reach < gap ? std::move(apart.look.differing) : std::vector<std::int64_t>();
  } catch (const RuntimeFailure& failure) {
    if (!parted(failure)) throw;
    return {};
  }

  using Elements = std::map<std::size_t, std::int64_t>;  ///< one of each output

  /// Elements made on their own as balls, in at most `most` operations: those first that hang on the fewest others. `take` says whether to go on.
  template <class Take>
  void look_at_elements(const Elements& elements, bool literal_balls, double most, const Take& take) {
    std::vector<std::pair<double, std::size_t>> order;
    for (const auto& [k, element] : elements) {
      if (order.size() < kTried) order.emplace_back(cones().operations(k, element), k);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [operations, k] : order) {
      if ((most -= operations) < 0) return;
      const auto answer = cones().look(k, elements.at(k), literal_balls);
      if (answer && !take(k, *answer)) return;
    }
  }

  /// f64: the first difference of one output, where it can be made again as a ball. What that takes back proves nothing.
  void confirm_one(DrawOutcome& draw) {
    look_at_elements(first_differences_, false, kTried * ConePair::kMost, [&](std::size_t k, const ConeAnswer& answer) {
      if (answer.differs) {
        draw.confirmed = static_cast<int>(k);
        draw.cone = answer.elements;
        return false;
      }
      draw.outputs[k].agreement = Agreement::Tied;
      std::erase_if(draw.differences, [k](const Difference& d) { return d.output == static_cast<int>(k); });
      return true;
    });
  }

  /// Where nothing differs, one element of which whole runs know nothing: in its cone one number in two places is known to be one.
  void open_one(DrawOutcome& draw) {
    look_at_elements(first_unknown_, !options_.agreement_only, ConePair::kMost, [&](std::size_t k, const ConeAnswer& answer) {
      if (!answer.differs) return true;
      const Sight seen = sight(k, made({last_mode_}), {last_mode_});
      OutputOutcome& outcome = draw.outputs[k];
      outcome.agreement = Agreement::Differs;
      Difference& difference = draw.differences.emplace_back(describe(runner_.pair(), k, seen.values, {first_unknown_.at(k)}, outcome));
      difference.sequential = answer.sequential;
      difference.distributed = answer.distributed;
      draw.confirmed = static_cast<int>(k);
      draw.cone = answer.elements;
      return false;
    });
  }

  ConePair& cones() {
    if (!cones_) cones_ = std::make_unique<ConePair>(runner_.pair(), elements_of(runner_.pair().relation, inputs_));
    return *cones_;
  }

  /// A tie in the cone of an output that this claim reads, on either side.
  bool tied(const PairRun& run, std::size_t k) const {
    const auto has = [&](const RunResult& result) { return k < result.ties.size() && result.ties[k].ties != 0; };
    return has(run.sequential) || has(run.distributed);
  }

  PairRunner& runner_;
  const InputSet& inputs_;
  const DifferentialOptions& options_;
  OutputClaims claims_;
  const LiteralSet shared_literals_ = literals_shared(*runner_.pair().sequential, *runner_.pair().distributed);
  const bool all_shared_ = all_literals_shared(*runner_.pair().sequential, *runner_.pair().distributed);
  std::set<std::size_t>& left_open_;
  std::map<Reading, PairRun> runs_;
  std::shared_ptr<RecordedPair> recording_;
  std::unique_ptr<ConePair> cones_;             ///< made when first asked
  Elements first_differences_, first_unknown_;  ///< of outputs that differ; of which the last look says nothing somewhere
  NumberMode last_mode_ = options_.mode;
};

}  // namespace

std::optional<std::size_t> seems_to_differ(PairRunner& runner, const InputSet& inputs, const Budget& budget) {
  std::set<std::size_t> left_open;
  DifferentialOptions options;
  options.agreement_only = true;
  options.budget = budget;
  DrawOutcome draw;
  if (!Decision(runner, inputs, options, left_open).said_in_doubles(draw)) return std::nullopt;
  return static_cast<std::size_t>(draw.differences.front().output);
}

DecidedDraw decide_draw(PairRunner& runner, const InputSet& inputs, const DifferentialOptions& options, std::set<std::size_t>& left_open) {
  Decision decision(runner, inputs, options, left_open);
  DecidedDraw decided{decision.decide(), {}, nullptr};
  decided.fingerprints = std::move(decision.fingerprints);
  decided.recorded = decision.recorded();
  if (differs(decided.outcome) && outside_premises(runner.pair(), inputs, options.budget, decided.recorded.get())) say_nothing(decided.outcome);
  return decided;
}

}  // namespace gg
