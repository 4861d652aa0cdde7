// Steps that hold case by case, where a case leaves a branch of the value that they name (certificate.md, section 1: a mark counts where its anchor is read).
#include "prover/engine/branches.h"

#include <algorithm>
#include <array>

#include "prover/term/parts.h"

namespace gg::prover {

Cases cases_of(const Step& step, std::span<const std::int64_t> extents) {
  VarSet own = 0;
  Cases::Cuts cuts;
  for (std::size_t k = 0; k < step.split.size(); ++k) {
    own |= bit(step.split[k]);
    if (k < step.starts.size() && !step.starts[k].empty()) cuts[step.split[k]] = {step.starts[k].begin() + 1, step.starts[k].end()};
  }
  return {own, extents, kMaxOutputCases, cuts};
}

void mark_branches(Terms& t, Step& step, TermId before, std::span<const std::int64_t> extents) {
  const Cases cases = cases_of(step, extents);
  const auto reads = [&](TermId term, AnchorId anchor) {
    const Marks mark{{anchor, 1}};
    return Holding(t, mark).term(term);
  };
  const std::pair whole = step.marks[0];
  const auto hold = [&](const std::vector<std::pair<TermId, int>>& marks) {
    for (std::int64_t c = 0; c < cases.count; ++c) {
      const TermId read = cases.at(t, step.after, c);
      for (const TermId here : {read, t.expand_marked(read, std::array{std::pair{whole.first, 1}})}) {
        std::vector<std::pair<TermId, int>> own = marks;
        std::erase_if(own, [&](const auto& m) { return !reads(here, t.anchor_of(m.first)); });
        const TermId stated = t.expand_marked(here, own), derived = t.expand_all(t.expand_marked(cases.at(t, before, c), own), step.left);
        if (stated != derived && t.write_out(stated, false) != t.write_out(derived, false)) return false;
      }
    }
    return true;
  };
  if (step.split.empty() || hold(step.marks)) return;
  std::vector<std::pair<TermId, int>> more = step.marks;
  const auto mark = [&](TermId part) {
    if (t[part].kind == Kind::Read && std::ranges::none_of(more, [&](const auto& m) { return t.anchor_of(m.first) == t.anchor_of(part); })) more.emplace_back(part, whole.second);
    return false;
  };
  some_part(t, t.anchor(t.anchor_of(whole.first)).form, true, mark, [](TermId) { return true; });
  if (hold(more)) step.marks = std::move(more);
}

}  // namespace gg::prover
