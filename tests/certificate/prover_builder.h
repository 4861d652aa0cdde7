// Trees of tests/unit/checker/tree.h as terms of the search.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "prover/term/terms.h"
#include "tests/unit/checker/tree.h"

namespace gg::checker::testing {

namespace pv = gg::prover;

/// Builds trees as terms of the prover; source k of the world becomes anchor k.
class ProverBuilder {
 public:
  ProverBuilder(pv::Terms& t, const World& world, std::size_t outer) : t_(t), world_(world) {
    for (std::size_t k = 0; k < outer; ++k) {
      const auto v = static_cast<std::int64_t>(k);
      vars_[v] = t.var(static_cast<pv::VarId>(k), world.extents.at(v));
    }
    for (const Source& s : world.sources) anchors_.push_back(t.add_anchor(anchor(s)));
  }

  pv::LinId index(const Tree& tree) {
    const auto kid = [&](std::size_t k) { return index(tree->kids[k]); };
    switch (tree->kind) {
      case Kind::Const: return t_.num(tree->n);
      case Kind::Var: return vars_.at(tree->n);
      case Kind::Axpy: return t_.axpy(tree->n, kid(0), kid(1));
      case Kind::Div: return t_.div(kid(0), tree->n);
      case Kind::Mod: return t_.mod(kid(0), tree->n);
      case Kind::Clamp: return t_.clamp(kid(0), tree->lo, tree->hi);
      case Kind::Table: return t_.table(tree->list, kid(0));
      default: return t_.as_lin(term(tree));
    }
  }

  pv::TermId term(const Tree& tree) {
    std::vector<pv::TermId> kids;
    const bool forms = tree->kind == Kind::Read || tree->kind == Kind::Fold || tree->kind == Kind::Row || tree->kind < Kind::IntFn ||
                       tree->kind == Kind::Ge || tree->kind == Kind::Eq || tree->kind == Kind::FromInt || tree->kind == Kind::Wrap;
    for (std::size_t k = 0; !forms && k < tree->kids.size(); ++k) kids.push_back(term(tree->kids[k]));
    switch (tree->kind) {
      case Kind::Ge: return t_.ge(index(tree->kids[0]));
      case Kind::Eq: return t_.eq(index(tree->kids[0]));
      case Kind::True: return pv::TermId::True;
      case Kind::And: return t_.conj(kids[0], kids[1]);
      case Kind::Or: return t_.disj(kids[0], kids[1]);
      case Kind::Not: return t_.negate(kids[0]);
      case Kind::Less: return t_.fn(ScalarFn::CompareLt, ElementType::Pred, kids);
      case Kind::LessEqual: return t_.fn(ScalarFn::CompareLe, ElementType::Pred, kids);
      case Kind::Equal: return t_.fn(ScalarFn::CompareEq, ElementType::Pred, kids);
      case Kind::Finite: return t_.fn(ScalarFn::IsFinite, ElementType::Pred, kids);
      case Kind::Number: return t_.lit(t_.q.of(tree->n, tree->m));
      case Kind::Special: return t_.special(tree->n == 0 ? pv::Special::NaN : tree->n > 0 ? pv::Special::PosInf
                                                                                          : pv::Special::NegInf);
      case Kind::FromInt: return t_.from_int(index(tree->kids[0]));
      case Kind::Wrap: return t_.wrap(tree->type, index(tree->kids[0]));
      case Kind::IntFn: return t_.fn(tree->fn, tree->type, kids);
      case Kind::Fn: return t_.fn(tree->fn, ElementType::F64, kids);
      case Kind::Power: return t_.pow(kids[0], t_.q.of(tree->n, tree->m));
      case Kind::Case: return t_.fn(ScalarFn::Select, ElementType::F64, kids);
      case Kind::Read: {
        std::vector<pv::LinId> at;
        for (const Tree& kid : tree->kids) at.push_back(index(kid));
        return t_.read(anchors_[static_cast<std::size_t>(tree->n)], at);
      }
      case Kind::Fold: return fold(tree);
      case Kind::Row: {
        const pv::LinId at = index(tree->kids[0]);
        const pv::Fresh binders = bind(tree);
        return t_.row(pv::Terms::kOrder | pv::Terms::kNanFirst, pv::Terms::kPlace, pv::Sort::Int, binders, std::array{at}, std::array{term(tree->kids[1])});
      }
      default: return t_.integer(index(tree));
    }
  }

 private:
  bool condition(const Tree& tree) const {
    if (tree->kind == Kind::Read) return world_.sources[static_cast<std::size_t>(tree->n)].type == ElementType::Pred;
    if (tree->kind == Kind::Case || tree->kind == Kind::Fold) return condition(tree->kids[1]);
    return tree->kind >= Kind::Ge && tree->kind <= Kind::Finite;
  }

  std::vector<std::int64_t> extents(const Tree& tree) const {
    std::vector<std::int64_t> list;
    for (const std::int64_t v : tree->list) list.push_back(world_.extents.at(v));
    return list;
  }

  pv::Fresh bind(const Tree& tree) {
    pv::Fresh binders = t_.fresh(extents(tree));
    for (std::size_t k = 0; k < binders.size(); ++k) vars_[tree->list[k]] = binders[k];
    return binders;
  }

  pv::TermId fold(const Tree& tree) {
    const std::vector<std::int64_t> box = extents(tree);
    if (std::count(box.begin(), box.end(), 0) > 0) return t_.unit(tree->fn, condition(tree->kids[1]) ? pv::Sort::Bool : pv::Sort::Real);
    const pv::Fresh binders = bind(tree);
    const pv::TermId guard = term(tree->kids[0]), body = term(tree->kids[1]);
    return t_.fold(tree->fn, binders, guard, body);
  }

  static pv::Anchor anchor(const Source& s) {
    pv::Anchor a;
    a.kind = pv::AnchorKind::Input;
    a.sort = s.type == ElementType::Pred ? pv::Sort::Bool : is_integral(s.type) ? pv::Sort::Int
                                                                                : pv::Sort::Real;
    a.extents = s.extents;
    a.lo = s.lo;
    a.hi = s.hi;
    const auto all = [&](auto f) { return !s.pool.empty() && std::all_of(s.pool.begin(), s.pool.end(), f); };
    a.attributes.finite = is_integral(s.type) || all([](double x) { return std::isfinite(x); });
    a.attributes.nonnegative = all([](double x) { return x >= 0; });
    a.attributes.positive = all([](double x) { return x > 0; });
    a.attributes.nonzero = all([](double x) { return x != 0; });
    a.attributes.below_inf = all([](double x) { return x < kInf; });
    a.attributes.no_inf = all([](double x) { return !std::isinf(x); });
    return a;
  }

  pv::Terms& t_;
  const World& world_;
  std::map<std::int64_t, pv::LinId> vars_;
  std::vector<pv::AnchorId> anchors_;
};

}  // namespace gg::checker::testing
