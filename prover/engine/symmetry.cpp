// Sequential values that are the same under a transposition of their indices: a Gram matrix, the tables of a DFT. Compilers
// transpose them freely, so a read of one may stand for its mirror image.
#include <algorithm>

#include "prover/engine/match.h"

namespace gg::prover {
namespace {

constexpr int kSymmetryLevels = 2;  ///< to which a definition is expanded to see that it is symmetric
constexpr std::uint32_t kMaxSymmetric = 120, kMaxSymmetricExpanded = 400;

}  // namespace

/// Transpositions of parameters (blocks of them, where dimensions are cut into digits) under which an anchor's definition stays.
const std::vector<Matcher::Mirror>& Matcher::mirrors(AnchorId anchor) {
  const auto [it, fresh] = mirrors_.try_emplace(anchor);
  const std::vector<std::int64_t> extents = t_.anchor(anchor).extents;
  const TermId form = t_.anchor(anchor).form;
  if (!fresh || t_.anchor(anchor).kind != AnchorKind::Value || form == TermId::Unknown || t_[form].size > kMaxSymmetric) return it->second;
  for (std::size_t count = 1; 2 * count <= extents.size(); ++count) {
    for (std::size_t a = 0; a + 2 * count <= extents.size(); ++a) {
      for (std::size_t b = a + count; b + count <= extents.size(); ++b) {
        if (!std::equal(extents.begin() + static_cast<std::ptrdiff_t>(a), extents.begin() + static_cast<std::ptrdiff_t>(a + count),
                        extents.begin() + static_cast<std::ptrdiff_t>(b))) continue;
        Mirror mirror{a, b, count, 0};
        if (keeps(form, extents, mirror)) mirrors_[anchor].push_back(mirror);
      }
    }
  }
  return mirrors_[anchor];
}

/// Is the definition its own mirror image, expanded by a few levels? Sets how many.
bool Matcher::keeps(TermId form, const std::vector<std::int64_t>& extents, Mirror& mirror) {
  Terms::Map map;
  for (std::size_t k = 0; k < mirror.count; ++k) {
    const std::size_t i = mirror.first + k, j = mirror.second + k;
    map.set(static_cast<VarId>(i), t_.var(static_cast<VarId>(j), extents[j]));
    map.set(static_cast<VarId>(j), t_.var(static_cast<VarId>(i), extents[i]));
  }
  try {
    TermId there = form, back = t_.substitute(form, map);
    for (; mirror.levels <= kSymmetryLevels; ++mirror.levels) {
      if (there == back) return true;
      const TermId wider = t_.expand_all(there, 1);
      if (wider == there || t_[wider].size > kMaxSymmetricExpanded) return false;
      there = wider;
      back = t_.expand_all(back, 1);
    }
  } catch (const TermLimit&) {  // no mirror image
  }
  return false;
}

/// A read with its indices exchanged.
std::vector<LinId> Matcher::mirrored(const Mirror& m, std::vector<LinId> index) {
  for (std::size_t k = 0; k < m.count; ++k) std::swap(index[m.first + k], index[m.second + k]);
  return index;
}

/// `target` with the reads that the match took for their mirror images written as the definition has them: equal to it once
/// these are expanded.
std::optional<Match> Matcher::respelled(TermId there, TermId target) {
  const auto expand = [&](TermId t) {
    return t_.content(t_.replace_reads(t, [&](TermId read, TermId facts) -> std::optional<TermId> {
      const auto used = taken_.find(t_.anchor_of(read));
      const auto body = used == taken_.end() ? std::nullopt : t_.definition(read, facts);
      return body ? std::optional(t_.expand_all(*body, used->second)) : std::nullopt;
    }));
  };
  const auto [a, x] = expand(there);
  const auto [b, y] = expand(target);
  if (x != y) return std::nullopt;
  Match m{TermId::Zero, t_.q.mul(b, t_.q.inv(a)), 1, there};
  for (const auto& [anchor, levels] : taken_) m.mirrored.emplace_back(anchor, levels + 1);
  return m;
}

}  // namespace gg::prover
