// Distributed loops: candidate relations per carry, tried until what is left is stable.
#include <algorithm>

#include "models/base/check.h"
#include "prover/engine/loop.h"

namespace gg::prover {
LoopSearch::Snapshot LoopSearch::snapshot() const {
  return {e_.records_.size(), e_.islands_.size(), e_.loops_.size(), e_.frames_.size(), e_.related_, e_.pending_,
          e_.instructions_, e_.assumptions_.size(), e_.open_.size(), static_cast<AnchorId>(t_.anchors())};
}

void LoopSearch::roll_back(const Snapshot& s) {
  e_.records_.erase(e_.records_.begin() + static_cast<std::ptrdiff_t>(s.records), e_.records_.end());
  e_.islands_.erase(e_.islands_.begin() + static_cast<std::ptrdiff_t>(s.islands), e_.islands_.end());
  e_.loops_.erase(e_.loops_.begin() + static_cast<std::ptrdiff_t>(s.loops), e_.loops_.end());
  e_.assumptions_.resize(s.assumptions);
  e_.open_.erase(e_.open_.begin() + static_cast<std::ptrdiff_t>(s.open), e_.open_.end());
  while (e_.frames_.size() > s.frames) e_.frames_.pop_back();
  e_.places_.erase(e_.places_.lower_bound(s.anchors), e_.places_.end());
  e_.related_ = s.related;
  e_.pending_ = s.pending;
  e_.instructions_ = s.instructions;
}

/// A match of a sequential carry's pattern as a term for every time. `timed`: the pattern has the time as a parameter.
void LoopSearch::guess(Carry& c, const Match& m, const LoopMemory::Carry& s, bool timed) {
  std::vector<LinId> index = t_.index_of(m.read);
  if (timed && index[s.times] != now()) return;
  if (timed) index.erase(index.begin() + static_cast<std::ptrdiff_t>(s.times));
  for (const LinId l : index)
    if ((t_[l].free & bit(position_)) != 0) return;
  index.insert(index.begin() + static_cast<std::ptrdiff_t>(s.times), t_.var(position_, trips_ + 1));
  const TermId term = t_.scale(m.coef, t_.read(s.anchor, index));
  const auto same = [&](const Guess& g) { return g.value == term; };
  if (at_time(term, LinId::Zero) == c.initial && std::none_of(c.guesses.begin(), c.guesses.end(), same)) c.guesses.push_back({term});
}

/// By the pattern of each sequential carry that `of` is; `timed`: those of results.
void LoopSearch::guesses_from(Carry& c, TermId of, bool timed) {
  for (LoopMemory::Carry& s : e_.loop_memory_->carries) {
    if (s.trips < trips_) continue;
    if (const auto m = (timed ? s.result : s.initial).find(of, TermId::True)) guess(c, *m, s, timed);
  }
}

/// Is a guess that held at time t right at t + 1?
bool LoopSearch::stable(Carry& c, std::uint32_t leaf) {
  const std::ptrdiff_t refusals = e_.refused(e_.name_of(side_, node_), leaf);
  c.leaf.split = refusals == 1 ? e_.small_cases(*c.value, c.result, c.extents) : c.split;
  return refusals <= 1 && steps_to(c, c.next ? *c.next : at_time(*c.value, t_.offset(now(), 1)));
}

/// Is what is stated of a carry after an iteration what the body makes of it, both expanded by a few levels?
bool LoopSearch::meets(Carry& c, TermId stated, TermId derived) {
  for (c.leaf.left = 0; c.leaf.left <= kStepLevels; ++c.leaf.left) {
    const bool partial = (t_[stated].flags & kHasUnknown) != 0;
    if (!partial && (t_[derived].flags & kHasUnknown) != 0) return false;
    if (stated == (partial ? forgotten(stated, derived) : derived)) return true;
    stated = t_.expand_all(stated, 1);
    derived = t_.expand_all(derived, 1);
  }
  return false;
}

// One round: what is not known gets a name, the body is walked, guesses are looked at. True if nothing changed.
bool LoopSearch::pass() {
  for (std::uint32_t k = 0; k < carries_.size(); ++k) {
    Carry& c = carries_[k];
    c.leaf = {};
    if (!c.value && !c.guesses.empty()) {
      c.value = c.guesses.front().value;
      c.next = c.guesses.front().next;
      c.split = c.guesses.front().split;
      c.guesses.erase(c.guesses.begin());
      c.guess = true;
    }
    c.anchor.reset();
    if (c.value) continue;
    new_anchor(c, k);
    e_.records_.push_back({side_.which, node_, k, {}, *c.anchor, side_.frame});
  }
  const std::size_t islands = e_.islands_.size();
  walk_body(0);
  bool steady = true;
  for (std::uint32_t k = 0; k < carries_.size(); ++k) {
    Carry& c = carries_[k];
    if (c.guess && c.value && !stable(c, k)) {
      if (why_.empty()) why_.assign(e_.islands_.begin() + static_cast<std::ptrdiff_t>(islands), e_.islands_.end());
      c.value.reset();
      c.guess = false;
      steady = false;
    } else if (!c.value && !c.asked) {
      c.asked = true;
      if (reads(c.result, *c.anchor)) guesses_from_recurrence(c);
      else guesses_from(c, c.result, true);
      steady = steady && c.guesses.empty();
    }
  }
  return steady;
}

/// No relation is looked for any more: that the loop ends is known, and is worth something by itself.
void LoopSearch::give_up() {
  for (Carry& c : carries_) {
    if (c.guess) c.value.reset();
    c.guess = false;
    c.asked = true;
    c.guesses.clear();
  }
}

void LoopSearch::distributed() {
  const Snapshot before = snapshot();
  bool steady = trips_ == 0;
  if (steady) {
    for (Carry& c : carries_) c.value = c.initial;
  } else {
    for (Carry& c : carries_)
      if (!c.value && t_[c.initial].free != 0) guesses_from(c, c.initial, false);  // what has no variable tells nothing
    for (int round = 0; round <= kLoopRounds && !steady; ++round) {
      if (round == kLoopRounds) give_up();
      roll_back(before);
      steady = pass();
    }
  }
  GG_CHECK(steady, "a loop without guesses is steady");
  // The first guess that failed tells more than what follows from its loss.
  e_.islands_.insert(e_.islands_.begin() + static_cast<std::ptrdiff_t>(before.islands), why_.begin(), why_.end());
  close_all();
  if (std::any_of(carries_.begin(), carries_.end(), [](const Carry& c) { return c.anchor && !c.leaf.closed; })) {
    e_.lost_loop = true;
    if (e_.attempt == Engine::Attempt::UnrollLost && trips_ <= kMaxUnrolled) {
      roll_back(before);
      unroll();
      return;
    }
  }
  conclude_all();
}

}  // namespace gg::prover
