// Index forms: interning, addition, and the range of a form over the boxes of its variables.
#include <algorithm>
#include <array>

#include "models/base/check.h"
#include "models/base/progress.h"
#include "models/body/store.h"

namespace gg {

std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  GG_CHECK(!__builtin_add_overflow(a, b, &r),
           "index arithmetic overflows: " + std::to_string(a) + " + " + std::to_string(b));
  return r;
}

std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  GG_CHECK(!__builtin_mul_overflow(a, b, &r),
           "index arithmetic overflows: " + std::to_string(a) + " * " + std::to_string(b));
  return r;
}

namespace {

constexpr std::size_t kMaxTerms = 60000;
constexpr std::size_t kMaxDigitsForRange = 8;  // div atoms in one form beyond which only the plain interval is taken

std::uint64_t hash_terms(std::int64_t c0, std::span<const Multiple> terms) {
  std::uint64_t h = mix(0x11, static_cast<std::uint64_t>(c0));
  for (const Multiple& t : terms) h = mix(mix(h, t.atom), static_cast<std::uint64_t>(t.coef));
  return h;
}

bool same_terms(std::span<const Multiple> a, std::span<const Multiple> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Multiple& x, const Multiple& y) { return x.atom == y.atom && x.coef == y.coef; });
}

// Sorts by atom, adds up equal atoms, drops zeros.
void merge_terms(std::vector<Multiple>& terms) {
  std::sort(terms.begin(), terms.end(), [](const Multiple& a, const Multiple& b) { return a.atom < b.atom; });
  std::size_t out = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Multiple sum = terms[i++];
    while (i < terms.size() && terms[i].atom == sum.atom) sum.coef = checked_add(sum.coef, terms[i++].coef);
    if (sum.coef != 0) terms[out++] = sum;
  }
  terms.resize(out);
}

void add_scaled(Interval& range, std::int64_t coef, std::int64_t lo, std::int64_t hi) {
  const std::int64_t a = checked_mul(coef, lo), b = checked_mul(coef, hi);
  range.lo = checked_add(range.lo, std::min(a, b));
  range.hi = checked_add(range.hi, std::max(a, b));
}

}  // namespace

LinId ArenaStore::intern_lin(std::int64_t c0, std::span<const Multiple> sorted) {
  ask_deadline();
  GG_CHECK(sorted.size() < kMaxTerms, "index form with too many terms");
  // The range may intern smaller forms, so it is found outside of the set's critical section; a hit skips it.
  const std::uint64_t hash = hash_terms(c0, sorted);
  const auto same = [&](std::uint32_t id) { return lins[id].c0 == c0 && same_terms(terms(LinId{id}), sorted); };
  constexpr std::uint32_t kMissing = 0xffffffffU;
  if (sorted.empty()) {
    return {lin_set.find_or_add(hash, same, [&] { return lins.push({c0, c0, c0, 0, 0, 0}); })};
  }
  const std::uint32_t hit = lin_set.find(hash, same, kMissing);
  if (hit != kMissing) return {hit};
  const Interval r = range(c0, sorted);
  return {lin_set.find_or_add(hash, same, [&] {
    std::uint16_t levels = 0;
    for (const Multiple& t : sorted) levels = std::max(levels, atoms[t.atom].levels);
    const std::uint32_t first = term_pool.append(sorted);
    return lins.push({c0, r.lo, r.hi, first, static_cast<std::uint16_t>(sorted.size()), levels});
  })};
}

LinId ArenaStore::combine(std::int64_t c0, std::vector<Multiple>& list) {
  merge_terms(list);
  return intern_lin(c0, list);
}

LinId ArenaStore::of_atom(std::uint32_t atom, std::int64_t coef) {
  const Multiple term{coef, atom};
  return intern_lin(0, {&term, 1});
}

std::uint16_t ArenaStore::levels_of(const Atom& atom) const {
  switch (atom.kind) {
    case AtomKind::Var:
      return static_cast<std::uint16_t>(atom.level + 1);
    case AtomKind::Div:
      return lins[atom.arg].levels;
    case AtomKind::Data:
      return exprs[atom.arg].levels;
    case AtomKind::Table:
      return lins[atom.index].levels;
  }
  return 0;
}

std::uint32_t ArenaStore::intern_atom(const Atom& atom) {
  std::uint64_t h = mix(0x22, static_cast<std::uint64_t>(atom.kind));
  h = mix(mix(mix(h, atom.level), atom.arg), atom.index);
  h = mix(mix(mix(h, static_cast<std::uint64_t>(atom.m)), static_cast<std::uint64_t>(atom.lo)),
          static_cast<std::uint64_t>(atom.hi));
  const auto same = [&](std::uint32_t id) {
    const Atom& b = atoms[id];
    return b.kind == atom.kind && b.level == atom.level && b.arg == atom.arg && b.index == atom.index &&
           b.m == atom.m && b.lo == atom.lo && b.hi == atom.hi;
  };
  return atom_set.find_or_add(h, same, [&] {
    Atom fresh = atom;
    fresh.levels = levels_of(atom);
    return atoms.push(fresh);
  });
}

LinId ArenaStore::var(int level, std::int64_t extent) {
  GG_CHECK(level >= 0 && level < 60000, "variable level " + std::to_string(level));
  GG_CHECK(extent >= 0, "variable of extent " + std::to_string(extent));
  if (extent <= 1) return constant(0);  // the box of an empty extent has no index at all
  Atom atom{AtomKind::Var};
  atom.level = static_cast<std::uint16_t>(level);
  atom.m = extent;
  atom.hi = extent - 1;
  return of_atom(intern_atom(atom));
}

LinId ArenaStore::axpy(std::int64_t factor, LinId x, LinId y) {
  if (factor == 0) return y;
  const std::span<const Multiple> a = terms(x), b = terms(y);
  const std::int64_t c0 = checked_add(checked_mul(factor, lins[x.value].c0), lins[y.value].c0);
  if (a.empty()) return b.empty() ? constant(c0) : intern_lin(c0, b);
  constexpr std::size_t kInline = 24;
  std::array<Multiple, kInline> small;
  std::vector<Multiple> large;
  Multiple* out = small.data();
  if (a.size() + b.size() > kInline) {
    large.resize(a.size() + b.size());
    out = large.data();
  }
  std::size_t n = 0, i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].atom < b[j].atom)) {
      out[n++] = {checked_mul(factor, a[i].coef), a[i].atom};
      ++i;
    } else if (i == a.size() || b[j].atom < a[i].atom) {
      out[n++] = b[j++];
    } else {
      const std::int64_t coef = checked_add(checked_mul(factor, a[i].coef), b[j].coef);
      if (coef != 0) out[n++] = {coef, a[i].atom};
      ++i, ++j;
    }
  }
  return intern_lin(c0, {out, n});
}

Interval ArenaStore::range(std::int64_t c0, std::span<const Multiple> list) {
  Interval r{c0, c0};
  std::size_t divs = 0;
  for (const Multiple& t : list) {
    const Atom& atom = atoms[t.atom];
    add_scaled(r, t.coef, atom.lo, atom.hi);
    if (atom.kind == AtomKind::Div) ++divs;
  }
  if (divs == 0 || divs > kMaxDigitsForRange || list.size() < 2) return r;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (atoms[list[i].atom].kind == AtomKind::Div) refine_range(c0, list, i, r);
  }
  constexpr std::int64_t kFewPoints = 64;
  if (const auto box = small_box(c0, list, kFewPoints)) {
    const auto [least, most] = std::minmax_element(box->values.begin(), box->values.end());
    return {std::max(r.lo, *least), std::min(r.hi, *most)};
  }
  if (const std::optional<Interval> relaxed = relaxed_range(c0, list, 0)) {
    r.lo = std::max(r.lo, relaxed->lo);
    r.hi = std::min(r.hi, relaxed->hi);
  }
  return r;
}

// With c*(Y div m) + Q = (c*Y + m*Q - c*s) / m, 0 <= s < m, a div atom is taken out of the form; what is left may
// cancel where the single terms do not, as in v + ((4*u - 14*v) div 30). Gives up on large numbers.
std::optional<Interval> ArenaStore::relaxed_range(std::int64_t c0, std::span<const Multiple> list, int depth) const {
  constexpr std::int64_t kLarge = std::int64_t{1} << 40;
  constexpr int kMaxDepth = 3;
  const auto large = [&](std::int64_t x) { return x > kLarge || x < -kLarge; };
  Interval r{c0, c0};
  for (const Multiple& t : list) {
    const Atom& atom = atoms[t.atom];
    std::int64_t a = 0, b = 0;
    if (__builtin_mul_overflow(t.coef, atom.lo, &a) || __builtin_mul_overflow(t.coef, atom.hi, &b)) return std::nullopt;
    if (large(a) || large(b) || large(r.lo) || large(r.hi)) return std::nullopt;
    r.lo += std::min(a, b);
    r.hi += std::max(a, b);
  }
  if (depth == kMaxDepth) return r;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Atom& atom = atoms[list[i].atom];
    const std::int64_t c = list[i].coef, m = atom.m;
    if (atom.kind != AtomKind::Div || large(m) || large(c)) continue;
    const Lin& inner = lins[atom.arg];
    if (large(inner.c0) || large(c0)) continue;
    std::vector<Multiple> rest;
    bool fits = m < (std::int64_t{1} << 20) && (c < 0 ? -c : c) < (std::int64_t{1} << 20);
    for (std::size_t k = 0; k < list.size(); ++k) {
      fits = fits && !large(list[k].coef);
      if (k != i && fits) rest.push_back({m * list[k].coef, list[k].atom});
    }
    for (const Multiple& t : terms(LinId{atom.arg})) {
      fits = fits && !large(t.coef);
      if (fits) rest.push_back({c * t.coef, t.atom});
    }
    if (!fits) continue;
    merge_terms(rest);
    const auto sum = relaxed_range(m * c0 + c * inner.c0, rest, depth + 1);
    if (!sum) continue;
    const std::int64_t slack = c * (m - 1);
    r.lo = std::max(r.lo, ceil_div(sum->lo - std::max<std::int64_t>(slack, 0), m));
    r.hi = std::min(r.hi, floor_div(sum->hi - std::min<std::int64_t>(slack, 0), m));
  }
  return r;
}

// f * digit is written f*(Y div a) - f*b*(Y div ab), a digit in [0, b). For the div atom at `at` = Y div m this looks
// for its partner f*(Y div (m/b)) among the other terms; without it the range of every `mod` would be useless.
void ArenaStore::refine_range(std::int64_t c0, std::span<const Multiple> list, std::size_t at, Interval& r) {
  const Atom& atom = atoms[list[at].atom];
  const std::int64_t k = list[at].coef, size = k < 0 ? -k : k;
  std::vector<std::int64_t> tried;
  const auto attempt = [&](std::int64_t b) {
    if (b < 2 || size % b != 0 || atom.m % b != 0) return;
    if (std::find(tried.begin(), tried.end(), b) != tried.end()) return;
    tried.push_back(b);
    const std::int64_t f = -k / b;
    const LinId partner = div(LinId{atom.arg}, atom.m / b);
    std::vector<Multiple> rest;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != at) rest.push_back(list[i]);
    }
    for (const Multiple& t : terms(partner)) rest.push_back({checked_mul(-f, t.coef), t.atom});
    merge_terms(rest);
    if (rest.size() >= list.size()) return;
    const LinId without = intern_lin(checked_add(c0, checked_mul(-f, lins[partner.value].c0)), rest);
    Interval found{lins[without.value].lo, lins[without.value].hi};
    add_scaled(found, f, 0, b - 1);
    r.lo = std::max(r.lo, found.lo);
    r.hi = std::min(r.hi, found.hi);
  };
  if (size % atom.m == 0) attempt(atom.m);
  attempt(size);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::int64_t c = list[i].coef < 0 ? -list[i].coef : list[i].coef;
    if (i != at && size % c == 0) attempt(size / c);
  }
}

LinId Arena::flatten(std::span<const LinId> index, std::span<const std::int64_t> extents) {
  GG_CHECK(index.size() == extents.size(), "flatten: ranks differ");
  LinId sum = constant(0);
  for (std::size_t d = 0; d < index.size(); ++d) sum = axpy(extents[d], sum, index[d]);
  return sum;
}

std::vector<LinId> Arena::unflatten(LinId address, std::span<const std::int64_t> extents) {
  std::vector<LinId> index(extents.size());
  std::int64_t stride = 1;
  LinId above = constant(0);  // address div (stride of the next outer dimension)
  for (std::size_t d = extents.size(); d-- > 0;) {
    const LinId here = stride == 1 ? address : div(address, stride);
    if (extents[d] <= 1) {
      index[d] = constant(0);
      continue;
    }
    // The outermost dimension needs no mod: the address is in range.
    bool outer = true;
    for (std::size_t e = 0; e < d; ++e) outer = outer && extents[e] <= 1;
    stride = checked_mul(stride, extents[d]);
    above = outer ? constant(0) : div(address, stride);
    index[d] = axpy(-extents[d], above, here);
  }
  return index;
}

}  // namespace gg
