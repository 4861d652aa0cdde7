// Kin by value (harness/pinpoint/kin.h).
#include "harness/pinpoint/kin.h"

#include <algorithm>
#include <cmath>

#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

constexpr std::size_t kMostElements = std::size_t{1} << 22U;  ///< of anchors whose elements are looked up
constexpr std::size_t kMostJudged = 4000;                     ///< bad values that are looked at
constexpr std::size_t kMostConstants = 6;
constexpr std::size_t kFewest = 4;  ///< distinct elements that say something
constexpr double kNear = 1e-11;     ///< relative distance of equal elements
constexpr double kCounts = 1024;
constexpr int kMostDigits = 4;

bool near(double a, double b, double distance = kNear) { return std::abs(a - b) <= distance * std::max(std::abs(a), std::abs(b)); }

bool says_something(double x) { return x != 0 && std::isfinite(x); }

/// The distinct numbers that say something, in order.
std::vector<double> distinct(std::vector<double> numbers) {
  std::erase_if(numbers, [](double x) { return !says_something(x); });
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end(), [](double a, double b) { return near(a, b); }), numbers.end());
  return numbers;
}

bool holds(const std::vector<double>& sorted, double x, double distance = kNear) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), x - distance * std::abs(x));
  return at != sorted.end() && near(*at, x, distance);
}

/// A few binary digits: found in many places, says nothing.
bool plain_number(double x) { return std::abs(x) < kCounts && std::fmod(x * kCounts, 1.0) == 0; }

/// Sets of digits, small ones first; of many digits one by one only, and all.
std::vector<std::vector<int>> subsets(const RankDigits& digits) {
  const int count = digits.count();
  std::vector<std::vector<int>> sets = {{}};
  if (count > kMostDigits) {
    for (int d = 0; d < count; ++d) sets.push_back({d});
    sets.emplace_back();
    for (int d = 0; d < count; ++d) sets.back().push_back(d);
    return sets;
  }
  for (unsigned mask = 1; mask < 1U << static_cast<unsigned>(count); ++mask) {
    auto& set = sets.emplace_back();
    for (int d = 0; d < count; ++d) {
      if ((mask >> static_cast<unsigned>(d) & 1U) != 0) set.push_back(d);
    }
  }
  std::stable_sort(sets.begin(), sets.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return sets;
}

/// Element k on `rank` and on those that differ from it in the digit.
template <class Each>
void along(const RankDigits& digits, int digit, std::size_t elements, const Each& each) {
  const Digit& d = digits.digits()[static_cast<std::size_t>(digit)];
  std::vector<std::size_t> places;
  for (std::int64_t rank = 0; rank < digits.ranks(); ++rank) {
    if (rank / d.stride % d.extent != 0) continue;
    for (std::size_t k = 0; k < elements; ++k) {
      places.clear();
      for (std::int64_t j = 0; j < d.extent; ++j) places.push_back(static_cast<std::size_t>(rank + j * d.stride) * elements + k);
      each(places);
    }
  }
}

/// Sums over the digits, on all their ranks.
std::vector<double> summed(const RankDigits& digits, const Samples& value, const std::vector<int>& over) {
  std::vector<double> result = value.values;
  for (const int digit : over) {
    along(digits, digit, result.size() / static_cast<std::size_t>(digits.ranks()), [&](const std::vector<std::size_t>& places) {
      double total = 0;
      for (const std::size_t place : places) total += result[place];
      for (const std::size_t place : places) result[place] = total;
    });
  }
  return result;
}

/// Does the value differ along each of these digits? Replicas are no parts of a sum.
bool varies(const RankDigits& digits, const Samples& value, const std::vector<int>& over) {
  return std::all_of(over.begin(), over.end(), [&](int digit) {
    bool differs = false;
    along(digits, digit, value.values.size() / static_cast<std::size_t>(digits.ranks()), [&](const std::vector<std::size_t>& places) {
      for (const std::size_t place : places) differs = differs || !near(value.values[place], value.values[places.front()]);
    });
    return differs;
  });
}

}  // namespace

class Anchors {
 public:
  explicit Anchors(const SequentialTrace& trace) : graph_(trace.graph()), anchors_(trace.anchors()) {
    const Module& module = graph_.module();
    for (std::size_t k = 0; k < anchors_.size(); ++k) {
      const ValueId id = trace.anchor_value(k);
      const TracedValue& value = graph_.values()[id];
      const Type& type = *array_leaf_types(module.type(value.instance.instruction)).at(value.leaf);
      if (type.element == ElementType::Pred) continue;
      const std::vector<double>& numbers = anchors_[k].values;
      if (anchors_[k].integral) {
        counts_.push_back(make_samples(false, type.dims, numbers));
        count_of_.push_back(id);
      } else if (const bool moved = value.operands.size() == 1 && DivergenceTrace::moves(module[value.instance.instruction].op);  // no new elements
                 !moved && trace.representative(id) == id && elements_.size() < kMostElements) {
        elements_.insert(elements_.end(), numbers.begin(), numbers.end());
      }
    }
    elements_ = distinct(std::move(elements_));
  }

  /// Factors by which all elements are elements of the sequential program.
  std::vector<double> factors_of(const Buffer& value, const std::vector<double>& factors) const {
    std::vector<double> found = factors;
    std::erase(found, 1);
    std::size_t first = 0;
    while (first < static_cast<std::size_t>(value.count()) && !says_something(number_at(value, first))) ++first;
    if (first == static_cast<std::size_t>(value.count()) || !holds_times(number_at(value, first), found)) return {};
    const std::vector<double> elements = distinct(numbers_of(value));
    const bool plain = std::all_of(elements.begin(), elements.end(), plain_number);
    std::erase_if(found, [&](double factor) { return plain || !all_held(elements, factor); });
    return found;
  }

  /// The ranks' blocks, or partial ones, times a factor; or the same elements elsewhere.
  std::optional<Kin> float_kin(const RankDigits& digits, const Samples& value, const std::vector<double>& factors) const {
    for (const std::vector<int>& partial : subsets(digits)) {
      if (!partial.empty() && !varies(digits, value, partial)) continue;
      Samples whole = partial.empty() ? value : make_samples(false, value.dims, summed(digits, value, partial));
      if (!any_holds(whole.values, factors)) continue;
      const std::vector<double> elements = distinct(whole.values);
      if (elements.empty() || (elements.size() == 1 && whole.values.size() > static_cast<std::size_t>(digits.ranks()))) continue;
      if (std::all_of(elements.begin(), elements.end(), plain_number)) continue;
      std::optional<Kin> best;
      for (const double factor : factors) {
        if (!all_held(elements, factor)) continue;
        if (best) {
          best->also.push_back(factor);
          continue;
        }
        Samples one = whole;
        for (double& x : one.values) x /= factor;
        one.scale /= factor;
        const bool plain = (factor != 1 || !partial.empty()) && match_placement(digits, one, anchors_).has_value();
        if (plain || elements.size() >= kFewest) best = Kin{factor, partial, true, {}, plain};
      }
      if (best) return best;
    }
    return std::nullopt;
  }

  /// A count over a rank's own part, of the same operator.
  std::optional<Kin> counted(const RankDigits& digits, const Samples& value, Op op) const {
    std::vector<Samples> alike;
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      if (graph_.module()[graph_.values()[count_of_[k]].instance.instruction].op == op) alike.push_back(counts_[k]);
    }
    const auto match = match_placement(digits, value, alike);
    if (!match || match->partial.empty() || !match->sum) return std::nullopt;
    return Kin{1, match->partial, true, {}, true};
  }

 private:
  /// Is the first element that says something one of the sequential program's times some factor?
  bool any_holds(const std::vector<double>& values, const std::vector<double>& factors) const {
    const auto first = std::find_if(values.begin(), values.end(), says_something);
    return first != values.end() && holds_times(*first, factors);
  }

  bool holds_times(double x, const std::vector<double>& factors) const {
    return std::any_of(factors.begin(), factors.end(), [&](double factor) { return holds(elements_, x / factor, 4 * kNear); });
  }

  bool all_held(const std::vector<double>& elements, double factor) const {
    return std::all_of(elements.begin(), elements.end(), [&](double x) { return holds(elements_, x / factor); });
  }

  const ValueGraph& graph_;
  const std::vector<Samples>& anchors_;
  std::vector<Samples> counts_;
  std::vector<ValueId> count_of_;
  std::vector<double> elements_;
};

std::shared_ptr<const Anchors> anchors_of(const SequentialTrace& trace) { return std::make_shared<const Anchors>(trace); }

Kinship::Kinship(const Context& context, const Anchors& anchors, const Kinship* before) : context_(context) {
  find_factors();
  const DivergenceTrace& trace = *context.trace();
  for (ValueId id = 0; id < trace.distributed().values().size(); ++id) {
    const auto same = before != nullptr ? trace.taken_from(id) : std::nullopt;
    if (same && before->context_.trace()->state(*same).good == trace.state(id).good) {
      if (const Kin* kin = before->of(*same)) kin_[id] = *kin;
    } else if (trace.value(id) != nullptr) {
      judge(id, *trace.value(id), anchors);
    }
  }
  find_sources();
}

void Kinship::find_factors() {
  std::vector<double> ranks = {1}, counts = {1};
  for (const AxisSet& axes : context_.axes()) ranks.push_back(static_cast<double>(axes.size));
  for (const ConstantArray& constant : context_.sequential_constants()) {  // means over elements, say
    if (constant.values.size() != 1 || !is_float(constant.type.element) || counts.size() > kMostConstants) continue;
    const double x = constant.values[0].real;
    const double n = x > 0 ? std::round(x < 1 ? 1 / x : x) : 0;
    if (n > 1 && std::isfinite(n)) counts.push_back(n);
  }
  for (const double count : counts) {
    for (const double n : ranks) {
      for (const double factor : {count * n, 1 / (count * n), count / n, n / count}) {
        if (std::find(factors_.begin(), factors_.end(), factor) == factors_.end()) factors_.push_back(factor);
      }
    }
  }
}

void Kinship::judge(ValueId id, const Buffer& buffer, const Anchors& anchors) {
  const DivergenceTrace& trace = *context_.trace();
  const ValueState& state = trace.state(id);
  if (!state.derived) return;
  const bool moved = state.good && DivergenceTrace::moves(trace.op(id));  // from values that were right in another place
  if (state.match) kin_[id] = {1, state.match->partial, state.match->sum, {}, true};
  if ((state.good && !moved && !state.match) || kin_.size() > kMostJudged || trace.element(id) == ElementType::Pred) return;
  const TracedValue& value = trace.distributed().values()[id];
  const Type& type = *array_leaf_types(context_.module().type(value.instance.instruction)).at(value.leaf);
  if (state.match) {
    if (is_float(type.element) && state.match->partial.empty()) kin_[id].also = anchors.factors_of(buffer, factors_);
    return;
  }
  Samples samples = make_samples(false, type.dims, numbers_of(buffer));
  const RankDigits& digits = context_.pair().distributed_bodies->digits();
  if (samples.trivial) return;
  std::optional<Kin> found;
  if (is_integral(type.element)) found = anchors.counted(digits, samples, trace.op(id));
  else found = anchors.float_kin(digits, samples, factors_);
  if (found && !(moved && found->factor == 1)) kin_[id] = std::move(*found);
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
