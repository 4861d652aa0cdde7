// Internal to prover/term: counts that conditions say not to be zero (certificate.md, F11).
#pragma once

#include <optional>

#include "prover/term/terms.h"

namespace gg::prover {

/// Is it a power below zero of what may be a count?
inline bool may_count(const Terms& t, const Factor& f) {
  const Kind kind = t[f.term].kind;
  return t.q.sign(f.exp) < 0 && (kind == Kind::Read || kind == Kind::Fold || kind == Kind::FromInt);
}

/// Could the facts decide something inside, or say that a count inside is not zero?
inline bool may_say(const Terms& t, TermId facts, TermId id) {
  const std::uint16_t flags = t[id].flags;
  return facts != TermId::True && ((flags & kHasGuards) != 0 || ((flags & kHasInverse) != 0 && (t[facts].flags & (kHasReads | kHasInputs)) != 0));
}

/// If `sum` is a count and its condition holds at some point by the facts: what none of its elements is below, a number above zero.
std::optional<RatId> least_where(Terms& t, TermId sum, TermId facts);

/// A sum of products with each power below zero of such a count N as that of max(N, c), which is finite everywhere.
TermId filled(Terms& t, TermId sum, TermId facts);

}  // namespace gg::prover
