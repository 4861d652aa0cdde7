// Folds that differ by constants in the indices of reads as one fold over one more binder (docs/certificate.md, F7).
#include <map>

#include "prover/checker/anchor.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

// The constants in the indices of an anchor's reads, added up.
struct ReadSum {
  std::int64_t reads = 0;
  std::vector<Wide> constants{};
};

// Rebuilds a term whose reads are looked at, or moved.
class Reads : public Rewriter {
 public:
  Reads(Terms& t, const std::map<std::uint32_t, std::vector<Size>>& steps, Index binder)
      : Rewriter(t), steps_(steps), binder_(binder) {}
  std::map<std::uint32_t, ReadSum> sums;

 protected:
  bool unchanged(VarSet) override { return false; }
  Value read(Value v, const std::vector<Index>& index) override {
    const std::uint32_t anchor = t_[v].ref;
    ReadSum& sum = sums[anchor];
    ++sum.reads;
    sum.constants.resize(index.size());
    std::vector<Index> moved = index;
    const auto step = steps_.find(anchor);
    for (std::size_t k = 0; k < index.size(); ++k) {
      sum.constants[k] += t_[index[k]].c0;
      if (step != steps_.end()) moved[k] = axpy(t_, step->second[k], binder_, index[k]);
    }
    return checker::read(t_, anchor, moved);
  }

 private:
  const std::map<std::uint32_t, std::vector<Size>>& steps_;
  Index binder_;
};

std::map<std::uint32_t, ReadSum> sums_of(Terms& t, Value v) {
  const std::map<std::uint32_t, std::vector<Size>> none;
  Reads reads(t, none, constant(t, 0));
  reads(v);
  return std::move(reads.sums);
}

}  // namespace

std::optional<Value> join_slices(Terms& t, Value a, Value b) {
  const std::map<std::uint32_t, ReadSum> first = sums_of(t, a), second = sums_of(t, b);
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
  const std::uint32_t before = t.open_binders;
  const Var c = t.var(Space::Temp, t.open_binders++, 2);
  const Value whole = Reads(t, steps, variable(t, c))(a);
  const auto at = [&](Size value) { return Substitution(t, {{c, constant(t, value)}})(whole); };
  std::optional<Value> joined;
  if (at(0) == a && at(1) == b) joined = fold(t, t[a].fn, t[a].type, {c}, boolean(t, true), whole);
  t.open_binders = before;
  return joined;
}

}  // namespace gg::checker
