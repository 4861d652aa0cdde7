// A carry with the recurrence of a sequential one, but at other times and from another start: a scan over a shard of a sequence.
// On ranks where it starts with what the sequential carry is at its first time it is that carry; of other ranks nothing is said.
// Where the recurrence is linear (h' = a*h + b), any start will do: what it is off by at first, times the product of the factors.
#include <algorithm>

#include "prover/engine/loop.h"

namespace gg::prover {
namespace {

constexpr int kCarryLevels = 4;          ///< of the sequential body, until its result is a term of the carry
constexpr std::int64_t kMaxStarts = 64;  ///< whose starts are compared one by one
constexpr int kStartLevels = 2;          ///< levels to which both starts are expanded

}  // namespace

/// Does the definition of a value of the body hang on the carry? `known`: for the anchors behind the carry, in order. A
/// value that reads one behind it (its own loop at another time) counts as one that does.
bool LoopSearch::hangs_on(AnchorId anchor, AnchorId carry, std::vector<bool>& known) {
  if (anchor <= carry) return anchor == carry;
  const auto first = static_cast<std::size_t>(carry) + 1;
  const auto last = static_cast<std::size_t>(anchor);
  for (std::size_t a = first + known.size(); a <= last; ++a) {
    const Anchor& here = t_.anchor(static_cast<AnchorId>(a));
    bool hangs = false;
    if (here.kind == AnchorKind::Value && here.form != TermId::Unknown) {
      for (const AnchorId read : Matcher(t_).reads_of(here.form)) {
        const auto r = static_cast<std::size_t>(read);
        hangs = hangs || read == carry || r >= a || (r >= first && known[r - first]);
      }
    }
    known.push_back(hangs);
  }
  return known[last - first];
}

/// The body's result of a sequential carry as a function of the carry (`start` in its place) and of what does not hang on it.
std::optional<TermId> LoopSearch::recurrence(const LoopMemory::Carry& s, TermId start) {
  const Anchor a = t_.anchor(s.anchor);
  std::vector<LinId> index;
  for (std::size_t k = 0; k < a.extents.size(); ++k)
    index.push_back(t_.var(static_cast<VarId>(k), a.extents[k] - (k == s.times ? 1 : 0)));
  const TermId self = t_.read(s.anchor, index);
  std::vector<bool> known;
  TermId result = s.body;
  for (int level = 0; level < kCarryLevels; ++level) {
    bool open = false, other = false;
    const TermId next = t_.replace_reads(result, [&](TermId read, TermId facts) -> std::optional<TermId> {
      if (read == self) return start;
      const AnchorId anchor = t_.anchor_of(read);
      other = other || anchor == s.anchor;
      if (anchor == s.anchor || !hangs_on(anchor, s.anchor, known)) return std::nullopt;
      open = true;
      return t_.definition(read, facts);
    });
    if (other || (!open && next == result)) return std::nullopt;
    result = next;
    if (!open) return result;
  }
  return std::nullopt;
}

/// The ranks that two terms hang on; none if there are too many to look at.
Cases LoopSearch::deciding(TermId a, TermId b) {
  const VarSet digits = (VarSet{1} << e_.digits_of(side_)) - 1;
  return {(t_[a].free | t_[b].free) & digits, carries_[0].extents, kMaxStarts};
}

/// Those of them on which the terms are equal, as a condition; false if there are too many to look at.
TermId LoopSearch::where_equal(const Cases& ranks, TermId a, TermId b) {
  if (ranks.count > kMaxStarts) return TermId::False;
  std::vector<TermId> holds;
  std::int64_t last = -1;
  bool row = ranks.vars.size() == 1;  // of neighbours: one condition that says so
  for (std::int64_t rank = 0; rank < ranks.count; ++rank) {
    const TermId here = ranks.guard(t_, rank);
    TermId x = ranks.at(t_, a, rank), y = ranks.at(t_, b, rank);
    for (int level = 0; level < kStartLevels && x != y; ++level) {
      x = t_.expand_all(x, 1);
      y = t_.expand_all(y, 1);
    }
    if (x != y || (t_[x].flags & kHasUnknown) != 0) continue;
    row = row && (holds.empty() || last + 1 == rank);
    last = rank;
    holds.push_back(here);
  }
  const auto count = static_cast<std::int64_t>(holds.size());
  if (count == ranks.count) return TermId::True;
  if (!row || count <= 1) return t_.disj(holds);
  return t_.in_range(t_.offset(t_.var(ranks.vars[0], ranks.extents[0]), count - 1 - last), count);
}

/// `result` = factor * self + rest, both without it.
std::optional<std::pair<TermId, TermId>> LoopSearch::linear(TermId result, TermId self) {
  TermId factor = TermId::Zero, rest = TermId::Zero;
  for (const Summand& s : t_.summands(result)) {
    std::vector<Factor> factors = t_.factors(s.mono);
    const auto it = std::find(factors.begin(), factors.end(), Factor{self, RatId::One});
    TermId& to = it == factors.end() ? rest : factor;
    if (it != factors.end()) factors.erase(it);
    to = t_.add(to, t_.monomial(s.coef, t_.mono(std::move(factors))));
  }
  if (!t_.attributes(factor).finite || reads(factor, t_.anchor_of(self)) || reads(rest, t_.anchor_of(self))) return std::nullopt;
  return std::pair{factor, rest};
}

void LoopSearch::guesses_from_recurrence(Carry& c) {
  if (t_[c.result].sort != Sort::Real) return;
  LoopMemory& memory = *e_.loop_memory_;
  const TermId self = own(c, now()), start = memory.start();
  const TermId target = t_.replace_reads(c.result, [&](TermId read, TermId) { return read == self ? std::optional(start) : std::nullopt; });
  if (reads_carry(target, [](const Carry&) { return true; })) return;
  for (LoopMemory::Carry& s : memory.carries) {
    if (s.trips < trips_ || s.body == TermId::Unknown || !t_.anchor(s.anchor).attributes.finite) continue;
    if (!s.asked) {
      s.asked = true;
      if (const auto form = recurrence(s, start)) memory.add_recurrence(s, *form);
    }
    const auto m = s.recurrence ? s.recurrence->find(target, TermId::True) : std::nullopt;
    if (!m || m->coef != RatId::One) continue;
    std::vector<LinId> index = t_.index_of(m->read);
    const LinId first = t_.axpy(-1, now(), index[s.times]), every = t_.var(position_, trips_ + 1);
    index[s.times] = first;
    if (std::any_of(index.begin(), index.end(), [&](LinId l) { return (t_[l].free & bit(position_)) != 0; })) continue;
    const TermId begin = t_.read(s.anchor, index);
    index[s.times] = t_.add(first, every);
    const TermId value = t_.read(s.anchor, index);
    const Cases ranks = deciding(begin, c.initial);
    const TermId where = where_equal(ranks, begin, c.initial);
    const auto parts = linear(target, start);
    const bool sums = parts && t_.is_lit(parts->first);  // which have a closed form
    const bool same_start = t_[c.initial].free == 0;     // on all ranks
    if (where == TermId::True || (where != TermId::False && !sums && !(parts && same_start))) {
      c.guesses.push_back({t_.choose(where, value, TermId::Unknown), {}, begin == c.initial ? std::vector<VarId>{} : ranks.vars});
      continue;
    }
    if (!parts || sums) continue;
    const Fresh past = t_.fresh(trips_);
    const TermId decay = t_.fold(ScalarFn::Multiply, past, t_.ge(t_.axpy(-1, past[0], t_.offset(every, -1))), at_time(parts->first, past[0]));
    const TermId difference = t_.add(begin, t_.scale(t_.q.of(-1), c.initial));
    const auto less = [&](TermId product) { return t_.scale(t_.q.of(-1), t_.mul(product, difference)); };
    index[s.times] = t_.offset(t_.add(first, now()), 1);
    c.guesses.push_back({t_.add(value, less(decay)), t_.add(t_.read(s.anchor, index), less(t_.mul(parts->first, at_time(decay, now()))))});
  }
}

/// What is said of `derived` where something is said by `stated`.
TermId LoopSearch::forgotten(TermId stated, TermId derived) {
  const auto [coef, shape] = t_.content(stated);
  if (shape == TermId::Unknown) return shape;
  if (t_[shape].kind != Kind::Case || (t_[shape].flags & kHasUnknown) == 0) return derived;
  const TermId g = t_.kid(shape, 0), a = t_.kid(shape, 1), b = t_.kid(shape, 2);
  return t_.choose(g, forgotten(a, derived), forgotten(b, derived));
}

}  // namespace gg::prover
