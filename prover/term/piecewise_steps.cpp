#include "prover/term/piecewise_steps.h"

#include <unordered_set>

#include "prover/term/form_walk.h"
#include "prover/term/store.h"

namespace gg::prover {

Constants constants_in(const Terms& t, TermId id) {
  Constants all;
  std::unordered_set<std::uint32_t> terms, forms;  // seen
  const auto visit = [&](auto&& self, TermId part) -> void {
    if ((t[part].flags & (kHasReads | kHasInputs)) == 0 || !terms.insert(raw(part)).second) return;
    if (t[part].kind == Kind::Read) {
      auto& [reads, sums] = all[t.anchor_of(part)];
      const std::vector<LinId> index = t.index_of(part);
      sums.resize(index.size());
      ++reads;
      for (std::size_t k = 0; k < index.size(); ++k) sums[k] = checked_add(sums[k], t[index[k]].c0);
    }
    const auto inside = [&](auto&& again, LinId form) -> void {
      if ((t.lin_flags(form) & (kHasReads | kHasInputs)) == 0 || !forms.insert(raw(form)).second) return;
      for_each_part(
          t, form, [&](TermId of) { self(self, of); }, [&](LinId of) { again(again, of); });
    };
    for_each_part(
        t, part, [&](TermId of) { self(self, of); }, [&](LinId of, bool) { inside(inside, of); });
  };
  visit(visit, id);
  return all;
}

std::optional<Steps> steps_between(const Constants& from, const Constants& to) {
  Steps steps;
  if (from.size() != to.size()) return std::nullopt;
  for (const auto& [anchor, own] : from) {
    const auto other = to.find(anchor);
    if (other == to.end() || other->second.first != own.first) return std::nullopt;
    for (std::size_t k = 0; k < own.second.size(); ++k) {
      const std::int64_t more = checked_add(other->second.second[k], -own.second[k]);
      if (more % own.first != 0) return std::nullopt;
      steps[anchor].push_back(more / own.first);
    }
  }
  return steps;
}

TermId moved(Terms& t, TermId id, const Steps& steps, LinId number) {
  return t.replace_reads(
      id, [&](TermId read, TermId) -> std::optional<TermId> {
        std::vector<LinId> index = t.index_of(read);
        const auto by = steps.find(t.anchor_of(read));
        for (std::size_t k = 0; by != steps.end() && k < index.size(); ++k) index[k] = t.axpy(by->second[k], number, index[k]);
        return t.read(t.anchor_of(read), index);
      },
      true);
}

TermId at_value(Terms& t, TermId id, LinId variable, std::int64_t value) {
  return t.substitute(id, Terms::Map(t[t.terms(variable)[0].atom].var, t.num(value)));
}

}  // namespace gg::prover
