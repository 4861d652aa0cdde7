// What values can be (docs/certificate.md, section 5): classes of reals, ranges of integers, from below.
#include <algorithm>

#include "prover/checker/at_ends.h"
#include "prover/checker/bounds.h"
#include "prover/checker/index.h"
#include "prover/checker/order.h"
#include "prover/checker/quantised.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"
#include "prover/checker/wide.h"

namespace gg::checker {
namespace {

bool is_boolean(ValueKind kind) { return kind == ValueKind::True || kind == ValueKind::False; }

// A fold without guard over a box has at least one element.
bool maybe_empty(const Terms& t, const ValueNode& node) { return !t[node.path].literals.empty(); }

using Point = std::vector<std::pair<Var, Index>>;

// Do the conditions of a fold hold at a point, whatever the free variables are?
bool holds_at(Terms& t, const ValueNode& node, const Point& point) {
  Substitution at(t, point);
  const std::vector<Literal> literals = t[node.path].literals;
  return std::all_of(literals.begin(), literals.end(), [&](const Literal& l) { return at.condition(l.test) == boolean(t, l.holds); });
}

// The first and the last point of the box, if the conditions hold there.
std::vector<Point> corners(Terms& t, const ValueNode& node) {
  std::vector<Point> result(2);
  for (const Var v : node.vars) {
    result[0].emplace_back(v, constant(t, 0));
    result[1].emplace_back(v, constant(t, t[v].extent - 1));
  }
  std::erase_if(result, [&](const Point& p) { return !holds_at(t, node, p); });
  return result;
}

// Where one condition ends (b <= L at b = L, 0 elsewhere), if all hold there.
std::vector<Point> bounds(Terms& t, const ValueNode& node) {
  const std::vector<Var> vars = node.vars;
  const std::vector<Literal> literals = t[node.path].literals;
  std::vector<Point> result;
  for (const Literal& l : literals) {
    for (std::size_t k = 0; k < vars.size() && t[l.test].kind == TestKind::Ge; ++k) {
      const Index form = l.holds ? t[l.test].index : offset(t, scale(t, -1, t[l.test].index), -1), b = variable(t, vars[k]);
      for (const Index end : {add(t, form, b), sub(t, b, form)}) {
        const bool bound = std::any_of(vars.begin(), vars.end(), [&](Var v) { return t.contains(t[end].free, v); });
        if (bound || t[end].lo < 0 || t[end].hi > t[vars[k]].extent - 1) continue;
        Point point;
        for (const Var v : vars) point.emplace_back(v, v == vars[k] ? end : constant(t, 0));
        if (holds_at(t, node, point)) result.push_back(std::move(point));
      }
    }
  }
  return result;
}

bool perhaps_empty(Terms& t, const ValueNode& node) { return maybe_empty(t, node) && corners(t, node).empty() && bounds(t, node).empty(); }

// Of a sum of integers that are not negative: what its first or its last one is at least.
Size least_at_ends(Terms& t, const ValueNode& node) {
  std::vector<Point> ends = corners(t, node);
  for (Point& end : bounds(t, node)) ends.push_back(std::move(end));
  Size least = 0;
  for (Point& end : ends) least = std::max(least, integer_range(t, Substitution(t, std::move(end))(node.kids[0])).lo);
  return least;
}

Classes of_fold(Terms& t, const ValueNode& node) {
  const Classes body = classes_of(t, node.kids[0]);
  if (node.type != ElementType::Token) return Classes(Classes::kReal);
  if (node.fn == ScalarFn::Add && positive_at_end(t, node)) return Classes(static_cast<std::uint8_t>(repeated_sum(body, false).set() & ~Classes::kZero));
  if (node.fn == ScalarFn::Add) return repeated_sum(body, perhaps_empty(t, node));
  if (node.fn == ScalarFn::Max) return perhaps_empty(t, node) ? body | Classes(Classes::kNegInf) : body;
  if (node.fn != ScalarFn::Multiply || !body.finite()) return Classes();
  const Classes some = Classes(Classes::kPos) | body;  // of none: 1
  return some | product(some, body);
}

Classes of_fn(Terms& t, const ValueNode& node) {
  if (node.type != ElementType::Token) return Classes(Classes::kReal);  // an integer
  bool finite = true;
  for (const Value kid : node.kids) finite = finite && classes_of(t, kid).finite();
  switch (node.fn) {
    case ScalarFn::Exp: return exponential(classes_of(t, node.kids[0]));
    case ScalarFn::Log: return logarithm(classes_of(t, node.kids[0]));
    case ScalarFn::Multiply: return product(classes_of(t, node.kids[0]), classes_of(t, node.kids[1]));
    case ScalarFn::Select: return Classes(static_cast<std::uint8_t>(classes_of(t, node.kids[1]).set() & Classes::kReal)) | classes_of(t, node.kids[0]);
    case ScalarFn::Max: {
      Classes result = classes_of(t, node.kids[0]);
      for (const Value kid : node.kids) result = larger(result, classes_of(t, kid));
      return result;
    }
    default: return info(node.fn).is(ScalarFact::Total) ? by_table(info(node.fn), finite) : Classes();
  }
}

// What can stand at a place of a join: that of its tuples.
void places_of(const Terms& t, Value join, std::uint32_t leaf, std::vector<std::optional<Value>>& out) {
  const ValueNode& node = t[join];
  if (node.kind == ValueKind::Row && node.kids.size() > 1) return out.push_back(node.kids[leaf]);
  if (node.kind != ValueKind::Fold && node.kind != ValueKind::Case && node.kind != ValueKind::Fn) return out.push_back(std::nullopt);
  for (const Value kid : node.kids) places_of(t, kid, leaf, out);
}

std::vector<std::optional<Value>> sources_of(const Terms& t, const ValueNode& node) {
  std::vector<std::optional<Value>> sources;
  if (t.rows[node.ref].joins && node.kids.size() == 1) {
    places_of(t, node.kids[0], node.leaf, sources);
  } else {
    for (const std::size_t k : t.rows[node.ref].results[node.leaf].sources) sources.emplace_back(node.kids[k]);
  }
  return sources;
}

Classes of_row(Terms& t, const ValueNode& node) {
  const RowResult& result = t.rows[node.ref].results[node.leaf];
  if (is_integral(result.type)) return Classes(Classes::kReal);
  const auto finite = [&](std::size_t k) { return classes_of(t, t[node.kids[k]].kids[0]).finite(); };
  if (!result.summed.empty() && std::all_of(result.summed.begin(), result.summed.end(), finite)) return Classes(Classes::kReal);
  Classes all(0);
  const auto sources = sources_of(t, node);
  for (const auto& source : sources) all = all | (source ? classes_of(t, *source) : Classes());
  return sources.empty() ? Classes() : all;
}

Range range_of_row(Terms& t, const ValueNode& node) {
  const RowResult& result = t.rows[node.ref].results[node.leaf];
  if (t.rows[node.ref].orders) return range_of_place(t, node);
  const Range type = range_of_type(result.type);
  std::optional<Range> all;
  for (const auto& source : sources_of(t, node)) {
    const Range r = source ? integer_range(t, *source) : type;
    all = all ? Range{std::min(all->lo, r.lo), std::max(all->hi, r.hi)} : r;
  }
  return all.value_or(type);
}

Classes compute(Terms& t, Value v) {
  const ValueNode& node = t[v];
  switch (node.kind) {
    case ValueKind::PosInf: return Classes(Classes::kPosInf);
    case ValueKind::NegInf: return Classes(Classes::kNegInf);
    case ValueKind::NaN: return Classes(Classes::kNaN);
    case ValueKind::Poly: {
      Classes total(Classes::kZero);
      for (const Group& g : groups(t, node)) {
        const Classes some = Classes::of_sign(g.low.sign()) | Classes::of_sign(g.high.sign()) |
                             (g.low.sign() < 0 && g.high.sign() > 0 ? Classes(Classes::kReal) : Classes(0));
        total = sum(total, product(some, classes_of(t, g.rest)));
      }
      return total;
    }
    case ValueKind::Int: {
      const AtomNode& atom = t[Atom{node.ref}];
      return atom.lo > 0 ? Classes(Classes::kPos) : atom.lo == 0 ? Classes(Classes::kZero | Classes::kPos)
                                                                 : Classes(Classes::kReal);
    }
    case ValueKind::Read: return t.anchors[node.ref].classes;
    case ValueKind::Element: {
      Classes all(0);
      for (const Scalar& s : t.arrays[node.ref].values) all = all | classes_of(t, literal(t, s));
      return all;
    }
    case ValueKind::Fn: return of_fn(t, node);
    case ValueKind::Case:
      if (is_boolean(t[node.kids[0]].kind) || is_boolean(t[node.kids[1]].kind)) return Classes(Classes::kReal);
      return classes_of(t, node.kids[0]) | classes_of(t, node.kids[1]);
    case ValueKind::Fold: {
      const ValueNode& body = t[node.kids[0]];
      const bool masked = node.fn == ScalarFn::Max && body.kind == ValueKind::Read && t.by_cases(body.ref);
      const Value wide = masked ? unfold_all(t, v, 1) : v;  // the maximum of what is not masked
      const Classes whole = of_fold(t, node);
      return wide == v ? whole : Classes(static_cast<std::uint8_t>(whole.set() & classes_of(t, wide).set()));
    }
    case ValueKind::Row: return of_row(t, node);
    default: return Classes();
  }
}

// What lies in one range times what lies in the other.
Range times(const Range& a, const Range& b) {
  const Wide ends[] = {Wide{a.lo} * b.lo, Wide{a.lo} * b.hi, Wide{a.hi} * b.lo, Wide{a.hi} * b.hi};
  return {saturate(*std::min_element(ends, ends + 4)), saturate(*std::max_element(ends, ends + 4))};
}

Range range_of_power(Terms& t, const Factor& f) {
  const auto n = f.exponent.integer();
  if (!n || !small(*n, 4) || *n < 1) return {-kFar, kFar};
  const Range base = integer_range(t, f.base);
  Range result = base;
  for (std::int64_t k = 1; k < at_text(*n); ++k) result = times(result, base);
  return result;
}

Range range_of_poly(Terms& t, const ValueNode& node) {
  Wide lo = 0, hi = 0;
  bool low_open = false, high_open = false;
  for (const PolyPart& p : node.summands) {
    const auto coef = p.coef.integer();
    if (!coef || !within(*coef, kFar)) return {-kFar, kFar};
    Range part{*coef, *coef};
    for (const Factor& f : std::vector<Factor>(t[p.monomial].factors)) part = times(part, range_of_power(t, f));
    low_open = low_open || part.lo <= -kFar;
    high_open = high_open || part.hi >= kFar;
    lo += part.lo;
    hi += part.hi;
  }
  return {low_open ? -kFar : saturate(lo), high_open ? kFar : saturate(hi)};
}

// Of functions of integers. Bits of both of two numbers that are not negative come to no more than one of them, those of either to at
// least each, below the next power of two.
Range range_of_function(Terms& t, const ValueNode& node) {
  const Range type = range_of_type(node.type);
  if (node.fn == ScalarFn::Remainder) return range_of_remainder(t, node, type);
  if (node.fn != ScalarFn::And && node.fn != ScalarFn::Or) return type;
  const Range a = integer_range(t, node.kids[0]), b = integer_range(t, node.kids[1]);
  if (a.lo < 0 || b.lo < 0) return type;
  if (node.fn == ScalarFn::And) return {0, std::min(a.hi, b.hi)};
  const Size highest = std::max(a.hi, b.hi);
  if (!small(highest, kFar - 1)) return type;
  std::int64_t power = 1;
  while (power <= highest && power < kFar) power *= 2;
  return Range{std::max(a.lo, b.lo), std::min<Size>(type.hi, power - 1)};
}

// Where facts hold: of each branch under its test, of forms that differ from a fact's by less, of wraps that these keep in the type.
Range range_where(Terms& t, Path path, Value v) {
  const ValueNode& node = t[v];
  if (node.kind == ValueKind::Case) {
    const auto branch = [&](bool holds) {
      std::vector<Literal> literals = t[path].literals;
      literals.push_back({node.test, holds});
      return range_where(t, t.intern(std::move(literals)), node.kids[holds ? 0 : 1]);
    };
    const Range a = branch(true), b = branch(false);
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
  const Range all = integer_range(t, v);
  const bool wraps = node.kind == ValueKind::Fn && node.fn == ScalarFn::Convert && node.leaf == 1;
  const Index form = to_index(t, wraps ? node.kids[0] : v);
  Size lo = t[form].lo, hi = t[form].hi;
  const std::vector<Part> own = t[form].parts;  // new forms move what t holds
  for (const Fact& fact : facts_of(t, path)) {
    const std::vector<Part> known = t[fact.index].parts;
    for (const Part& p : own) {
      for (const Part& q : known) {
        if (p.atom != q.atom || !divides(q.coef, p.coef)) continue;
        const Size k = p.coef / q.coef;
        const Index rest = axpy(t, -k, fact.index, form);
        if (k > 0 || fact.equality) lo = std::max(lo, t[rest].lo);
        if (k < 0 || fact.equality) hi = std::min(hi, t[rest].hi);
      }
    }
  }
  if (wraps && (lo <= -kFar || hi >= kFar || lo < all.lo || hi > all.hi)) return all;
  return {std::max(lo, all.lo), std::min(hi, all.hi)};
}

Range compute_range(Terms& t, Value v) {
  const ValueNode& node = t[v];
  switch (node.kind) {
    case ValueKind::Poly: return range_of_poly(t, node);
    case ValueKind::Int: return {t[Atom{node.ref}].lo, t[Atom{node.ref}].hi};
    case ValueKind::Read: return {t.anchors[node.ref].lo, t.anchors[node.ref].hi};
    case ValueKind::Fn:
      return node.type != ElementType::Token ? range_of_function(t, node) : Range{-kFar, kFar};
    case ValueKind::Case: return range_where(t, Path{}, v);
    case ValueKind::Fold: {
      if (node.type != ElementType::Token) return range_of_type(node.type);
      const Range body = integer_range(t, node.kids[0]);
      if (node.fn == ScalarFn::Max && !maybe_empty(t, node)) return body;
      if (node.fn != ScalarFn::Add) return {-kFar, kFar};
      Wide count = 1;
      for (const Var x : node.vars) count = saturate(count * t[x].extent);
      const Wide lo = count * body.lo, hi = count * body.hi;
      if (maybe_empty(t, node)) return {body.lo < 0 ? saturate(lo) : least_at_ends(t, node), saturate(std::max<Wide>(hi, 0))};
      return {saturate(lo), saturate(hi)};
    }
    case ValueKind::Row: return range_of_row(t, node);
    default: return {-kFar, kFar};
  }
}

}  // namespace

Classes classes_of(Terms& t, Value v) {
  return remembered(t, t.memo().classes, v.id, [&] {
    const Deeper level(t.depth);
    const Classes signs = compute(t, v);
    const bool open = signs.set() & (Classes::kNeg | Classes::kNegInf) && signs.set() & (Classes::kPos | Classes::kPosInf);
    return open && (t[v].kind == ValueKind::Poly || t[v].kind == ValueKind::Fn) ? within(signs, bounds_of(t, v)) : signs;
  });
}

Classes classes_of(Terms& t, Monomial m) {
  Classes total(Classes::kPos);
  for (const Factor& f : t[m].factors) {
    const auto n = f.exponent.integer();
    total = product(total, power(classes_of(t, f.base), f.exponent.sign(), !n, n && divides(2, *n)));
  }
  if (!total.finite_or_nan() && bounds_of_share(t, t[m].factors).hi) return Classes(static_cast<std::uint8_t>(total.set() & (Classes::kReal | Classes::kNaN)));
  return total;
}

Range integer_range(Terms& t, Value v) {
  return remembered(t, t.memo().ranges, v.id, [&] {
    const Deeper level(t.depth);
    return compute_range(t, v);
  });
}

Range range_of_type(ElementType type) {
  const ElementInfo& row = info(type);
  if (row.kind == ElementKind::Pred) return {0, 1};
  if (row.bits > 61 || !is_integral(type)) return {is_integral(type) && !is_signed(type) ? 0 : -kFar, kFar};
  if (!is_signed(type)) return {0, (std::int64_t{1} << row.bits) - 1};
  return {-(std::int64_t{1} << (row.bits - 1)), (std::int64_t{1} << (row.bits - 1)) - 1};
}

}  // namespace gg::checker
