// Folds of one operation that differ by constants in the indices of reads (certificate.md, F7): sums over the microbatches of a
// batch, one after the other, are one sum.
#include <cstdlib>
#include <map>

#include "prover/term/join.h"

namespace gg::prover {
namespace {

/// By anchor: how often it is read, and the sum of the constants in each of its indices.
struct Constants {
  std::int64_t reads = 0;
  std::vector<std::int64_t> sum{};
};
using Slice = std::map<AnchorId, Constants>;

Slice slice_of(Terms& t, TermId id) {
  Slice slice;
  t.replace_reads(
      id, [&](TermId read, TermId) -> std::optional<TermId> {
        const std::vector<LinId> index = t.index_of(read);
        Constants& all = slice[t.anchor_of(read)];
        ++all.reads;
        all.sum.resize(index.size());
        for (std::size_t k = 0; k < index.size(); ++k) all.sum[k] = checked_add(all.sum[k], t[index[k]].c0);
        return read;
      },
      true);
  return slice;
}

/// What the constants of `b` are above those of `a`, one number an index of each anchor, where that can be: the first is positive
/// and one of them is 1 or -1, so that slices of a longer extent join in its order.
std::optional<std::map<AnchorId, std::vector<std::int64_t>>> step_between(const Terms& t, const Slice& a, const Slice& b) {
  std::map<AnchorId, std::vector<std::int64_t>> steps;
  bool any = false, unit = false;
  if (a.size() != b.size()) return std::nullopt;
  for (const auto& [anchor, constants] : a) {
    const auto other = b.find(anchor);
    if (other == b.end() || other->second.reads != constants.reads) return std::nullopt;
    for (std::size_t k = 0; k < constants.sum.size(); ++k) {
      const std::int64_t all = checked_add(other->second.sum[k], -constants.sum[k]);
      if (all % constants.reads != 0 || (!any && all < 0) || (all != 0 && t.anchor(anchor).kind == AnchorKind::Array)) return std::nullopt;
      any = any || all != 0;
      unit = unit || std::abs(all) == constants.reads;
      steps[anchor].push_back(all / constants.reads);
    }
  }
  return unit ? std::optional(std::move(steps)) : std::nullopt;
}

}  // namespace

/// fold f and fold g as the fold over c < 2 of h(c), where h(0) is f and h(1) is g.
std::optional<TermId> Joiner::slices(TermId a, TermId b) {
  if (t_[a].reads != t_[b].reads) return std::nullopt;
  const auto steps = step_between(t_, slice_of(t_, a), slice_of(t_, b));
  if (!steps) return std::nullopt;
  const Fresh c = t_.fresh(2);
  const TermId both = t_.replace_reads(
      a, [&](TermId read, TermId) -> std::optional<TermId> {
        std::vector<LinId> index = t_.index_of(read);
        const auto by = steps->find(t_.anchor_of(read));
        for (std::size_t k = 0; by != steps->end() && k < index.size(); ++k) index[k] = t_.axpy(by->second[k], c[0], index[k]);
        return t_.read(t_.anchor_of(read), index);
      },
      true);
  const auto at = [&](std::int64_t value) {
    Terms::Map map;
    map.set(t_[t_.terms(c[0])[0].atom].var, t_.num(value));
    return t_.substitute(both, map);
  };
  if (at(0) != a || at(1) != b) return std::nullopt;
  return t_.count(LemmaId::JoinSlices), t_.fold(static_cast<ScalarFn>(t_[a].op), c, TermId::True, both);
}

}  // namespace gg::prover
