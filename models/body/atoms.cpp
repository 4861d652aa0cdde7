// Index atoms that come from data: clamped integer expressions and integer tables.
#include <algorithm>
#include <cmath>
#include <optional>

#include "models/base/check.h"
#include "models/body/store.h"

namespace gg {

namespace {

constexpr std::int64_t kMaxAffineBox = std::int64_t{1} << 16;  // positions tried for a form in several variables
constexpr std::size_t kMaxTrimmedTable = 4096;

/// Difference of neighbouring entries, nothing where 64 bits cannot hold it.
std::optional<std::int64_t> step_between(std::int64_t from, std::int64_t to) {
  std::int64_t step = 0;
  return __builtin_sub_overflow(to, from, &step) ? std::nullopt : std::optional(step);
}

/// Does first + factor * (form - shift) stay within 64 bits however its terms are added up?
bool scaled_fits(std::span<const Multiple> terms, const Pool<Atom>& atoms, std::int64_t c0, std::int64_t factor,
                 std::int64_t shift, std::int64_t first) {
  const auto size = [](std::int64_t x) { return std::abs(static_cast<double>(x)); };
  double sum = size(c0) + size(shift);
  for (const Multiple& t : terms) sum += size(t.coef) * std::max(size(atoms[t.atom].lo), size(atoms[t.atom].hi));
  return size(factor) * sum + size(first) < 0x1p62;
}

}  // namespace

LinId ArenaStore::data(ExprId value, std::int64_t lo, std::int64_t hi) {
  GG_CHECK(lo <= hi, "data index with an empty range");
  GG_CHECK(is_integral(exprs[value.value].type), "data index that is no integer");
  if (lo == hi) return constant(lo);
  if (const std::optional<LinId> lin = as_lin(value)) {
    const Lin& l = lins[lin->value];
    if (l.lo >= lo && l.hi <= hi) return *lin;
    if (l.hi <= lo) return constant(lo);
    if (l.lo >= hi) return constant(hi);
    value = index(*lin, ElementType::S64);  // one spelling for all integer types
  }
  const Expr& e = exprs[value.value];
  // clamp(lo, clamp(a, x, b), hi) is one clamp when the intervals meet.
  if (e.kind == ExprKind::Fn && e.fn == ScalarFn::Clamp && e.type != ElementType::U64) {
    const Scalar* const a = literal(kids(value)[0]);
    const Scalar* const b = literal(kids(value)[2]);
    if (a != nullptr && b != nullptr && a->integer <= b->integer) {
      if (b->integer <= lo) return constant(lo);
      if (a->integer >= hi) return constant(hi);
      return data(kids(value)[1], std::max(lo, a->integer), std::min(hi, b->integer));
    }
  }
  Atom atom{AtomKind::Data};
  atom.arg = value.value;
  atom.lo = lo;
  atom.hi = hi;
  return of_atom(intern_atom(atom));
}

TableId ArenaStore::make_table(std::vector<std::int64_t> values) {
  GG_CHECK(!values.empty(), "empty table");
  std::uint64_t h = mix(0x33, values.size());
  for (const std::int64_t v : values) h = mix(h, static_cast<std::uint64_t>(v));
  return {table_set.find_or_add(
      h, [&](std::uint32_t id) { return tables[id] == values; },
      [&] {
        tables.push_back(std::move(values));
        return static_cast<std::uint32_t>(tables.size() - 1);
      })};
}

LinId ArenaStore::table(TableId id, LinId index, bool rebuilt) {
  const std::vector<std::int64_t>& values = tables[id.value];
  const Lin& l = lins[index.value];
  // A rebuilt position may have lost the proof of its range, not the range.
  const Interval r{std::max<std::int64_t>(l.lo, 0), std::min(l.hi, static_cast<std::int64_t>(values.size()) - 1)};
  GG_CHECK(r.lo <= r.hi && (rebuilt || (r.lo == l.lo && r.hi == l.hi)),
           "table read out of its range: " + std::to_string(l.lo) + ".." + std::to_string(l.hi));
  if (r.lo == r.hi) return constant(values[static_cast<std::size_t>(r.lo)]);
  const auto first = values.begin() + r.lo, last = values.begin() + r.hi + 1;
  const std::optional<std::int64_t> step = step_between(*first, *(first + 1));
  bool affine = step && scaled_fits(terms(index), atoms, l.c0, *step, r.lo, *first);
  for (auto v = first + 1; affine && v != last; ++v) affine = step_between(*(v - 1), *v) == step;
  if (affine) return axpy(*step, axpy(1, index, constant(-r.lo)), constant(*first));
  const bool inside = r.lo == l.lo && r.hi == l.hi;
  if (const std::optional<LinId> form = inside ? affine_table(values, index) : std::nullopt) return *form;
  // Only the entries that can be reached take part in the identity of the atom.
  const auto used = static_cast<std::size_t>(r.hi - r.lo + 1);
  if (used < values.size() && used <= kMaxTrimmedTable) {
    return table(make_table(std::vector<std::int64_t>(first, last)), axpy(1, index, constant(-r.lo)), rebuilt);
  }
  const auto [least, most] = std::minmax_element(first, last);
  Atom atom{AtomKind::Table};
  atom.arg = id.value;
  atom.index = index.value;
  atom.lo = *least;
  atom.hi = *most;
  return of_atom(intern_atom(atom));
}

// A table that is affine in each atom of the position, though not in the position: a transposed device order, say.
// Every point of the box of the atoms' ranges is checked.
std::optional<LinId> ArenaStore::affine_table(const std::vector<std::int64_t>& values, LinId index) {
  const std::span<const Multiple> list = terms(index);
  std::int64_t points = 1, c0 = lins[index.value].c0;  // of the corner of all least values
  const auto extent = [&](const Multiple& t) { return atoms[t.atom].hi - atoms[t.atom].lo + 1; };
  for (const Multiple& t : list) {
    const Atom& atom = atoms[t.atom];
    const bool small = atom.lo < atom.hi && atom.lo >= -kMaxAffineBox && atom.hi <= kMaxAffineBox && points <= kMaxAffineBox / extent(t);
    if (!small || std::abs(static_cast<double>(t.coef)) > static_cast<double>(values.size())) return std::nullopt;
    points *= extent(t);
    c0 += t.coef * atom.lo;
  }
  const auto at = [&](std::int64_t position) { return values[static_cast<std::size_t>(position)]; };
  std::vector<Multiple> form;
  std::int64_t lowest = c0, highest = c0;
  for (const Multiple& t : list) (t.coef < 0 ? lowest : highest) += t.coef * (extent(t) - 1);
  if (lowest < 0 || highest >= static_cast<std::int64_t>(values.size())) return std::nullopt;  // atoms that hang together
  std::int64_t least = at(c0);
  double size = std::abs(static_cast<double>(least));
  for (const Multiple& t : list) {
    const std::optional<std::int64_t> step = step_between(at(c0), at(c0 + t.coef));
    if (!step || (size += std::abs(static_cast<double>(*step)) * 2 * kMaxAffineBox) >= 0x1p62) return std::nullopt;
    form.push_back({*step, t.atom});
    least -= *step * atoms[t.atom].lo;
  }
  for (std::int64_t p = 0; p < points; ++p) {
    std::int64_t rest = p, position = c0, value = at(c0);
    for (std::size_t k = 0; k < list.size(); ++k) {
      position += list[k].coef * (rest % extent(list[k]));
      value += form[k].coef * (rest % extent(list[k]));
      rest /= extent(list[k]);
    }
    if (at(position) != value) return std::nullopt;
  }
  return combine(least, form);
}

// The table of floor((coef * entry + c0) / m), at the position of this one.
std::optional<LinId> ArenaStore::quotients(const Atom& table_atom, std::int64_t coef, std::int64_t c0, std::int64_t m) {
  if (tables[table_atom.arg].size() > kMaxTrimmedTable) return std::nullopt;
  const LinId position{table_atom.index};
  std::vector<std::int64_t> entries = tables[table_atom.arg];
  for (std::int64_t& entry : entries) {
    if (__builtin_mul_overflow(entry, coef, &entry) || __builtin_add_overflow(entry, c0, &entry)) return std::nullopt;
    entry = floor_div(entry, m);
  }
  return table(make_table(std::move(entries)), position, true);
}

}  // namespace gg
