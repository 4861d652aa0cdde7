// Kin by value (harness/pinpoint/kin.h).
#include "harness/pinpoint/kin.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMostElements = std::size_t{1} << 22U;  ///< of anchors whose elements are looked up
constexpr std::size_t kMostJudged = 4000;                     ///< bad values that are looked at
constexpr std::size_t kMostConstants = 6;
constexpr std::size_t kFewest = 4;   ///< distinct elements that say something
constexpr double kNear = 1e-11;      ///< relative distance of equal elements

std::vector<double> numbers_of(const Buffer& buffer) {
  std::vector<double> numbers(static_cast<std::size_t>(buffer.count()));
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = number_at(buffer, k);
  return numbers;
}

bool near(double a, double b) { return std::abs(a - b) <= kNear * std::max(std::abs(a), std::abs(b)); }

/// The distinct finite numbers but for zero, in order.
std::vector<double> distinct(std::vector<double> numbers) {
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(), [](double x) { return x == 0 || !std::isfinite(x); }), numbers.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end(), near), numbers.end());
  return numbers;
}

bool holds(const std::vector<double>& sorted, double x) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), x - kNear * std::abs(x));
  return at != sorted.end() && near(*at, x);
}

}  // namespace

/// The values of the sequential program that hang on inputs.
class Kinship::Anchors {
 public:
  explicit Anchors(const Module& module) : graph_(module) {}

  void add(const Instance& instance, std::span<const Buffer* const> leaves) {
    bool fresh = false;
    const auto ids = graph_.add(instance, fresh);
    if (!fresh) return;
    const Module& module = graph_.module();
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const TracedValue& value = graph_.values()[ids[leaf]];
      derived_.resize(ids[leaf] + 1);
      derived_[ids[leaf]] = module[instance.instruction].op == Op::Parameter ||
                            std::any_of(value.operands.begin(), value.operands.end(), [&](ValueId id) { return derived_[id]; });
      const Type& type = *array_leaf_types(module.type(instance.instruction)).at(leaf);
      if (!derived_[ids[leaf]] || type.element == ElementType::Pred) continue;
      std::vector<double> numbers = numbers_of(*leaves[leaf]);
      const bool counts = is_integral(type.element);
      Samples samples = make_samples(false, type.dims, std::move(numbers));
      if (samples.trivial) continue;
      if (!counts && elements_.size() < kMostElements) elements_.insert(elements_.end(), samples.values.begin(), samples.values.end());
      if (counts) count_of_.push_back(ids[leaf]);
      (counts ? counts_ : floats_).push_back(std::move(samples));
    }
  }

  /// One of the ranks' blocks, or partial ones, times a factor.
  std::optional<Kin> scaled(const RankDigits& digits, const Samples& value, double factor) const {
    Samples one = value;
    for (double& x : one.values) x /= factor;
    one.scale /= std::abs(factor);
    const auto match = match_placement(digits, one, floats_);
    if (!match) return std::nullopt;
    return Kin{factor, match->partial, match->sum, true};
  }

  /// A count over a rank's own part, of the same operator.
  std::optional<Kin> counted(const RankDigits& digits, const Samples& value, Op op) const {
    std::vector<Samples> alike;
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      if (graph_.module()[graph_.values()[count_of_[k]].instance.instruction].op == op) alike.push_back(counts_[k]);
    }
    const auto match = match_placement(digits, value, alike);
    if (!match || match->partial.empty() || !match->sum) return std::nullopt;
    return Kin{1, match->partial, true, true};
  }

  /// Do all of the elements, by the factor, occur in values of the sequential program?
  bool hold(const std::vector<double>& elements, double factor) const {
    return std::all_of(elements.begin(), elements.end(), [&](double x) { return holds(elements_, x / factor); });
  }

  void sort() { elements_ = distinct(std::move(elements_)); }

 private:
  ValueGraph graph_;
  std::vector<bool> derived_;
  std::vector<Samples> floats_, counts_;
  std::vector<ValueId> count_of_;
  std::vector<double> elements_;
};

Kinship::Kinship(const Context& context, Case& c, const InputSet& inputs, NumberMode mode, const Budget& budget) : context_(context) {
  find_factors();
  PairRunner runner(c);
  RunOptions run;
  run.mode = mode;
  run.budget = budget;
  run.seed = inputs.seed;
  Anchors anchors(*c.sequential);
  run.probe = [&](const Instance& instance, std::span<const Buffer* const> leaves) { anchors.add(instance, leaves); };
  runner.run_sequential(inputs, run);
  anchors.sort();
  ValueGraph graph(*c.distributed);
  run.probe = [&](const Instance& instance, std::span<const Buffer* const> leaves) {
    bool fresh = false;
    const auto ids = graph.add(instance, fresh);
    for (std::size_t leaf = 0; fresh && leaf < leaves.size(); ++leaf) judge(ids[leaf], *leaves[leaf], anchors);
  };
  runner.run_distributed(inputs, run);
  find_sources();
}

void Kinship::find_factors() {
  const auto add = [&](double n) {
    for (const double factor : {n, 1 / n}) {
      if (n > 1 && std::isfinite(n) && std::find(factors_.begin(), factors_.end(), factor) == factors_.end()) factors_.push_back(factor);
    }
  };
  for (const AxisSet& axes : context_.axes()) add(static_cast<double>(axes.size));
  const std::size_t most = factors_.size() + 2 * kMostConstants;
  for (const ConstantArray& constant : context_.sequential_constants()) {  // means over elements, say
    if (constant.values.size() != 1 || !is_float(constant.type.element) || factors_.size() >= most) continue;
    const double x = constant.values[0].real;
    if (x > 0) add(std::round(x < 1 ? 1 / x : x));
  }
}

void Kinship::judge(ValueId id, const Buffer& buffer, const Anchors& anchors) {
  const DivergenceTrace& trace = *context_.trace();
  const ValueState& state = trace.state(id);
  if (!state.derived) return;
  if (state.match) {
    kin_[id] = {1, state.match->partial, state.match->sum, true};
    return;
  }
  const Instance& instance = trace.distributed().values()[id].instance;
  if (state.good || kin_.size() > kMostJudged || trace.element(id) == ElementType::Pred) return;
  const RankDigits& digits = context_.pair().distributed_bodies->digits();
  const Type& type = *array_leaf_types(context_.module().type(instance.instruction)).at(trace.distributed().values()[id].leaf);
  Samples samples = make_samples(false, type.dims, numbers_of(buffer));
  if (samples.trivial) return;
  std::optional<Kin> found;
  if (is_integral(type.element)) {
    found = anchors.counted(digits, samples, trace.op(id));
  } else {
    const std::vector<double> elements = distinct(samples.values);
    const auto rearranged = [&](double factor) {
      if (elements.size() >= kFewest && anchors.hold(elements, factor)) found = Kin{factor, {}, true, false};
    };
    rearranged(1);
    const bool one = type.count() == 1;
    for (std::size_t k = 0; k < factors_.size() && !found && (one || elements.size() > 1); ++k) found = anchors.scaled(digits, samples, factors_[k]);
    for (std::size_t k = 0; k < factors_.size() && !found; ++k) rearranged(factors_[k]);
  }
  if (found) kin_[id] = std::move(*found);
}

const Kin* Kinship::of(ValueId id) const {
  const auto found = kin_.find(id);
  return found == kin_.end() ? nullptr : &found->second;
}

void Kinship::find_sources() {
  const DivergenceTrace& trace = *context_.trace();
  const auto& values = trace.distributed().values();
  for (const ValueId id : trace.suspects()) {
    const auto& operands = values[id].operands;
    if (!known(id) && std::all_of(operands.begin(), operands.end(), [&](ValueId o) { return known(o); })) sources_.push_back(id);
  }
  for (const ValueId id : trace.wrong_outputs()) {
    if (known(id)) sources_.push_back(id);
  }
}

std::size_t Kinship::unexplained() const {
  const auto& wrong = context_.trace()->wrong_outputs();
  return static_cast<std::size_t>(std::count_if(wrong.begin(), wrong.end(), [&](ValueId id) { return !known(id); }));
}

}  // namespace gg::pinpoint
