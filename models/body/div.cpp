// floor(L / m) in normal form (bodies-probe, section 2). There is no mod atom, so these rules carry all of the index
// algebra: reshapes telescope because the quotients taken out here cancel against those of the addresses.
#include <algorithm>
#include <array>
#include <numeric>

#include "models/base/check.h"
#include "models/body/store.h"

namespace gg {

namespace {

// Which remainder of a coefficient stays under the division; all are the same modulo m.
enum class Remainder : std::uint8_t { Truncated,
                                      Balanced,
                                      NonNegative,
                                      NonPositive };

std::int64_t remainder_of(Remainder kind, std::int64_t c, std::int64_t m) {
  const std::int64_t r = floor_mod(c, m);
  switch (kind) {
    case Remainder::Truncated:
      return c % m;
    case Remainder::Balanced:
      return r > m / 2 ? r - m : r;
    case Remainder::NonNegative:
      return r;
    case Remainder::NonPositive:
      return r == 0 ? 0 : r - m;
  }
  return r;
}

std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

// Can the range of a form with this coefficient be computed? Remainders near m times extents near m may not fit.
bool product_fits(std::int64_t coef, const Atom& atom) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 60;
  std::int64_t low = 0, high = 0;
  return !__builtin_mul_overflow(coef, atom.lo, &low) && !__builtin_mul_overflow(coef, atom.hi, &high) &&
         std::min(low, high) > -kLimit && std::max(low, high) < kLimit;
}

}  // namespace

LinId ArenaStore::div(LinId a, std::int64_t m) {
  GG_CHECK(m >= 1, "division of an index by " + std::to_string(m));
  if (m == 1) return a;
  const Lin& l = lins[a.value];
  const std::int64_t q = floor_div(l.lo, m);
  if (q == floor_div(l.hi, m)) return constant(q);
  const auto hit = div_memo.find({a.value, m});
  if (hit != div_memo.end()) return hit->second;
  GG_CHECK(++div_depth < 200, "division of an index form does not come to an end");
  const LinId result = div_uncached(a, m);
  --div_depth;
  div_memo.emplace(DivKey{a.value, m}, result);
  return result;
}

LinId ArenaStore::div_uncached(LinId a, std::int64_t m) {
  struct Split {
    LinId quotient, rest;
  };
  std::array<Split, 4> splits;
  std::size_t n = 0;
  for (const Remainder kind :
       {Remainder::Balanced, Remainder::Truncated, Remainder::NonNegative, Remainder::NonPositive}) {
    std::vector<Multiple> out, in;
    bool fits = true;
    for (const Multiple& t : terms(a)) {
      const std::int64_t r = remainder_of(kind, t.coef, m);
      fits = fits && product_fits(r, atoms[t.atom]);
      if (r != 0) in.push_back({r, t.atom});
      if (r != t.coef) out.push_back({(t.coef - r) / m, t.atom});
    }
    if (!fits && kind != Remainder::Truncated) continue;  // Truncated: no coefficient grows
    const std::int64_t c0 = lins[a.value].c0;
    const LinId rest = intern_lin(floor_mod(c0, m), in);
    bool seen = false;
    for (std::size_t i = 0; i < n; ++i) seen = seen || splits[i].rest == rest;
    if (seen) continue;
    splits[n++] = {intern_lin(floor_div(c0, m), out), rest};
  }
  // The range of a rest inside one multiple of m: exact.
  for (std::size_t i = 0; i < n; ++i) {
    const Lin& r = lins[splits[i].rest.value];
    const std::int64_t q = floor_div(r.lo, m);
    if (q == floor_div(r.hi, m)) return axpy(1, splits[i].quotient, constant(q));
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (const std::optional<LinId> q = div_by_gcd(splits[i].rest, m)) return axpy(1, splits[i].quotient, *q);
  }
  // floor((floor(X / b) + c) / m) = floor((X + b c) / (b m)), and the quotients of a table's entries are a table
  const LinId rest = splits[0].rest;
  const std::span<const Multiple> t = terms(rest);
  if (t.size() == 1 && t[0].coef == 1 && atoms[t[0].atom].kind == AtomKind::Div) {
    const Atom& inner = atoms[t[0].atom];
    const LinId shifted = axpy(1, LinId{inner.arg}, constant(checked_mul(inner.m, lins[rest.value].c0)));
    return axpy(1, splits[0].quotient, div(shifted, checked_mul(inner.m, m)));
  }
  if (t.size() == 1 && atoms[t[0].atom].kind == AtomKind::Table) {
    if (const std::optional<LinId> q = quotients(atoms[t[0].atom], t[0].coef, lins[rest.value].c0, m)) return axpy(1, splits[0].quotient, *q);
  }
  Atom atom{AtomKind::Div};
  atom.arg = rest.value;
  atom.m = m;
  atom.lo = floor_div(lins[rest.value].lo, m);
  atom.hi = floor_div(lins[rest.value].hi, m);
  return axpy(1, splits[0].quotient, of_atom(intern_atom(atom)));
}

// floor((g X + rest) / (g n)) = floor((X + floor(rest / g)) / n), taken where floor(rest / g) is known or cancels. The
// candidates for g are the common divisors of m and the largest coefficients.
std::optional<LinId> ArenaStore::div_by_gcd(LinId a, std::int64_t m) {
  const std::span<const Multiple> all = terms(a);
  std::vector<Multiple> by_size(all.begin(), all.end());
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Multiple& x, const Multiple& y) { return magnitude(x.coef) > magnitude(y.coef); });
  std::vector<std::int64_t> candidates;  // ends with the gcd of all
  std::int64_t g = m;
  for (const Multiple& t : by_size) {
    g = std::gcd(g, t.coef);
    if (g == 1) break;
    if (candidates.empty() || candidates.back() != g) candidates.push_back(g);
  }
  for (std::size_t i = candidates.size(); i-- > 0;) {
    g = candidates[i];
    std::vector<Multiple> multiples, others;
    for (const Multiple& t : all) {
      if (t.coef % g == 0) {
        multiples.push_back({t.coef / g, t.atom});
      } else {
        others.push_back(t);
      }
    }
    const LinId carry = div(intern_lin(lins[a.value].c0, others), g);
    const LinId sum = axpy(1, intern_lin(0, multiples), carry);
    const std::size_t carried = terms(carry).size();
    if (carried == 0 || terms(sum).size() < multiples.size() + carried) return div(sum, m / g);
  }
  return std::nullopt;
}

}  // namespace gg
