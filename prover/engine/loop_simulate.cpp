// Loops whose number of iterations is data: a distributed one follows a sequential one step by step (docs/certificate.md, section 8,
// simulation). The sequential carries become anchors for any state of the loop; their names serve for the last one too.
#include <algorithm>

#include "models/ir/kinds.h"
#include "prover/engine/loop.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxPlacements = 16;  ///< tried for one carry

}  // namespace

/// The condition over these carries. It has no lines: what has no body in it is anything.
TermId LoopSearch::condition_over(const std::vector<TermId>& inputs) {
  Engine::Side frame{side_.which, side_.module, side_.bodies, condition_, side_.times, 1};  // none of the list: only to be laid out as a body is
  e_.layout(frame);
  for (std::size_t k = 0; k < inputs.size(); ++k) frame.at(condition_.inputs[k]) = inputs[k];
  for (std::uint32_t node = 0; node < condition_.nodes.size(); ++node) {
    const InstructionId id = condition_.nodes[node].instruction;
    if (is_parameter(*side_.module, id)) continue;
    for (std::uint32_t leaf = 0; leaf < side_.module->type(id).leaves().size(); ++leaf) frame.at({node, leaf}) = e_.body_of(frame, node, leaf);
  }
  return frame.at(condition_.outputs.at(0));
}

/// A sequential loop: its leaves as opaque values, its body over them.
bool LoopSearch::open() {
  Engine::OpenLoop loop{e_.name_of(side_, node_), {}, {}, {}, false, TermId::Unknown, side_.times};
  loop.certain = side_.frame == 0 && loop.name.find('@') == std::string::npos;
  std::vector<TermId> state;
  for (std::uint32_t k = 0; k < carries_.size(); ++k) {
    loop.initial.push_back(side_.at(side_.flat.operands(side_.flat.nodes[node_])[k]));
    e_.take_gap(side_, node_, k, "");
    state.push_back(side_.at({node_, k}));
    loop.state.push_back(t_.anchor_of(state.back()));
    carry(loop.state.back(), k, loop.initial.back());
  }
  loop.results = walk_once(state);
  NotFinite not_finite;
  for (std::uint32_t k = 0; k < carries_.size(); ++k)
    if (e_.places_[loop.state[k]].finite && !t_.attributes(loop.results[k]).finite) not_finite.carries.push_back(finite_key(k));
  if (!not_finite.carries.empty()) throw not_finite;
  loop.condition = condition_over(state);
  e_.loops_.push_back({{side_.which, node_, 0, side_.frame}, false, 0, {}, LoopRecord::kAnyState});
  e_.open_loops_.push_back(std::move(loop));
  return true;
}

std::string LoopSearch::finite_key(std::uint32_t leaf) const { return e_.name_of(side_, node_) + " " + std::to_string(leaf); }

/// Where a distributed carry of these extents can lie in a sequential one: a shard over some rank digits, major first.
std::vector<std::vector<LinId>> LoopSearch::placements(const std::vector<std::int64_t>& whole, const std::vector<std::int64_t>& own) {
  const std::size_t digits = e_.digits_of(side_), context = digits + side_.times.size();
  std::vector<std::vector<LinId>> all{{}};
  for (std::size_t k = digits; k < context; ++k) all[0].push_back(t_.var(static_cast<VarId>(k), side_.times[k - digits]));
  const std::vector<Digit>& mesh = side_.bodies->digits().digits();
  for (std::size_t d = 0; d < whole.size(); ++d) {
    const LinId v = t_.var(static_cast<VarId>(context + d), own[d]);
    std::vector<LinId> choices;
    const auto extend = [&](auto&& self, std::int64_t quotient, LinId offset, VarSet used) -> void {
      if (quotient == 1) choices.push_back(t_.axpy(own[d], offset, v));
      for (std::size_t m = 0; quotient > 1 && m < mesh.size(); ++m) {
        const auto id = static_cast<VarId>(m);
        if (mesh[m].extent == 1 || quotient % mesh[m].extent != 0 || (used & bit(id)) != 0) continue;
        self(self, quotient / mesh[m].extent, t_.add(t_.scale(mesh[m].extent, offset), t_.var(id, mesh[m].extent)), used | bit(id));
      }
    };
    if (own[d] > 0 && whole[d] % own[d] == 0) extend(extend, whole[d] / own[d], LinId::Zero, 0);
    std::vector<std::vector<LinId>> longer;
    for (const std::vector<LinId>& index : all) {
      for (const LinId c : choices) {
        if (longer.size() == kMaxPlacements) break;
        longer.push_back(index);
        longer.back().push_back(c);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// `term` with the carries of a sequential loop replaced by what they are at some moment.
TermId LoopSearch::moment(const Engine::OpenLoop& s, TermId term, const std::vector<TermId>& values) {
  return t_.replace_reads(term, [&](TermId read, TermId) -> std::optional<TermId> {
    const auto it = std::find(s.state.begin(), s.state.end(), t_.anchor_of(read));
    if (it == s.state.end()) return std::nullopt;
    const std::vector<LinId> index = t_.index_of(read);
    return e_.at(values[static_cast<std::size_t>(it - s.state.begin())], index);
  });
}

/// Where each carry may lie, as its initial value shows; where that tells nothing, as those of the same extents do.
bool LoopSearch::guesses_from_state(const Engine::OpenLoop& s) {
  std::map<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>, TermId> shown;
  std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> shapes;
  const std::size_t digits = e_.digits_of(side_), times = side_.times.size();
  for (std::uint32_t k = 0; k < carries_.size(); ++k) {
    Carry& c = carries_[k];
    c.value.reset();
    c.guesses.clear();
    c.initial = side_.at(side_.flat.operands(side_.flat.nodes[node_])[k]);
    const std::vector<std::int64_t> all = e_.extents_of(side_, node_, k).all;
    const std::vector<std::int64_t> own(all.begin() + static_cast<std::ptrdiff_t>(digits + times), all.end());
    std::vector<std::int64_t> whole = t_.anchor(s.state[k]).extents;
    whole.erase(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(times));
    shapes.emplace_back(whole, own);
    if (own.size() != whole.size() || t_.anchor(s.state[k]).sort != sort_of(e_.extents_of(side_, node_, k).type)) return false;
    for (const std::vector<LinId>& index : placements(whole, own)) {
      const TermId term = t_.read(s.state[k], index);
      if (moment(s, term, s.initial) == c.initial) c.guesses.push_back({term});
    }
    if (c.guesses.size() == 1) shown.emplace(shapes.back(), c.guesses[0].value);
  }
  for (std::size_t k = 0; k < carries_.size(); ++k) {
    const auto it = shown.find(shapes[k]);
    if (it == shown.end() || carries_[k].guesses.size() < 2) continue;
    const std::vector<LinId> index = t_.index_of(it->second);
    const TermId like = t_.read(s.state[k], index);
    std::stable_partition(carries_[k].guesses.begin(), carries_[k].guesses.end(), [&](const Guess& g) { return g.value == like; });
  }
  return true;
}

/// Does this loop follow that one? Carries that do not are fresh values, on which nothing else may hang.
bool LoopSearch::follow(const Engine::OpenLoop& s) {
  if (s.state.size() != carries_.size() || s.times != side_.times || !guesses_from_state(s)) return false;
  const Snapshot before = snapshot();
  std::vector<std::size_t> tried(carries_.size(), 0);
  for (int round = 0; round < kLoopRounds; ++round) {
    roll_back(before);
    std::vector<TermId> inputs;
    std::size_t related = 0;
    for (std::uint32_t k = 0; k < carries_.size(); ++k) {
      Carry& c = carries_[k];
      c.leaf = {};
      const bool named = tried[k] < c.guesses.size();
      if (named) side_.at({node_, k}) = c.leaf.value = c.guesses[tried[k]].value;
      else e_.take_gap(side_, node_, k, "it follows no value of the sequential loop");
      if (!named) c.leaf.anchor = t_.anchor_of(side_.at({node_, k}));
      related += named ? 1 : 0;
      inputs.push_back(side_.at({node_, k}));
    }
    if (related == 0) break;
    const std::vector<TermId> results = walk_once(inputs);
    bool steady = true;
    for (std::uint32_t k = 0; k < carries_.size(); ++k) {
      if (carries_[k].leaf.anchor || follows(s, carries_[k], k, results[k])) continue;
      ++tried[k];
      steady = false;
    }
    if (!steady) continue;
    if (condition_over(inputs) != s.condition) break;
    LoopRecord record{{side_.which, node_, 0, side_.frame}, false, 0, {}, s.name};
    for (const Carry& c : carries_) record.leaves.push_back(c.leaf);
    e_.loops_.push_back(std::move(record));
    e_.instructions_ += related;
    e_.related_ += related;
    return true;
  }
  roll_back(before);
  return false;
}

/// One iteration of a carry: what the body makes of it is what the sequential body makes of its counterpart.
bool LoopSearch::follows(const Engine::OpenLoop& s, Carry& c, std::uint32_t leaf, TermId derived) {
  const std::ptrdiff_t refusals = e_.refused(e_.name_of(side_, node_), leaf);
  const TermId stated = refusals > 1 ? TermId::Unknown : moment(s, c.leaf.value, s.results);
  if ((t_[stated].flags & kHasUnknown) != 0 || !meets(c, stated, derived)) return false;
  if (refusals == 1) c.leaf.split = e_.small_cases(stated, derived, e_.extents_of(side_, node_, leaf).all);
  return true;
}

LoopSearch::End LoopSearch::simulate() {
  if (side_.which == Which::Sequential) return open() ? End::Unknown : End::NotWalked;
  const Snapshot before = snapshot();
  for (std::size_t k = 0; k < e_.open_loops_.size(); ++k) {
    try {
      if (follow(e_.open_loops_[k])) return e_.open_loops_[k].certain ? End::Shown : End::Unknown;
    } catch (const TermLimit&) {
      roll_back(before);
    }
  }
  return End::NotWalked;
}

}  // namespace gg::prover
