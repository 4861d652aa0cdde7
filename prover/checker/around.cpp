// Indices of the data that go around (docs/certificate.md, section 4, C8).
#include "prover/checker/choice.h"
#include "prover/checker/number.h"

namespace gg::checker {

std::optional<Value> around(Terms& t, Test test, Value a, Value b) {
  if (t[test].kind != TestKind::Ge || !has_data(t, t[test].index)) return std::nullopt;
  for (const bool holds : {true, false}) {
    const Index j = holds ? t[test].index : offset(t, scale(t, -1, t[test].index), -1);
    const Value yes = holds ? a : b, no = holds ? b : a;
    const auto size = [&](Index x, Index y) -> std::optional<Size> {
      const auto n = constant_of(t, sub(t, y, x));
      return n && *n > 0 && t[j].lo >= -*n && t[j].hi < *n ? n : std::nullopt;
    };
    const ValueNode x = t[yes], y = t[no];
    if (x.kind == ValueKind::Read && y.kind == ValueKind::Read && x.ref == y.ref && !is_integral(t.anchors[x.ref].type)) {
      std::vector<Index> at = x.index;
      std::optional<std::size_t> place;
      bool one = true;
      for (std::size_t k = 0; k < at.size(); ++k) {
        if (at[k] == y.index[k]) continue;
        one = one && !place && at[k] == j;
        place = k;
      }
      const auto n = one && place ? size(j, y.index[*place]) : std::nullopt;
      if (!n) continue;
      at[*place] = modulo(t, j, *n);
      return read(t, x.ref, at);
    }
    const auto integer = [&](const ValueNode& node) { return node.kind == ValueKind::Poly || node.kind == ValueKind::Int || (node.kind == ValueKind::Read && is_integral(t.anchors[node.ref].type)); };
    if (!integer(x) || !integer(y) || !integral_form(t, yes) || !integral_form(t, no)) continue;
    const Index form = to_index(t, yes);
    const auto more = constant_of(t, sub(t, form, j));
    const auto n = more ? size(form, to_index(t, no)) : std::nullopt;
    if (n) return from_index(t, offset(t, modulo(t, j, *n), *more));
  }
  return std::nullopt;
}

}  // namespace gg::checker
