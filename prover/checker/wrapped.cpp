// Integers that wrap in an unsigned type (docs/certificate.md, B8 and I7).
#include "prover/checker/wrapped.h"

#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/integer.h"

namespace gg::checker {

std::optional<Value> wrap_compared(Terms& t, Index a, bool equality) {
  for (const Part& p : std::vector<Part>(t[a].parts)) {
    const AtomNode atom = t[p.atom];
    if (atom.kind != AtomKind::Data || (!same(p.coef, 1) && !same(p.coef, -1))) continue;
    const ValueNode node = t[atom.value];
    if (node.kind != ValueKind::Fn || node.fn != ScalarFn::Convert || node.leaf != 1 || is_signed(node.type) || info(node.type).bits > 32) continue;
    const Size all = std::int64_t{1} << info(node.type).bits;
    const Index inner = to_index(t, node.kids[0]), wrap = atom_form(t, p.atom);
    const bool below = p.coef < 0, turned = !below && !equality;
    Index other = below ? add(t, a, wrap) : sub(t, wrap, a);
    if (turned) other = offset(t, other, -1);
    const bool no_more = t[inner].hi < all && t[inner].lo > -kFar && t[other].hi < kFar && t[inner].lo + all > t[other].hi;
    if (!no_more) continue;
    const Index less = sub(t, other, inner);
    const Value told = both(t, ge(t, inner), equality ? eq(t, less) : ge(t, less));
    return turned ? negate(t, told) : told;
  }
  return std::nullopt;
}

bool multiple_of_all(const Terms& t, int width, const PolyPart& p) {
  const std::vector<Factor>& factors = t[p.monomial].factors;
  if (width > 32 || factors.size() != 1 || !factors[0].exponent.is_one() || !p.coef.integer()) return false;
  const ValueKind kind = t[factors[0].base].kind;
  return (kind == ValueKind::Int || kind == ValueKind::Read) && divides(std::int64_t{1} << width, *p.coef.integer());
}

Value narrowed(Terms& t, ElementType type, Value v) {
  constexpr int kFewBits = 16;
  if (is_signed(type) || type == ElementType::Pred || info(type).bits > kFewBits || t[v].kind == ValueKind::Unknown) return wrapped(t, type, v);
  return lift(t, {v}, [&](const std::vector<Value>& x) { return from_index(t, modulo(t, to_index(t, x[0]), std::int64_t{1} << info(type).bits)); });
}

}  // namespace gg::checker
