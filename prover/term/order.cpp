// Places in rows that are put in descending order (certificate.md, R): the best of the best of parts are the best of the whole.
#include <algorithm>
#include <numeric>
#include <set>

#include "prover/term/form_walk.h"
#include "prover/term/permuted.h"
#include "prover/term/rebuild.h"

namespace gg::prover {
namespace {

constexpr int kMaxOrders = 60;  ///< folds and orders that are being normalised

/// The places in this order that a term reads at.
void places_in(const Terms& t, TermId id, std::uint32_t signature, std::set<TermId>& seen, std::vector<TermId>& out) {
  if (!seen.insert(id).second) return;
  if (t[id].kind == Kind::Row && t.row_parts(id).signature == signature && t.row_parts(id).leaf == Terms::kPlace) out.push_back(id);
  const std::function<void(TermId)> term = [&](TermId part) { places_in(t, part, signature, seen, out); };
  const std::function<void(LinId)> form = [&](LinId l) { for_each_part(t, l, term, form); };
  for_each_part(t, id, term, [&](LinId l, bool) { form(l); });
}

/// An integer term by an index form in its place.
class InPlace : public Guarded {
 public:
  InPlace(Terms& terms, TermId from, LinId to) : Guarded(terms, TermId::True), from_(from), to_(to) {}
  TermId term(TermId id) override {
    if (const TermId* known = memo_.find(raw(id))) return *known;
    const TermId result = id == from_ ? t_.integer(to_) : inside(id);
    memo_.add(raw(id), result);
    return result;
  }

 private:
  TermId from_;
  LinId to_;
  SmallMap<TermId> memo_;
};

/// The places of a row, put in ascending order of themselves: `at` is what comes to place v of them, where the row has what comes to place v.
std::optional<LinId> sorted_back(Terms& t, std::uint32_t signature, LinId var, LinId at, TermId body) {
  const std::vector<LinTerm> list = t.term_list(at);
  if (list.size() != 1 || list[0].coef != 1 || t[at].c0 != 0 || t[list[0].atom].kind != AtomKind::Data) return std::nullopt;
  const auto sorted = static_cast<TermId>(t[list[0].atom].arg);
  if (t[sorted].kind != Kind::Row) return std::nullopt;
  const RowParts p = t.row_parts(sorted);
  const std::int64_t size = t[t.terms(var)[0].atom].extent;
  if ((p.signature & Terms::kOrder) == 0 || p.leaf != Terms::kPlace || p.extents != std::vector{size}) return std::nullopt;
  if (t[p.index[0]].lo < 0 || t[p.index[0]].hi >= size) return std::nullopt;
  const Opened open = t.open(sorted);
  const TermId own = t.row(signature, Terms::kPlace, Sort::Int, std::array{var}, std::array{open.vars[0]}, std::array{body});
  if (open.bodies[0] != t.integer(t.scale(-1, t.as_lin(own)))) return std::nullopt;
  t.count(LemmaId::SortedBack);
  return p.index[0];
}

/// The place in a row of numbers, a table.
std::optional<LinId> order_of_numbers(Terms& t, LinId var, LinId at, TermId body) {
  const auto numbers = numbers_of(t, var, body);
  if (!numbers || t[at].lo < 0 || t[at].hi >= static_cast<std::int64_t>(numbers->size())) return std::nullopt;
  std::vector<std::int64_t> places(numbers->size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](std::int64_t a, std::int64_t b) { return (*numbers)[static_cast<std::size_t>(a)] > (*numbers)[static_cast<std::size_t>(b)]; });
  t.count(LemmaId::OrderOfNumbers);
  return t.table(std::move(places), at);
}

}  // namespace

/// Each place of a row is taken once: P(b) = L, L in the row, is b = P(L; -P(.)).
std::optional<std::pair<VarId, LinId>> Terms::taken(LinId zero, VarSet wanted) {
  for (const LinTerm& s : term_list(zero)) {
    const AtomNode a = (*this)[s.atom];
    const auto place = static_cast<TermId>(a.arg);
    if (a.kind != AtomKind::Data || std::abs(s.coef) != 1 || (*this)[place].kind != Kind::Row) continue;
    const RowParts p = row_parts(place);
    if ((p.signature & kOrder) == 0 || p.leaf != kPlace || is_num(p.index[0])) continue;
    const LinTerm own = terms(p.index[0])[0];
    const AtomNode v = (*this)[own.atom];
    const LinId rest = scale(-s.coef, axpy(-s.coef, atom_form(s.atom), zero));
    const std::int64_t n = p.extents[0];
    if (v.kind != AtomKind::Var || p.index[0] != var(v.var, n) || (wanted & bit(v.var)) == 0 || ((*this)[rest].free & bit(v.var)) != 0) continue;
    const Opened row = open(place);
    if (((*this)[row.bodies[0]].free & bit(v.var)) != 0 || (*this)[rest].lo < 0 || (*this)[rest].hi >= n) continue;
    const Fresh c = fresh(n);
    const TermId there = this->row(p.signature, kPlace, Sort::Int, row.vars, c, row.bodies);
    count(LemmaId::PlaceTakenOnce);
    return std::pair{v.var, as_lin(this->row(kOrder | kNanFirst, kPlace, Sort::Int, c, std::array{rest}, std::array{integer(scale(-1, as_lin(there)))}))};
  }
  return std::nullopt;
}

/// A key that puts a row in the same order: without finite addends and positive finite factors that are equal in all of the row, the
/// exponent of an exponential, and of a read what its definition leaves, if that is a read again.
TermId Terms::order_key(TermId key, VarSet binders) {
  if ((*this)[key].kind == Kind::FromInt) return integer(lin(key));
  if ((*this)[key].sort != Sort::Real) return key;
  const auto equal = [&](TermId part) { return ((*this)[part].free & binders) == 0; };
  std::vector<Summand> list = summands(key);
  if (std::erase_if(list, [&](const Summand& s) { return equal(s.mono) && attributes(s.mono).finite; }) > 0) count(LemmaId::KeyAddend);
  if (list.empty()) return TermId::Zero;
  if (list.size() > 1) {
    const auto [coef, rest] = content(sum(list));
    return scale(q.of(q.sign(coef)), rest);
  }
  std::vector<Factor> factors = this->factors(list[0].mono);
  const std::size_t dropped = std::erase_if(factors, [&](const Factor& f) {
    const Attributes a = attributes(mono({f}));
    return equal(f.term) && a.positive && a.finite;
  });
  if (dropped > 0) count(LemmaId::KeyFactor);
  const RatId sign = q.of(q.sign(list[0].coef));
  std::vector<TermId> exponent;
  for (const Factor& f : factors) {
    const TermNode n = (*this)[f.term];
    if (n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == ScalarFn::Exp) exponent.push_back(scale(q.mul(sign, f.exp), kid(f.term, 0)));
  }
  if (exponent.size() != factors.size()) {
    if (factors.size() == 1 && factors[0].exp == RatId::One && (*this)[factors[0].term].kind == Kind::Read) {
      const auto meant = definition(factors[0].term, TermId::True);
      const TermId other = meant ? order_key(scale(sign, *meant), binders) : TermId::Unknown;
      if (meant && (*this)[content(other).second].kind == Kind::Read) return other;
    }
    return monomial(sign, mono(factors));
  }
  count(LemmaId::KeyOfExponential);
  return order_key(add(exponent), binders);
}

std::optional<TermId> Terms::place(std::uint32_t signature, std::uint32_t leaf, std::span<const LinId> vars, LinId at, TermId body) {
  const bool alone = is_num(vars[0]);  // a row of one element, or of one part
  if (alone ? leaf == kOwnPlace || at == LinId::Zero : leaf == kOwnPlace && at == LinId::Zero) return integer(at);
  if (alone || leaf == kOwnPlace) return std::nullopt;
  if (at == LinId::Zero && (signature & kNanFirst) != 0) {
    if (const auto simple = part_of_largest(signature, vars[0], body)) return simple;
  }
  if (const auto numbers = order_of_numbers(*this, vars[0], at, body)) return integer(*numbers);
  if (const auto back = sorted_back(*this, signature, vars[0], at, body)) return integer(*back);
  const Nested level(store_->depth);
  if (store_->depth > kMaxOrders) throw TermLimit("places in rows nested too deeply");
  std::set<TermId> seen;
  std::vector<TermId> inner;
  places_in(*this, body, signature, seen, inner);
  for (const TermId inside : inner) {
    if (const auto simple = best_of_parts(signature, inside, vars[0], at, body)) return simple;
    if (const auto simple = winner_in_part(signature, inside, vars[0], at, body)) return simple;
  }
  return std::nullopt;
}

/// The row has the k best of each part, one part after the other, `inner` the place in its part: its best are those of the parts together. In
/// the row, the winner's place is k * (its part) + (its place in the order of its part).
std::optional<TermId> Terms::best_of_parts(std::uint32_t signature, TermId inner, LinId var, LinId at, TermId body) {
  const AtomNode list = (*this)[terms(var)[0].atom];
  if (((*this)[inner].free & bit(list.var)) == 0) return std::nullopt;
  const DigitView v = view(row_parts(inner).index[0]);
  if (v.c0 != 0 || !v.others.empty() || v.digits.size() > 1) return std::nullopt;
  if (!v.digits.empty() && (v.digits[0].var != list.var || v.digits[0].m != 1 || v.digits[0].coef != 1)) return std::nullopt;
  const std::int64_t k = v.digits.empty() ? 1 : v.digits[0].n, size = row_parts(inner).extents[0];
  if (k > size || list.extent % k != 0) return std::nullopt;
  if ((*this)[at].lo < 0 || (*this)[at].hi >= (k == size ? list.extent : k)) return std::nullopt;
  const Fresh cut = fresh(std::array{list.extent / k, k, size});
  const auto bits = [&](std::size_t n) { return (*this)[cut[n]].free; };
  const auto put = [&](Map& map, LinId from, LinId to) {
    if (!is_num(from)) map.set((*this)[terms(from)[0].atom].var, to);
  };
  Map map, joined;
  map.set(list.var, axpy(k, cut[0], cut[1]));
  const TermId sorted = substitute(inner, map), key = substitute(body, map);
  if ((*this)[sorted].kind != Kind::Row || row_parts(sorted).index[0] != cut[1]) return std::nullopt;
  const TermId element = InPlace(*this, sorted, cut[2]).term(key);
  if (((*this)[element].free & bits(1)) != 0) return std::nullopt;
  if (row(signature, kPlace, Sort::Int, std::array{cut[2]}, std::array{cut[1]}, std::array{element}) != sorted) return std::nullopt;
  const Fresh all = fresh(list.extent / k * size);
  put(joined, cut[0], div(all[0], size));
  put(joined, cut[2], mod(all[0], size));
  const LinId best = as_lin(row(signature, kPlace, Sort::Int, all, std::array{at}, std::array{substitute(element, joined)}));
  const LinId own = as_lin(row(signature, kOwnPlace, Sort::Int, std::array{cut[0], cut[2]}, std::array{at}, std::array{element}));
  count(LemmaId::BestOfBest);
  return integer(axpy(k, div(best, size), own));
}

/// The row is the part of a winner, and the place that which the winner has in the order of its part: there is the winner.
std::optional<TermId> Terms::winner_in_part(std::uint32_t signature, TermId winner, LinId var, LinId at, TermId body) {
  const std::int64_t size = (*this)[terms(var)[0].atom].extent;
  const RowParts p = row_parts(winner);
  if (p.extents[0] % size != 0 || (*this)[p.index[0]].lo < 0 || (*this)[p.index[0]].hi >= p.extents[0]) return std::nullopt;
  const Opened whole = open(winner);
  const LinId won = as_lin(winner);
  Map there, cut_there;
  const VarId all = (*this)[terms(whole.vars[0])[0].atom].var;
  there.set(all, axpy(size, div(won, size), var));
  if (order_key(substitute(whole.bodies[0], there), (*this)[var].free) != body) return std::nullopt;
  const Fresh cut = fresh(std::array{p.extents[0] / size, size});
  cut_there.set(all, axpy(size, cut[0], cut[1]));
  const std::array parts{substitute(whole.bodies[0], cut_there)};
  if (as_lin(row(signature, kOwnPlace, Sort::Int, cut, p.index, parts)) != at) return std::nullopt;
  count(LemmaId::Winner);
  return integer(mod(won, size));
}

}  // namespace gg::prover
