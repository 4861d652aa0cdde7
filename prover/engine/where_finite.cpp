// Outputs where the sequential side is finite, since nothing is claimed elsewhere (certificate.md, section 1): both sides opened, value
// by value, until they read the same ones.
#include <algorithm>
#include <iterator>
#include <set>

#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxOpenings = 60;      ///< values, one after the other
constexpr std::size_t kMaxAllOpenings = 500;  ///< where cases are compared

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

/// The values that are opened on both sides, in each of some cases, one after the other, the last ones first: those that one side alone reads, or
/// that are made of such in a few steps; then those that both read; as long as sides have at most so many nodes. Sides may differ where the sequential one is not finite if there are extents.
std::optional<std::vector<AnchorId>> Engine::meet_opened(std::vector<std::pair<TermId, TermId>> sides, std::optional<std::span<const std::int64_t>> extents, int steps, std::uint32_t most) {
  std::vector<AnchorId> order;
  std::set<AnchorId> closed;  // not known to be read inside of their extents
  while (true) {
    std::set<AnchorId> both, open;
    std::uint64_t all = 0;
    for (const auto& [left, right] : sides) {
      all += t_[left].size + t_[right].size;
      if (std::max(t_[left].size, t_[right].size) > most) return std::nullopt;
      const std::set<AnchorId> lefts = read_in(t_, left), rights = read_in(t_, right);
      std::set_symmetric_difference(lefts.begin(), lefts.end(), rights.begin(), rights.end(), std::inserter(open, open.end()));
      std::set_intersection(lefts.begin(), lefts.end(), rights.begin(), rights.end(), std::inserter(both, both.end()));
    }
    if (all > kMaxMeeting) return std::nullopt;
    if (open.empty()) {
      const auto same = [&](const auto& s) { return s.first == s.second || (extents && t_.same_where_finite(s.second, s.first, *extents)); };
      if (std::ranges::all_of(sides, same)) return order;
      open = both;
    } else {
      const std::set<AnchorId> one_sided = open;
      for (const AnchorId a : both)
        if (reaches(t_, a, one_sided, steps)) open.insert(a);
    }
    for (const AnchorId a : closed) open.erase(a);
    if (open.empty() || order.size() == (extents ? kMaxOpenings : kMaxAllOpenings)) return std::nullopt;
    const AnchorId last = *open.rbegin();
    const auto before = sides;
    for (auto& [left, right] : sides) {
      left = t_.open_anchor(left, last);
      right = t_.open_anchor(right, last);
    }
    if (sides == before) closed.insert(last);
    else order.push_back(last);
    if (!extents) std::erase_if(sides, [](const auto& s) { return s.first == s.second; });
  }
}

}  // namespace gg::prover
