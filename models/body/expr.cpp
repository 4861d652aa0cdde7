// Element expressions: leaves and choices. Scalar functions are in fn.cpp, folds in fold.cpp.
#include <algorithm>
#include <bit>
#include <cmath>

#include "models/base/check.h"
#include "models/base/progress.h"
#include "models/body/elements.h"
#include "models/body/store.h"

namespace gg {

namespace {

std::uint64_t real_bits(double value) {
  return std::isnan(value) ? 0x7ff8000000000000ULL : std::bit_cast<std::uint64_t>(value);
}

template <class Id>
bool same_ids(std::span<const Id> a, std::span<const Id> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool splat(const ConstantArray& array) {
  return std::all_of(array.values.begin(), array.values.end(),
                     [&](const Scalar& s) { return s == array.values.front(); });
}

}  // namespace

Scalar Scalar::of(ElementType type, double value) {
  GG_CHECK(!is_integral(type), "real literal of an integer type");
  return {type, value, 0};
}

Scalar Scalar::of_int(ElementType type, std::int64_t value) {
  GG_CHECK(is_integral(type), "integer literal of a float type");
  return {type, 0, wrap_to(type, value)};
}

bool operator==(const Scalar& a, const Scalar& b) {
  return a.type == b.type && a.integer == b.integer && real_bits(a.real) == real_bits(b.real);
}

ExprId ArenaStore::intern_expr(Expr node, std::span<const ExprId> kid_list, std::span<const LinId> index,
                               std::span<const std::int64_t> extents) {
  ask_deadline();
  std::uint64_t h =
      mix(0x55, static_cast<std::uint64_t>(node.kind) | static_cast<std::uint64_t>(node.type) << 8 |
                    static_cast<std::uint64_t>(node.fn) << 16 | static_cast<std::uint64_t>(node.fold_level) << 32);
  h = mix(h, node.arg);
  for (const ExprId k : kid_list) h = mix(h, k.value);
  for (const LinId k : index) h = mix(h, k.value);
  for (const std::int64_t n : extents) h = mix(h, static_cast<std::uint64_t>(n));
  GG_CHECK(kid_list.size() < 0xffff && index.size() < 0xffff && extents.size() < 0xffff, "expression too wide");
  node.fold_vars = static_cast<std::uint16_t>(extents.size());
  const auto same = [&](std::uint32_t id) {
    const Expr& e = exprs[id];
    return e.kind == node.kind && e.type == node.type && e.fn == node.fn && e.arg == node.arg &&
           e.fold_level == node.fold_level && same_ids(kids(ExprId{id}), kid_list) &&
           same_ids(index.empty() ? std::span<const LinId>() : indices(ExprId{id}), index) &&
           e.fold_vars == node.fold_vars &&
           std::equal(extents.begin(), extents.end(), extent_pool.run(e.first_extent, e.fold_vars).begin()) &&
           (node.kind != ExprKind::Read && node.kind != ExprKind::Constant ? true : e.kids == index.size());
  };
  return {expr_set.find_or_add(h, same, [&] {
    std::uint16_t levels = node.levels;
    if (node.kind == ExprKind::Read || node.kind == ExprKind::Constant) {
      for (const LinId k : index) levels = std::max(levels, lins[k.value].levels);
      node.first = lin_pool.append(index);
      node.kids = static_cast<std::uint16_t>(index.size());
    } else {
      if (node.kind != ExprKind::Fold) {
        for (const ExprId k : kid_list) levels = std::max(levels, exprs[k.value].levels);
      }
      node.first = expr_pool.append(kid_list);
      node.kids = static_cast<std::uint16_t>(kid_list.size());
    }
    node.first_extent = extent_pool.append(extents);
    node.levels = levels;
    return exprs.push(node);
  })};
}

std::span<const ExprId> ArenaStore::kids(ExprId id) const {
  const Expr& e = exprs[id.value];
  if (e.kind != ExprKind::Fn && e.kind != ExprKind::Case && e.kind != ExprKind::Fold) return {};
  return expr_pool.run(e.first, e.kids);
}

const Scalar* ArenaStore::literal(ExprId id) const {
  const Expr& e = exprs[id.value];
  return e.kind == ExprKind::Lit ? &scalars[e.arg] : nullptr;
}

ExprId ArenaStore::read(int operand, ElementType type, std::span<const LinId> index) {
  GG_CHECK(operand >= 0, "operand number");
  Expr e{ExprKind::Read, type};
  e.arg = static_cast<std::uint32_t>(operand);
  return intern_expr(e, {}, index, {});
}

// A closed form is a literal, where the type holds it exactly.
ExprId ArenaStore::index(LinId value, ElementType type) {
  const Lin& l = lins[value.value];
  if (l.terms == 0) {
    if (is_integral(type)) return lit_int(type, l.c0);
    const auto real = static_cast<double>(l.c0);
    const bool small = l.c0 > -(std::int64_t{1} << 53) && l.c0 < (std::int64_t{1} << 53);
    if (is_float(type) && small && round_to(type, real) == real) return lit(Scalar::of(type, real));
  }
  Expr e{ExprKind::Index, type};
  e.arg = value.value;
  e.levels = l.levels;
  return intern_expr(e, {}, {}, {});
}

ExprId ArenaStore::lit(const Scalar& given) {
  Scalar value = given;
  if (is_integral(value.type)) {
    value.integer = wrap_to(value.type, value.integer);
    value.real = 0;
  } else {
    value.integer = 0;
  }
  const std::uint64_t h = mix(mix(mix(0x66, static_cast<std::uint64_t>(value.type)), real_bits(value.real)),
                              static_cast<std::uint64_t>(value.integer));
  Expr e{ExprKind::Lit, value.type};
  e.arg = scalar_set.find_or_add(
      h, [&](std::uint32_t id) { return scalars[id] == value; }, [&] { return scalars.push(value); });
  return intern_expr(e, {}, {}, {});
}

ArrayId ArenaStore::make_array(ConstantArray array) {
  GG_CHECK(static_cast<std::int64_t>(array.values.size()) == array.type.count(), "constant array of another size");
  std::uint64_t h = mix(0x77, hash(array.type));
  for (Scalar& s : array.values) {
    GG_CHECK(s.type == array.type.element, "constant array of mixed types");
    if (is_integral(s.type)) s = Scalar::of_int(s.type, s.integer);
    h = mix(mix(h, real_bits(s.real)), static_cast<std::uint64_t>(s.integer));
  }
  return {array_set.find_or_add(
      h, [&](std::uint32_t id) { return arrays[id].type == array.type && arrays[id].values == array.values; },
      [&] {
        arrays.push_back(std::move(array));
        splats.push_back(!arrays.back().values.empty() && splat(arrays.back()));
        return static_cast<std::uint32_t>(arrays.size() - 1);
      })};
}

// Literals where the position is closed or all values are equal; integers become tables over the flat position.
ExprId ArenaStore::constant_at(ArrayId array, std::span<const LinId> position) {
  const ConstantArray& a = arrays[array.value];
  GG_CHECK(position.size() == a.type.dims.size(), "constant read with another rank");
  if (a.values.empty()) return unknown(a.type.element);
  if (splats[array.value]) return lit(a.values.front());
  LinId flat = constant(0);
  bool inside = true;
  for (std::size_t d = 0; d < position.size(); ++d) {
    const Lin& l = lins[position[d].value];
    inside = inside && l.lo >= 0 && l.hi < a.type.dims[d];
    flat = axpy(a.type.dims[d], flat, position[d]);
  }
  if (inside && lins[flat.value].terms == 0) return lit(a.values[static_cast<std::size_t>(lins[flat.value].c0)]);
  const ElementType type = a.type.element;
  if (inside && is_integral(type) && type != ElementType::U64) {
    if (array_tables.size() < arrays.size()) array_tables.resize(arrays.size());
    ArrayTable& known = array_tables[array.value];
    if (known.table == ArrayTable{}.table) {
      known.dims = varying_dims(a);
      std::vector<std::int64_t> values;
      for (const Scalar& s : elements_in_order(a, known.dims)) values.push_back(s.integer);
      known.table = make_table(std::move(values));
    }
    LinId at = constant(0);
    for (const std::size_t d : known.dims) at = axpy(a.type.dims[d], at, position[d]);
    return index(table(known.table, at), type);
  }
  Expr e{ExprKind::Constant, type};
  e.arg = array.value;
  return intern_expr(e, {}, position, {});
}

// Of a condition and its negation one is the canonical spelling, so that equal choices have equal ids.
ExprId ArenaStore::select(GuardId guard, ExprId then, ExprId otherwise) {
  GG_CHECK(exprs[then.value].type == exprs[otherwise.value].type, "choice between different types");
  GuardKind kind = guards[guard.value].kind;
  if (kind == GuardKind::True || then == otherwise) return then;
  if (kind == GuardKind::False) return otherwise;
  const GuardId opposite = negate(guard);
  const bool swap =
      kind == GuardKind::Not || kind == GuardKind::Or ||
      (kind == GuardKind::Le0 && guards[opposite.value].kind == GuardKind::Eq0) ||
      (kind == GuardKind::Le0 && guards[opposite.value].kind == GuardKind::Le0 && opposite.value < guard.value);
  if (swap) return select(opposite, otherwise, then);
  const auto taken = [&](ExprId e, std::size_t side) {  // the same condition further in is decided
    while (exprs[e.value].kind == ExprKind::Case && exprs[e.value].arg == guard.value) e = kids(e)[side];
    return e;
  };
  const ExprId sides[] = {taken(then, 0), taken(otherwise, 1)};
  if (sides[0] == sides[1]) return sides[0];
  Expr e{ExprKind::Case, exprs[then.value].type};
  e.arg = guard.value;
  e.levels = guards[guard.value].levels;
  return intern_expr(e, sides, {}, {});
}

ExprId ArenaStore::unknown(ElementType type) { return intern_expr(Expr{ExprKind::Unknown, type}, {}, {}, {}); }

}  // namespace gg
