// A running sum that begins with the rank's own block (certificate.md, section 1, *Two spellings*): the sequential one at its place, less that at the end of
// what is before the block.
#include <bit>

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"
#include "prover/term/form_walk.h"

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

}  // namespace

std::optional<Step> Engine::running_sum(const Side& side, std::span<const std::int64_t> extents, TermId term) {
  const auto [coef, shape] = t_.content(term);
  if (t_[shape].kind != Kind::Fold || static_cast<ScalarFn>(t_[shape].op) != ScalarFn::Add || t_[shape].sort != Sort::Real || (t_[shape].flags & kHasUnknown) != 0) return std::nullopt;
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
  if (!whole || whole->value != whole->read || whole->levels != 1 || !whole->mirrored.empty()) return std::nullopt;
  std::vector<LinId> index = t_.index_of(whole->read);
  const auto at = std::find(index.begin(), index.end(), last);
  if (at == index.end()) return std::nullopt;
  *at = t_.offset(own->start, -1);
  const TermId before = t_.read(t_.anchor_of(whole->read), index);
  const TermId less = t_.choose(t_.ge(*at), before, TermId::Zero);
  const std::vector<std::pair<TermId, int>> marks{{whole->read, 1}, {before, 1}};
  const Cases cases(t_[own->start].free & digits, extents, kMaxRankCases);
  if (cases.vars.empty()) return std::nullopt;
  const TermId left = t_.add(shape, t_.scale(whole->coef, t_.expand_marked(less, marks))), right = t_.scale(whole->coef, t_.expand_marked(whole->read, marks));
  for (std::int64_t c = 0; c < cases.count; ++c)
    if (cases.at(t_, left, c) != cases.at(t_, right, c)) return std::nullopt;
  return Step{t_.scale(t_.q.mul(coef, whole->coef), t_.add(whole->read, t_.negative(less))), marks, 0, cases.vars};
}

}  // namespace gg::prover
