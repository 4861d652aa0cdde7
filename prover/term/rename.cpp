// Renaming of anchors. What constructors say of a term they say of it with other anchors of which the same is known, so nodes are
// copied; what hangs on the order of numbers is made anew.
#include <algorithm>

#include "prover/term/rebuild.h"

namespace gg::prover {

class AnchorRenamer : public Rebuilder {
 public:
  AnchorRenamer(Terms& terms, std::span<const AnchorId> from, std::span<const AnchorId> to, bool copies)
      : Rebuilder(terms), from_(from), to_(to), copies_(copies) {}

  /// A copied node has kids in another order.
  bool reordered = false;

  TermId term(TermId id) override {
    const TermNode n = t_[id];
    if (untouched(n.flags)) return id;
    if (const TermId* known = memo_.find(raw(id))) return *known;
    const bool several = n.kind == Kind::Fold && t_.fold_parts(id).extents.size() > 1;  // their order hangs on the anchors
    const TermId result = n.kind == Kind::Read ? read(id) : several || (!copies_ && n.kind == Kind::Fold) ? fold(id)
                                                        : copies_ || n.kind == Kind::Row                  ? copy(id, n)
                                                                                                          : rebuild(id);
    memo_.add(raw(id), result);
    return result;
  }
  LinId lin(LinId id) override { return untouched(t_.lin_flags(id)) ? id : Rebuilder::lin(id); }

 protected:
  LinId variable(const AtomNode&, AtomId id) override { return t_.atom_form(id); }

 private:
  static bool untouched(std::uint16_t flags) { return (flags & (kHasReads | kHasInputs)) == 0; }

  TermId read(TermId id) {
    std::vector<LinId> index = t_.index_of(id);
    for (LinId& l : index) l = lin(l);
    const auto it = std::find(from_.begin(), from_.end(), t_.anchor_of(id));
    return t_.plain_read(it == from_.end() ? t_.anchor_of(id) : to_[static_cast<std::size_t>(it - from_.begin())], index);
  }
  TermId fold(TermId id) {
    const Opened o = t_.open(id);
    const TermId guard = term(o.guard), body = term(o.bodies[0]);
    return t_.name_fold(static_cast<ScalarFn>(t_[id].op), o.vars, guard, body);
  }

  TermId copy(TermId id, const TermNode& n) {
    const auto old = t_.kids(id);
    std::vector<std::uint32_t> kids(old.begin(), old.end());
    const std::vector<std::uint32_t> before = kids;
    std::uint32_t reads = 0;
    const auto terms = [&](std::size_t from, std::size_t to, std::size_t step) {
      for (std::size_t k = from; k < to; k += step) {
        const TermId kid = term(static_cast<TermId>(kids[k]));
        kids[k] = raw(kid);
        reads += t_[kid].reads;
      }
      if (step == 1 && from > 0) return;
      for (std::size_t k = from + step; k < to; k += step)
        reordered = reordered || (before[k - step] < before[k] && kids[k] < kids[k - step]);
    };
    switch (n.kind) {
      case Kind::Int:
      case Kind::FromInt:
      case Kind::Ge:
      case Kind::Eq:
      case Kind::Wrap: kids[0] = raw(lin(t_.lin(id))); break;
      case Kind::Mono: terms(0, kids.size(), 2); break;
      case Kind::Poly: terms(1, kids.size(), 2); break;
      case Kind::Fold: terms(kids.size() - 2, kids.size(), 1); break;
      case Kind::Row: {
        const std::size_t count = 4 + 2 * std::size_t{kids[3]}, first = count + 1;
        for (std::size_t k = first; k < first + kids[count]; ++k) kids[k] = raw(lin(static_cast<LinId>(kids[k])));
        terms(first + kids[count], kids.size(), 1);
        break;
      }
      case Kind::Case:
        terms(0, 1, 1);
        reordered = reordered || kids[0] != before[0];
        terms(1, 3, 1);
        break;
      default: terms(0, kids.size(), 1);
    }
    return t_.copy(id, kids, reads);
  }

  std::span<const AnchorId> from_, to_;
  bool copies_;
  SmallMap<TermId> memo_;
};

TermId Terms::rename_anchors(TermId id, std::span<const AnchorId> from, std::span<const AnchorId> to, bool keep_order) {
  AnchorRenamer copying(*this, from, to, true);
  const TermId result = copying.term(id);
  return keep_order || !copying.reordered ? result : AnchorRenamer(*this, from, to, false).term(id);
}

TermId Terms::copy(TermId id, std::span<const std::uint32_t> kids, std::uint32_t reads) {
  TermNode node = (*this)[id];
  node.reads = reads;
  return make(node, kids);
}

}  // namespace gg::prover
