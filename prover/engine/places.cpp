// Sequential values taken from slots that are numbered by counts (a token's row in the buffer of its expert), or from rows that were sorted: what they are of the places
// that were counted, or of the elements.
#include <algorithm>

#include "prover/engine/engine.h"
#include "prover/term/form_walk.h"
#include "prover/term/groups.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxChain = 24;      ///< values one after the other between the slots and what was put there
constexpr std::uint32_t kMaxPlaces = 400;  ///< size on the way

/// Is a count of the data in the form, as a summand, or the place where an element of a sorted row came to?
bool counts(const Terms& t, LinId form) {
  const auto list = t.terms(form);
  return std::any_of(list.begin(), list.end(), [&](const LinTerm& s) {
    const auto number = static_cast<TermId>(t[s.atom].arg);
    return t[s.atom].kind == AtomKind::Data && (t[number].kind == Kind::Fold || own_place(t, number));
  });
}

bool counts(const Terms& t, TermId id) {
  LinVisitor visit(t, ~VarSet{0});
  visit.term(id);
  return std::any_of(visit.lins.begin(), visit.lins.end(), [&](LinId l) { return counts(t, l); });
}

}  // namespace

/// A place within what has the same key: the sum that it is, which is at least 1.
std::vector<Step> Engine::own_counts(TermId t) {
  Step step{t, {}, 0};
  LinVisitor visit(t_, ~VarSet{0});
  visit.term(t);
  for (const LinId form : visit.lins) {
    for (const LinTerm& s : t_.term_list(form)) {
      const auto read = static_cast<TermId>(t_[s.atom].arg);
      if (t_[s.atom].kind != AtomKind::Data || t_[read].kind != Kind::Read || t_[t_.anchor(t_.anchor_of(read)).form].kind != Kind::Fold) continue;
      const std::vector<LinId> index = t_.index_of(read);
      if (std::any_of(index.begin(), index.end(), [&](LinId l) { return t_[l].data; })) step.marks.emplace_back(read, 1);
    }
  }
  step.after = step.marks.empty() ? t : t_.expand_marked(t, step.marks);
  return step.after == t || t_[step.after].size > kMaxTrivial ? std::vector<Step>() : std::vector<Step>{std::move(step)};
}

/// The steps at whose end no count is left; none if there is no such end.
std::vector<Step> Engine::off_slots(const Side& side, TermId t) {
  std::vector<Step> steps;
  if (!t_.has_counts() || !side.times.empty() || (t_[t].flags & kHasReads) == 0) return {};
  if (t_[t].kind == Kind::Int) return own_counts(t);
  if (t_[t].sort != Sort::Real) return {};
  const bool sorted = sorted_back(t_, t);
  for (TermId now = t; steps.size() < kMaxChain; now = steps.back().after) {
    Step step{now, {}, 0};
    if (sorted) step.marks = numbers_in(t_, now);
    for (const TermId read : step.marks.empty() ? t_.reads_in(now) : std::vector<TermId>()) {  // the last of these values alone: no definition brings it back
      const std::vector<LinId> index = t_.index_of(read);
      const bool from_slot = std::any_of(index.begin(), index.end(), [&](LinId l) { return counts(t_, l); });
      const AnchorId anchor = t_.anchor_of(read), last = step.marks.empty() ? anchor : t_.anchor_of(step.marks[0].first);
      if (anchor < last || !(from_slot || counts(t_, t_.anchor(anchor).form))) continue;
      if (anchor > last) step.marks.clear();
      step.marks.emplace_back(read, 1);
    }
    if (step.marks.empty()) break;
    step.after = t_.expand_marked(now, step.marks);
    if (step.after == now || t_[step.after].size > kMaxPlaces) return {};
    steps.push_back(std::move(step));
  }
  return steps.empty() || counts(t_, steps.back().after) ? std::vector<Step>() : steps;
}

}  // namespace gg::prover
