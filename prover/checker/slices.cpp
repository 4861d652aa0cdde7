// Folds that differ by constants in the indices of reads as one fold over one more binder (docs/certificate.md, F7).
#include <map>

#include "prover/checker/anchor.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"

namespace gg::checker {
namespace {

// The constants in the indices of an anchor's reads, added up.
struct ReadSum {
  std::int64_t reads = 0;
  std::vector<Wide> constants{};
};

using Sums = std::map<std::uint32_t, ReadSum>;

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

}  // namespace

std::optional<Value> join_slices(Terms& t, Value a, Value b) {
  const Sums first = sums_of(t, a), second = sums_of(t, b);
  std::map<std::uint32_t, std::vector<Size>> steps;
  bool any = false, unit = false;
  if (first.size() != second.size()) return std::nullopt;
  for (const auto& [anchor, sum] : first) {
    const auto other = second.find(anchor);
    if (other == second.end() || other->second.reads != sum.reads) return std::nullopt;
    for (std::size_t k = 0; k < sum.constants.size(); ++k) {
      const Wide all = other->second.constants[k] - sum.constants[k];
      const bool none = same(all, Wide{0});
      if (!divides(Wide{sum.reads}, all) || (!any && !none && all < 0)) return std::nullopt;
      any = any || !none;
      unit = unit || same(all, Wide{sum.reads}) || same(all, Wide{-sum.reads});
      steps[anchor].push_back(saturate(all / sum.reads));
    }
  }
  if (!unit) return std::nullopt;
  Binders scope(t);
  const Var c = scope.open(2);
  const Value whole = replace_reads(t, a, [&](std::uint32_t anchor, std::vector<Index> index, const auto&) {
    for (std::size_t k = 0; k < index.size(); ++k) index[k] = axpy(t, steps.at(anchor)[k], variable(t, c), index[k]);
    return std::optional(read(t, anchor, index));
  });
  const auto at = [&](Size value) { return Substitution(t, {{c, constant(t, value)}})(whole); };
  if (at(0) != a || at(1) != b) return std::nullopt;
  return fold(t, t[a].fn, t[a].type, {c}, boolean(t, true), whole);
}

}  // namespace gg::checker
