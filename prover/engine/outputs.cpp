// The claims of the relation: both sides of each output as terms, expanded level by level until they meet.
#include <algorithm>
#include <bit>
#include <unordered_map>

#include "prover/engine/cases.h"
#include "prover/engine/engine.h"
#include "prover/term/store.h"
#include "prover/term/text.h"

namespace gg::prover {
namespace {

constexpr int kFirstLevels = 1, kOutputLevels = 24;
constexpr int kBlockDepth = 2;
constexpr std::uint32_t kFewNodes = 150, kMaxFinite = 2000;  ///< of a side that is opened
constexpr std::int64_t kMaxBlocks = 16;
constexpr std::uint32_t kMaxOutput = 5000;
constexpr std::uint64_t kOutputSteps = 40'000;  ///< to compare one output
constexpr std::uint64_t kAllSteps = 60'000;     ///< to compare all, but for
constexpr std::uint64_t kLeastSteps = 1'000;    ///< those that every output has
constexpr std::uint64_t kCaseSteps = 150'000;   ///< to compare one output case by case
constexpr std::uint64_t kAllCaseSteps = 400'000;

/// A budget for one output out of that for all; what is used of it is counted, also when it is exceeded.
class Spending {
 public:
  Spending(Terms& terms, std::uint64_t& used, std::uint64_t all, std::uint64_t one)
      : t_(terms), used_(used), before_(terms.steps()), budget_(terms, std::clamp(all - std::min(all, used), kLeastSteps, one)) {}
  ~Spending() { used_ += t_.steps() - before_; }
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;

 private:
  Terms& t_;
  std::uint64_t& used_;
  std::uint64_t before_;
  StepBudget budget_;
};

}  // namespace

std::optional<OutputLine> Engine::prove_output(std::size_t k, std::string& why, OutputSteps& steps) {
  std::optional<Spending> making(std::in_place, t_, steps.whole, kAllSteps, kOutputSteps);
  const OutputClaim& claim = case_.relation.outputs[k];
  const TermId guard = importer_.guard(claim.compared, claim.extents);
  const auto side = [&](const Side& s, ExprId e) {
    return importer_.expression(e, claim.extents, [&](int leaf, std::span<const LinId> index) {
      const FlatValue v = s.flat.outputs[static_cast<std::size_t>(leaf)];
      return at(s.conclusions[s.first_leaf[v.node] + v.leaf], index);
    });
  };
  const auto guarded = [&](TermId t) { return t_.choose(guard, t, t_.unit(ScalarFn::Add, t_[t].sort)); };
  const TermId left = guarded(side(distributed_, claim.distributed)), right = guarded(side(sequential_, claim.sequential));
  why = "distributed " + TermText(t_).term(left) + "  sequential " + TermText(t_).term(right);
  if (why.size() > 4000) why.resize(4000);
  if (((t_[left].flags | t_[right].flags) & kHasUnknown) != 0) {
    why = "an unknown value: " + why;
    return std::nullopt;
  }
  const std::ptrdiff_t refusals = refused("output " + std::to_string(k), static_cast<std::uint32_t>(attempt));
  if (refusals > 1) {
    why = "the checker does not see this: " + why;
    return std::nullopt;
  }
  making.reset();
  auto line = compare(left, right, claim.extents, refusals, true, steps);
  if (line) line->leaf = static_cast<std::uint32_t>(k);
  return line;
}

/// How two terms are seen to be one, by the cheapest way; where the right one is `finite`, if that is enough.
std::optional<OutputLine> Engine::compare(TermId left, TermId right, std::span<const std::int64_t> extents, std::ptrdiff_t refusals, bool finite, OutputSteps& steps) {
  const std::vector<VarId> split = refusals == 1 ? small_cases(left, right, extents) : std::vector<VarId>();
  const bool whole = refusals == 0 || !split.empty();
  const auto by_levels = [&](bool outside, int most) -> std::optional<OutputLine> {
    const auto levels = whole ? meet(left, right, extents, outside, most) : std::nullopt;
    return levels ? std::optional(OutputLine{0, levels->first, levels->second, split}) : std::nullopt;
  };
  const auto opened = [&](int steps_apart, std::uint32_t most) -> std::optional<OutputLine> {
    auto values = refusals == 0 && t_[left].sort == Sort::Real ? meet_opened({{left, right}}, finite ? std::optional(extents) : std::nullopt, steps_apart, most) : std::nullopt;
    return values ? std::optional(OutputLine{0, 0, 0, {}, {}, *std::move(values)}) : std::nullopt;
  };
  std::optional<OutputLine> line;
  std::optional<TermLimit> limit;  // of the last way that was tried
  const auto otherwise = [&](std::uint64_t& used, std::uint64_t all, std::uint64_t one, const auto& way) {
    if (line) return;
    limit.reset();
    try {
      const Spending budget(t_, used, all, one);
      line = way();
    } catch (const TermLimit& found) {
      limit = found;
    }
  };
  otherwise(steps.whole, kAllSteps, kOutputSteps, [&] { return by_levels(false, kFirstLevels); });
  bool fits = !limit;
  std::uint64_t few = 0;
  otherwise(few, kLeastSteps, kLeastSteps, [&] { return opened(1, kFewNodes); });  // whatever else there is
  if (fits) otherwise(steps.whole, kAllSteps, kOutputSteps, [&] { return by_levels(false, kOutputLevels); });
  fits = fits && !limit;
  // A scalar may be short when it is written out, cases of parts and of iterations are so one by one; others where little of them is opened.
  const bool written = fits || attempt == Attempt::Parts || attempt == Attempt::UnrollAll || attempt == Attempt::UnrollLost || (t_[left].free | t_[right].free) == 0;
  otherwise(steps.outside, kAllSteps, kOutputSteps, [&] {
    auto met = written && refusals == 0 ? by_levels(true, kOutputLevels) : std::nullopt;
    for (const int steps_apart : {1, 3})
      if (written && !met) met = opened(steps_apart, kMaxFinite);
    return met;
  });
  otherwise(steps.cases, kAllCaseSteps, kCaseSteps, [&] { return meet_by_cases(extents, left, right, written ? kDeepLevels : kShallowLevels, false); });
  const std::optional<TermLimit> of_cases = limit;
  otherwise(steps.binders, kAllCaseSteps, kCaseSteps, [&] { return meet_by_cases(extents, left, right, kShallowLevels, true); });
  if (!line && of_cases) throw TermLimit(*of_cases);
  return line;
}

/// Are both the same for each block of a variable that a case of one of them tells apart? (The checker finds such a test itself.)
bool Engine::agree(TermId a, TermId b, std::span<const std::int64_t> extents, int depth) {
  if (a == b) return true;
  for (const TermId side : {a, b}) {
    const TermId shape = t_.content(side).second;
    if (depth == 0 || t_[shape].kind != Kind::Case || !t_.index_guard(t_.kid(shape, 0))) continue;
    const TermId test = t_.kid(shape, 0);
    const auto v = static_cast<VarId>(std::countr_zero(t_[test].free));
    if (v >= extents.size() || t_[test].free != bit(v)) continue;  // v is no variable where the test has none
    const std::vector<std::int64_t> cuts = t_.cuts_of(test, v);
    const std::int64_t block = cuts.empty() ? 1 : cuts.front();
    if (extents[v] % block != 0 || extents[v] / block > kMaxBlocks) continue;
    bool all = true;
    for (std::int64_t first = 0; first < extents[v] && all; first += block) {
      const Terms::Map map(v, t_.offset(t_.var(v, block), first));
      std::vector<std::int64_t> inside(extents.begin(), extents.end());
      inside[v] = block;
      all = agree(t_.substitute(a, map), t_.substitute(b, map), inside, depth - 1);
    }
    return all;
  }
  return false;
}

/// The levels, at most as many as told, to which both sides are expanded to be the same term, cases `outside` of what is computed with them or as they are.
std::optional<std::pair<int, int>> Engine::meet(TermId left, TermId right, std::span<const std::int64_t> extents, bool outside, int most) {
  std::unordered_map<std::uint32_t, int> lefts, rights;
  const auto spelled = [&](TermId t) { return outside ? t_.cases_outside(t) : t; };
  left = spelled(left);
  right = spelled(right);
  for (int level = 0; level <= most; ++level) {
    lefts.try_emplace(raw(left), level);
    rights.try_emplace(raw(right), level);
    if (const auto it = rights.find(raw(left)); it != rights.end()) return std::pair{lefts[raw(left)], it->second};
    if (const auto it = lefts.find(raw(right)); it != lefts.end()) return std::pair{it->second, rights[raw(right)]};
    if (outside && agree(left, right, extents, kBlockDepth)) return std::pair{level, level};
    const TermId wider = spelled(t_.expand_all(left, 1)), wider_right = spelled(t_.expand_all(right, 1));
    if ((wider == left && wider_right == right) || t_[wider].size > kMaxOutput || t_[wider_right].size > kMaxOutput) break;
    left = wider;
    right = wider_right;
  }
  return std::nullopt;
}

void Engine::prove_outputs(ProofResult& result) {
  result.proved = true;
  bool any = false, empty = false;  // outputs that are compared; one of them without elements
  bool limited = pending_ == 0;     // all values are related, and each output that is open has met a limit
  OutputSteps steps;
  for (std::size_t k = 0; k < case_.relation.outputs.size(); ++k) {
    OutputProof proof;
    if (case_.relation.outputs[k].kind == OutputClaim::Kind::Ignored) {
      proof.text = "ignored";
      result.outputs.push_back(proof);
      continue;
    }
    any = true;
    if (!compares(*case_.arena, case_.relation.outputs[k])) {
      empty = true;
      result.proved = false;
      result.outputs.push_back({false, "no element of it is compared"});
      continue;
    }
    try {
      if (const auto line = prove_output(k, proof.text, steps)) {
        outputs_.push_back(*line);
        proof = {true, ""};
      } else limited = false;
    } catch (const TermLimit& limit) {
      proof.text = proof.text.empty() ? limit.what() : std::string(limit.what()) + ": " + proof.text;
    }
    result.proved = result.proved && proof.proved;
    result.outputs.push_back(proof);
  }
  if (!any || empty) {
    result.proved = false;
    result.reason = Reason::NotCompared;
  } else if (!result.proved) {
    result.reason = limited ? Reason::Limit : Reason::NoLemma;
  }
}

}  // namespace gg::prover
