#include "prover/term/groups.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "prover/term/compared.h"
#include "prover/term/fold_builder.h"
#include "prover/term/parts.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxDigits = 3;  ///< binders that number a row
constexpr int kMaxNumbers = 4;         ///< integers one made of the other

/// A row of integers over a variable.
struct Row {
  VarId var;
  LinId element;
  std::int64_t size;
  LinId at(Terms& t, LinId place) const { return t.substitute(element, Terms::Map(var, place)); }
};

TermId data(const Terms& t, const LinTerm& s) { return t[s.atom].kind == AtomKind::Data ? static_cast<TermId>(t[s.atom].arg) : TermId::Unknown; }

bool orders(const Terms& t, TermId place) {
  return t[place].kind == Kind::Row && (t.row_parts(place).signature & Terms::kOrder) != 0 && t.row_parts(place).leaf == Terms::kPlace;
}

/// The order whose places, put in ascending order, this is.
TermId put_back(const Terms& t, TermId place) {
  if (!orders(t, place)) return TermId::Unknown;
  const TermId negative = t.row_parts(place).bodies[0];
  if (t[negative].kind != Kind::Int || t[t.lin(negative)].n != 1 || t[t.lin(negative)].c0 != 0 || t.terms(t.lin(negative))[0].coef != -1) return TermId::Unknown;
  const TermId order = data(t, t.terms(t.lin(negative))[0]);
  return orders(t, order) ? order : TermId::Unknown;
}

/// Forms L of comparisons in a condition that may say L >= 0; at an end of the range of a form it stands as an equality, or not as one.
std::vector<LinId> forms_in(Terms& t, TermId guard) {
  std::vector<LinId> forms;
  for (TermId part : t.conjuncts(guard)) {
    const bool fails = t[part].kind == Kind::Not;
    if (fails) part = t.kid(part, 0);
    if (t[part].kind != Kind::Ge && t[part].kind != Kind::Eq) continue;
    const LinId form = t.lin(part);
    if (t[part].kind == Kind::Ge || !fails) forms.push_back(form);
    if (t[part].kind == Kind::Eq)
      for (const std::int64_t sign : {-1, 1}) forms.push_back(t.offset(t.scale(sign, form), fails ? -1 : 0));
  }
  return forms;
}

/// Do both hold at the same places?
bool alike(Terms& t, TermId a, TermId b) { return a == b || (t.conj(a, t.negate(b)) == TermId::False && t.conj(b, t.negate(a)) == TermId::False); }

/// An integer, and the branches of a case that it is, up to its sign.
std::vector<LinId> values_of(Terms& t, LinId form) {
  std::vector<LinId> values{form};
  const TermId choice = t[form].n == 1 ? data(t, t.terms(form)[0]) : TermId::Unknown;
  if (choice == TermId::Unknown || t[choice].kind != Kind::Case) return values;
  const std::int64_t coef = t.terms(form)[0].coef, c0 = t[form].c0;
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) values.push_back(t.offset(t.scale(coef, t.as_lin(t.kid(choice, k))), c0));
  return values;
}

/// C, a sum of 1 over all of the row, whose places the binders are together, where the element is at least B: B.
std::optional<LinId> bound_of(Terms& t, TermId count, const Row& row) {
  if (t[count].kind != Kind::Fold || t[count].sort != Sort::Int || t.fold_parts(count).op != ScalarFn::Add) return std::nullopt;
  const FoldParts p = t.fold_parts(count);
  if (p.extents.size() > kMaxDigits || element_count(p.extents) != row.size || t.as_lin(p.body) != t.num(1)) return std::nullopt;
  const Opened o = t.open(count);
  const std::vector<LinId> forms = forms_in(t, o.guard);
  std::vector<std::size_t> order(p.extents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    LinId place = LinId::Zero;
    for (const std::size_t k : order) place = t.axpy(p.extents[k], place, o.vars[k]);
    const LinId element = row.at(t, place);
    for (const LinId value : values_of(t, element)) {
      for (const LinId form : forms) {
        const LinId bound = t.sub(value, form);
        if ((t[bound].free & o.set) == 0 && alike(t, t.ge(t.sub(element, bound)), o.guard)) return bound;
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}

/// Those in conditions, indices and rows, too.
std::vector<TermId> all_reads(const Terms& t, TermId id) {
  std::vector<TermId> reads;
  const auto note = [&](TermId part) {
    if (t[part].kind == Kind::Read) reads.push_back(part);
    return false;
  };
  some_part(
      t, id, true, note, [&](TermId part) { return (t[part].flags & kHasReads) != 0; }, kHasReads);
  return reads;
}

/// Is it what a sort gives, all places of an order?
bool sorts(const Terms& t, TermId read) {
  const TermId form = t.anchor(t.anchor_of(read)).form;
  if (form == TermId::Unknown || !orders(t, form)) return false;
  const RowParts p = t.row_parts(form);
  return t[p.index[0]].lo == 0 && t[p.index[0]].hi == p.extents[0] - 1;
}

/// An integer that is a place of an order, or is computed.
bool numbers(const Terms& t, TermId read) {
  const TermId form = t.anchor(t.anchor_of(read)).form;
  return t[read].sort == Sort::Int && form != TermId::Unknown && (t[form].kind != Kind::Row || sorts(t, read));
}

/// The levels of definitions in which nothing but such numbers is read.
int levels_of(const Terms& t, TermId read, int most = kMaxNumbers) {
  const std::vector<TermId> inner = all_reads(t, t.anchor(t.anchor_of(read)).form);
  if (most == 1 || inner.empty() || !std::ranges::all_of(inner, [&](TermId number) { return numbers(t, number); })) return 1;
  int least = most;
  for (const TermId number : inner) least = std::min(least, levels_of(t, number, most - 1));
  return 1 + least;
}

}  // namespace

bool own_place(const Terms& t, TermId place) { return put_back(t, place) != TermId::Unknown; }

bool sorted_back(const Terms& t, TermId taken) {
  if (t[taken].sort != Sort::Real) return false;
  const auto equals = [&](TermId part) {  // such a place, or a quotient of it, is asked for
    const auto place = [&](LinId form, const auto& again) -> bool {
      return std::ranges::any_of(t.terms(form), [&](const LinTerm& s) {
        if (t[s.atom].kind == AtomKind::Div) return again(static_cast<LinId>(t[s.atom].arg), again);
        const TermId read = data(t, s);
        return read != TermId::Unknown && t[read].kind == Kind::Read && sorts(t, read);
      });
    };
    return t[part].kind == Kind::Eq && place(t.lin(part), place);
  };
  return some_part(
             t, taken, false, equals, [&](TermId part) { return (t[part].flags & kHasReads) != 0; }, kHasReads) ||
         std::ranges::any_of(all_reads(t, taken), [&](TermId place) {
           return sorts(t, place) && std::ranges::any_of(all_reads(t, t.anchor(t.anchor_of(place)).form), [&](TermId inner) { return sorts(t, inner); });
         });
}

std::vector<std::pair<TermId, int>> numbers_in(const Terms& t, TermId id) {
  std::vector<std::pair<TermId, int>> marks;
  for (const TermId read : all_reads(t, id))
    if (numbers(t, read)) marks.emplace_back(read, levels_of(t, read));
  return marks;
}

std::optional<TermId> beside_count(Terms& t, LinId a) {
  if (t[a].n != 2 || (t[a].c0 != 0 && t[a].c0 != -1)) return std::nullopt;
  const std::vector<LinTerm> list = t.term_list(a);
  if (std::abs(list[0].coef) != 1 || list[0].coef + list[1].coef != 0) return std::nullopt;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const TermId place = data(t, list[k]);
    const bool above = list[k].coef > 0;  // w - C, else C - 1 - w
    if (t[a].c0 != (above ? 0 : -1) || !own_place(t, place)) continue;
    const LinId at = t.row_parts(place).index[0];
    const Opened places = t.open(place);
    const TermId order = data(t, t.terms(t.lin(places.bodies[0]))[0]);
    const RowParts parts = t.row_parts(order);
    if (parts.index[0] != places.vars[0] || parts.extents != places.extents || t[at].lo < 0 || t[at].hi >= parts.extents[0]) continue;
    const Opened sorted = t.open(order);
    if (t[sorted.bodies[0]].sort != Sort::Int || (t[sorted.bodies[0]].free & places.set) != 0) continue;
    const Row row{t[t.terms(sorted.vars[0])[0].atom].var, t.as_lin(sorted.bodies[0]), parts.extents[0]};
    const TermId other = data(t, list[1 - k]), count = other != TermId::Unknown && t[other].kind == Kind::Read ? t.definition(other, TermId::True).value_or(other) : other;
    const auto bound = bound_of(t, count, row);
    if (!bound) continue;
    t.count(LemmaId::PlaceBesideCount);
    const LinId over = t.sub(row.at(t, at), *bound);
    return above ? t.ge(t.offset(t.scale(-1, over), -1)) : t.ge(over);
  }
  return std::nullopt;
}

/// 0 <= X - c b <= s < c, X of data: b is X div c, X without its constant where that is the same.
std::optional<TermId> FoldBuilder::solve_residue(LinId low, LinId high) {
  const LinId total = t_.add(low, high);
  if (!t_.is_num(total) || t_[total].c0 < 0) return std::nullopt;
  for (const LinTerm& s : t_.term_list(high)) {
    const AtomNode binder = t_[s.atom];
    const std::int64_t c = s.coef;
    if (binder.kind != AtomKind::Var || binder.m != 1 || (bit(binder.var) & set_) == 0 || c < 2 || c <= t_[total].c0) continue;
    const LinId x = t_.axpy(c, t_.atom_form(s.atom), low);
    if (!t_[x].data || (t_[x].free & bit(binder.var)) != 0) continue;
    const std::int64_t quotient = floor_div(-t_[x].c0, c), least = -t_[x].c0 - c * quotient;
    const bool whole = least + t_[total].c0 < c;
    if (!whole && t_[total].c0 == c - 1) continue;  // Interval
    const LinId value = whole ? t_.offset(t_.div(t_.offset(x, -t_[x].c0), c), -quotient) : t_.div(x, c);
    t_.count(LemmaId::Residue);
    const auto k = static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), binder.var) - ids_.begin());
    return replace(k, value, {}, t_.in_range(value, extents_[k]), TermId::Unknown);
  }
  return std::nullopt;
}

/// A sum where a binder has a value or the data decide: that at this value, and that elsewhere.
std::optional<TermId> FoldBuilder::split_either() {
  if (op_ != ScalarFn::Add || t_[body_].sort != Sort::Real) return std::nullopt;
  const std::vector<TermId> guards = t_.conjuncts(guard_);
  for (const TermId either : guards) {
    if (t_[either].kind != Kind::Or || (t_[either].flags & (kHasReads | kHasInputs)) == 0 || !t_.index_guard(either)) continue;
    std::vector<TermId> rest = guards;
    std::erase(rest, either);
    const TermId others = t_.conj(rest), here = t_.assume(either, others);
    if (here != either) return again(t_.conj(others, here), body_);
    for (const std::uint32_t k : t_.kids(either)) {
      const auto first = static_cast<TermId>(k);
      if (t_[first].kind != Kind::Eq || !t_.pinned(t_.lin(first), set_) || t_[t_.lin(first)].data) continue;
      t_.count(LemmaId::EitherSplit);
      const TermId elsewhere = t_.conj(std::array{others, t_.negate(first), t_.assume(either, t_.negate(first))});
      const TermId one = again(t_.conj(others, first), body_);
      return t_.add(one, again(elsewhere, body_));
    }
  }
  return std::nullopt;
}

/// P(b) div d = L: the places d L, .., d L + d-1 of an order.
std::optional<TermId> FoldBuilder::solve_part(TermId equality) {
  for (const LinTerm& s : t_.term_list(t_.lin(equality))) {
    const AtomNode atom = t_[s.atom];
    if (atom.kind != AtomKind::Div || std::abs(s.coef) != 1 || !t_[static_cast<LinId>(atom.arg)].data) continue;
    const Fresh place = t_.fresh(atom.m);
    const LinId first = t_.scale(atom.m * -s.coef, t_.axpy(-s.coef, t_.atom_form(s.atom), t_.lin(equality)));
    const auto pin = t_.taken(t_.sub(static_cast<LinId>(atom.arg), t_.add(first, place[0])), set_);
    if (!pin) continue;
    t_.count(LemmaId::PartTakenOnce);
    const auto k = static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), pin->first) - ids_.begin());
    return replace(k, pin->second, place, TermId::True, equality);
  }
  return solve_residue(t_.lin(equality), t_.scale(-1, t_.lin(equality)));
}

}  // namespace gg::prover
