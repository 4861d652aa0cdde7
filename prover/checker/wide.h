// Integers of 64 bits, of which no index form says all (docs/certificate.md, I4 and I7).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "prover/checker/choice.h"
#include "prover/checker/integer.h"
#include "prover/checker/number.h"
#include "prover/checker/overflow.h"
#include "prover/checker/scalar.h"

namespace gg::checker {

inline constexpr std::int64_t kMaxPower = 64;  ///< of an integer that a product repeats

/// What `make` makes, or `otherwise` where a number of a form is too large.
template <class Make, class Otherwise>
auto formed(Terms& t, const Make& make, const Otherwise& otherwise) {
  const std::uint32_t open = t.open_binders;
  try {
    return make();
  } catch (const Overflow&) {
    t.open_binders = open;
    return otherwise();
  }
}

inline bool compares(ScalarFn fn) { return fn >= ScalarFn::CompareEq && fn <= ScalarFn::CompareNe; }

/// A function of integers that has no form: of its operands.
inline Value function_of(Terms& t, ScalarFn fn, ElementType type, const std::vector<Value>& args) {
  return compares(fn) ? truth(t, uninterpreted(t, fn, ElementType::Token, args)) : uninterpreted(t, fn, type, args);
}

/// A scalar function of integers, by their forms where these hold all numbers on the way.
inline Value integer_function(Terms& t, ScalarFn fn, ElementType type, const std::vector<Value>& args) {
  return formed(
      t, [&] { return integer_by_forms(t, fn, type, args); }, [&] { return function_of(t, fn, type, args); });
}

/// c0 + the sum of coefficients times forms, as an index form, or of a number as a whole.
inline Index sum_of(Terms& t, Size c0, const std::vector<std::pair<Size, Index>>& parts) {
  return formed(
      t, [&] { return linear(t, c0, parts); },
      [&] {
        Value all = number(t, c0);
        for (const auto& [coef, part] : parts) all = sum(t, all, scaled(t, coef, from_index(t, part)));
        return to_index(t, all);
      });
}

inline Value repeated_product(Terms& t, ElementType type, Value factor, const Size& times) {
  Value product = factor;
  for (std::int64_t k = 1; k < at_text(times); ++k) product = apply(t, ScalarFn::Multiply, type, type, {product, factor});
  return product;
}

/// The range of a remainder by a constant, within that of its type: less than the divisor, on its own side of 0.
inline Range range_of_remainder(Terms& t, const ValueNode& node, const Range& type) {
  const auto by = number_of(t, node.kids[1]);
  const auto n = by ? by->integer() : std::nullopt;
  if (!n || !near(*n) || same(*n, 0)) return type;
  const Size most = magnitude(*n) - 1;
  return {std::max<Size>(type.lo, integer_range(t, node.kids[0]).lo < 0 ? -most : Size(0)), std::min<Size>(type.hi, most)};
}

/// Takes c*(X div m) - c*n*(X div n*m), which is c*((X div m) mod n), out of a sum whose `high` part is the second: its range.
template <class WideRange>
bool take_digit(const Terms& t, std::vector<Part>& parts, const Part& high, WideRange& range) {
  const AtomNode& atom = t[high.atom];
  for (const Part& p : parts) {
    const AtomNode& inner = t[p.atom];
    const bool chain = atom.kind == AtomKind::Div && inner.kind == AtomKind::Div && inner.arg == atom.arg && at_text(inner.m) < at_text(atom.m) && divides(inner.m, atom.m);
    if (!chain || !same(static_cast<Wide>(high.coef), -static_cast<Wide>(p.coef) * (atom.m / inner.m))) continue;
    range.add(p.coef, 0, atom.m / inner.m - 1);
    const Atom low = p.atom, above = high.atom;
    std::erase_if(parts, [&](const Part& part) { return part.atom == low || part.atom == above; });
    return true;
  }
  return false;
}

}  // namespace gg::checker
