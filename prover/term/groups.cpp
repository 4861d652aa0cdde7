#include "prover/term/groups.h"

#include <algorithm>
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

/// L of a condition that is L >= 0; at an end of the range of a form it stands as an equality.
std::optional<LinId> least_of(Terms& t, TermId guard) {
  const LinId form = bounded_by(t, guard);
  if (form == LinId::Zero) return std::nullopt;
  if (t[guard].kind != Kind::Eq || t[form].hi <= 0) return form;
  return t[form].lo >= 0 ? std::optional(t.scale(-1, form)) : std::nullopt;
}

/// C, a sum of 1 over all of the row, whose places the binders are together, where the element is at least B: B.
std::optional<LinId> bound_of(Terms& t, TermId count, const Row& row) {
  if (t[count].kind != Kind::Fold || t[count].sort != Sort::Int || t.fold_parts(count).op != ScalarFn::Add) return std::nullopt;
  const FoldParts p = t.fold_parts(count);
  if (p.extents.size() > kMaxDigits || element_count(p.extents) != row.size || t.as_lin(p.body) != t.num(1)) return std::nullopt;
  const Opened o = t.open(count);
  const auto least = least_of(t, o.guard);
  if (!least) return std::nullopt;
  std::vector<std::size_t> order(p.extents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    LinId place = LinId::Zero;
    for (const std::size_t k : order) place = t.axpy(p.extents[k], place, o.vars[k]);
    const LinId bound = t.sub(row.at(t, place), *least);
    if ((t[bound].free & o.set) == 0) return bound;
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
  return t[taken].sort == Sort::Real && std::ranges::any_of(all_reads(t, taken), [&](TermId place) {
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
    const auto bound = bound_of(t, data(t, list[1 - k]), row);
    if (!bound) continue;
    t.count(LemmaId::PlaceBesideCount);
    const LinId over = t.sub(row.at(t, at), *bound);
    return above ? t.ge(t.offset(t.scale(-1, over), -1)) : t.ge(over);
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
  return std::nullopt;
}

}  // namespace gg::prover
