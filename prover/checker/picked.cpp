#include "prover/checker/picked.h"

#include <algorithm>
#include <set>

#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/slices.h"

namespace gg::checker {
namespace {

constexpr std::size_t kMostPieces = 64;

// Where a number lies, and the value that is taken there.
struct Piece {
  Size lo, hi;
  Value value;
  bool one() const { return same(lo, hi); }
};

// A comparison of an integer of the data: its form without the constant, one sign of the two, and where it holds (an equality perhaps all but there).
struct Compared {
  Index number;
  Size lo, hi;
  bool fails = false;  ///< all but there
};

std::optional<Compared> compared(Terms& t, Literal l) {
  const TestNode test = t[l.test];
  if (test.kind == TestKind::Truth || !has_data(t, test.index)) return std::nullopt;
  const bool equal = test.kind == TestKind::Eq;
  const Index form = l.holds || equal ? test.index : offset(t, scale(t, -1, test.index), -1);
  const Size c = t[form].c0;
  const bool up = !(t[form].parts[0].coef < 0);
  const Index number = scale(t, up ? 1 : -1, offset(t, form, -c));
  return Compared{number, equal || up ? (up ? -c : c) : t[number].lo, equal || !up ? (up ? -c : c) : t[number].hi, equal && !l.holds};
}

// The values by where the number lies, in ascending order.
struct Pieces {
  std::vector<Piece> list{};
  std::set<std::uint32_t> cases{};  // that ask for the number
};
void collect(Terms& t, Value v, Index number, const Size& lo, const Size& hi, Pieces& pieces) {
  std::vector<Piece>& out = pieces.list;
  const ValueNode node = t[v];
  const auto test = node.kind == ValueKind::Case ? compared(t, {node.test, true}) : std::nullopt;
  if (lo > hi) return;
  if (!test || test->number != number) {
    if (!out.empty() && out.back().value == v) {
      out.back().hi = hi;
    } else {
      out.push_back({lo, hi, v});
    }
    return;
  }
  pieces.cases.insert(v.id);
  const Size from = test->lo > lo ? test->lo : lo, to = test->hi < hi ? test->hi : hi;
  if (from > to) return collect(t, node.kids[1], number, lo, hi, pieces);
  collect(t, node.kids[1], number, lo, from - 1, pieces);
  collect(t, node.kids[0], number, from, to, pieces);
  collect(t, node.kids[1], number, to + 1, hi, pieces);
}

// h(from) of values h(0) and h(1) that read the same at places as far apart each; what both add stays beside it.
std::optional<Value> on_the_way(Terms& t, Value a, Value b, Index from) {
  std::vector<PolyPart> x = poly_parts(t, a), y = poly_parts(t, b);
  Value low = number(t, 0), high = low, rest = low;
  for (const PolyPart& p : x) {
    Value& where = std::find(y.begin(), y.end(), p) != y.end() ? rest : low;
    where = sum(t, where, from_part(t, p));
  }
  for (const PolyPart& p : y)
    if (std::find(x.begin(), x.end(), p) == x.end()) high = sum(t, high, from_part(t, p));
  const auto steps = t[low].reads == t[high].reads ? steps_between(sums_of(t, low), sums_of(t, high)) : std::nullopt;
  const auto moves = [](const auto& all) { return std::any_of(all.second.begin(), all.second.end(), [](const Size& step) { return !same(step, 0); }); };
  if (!steps || std::none_of(steps->begin(), steps->end(), moves)) return std::nullopt;
  Binders scope(t);
  const Var c = scope.open(2);
  const Value h = moved(t, low, *steps, variable(t, c));
  const auto at = [&](Index place) { return Substitution(t, {{c, place}})(h); };
  if (at(constant(t, 0)) != low || at(constant(t, 1)) != high) return std::nullopt;
  return sum(t, rest, at(from));
}

// A value where an integer of the data is a form.
class Told : public Rewriter {
 public:
  Told(Terms& t, Atom number, Index form) : Rewriter(t), number_(number), form_(form) {}

 protected:
  bool unchanged(VarSet free) override { return !t_[t_[number_].free].empty() && t_.disjoint(free, t_[number_].free); }
  Index atom(Atom a) override { return a == number_ ? form_ : Rewriter::atom(a); }
  Value read(Value v, const std::vector<Index>& index) override {
    const Value made = Rewriter::read(v, index);
    return made == t_[number_].value ? from_index(t_, form_) : made;
  }

 private:
  Atom number_;
  Index form_;
};

Value where_it_is(Terms& t, Value v, Index number, const Size& k) {
  for (const Part& p : std::vector<Part>(t[number].parts)) {
    if (t[p.atom].kind != AtomKind::Data || !same(magnitude(p.coef), 1)) continue;
    const Index others = axpy(t, -p.coef, atom_form(t, p.atom), number);
    return Told(t, p.atom, scale(t, p.coef, sub(t, constant(t, k), others)))(v);
  }
  return v;
}

// What both are, of pieces one after the other.
std::optional<Value> value_of_both(Terms& t, Index number, const Piece& p, const Piece& q) {
  if (p.value == q.value) return p.value;
  const bool cases = is_case(t, p.value) || is_case(t, q.value), real = t[p.value].reads != 0 && t[p.value].reads == t[q.value].reads;
  if (!real) return std::nullopt;
  if (const auto h = p.one() && q.one() && !cases ? on_the_way(t, p.value, q.value, offset(t, number, -p.lo)) : std::nullopt) return h;
  if (q.one() && where_it_is(t, p.value, number, q.lo) == q.value) return p.value;
  if (p.one() && where_it_is(t, q.value, number, p.lo) == p.value) return q.value;
  return std::nullopt;
}

// A number that is one value between two equal ones.
std::size_t inner(const std::vector<Piece>& pieces) {
  std::size_t k = 1;
  while (k + 1 < pieces.size() && !(pieces[k].one() && pieces[k - 1].value == pieces[k + 1].value)) ++k;
  return k;
}

// The comparisons that they need.
std::size_t tests_of(std::vector<Piece> pieces) {
  std::size_t tests = 0;
  for (std::size_t k = inner(pieces); k + 1 < pieces.size(); k = inner(pieces), ++tests) {
    pieces[k - 1].hi = pieces[k + 1].hi;
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(k), pieces.begin() + static_cast<std::ptrdiff_t>(k) + 2);
  }
  return tests + pieces.size() - 1;
}

Value whole_of(Terms& t, Index number, std::vector<Piece> pieces) {
  if (const std::size_t k = inner(pieces); k + 1 < pieces.size()) {
    const Piece one = pieces[k];
    pieces[k - 1].hi = pieces[k + 1].hi;
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(k), pieces.begin() + static_cast<std::ptrdiff_t>(k) + 2);
    const Value others = whole_of(t, number, std::move(pieces));
    return choose(t, eq(t, offset(t, number, -one.lo)), one.value, others);
  }
  Value whole = pieces.back().value;
  for (std::size_t k = pieces.size() - 1; k-- > 0;) whole = choose(t, ge(t, offset(t, scale(t, -1, number), pieces[k].hi)), pieces[k].value, whole);
  return whole;
}

// By each number of the data that the conditions compare: where it lies, and the other conditions.
struct Chosen {
  Index number;
  Piece piece;
  Path others;
};
std::vector<Chosen> chosen_in(Terms& t, const std::vector<Literal>& path, Value body) {
  std::vector<Chosen> all;
  for (const Literal& l : path) {
    const auto test = compared(t, l);
    if (!test || std::any_of(all.begin(), all.end(), [&](const Chosen& c) { return c.number == test->number; })) continue;
    Chosen c{test->number, {t[test->number].lo, t[test->number].hi, body}, Path{}};
    std::vector<Literal> others, apart;
    for (const Literal& other : path) {
      const auto also = compared(t, other);
      if (!also || also->number != c.number || also->fails) {
        (also && also->number == c.number ? apart : others).push_back(other);
        continue;
      }
      if (also->lo > c.piece.lo) c.piece.lo = also->lo;
      if (also->hi < c.piece.hi) c.piece.hi = also->hi;
    }
    const auto at_end = [&](const Literal& not_there) {
      const Size k = compared(t, not_there)->lo;
      if (same(k, c.piece.lo)) c.piece.lo = k + 1;
      else if (same(k, c.piece.hi)) c.piece.hi = k - 1;
      else return false;
      return true;
    };
    for (auto end = std::find_if(apart.begin(), apart.end(), at_end); end != apart.end(); end = std::find_if(apart.begin(), apart.end(), at_end)) apart.erase(end);
    others.insert(others.end(), apart.begin(), apart.end());
    c.others = t.intern(std::move(others));
    all.push_back(c);
  }
  return all;
}

}  // namespace

std::optional<Value> picked(Terms& t, Test test, Value a, Value b) {
  const auto truth = [&](Value v) { return v == boolean(t, true) || v == boolean(t, false); };
  if (truth(a) || truth(b)) return std::nullopt;  // conditions are spelled as such
  const auto first = compared(t, {test, true});
  const auto goes_on = [&](Value v) {
    const auto next = is_case(t, v) ? compared(t, {t[v].test, true}) : std::nullopt;
    return next && next->number == first->number;
  };
  const bool tells = first && t[test].kind == TestKind::Eq && t[a].reads != 0 && t[a].reads == t[b].reads;
  if (!first || !(tells || goes_on(a) || goes_on(b))) return std::nullopt;
  const Index form = first->number;
  Pieces all;
  collect(t, b, form, t[form].lo, first->lo - 1, all);
  collect(t, a, form, first->lo, first->hi, all);
  collect(t, b, form, first->hi + 1, t[form].hi, all);
  std::vector<Piece>& pieces = all.list;
  if (pieces.size() > kMostPieces) return std::nullopt;
  bool any = all.cases.size() + 1 > tests_of(pieces);
  for (std::size_t k = 0; k + 1 < pieces.size();) {
    const auto one = value_of_both(t, form, pieces[k], pieces[k + 1]);
    if (!one) {
      ++k;
      continue;
    }
    any = true;
    pieces[k].value = *one;
    pieces[k].hi = pieces[k + 1].hi;
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    k -= k > 0 ? 1 : 0;
  }
  return any ? std::optional(whole_of(t, form, std::move(pieces))) : std::nullopt;
}

std::optional<Value> picked_sums(Terms& t, Value a, Value b) {
  struct Sum {
    ValueNode fold;
    Value beside;
  };
  const auto sums = [&](Value v) {
    std::vector<Sum> all;
    const std::vector<PolyPart> parts = poly_parts(t, v);
    if (parts.size() != 1) return all;
    const std::vector<Factor> factors = t[parts[0].monomial].factors;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      const ValueNode node = t[factors[k].base];
      if (node.kind != ValueKind::Fold || node.fn != ScalarFn::Add || node.type != ElementType::Token || !factors[k].exponent.is_one() || t[node.path].literals.empty()) continue;
      std::vector<Factor> rest = factors;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
      const Value beside = from_part(t, {t.intern(std::move(rest)), parts[0].coef});
      if (classes_of(t, beside).finite()) all.push_back({node, beside});
    }
    return all;
  };
  const std::vector<Sum> left = sums(a), right = left.empty() ? left : sums(b);
  const auto one_box = [&](const Sum& x, const Sum& y) {
    return std::equal(x.fold.vars.begin(), x.fold.vars.end(), y.fold.vars.begin(), y.fold.vars.end(), [&](Var v, Var w) { return same(t[v].extent, t[w].extent); });
  };
  for (const Sum& x : left) {
    for (const Sum& y : right) {
      if (!one_box(x, y)) continue;
      Binders scope(t);
      std::vector<Var> vars;
      std::vector<Index> forms;
      for (const Var v : x.fold.vars) {
        vars.push_back(scope.open(t[v].extent));
        forms.push_back(variable(t, vars.back()));
      }
      const auto chosen = [&](const Sum& s) {
        Substitution at(t, s.fold.vars, forms);
        return chosen_in(t, t[literals_of(t, at.guard(t[s.fold.path].literals))].literals, product(t, s.beside, at(s.fold.kids[0])));
      };
      const std::vector<Chosen> first = chosen(x), second = chosen(y);
      for (const Chosen& p : first) {
        for (const Chosen& q : second) {
          const bool next = same(p.piece.hi + 1, q.piece.lo), before = same(q.piece.hi + 1, p.piece.lo);
          if (p.number != q.number || p.others != q.others || (!next && !before)) continue;
          const Piece &low = next ? p.piece : q.piece, &high = next ? q.piece : p.piece;
          const auto value = value_of_both(t, p.number, low, high);
          if (!value) continue;
          Value guard = between(t, p.number, low.lo, high.hi + 1);
          for (const Literal& l : t[p.others].literals) guard = both(t, guard, condition(t, l));
          return fold(t, ScalarFn::Add, ElementType::Token, vars, guard, *value);
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace gg::checker
