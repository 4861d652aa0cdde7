// Case distinctions, reads, and the small leaf constructors (certificate.md, C and A).
#include <algorithm>

#include "prover/term/around.h"
#include "prover/term/join.h"
#include "prover/term/wrapped.h"

namespace gg::prover {

namespace {

constexpr int kMaxNested = 256;  ///< case distinctions being normalised, one inside the other

}  // namespace

TermId Terms::of_form(TermNode node, LinId a) {
  absorb(node, a);
  const std::uint32_t kid = raw(a);
  return make(node, std::span(&kid, 1));
}

TermId Terms::integer(LinId a) {
  const LinNode n = (*this)[a];
  if (n.n == 1 && n.c0 == 0) {
    const LinTerm t = terms(a)[0];
    const AtomNode& atom = (*this)[t.atom];
    if (t.coef == 1 && atom.kind == AtomKind::Data) return static_cast<TermId>(atom.arg);
  }
  return of_form({.kind = Kind::Int, .sort = Sort::Int}, a);
}

/// A sum of integers that stays in every type as a sum of reals, element by element (I7).
std::optional<TermId> Terms::exact_sum(AtomId atom) {
  const AtomNode n = (*this)[atom];
  if (n.kind != AtomKind::Data || n.lo < INT32_MIN || n.hi > INT32_MAX) return std::nullopt;
  const auto whole = static_cast<TermId>(n.arg);
  if ((*this)[whole].kind != Kind::Fold || static_cast<ScalarFn>((*this)[whole].op) != ScalarFn::Add) return std::nullopt;
  const Opened o = open(whole);
  return fold(ScalarFn::Add, o.vars, o.guard, from_int(as_lin(o.bodies[0])));
}

LinId Terms::as_lin(TermId id) {
  const TermNode n = (*this)[id];
  if (n.kind == Kind::Int) return lin(id);
  if (n.kind == Kind::Unknown) throw TermLimit("an index depends on padding");
  return data(id);
}

/// Is it an integer of a type, so that its range is that of its values?
bool Terms::of_a_type(TermId id) const {
  const TermNode& n = (*this)[id];
  if (n.kind == Kind::Case) return of_a_type(kid(id, 1)) && of_a_type(kid(id, 2));
  if (n.kind != Kind::Int) return n.kind == Kind::Read || n.kind == Kind::Fn || n.kind == Kind::Row || n.kind == Kind::Wrap;
  const LinNode& form = (*this)[lin(id)];
  if (form.lo > -kFarEnd && form.hi < kFarEnd) return true;
  if (form.c0 != 0 || form.n != 1 || terms(lin(id))[0].coef != 1) return false;
  const AtomNode& atom = (*this)[terms(lin(id))[0].atom];
  return atom.kind == AtomKind::Data && of_a_type(static_cast<TermId>(atom.arg));
}

TermId Terms::wrap(ElementType type, LinId a) {
  const auto [lo, hi] = integer_bounds(type);
  const LinNode n = (*this)[a];
  const bool near = n.lo > -kFarEnd && n.hi < kFarEnd;
  if (n.lo >= lo && n.hi <= hi && (near || of_a_type(integer(a)))) return count(LemmaId::SumsWithoutWrap), integer(a);
  if (n.n == 0) return integer(num(wrap_to(type, n.c0)));
  // Inner wraps of at least this width do not matter.
  std::vector<std::pair<std::int64_t, LinId>> parts;
  bool changed = false;
  const std::vector<LinTerm> list(terms(a).begin(), terms(a).end());
  for (const LinTerm& t : list) {
    const AtomNode atom = (*this)[t.atom];
    const TermNode* d = atom.kind == AtomKind::Data ? &(*this)[static_cast<TermId>(atom.arg)] : nullptr;
    const bool wraps = d != nullptr && d->kind == Kind::Wrap && info(static_cast<ElementType>(d->type)).bits >= info(type).bits;
    const auto sum = d == nullptr || wraps ? std::nullopt : sum_without_wraps(type, static_cast<TermId>(atom.arg));
    const std::int64_t left = t.coef - multiple_of_all(*this, type, t.coef);
    changed = changed || wraps || sum || left != t.coef;
    parts.emplace_back(left, wraps ? lin(static_cast<TermId>(atom.arg)) : sum ? as_lin(*sum)
                                                                              : atom_form(t.atom));
  }
  if (changed) return count(LemmaId::InnerWrap), wrap(type, combine(n.c0, parts));
  return of_form({.kind = Kind::Wrap, .sort = Sort::Int, .type = static_cast<std::uint8_t>(type)}, a);
}

/// A sum or product over a fold whose elements are wrapped in a type of at least this width, without these wraps.
std::optional<TermId> Terms::sum_without_wraps(ElementType type, TermId id) {
  if ((*this)[id].kind != Kind::Fold || (fold_parts(id).op != ScalarFn::Add && fold_parts(id).op != ScalarFn::Multiply)) return std::nullopt;
  const TermId body = fold_parts(id).body;
  const bool wraps = (*this)[body].kind == Kind::Wrap && info(static_cast<ElementType>((*this)[body].type)).bits >= info(type).bits;
  if (!wraps) return std::nullopt;
  const Opened o = open(id);
  return fold(fold_parts(id).op, o.vars, o.guard, integer(lin(o.bodies[0])));
}

std::vector<LinId> Terms::index_of(TermId id) const {
  const auto k = kids(id);
  std::vector<LinId> out;
  out.reserve(k.size());
  for (std::size_t i = 1; i < k.size(); ++i) out.push_back(static_cast<LinId>(k[i]));
  return out;
}

TermId Terms::read(AnchorId number, std::span<const LinId> index) {
  const Anchor& a = anchor(number);
  GG_CHECK(index.size() == a.extents.size(), "read with a wrong number of indices");
  if (a.kind == AnchorKind::Input && a.sort == Sort::Int && a.lo == a.hi) return count(LemmaId::OneNumber), integer(num(a.lo));
  if (a.kind == AnchorKind::Input && a.bounds.lo && a.bounds.lo == a.bounds.hi && !q.long_to_write(*a.bounds.lo)) return count(LemmaId::OneNumber), lit(*a.bounds.lo);
  if (!a.values.empty() && std::all_of(index.begin(), index.end(), [&](LinId l) { return is_num(l); })) {
    std::int64_t flat = 0;
    bool inside = true;
    for (std::size_t k = 0; k < index.size(); ++k) {
      const std::int64_t at = (*this)[index[k]].c0;
      inside = inside && at >= 0 && at < a.extents[k];
      flat = flat * a.extents[k] + at;
    }
    if (inside) return a.values[static_cast<std::size_t>(flat)];
  }
  if (a.transparent) {
    const Map map(0, index);
    const auto [coef, form] = content(a.form);
    const TermId guard = substitute(kid(form, 0), map);
    if (guard == TermId::True || guard == TermId::False) {
      bool inside = true;  // the definition holds inside the box only
      for (std::size_t k = 0; k < index.size(); ++k)
        inside = inside && (*this)[index[k]].lo >= 0 && (*this)[index[k]].hi < anchor(number).extents[k];
      if (inside) return scale(coef, substitute(kid(form, guard == TermId::True ? 1 : 2), map));
    }
  }
  return plain_read(number, index);
}

TermId Terms::plain_read(AnchorId number, std::span<const LinId> index) {
  const AnchorKind kind = anchor(number).kind;
  TermNode node{.kind = Kind::Read, .sort = anchor(number).sort, .flags = kind == AnchorKind::Value ? kHasReads : kHasInputs};
  std::vector<std::uint32_t> raws;
  raws.reserve(index.size() + 1);
  raws.push_back(number);
  for (const LinId l : index) {
    absorb(node, l);
    raws.push_back(raw(l));
  }
  node.reads = static_cast<std::uint32_t>(mix(0x52454144, number));
  return make(node, raws);
}

TermId Terms::value(AnchorId number, std::span<const LinId> index) {
  if (anchor(number).support == TermId::True) return read(number, index);
  return choose(substitute(anchor(number).support, Map(0, index)), read(number, index), TermId::Zero);
}

namespace {

bool is_special(const TermNode& n) { return n.kind == Kind::Special; }

}  // namespace

TermId Terms::choose(TermId guard, TermId a, TermId b) {
  if (guard == TermId::True) return a;
  if (guard == TermId::False) return b;
  if (guard == TermId::Unknown) return guard;
  if (a == b) return count(LemmaId::EqualBranches), a;
  if (const TermId other = negate(guard); other < guard) {
    count(LemmaId::Polarity);
    guard = other;
    std::swap(a, b);
  }
  const bool integral = (*this)[a].kind == Kind::Int || (*this)[b].kind == Kind::Int;
  const auto noted = [&](TermId result) {  // no case any more: its values in another spelling
    if (integral && result != a && result != b && (*this)[result].kind == Kind::Int) respelled_ |= (*this)[result].free;
    return result;
  };
  const std::array<std::uint32_t, 3> key{raw(guard), raw(a), raw(b)};
  if (const TermId* known = store_->choose_memo.find(key)) return noted(*known);
  if (store_->cases >= kMaxNested) throw TermLimit("case distinction does not settle");
  const Nested nested(store_->cases);
  const TermId result = build_case(guard, a, b);
  store_->choose_memo.set(key, result);
  return noted(result);
}

/// Is `y` what `z` becomes where the guard holds? Then z serves in the place of y there. Nothing serves for an unknown value.
bool Terms::serves(TermId y, TermId z, TermId guard) { return y == z || (((*this)[y].flags & kHasUnknown) == 0 && assume(z, guard) == y); }

/// case(g, case(h,x,y), z) = case(g and h, x, z) where z serves for y, and its mirror image.
std::optional<TermId> Terms::merge_cases(TermId guard, TermId nested, TermId z) {
  if ((*this)[nested].kind != Kind::Case) return std::nullopt;
  const TermId h = kid(nested, 0), x = kid(nested, 1), y = kid(nested, 2), both = conj(guard, h), first = conj(guard, negate(h));
  if (serves(y, z, first)) return choose(both, x, z);
  if (serves(x, z, both)) return choose(first, y, z);
  return std::nullopt;
}

TermId Terms::build_case(TermId guard, TermId a, TermId b) {
  const TermId other = negate(guard);
  a = assume(a, guard);
  b = assume(b, other);
  if (a == b) return a;
  if (serves(a, b, guard)) return count(LemmaId::BranchServesBoth), b;
  if (serves(b, a, other)) return count(LemmaId::BranchServesBoth), a;
  if (const auto one = around(*this, guard, a, b)) return *one;
  if (const auto one = joined_extremum(*this, guard, a, b)) return *one;
  const Sort sort = a == TermId::Unknown ? (*this)[b].sort : (*this)[a].sort;
  if (sort == Sort::Bool && a != TermId::Unknown && b != TermId::Unknown)
    return count(LemmaId::BooleanCase), disj(conj(guard, a), conj(other, b));
  if (const auto merged = merge_cases(guard, a, b)) return count(LemmaId::NestedCase), *merged;
  if (const auto merged = merge_cases(other, b, a)) return count(LemmaId::NestedCaseDual), *merged;
  if (sort == Sort::Real) {
    const bool skip = a == TermId::Zero || a == TermId::Unknown || is_special((*this)[a]);
    RatId c = content(skip ? b : a).first;
    if (skip && (b == TermId::Zero || b == TermId::Unknown || is_special((*this)[b]))) c = RatId::One;
    const bool infinite = is_special((*this)[a]) || is_special((*this)[b]);
    if (infinite && q.sign(c) < 0) c = q.neg(c);
    if (c != RatId::One) {
      count(LemmaId::CaseCoefficient);
      const RatId i = q.inv(c);
      return scale(c, choose(guard, scale(i, a), scale(i, b)));
    }
  }
  const TermId made = of_terms({.kind = Kind::Case, .sort = sort, .flags = kHasGuards}, std::array{guard, a, b});
  return sort == Sort::Int && ((*this)[made].flags & kHasUnknown) == 0 ? integer(data(made)) : without_nan_tests(made);
}

/// c * case(g, a, 0)^n * rest as a case, where g is a choice and the rest finite.
std::optional<TermId> Terms::choice_outside(RatId coef, const std::vector<Factor>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const TermId t = list[i].term;
    const std::optional<std::int64_t> n = q.integer(list[i].exp);
    if (!n || *n < 1 || (list.size() == 1 && *n == 1) || !choice(t)) continue;
    const bool second = kid(t, 1) == TermId::Zero;
    if (!second && kid(t, 2) != TermId::Zero) continue;
    std::vector<Factor> others = without(list, i);
    const TermId rest = monomial(RatId::One, mono(std::move(others)));
    if (!attributes(rest).finite) continue;
    count(LemmaId::ChoiceOfProduct);
    const TermId taken = mul(pow(kid(t, second ? 2 : 1), list[i].exp), rest);
    return scale(coef, choose(kid(t, 0), second ? TermId::Zero : taken, second ? taken : TermId::Zero));
  }
  return std::nullopt;
}

/// Choices by the same condition are one.
bool Terms::join_choices(std::vector<Summand>& list) {
  const auto alone = [&](const Summand& s) -> std::optional<TermId> {
    if (((*this)[s.mono].flags & kHasGuards) == 0) return std::nullopt;
    const std::vector<Factor> f = factors(s.mono);
    if (f.size() != 1 || f[0].exp != RatId::One || !choice(f[0].term)) return std::nullopt;
    return f[0].term;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto one = alone(list[i]);
    if (!one) continue;
    for (std::size_t j = i + 1; j < list.size(); ++j) {
      const auto two = alone(list[j]);
      if (!two || kid(*one, 0) != kid(*two, 0)) continue;
      count(LemmaId::ChoicesOfSum);
      const auto branch = [&](std::size_t k) { return add(scale(list[i].coef, kid(*one, k)), scale(list[j].coef, kid(*two, k))); };
      const TermId first = branch(1), whole = choose(kid(*one, 0), first, branch(2));
      list = without(std::move(list), j);
      list = without(std::move(list), i);
      for (const Summand& s : summands(whole)) list.push_back(s);
      return true;
    }
  }
  return false;
}

}  // namespace gg::prover
