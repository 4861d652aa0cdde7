// Index arithmetic (docs/certificate.md, section 4, I): linear forms over variables, floor divisions, clamps, tables and
// data. `x mod d` is `x - d * (x div d)`, so digits that are cut and put together again cancel by addition alone.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "prover/checker/memo.h"
#include "prover/checker/terms.h"

namespace gg::checker {

Index constant(Terms& t, Size value);
/// The variable; 0 if its extent is 1.
Index variable(Terms& t, Var v);
Index atom_form(Terms& t, Atom atom);
Index axpy(Terms& t, Size factor, Index x, Index y);                                ///< factor * x + y
Index linear(Terms& t, Size c0, std::span<const std::pair<Size, Index>> summands);  ///< c0 and each factor times its form
Index add(Terms& t, Index a, Index b);
Index sub(Terms& t, Index a, Index b);
Index scale(Terms& t, Size factor, Index a);
Index offset(Terms& t, Index a, Size c);
Index divide(Terms& t, Index a, Size m);  ///< floor(a / m), m >= 1
Index modulo(Terms& t, Index a, Size m);
/// min(max(a, lo), hi); a lo or hi beyond +-kFar does not limit.
Index clamp(Terms& t, Index a, Size lo, Size hi);
/// values[a]; a is in range by construction (an entry outside is the nearest one).
Index table(Terms& t, const std::vector<Size>& values, Index a);
/// An integer value that is no linear form, as an atom. Callers use to_index (number.h).
Index data(Terms& t, Value value, Range range);

/// The value if `a` has no atoms.
std::optional<Size> constant_of(const Terms& t, Index a);
/// Range of c0 + sum of parts over the boxes of the variables: exact on the digits of one variable.
Range index_range(const Terms& t, Size c0, const std::vector<Part>& parts);
/// Coefficient of the variable itself (not inside a div).
Size coefficient(const Terms& t, Index a, Var v);
/// A form of rank digits only that has atoms other than v and v div d, evaluated on its whole box: constant + digits
/// where one fits (I6). Other forms unchanged.
Index refit(Terms& t, Index a);
/// A variable v or v div d.
bool one_variable(const Terms& t, Atom atom);
/// y <= X div m as y*m <= X; other forms as they are.
Index multiplied_out(Terms& t, Index a);
bool has_data(const Terms& t, Index a);
/// Value of a form without data atoms at a point; `point` gives each variable.
template <class Point>
Size evaluate(const Terms& t, Index a, const Point& point);
template <class Point>
Size evaluate(const Terms& t, Size c0, const std::vector<Part>& parts, const Point& point);

Size floor_div(Size a, Size m);  ///< m >= 1
Size saturate(Wide value);
/// Largest first in the text, each once.
void descending(std::vector<Size>& list);

template <class Point>
Size evaluate(const Terms& t, Index a, const Point& point) {
  return evaluate(t, t[a].c0, t[a].parts, point);
}

template <class Point>
Size evaluate(const Terms& t, Size c0, const std::vector<Part>& parts, const Point& point) {
  Wide sum = c0;
  for (const Part& p : parts) {
    const AtomNode& atom = t[p.atom];
    Size x = 0;
    if (atom.kind == AtomKind::Variable) {
      x = point(atom.var);
    } else {
      const Size arg = evaluate(t, atom.arg, point);
      if (atom.kind == AtomKind::Div) x = floor_div(arg, atom.m);
      if (atom.kind == AtomKind::Clamp) x = std::min(std::max(arg, atom.lo), atom.hi);
      if (atom.kind == AtomKind::Table) {
        x = atom.table[static_cast<std::size_t>(
            std::min<Size>(std::max<Size>(arg, 0), static_cast<std::int64_t>(atom.table.size()) - 1))];
      }
    }
    sum += Wide{p.coef} * x;
  }
  if (saturate(sum) != sum) throw Limit("index out of bounds");
  return saturate(sum);
}

}  // namespace gg::checker
