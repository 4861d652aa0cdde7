#include "prover/checker/summands.h"

#include <algorithm>

#include "prover/checker/binders.h"
#include "prover/checker/choice.h"
#include "prover/checker/number.h"

namespace gg::checker {
namespace {

// Is it a conjunction of tests? (Literals by themselves may be told in another form than under conditions that are gone.)
bool is_conjunction(Terms& t, Value guard) {
  const Value no = boolean(t, false);
  while (is_case(t, guard) && (t[guard].kids[0] == no || t[guard].kids[1] == no)) guard = t[guard].kids[t[guard].kids[1] == no ? 0 : 1];
  return guard == boolean(t, true);
}

// Both conditions as one that is each of them on its side of the test, if there is one: what one of them lacks follows there.
std::optional<std::vector<Literal>> condition_of_both(Terms& t, const std::vector<Literal>& path, Test test, const std::vector<Literal>& yes, const std::vector<Literal>& no) {
  std::vector<Literal> both = yes;
  for (const bool holds : {true, false}) {
    const std::vector<Literal>&own = holds ? yes : no, &other = holds ? no : yes;
    std::vector<Literal> known = path;
    known.push_back({test, holds});
    known.insert(known.end(), own.begin(), own.end());
    for (const Literal& l : other) {
      if (std::find(own.begin(), own.end(), l) != own.end()) continue;
      if (decide(t, t.intern(known), l.test) != l.holds) return std::nullopt;
      if (holds) both.push_back(l);
    }
  }
  std::vector<Literal> all = path;
  all.insert(all.end(), both.begin(), both.end());
  return is_conjunction(t, conjunction(t, all)) ? std::optional(both) : std::nullopt;
}

// One value that is x where the test holds and y where it does not, if one of them is the other there.
std::optional<Value> value_of_both(Terms& t, const std::vector<Literal>& path, Test test, Value x, Value y) {
  if (x == y) return x;
  if (t[x].reads != t[y].reads) return std::nullopt;
  const Path here = t.intern(path);
  if (assume(t, here, {test, false}, x) == y) return x;
  return assume(t, here, {test, true}, y) == x ? std::optional(y) : std::nullopt;
}

// A summand c*m of m times c + d, c and d of one sign, on the other side: what both have, and d*m, which the first or the second has alone.
struct Shared {
  Value both, more;
  bool first;
};
std::optional<Shared> shared_multiple(Terms& t, Value x, Value y) {
  const std::vector<PolyPart> a = poly_parts(t, x), b = poly_parts(t, y);
  if (a.size() != 1 || b.size() != 1 || a[0].monomial != b[0].monomial || a[0].coef.sign() != b[0].coef.sign() || a[0].coef == b[0].coef) return std::nullopt;
  const Rational more = a[0].coef - b[0].coef;
  const bool first = more.sign() == a[0].coef.sign();
  return Shared{first ? y : x, from_part(t, {a[0].monomial, first ? more : -more}), first};
}

std::vector<Leaf> summands_under(Terms& t, Value element, std::vector<Literal>& path) {
  std::vector<Leaf> all;
  if (!is_case(t, element)) {
    const bool real = t[element].kind != ValueKind::Unknown && t[element].kind != ValueKind::NaN;
    if (!real) return {{{}, element}};
    for (const PolyPart& p : poly_parts(t, element)) all.push_back({{}, from_part(t, p)});
    return all;
  }
  const ValueNode node = t[element];
  path.push_back({node.test, true});
  const std::vector<Leaf> yes = summands_under(t, node.kids[0], path);
  path.back().holds = false;
  std::vector<Leaf> no = summands_under(t, node.kids[1], path);
  path.pop_back();
  const auto add = [&](Leaf leaf, bool holds) {
    leaf.path.push_back({node.test, holds});
    all.push_back(std::move(leaf));
  };
  for (const Leaf& x : yes) {
    std::optional<Value> value;
    std::optional<Shared> shared;
    std::optional<std::vector<Literal>> where;
    const auto find = [&](const auto& common) {
      return std::find_if(no.begin(), no.end(), [&](const Leaf& other) {
        value = common(other.value);
        where = value ? condition_of_both(t, path, node.test, x.path, other.path) : std::nullopt;
        return where.has_value();
      });
    };
    auto y = find([&](Value other) { return value_of_both(t, path, node.test, x.value, other); });
    if (y == no.end()) {
      y = find([&](Value other) {
        shared = shared_multiple(t, x.value, other);
        return shared ? std::optional(shared->both) : std::nullopt;
      });
      if (y != no.end()) add({shared->first ? x.path : y->path, shared->more}, shared->first);
    }
    if (y == no.end()) {
      add(x, true);
    } else {
      all.push_back({*where, *value});
      no.erase(y);
    }
  }
  for (Leaf& y : no) add(std::move(y), false);
  return all;
}

}  // namespace

std::vector<Leaf> summands(Terms& t, Value element) {
  std::vector<Literal> path;
  return summands_under(t, element, path);
}

bool agree_moved(Terms& t, Value a, Value b) {
  Value x = a, y = b;
  if (t[a].kind != ValueKind::Poly && t[b].kind != ValueKind::Poly) return false;
  for (const Value side : {a, b}) {
    for (const PolyPart& p : poly_parts(t, side)) {
      const Value positive = from_part(t, {p.monomial, -p.coef});
      if (p.coef.sign() >= 0 || !classes_of(t, positive).finite()) continue;
      x = sum(t, x, positive);
      y = sum(t, y, positive);
    }
  }
  return x == y;
}

}  // namespace gg::checker
