// Expansion of reads by the definitions of their anchors, where the guards around a read keep its indices in the box.
#include <algorithm>

#include "prover/term/rebuild.h"

namespace gg::prover {
namespace {

class Expander : public Guarded {
 public:
  Expander(Terms& terms, int all, std::span<const std::pair<TermId, int>> marks)
      : Guarded(terms, TermId::True), all_(all), marks_(marks) {}

  TermId term(TermId id) override {
    const TermNode n = t_[id];
    if ((n.flags & kHasReads) == 0) return id;
    const PairKey key{raw(id), raw(facts_)};
    if (const TermId* known = memo_.find(key)) return *known;
    const TermId result = step(id, n);
    memo_.set(key, result);
    return result;
  }

  LinId lin(LinId id) override { return (t_.lin_flag(id) & kHasReads) == 0 ? id : Rebuilder::lin(id); }

 private:
  TermId step(TermId id, const TermNode& n) {
    if (n.kind == Kind::Read) {
      int levels = all_;
      for (const auto& [mark, k] : marks_)
        if (mark == id) levels = std::max(levels, k);
      std::optional<TermId> body;
      if (levels > 0) body = t_.definition(id, facts_);
      if (!body) return rebuild(id);
      return levels == 1 ? *body : Expander(t_, levels - 1, facts_).term(*body);
    }
    if (n.kind == Kind::Fold || n.kind == Kind::Row) return binder(id);
    if (n.kind == Kind::Case) {
      const TermId g = term(t_.kid(id, 0));
      const TermId a = g == TermId::False ? TermId::Unknown : under(g, t_.kid(id, 1));
      const TermId b = g == TermId::True ? TermId::Unknown : under(t_.negate(g), t_.kid(id, 2));
      return g == TermId::False ? b : g == TermId::True ? a : t_.choose(g, a, b);
    }
    return rebuild(id);
  }
  Expander(Terms& terms, int all, TermId facts) : Guarded(terms, facts), all_(all) {}

  int all_;
  std::span<const std::pair<TermId, int>> marks_;
  PairMap<TermId> memo_;
};

}  // namespace

std::optional<TermId> Terms::definition(TermId read, TermId facts) {
  const AnchorId number = anchor_of(read);
  const Anchor& a = anchor(number);
  if (a.kind != AnchorKind::Value || a.form == TermId::Unknown) return std::nullopt;  // a carry before its loop is complete
  const std::vector<LinId> index = index_of(read);
  const std::vector<TermId> known = conjuncts(facts);
  Map map;
  for (std::size_t k = 0; k < index.size(); ++k) {
    const std::int64_t extent = anchor(number).extents[k];
    if (!implied(index[k], known, kImpliedDepth) || !implied(offset(scale(-1, index[k]), extent - 1), known, kImpliedDepth)) return std::nullopt;
    map.set(static_cast<VarId>(k), index[k]);
  }
  return substitute(anchor(number).form, map);
}

TermId Terms::expand_all(TermId id, int levels) {
  return levels <= 0 ? id : Expander(*this, levels, std::span<const std::pair<TermId, int>>()).term(id);
}

TermId Terms::expand_marked(TermId id, std::span<const std::pair<TermId, int>> marks) {
  return marks.empty() ? id : Expander(*this, 0, marks).term(id);
}

}  // namespace gg::prover
