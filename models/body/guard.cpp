// Guards: single conditions in canonical form, resolved into affine forms where possible. Negation, conjunctions
// and disjunctions: guard_sets.cpp.
#include <algorithm>
#include <numeric>

#include "models/base/check.h"
#include "models/body/store.h"

namespace gg {

GuardId ArenaStore::intern_guard(GuardKind kind, std::span<const GuardId> list, std::uint32_t lin,
                                 std::uint16_t levels) {
  std::uint64_t h = mix(mix(0x44, static_cast<std::uint64_t>(kind)), lin);
  for (const GuardId k : list) h = mix(h, k.value);
  const auto same = [&](std::uint32_t id) {
    const Guard& g = guards[id];
    if (g.kind != kind || g.kids != list.size()) return false;
    if (list.empty()) return g.first == lin;
    const std::span<const GuardId> b = guard_pool.run(g.first, g.kids);
    return std::equal(list.begin(), list.end(), b.begin());
  };
  return {guard_set.find_or_add(h, same, [&] {
    GG_CHECK(list.size() < 0xffff, "guard with too many parts");
    const std::uint32_t first = list.empty() ? lin : guard_pool.append(list);
    return guards.push({kind, static_cast<std::uint16_t>(list.size()), first, levels});
  })};
}

namespace {

std::int64_t coefficient_gcd(std::span<const Multiple> terms) {
  std::int64_t g = 0;
  for (const Multiple& t : terms) g = std::gcd(g, t.coef);
  return g;
}

std::vector<Multiple> divided(std::span<const Multiple> terms, std::int64_t g) {
  std::vector<Multiple> out(terms.begin(), terms.end());
  for (Multiple& t : out) t.coef /= g;
  return out;
}

}  // namespace

// a <= 0. A div atom with coefficient 1 or -1 is resolved into its argument, so that guards are affine where they can
// be; a form that is never negative is compared by equality.
GuardId ArenaStore::le0(LinId a) {
  const Lin& l = lins[a.value];
  if (l.hi <= 0) return always();
  if (l.lo > 0) return never();
  const std::span<const Multiple> list = terms(a);
  const std::int64_t g = coefficient_gcd(list);
  if (g > 1) return le0(intern_lin(ceil_div(l.c0, g), divided(list, g)));
  if (const auto guard = enumerated(a, false)) return *guard;
  if (l.lo == 0) return eq0(a);
  for (const Multiple& t : list) {
    const Atom& atom = atoms[t.atom];
    if (atom.kind != AtomKind::Div || (t.coef != 1 && t.coef != -1)) continue;
    const LinId rest = axpy(-t.coef, of_atom(t.atom), a), arg{atom.arg};
    if (t.coef == 1) return le0(axpy(atom.m, rest, axpy(1, arg, constant(1 - atom.m))));  // X div m <= -R
    return le0(axpy(-1, arg, axpy(atom.m, rest, constant(0))));                           // X div m >= R
  }
  return intern_guard(GuardKind::Le0, {}, a.value, l.levels);
}

// a == 0. `X div m == c` becomes the interval of X.
GuardId ArenaStore::eq0(LinId a) {
  const Lin& l = lins[a.value];
  if (l.lo > 0 || l.hi < 0) return never();
  if (l.lo == 0 && l.hi == 0) return always();
  const std::span<const Multiple> list = terms(a);
  std::int64_t g = coefficient_gcd(list);
  if (l.c0 % g != 0) return never();
  if (list[0].coef < 0) g = -g;
  if (g != 1) return eq0(intern_lin(l.c0 / g, divided(list, g)));
  if (const auto guard = enumerated(a, true)) return *guard;
  const Atom& atom = atoms[list[0].atom];
  if (list.size() == 1 && atom.kind == AtomKind::Div) {
    const std::int64_t low = checked_mul(-l.c0, atom.m);
    const LinId arg{atom.arg};
    const GuardId both[] = {le0(axpy(-1, arg, constant(low))),
                            le0(axpy(1, arg, constant(-checked_add(low, atom.m - 1))))};
    return all(both);
  }
  return intern_guard(GuardKind::Eq0, {}, a.value, l.levels);
}

}  // namespace gg
