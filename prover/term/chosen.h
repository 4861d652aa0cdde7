// Internal to prover/term: selections by a comparison of what is selected, and comparisons of extrema (certificate.md, C9, B4).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// A selection of the program: case(p < q, q, p) of numbers, times a literal perhaps: their maximum; case(p < q, p, q): their minimum; case(0 < q, q, -q): |q|.
std::optional<TermId> chosen(Terms& t, TermId guard, TermId a, TermId b);
/// c < max(l, x) of numbers, where c < l is decided: that, or c < x. The same of minima, and on the other side.
std::optional<TermId> less_than_extremum(Terms& t, TermId a, TermId b);

}  // namespace gg::prover
