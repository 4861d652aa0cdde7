// Sums of many values, added one after the other: the sequential value that a sum is, however either program adds up to it. Gradient clipping
// by a global norm adds the squares of all parameters, those in shards first.
#include <algorithm>
#include <utility>

#include "prover/engine/engine.h"
#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxLeaves = 2000;  ///< values that are added
constexpr std::size_t kMaxTried = 4;      ///< sums of the same values
constexpr std::size_t kFewSummands = 8;   ///< as many are found by their definitions (reached.cpp)

void append(std::vector<AnchorId>& all, const std::vector<AnchorId>& more) { all.insert(all.end(), more.begin(), more.end()); }

void as_set(std::vector<AnchorId>& all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

/// Summands, or branches of cases, whichever are more; what a term is made of counts where it has them.
std::size_t branches_of(const Terms& t, TermId id) {
  std::size_t most = 1;
  const TermNode& n = t[id];
  if (n.kind == Kind::Case) return branches_of(t, t.kid(id, 1)) + branches_of(t, t.kid(id, 2));
  if (n.kind == Kind::Poly) most = t.summands(id).size();
  const TermId condition = condition_of(t, id);
  for_each_part(
      t, id, [&](TermId part) {
    if (part != condition) most = std::max(most, branches_of(t, part)); }, [](LinId, bool) {});
  return most;
}

}  // namespace

bool too_large(const Terms& t, TermId id, std::uint32_t most) {
  constexpr std::uint32_t kFew = 4, kMost = 32;
  if (t[id].size <= most || t[id].size > most * kMost) return t[id].size > most;
  return t[id].size > most * std::clamp(static_cast<std::uint32_t>(branches_of(t, id)) / kFew, 1U, kMost);
}

/// The sums that a term is made of, one inside the other, and what else it reads.
Matcher::Sum Matcher::sum_of(TermId term) {
  Sum sum;
  for (const Summand& s : t_.summands(term)) {
    const std::vector<Factor> factors = t_.factors(s.mono);
    const bool read = factors.size() == 1 && factors[0].exp == RatId::One && t_[factors[0].term].kind == Kind::Read;
    const auto inside = read ? sums_.find(t_.anchor_of(factors[0].term)) : sums_.end();
    if (inside != sums_.end()) {
      append(sum.opened, inside->second.opened);
      append(sum.leaves, inside->second.leaves);
    } else {
      append(sum.leaves, reads_of(t_.monomial(RatId::One, s.mono)));
    }
  }
  as_set(sum.opened);
  as_set(sum.leaves);
  return sum;
}

void Matcher::add_sum(AnchorId anchor) {
  Sum sum = sum_of(forms_[form_of_.get(anchor)].term);
  sum.opened.push_back(anchor);  // the last one
  if (sum.leaves.size() > kMaxLeaves) return;
  if (sum.opened.size() > 1) by_leaves_[sum.leaves].push_back(anchor);
  sums_.emplace(anchor, std::move(sum));
}

std::optional<Step> Matcher::whole_sum(TermId term) {
  if (t_[term].kind != Kind::Poly || t_.summands(term).size() <= kFewSummands) return std::nullopt;
  for (const AnchorId sum : std::exchange(new_sums_, {})) add_sum(sum);  // few programs ask
  const Sum own = sum_of(term);
  const auto known = by_leaves_.find(own.leaves);
  if (known == by_leaves_.end()) return std::nullopt;
  const auto open = [&](TermId t, const std::vector<AnchorId>& all) {
    for (std::size_t k = all.size(); k-- > 0;) t = t_.open_anchor(t, all[k]);
    return t;
  };
  const auto [coef, target] = t_.content(open(term, own.opened));
  const std::vector<AnchorId>& sums = known->second;
  for (std::size_t k = sums.size(); k-- > 0 && sums.size() - k <= kMaxTried;) {
    std::vector<AnchorId> inside = sums_.at(sums[k]).opened;
    std::erase(inside, sums[k]);
    const auto [factor, form] = t_.content(open(t_.anchor(sums[k]).form, inside));
    const auto match = skeleton(form) == skeleton(target) ? attempt({sums[k], form, factor}, target, TermId::True) : std::nullopt;
    if (!match || match->value != match->read) continue;
    Step step{t_.scale(t_.q.mul(coef, match->coef), match->read), {}, 0};
    step.opened = sums_.at(sums[k]).opened;
    append(step.opened, own.opened);
    as_set(step.opened);
    std::reverse(step.opened.begin(), step.opened.end());
    return step;
  }
  return std::nullopt;
}

/// A long sum is a value, or is one once a few summands have names: each that lies several definitions below a value is this value first.
bool Engine::long_sum(TermId now, std::vector<Step>& steps) {
  for (std::size_t named = 0; named <= kMaxTried; ++named) {
    if (auto step = matcher_.whole_sum(now)) return steps.push_back(*std::move(step)), true;
    std::vector<Summand> all;
    if (t_[now].kind == Kind::Poly) all = t_.summands(now);
    const auto strange = std::ranges::find_if(all, [&](const Summand& s) { return t_[t_.monomial(RatId::One, s.mono)].kind != Kind::Read; });
    if (all.size() <= kFewSummands || strange == all.end()) return false;
    const Summand part = *strange;
    all.erase(strange);
    const TermId rest = t_.sum(std::move(all));
    const auto way = matcher_.reach(t_.monomial(RatId::One, part.mono));
    for (std::size_t k = 0; way && k < way->size(); ++k) {
      Step step{t_.add(rest, t_.scale(part.coef, (*way)[k].after)), {{(*way)[k].mark, 1}}, 0};
      if (t_.expand_marked(step.after, step.marks) != now) return false;
      now = step.after;
      steps.push_back(std::move(step));
    }
    if (!way) return false;
  }
  return false;
}

}  // namespace gg::prover
