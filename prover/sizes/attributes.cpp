// What is known of values at all sizes: finite, positive.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "prover/sizes/terms.h"

namespace gg::sizes {

// Exponentials, and sums, products and reciprocals of them.
bool Terms::positive(TermId id) const {
  const Node& n = (*this)[id];
  const bool all = std::all_of(n.kids.begin(), n.kids.end(), [&](TermId k) { return positive(k); });
  switch (n.kind) {
    case Kind::Read: return positive_anchors.contains(n.anchor);
    case Kind::Lit: return n.value > 0;
    case Kind::Size: return true;
    case Kind::Add:
    case Kind::Mul: return all;
    case Kind::Fold: return (n.fn == ScalarFn::Add || n.fn == ScalarFn::Max || n.fn == ScalarFn::Min) && all;
    case Kind::Fn: return n.fn == ScalarFn::Exp || (is_reciprocal(n) && all);
    default: return false;
  }
}

// Made of finite inputs by functions that are defined everywhere.
bool Terms::finite(TermId id) const {
  const Node& n = (*this)[id];
  constexpr ScalarFn kTotal[] = {ScalarFn::Abs, ScalarFn::Exp, ScalarFn::Max, ScalarFn::Min, ScalarFn::Tanh, ScalarFn::Logistic, ScalarFn::Sin,
                                 ScalarFn::Cos, ScalarFn::Sign, ScalarFn::Erf, ScalarFn::Convert};
  const auto kids = [&](std::size_t first) {
    return std::all_of(n.kids.begin() + static_cast<std::ptrdiff_t>(first), n.kids.end(), [&](TermId k) { return finite(k); });
  };
  switch (n.kind) {
    case Kind::Read: return finite_anchors.contains(n.anchor);
    case Kind::Lit: return std::isfinite(n.value);
    case Kind::Number:
    case Kind::Size: return true;
    case Kind::Add:
    case Kind::Mul: return kids(0);
    case Kind::Fold: return (n.fn == ScalarFn::Add || n.fn == ScalarFn::Max || n.fn == ScalarFn::Min) && kids(0);
    case Kind::Fn:
      if (n.fn == ScalarFn::Select) return kids(1);
      return std::find(std::begin(kTotal), std::end(kTotal), n.fn) != std::end(kTotal) && kids(0);
    default: return false;
  }
}

}  // namespace gg::sizes
