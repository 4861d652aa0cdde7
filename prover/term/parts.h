// Questions about the parts of a term, each of which is looked at once however often it occurs.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "prover/term/form_walk.h"

namespace gg::prover {

/// Is there a part of a term, itself or one of its index forms' included (if `forms`), of which `holds(part)` is true? Each is asked once, and none inside one of which `enters` is not,
/// or inside a form that has none of `flags` (0: of all).
template <class Holds, class Enters>
bool some_part(const Terms& t, TermId id, bool forms, const Holds& holds, const Enters& enters, std::uint16_t flags = 0) {
  SmallMap<bool> terms, seen;
  std::vector<TermId> todo{id};
  std::vector<LinId> inside;
  const auto later = [&](TermId part) { todo.push_back(part); };
  while (!todo.empty() || !inside.empty()) {
    if (!inside.empty()) {
      const LinId form = inside.back();
      inside.pop_back();
      if (seen.find(raw(form)) != nullptr || (flags != 0 && (t.lin_flags(form) & flags) == 0)) continue;
      seen.add(raw(form), true);
      for_each_part(t, form, later, [&](LinId part) { inside.push_back(part); });
      continue;
    }
    const TermId part = todo.back();
    todo.pop_back();
    if (!enters(part) || terms.find(raw(part)) != nullptr) continue;
    terms.add(raw(part), true);
    if (holds(part)) return true;
    for_each_part(t, part, later, [&](LinId form, bool) {
      if (forms) inside.push_back(form); });
  }
  return false;
}

/// Anchors, each with the levels by which its reads are opened.
using Marks = std::vector<std::pair<AnchorId, int>>;

/// Which terms and forms read one of these anchors: a pass leaves the others as they are.
class Holding {
 public:
  Holding(const Terms& terms, const Marks& marks) : t_(terms), marks_(marks) {}

  bool term(TermId id) {
    const TermNode& n = t_[id];
    if ((n.flags & kHasReads) == 0) return false;
    if (const bool* known = terms_.find(raw(id))) return *known;
    const auto marked = [&] { return std::ranges::any_of(marks_, [&](const auto& mark) { return mark.first == t_.anchor_of(id); }); };
    bool holds = n.kind == Kind::Read && marked();
    for_each_part(
        t_, id, [&](TermId part) { holds = holds || term(part); }, [&](LinId form, bool) { holds = holds || lin(form); });
    terms_.add(raw(id), holds);
    return holds;
  }

  bool lin(LinId id) {
    if ((t_.lin_flags(id) & kHasReads) == 0) return false;
    if (const bool* known = forms_.find(raw(id))) return *known;
    bool holds = false;
    for_each_part(
        t_, id, [&](TermId part) { holds = holds || term(part); }, [&](LinId form) { holds = holds || lin(form); });
    forms_.add(raw(id), holds);
    return holds;
  }

 private:
  const Terms& t_;
  const Marks& marks_;
  SmallMap<bool> terms_, forms_;
};

}  // namespace gg::prover
