// Folds of one operation that differ by constants in the indices of reads (certificate.md, F7): sums over the microbatches of a
// batch, one after the other, are one sum.
#include <cstdlib>
#include <map>

#include "prover/term/store.h"

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
  t.replace_reads(id, [&](TermId read, TermId) -> std::optional<TermId> {
    const std::vector<LinId> index = t.index_of(read);
    Constants& all = slice[t.anchor_of(read)];
    ++all.reads;
    all.sum.resize(index.size());
    for (std::size_t k = 0; k < index.size(); ++k) all.sum[k] = checked_add(all.sum[k], t[index[k]].c0);
    return read;
  }, true);
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
std::optional<TermId> Terms::join_slices(TermId a, TermId b) {
  if ((*this)[a].reads != (*this)[b].reads) return std::nullopt;
  const auto steps = step_between(*this, slice_of(*this, a), slice_of(*this, b));
  if (!steps) return std::nullopt;
  const std::int64_t two[1] = {2};
  const std::vector<LinId> c = push_vars(two);
  const TermId both = replace_reads(a, [&](TermId read, TermId) -> std::optional<TermId> {
    std::vector<LinId> index = index_of(read);
    const auto by = steps->find(anchor_of(read));
    for (std::size_t k = 0; by != steps->end() && k < index.size(); ++k) index[k] = axpy(by->second[k], c[0], index[k]);
    return this->read(anchor_of(read), index);
  }, true);
  const auto at = [&](std::int64_t value) {
    Map map;
    map.set((*this)[terms(c[0])[0].atom].var, num(value));
    return substitute(both, map);
  };
  std::optional<TermId> whole;
  if (at(0) == a && at(1) == b) {
    count(LemmaId::JoinSlices);
    whole = fold(static_cast<ScalarFn>((*this)[a].op), c, TermId::True, both);
  }
  pop_vars(1);
  return whole;
}

}  // namespace gg::prover
