#include "prover/checker/translate.h"

#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/scalar.h"

namespace gg::checker {
namespace {

std::vector<Size> entries(const std::vector<std::int64_t>& numbers) {
  std::vector<Size> result;
  for (const std::int64_t n : numbers) result.push_back(sized(n));
  return result;
}

}  // namespace

Index Translator::index(LinId id) {
  const Lin lin = arena_[id];
  const bool closed = lin.levels <= outputs_;
  if (const auto it = indices_.find(id.value); closed && it != indices_.end()) return it->second;
  std::vector<std::pair<Size, Index>> summands;
  for (const auto& term : arena_.terms(id)) {
    const gg::Atom atom = arena_.atom(term.atom);
    Index a{};
    switch (atom.kind) {
      case gg::AtomKind::Var: a = levels_.at(atom.level); break;
      case gg::AtomKind::Div: a = divide(t_, index(LinId{atom.arg}), sized(atom.m)); break;
      case gg::AtomKind::Data: a = clamp(t_, to_index(t_, value(ExprId{atom.arg})), sized(atom.lo), sized(atom.hi)); break;
      case gg::AtomKind::Table: a = table(t_, entries(arena_.table_values(TableId{atom.arg})), index(LinId{atom.index})); break;
    }
    summands.emplace_back(sized(term.coef), a);
  }
  const Index form = linear(t_, sized(lin.c0), summands);
  if (closed) indices_[id.value] = form;
  return form;
}

Value Translator::guard(GuardId id) {
  const Guard g = arena_[id];
  switch (g.kind) {
    case GuardKind::True: return boolean(t_, true);
    case GuardKind::False: return boolean(t_, false);
    case GuardKind::Le0: return ge(t_, scale(t_, -1, index(arena_.lin(id))));
    case GuardKind::Eq0: return eq(t_, index(arena_.lin(id)));
    case GuardKind::Not: return negate(t_, guard(arena_.kids(id)[0]));
    case GuardKind::And:
    case GuardKind::Or: {
      Value all = boolean(t_, g.kind == GuardKind::And);
      for (const GuardId kid : arena_.kids(id))
        all = g.kind == GuardKind::And ? both(t_, all, guard(kid)) : either(t_, all, guard(kid));
      return all;
    }
  }
  return boolean(t_, false);
}

std::vector<Index> Translator::indices(ExprId id) {
  std::vector<Index> result;
  for (const LinId a : arena_.indices(id)) result.push_back(index(a));
  return result;
}

Value Translator::value(ExprId id) {
  const bool closed = arena_[id].levels <= outputs_;
  if (const auto it = values_.find(id.value); closed && it != values_.end()) return it->second;
  const Value result = compute(id);
  if (closed) values_[id.value] = result;
  return result;
}

Value Translator::compute(ExprId id) {
  t_.step();
  const Expr e = arena_[id];
  switch (e.kind) {
    case ExprKind::Read: return operands_.read(static_cast<int>(e.arg), indices(id));
    case ExprKind::Index: {
      const Value v = from_index(t_, index(LinId{e.arg}));
      if (e.type == ElementType::Pred) return apply(t_, ScalarFn::CompareNe, e.type, ElementType::S64, {v, number(t_, 0)});
      return is_integral(e.type) ? wrapped(t_, e.type, v) : v;
    }
    case ExprKind::Lit: return literal(t_, arena_.scalar(id));
    case ExprKind::Constant: return element_of(t_, arena_.array(ArrayId{e.arg}), indices(id));
    case ExprKind::Fn: return function(id);
    case ExprKind::Fold: return fold(id);
    case ExprKind::Case: {
      const Value condition = guard(arena_.guard(id));
      const auto kids = arena_.kids(id);
      const ExprId yes = kids[0], no = kids[1];
      if (condition == boolean(t_, true)) return value(yes);
      if (condition == boolean(t_, false)) return value(no);
      const Value a = value(yes);
      return choose(t_, condition, a, value(no));
    }
    case ExprKind::Unknown: return special(t_, ValueKind::Unknown);
  }
  return special(t_, ValueKind::Unknown);
}

Value Translator::function(ExprId id) {
  const Expr e = arena_[id];
  const std::vector<ExprId> kids(arena_.kids(id).begin(), arena_.kids(id).end());
  std::vector<Value> args;
  for (const ExprId kid : kids) args.push_back(value(kid));
  const ElementType operand = arena_[kids[e.fn == ScalarFn::Select ? 1 : 0]].type;
  bool rounds = false;
  if (e.fn == ScalarFn::Convert) {
    const Expr arg = arena_[kids[0]];
    rounds = arg.kind == ExprKind::Read && operands_.literal && operands_.literal(static_cast<int>(arg.arg));
  }
  return apply(t_, e.fn, e.type, operand, args, rounds);
}

Value Translator::fold(ExprId id) {
  const Expr e = arena_[id];
  const std::vector<std::int64_t> extents(arena_.extents(id).begin(), arena_.extents(id).end());
  const ExprId init = arena_.kids(id)[0], body_id = arena_.kids(id)[1];
  const std::uint32_t before = t_.open_binders;
  const std::vector<Index> levels = levels_;
  std::vector<Var> vars;
  levels_.resize(e.fold_level, constant(t_, 0));
  for (const std::int64_t extent : extents) {
    vars.push_back(t_.var(Space::Temp, t_.open_binders++, sized(extent)));
    levels_.push_back(variable(t_, vars.back()));
  }
  const Value guard_value = guard(arena_.guard(id));
  const Value body = value(body_id);
  const FoldKind kind = fold_kind(e.fn, e.type);
  const Value whole = flipped(t_, kind, checker::fold(t_, kind.fn, kind.type, vars, guard_value, flipped(t_, kind, body)));
  const Value folded = kind.fn == ScalarFn::Add && is_integral(e.type) ? wrapped(t_, e.type, whole) : whole;
  levels_ = levels;
  t_.open_binders = before;
  // init op fold, with the operator as the program has it; the unit of an empty fold stays out.
  const Value start = value(init);
  const Value none = flipped(t_, kind, unit(t_, kind.fn, kind.type));
  if (folded == none) return start;
  if (start == none) return folded;
  return apply(t_, e.fn, e.type, e.type, {start, folded});
}

}  // namespace gg::checker
