// The sequential value that a term is, where what the term reads lies several definitions below it: as many levels of them are opened, or, where
// one way has fewer than another, only the definitions between, the last one first.
#include <algorithm>
#include <array>

#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr int kMaxWay = 6;               ///< definitions, one above the other
constexpr std::size_t kMaxOpened = 8;    ///< definitions in all
constexpr std::uint32_t kMaxSize = 150;  ///< of what comes about
constexpr int kMaxBuilt = 8;             ///< values of which definitions are opened, for one term
constexpr int kTermLevels = 3;           ///< levels to which a term is expanded to be recognised
constexpr int kAnchorLevels = 4;         ///< levels of an anchor's forms
constexpr std::uint32_t kMaxTerm = 250;  ///< size of an expanded term
constexpr std::uint64_t kDeepShare = 8;  ///< of the steps that are left: the others are for the cases of a value

}  // namespace

/// May the value be told by these reads, once definitions between are opened?
bool Matcher::between(AnchorId anchor, const std::vector<AnchorId>& wanted) {
  const auto is_wanted = [&](AnchorId a) { return std::find(wanted.begin(), wanted.end(), a) != wanted.end(); };
  std::vector<AnchorId> open{anchor}, met;
  std::size_t left = wanted.size();
  for (std::size_t k = 0; k < open.size(); ++k) {
    const std::uint32_t form = form_of_.get(open[k]);
    if (form == IdSet::kNoId || k > kMaxOpened) return false;
    for (const AnchorId read : reads_of(forms_[form].term)) {
      if (std::find(met.begin(), met.end(), read) != met.end()) continue;
      met.push_back(read);
      if (is_wanted(read)) --left;
      else open.push_back(read);
    }
  }
  return left == 0;
}

/// The definition of a value, and what it becomes when definitions between it and what is wanted are opened, the last one first; the mark of a stage opens the next one. Is
/// there one at the last stage, it is too much to open.
std::vector<Matcher::Opening> Matcher::opened(AnchorId anchor, const std::vector<AnchorId>& wanted) {
  std::vector<Opening> stages{{t_.anchor(anchor).form, TermId::Unknown}};
  while (true) {
    std::optional<TermId> latest;
    const TermId now = stages.back().after;
    for (const TermId read : t_.reads_in(now)) {
      const AnchorId a = t_.anchor_of(read);
      if (std::find(wanted.begin(), wanted.end(), a) == wanted.end() && (!latest || a > t_.anchor_of(*latest))) latest = read;
    }
    if (!latest) return stages;
    stages.back().mark = *latest;
    const TermId next = t_.expand_marked(now, std::array{std::pair{*latest, 1}});
    if (next == now || stages.size() > kMaxOpened || t_[next].size > kMaxSize) return stages;
    stages.push_back({next, TermId::Unknown});
  }
}

std::optional<std::vector<Matcher::Opening>> Matcher::open_down(AnchorId anchor, TermId term) {
  const auto content = t_.content(term);
  const std::vector<Opening> stages = opened(anchor, reads_of(content.second));
  if (stages.back().mark != TermId::Unknown) return std::nullopt;
  const auto [coef, rest] = t_.content(stages.back().after);
  if (stages.size() == 1 || skeleton(rest) != skeleton(content.second)) return std::nullopt;
  const auto match = attempt({anchor, rest, coef}, content.second, TermId::True);
  if (!match || match->value != match->read || t_[match->read].kind != Kind::Read) return std::nullopt;
  const RatId factor = t_.q.mul(content.first, match->coef);
  const std::vector<LinId> at = t_.index_of(match->read);
  const Terms::Map place(0, at);
  std::vector<Opening> steps;
  TermId before = term;
  for (std::size_t k = stages.size() - 1; k-- > 0;) {
    const TermId after = t_.scale(factor, t_.substitute(stages[k].after, place)), mark = stages[k].mark;
    if (t_.expand_marked(after, std::array{std::pair{mark, 1}}) != before) return std::nullopt;
    steps.push_back({after, mark});
    before = after;
  }
  steps.push_back({t_.scale(factor, match->read), match->read});
  return steps;
}

/// A read of a value that is made of others that the term reads: in one summand it has been put together, in another not.
std::optional<TermId> Matcher::made_of_others(TermId term, const std::vector<AnchorId>& wanted) {
  for (const TermId read : t_.reads_in(term)) {
    const std::uint32_t form = form_of_.get(t_.anchor_of(read));
    const std::vector<AnchorId> inside = form == IdSet::kNoId ? std::vector<AnchorId>() : reads_of(forms_[form].term);
    if (!inside.empty() && std::ranges::all_of(inside, [&](AnchorId a) { return std::ranges::find(wanted, a) != wanted.end(); })) return read;
  }
  return std::nullopt;
}

std::optional<std::vector<Matcher::Opening>> Matcher::reach(TermId term) {
  const TermId target = t_.content(term).second;
  const std::vector<AnchorId> wanted = reads_of(target);
  std::vector<AnchorId> tried;
  int built = 0;
  for (int level = 2; level <= kMaxWay; ++level) {
    for (const AnchorId a : candidates(target, level)) {
      if (std::find(tried.begin(), tried.end(), a) != tried.end()) continue;
      tried.push_back(a);
      if (!between(a, wanted)) continue;
      if (++built > kMaxBuilt) return std::nullopt;
      if (auto steps = open_down(a, term)) return steps;
    }
  }
  const auto made = made_of_others(term, wanted);
  const TermId apart = made ? t_.expand_marked(term, std::array{std::pair{*made, 1}}) : term;
  auto steps = apart != term && t_[apart].size <= kMaxSize ? reach(apart) : std::nullopt;
  if (steps) steps->insert(steps->begin(), {apart, *made});
  return steps;
}

/// A sum that reads what a sequential value asks whether it is NaN: it may be one that has the answer in it.
bool Matcher::tested(TermId term) {
  const auto asks = [&](AnchorId user) { return (t_[t_.anchor(user).form].flags & kTestsNan) != 0; };
  const auto asked = [&](AnchorId read) { return read < users_.size() && std::ranges::any_of(users_[read], asks); };
  return t_[term].kind == Kind::Poly && t_.summands(term).size() > 1 && std::ranges::any_of(reads_of(term), asked);
}

bool Engine::recognise(TermId now, std::vector<Step>& steps) {
  try {
    const StepBudget budget(t_, (t_.step_limit() - t_.steps()) / kDeepShare);
    for (int left = 0; left <= kTermLevels; ++left) {
      const TermId wide = t_.expand_all(now, left);
      if (left > 0 && (wide == now || t_[wide].size > kMaxTerm)) break;
      if (auto step = match_whole(wide, kAnchorLevels)) {
        // What is marked is opened in the term as well, before its levels are: it may be the sequential value that it is after fewer.
        const TermId stated = left == 0 ? wide : t_.expand_marked(step->after, step->marks);
        TermId derived = left == 0 ? wide : t_.expand_marked(now, step->marks);
        for (; step->left < left && derived != stated; ++step->left) derived = t_.expand_all(derived, 1);
        steps.push_back(*step);
        return true;
      }
      const auto way = left == 0 ? matcher_.reach(now) : std::nullopt;
      for (std::size_t k = 0; way && k < way->size(); ++k) steps.push_back({(*way)[k].after, {{(*way)[k].mark, 1}}, 0});
      if (way) return true;
    }
  } catch (const TermLimit&) {
    // What is opened may be much longer: then the term stays what it is.
  }
  return false;
}

}  // namespace gg::prover
