#include "prover/checker/build.h"

#include <algorithm>

#include "prover/checker/anchor.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/order.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/wide.h"

namespace gg::checker {

void TermBuilder::fail(const Location& where, const std::string& message) { throw InputError(DiagCode::BadCertificate, where, message); }

std::uint32_t TermBuilder::anchor(const TermSyntax& s) const {
  const auto& list = s.head == "s" ? names_.sequential : s.head == "x" ? names_.inputs
                                                                       : names_.gaps;
  if (s.number < 0 || static_cast<std::size_t>(s.number) >= list.size()) {
    fail(s.where, "'" + s.head + std::to_string(s.number) + "' names nothing here");
  }
  return list[static_cast<std::size_t>(s.number)];
}

void TermBuilder::mark(const TermSyntax& s) {
  if (s.head != "s" && s.head != "g") return;  // free inputs are never expanded, nor gaps without a definition
  auto& levels = marks_[anchor(s)];
  levels = std::max(levels, s.levels);
}

Index TermBuilder::index(const IndexSyntax& s, const Location& where) {
  switch (s.kind) {
    case IndexKind::Sum: {
      std::vector<std::pair<Size, Index>> parts;
      for (std::size_t k = 0; k < s.kids.size(); ++k) parts.emplace_back(sized_text(s.coefs[k]), index(s.kids[k], where));
      return sum_of(t_, sized_text(s.number), parts);
    }
    case IndexKind::Variable:
      if (static_cast<std::size_t>(s.number) >= variables_.size()) {
        fail(where, "variable v" + std::to_string(s.number) + " of a value with " + std::to_string(variables_.size()));
      }
      return variables_[static_cast<std::size_t>(s.number)];
    case IndexKind::Binder: {
      const auto it = binders_.find(s.number);
      if (it == binders_.end()) fail(where, "binder b" + std::to_string(s.number) + " outside of its fold");
      return it->second;
    }
    case IndexKind::Div: return divide(t_, index(s.kids[0], where), sized_text(s.number));
    case IndexKind::Clamp:
      if (s.lo > s.hi) fail(where, "a clamp whose lower limit is above its upper one");
      return clamp(t_, index(s.kids[0], where), sized_text(s.lo), sized_text(s.hi));
    case IndexKind::Product: {
      const Value a = from_index(t_, index(s.kids[0], where));
      return to_index(t_, product(t_, a, from_index(t_, index(s.kids[1], where))));
    }
    case IndexKind::Table: {
      std::vector<Size> entries;
      for (const std::int64_t n : s.coefs) entries.push_back(sized_text(n));
      return table(t_, entries, index(s.kids[0], where));
    }
    case IndexKind::Data: {
      const Typed v = build(s.data[0]);
      if (v.sort != Sort::Int) fail(s.data[0].where, "an integer term is expected as an index");
      return to_index(t_, v.value);
    }
  }
  fail(where, "no index");
}

TermBuilder::Sort TermBuilder::sort_of(ElementType type) {
  return type == ElementType::Pred ? Sort::Bool : is_integral(type) ? Sort::Int
                                                                    : Sort::Real;
}

TermBuilder::Typed TermBuilder::build(const TermSyntax& s) {
  t_.step();
  switch (s.kind) {
    case TermKind::Number: return {number(t_, s.value), s.value.integer() ? Sort::Int : Sort::Real};
    case TermKind::Inf: return {special(t_, ValueKind::PosInf), Sort::Real};
    case TermKind::MinusInf: return {special(t_, ValueKind::NegInf), Sort::Real};
    case TermKind::NaN: return {special(t_, ValueKind::NaN), Sort::Real};
    case TermKind::Unknown: return {special(t_, ValueKind::Unknown), Sort::Real};
    case TermKind::True: return {boolean(t_, true), Sort::Bool};
    case TermKind::False: return {boolean(t_, false), Sort::Bool};
    case TermKind::Form: return {from_index(t_, index(s.index[0], s.where)), Sort::Int};
    case TermKind::Read: return read(s);
    case TermKind::List: return list(s);
  }
  fail(s.where, "no term");
}

TermBuilder::Typed TermBuilder::read(const TermSyntax& s) {
  std::vector<Index> at;
  for (const IndexSyntax& i : s.index) at.push_back(index(i, s.where));
  const auto arity = [&](std::size_t n) {
    if (at.size() != n) fail(s.where, "'" + s.head + std::to_string(s.number) + "' has " + std::to_string(n) + " indices");
  };
  if (s.head == "k") {
    if (static_cast<std::size_t>(s.number) >= names_.arrays.size()) fail(s.where, "an array that no line names");
    const std::uint32_t id = names_.arrays[static_cast<std::size_t>(s.number)];
    arity(1);
    return {element(t_, id, at[0]), sort_of(t_.arrays[id].type.element)};
  }
  const std::uint32_t id = anchor(s);
  arity(t_.anchors[id].vars.size());
  const auto hangs_on = [&](std::size_t position) {
    const Anchor& a = t_.anchors[id];
    return a.used.empty() || !t_[a.used[position]].parts.empty();
  };
  for (const Names::Present& loop : names_.present) {
    const bool own = s.head == "s" && static_cast<std::size_t>(s.number) >= loop.first;
    if (own && at.at(loop.position) != loop.time && hangs_on(loop.position)) fail(s.where, "an anchor of a loop inside its body at another time");
  }
  if (s.levels > 0) mark(s);
  return {checker::read(t_, id, at), sort_of(t_.anchors[id].type)};
}

Value TermBuilder::boolean_term(const TermSyntax& s) {
  const Typed v = build(s);
  if (v.sort != Sort::Bool) fail(s.where, "a condition is expected");
  return v.value;
}

TermBuilder::Typed TermBuilder::number_term(const TermSyntax& s) {
  const Typed v = build(s);
  if (v.sort == Sort::Bool) fail(s.where, "a number is expected");
  return v;
}

TermBuilder::Typed TermBuilder::list(const TermSyntax& s) {
  if (s.head == "ge") return {ge(t_, index(s.index[0], s.where)), Sort::Bool};
  if (s.head == "eq") return {eq(t_, index(s.index[0], s.where)), Sort::Bool};
  if (s.head == "wrap") {
    const auto type = element_type(s.type);
    if (!type || !is_integral(*type) || *type == ElementType::Pred) fail(s.where, "'" + s.type + "' is no integer type");
    return {wrapped(t_, *type, from_index(t_, index(s.index[0], s.where))), Sort::Int};
  }
  if (s.head == "row") return order(s);
  if (s.head == "+" || s.head == "*" || s.head == "^") return arithmetic(s);
  if (!s.binders.empty()) return fold(s);
  if (s.head == "case") {
    if (s.kids.size() != 3) fail(s.where, "a case has a condition and two terms");
    const Value c = boolean_term(s.kids[0]);
    const Typed a = build(s.kids[1]), b = build(s.kids[2]);
    if ((a.sort == Sort::Bool) != (b.sort == Sort::Bool)) fail(s.where, "a case of a boolean and a number");
    return {choose(t_, c, a.value, b.value), std::max(a.sort, b.sort)};
  }
  return function(s);
}

TermBuilder::Typed TermBuilder::arithmetic(const TermSyntax& s) {
  if (s.head == "^") {
    if (s.kids.size() != 1) fail(s.where, "a power has a base and an exponent");
    const Typed base = number_term(s.kids[0]);
    const bool whole = base.sort == Sort::Int && s.value.integer() && s.value.sign() > 0;
    if (s.value.is_zero()) fail(s.where, "exponent 0");
    return {power(t_, base.value, s.value), whole ? Sort::Int : Sort::Real};
  }
  const bool adds = s.head == "+";
  Typed total{number(t_, adds ? 0 : 1), Sort::Int};
  for (const TermSyntax& kid : s.kids) {
    const Typed v = number_term(kid);
    total.value = adds ? sum(t_, total.value, v.value) : product(t_, total.value, v.value);
    total.sort = std::max(total.sort, v.sort);
  }
  return total;
}

/// The binders of a fold or row from here on.
std::vector<Var> TermBuilder::bind(const TermSyntax& s) {
  std::vector<Var> vars;
  for (const auto& [name, extent] : s.binders) {
    if (binders_.count(name) != 0) fail(s.where, "binder b" + std::to_string(name) + " is already in use");
    vars.push_back(t_.var(Space::Temp, t_.open_binders++, sized_text(extent)));
    binders_[name] = variable(t_, vars.back());
  }
  return vars;
}

/// A place in the order of a row: the only row function that has a text.
TermBuilder::Typed TermBuilder::order(const TermSyntax& s) {
  const bool nan_first = s.type == "order";
  if ((!nan_first && s.type != "order-nan-last") || s.number < 0 || s.number > 1) fail(s.where, "a row function outside of a definition");
  if (s.kids.size() != 1 || s.index.size() != 1 || s.binders.size() != static_cast<std::size_t>(s.number) + 1) fail(s.where, "an order has one key and one place");
  const std::map<std::int64_t, Index> outer = binders_;
  const Binders scope(t_);
  const Index at = index(s.index[0], s.where);
  const std::vector<Var> vars = bind(s);
  const Value key = number_term(s.kids[0]).value;
  const Value place = row(t_, order_function(t_, nan_first), static_cast<std::uint32_t>(s.number), vars, {key}, {at});
  binders_ = outer;
  return {place, Sort::Int};
}

TermBuilder::Typed TermBuilder::fold(const TermSyntax& s) {
  using enum ScalarFn;
  constexpr ScalarFn kFolds[] = {Add, Max, Min, Multiply, Or, And};
  const auto fn = scalar_function(s.head);
  if (!fn || std::find(std::begin(kFolds), std::end(kFolds), *fn) == std::end(kFolds)) fail(s.where, "'" + s.head + "' is no fold");
  if (s.kids.size() != 2) fail(s.where, "a fold has binders, a condition and a body");
  const std::map<std::int64_t, Index> outer = binders_;
  const Binders scope(t_);
  const std::vector<Var> vars = bind(s);
  const Value guard = boolean_term(s.kids[0]);
  const Typed body = build(s.kids[1]);
  const bool logical = *fn == And || *fn == Or;
  if (logical != (body.sort == Sort::Bool)) fail(s.where, "'" + s.head + "' of such a body");
  const FoldKind kind = fold_kind(*fn, logical ? ElementType::Pred : ElementType::F64);
  const Value folded = flipped(t_, kind, checker::fold(t_, kind.fn, kind.type, vars, guard, flipped(t_, kind, body.value)));
  binders_ = outer;
  return {folded, body.sort};
}

TermBuilder::Typed TermBuilder::typed_function(const TermSyntax& s, ScalarFn fn) {
  const auto type = element_type(s.type);
  if (!type || !is_integral(*type) || *type == ElementType::Pred) fail(s.where, "'" + s.type + "' is no integer type");
  std::vector<Value> args;
  for (const TermSyntax& kid : s.kids) {
    const Typed v = number_term(kid);
    if (fn != ScalarFn::Convert && v.sort != Sort::Int) fail(kid.where, "an integer term is expected");
    args.push_back(v.value);
  }
  const ElementType operand = fn == ScalarFn::Convert ? ElementType::F64 : *type;
  return {apply(t_, fn, *type, operand, args), Sort::Int};
}

TermBuilder::Typed TermBuilder::function(const TermSyntax& s) {
  if (s.head == "and" || s.head == "or" || s.head == "not") {
    if (s.head == "not" && s.kids.size() != 1) fail(s.where, "'not' has one argument");
    if (s.type.empty()) {
      Value all = boolean(t_, s.head != "or");
      for (const TermSyntax& kid : s.kids) {
        const Value v = boolean_term(kid);
        all = s.head == "not" ? negate(t_, v) : s.head == "or" ? either(t_, all, v)
                                                               : both(t_, all, v);
      }
      return {all, Sort::Bool};
    }
  }
  const auto fn = scalar_function(s.head);
  const bool known = fn && *fn != ScalarFn::Select && (*fn != ScalarFn::Convert || !s.type.empty());
  if (!known) fail(s.where, "'" + s.head + "' is no function");
  const ScalarInfo& row = info(*fn);
  const bool flattened = row.arity == 2 && (*fn == ScalarFn::Max || *fn == ScalarFn::Min);
  if (s.kids.size() != static_cast<std::size_t>(row.arity) && !(flattened && s.kids.size() > 2)) {
    fail(s.where, "'" + s.head + "' has " + std::to_string(row.arity) + " arguments");
  }
  if (!s.type.empty()) return typed_function(s, *fn);
  const bool bits = row.cls == ScalarClass::Bits || row.cls == ScalarClass::Boolean;
  if (bits && *fn != ScalarFn::IsFinite) fail(s.where, "'" + s.head + "' of numbers without a type");
  std::vector<Value> args;
  Sort sort = Sort::Int;
  for (const TermSyntax& kid : s.kids) {
    const Typed v = number_term(kid);
    args.push_back(v.value);
    sort = std::max(sort, v.sort);
  }
  const bool predicate = row.name.rfind("compare", 0) == 0 || *fn == ScalarFn::IsFinite;
  const ElementType type = predicate ? ElementType::Pred : ElementType::F64;
  if (flattened) {
    Value v = args[0];
    const ElementType operand = sort == Sort::Int ? ElementType::S64 : ElementType::F64;
    for (std::size_t k = 1; k < args.size(); ++k) v = apply(t_, *fn, operand, operand, {v, args[k]});
    return {v, sort};
  }
  return {apply(t_, *fn, type, ElementType::F64, args), predicate ? Sort::Bool : Sort::Real};
}

}  // namespace gg::checker
