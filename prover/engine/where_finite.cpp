// Outputs where the sequential side is finite, since nothing is claimed elsewhere (certificate.md, section 1): both sides opened, value
// by value, until they read the same ones.
#include <algorithm>
#include <iterator>
#include <set>

#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxOpenings = 60;    ///< values, one after the other
constexpr std::uint32_t kMaxFinite = 2000;  ///< nodes of a side

/// The sequential values that a term reads and that can be opened, integers that are numbers in it too.
std::set<AnchorId> read_in(const Terms& t, TermId id) {
  std::set<AnchorId> found;
  for (const TermId read : t.reads_in(id, true)) {
    const Anchor& a = t.anchor(t.anchor_of(read));
    if (a.kind == AnchorKind::Value && a.form != TermId::Unknown) found.insert(t.anchor_of(read));
  }
  return found;
}

/// Is one of these read by the definition of the anchor, or by those of what this reads, and so on?
bool reaches(const Terms& t, AnchorId anchor, const std::set<AnchorId>& any, int levels) {
  const std::set<AnchorId> inside = read_in(t, t.anchor(anchor).form);
  return std::any_of(inside.begin(), inside.end(), [&](AnchorId a) { return any.count(a) != 0 || (levels > 1 && reaches(t, a, any, levels - 1)); });
}

}  // namespace

/// The values that are opened on both sides, one after the other, the last ones first: those that one side alone reads, or that are made
/// of such in a few steps; then those that both read.
std::optional<std::vector<AnchorId>> Engine::meet_where_finite(TermId left, TermId right, std::span<const std::int64_t> extents, int steps) {
  std::vector<AnchorId> order;
  while (t_[left].size <= kMaxFinite && t_[right].size <= kMaxFinite) {
    const std::set<AnchorId> lefts = read_in(t_, left), rights = read_in(t_, right);
    std::set<AnchorId> both, open;
    std::set_symmetric_difference(lefts.begin(), lefts.end(), rights.begin(), rights.end(), std::inserter(open, open.end()));
    std::set_intersection(lefts.begin(), lefts.end(), rights.begin(), rights.end(), std::inserter(both, both.end()));
    if (open.empty()) {
      if (t_.same_where_finite(right, left, extents)) return order;
      open = both;
    } else {
      const std::set<AnchorId> one_sided = open;
      for (const AnchorId a : both)
        if (reaches(t_, a, one_sided, steps)) open.insert(a);
    }
    if (open.empty() || order.size() == kMaxOpenings) break;
    order.push_back(*open.rbegin());
    left = open_anchor(t_, left, order.back());
    right = open_anchor(t_, right, order.back());
  }
  return std::nullopt;
}

}  // namespace gg::prover
