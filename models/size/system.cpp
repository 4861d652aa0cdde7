// Collecting constraints, and the union-find of sizes; what is known of them afterwards.
#include "models/size/system.h"

#include <algorithm>

#include "models/base/check.h"

namespace gg {
namespace {

std::string place(SizeOrigin origin) {
  static constexpr const char* kSides[] = {"sequential", "distributed", "relation"};
  return std::string(kSides[origin.side]) + " instruction " + std::to_string(origin.instruction);
}

}  // namespace

SizeVar SizeSystem::add(std::int64_t size) {
  sizes_.push_back(size);
  parents_.push_back(static_cast<SizeVar>(parents_.size()));
  return parents_.back();
}

SizeVar SizeSystem::find(SizeVar v) {
  while (parents_[v] != v) {
    parents_[v] = parents_[parents_[v]];
    v = parents_[v];
  }
  return v;
}

SizeVar SizeSystem::root(SizeVar v) const {
  while (parents_[v] != v) v = parents_[v];
  return v;
}

bool SizeSystem::counts_ranks(SizeVar v) const {
  return std::any_of(ranks_.begin(), ranks_.end(), [&](SizeVar r) { return root(r) == root(v); });
}

// The smaller number becomes the root: deterministic, and parameters come first.
void SizeSystem::unite(SizeVar a, SizeVar b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  parents_[std::max(a, b)] = std::min(a, b);
  ++unions_;
}

void SizeSystem::equal(SizeVar a, SizeVar b, SizeOrigin origin) {
  GG_CHECK(sizes_[a] == sizes_[b], "sizes " + std::to_string(sizes_[a]) + " and " + std::to_string(sizes_[b]) +
                                       " are taken for equal at " + place(origin));
  if (sizes_[a] > small_) unite(a, b);
}

void SizeSystem::factor(SizeVar whole, std::vector<SizeFactor> factors, SizeOrigin origin) {
  std::int64_t product = 1;
  std::vector<SizeFactor> kept;
  for (const SizeFactor& f : factors) {
    const std::int64_t extent = f.var == kNoSize ? f.constant : sizes_[f.var];
    product *= extent;
    if (extent != 1) kept.push_back(extent <= small_ ? SizeFactor{kNoSize, extent} : f);
  }
  GG_CHECK(product == sizes_[whole], "a size of " + std::to_string(sizes_[whole]) + " is taken for a product of " +
                                         std::to_string(product) + " at " + place(origin));
  if (product <= small_) return;
  if (kept.size() == 1 && kept[0].var != kNoSize) return equal(whole, kept[0].var, origin);
  products_.push_back({whole, std::move(kept), origin});
}

void SizeSystem::span(SizeVar whole, std::int64_t start, std::int64_t end, SizeVar part, SizeOrigin origin) {
  GG_CHECK(start >= 0 && start <= end && end <= sizes_[whole] && end - start == sizes_[part],
           "[" + std::to_string(start) + ":" + std::to_string(end) + "] of " + std::to_string(sizes_[whole]) +
               " is no part of size " + std::to_string(sizes_[part]) + " at " + place(origin));
  if (start == end) return;
  if (end - start == sizes_[whole]) return equal(whole, part, origin);
  const std::int64_t rest = sizes_[whole] - end, missing = start + rest;
  const bool small = start <= kNear && rest <= kNear && sizes_[part] > small_;
  if (small || (missing <= kShift && missing * kShiftShare <= sizes_[part])) {
    // A shift by few places: both ends stay where they are, and borders inside do not wander from shift to shift.
    auto& margin = margins_[whole];
    margin = {std::max(margin.first, start), std::max(margin.second, rest)};
    return linear({{{1, whole}, {-1, part}}, -missing}, origin);
  }
  spans_.push_back({whole, start, end, part, origin});
}

void SizeSystem::linear(SizeExpr zero, SizeOrigin origin) {
  std::int64_t value = zero.constant;
  for (const auto& [coefficient, v] : zero.terms) value += coefficient * sizes_[v];
  GG_CHECK(value == 0, "a linear equation is violated by " + std::to_string(value) + " at " + place(origin));
  linears_.push_back({std::move(zero), origin});
}

void SizeSystem::keep(SizeVar v, const char* reason, SizeOrigin origin) {
  if (sizes_[v] > small_) keeps_.push_back({v, reason, origin});
}

void SizeSystem::aim(SizeVar v, std::int64_t value) {
  if (value <= sizes_[v] && sizes_[v] > small_) aims_[v] = value;
}

void SizeSystem::at_least(SizeVar v, std::int64_t bound) {
  auto& old = bounds_[v];
  old = std::max(old, bound);
}

std::int64_t SizeSystem::reduced(SizeVar v) const {
  if (sizes_[v] <= small_) return sizes_[v];
  const auto found = grains_.find(root(v));
  GG_CHECK(found != grains_.end(), "a size without grains");
  std::int64_t value = 1;
  for (const std::uint32_t d : found->second) value *= grain_values_[d];
  return value;
}

bool SizeSystem::same(const SizeExpr& a, const SizeExpr& b) const {
  std::map<std::vector<std::uint32_t>, std::int64_t> sum;
  const auto count = [&](const SizeExpr& expr, std::int64_t sign) {
    sum[{}] += sign * expr.constant;
    for (const auto& [coefficient, v] : expr.terms) {
      std::int64_t product = sign * coefficient;
      std::vector<std::uint32_t> grains;
      if (sizes_[v] <= small_) product *= sizes_[v];
      else {
        for (const std::uint32_t d : grains_.at(root(v))) {
          if (grain_kept_[d] != 0) product *= grain_extents_[d];
          else grains.push_back(d);
        }
      }
      std::sort(grains.begin(), grains.end());
      sum[grains] += product;
    }
  };
  count(a, 1);
  count(b, -1);
  return std::all_of(sum.begin(), sum.end(), [](const auto& term) { return term.second == 0; });
}

std::vector<std::uint32_t> SizeSystem::free_grains_of(const std::vector<SizeVar>& product) const {
  std::vector<std::uint32_t> free;
  for (const SizeVar v : product) {
    if (sizes_[v] <= small_) continue;
    for (const std::uint32_t d : grains_.at(root(v))) {
      if (grain_kept_[d] == 0) free.push_back(d);
    }
  }
  std::sort(free.begin(), free.end());
  return free;
}

std::int64_t SizeSystem::reduced_position(SizeVar v, std::int64_t position) const {
  if (position == 0 || sizes_[v] <= small_) return position;
  if (position == sizes_[v]) return reduced(v);
  const auto margin = margins_.find(root(v));
  const auto [low, high] = margin == margins_.end() ? std::pair(kNear, kNear) : margin->second;
  if (position <= std::max(kNear, low)) return position;
  if (sizes_[v] - position <= std::max(kNear, high)) return reduced(v) - (sizes_[v] - position);
  const auto found = atoms_.find(root(v));
  if (found != atoms_.end()) {
    std::int64_t sum = 0;
    std::optional<std::int64_t> beside;
    for (const auto& [start, part] : found->second) {
      if (start == position) return sum;
      if (std::abs(start - position) <= kNear && !beside) beside = sum + position - start;
      sum += reduced(part);
    }
    if (beside && reduced(v) != sizes_[v]) return *beside;
  }
  GG_CHECK(reduced(v) == sizes_[v], "position " + std::to_string(position) + " of a size " +
                                        std::to_string(sizes_[v]) + " is no border");
  return position;
}

std::int64_t SizeSystem::reduced(const SizeExpr& expr) const {
  std::int64_t value = expr.constant;
  for (const auto& [coefficient, v] : expr.terms) value += coefficient * reduced(v);
  return value;
}

std::int64_t SizeSystem::full_coordinate(SizeVar v, std::int64_t k) const {
  if (sizes_[v] <= small_ || reduced(v) == sizes_[v]) return k;
  if (const auto found = atoms_.find(root(v)); found != atoms_.end()) {
    std::int64_t sum = 0;
    for (const auto& [start, part] : found->second) {
      if (k < sum + reduced(part)) return start + full_coordinate(part, k - sum);
      sum += reduced(part);
    }
  }
  std::int64_t full = 0, stride = 1, rest = k;
  const Grains& grains = grains_.at(root(v));
  for (auto d = grains.rbegin(); d != grains.rend(); ++d) {
    const std::uint32_t r = *d;
    full += rest % grain_values_[r] * grain_extents_[r] / grain_values_[r] * stride;
    rest /= grain_values_[r];
    stride *= grain_extents_[r];
  }
  return full;
}

std::vector<std::int64_t> SizeSystem::borders(SizeVar v) const {
  const auto found = borders_.find(root(v));
  if (found == borders_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::optional<SizeExpr> SizeSystem::border_expr(SizeVar v, std::int64_t position) const {
  const auto found = atoms_.find(root(v));
  if (found == atoms_.end()) return std::nullopt;
  SizeExpr expr;
  for (const auto& [start, part] : found->second) {
    if (start == position) return expr;
    expr.terms.emplace_back(1, part);
  }
  return std::nullopt;
}

std::vector<SizeVar> SizeSystem::relatives(SizeVar v) const {
  std::set<SizeVar> found;
  const SizeVar mine = root(v);
  for (const Product& p : products_) {
    std::size_t constants = 0;
    bool member = root(p.whole) == mine;
    for (const SizeFactor& f : p.factors) {
      constants += f.var == kNoSize || counts_ranks(f.var) ? 1U : 0U;
      member |= f.var != kNoSize && root(f.var) == mine;
    }
    if (!member || constants + 1 != p.factors.size()) continue;
    found.insert(root(p.whole));
    for (const SizeFactor& f : p.factors) {
      if (f.var != kNoSize) found.insert(root(f.var));
    }
  }
  for (const Span& s : spans_) {
    if (root(s.whole) == mine) found.insert(root(s.part));
    if (root(s.part) == mine) found.insert(root(s.whole));
  }
  for (const Linear& l : linears_) {
    const bool member = std::any_of(l.zero.terms.begin(), l.zero.terms.end(),
                                    [&](const auto& term) { return root(term.second) == mine; });
    if (!member) continue;
    for (const auto& term : l.zero.terms) found.insert(root(term.second));
  }
  found.erase(mine);
  return {found.begin(), found.end()};
}

}  // namespace gg
