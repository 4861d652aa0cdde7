// A shard of pieces (two chunks, rows gathered in another order) as one read: the condition on the place goes into the index,
// where it is a table of the places.
#include "prover/engine/engine.h"

namespace gg::prover {

/// Reads of one sequential value in all branches of a distinction by index guards as one read: case(g, s[i], s[j]) is
/// s[case(g, i, j)].
std::optional<TermId> Engine::join_reads(TermId t) {
  struct Whole {
    RatId coef;
    AnchorId anchor;
    std::vector<LinId> index;
  };
  const auto join = [&](auto&& self, TermId id) -> std::optional<Whole> {
    const auto [coef, rest] = t_.content(id);
    const TermNode n = t_[rest];
    if (n.kind == Kind::Read) return Whole{coef, t_.anchor_of(rest), t_.index_of(rest)};
    if (n.kind != Kind::Case || n.sort != Sort::Real) return std::nullopt;
    const TermId g = t_.kid(rest, 0);
    if (!t_.index_guard(g) || (t_[g].flags & (kHasReads | kHasInputs)) != 0) return std::nullopt;
    const auto a = self(self, t_.kid(rest, 1));
    if (!a) return std::nullopt;
    const auto b = self(self, t_.kid(rest, 2));
    if (!b || a->coef != b->coef || a->anchor != b->anchor) return std::nullopt;
    Whole both{t_.q.mul(coef, a->coef), a->anchor, {}};
    for (std::size_t k = 0; k < a->index.size(); ++k) {
      const LinId i = a->index[k], j = b->index[k];
      both.index.push_back(i == j ? i : t_.as_lin(t_.choose(g, t_.integer(i), t_.integer(j))));
    }
    return both;
  };
  constexpr std::uint32_t kMaxOfTable = 1000;  // size of a case of pieces whose index is a table; of more each has a name of its own
  if (t_[t_.content(t).second].kind != Kind::Case || t_[t].size > kMaxOfTable) return std::nullopt;
  const auto whole = join(join, t);
  if (!whole) return std::nullopt;
  const TermId read = t_.scale(whole->coef, t_.read(whole->anchor, whole->index));
  return trivial(read) ? std::optional(read) : std::nullopt;
}

}  // namespace gg::prover
