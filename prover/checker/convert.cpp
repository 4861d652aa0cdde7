// Between index forms and integer values: both spell the same numbers.
#include <algorithm>

#include "prover/checker/wide.h"

namespace gg::checker {
namespace {

// The atom of a factor that is an integer, if it has one of its own.
bool integer_factor(const Terms& t, Value v) {
  const ValueNode& node = t[v];
  switch (node.kind) {
    case ValueKind::Int: return true;
    case ValueKind::Read: return is_integral(t.anchors[node.ref].type);
    case ValueKind::Fn:
    case ValueKind::Fold: return node.type != ElementType::Token;
    case ValueKind::Row: return is_integral(t.rows[node.ref].results[node.leaf].type);
    default: return false;
  }
}

Index form_of(Terms& t, Value v) {
  const ValueKind kind = t[v].kind;
  const bool sum_of_atoms = kind == ValueKind::Poly || kind == ValueKind::Int;
  if (!sum_of_atoms) return data(t, v, integer_range(t, v));
  Index total = constant(t, 0);
  for (const PolyPart& p : poly_parts(t, v)) {
    const auto coef = p.coef.integer();
    if (!coef) return data(t, v, integer_range(t, v));
    const auto& factors = t[p.monomial].factors;
    Index atom = constant(t, 1);
    if (factors.size() == 1 && factors[0].exponent.is_one() && t[factors[0].base].kind == ValueKind::Int) {
      atom = atom_form(t, Atom{t[factors[0].base].ref});
    } else if (!factors.empty()) {
      const Value monomial = from_part(t, {p.monomial, 1});
      atom = data(t, monomial, integer_range(t, monomial));
    }
    total = axpy(t, *coef, atom, total);
  }
  return total;
}

}  // namespace

Value from_index(Terms& t, Index a) {
  const IndexNode& node = t[a];
  std::vector<PolyPart> places{{Monomial{}, node.c0}};
  for (const Part& p : node.parts)
    if (t[p.atom].kind != AtomKind::Data) places.push_back({t.intern(std::vector<Factor>{{t.intern(ValueNode{.kind = ValueKind::Int, .ref = p.atom.id}), 1}}), p.coef});
  Value total = from_places(t, std::move(places));
  for (const Part& p : node.parts)
    if (t[p.atom].kind == AtomKind::Data) total = sum(t, total, scaled(t, p.coef, t[p.atom].value));
  return total;
}

bool integral_form(Terms& t, Value v) {
  for (const PolyPart& p : poly_parts(t, v)) {
    const auto& factors = t[p.monomial].factors;
    if (factors.empty()) continue;
    if (factors.size() != 1 || !factors[0].exponent.is_one() || !integer_factor(t, factors[0].base)) return false;
  }
  return true;
}

Index to_index(Terms& t, Value v) {
  return formed(
      t, [&] { return form_of(t, v); }, [&] { return data(t, v, integer_range(t, v)); });
}

Index joined_sums(Terms& t, Index a) {
  const auto adds = [&](const Part& p) {
    const AtomNode& atom = t[p.atom];
    return atom.kind == AtomKind::Data && t[atom.value].kind == ValueKind::Fold && t[atom.value].fn == ScalarFn::Add;
  };
  const std::size_t parts = t[a].parts.size();
  if (parts < 2 || std::ranges::none_of(t[a].parts, adds)) return a;
  const Index joined = to_index(t, from_index(t, a));
  return t[joined].parts.size() < parts ? joined : a;
}

}  // namespace gg::checker
