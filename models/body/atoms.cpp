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

// A table that is affine in each variable of the position, though not in the position: a transposed device order, say.
// Every point of the box is checked.
std::optional<LinId> ArenaStore::affine_table(const std::vector<std::int64_t>& values, LinId index) {
  const std::span<const Multiple> list = terms(index);
  std::int64_t points = 1;
  for (const Multiple& t : list) {
    if (atoms[t.atom].kind != AtomKind::Var || points > kMaxAffineBox / atoms[t.atom].m) return std::nullopt;
    points *= atoms[t.atom].m;
  }
  const std::int64_t c0 = lins[index.value].c0;
  const auto at = [&](std::int64_t position) { return values[static_cast<std::size_t>(position)]; };
  std::vector<Multiple> form;
  double size = std::abs(static_cast<double>(at(c0)));
  for (const Multiple& t : list) {
    const std::optional<std::int64_t> step = step_between(at(c0), at(c0 + t.coef));
    if (!step) return std::nullopt;
    form.push_back({*step, t.atom});
    size += std::abs(static_cast<double>(*step)) * static_cast<double>(atoms[t.atom].m);
  }
  if (size >= 0x1p62) return std::nullopt;
  for (std::int64_t p = 0; p < points; ++p) {
    std::int64_t rest = p, position = c0, value = at(c0);
    for (std::size_t k = 0; k < list.size(); ++k) {
      const std::int64_t extent = atoms[list[k].atom].m;
      position += list[k].coef * (rest % extent);
      value += form[k].coef * (rest % extent);
      rest /= extent;
    }
    if (at(position) != value) return std::nullopt;
  }
  return combine(at(c0), form);
}

}  // namespace gg
