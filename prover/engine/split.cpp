// Equality case by case: where conditions hang on the rank (pipelines) or on the place in a shard (halos), the values of a few
// index variables are looked at one by one. The certificate names the variables; the checker repeats the comparison for all.
#include <algorithm>
#include <unordered_set>

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"
#include "prover/term/form_walk.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr int kSplitRounds = 6;
constexpr int kSplitAnchorLevels = 3;
constexpr int kSplitLevels = 10, kScalarLevels = 4;
constexpr std::uint32_t kDeepSide = 600;
constexpr std::uint32_t kScalarSize = 150;  ///< of a scalar that is written out
constexpr std::uint32_t kMaxSame = 150;     ///< of one that may not hang on a rank digit after all
constexpr std::uint32_t kMaxWhole = 600;    ///< of one that is compared without any read of a sequential value left
constexpr std::uint64_t kCutSteps = 60'000, kValueSteps = 60'000, kSplitSteps = 2'000'000, kScalarSteps = 50'000;

/// Which conditions count: all; those of the wanted variables alone; those, and index forms of them alone that are more
/// than linear (a block number that goes round).
enum class Among : std::uint8_t { All,
                                  Own,
                                  OwnAndForms };

constexpr VarSet kAnyFree = ~VarSet{0} >> (kVars - kFreeVars);

/// The free variables that conditions of a term hang on.
class Deciding {
 public:
  Deciding(const Terms& terms, VarSet wanted, Among among)
      : t_(terms), wanted_(wanted), pure_(among != Among::All), forms_(among == Among::OwnAndForms) {}

  VarSet of(TermId id) {
    visit(id);
    return found_;
  }

 private:
  void guard(TermId g) {
    const TermNode& n = t_[g];
    if (!pure_ || ((n.free & ~wanted_) == 0 && (n.flags & (kHasReads | kHasInputs)) == 0)) {
      found_ |= n.free & wanted_;
    } else if (n.kind == Kind::Ge || n.kind == Kind::Eq) {
      form(t_.lin(g));
    } else if (n.kind == Kind::And || n.kind == Kind::Or || n.kind == Kind::Not) {
      for (std::size_t k = 0; k < n.n; ++k) guard(t_.kid(g, k));
    }
  }
  /// `read`: of a read, where of two blocks the other one is 1 - v, which is linear, as (v + 1) mod n is not for more.
  void form(LinId l, bool read = false) {
    for (const LinTerm& s : t_.terms(l)) {
      const AtomNode& a = t_[s.atom];
      const bool other = read && s.coef < 0 && a.extent == 2;
      if (a.kind == AtomKind::Var && !other && (!forms_ || a.m == 1)) continue;
      if (pure_ && ((a.kind != AtomKind::Data && !forms_) || (a.free & ~wanted_) != 0)) continue;
      found_ |= a.free & wanted_;
    }
  }
  void visit(TermId id) {
    const TermNode& n = t_[id];
    if ((n.free & wanted_ & ~found_) == 0 || !seen_.insert(raw(id)).second) return;
    if (n.kind == Kind::Read && !pure_) named(id);
    const TermId condition = condition_of(t_, id);
    if (condition != TermId::True) guard(condition);
    if (n.kind == Kind::And || n.kind == Kind::Or || n.kind == Kind::Not) return;
    for_each_part(
        t_, id, [&](TermId part) {
      if (part != condition) visit(part); }, [&](LinId l, bool) {
      if (n.kind == Kind::Read) form(l, true);
      else if (!pure_) integers(l); });
  }
  /// What conditions in the definition of a distributed value hang on.
  void named(TermId read) {
    const VarSet inside = t_.anchor(t_.anchor_of(read)).deciding;
    if (inside == 0) return;
    const std::vector<LinId> index = t_.index_of(read);
    for (std::size_t k = 0; k < index.size(); ++k)
      if ((inside & bit(static_cast<VarId>(k))) != 0) found_ |= t_[index[k]].free & wanted_;
  }
  /// The integer terms of a form: sums under conditions.
  void integers(LinId l) {
    for_each_part(
        t_, l, [&](TermId part) { visit(part); }, [&](LinId inside) { integers(inside); });
  }

  const Terms& t_;
  VarSet wanted_, found_ = 0;
  bool pure_, forms_;
  std::unordered_set<std::uint32_t> seen_;
};

VarSet deciding_any(const Terms& t, TermId a, TermId b) { return Deciding(t, kAnyFree, Among::All).of(a) | Deciding(t, kAnyFree, Among::All).of(b); }

}  // namespace

VarSet Engine::deciding(TermId t) const { return Deciding(t_, kAnyFree, Among::All).of(t); }

/// One round: every case's value matched as a whole or in parts. The marks of one case must not touch what another keeps.
bool Engine::improve_cases(std::vector<TermId>& values, bool deep, std::vector<std::pair<TermId, int>>& marks) {
  bool changed = false;
  std::vector<std::vector<AnchorId>> own(values.size());
  for (std::size_t c = 0; c < values.size(); ++c) {
    TermId& now = values[c];
    if (trivial(now) || (t_[now].flags & kHasUnknown) != 0) continue;
    std::vector<std::pair<TermId, int>> more;
    if (const auto step = match_whole(now, deep ? kSplitAnchorLevels : 1)) {
      now = step->after;
      more = step->marks;
    } else {
      const TermId whole = now;
      now = match_parts(now, TermId::True, more, 0);
      if (now == whole && deep) now = match_sum(now, more);
    }
    changed = changed || !more.empty();
    for (const auto& [read, levels] : more) own[c].push_back(t_.anchor_of(read));
    marks.insert(marks.end(), more.begin(), more.end());
  }
  for (std::size_t c = 0; c < values.size(); ++c) {
    for (const AnchorId read : matcher_.reads_of(values[c])) {
      const auto marked = [&](const auto& m) { return t_.anchor_of(m.first) == read; };
      if (std::find(own[c].begin(), own[c].end(), read) != own[c].end() || own[c].empty()) continue;
      if (std::any_of(marks.begin(), marks.end(), marked)) return false;
    }
  }
  return changed;
}

/// Values that are cases by index guards (masked scores) are compared as what they are: of a block without a mask only the branch
/// taken is named, and a maximum over both kinds of blocks has two spellings.
void Engine::mark_cases(Step& step) {
  for (const TermId read : t_.reads_in(step.after))
    if (t_.anchor(t_.anchor_of(read)).transparent) step.marks.emplace_back(read, 1);
}

/// Rank digits that conditions of the term hang on alone; none if there are too many cases.
std::vector<VarId> Engine::rank_cases(const Side& side, std::span<const std::int64_t> extents, TermId t) const {
  const VarSet digits = (VarSet{1} << digits_of(side)) - 1;
  return Cases(Deciding(t_, digits, Among::Own).of(t), extents, kMaxRankCases).vars;
}

/// The variables of a set, if they have few values.
std::vector<VarId> Engine::few_cases(VarSet set, std::span<const std::int64_t> extents) const { return Cases(set, extents, kMaxOutputCases).vars; }

/// How often the checker refused the line at this place.
std::ptrdiff_t Engine::refused(const std::string& instance, std::uint32_t leaf) const {
  return std::count(options_.refused.begin(), options_.refused.end(), CertificateLine{instance, leaf});
}

/// The variables that conditions on either side of a refused line hang on (all, where the search sees no condition), those of few values
/// first, as far as cases reach.
std::vector<VarId> Engine::small_cases(TermId a, TermId b, std::span<const std::int64_t> extents) const {
  VarSet deciding = deciding_any(t_, a, b);
  if (deciding == 0) deciding = (t_[a].free | t_[b].free) & kAnyFree;
  VarSet set = 0;
  while (true) {
    std::optional<VarId> least;
    for (std::size_t v = 0; v < extents.size() && v < kFreeVars; ++v) {
      const auto id = static_cast<VarId>(v);
      if ((deciding & ~set & bit(id)) != 0 && (!least || extents[v] < extents[*least])) least = id;
    }
    if (!least || few_cases(set | bit(*least), extents).empty()) break;
    set |= bit(*least);
  }
  return few_cases(set, extents);
}

/// A refused step by all variables that conditions hang on; where they have too many cases, by some of them.
void Engine::split_refused(Step& step, TermId before, std::span<const std::int64_t> extents) {
  step.split.clear();
  split_by(step, before, deciding_any(t_, before, step.after), extents);
  if (step.split.empty()) step.split = small_cases(before, step.after, extents);
}

/// Without the rank digits that change nothing: a sum (maximum) of a rank's own value and its partner's is the same on both.
std::optional<bool> Engine::improve_without_digits(VarSet digits, std::span<const std::int64_t> extents, TermId t, bool deep,
                                                   std::vector<Step>& steps) {
  const bool sum = t_[t].kind == Kind::Poly && t_[t].n > 3;  // of two summands and more
  const bool extremum = t_[t].kind == Kind::Fn && t_[t].n > 1 && (static_cast<ScalarFn>(t_[t].op) == ScalarFn::Max || static_cast<ScalarFn>(t_[t].op) == ScalarFn::Min);
  if ((!sum && !extremum) || t_[t].size > kMaxSame) return std::nullopt;
  TermId now = t;
  for (VarId v = 0; digits >> v != 0; ++v) {
    const Cases values((digits & bit(v)), extents, kMaxRankCases);
    if (values.vars.empty()) continue;
    const TermId first = values.at(t_, now, 0);
    bool same = true;
    for (std::int64_t c = 1; c < values.count && same; ++c) same = values.at(t_, now, c) == first;
    if (!same) continue;
    now = first;
    steps.push_back({now, {}, 0, values.vars});
  }
  if (now == t) return std::nullopt;
  return trivial(now) || improve(now, deep, steps);
}

std::optional<bool> Engine::improve_by_cases(const Side& side, std::span<const std::int64_t> extents, TermId t, bool deep,
                                             std::vector<Step>& steps) {
  if (conditioned(side, extents, t, true, steps)) return true;
  const VarSet digits = (VarSet{1} << digits_of(side)) - 1;
  const Among among = t_[t].size > kMaxPending / 2 ? Among::OwnAndForms : Among::Own;
  const Cases cases(Deciding(t_, digits, among).of(t), extents, kMaxRankCases);
  const StepBudget budget(t_, kValueSteps);
  if (cases.vars.empty()) {
    if (const auto same = improve_without_digits(digits & t_[t].free, extents, t, deep, steps)) return same;
    return improve_as_one(Cases(Deciding(t_, digits, Among::OwnAndForms).of(t), extents, kMaxRankCases), t, deep, steps);
  }
  std::vector<TermId> values;
  for (std::int64_t c = 0; c < cases.count; ++c) values.push_back(cases.at(t_, t, c));
  const auto whole = [&] {
    const auto one = one_function(t_, cases, values);
    return one ? *one : cases.tree(t_, values);
  };
  bool better = false;
  for (int round = 0; round < kSplitRounds; ++round) {
    Step step{t, {}, 0, cases.vars};
    if (!improve_cases(values, deep, step.marks)) break;
    step.after = whole();
    mark_cases(step);
    steps.push_back(std::move(step));
    better = true;
  }
  const bool all = std::all_of(values.begin(), values.end(), [&](TermId v) { return trivial(v); });
  if (better) return all;
  const TermId simple = whole();  // each case may be simpler than the whole
  const bool small = std::all_of(values.begin(), values.end(), [&](TermId v) { return t_[v].size <= kMaxPending; });
  const bool helps = all ? t_[simple].size <= t_[t].size : t_[t].size > kMaxPending / 2 && small;
  if (!helps) return std::nullopt;
  steps.push_back({simple, {}, 0, cases.vars});
  mark_cases(steps.back());
  return all;
}

/// The levels, at most so many, at which both sides of an output agree in every case: of pieces of variables of many values, else of each value.
std::optional<OutputLine> Engine::meet_by_cases(std::span<const std::int64_t> extents, TermId left, TermId right, int levels, bool binders) {
  const VarSet set = deciding_any(t_, left, right);
  try {
    const StepBudget budget(t_, kCutSteps);
    const auto places = cuts(set, extents, left, right);
    const Cases pieces(set, extents, kMaxOutputCases, places.value_or(Cases::Cuts()));
    const auto line = places && !pieces.vars.empty() ? meet_cases(pieces, left, right, levels, binders) : std::nullopt;
    if (line) return line;
  } catch (const TermLimit&) {
    // Each value by itself may be short.
  }
  const Cases cases(set, extents, kMaxOutputCases);
  if (auto line = !binders && place_by_place() ? meet_by_places(cases, left, right) : std::nullopt) return line;
  if (set != 0 && cases.vars.empty()) throw TermLimit("conditions of more than " + std::to_string(kMaxOutputCases) + " cases");
  return meet_cases(cases, left, right, levels, binders);
}

/// The same for these cases; if need be with short folds written out, or with the short `binders` of all.
std::optional<OutputLine> Engine::meet_cases(const Cases& cases, TermId left, TermId right, int levels, bool binders) {
  const bool set = !cases.vars.empty();
  // A scalar has one case, which was compared as it is; written out it must be short.
  const int most_levels = set ? levels : std::min(levels, kScalarLevels);
  const std::uint32_t most_size = set ? kMaxSide : kScalarSize;
  const StepBudget budget(t_, set ? kSplitSteps : kScalarSteps);
  const auto meet = [&](bool written) -> std::optional<OutputLine> {
    std::vector<std::pair<int, int>> open;
    for (int sum = 0; sum <= 2 * most_levels; ++sum)
      for (int a = 0; a <= most_levels; ++a)
        if (sum - a >= 0 && sum - a <= most_levels) open.emplace_back(a, sum - a);
    bool whole = true;  // both sides down to the inputs, and still short
    for (std::int64_t c = 0; c < cases.count && !open.empty(); ++c) {
      std::vector<TermId> forms[2];
      for (const bool other : {false, true}) {
        std::vector<TermId>& list = forms[other ? 1 : 0];
        list.push_back(cases.at(t_, other ? right : left, c));
        while (static_cast<int>(list.size()) <= most_levels) {
          const std::uint32_t most = static_cast<int>(list.size()) > kSplitLevels ? std::min(kDeepSide, most_size) : most_size;
          list.push_back(t_[list.back()].size > most ? list.back() : t_.expand_all(list.back(), 1));
        }
        whole = whole && t_[list.back()].size <= kMaxWhole && list.back() == list[list.size() - 2];
        for (TermId& form : list)
          if (written && t_[form].size <= most_size) form = t_.write_out(form, !set || binders);
      }
      std::erase_if(open, [&](const auto& p) {
        return forms[0][static_cast<std::size_t>(p.first)] != forms[1][static_cast<std::size_t>(p.second)];
      });
    }
    if (open.empty()) return std::nullopt;
    const auto [first, second] = whole ? open.back() : open.front();  // where nothing is left to expand, forms are most alike
    return OutputLine{0, first, second, cases.vars, cases.starts};
  };
  const auto line = set && !binders ? meet(false) : std::nullopt;
  return line || (binders && !set) ? line : meet(true);
}

}  // namespace gg::prover
