// Folds that differ by constants in the indices of reads as one fold over one more binder (docs/certificate.md, F7).
#include "prover/checker/slices.h"

#include "prover/checker/anchor.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"

namespace gg::checker {

Sums sums_of(Terms& t, Value v) {
  Sums sums;
  replace_reads(t, v, [&](std::uint32_t anchor, const std::vector<Index>& index, const auto&) {
    ReadSum& sum = sums[anchor];
    ++sum.reads;
    sum.constants.resize(index.size());
    for (std::size_t k = 0; k < index.size(); ++k) sum.constants[k] += t[index[k]].c0;
    return std::nullopt;
  });
  return sums;
}

std::optional<Steps> steps_between(const Sums& from, const Sums& to) {
  if (from.size() != to.size()) return std::nullopt;
  Steps steps;
  for (const auto& [anchor, sum] : from) {
    const auto other = to.find(anchor);
    if (other == to.end() || other->second.reads != sum.reads) return std::nullopt;
    for (std::size_t k = 0; k < sum.constants.size(); ++k) {
      const Wide all = other->second.constants[k] - sum.constants[k];
      if (!divides(Wide{sum.reads}, all)) return std::nullopt;
      steps[anchor].push_back(saturate(all / sum.reads));
    }
  }
  return steps;
}

Value moved(Terms& t, Value v, const Steps& steps, Index number) {
  return replace_reads(t, v, [&](std::uint32_t anchor, std::vector<Index> index, const auto&) {
    for (std::size_t k = 0; k < index.size(); ++k) index[k] = axpy(t, steps.at(anchor)[k], number, index[k]);
    return std::optional(read(t, anchor, index));
  });
}

std::optional<Value> join_slices(Terms& t, Value a, Value b) {
  const auto steps = steps_between(sums_of(t, a), sums_of(t, b));
  if (!steps) return std::nullopt;
  bool any = false, unit = false;
  for (const auto& [anchor, all] : *steps) {
    for (const Size& step : all) {
      const bool none = same(step, 0);
      if (!any && !none && step < 0) return std::nullopt;
      any = any || !none;
      unit = unit || same(step, 1) || same(step, -1);
    }
  }
  if (!unit) return std::nullopt;
  Binders scope(t);
  const Var c = scope.open(2);
  const Value whole = moved(t, a, *steps, variable(t, c));
  const auto at = [&](Size value) { return Substitution(t, {{c, constant(t, value)}})(whole); };
  if (at(0) != a || at(1) != b) return std::nullopt;
  return fold(t, t[a].fn, t[a].type, {c}, boolean(t, true), whole);
}

}  // namespace gg::checker
