// A value that ranks and places have from different sources (rows that came round a ring, a literal behind the last one) is often what the sequential program
// joins, of other parts, at the rank's own block. It has no condition on the rank there, so that nothing is matched part by part: the block is proposed, and compared case by case.
#include <algorithm>

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"

namespace gg::prover {
namespace {

constexpr std::uint32_t kMaxHome = 600;       ///< size of a value that is compared
constexpr std::uint64_t kHomeSteps = 10'000;  ///< for all proposals of one value
constexpr std::size_t kMaxProposals = 16;

}  // namespace

/// The rank's own blocks of values that are joined by conditions on indices, of something that a term reads.
std::vector<TermId> Matcher::at_home(TermId term) {
  std::vector<AnchorId> joined;
  for (const AnchorId read : reads_of(term)) {
    if (read >= users_.size() || users_[read].size() > kMaxProposals) continue;
    for (const AnchorId user : users_[read])
      if (t_.anchor(user).transparent && std::find(joined.begin(), joined.end(), user) == joined.end()) joined.push_back(user);
  }
  std::vector<TermId> out;
  for (const AnchorId anchor : joined) {
    const std::vector<LinId> index = home(t_.anchor(anchor).extents);
    const TermId read = index.empty() || t_.anchor(anchor).sort != t_[term].sort ? TermId::Unknown : t_.read(anchor, index);
    if (t_[read].kind == Kind::Read && t_.anchor_of(read) == anchor) out.push_back(read);
  }
  return out;
}

/// The step from a value of several sources to the sequential value of which it is the rank's block.
std::optional<Step> Engine::at_home(std::span<const std::int64_t> extents, TermId t) {
  if (t_[t_.content(t).second].kind != Kind::Case || t_[t].size > kMaxHome || (t_[t].flags & kHasUnknown) != 0) return std::nullopt;
  try {
    const StepBudget budget(t_, kHomeSteps);
    for (const TermId read : matcher_.at_home(t)) {
      Step step{t_.expand_marked(read, std::array{std::pair{read, 1}}), {{read, 1}}, 0};
      const TermId block = step.after;
      split_refused(step, t, extents);
      VarSet set = 0;
      Cases::Cuts cuts;
      for (std::size_t k = 0; k < step.split.size(); ++k) {
        set |= bit(step.split[k]);
        if (k < step.starts.size() && !step.starts[k].empty()) cuts[step.split[k]] = {step.starts[k].begin() + 1, step.starts[k].end()};
      }
      const Cases cases(set, extents, kMaxOutputCases, cuts);
      bool same = !cases.vars.empty();
      for (std::int64_t c = 0; c < cases.count && same; ++c) same = cases.at(t_, t, c) == cases.at(t_, block, c);
      step.after = read;
      if (same) return step;
    }
  } catch (const TermLimit&) {
    // Of very many places, part by part.
  }
  return std::nullopt;
}

}  // namespace gg::prover
