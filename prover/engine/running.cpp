// A running sum that begins with the rank's own block (certificate.md, section 1, *Two spellings*): the sequential one at its place, less that at the end of
// what is before the block.
#include <algorithm>
#include <bit>

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"
#include "prover/term/form_walk.h"
#include "prover/term/parts.h"
#include "prover/term/whole.h"

namespace gg::prover {
namespace {

constexpr std::uint64_t kRunningSteps = 20'000;

/// sum_{b <= last} of a body whose reads begin at `start`, of a dimension of `extent` places.
struct Running {
  std::size_t binder;
  LinId last, start;
  std::int64_t extent;
};

/// Reads of values and of inputs inside a term, but in its conditions.
void reads_inside(const Terms& t, TermId id, std::vector<TermId>& found) {
  if (t[id].kind == Kind::Read) found.push_back(id);
  const TermId condition = condition_of(t, id);
  for_each_part(
      t, id, [&](TermId part) {
    if (part != condition) reads_inside(t, part, found); }, [](LinId, bool) {});
}

/// The binder of a sum that one bound from above and nothing else limits, and where a read with it begins, beside a rank digit.
std::optional<Running> running(Terms& t, const Opened& sum, VarSet digits) {
  std::vector<TermId> reads;
  reads_inside(t, sum.bodies[0], reads);
  for (const TermId g : t.conjuncts(sum.guard)) {
    for (std::size_t k = 0; t[g].kind == Kind::Ge && k < sum.vars.size(); ++k) {
      const LinId last = t.add(t.lin(g), sum.vars[k]);
      if ((t[last].free & sum.set) != 0) continue;
      for (const TermId read : reads) {
        const std::vector<LinId> index = t.index_of(read);
        for (std::size_t d = 0; d < index.size(); ++d) {
          const LinId start = t.sub(index[d], sum.vars[k]);
          if ((t[start].free & sum.set) == 0 && (t[start].free & digits) != 0 && !t[start].data) return Running{k, last, start, t.anchor(t.anchor_of(read)).extents[d]};
        }
      }
    }
  }
  return std::nullopt;
}

/// The sum of reals, or of integers.
TermId plus(Terms& t, TermId a, TermId b) { return t[a].sort == Sort::Int ? t.integer(t.add(t.as_lin(a), t.as_lin(b))) : t.add(a, b); }

/// What a sum has beside a running sum of all and what stands with it: that before the rank's own block, by cases, and sums over what a rank tells.
struct OwnBlock {
  TermId rest;
  std::vector<std::pair<TermId, int>> marks;
  bool sums = false;
};

std::optional<OwnBlock> own_block(Terms& t, VarSet digits, TermId sum) {
  const bool integers = t[sum].kind == Kind::Int;
  if ((!integers && t[sum].kind != Kind::Poly) || (t[sum].flags & kHasUnknown) != 0) return std::nullopt;
  std::vector<std::pair<TermId, TermId>> parts;  // and what each is a multiple of
  for (const LinTerm& s : integers ? t.term_list(t.lin(sum)) : std::vector<LinTerm>()) {
    const TermId one = t[s.atom].kind == AtomKind::Data ? static_cast<TermId>(t[s.atom].arg) : t.integer(t.atom_form(s.atom));
    parts.emplace_back(t.integer(t.scale(s.coef, t.atom_form(s.atom))), one);
  }
  for (const Summand& s : integers ? std::vector<Summand>() : t.summands(sum)) parts.emplace_back(t.monomial(s.coef, s.mono), t.monomial(RatId::One, s.mono));
  const auto adds = [&](TermId part) {
    return some_part(
        t, part, true, [&](TermId inside) { return t[inside].kind == Kind::Fold; }, [](TermId) { return true; });
  };
  OwnBlock block{integers ? t.integer(LinId::Zero) : TermId::Zero, {}};
  std::vector<TermId> totals;
  for (const auto& [part, of] : parts) {
    const bool folds = adds(of), chosen = t[of].kind == Kind::Case;
    block.sums = block.sums || folds;
    if (t[of].kind == Kind::Read) totals.push_back(of);
    for (const TermId read : chosen ? t.reads_in(of) : std::vector<TermId>()) block.marks.emplace_back(read, 1);
    if (chosen || (folds && (t[part].free & digits) != 0)) block.rest = plus(t, block.rest, part);
  }
  const auto counted = [&](TermId total) { return std::ranges::any_of(block.marks, [&](const auto& m) { return t.anchor_of(m.first) == t.anchor_of(total); }); };
  return std::ranges::any_of(totals, counted) ? std::optional(std::move(block)) : std::nullopt;
}

}  // namespace

/// Is it made of several elements of one value, each at a place that numbers tell? What happens to be an element of another value has no name by that.
bool Matcher::few_elements(TermId term) {
  const std::vector<Summand> list = t_[term].free == 0 && t_[term].kind == Kind::Poly ? t_.summands(term) : std::vector<Summand>();
  const auto element = [&](const Summand& s) {
    const std::vector<Factor> f = t_.factors(s.mono);
    return f.size() == 1 && f[0].exp == RatId::One && t_[f[0].term].kind == Kind::Read;
  };
  return list.size() > 1 && std::ranges::all_of(list, element) && reads_of(term).size() == 1;
}

std::optional<Step> Engine::running_sum(const Side& side, std::span<const std::int64_t> extents, TermId term) {
  const bool integers = t_[term].sort == Sort::Int;
  const auto [coef, shape] = integers ? std::pair(RatId::One, term) : t_.content(term);
  if (t_[shape].kind != Kind::Fold || static_cast<ScalarFn>(t_[shape].op) != ScalarFn::Add || (t_[shape].flags & kHasUnknown) != 0) return std::nullopt;
  const auto joined = [&](TermId a) { return integers ? t_.integer(joined_sums(t_, t_.as_lin(a))) : a; };
  const auto times = [&](RatId c, TermId a) { return integers ? a : t_.scale(c, a); };
  const VarSet digits = (VarSet{1} << digits_of(side)) - 1;
  const Opened sum = t_.open(shape);
  const auto own = running(t_, sum, digits);
  if (!own) return std::nullopt;
  const StepBudget budget(t_, kRunningSteps);
  // The same from the first place of all on.
  const Fresh place = t_.fresh(own->extent);
  const LinId last = t_.add(own->last, own->start);
  std::vector<LinId> vars = without(std::vector(sum.vars.begin(), sum.vars.end()), own->binder);
  vars.push_back(place[0]);
  const Terms::Map map(static_cast<VarId>(std::countr_zero(t_[sum.vars[own->binder]].free)), t_.sub(place[0], own->start));
  const auto whole = matcher_.find(t_.fold(ScalarFn::Add, vars, t_.substitute(sum.guard, map), t_.substitute(sum.bodies[0], map)), TermId::True, 1);
  if (!whole || whole->value != whole->read || whole->levels != 1 || (integers && whole->coef != RatId::One)) return std::nullopt;
  if (integers) saw_counts = true;
  if (integers && attempt != Attempt::Counted) return std::nullopt;
  std::vector<LinId> index = t_.index_of(whole->read);
  const auto at = std::find(index.begin(), index.end(), last);
  if (at == index.end()) return std::nullopt;
  *at = t_.offset(own->start, -1);
  const TermId before = t_.read(t_.anchor_of(whole->read), index);
  const TermId less = t_.choose(t_.ge(*at), before, t_.unit(ScalarFn::Add, t_[shape].sort));
  const std::vector<std::pair<TermId, int>> marks{{whole->read, 1}, {before, 1}};
  const Cases cases(t_[own->start].free & digits, extents, kMaxRankCases);
  if (cases.vars.empty()) return std::nullopt;
  const TermId left = plus(t_, shape, times(whole->coef, t_.expand_marked(less, marks))), right = times(whole->coef, t_.expand_marked(whole->read, marks));
  for (std::int64_t c = 0; c < cases.count; ++c)
    if (joined(cases.at(t_, left, c)) != joined(cases.at(t_, right, c))) return std::nullopt;
  return Step{times(t_.q.mul(coef, whole->coef), plus(t_, whole->read, t_.negative(less))), marks, 0, cases.vars};
}

bool Engine::has_own_block(const Side& side, TermId t) { return own_block(t_, (VarSet{1} << digits_of(side)) - 1, t).has_value(); }

/// A sum of the rank's own block, as the one of all less what is before the block, and what is before: that of all.
std::vector<Step> Engine::running_total(const Side& side, std::uint32_t node, std::uint32_t leaf, TermId t) {
  const StepBudget budget(t_, kRunningSteps);
  try {
    const VarSet digits = (VarSet{1} << digits_of(side)) - 1;
    const auto block = own_block(t_, digits, t);
    if (!block || !block->sums) return {};
    const auto none = [&](TermId a) { return t_[a].kind == Kind::Int ? joined_sums(t_, t_.as_lin(a)) == LinId::Zero : a == TermId::Zero; };
    const Cases cases(t_[block->rest].free & digits, extents_of(side, node, leaf).all, kMaxRankCases);
    if (cases.vars.empty()) return {};
    const TermId opened = t_.expand_marked(block->rest, block->marks);
    for (std::int64_t c = 0; c < cases.count; ++c) {
      const TermId here = cases.at(t_, opened, c);
      if (!none(here) && !none(t_.write_out(here, true))) return {};
    }
    const TermId whole = plus(t_, t, t_.negative(block->rest));
    std::vector<Step> steps{{whole, block->marks, 0, cases.vars}};
    if (auto step = t_[whole].kind == Kind::Read ? std::nullopt : match_whole(whole, 1)) steps.push_back(*std::move(step));
    return steps;
  } catch (const TermLimit&) {
    return {};  // the sums may be too many
  }
}

}  // namespace gg::prover
