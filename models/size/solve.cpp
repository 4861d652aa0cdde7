// New sizes: one grain after the other, small ones first, with the equations propagated after each choice.
#include <algorithm>

#include "models/base/check.h"
#include "models/base/progress.h"
#include "models/size/system.h"

namespace gg {
namespace {

constexpr std::int64_t kMaxSteps = 200'000;
constexpr std::int64_t kPreferred[] = {3, 3, 2, 2, 5};
constexpr std::int64_t kOthers[] = {2, 3, 5, 7, 4, 6, 8, 9, 11, 13, 10, 12, 14, 15, 16, 17, 19, 23, 24, 32};

}  // namespace

/// Chooses values of the free grains of a SizeSystem.
class GrainSearch {
 public:
  explicit GrainSearch(SizeSystem& system, const FamilySizes* given = nullptr) : s_(system), given_(given) {}
  const ChosenSizes& chosen() const { return chosen_; }

  /// Nothing left open, or the equation that failed last.
  std::optional<std::size_t> run() {
    collect_equations();
    start_values();
    order_grains();
    for (std::size_t e = 0; e < equations_.size(); ++e) {
      if (!propagate_one(e)) return e;
    }
    return search();
  }

  /// Members of an equation.
  std::vector<SizeVar> members(std::size_t equation) const {
    std::vector<SizeVar> result;
    for (const auto& term : equations_[equation].zero.terms) result.push_back(term.second);
    return result;
  }

 private:
  struct Equation {
    SizeExpr zero;
    std::vector<std::uint32_t> grains;  ///< free ones, each once
  };
  struct Choice {
    std::size_t at;  ///< in order_
    std::size_t candidate;
    std::size_t trail;  ///< assignments before it
  };

  const SizeSystem::Grains& grains_of(SizeVar v) const { return s_.grains_.at(s_.root(v)); }

  void add_equation(SizeExpr zero) {
    Equation equation;
    for (const auto& [coefficient, v] : zero.terms) {
      if (s_.sizes_[v] <= s_.small_) {
        equation.zero.constant += coefficient * s_.sizes_[v];
        continue;
      }
      equation.zero.terms.emplace_back(coefficient, s_.root(v));
      for (const std::uint32_t d : grains_of(v)) {
        if (s_.grain_kept_[d] == 0) equation.grains.push_back(d);
      }
    }
    equation.zero.constant += zero.constant;
    std::sort(equation.grains.begin(), equation.grains.end());
    equation.grains.erase(std::unique(equation.grains.begin(), equation.grains.end()), equation.grains.end());
    for (const std::uint32_t d : equation.grains) uses_[d].push_back(equations_.size());
    equations_.push_back(std::move(equation));
  }

  void collect_equations() {
    uses_.assign(s_.grain_extents_.size(), {});
    for (const auto& [whole, parts] : s_.atoms_) {
      SizeExpr zero;
      zero.terms.emplace_back(-1, whole);
      for (const auto& part : parts) zero.terms.emplace_back(1, part.second);
      add_equation(std::move(zero));
    }
    for (const auto& linear : s_.linears_) add_equation(linear.zero);
    for (const auto& [v, value] : s_.aims_) {
      if (s_.kept_roots_.count(s_.root(v)) == 0) add_equation({{{1, v}}, -value});
    }
  }

  void start_values() {
    s_.grain_values_.assign(s_.grain_extents_.size(), 0);
    for (std::uint32_t d = 0; d < s_.grain_values_.size(); ++d) {
      if (s_.grain_kept_[d] != 0) s_.grain_values_[d] = s_.grain_extents_[d];
    }
    lower_.assign(s_.grain_extents_.size(), 2);
    for (const auto& [v, bound] : s_.bounds_) {
      if (s_.sizes_[v] <= s_.small_) continue;
      const auto& grains = grains_of(v);
      const std::uint32_t minor = grains.back();  // enough if the other grains are at least 1
      lower_[minor] = std::max(lower_[minor], std::min(bound, s_.grain_extents_[minor]));
      if (grains.size() > 1 && bound > lower_[minor]) s_.keep(v, "a lower bound across grains", {});
    }
  }

  // Free grains, small ones first; frequent ones prefer the smallest values. Grains of equal extent and frequency are
  // given the same value (the layers of an unrolled model).
  void order_grains() {
    std::vector<std::int64_t> members(s_.sizes_.size(), 0), weight(s_.grain_extents_.size(), 0);
    for (SizeVar v = 0; v < s_.sizes_.size(); ++v) ++members[s_.parents_[v]];
    for (const auto& [v, grains] : s_.grains_) {
      for (const std::uint32_t d : grains) weight[d] += members[v];
    }
    for (std::uint32_t d = 0; d < s_.grain_values_.size(); ++d) {
      if (s_.grain_kept_[d] == 0) order_.push_back(d);
    }
    std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return weight[a] > weight[b]; });
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> ranks;
    preferred_.assign(s_.grain_extents_.size(), 2);
    for (const std::uint32_t d : order_) {
      const auto rank = ranks.emplace(std::pair(s_.grain_extents_[d], weight[d]), ranks.size()).first->second;
      preferred_[d] = kPreferred[rank % std::size(kPreferred)];
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](auto a, auto b) { return s_.grain_extents_[a] < s_.grain_extents_[b]; });
    for (const SizeVar v : s_.ranks_) {
      if (s_.sizes_[v] <= s_.small_) continue;
      for (const std::uint32_t d : grains_of(v)) ranks_.emplace(d, v);
    }
    std::stable_partition(order_.begin(), order_.end(), [&](auto d) { return ranks_.count(d) != 0; });
  }

  std::int64_t value(std::uint32_t d) const { return s_.grain_values_[d]; }

  bool assign(std::uint32_t d, std::int64_t value) {
    s_.grain_values_[d] = value;
    trail_.push_back(d);
    for (const std::size_t e : uses_[d]) {
      if (!propagate_one(e)) return false;
    }
    return true;
  }

  // Checks an equation without unknowns; solves one with a single unknown.
  bool propagate_one(std::size_t e) {
    const Equation& equation = equations_[e];
    std::uint32_t unknown = kNoSize;
    for (const std::uint32_t d : equation.grains) {
      if (value(d) != 0) continue;
      if (unknown != kNoSize) return true;
      unknown = d;
    }
    std::int64_t constant = equation.zero.constant, coefficient = 0;
    for (const auto& [factor, v] : equation.zero.terms) {
      std::int64_t product = factor;
      int power = 0;
      for (const std::uint32_t d : grains_of(v)) {
        if (d == unknown) ++power;
        else product *= value(d);
      }
      if (power > 1) return true;  // decided when it is chosen
      (power == 0 ? constant : coefficient) += product;
    }
    if (unknown == kNoSize || coefficient == 0) {
      failed_ = e;
      return constant == 0;
    }
    failed_ = e;
    const std::int64_t x = -constant / coefficient;
    if (constant % coefficient != 0 || x < lower_[unknown] || (given_ == nullptr && x > s_.grain_extents_[unknown])) return false;
    return assign(unknown, x);
  }

  void undo(std::size_t length) {
    while (trail_.size() > length) {
      s_.grain_values_[trail_.back()] = 0;
      trail_.pop_back();
    }
  }

  std::int64_t candidate(std::uint32_t d, std::size_t k, std::size_t choice) const {
    if (given_ != nullptr) {
      const bool ranks = ranks_.count(d) != 0;
      const std::vector<std::int64_t>& values = ranks ? given_->ranks : given_->others;
      if (!ranks) choice -= rank_choices_;
      return k == 0 && choice < values.size() ? values[choice] : 0;
    }
    if (k == 0) return std::max(lower_[d], std::min(preferred_[d], s_.grain_extents_[d]));
    if (k <= std::size(kOthers)) return std::max(lower_[d], std::min(kOthers[k - 1], s_.grain_extents_[d]));
    return k == std::size(kOthers) + 1 ? s_.grain_extents_[d] : 0;
  }

  std::optional<std::size_t> search() {
    std::vector<Choice> choices;
    std::size_t at = 0, k = 0;
    std::int64_t steps = 0;
    while (at < order_.size()) {
      const std::uint32_t d = order_[at];
      if (k == 0 && value(d) != 0) {
        ++at;
        continue;
      }
      if (++steps > kMaxSteps) return failed_;
      ask_deadline();
      const std::int64_t x = candidate(d, k, choices.size());
      if (x == 0) {  // all candidates failed
        if (choices.empty()) return failed_;
        undo(choices.back().trail);
        at = choices.back().at;
        k = choices.back().candidate + 1;
        choices.pop_back();
        continue;
      }
      const std::size_t before = trail_.size();
      if (assign(d, x)) {
        choices.push_back({at, k, before});
        if (given_ != nullptr && ranks_.count(d) != 0) ++rank_choices_;
        ++at;
        k = 0;
      } else {
        undo(before);
        ++k;
      }
    }
    s_.steps_ += steps;
    for (const Choice& c : choices) {
      const auto ranks = ranks_.find(order_[c.at]);
      chosen_.push_back({s_.grain_extents_[order_[c.at]], ranks == ranks_.end() ? kNoSize : ranks->second});
    }
    return std::nullopt;
  }

  SizeSystem& s_;
  std::vector<Equation> equations_;
  std::vector<std::vector<std::size_t>> uses_;
  std::vector<std::uint32_t> order_, trail_;
  std::vector<std::int64_t> preferred_, lower_;
  const FamilySizes* given_;
  std::map<std::uint32_t, SizeVar> ranks_;  ///< of grains that count ranks
  ChosenSizes chosen_;
  std::size_t failed_ = 0, rank_choices_ = 0;
};

void SizeSystem::solve() {
  for (;;) {
    ask_deadline();
    mark_kept();
    GrainSearch search(*this);
    const auto failed = search.run();
    if (!failed) break;
    std::size_t kept = 0;
    for (const SizeVar v : search.members(*failed)) {
      if (kept_roots_.count(root(v)) != 0) continue;
      keep(v, "a sum without smaller sizes", {});
      ++kept;
    }
    GG_CHECK(kept > 0, "an equation over kept sizes is violated");
  }
  check_solution();
}

std::optional<ChosenSizes> SizeSystem::choose(const FamilySizes& values) {
  mark_kept();
  GrainSearch search(*this, &values);
  if (search.run()) return std::nullopt;
  check_solution();
  return search.chosen();
}

void SizeSystem::check_solution() const {
  for (const auto& [whole, parts] : atoms_) {
    std::int64_t sum = 0;
    for (const auto& part : parts) sum += reduced(part.second);
    GG_CHECK(sum == reduced(whole), "parts of " + std::to_string(sizes_[whole]) + " add up to " + std::to_string(sum) +
                                        ", not " + std::to_string(reduced(whole)));
  }
  for (const Linear& linear : linears_) GG_CHECK(reduced(linear.zero) == 0, "a linear equation does not hold");
  for (const Product& p : products_) {
    std::int64_t product = 1;
    for (const SizeFactor& f : p.factors) product *= f.var == kNoSize ? f.constant : reduced(f.var);
    GG_CHECK(product == reduced(p.whole), "a product does not hold");
  }
}

}  // namespace gg
