// The distribution of a fold over its body (certificate.md, F1 and F2).
// Binders are solved, cut, merged and named in fold_binders.cpp.
#include <array>

#include "prover/term/compared.h"
#include "prover/term/fold_builder.h"
#include "prover/term/lowest.h"
#include "prover/term/whole.h"

namespace gg::prover {
namespace {

constexpr int kMaxDepth = 96;  ///< steps of one fold's normalisation, nested folds included

}  // namespace

TermId Terms::fold(ScalarFn op, std::span<const LinId> vars, TermId guard, TermId body) {
  if (guard == TermId::Unknown || body == TermId::Unknown) return TermId::Unknown;
  const Sort sort = (*this)[body].sort;
  if (guard == TermId::False) return unit(op, sort);
  if (op == ScalarFn::And && sort == Sort::Bool) return count(LemmaId::DisjunctionFold), negate(fold(ScalarFn::Or, vars, guard, negate(body)));
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(op), raw(guard), raw(body)};
  for (const LinId v : vars) key.push_back(raw(v));
  if (const TermId* known = store_->fold_memo.find(key)) return *known;
  step();
  if (store_->depth > kMaxDepth) throw TermLimit("fold does not settle");
  const Nested nested(store_->depth);
  const TermId result = FoldBuilder(*this, op, vars, guard, body).run();
  store_->fold_memo.set(key, result);
  return result;
}

FoldBuilder::FoldBuilder(Terms& terms, ScalarFn op, std::span<const LinId> vars, TermId guard, TermId body)
    : t_(terms), op_(op), guard_(guard), body_(body) {
  for (const LinId v : vars) {
    if (t_.is_num(v)) continue;  // extent 1
    const AtomNode a = t_[t_.terms(v)[0].atom];
    vars_.push_back(v);
    ids_.push_back(a.var);
    extents_.push_back(a.extent);
    set_ |= bit(a.var);
  }
}

TermId FoldBuilder::again(TermId guard, TermId body) { return t_.fold(op_, vars_, guard, body); }

TermId FoldBuilder::run() {
  // Guards without binders go out.
  std::vector<TermId> inner, outer;
  const bool some = op_ == ScalarFn::Or && t_[body_].sort == Sort::Bool;  // what it asks for is all in its body
  if (some && guard_ != TermId::True) return again(TermId::True, t_.conj(guard_, body_));
  for (const TermId g : t_.conjuncts(some ? body_ : guard_)) ((t_[g].free & set_) != 0 ? inner : outer).push_back(g);
  if (some && !outer.empty() && !vars_.empty() && std::count(extents_.begin(), extents_.end(), 0) == 0) return t_.conj(t_.conj(outer), again(guard_, t_.conj(inner)));
  const TermId out = some ? TermId::True : t_.conj(outer);
  if (out != TermId::True) {
    t_.count(LemmaId::GuardOut);
    const TermId rest = again(t_.conj(inner), body_);
    return t_.choose(out, rest, t_.unit(op_, t_[body_].sort));
  }
  const TermId assumed = t_.assume(body_, guard_);
  if (assumed != body_) return t_.count(LemmaId::FoldContext), again(guard_, assumed);
  if (const TermId fewer = op_ == ScalarFn::Add ? without_lowest(t_, vars_, guard_, body_) : guard_; fewer != guard_) return again(fewer, body_);
  using Builder = FoldBuilder;
  constexpr std::array kLaws{&Builder::split_body, &Builder::split_either, &Builder::write_table, &Builder::count_places, &Builder::cut, &Builder::solve, &Builder::turn,
                             &Builder::permute, &Builder::count_bound, &Builder::merge, &Builder::drop_unused};
  for (const auto law : kLaws)
    if (const auto s = (this->*law)()) return *s;
  if (vars_.empty()) return t_.choose(guard_, body_, t_.unit(op_, t_[body_].sort));
  return t_.without_nan_tests(name());
}

/// Distributes the fold over its body where a law allows it.
std::optional<TermId> FoldBuilder::split_body() {
  const TermNode n = t_[body_];
  if (op_ == ScalarFn::Add && n.sort == Sort::Real) return split_sum();
  if (n.kind == Kind::Fold && static_cast<ScalarFn>(n.op) == op_) {
    t_.count(LemmaId::ExtremaFlatten);
    const Opened o = t_.open(body_);
    std::vector<LinId> all = vars_;
    all.insert(all.end(), o.vars.begin(), o.vars.end());
    return t_.fold(op_, all, t_.conj(guard_, o.guard), o.bodies[0]);
  }
  const bool extremum = (op_ == ScalarFn::Max || op_ == ScalarFn::Min) && n.sort == Sort::Real;
  if ((extremum && n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == op_) ||
      (op_ == ScalarFn::Or && n.kind == Kind::Or)) {
    if (extremum) t_.count(LemmaId::FoldOfMax);
    std::vector<TermId> parts;
    for (std::size_t k = 0; k < n.n; ++k) parts.push_back(t_.kid(body_, k));
    for (TermId& p : parts) p = again(guard_, p);
    return t_.together(op_, parts);
  }
  if (op_ == ScalarFn::Min && guard_ == TermId::True && vars_.size() == 1 && (n.kind == Kind::FromInt || n.sort == Sort::Int)) {
    const auto s = t_.first_of_largest(vars_[0], n.kind == Kind::FromInt ? t_.integer(t_.lin(body_)) : body_);
    if (s) return n.kind == Kind::FromInt ? t_.from_int(t_.as_lin(*s)) : *s;
  }
  if (const auto s = clamped()) return s;
  if (n.kind == Kind::Case) {
    if (const auto s = split_case(body_, TermId::One)) return s;
    if (const auto s = some_point(t_.kid(body_, 0), t_.kid(body_, 1), t_.kid(body_, 2))) return s;
  }
  if (extremum) {
    const auto [c, rest] = t_.content(body_);
    const RatId size = t_.q.sign(c) < 0 ? t_.q.neg(c) : c;
    if (size != RatId::One && n.kind != Kind::Lit)
      return t_.count(LemmaId::ExtremumFoldScale), t_.scale(size, again(guard_, t_.scale(t_.q.inv(size), body_)));
    const bool filled = guard_ == TermId::True && std::count(extents_.begin(), extents_.end(), 0) == 0;
    if (const auto exponent = filled ? exponent_of(t_, body_) : std::nullopt; exponent && n.kind != Kind::Lit)
      return t_.count(LemmaId::ExtremumFoldOfExponentials), t_.fn(ScalarFn::Exp, ElementType::Token, std::array{again(guard_, *exponent)});
    if (t_.q.sign(c) < 0 && n.kind != Kind::Lit && t_.summands(body_).size() == 1) {
      const auto other = op_ == ScalarFn::Max ? ScalarFn::Min : ScalarFn::Max;
      return t_.count(LemmaId::ExtremumFoldOfNegatives), t_.scale(c, t_.fold(other, vars_, guard_, rest));
    }
  }
  return std::nullopt;
}

std::optional<TermId> FoldBuilder::split_sum() {
  const std::vector<Summand> list = t_.summands(body_);
  if (list.empty()) return TermId::Zero;
  if (list.size() > 1) {
    t_.count(LemmaId::FoldOfSum);
    std::vector<TermId> parts;
    for (const Summand& s : list) parts.push_back(again(guard_, t_.monomial(s.coef, s.mono)));
    return t_.add(parts);
  }
  const std::vector<Factor> factors = t_.factors(list[0].mono);
  std::vector<Factor> out, in;
  for (const Factor& f : factors) {
    const bool finite = t_.attributes(f.term).finite && finite_power(f);
    ((t_[f.term].free & set_) == 0 && (finite || inverse_leaves(factors, f)) ? out : in).push_back(f);
  }
  if (!vars_.empty() && (!out.empty() || list[0].coef != RatId::One)) {
    t_.count(out.empty() ? LemmaId::FoldCoefficient : LemmaId::FoldFactor);
    TermId rest = t_.monomial(RatId::One, t_.mono(in));
    if (!t_.attributes(t_.mono(out)).finite) {  // a sum may have waited for what leaves
      rest = TermId::One;
      for (const Factor& f : in) rest = t_.mul(rest, t_.monomial(RatId::One, t_.mono({f})));
    }
    const TermId inner = again(guard_, rest);
    return t_.mul(t_.monomial(list[0].coef, t_.mono(out)), inner);
  }
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (factors[k].exp != RatId::One) continue;
    const TermId chosen = factors.size() == 1 ? chosen_number(t_, factors[k].term) : factors[k].term;
    if (t_[chosen].kind != Kind::Case && t_[chosen].kind != Kind::Fold) continue;
    std::vector<Factor> rest = without(factors, k);
    const TermId others = t_.monomial(list[0].coef, t_.mono(rest));
    if (const auto s = t_[chosen].kind == Kind::Case ? split_case(chosen, others) : flatten(chosen, others))
      return s;
  }
  return split_inside(factors);
}

/// A case under a function or a power among the factors, on a condition on indices that the binders occur in: two sums.
std::optional<TermId> FoldBuilder::split_inside(std::span<const Factor> factors) {
  for (const Factor& f : factors) {
    const TermNode n = t_[f.term];
    const bool function = n.kind == Kind::Fn && n.n == 1;
    const TermId inside = function ? t_.content(t_.kid(f.term, 0)).second : f.term;
    if ((!function && f.exp == RatId::One) || t_[inside].kind != Kind::Case) continue;
    const TermId g = t_.kid(inside, 0);
    if (!t_.index_guard(g) || (t_[g].free & set_) == 0) continue;
    const TermId a = t_.assume(body_, g), b = t_.assume(body_, t_.negate(g));
    if (a == body_ || b == body_) continue;
    t_.count(function ? LemmaId::CaseSplitInside : LemmaId::CaseSplitPower);
    const TermId yes = again(t_.conj(guard_, g), a);
    return t_.add(yes, again(t_.conj(guard_, t_.negate(g)), b));
  }
  return std::nullopt;
}

bool FoldBuilder::finite_power(const Factor& f) { return t_.attributes(t_.mono({f})).finite; }

/// case(g, a, b) under the fold; in a sum with others beside it.
std::optional<TermId> FoldBuilder::split_case(TermId c, TermId others) {
  const TermId g = t_.kid(c, 0), a = t_.kid(c, 1), b = t_.kid(c, 2), u = t_.unit(op_, t_[c].sort);
  const auto part = [&](TermId guard, TermId x) { return again(t_.conj(guard_, guard), others == TermId::One ? x : t_.mul(others, x)); };
  if ((t_[g].free & set_) == 0) {
    t_.count(LemmaId::CaseOut);
    const TermId yes = part(TermId::True, a);
    return t_.choose(g, yes, part(TermId::True, b));
  }
  if ((a == u || b == u) && t_.attributes(others).finite) {
    t_.count(others == TermId::One ? LemmaId::CaseToGuard : LemmaId::FactorToGuard);
    return b == u ? part(g, a) : part(t_.negate(g), b);
  }
  if (!t_.index_guard(g)) return std::nullopt;
  if (t_[c].sort != Sort::Real) return beside_least(g, a, b);
  t_.count(LemmaId::CaseSplit);
  const TermId yes = part(g, a);
  return t_.together(op_, std::array{yes, part(t_.negate(g), b)});
}

/// others * sum_j ..: one sum, where others are finite.
std::optional<TermId> FoldBuilder::flatten(TermId inner, TermId others) {
  if (static_cast<ScalarFn>(t_[inner].op) != ScalarFn::Add || !t_.attributes(others).finite) return std::nullopt;
  t_.count(LemmaId::FoldsFlatten);
  const Opened o = t_.open(inner);
  std::vector<LinId> all = vars_;
  all.insert(all.end(), o.vars.begin(), o.vars.end());
  return t_.fold(op_, all, t_.conj(guard_, o.guard), t_.mul(others, o.bodies[0]));
}

}  // namespace gg::prover
