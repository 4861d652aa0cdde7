// Ranges that inputs are drawn from where none is given. They are no premises: a proof that needs one states it
// (models/pair/index_uses.h), and draws look outside too. Integers lie in what they index, or in the iota that they are compared
// with; floats mostly in [0, 1], where trial runs show that this makes more output elements finite (roots, logarithms, powers).
#include <algorithm>
#include <cmath>
#include <set>

#include "models/pair/index_uses.h"
#include "runtime/differential.h"
#include "runtime/inputs.h"
#include "runtime/met.h"
#include "runtime/patience.h"

namespace gg {
namespace {

constexpr Range kPlain{-1, 1, Range::Origin::Default};  ///< of floats

/// Runs of the sequential program on the plain draw: which float inputs must mostly not be negative for its outputs to be finite.
class Trials {
 public:
  explicit Trials(Case& c) : case_(c), executor_(*c.sequential_bodies, nullptr) {
    for (FreeInput& input : c.relation.free) {
      const bool open = is_float(input.type.element) && input.range.origin == Range::Origin::Default;
      if (open) inputs_.push_back(&input);
    }
  }

  /// Inputs are [0, 1] where that makes more elements finite: all of them at once, less those that may be given back. Where all at once do
  /// not help (a difference of two), one after the other.
  void run() {
    const double each = estimated_operations(case_);
    if (inputs_.empty() || each > kOperations) return;
    best_ = not_finite();
    if (best_ == 0) return;
    left_ = std::clamp(static_cast<int>(kOperations / std::max(each, 1e6)), kLeastTrials, kMostTrials);
    if (improves(inputs_)) return give_back(inputs_);
    for (std::size_t k = 0; k < inputs_.size() && left_ > 0 && best_ != 0; ++k) improves({&inputs_[k], 1});
  }

 private:
  using Inputs = std::span<FreeInput* const>;
  static constexpr double kOperations = 3e9;  ///< of all trials, and at most of one
  static constexpr int kLeastTrials = 8, kMostTrials = 64;

  static void set(Inputs inputs, const Range& range) {
    for (FreeInput* const input : inputs) input->range = range;
  }

  bool improves(Inputs inputs) {
    set(inputs, {0, 1, Range::Origin::Inferred});
    const std::int64_t now = not_finite();
    const bool better = now < best_;
    if (better) best_ = now;
    else set(inputs, kPlain);
    return better;
  }

  void give_back(Inputs inputs) {
    if (left_ <= 0) return;
    set(inputs, kPlain);
    const std::int64_t now = not_finite();
    if (now <= best_) {
      best_ = now;
      return;
    }
    set(inputs, {0, 1, Range::Origin::Inferred});
    if (inputs.size() == 1) return;
    give_back(inputs.first(inputs.size() / 2));
    give_back(inputs.subspan(inputs.size() / 2));
  }

  /// Elements of the outputs that are not finite.
  std::int64_t not_finite() {
    constexpr std::uint64_t kTrialSeed = 1;
    --left_;
    RunOptions options{.mode = NumberMode::F64};
    options.max_steps = std::min(options.max_steps, patience_with(*case_.sequential));
    const InputSet inputs = draw_inputs(case_.relation, kTrialSeed, 0);
    const RunResult result = executor_.run(shared_sequential_inputs(case_, inputs, options.mode), options);
    std::int64_t count = 0;
    for (const Buffer& output : result.outputs) {
      if (output.storage() != Storage::Double) continue;
      for (const double value : output.as<double>()) count += std::isfinite(value) ? 0 : 1;
    }
    return count;
  }

  Case& case_;
  Executor executor_;
  std::vector<FreeInput*> inputs_;
  int left_ = 1;  ///< trials
  std::int64_t best_ = 0;
};

/// What integers that may be anything are drawn from beside the default range: both signs; all numbers of 8 bits or less.
IntegerSpan wide_span(ElementType type) {
  const IntegerSpan all = IntegerSpan::of(type);
  return info(type).bits <= 8 ? all : all.within({-8, 7});
}

/// Range, corners and premise of an integer input.
void infer_integer(FreeInput& input, const IndexUses& uses) {
  input.in_bounds = in_bounds(input, uses);
  input.from_end = from_end(input, uses);
  input.filled = uses.filled;
  input.spoils = uses.spoils;
  std::optional<IntegerSpan> core = uses.indexed ? uses.indexed : uses.matched;
  if (core) core = core->within(IntegerSpan::of(input.type.element));
  if (core && core->hi < core->lo) core.reset();
  if (input.range.origin == Range::Origin::Default) {
    input.range = default_range(input.type.element);
    if (core && core->hi > core->lo) input.range = {static_cast<double>(core->lo), static_cast<double>(core->hi + 1), Range::Origin::Inferred};
  }
  if (!core && !uses.reaches && input.range.origin == Range::Origin::Default) input.wide = wide_span(input.type.element);
  std::set<std::int64_t> corners(uses.compared.begin(), uses.compared.end());
  corners.insert(uses.turned.begin(), uses.turned.end());
  if (core) corners.insert({core->lo, core->hi});
  if (uses.indexed) corners.insert({uses.indexed->lo - 1, uses.indexed->hi + 1});  // where the program itself says what holds there
  if (uses.indexed && !input.in_bounds && info(input.type.element).bits <= 8) corners.insert({IntegerSpan::of(input.type.element).lo, IntegerSpan::of(input.type.element).hi});
  const bool given = input.range.origin == Range::Origin::Given;
  if (given && !corners.empty()) corners.insert({static_cast<std::int64_t>(input.range.lo), std::max(static_cast<std::int64_t>(input.range.hi), static_cast<std::int64_t>(input.range.lo) + 1) - 1});
  std::erase_if(corners, [&](std::int64_t value) {
    const auto real = static_cast<double>(value);
    const bool outside = given ? real < input.range.lo || real >= std::max(input.range.hi, input.range.lo + 1)
                               : input.in_bounds && (value < input.in_bounds->lo || value > input.in_bounds->hi);
    return outside || wrap_to(input.type.element, value) != value;
  });
  input.corners.assign(corners.begin(), corners.end());
}

}  // namespace

void infer_ranges(Case& c, const Case* reduced) {
  const std::vector<IndexUses> uses = index_uses(c);
  auto& free = c.relation.free;
  for (std::size_t k = 0; k < free.size(); ++k) {
    Range& range = free[k].range;
    const ElementType type = free[k].type.element;
    if (is_integral(type) && type != ElementType::Pred) {
      infer_integer(free[k], uses[k]);
    } else if (range.origin == Range::Origin::Default) {
      range = default_range(type);
      if (reduced != nullptr && type != ElementType::Pred) range = reduced->relation.free.at(k).range;
    }
  }
  std::vector<std::vector<double>> met = met_numbers(c);
  for (std::size_t k = 0; k < free.size(); ++k) free[k].met = std::move(met[k]);
  if (reduced != nullptr) return;
  try {
    Trials(c).run();
  } catch (const RuntimeFailure&) {
    // The program cannot be run here; the run itself will say why.
  }
}

}  // namespace gg
