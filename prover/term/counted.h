// Internal to prover/term: counts of conditions compared with numbers (certificate.md, F14).
#pragma once

#include "prover/term/terms.h"

namespace gg::prover {

/// A positive multiple of a sum over a box.
struct Counted {
  RatId coef;
  TermId sum;
};

/// The sum of these, of positive numbers under conditions, beside a bound: CompareGe, CompareGt or CompareEq, where that says that there is
/// one at least, none, or that all are there.
std::optional<TermId> counted(Terms& t, const std::vector<Counted>& sums, ScalarFn compared, RatId bound);
/// The same of a form: a >= 0, a = 0.
std::optional<TermId> counted(Terms& t, LinId a, bool equality);
/// Of reals, one of which is a literal: a < b, a <= b, a = b.
std::optional<TermId> counted(Terms& t, ScalarFn compared, TermId a, TermId b);

}  // namespace gg::prover
