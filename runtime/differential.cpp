// The differential run (runtime/differential.h): draws, decides each (runtime/decision.h), and sums up.
#include "runtime/differential.h"

#include <algorithm>
#include <set>

#include "models/base/progress.h"
#include "models/ir/canonical.h"
#include "models/ir/finite_tests.h"
#include "models/ir/module.h"
#include "models/op/facts.h"
#include "runtime/decision.h"
#include "runtime/sides.h"

namespace gg {
namespace {

constexpr int kMaxDraws = 32;  ///< for outputs without a finite element
constexpr int kMaxTiedDraws = 8;
constexpr int kVanishingPeriod = 4;        ///< one draw in so many of those with repeated values has inputs of zeros
constexpr std::size_t kMostMeetings = 24;  ///< draws of what inputs meet throughout, or beyond which nothing is
constexpr int kEndDraws = 4;               ///< with everything at an end of its range
constexpr int kHalvesPeriod = 8;           ///< and one in so many has multiples of one half, where something is rounded
constexpr int kAmplifications = 6;         ///< inputs up to 4096 times the default ones, and as many draws with some large and some small

/// What draws leave for those after them, and for their summary.
struct Seen {
  std::vector<std::set<std::string>> fingerprints;  ///< of each output's values
  std::set<std::size_t> left_open;                  ///< outputs

  void add(const std::vector<std::string>& draw) {
    for (std::size_t k = 0; k < draw.size(); ++k) fingerprints[k].insert(draw[k]);
  }
};

/// Whether every compared output had a finite element and no tie in some draw.
bool settled(const Case& c, const std::vector<DrawOutcome>& draws) {
  for (std::size_t k = 0; k < c.relation.outputs.size(); ++k) {
    if (!is_compared(c, k)) continue;
    const bool good = std::any_of(draws.begin(), draws.end(), [&](const DrawOutcome& draw) {
      const Agreement agreement = draw.outputs[k].agreement;
      return agreement == Agreement::Agrees || agreement == Agreement::Open || agreement == Agreement::Underflow || agreement == Agreement::Literals;
    });
    if (!good) return false;
  }
  return true;
}

bool tied(const DrawOutcome& draw) {
  return std::any_of(draw.outputs.begin(), draw.outputs.end(),
                     [](const OutputOutcome& output) { return output.agreement == Agreement::Tied; });
}

/// One verdict an output over all draws: the worst counts; an output is undefined only if it always was.
void summarise(const Case& c, const Seen& seen, DifferentialResult& result) {
  const std::size_t outputs = c.relation.outputs.size();
  for (std::size_t k = 0; k < outputs; ++k) {
    OutputOutcome& total = result.outputs.emplace_back();
    if (!is_compared(c, k)) continue;
    total.agreement = Agreement::Undefined;
    constexpr Agreement kOrder[] = {Agreement::Undefined, Agreement::Agrees, Agreement::Open, Agreement::Tied, Agreement::Underflow, Agreement::Literals,
                                    Agreement::Differs};
    const auto weight = [&](Agreement a) { return std::find(std::begin(kOrder), std::end(kOrder), a); };
    for (const DrawOutcome& draw : result.draws) {
      if (k >= draw.outputs.size()) continue;
      const OutputOutcome& one = draw.outputs[k];
      if (weight(one.agreement) > weight(total.agreement)) total.agreement = one.agreement;
      total.compared += one.compared;
      total.undefined += draw.beyond ? 0 : one.undefined;
      total.unresolved += one.unresolved;
      total.unbounded += draw.beyond ? 0 : one.unbounded;
    }
    total.exercised = seen.fingerprints[k].size() > 1 || result.draws.size() < 2;
    result.undefined += total.undefined;
    result.elements += total.undefined + total.compared;
  }
  for (DrawOutcome& draw : result.draws) {
    for (std::size_t k = 0; k < draw.outputs.size(); ++k) draw.outputs[k].exercised = result.outputs[k].exercised;
  }
}

/// Whether what a program makes of a float hangs on which side of an integer, or of the middle between two, it is.
bool rounds(const Module& module) {
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (rounds_to_integers(module[id].op) || makes_integers(module, id)) return true;
  }
  return false;
}

/// Amplifications after which floats fit none of the integers that the program converts them to; 0: it converts none.
int beyond_integers(const Module& module) {
  int bits = 0;
  for (InstructionId id = 0; id < module.size(); ++id) {
    const ElementType to = module.type(id).element;
    if (makes_integers(module, id) && to != ElementType::Pred) bits = std::max(bits, info(to).bits);
  }
  return bits == 0 ? 0 : bits / 2 + 1;  // four times each
}

void check_mode(NumberMode mode) {
  if (is_real(mode) || mode == NumberMode::F64) return;
  throw RuntimeFailure(RuntimeFailure::Kind::Unsupported,
                       "f32 and the model's types round; their runs are compared with a real run, not with each other", {});
}

/// The draws of one pair.
class Draws {
 public:
  Draws(PairRunner& runner, const DifferentialOptions& options, DifferentialResult& result, Seen& seen)
      : case_(runner.pair()), runner_(runner), options_(options), result_(result), seen_(seen) {}

  void until_settled() {
    int good = 0, tied_draws = 0;
    for (int draw = 0; draw < std::max(kMaxDraws, options_.seeds + kMaxTiedDraws); ++draw) {
      enter_share(static_cast<double>(std::min(good, options_.seeds)) / std::max(options_.seeds, 1));
      if (!ends(drawn(draw, draw), draw + 1 < options_.seeds)) continue;
      if (result_.differing) return;
      if (!tied(result_.draws.back())) ++good;
      else if (++tied_draws > kMaxTiedDraws) return;
      if (good >= options_.seeds && settled(case_, result_.draws)) return;
    }
  }

  /// Small integer inputs do not take every number that a program compares them with in one draw: one after the other.
  void corners() {
    const int draws = corner_draws(case_.relation);
    for (int k = 0; k < draws && draws > 1 && !result_.differing; ++k) take(drawn(0, kCorners + k));
  }

  /// Further draws, which count only if they differ: half of them in the regimes one after the other, however many draws were made before, half with values that repeat or inputs of zeros. Where
  /// floats become integers, half of these have larger floats instead, and where they are rounded some are multiples of one half.
  void further() {
    const bool repeats = !orders_freely(*case_.sequential) && !orders_freely(*case_.distributed);
    const bool halves = repeats && (rounds(*case_.sequential) || rounds(*case_.distributed));
    const int amplified = std::max(beyond_integers(*case_.sequential), beyond_integers(*case_.distributed));
    DifferentialOptions how = options_;
    how.screened = how.mode == NumberMode::Real;
    std::set<std::size_t> left_open = seen_.left_open;
    const auto contradicts = [&](InputSet inputs) {
      DecidedDraw decided = decide_draw(runner_, inputs, how, left_open);
      if (!differs(decided.outcome)) return false;
      differing(std::move(decided), std::move(inputs));
      return true;
    };
    try {
      std::size_t meetings = 0;
      for (const FreeInput& input : case_.relation.free) meetings = std::max(meetings, kMeetingWays * input.met.size());
      const int ends = std::min(options_.further, kEndDraws + static_cast<int>(std::min(meetings, kMostMeetings)));
      for (int k = 0; k < ends && repeats; ++k) {
        if (contradicts(drawn(options_.seeds + k, k < kEndDraws ? kEnds + k : kMeetings + k - kEndDraws))) return;
      }
      for (int k = 0, all = std::min(options_.further, every_draws(case_.relation)); k < all && repeats; ++k) {
        if (contradicts(drawn(options_.seeds + k, kEvery + k))) return;
      }
      if (!options_.both_sides && options_.further >= kAmplifications && amplified_differs(contradicts)) return;
      int repetitions = 0;
      for (int k = 0; k < options_.further; ++k) {
        const int turn = k / 2;
        int regime = options_.seeds + turn;
        if (k % 2 == 0 && amplified != 0 && turn % 2 == 1) regime = kAmplified + amplified - 1 - turn / 2 % amplified;
        else if (k % 2 == 0 && halves && turn % kHalvesPeriod == 0) regime = kHalves + turn / kHalvesPeriod;
        else if (k % 2 == 0 && repeats && turn % kVanishingPeriod == 2) regime = kVanishing + turn / kVanishingPeriod;
        else if (k % 2 == 0 && repeats) regime = kRepeated + repetitions++;
        if (contradicts(drawn(options_.seeds + k, regime))) return;
      }
    } catch (const RuntimeFailure&) {  // what the draws before say stands
    } catch (const OutOfTime&) {
    }
  }

  /// Draws with larger inputs, as far as they take sides that no draw has taken and the program is finite.
  void other_sides() {
    amplified_differs([&](InputSet inputs) { return !take(std::move(inputs), true) || result_.differing; });
  }

 private:
  /// `ends(inputs)` of inputs that are larger and larger, then of unequal ones, as long as some take sides that none before has taken: true, once it says so.
  template <class Ends>
  bool amplified_differs(const Ends& ends) {
    Sides taken;
    for (const DrawOutcome& draw : result_.draws) taken.merge(sides_taken(case_, draw_inputs(case_.relation, draw.seed, draw.regime), options_.budget));
    for (int k = 0; k < 2 * kAmplifications && one_sided(taken); ++k) {
      InputSet inputs = drawn(k, k < kAmplifications ? kAmplified + k : kUnequal + k - kAmplifications);
      Sides now = sides_taken(case_, inputs, options_.budget);
      if (std::includes(taken.begin(), taken.end(), now.begin(), now.end())) continue;
      if (ends(std::move(inputs))) return true;
      taken.merge(std::move(now));
    }
    return false;
  }

  /// As `take`. False: the sequential program has not ended, nor has it in a draw before, and one of the draws to come may be one in which it does.
  bool ends(InputSet inputs, bool others) {
    try {
      take(std::move(inputs));
      return true;
    } catch (const RuntimeFailure& failure) {
      if (!failure.stalled || !others || !result_.draws.empty()) throw;
      return false;
    }
  }

  /// Every other draw keeps flagged indices apart: few others do.
  InputSet drawn(int seed, int regime) const {
    InputSet inputs = draw_inputs(case_.relation, options_.seed + static_cast<std::uint64_t>(seed), regime);
    if (flags_indices(case_) && seed % 2 == 1) keep_apart(case_.relation, inputs);
    return inputs;
  }

  /// Decides on these inputs. False: no output is finite, and with `only_finite` the draw does not count.
  bool take(InputSet inputs, bool only_finite = false) {
    DecidedDraw decided = decide_draw(runner_, inputs, options_, seen_.left_open);
    DrawOutcome& outcome = decided.outcome;
    const bool finite = std::any_of(outcome.outputs.begin(), outcome.outputs.end(), [](const OutputOutcome& o) { return o.compared != 0; });
    if (only_finite && !finite && !outcome.failure) return false;
    seen_.add(decided.fingerprints);
    if (differs(outcome)) differing(std::move(decided), std::move(inputs));
    else result_.draws.push_back(std::move(outcome));
    return true;
  }

  void differing(DecidedDraw decided, InputSet inputs) {
    result_.draws.push_back(std::move(decided.outcome));
    result_.recorded = std::move(decided.recorded);
    result_.differing = result_.draws.back();
    result_.witness = std::move(inputs);
  }

  Case& case_;
  PairRunner& runner_;
  const DifferentialOptions& options_;
  DifferentialResult& result_;
  Seen& seen_;
};

}  // namespace

DifferentialResult run_pair(Case& c, const DifferentialOptions& options) {
  DifferentialResult result;
  Seen seen;
  seen.fingerprints.resize(c.relation.outputs.size());
  try {
    check_mode(options.mode);
    PairRunner runner(c);
    runner.use(options.backend);
    Draws draws(runner, options, result, seen);
    draws.until_settled();
    if (!result.differing) draws.corners();
    if (options.both_sides && !result.differing) draws.other_sides();
    if (!result.differing) draws.further();
  } catch (const RuntimeFailure& failure) {
    result.stopped = failure;
  } catch (const OutOfTime&) {
    result.stopped = RuntimeFailure(RuntimeFailure::Kind::Budget, "the time budget is used up", {});
  }
  summarise(c, seen, result);
  return result;
}

DrawOutcome run_once(Case& c, const InputSet& inputs, const DifferentialOptions& options, std::shared_ptr<const RecordedPair>* recorded) {
  check_mode(options.mode);
  PairRunner runner(c);
  runner.use(options.backend);
  std::set<std::size_t> left_open;
  DecidedDraw decided = decide_draw(runner, inputs, options, left_open);
  if (recorded != nullptr) *recorded = std::move(decided.recorded);
  return std::move(decided.outcome);
}

DrawJudge::DrawJudge(Case& c, DifferentialOptions options) : runner_(std::make_unique<PairRunner>(c)), options_(std::move(options)) {
  check_mode(options_.mode);
  runner_->use(options_.backend);
}
DrawJudge::~DrawJudge() = default;
DrawOutcome DrawJudge::decide(const InputSet& inputs) {
  std::set<std::size_t> left_open;
  return decide_draw(*runner_, inputs, options_, left_open).outcome;
}

}  // namespace gg
