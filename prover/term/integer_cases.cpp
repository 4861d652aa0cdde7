// Comparisons with integers that are chosen by a condition.
#include <algorithm>
#include <functional>
#include <optional>

#include "prover/term/store.h"

namespace gg::prover {
namespace {
constexpr int kMostChosen = 4;  // cases in one form, each of which doubles what is looked at
}

/// A comparison with an integer case, one branch of which decides it (C5), or of one between numbers with a number.
std::optional<TermId> Terms::by_branch(LinId a, bool equality) {
  const std::vector<LinTerm> list = term_list(a);
  const std::function<bool(TermId)> numbers = [&](TermId id) {
    const TermNode n = (*this)[id];
    return n.kind == Kind::Case ? numbers(kid(id, 1)) && numbers(kid(id, 2)) : n.kind == Kind::Int && is_num(lin(id));
  };
  const auto chosen = [&](const LinTerm& t) {
    const AtomNode& atom = (*this)[t.atom];
    return atom.kind == AtomKind::Data && (*this)[static_cast<TermId>(atom.arg)].kind == Kind::Case && ((*this)[static_cast<TermId>(atom.arg)].flags & kHasUnknown) == 0;
  };
  if (std::ranges::count_if(list, chosen) > kMostChosen) return std::nullopt;
  for (const LinTerm& t : list) {
    if (!chosen(t)) continue;
    const auto by = static_cast<TermId>((*this)[t.atom].arg);
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
