// Comparisons with integers that are chosen by a condition.
#include <algorithm>
#include <functional>
#include <optional>

#include "prover/term/store.h"

namespace gg::prover {

/// A comparison with an integer case, one branch of which decides it (C5), or of one between numbers with a number.
std::optional<TermId> Terms::by_branch(LinId a, bool equality) {
  const std::vector<LinTerm> list = term_list(a);
  const std::function<bool(TermId)> numbers = [&](TermId id) {
    const TermNode n = (*this)[id];
    return n.kind == Kind::Case ? numbers(kid(id, 1)) && numbers(kid(id, 2)) : n.kind == Kind::Int && is_num(lin(id));
  };
  for (const LinTerm& t : list) {
    const AtomNode atom = (*this)[t.atom];
    const auto by = static_cast<TermId>(atom.arg);
    if (atom.kind != AtomKind::Data || (*this)[by].kind != Kind::Case || ((*this)[by].flags & kHasUnknown) != 0) continue;
    const LinId rest = axpy(-t.coef, atom_form(t.atom), a);
    const auto with = [&](std::size_t branch) {
      const LinId form = axpy(t.coef, as_lin(kid(by, branch)), rest);
      return equality ? eq(form) : ge(form);
    };
    const TermId yes = with(1), no = with(2);
    const auto decided = [](TermId one) { return one == TermId::True || one == TermId::False; };
    if (decided(yes) || decided(no) || (list.size() == 1 && numbers(by))) return count(LemmaId::ComparisonByBranch), choose(kid(by, 0), yes, no);
  }
  return std::nullopt;
}

/// Is this a comparison with an integer that other conditions may tell more of: a case, or a clamp of data?
bool Terms::compares_chosen(TermId guard) const {
  const Kind kind = (*this)[guard].kind;
  if (kind != Kind::Ge && kind != Kind::Eq) return false;
  return std::ranges::any_of(terms(lin(guard)), [&](const LinTerm& t) {
    const AtomNode& atom = (*this)[t.atom];
    if (atom.kind == AtomKind::Clamp) return (*this)[static_cast<LinId>(atom.arg)].data;
    return atom.kind == AtomKind::Data && (*this)[static_cast<TermId>(atom.arg)].kind == Kind::Case;
  });
}

}  // namespace gg::prover
