// Ranges of index forms, and forms of rank digits evaluated on their whole box.
#include <algorithm>
#include <map>
#include <optional>

#include "prover/checker/functions.h"
#include "prover/checker/index.h"
#include "prover/checker/wide.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kEnumerated = 64;   // extents up to here: exact by evaluation
constexpr std::int64_t kMaxBox = 1 << 16;  // I6

struct WideRange {
  Wide lo = 0, hi = 0;
  void add(Wide coef, Wide a, Wide b) {
    lo += coef > 0 ? coef * a : coef * b;
    hi += coef > 0 ? coef * b : coef * a;
  }
};

// One variable's part of a form: coefficient of v div d by ascending d.
struct ByText {
  bool operator()(const Size& a, const Size& b) const { return at_text(a) < at_text(b); }
};
using Digits = std::map<Size, Size, ByText>;

WideRange range_of_digits(Size extent, const Digits& digits) {
  WideRange result;
  bool chain = true;
  for (auto it = digits.begin(); it != digits.end(); ++it)
    if (const auto next = std::next(it); next != digits.end()) chain = chain && divides(it->first, next->first);
  if (digits.size() > 1 && (small(extent, kEnumerated) || (!chain && small(extent, 4096)))) {
    for (Size v = 0; v < extent; ++v) {
      Wide sum = 0;
      for (const auto& [d, coef] : digits) sum += static_cast<Wide>(coef) * (v / d);
      result.lo = v == 0 ? sum : std::min(result.lo, sum);
      result.hi = v == 0 ? sum : std::max(result.hi, sum);
    }
    return result;
  }
  if (!chain) {
    for (const auto& [d, coef] : digits) result.add(coef, 0, (extent - 1) / d);
    return result;
  }
  // v div d_j = sum over higher digits x_i of x_i * (d_i / d_j): collect the coefficient of each digit.
  for (auto it = digits.begin(); it != digits.end(); ++it) {
    Wide coef = 0;
    for (auto low = digits.begin(); low != std::next(it); ++low)
      coef += static_cast<Wide>(low->second) * (it->first / low->first);
    const auto next = std::next(it);
    const Size top = (extent - 1) / it->first;
    result.add(coef, 0, next == digits.end() ? top : std::min(top, next->first / it->first - 1));
  }
  return result;
}

// Takes f*X - f*m*(X div m) out of the parts (X of several atoms): its range is f*[0, m-1].
bool take_modulo(const Terms& t, std::vector<Part>& parts, Size& c0, WideRange& range) {
  for (const Part& d : parts) {
    const AtomNode& atom = t[d.atom];
    if (take_digit(t, parts, d, range)) return true;
    if (atom.kind != AtomKind::Div || !divides(atom.m, d.coef)) continue;
    const Size f = -d.coef / atom.m;
    const IndexNode& x = t[atom.arg];
    std::vector<Part> rest;
    std::size_t found = 0;
    for (Part p : parts) {
      if (p.atom == d.atom) continue;
      for (const Part& q : x.parts) {
        if (q.atom == p.atom && same(static_cast<Wide>(p.coef), static_cast<Wide>(f) * q.coef)) {
          ++found;
          p.coef = 0;
          break;
        }
      }
      if (!same(p.coef, 0)) rest.push_back(p);
    }
    const Wide rest_c0 = static_cast<Wide>(c0) - static_cast<Wide>(f) * x.c0;
    if (found != x.parts.size() || !within(rest_c0, kFar)) continue;
    range.add(f, 0, atom.m - 1);
    c0 = saturate(rest_c0);
    parts = std::move(rest);
    return true;
  }
  return false;
}

Range by_parts(const Terms& t, Size c0, const std::vector<Part>& all);

// With what hangs on one variable of few values taken together, value by value, where some of it is more than quotients of the variable.
std::optional<Range> by_values(const Terms& t, const Size& c0, const std::vector<Part>& all) {
  std::map<Var, std::vector<Part>> values;
  std::vector<Part> rest;
  bool more = false;
  for (const Part& p : all) {
    const std::vector<Var>& free = t[t[p.atom].free];
    const bool plain = one_variable(t, p.atom), data = t[p.atom].kind == AtomKind::Data || (!plain && has_data(t, t[p.atom].arg));
    const bool few = free.size() == 1 && small(t[free[0]].extent, kEnumerated) && !data;
    (few ? values[free[0]] : rest).push_back(p);
    more = more || (few && !plain);
  }
  if (!more) return std::nullopt;
  Range sum = by_parts(t, c0, rest);
  for (const auto& [v, parts] : values) {
    Range own{kFar, -kFar};
    for (Size at = 0; at < t[v].extent; ++at) {
      const Size here = evaluate(t, 0, parts, [&](Var) { return at; });
      own = {std::min(own.lo, here), std::max(own.hi, here)};
    }
    sum = {sum.lo <= -kFar ? -kFar : saturate(static_cast<Wide>(sum.lo) + own.lo), sum.hi >= kFar ? kFar : saturate(static_cast<Wide>(sum.hi) + own.hi)};
  }
  return sum;
}

Range by_parts(const Terms& t, Size c0, const std::vector<Part>& all) {
  std::vector<Part> parts;
  std::map<Var, Digits> variables;
  for (const Part& p : all) {
    const AtomNode& atom = t[p.atom];
    if (one_variable(t, p.atom)) {
      const bool plain = atom.kind == AtomKind::Variable;
      variables[plain ? atom.var : t[t[atom.arg].parts[0].atom].var][plain ? Size(1) : atom.m] += p.coef;
      continue;
    }
    parts.push_back(p);
  }
  WideRange sum;
  if (!parts.empty()) {  // a modulo of several atoms may need the plain variables too
    std::vector<Part> copy = all;
    Size c = c0;
    WideRange taken;
    if (take_modulo(t, copy, c, taken)) {
      const Range rest = by_parts(t, c, copy);
      return {rest.lo <= -kFar ? -kFar : saturate(taken.lo + rest.lo), rest.hi >= kFar ? kFar : saturate(taken.hi + rest.hi)};
    }
  }
  for (const auto& [v, digits] : variables) {
    const WideRange r = range_of_digits(t[v].extent, digits);
    sum.lo += r.lo;
    sum.hi += r.hi;
  }
  bool low_open = false, high_open = false;
  for (const Part& p : parts) {
    const AtomNode& atom = t[p.atom];
    sum.add(p.coef, atom.lo, atom.hi);
    const bool far_low = atom.lo <= -kFar, far_high = atom.hi >= kFar;
    low_open = low_open || (p.coef > 0 ? far_low : far_high);
    high_open = high_open || (p.coef > 0 ? far_high : far_low);
  }
  return {low_open ? -kFar : saturate(sum.lo + c0), high_open ? kFar : saturate(sum.hi + c0)};
}

}  // namespace

Range index_range(const Terms& t, Size c0, const std::vector<Part>& parts) {
  const Range range = by_parts(t, c0, parts);
  const auto values = by_values(t, c0, parts);
  return values ? Range{std::max(range.lo, values->lo), std::min(range.hi, values->hi)} : range;
}

Index refit(Terms& t, Index a) {
  const IndexNode& node = t[a];
  if (std::all_of(node.parts.begin(), node.parts.end(), [&](const Part& p) { return one_variable(t, p.atom); })) return a;
  VarSet mixed{};  // variables of which more than a multiple is added
  for (const Part& p : node.parts)
    if (!one_variable(t, p.atom)) mixed = t.unite(mixed, t[p.atom].free);
  if (mixed != node.free) {  // what only adds to the rest needs no points
    std::vector<Part> inner, outer;
    for (const Part& p : node.parts) (t.disjoint(t[p.atom].free, mixed) ? outer : inner).push_back(p);
    const Index rest = t.intern(node.c0, std::move(inner)), fit = refit(t, rest);
    return fit == rest ? a : add(t, fit, t.intern(0, std::move(outer)));
  }
  const std::vector<Var> vars = t[node.free];
  const bool table = node.parts.size() == 1 && t[node.parts[0].atom].kind == AtomKind::Table;
  if (has_data(t, a) || (!table && std::any_of(vars.begin(), vars.end(), [&](Var v) { return t[v].space != Space::Rank; }))) return a;
  if (const auto it = t.memo().refitted.find(a.id); it != t.memo().refitted.end()) return it->second;
  t.memo().refitted[a.id] = a;  // also stops the recursion through the forms made below
  const std::vector<Size> values = values_of(t, a, vars, kMaxBox);
  if (values.empty()) return a;
  return t.memo().refitted[a.id] = fit_of(t, vars, values).value_or(a);
}

bool has_data(const Terms& t, Index a) {
  return std::any_of(t[a].parts.begin(), t[a].parts.end(), [&](const Part& p) {
    const AtomNode& atom = t[p.atom];
    return atom.kind == AtomKind::Data || (atom.kind != AtomKind::Variable && has_data(t, atom.arg));
  });
}

}  // namespace gg::checker
