#include "prover/checker/sized/numbers.h"

#include <algorithm>
#include <cmath>

#include "models/op/opaque_form.h"
#include "models/op/row_form.h"
#include "models/pair/index_uses.h"

namespace gg::checker {
namespace {

/// Attributes whose numbers are in types and bodies; all others are the same at all sizes.
constexpr Attr kOfSizes[] = {Attr::DynamicSliceSizes, Attr::SliceSizes, Attr::Slice, Attr::Padding, Attr::Window, Attr::Literal,
                             Attr::ReplicaGroups, Attr::K, Attr::SourceTargetPairs, Attr::FeatureGroupCount, Attr::BatchGroupCount};

bool same_attributes(const Attributes& a, const Attributes& b) {
  const auto &x = a.entries(), &y = b.entries();
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& one, const auto& other) {
    return one.first == other.first && (std::find(std::begin(kOfSizes), std::end(kOfSizes), one.first) != std::end(kOfSizes) || one.second == other.second);
  });
}

bool splat(const ConstantArray& array) {
  return !array.values.empty() && std::all_of(array.values.begin(), array.values.end(), [&](const Scalar& s) { return s == array.values[0]; });
}

}  // namespace

FamilyNumbers::FamilyNumbers(std::vector<Case*> cases, const std::vector<std::vector<std::int64_t>>& values, Polynomials& to)
    : cases_(std::move(cases)), to_(to), rows_(values) {}

template <class F>
FamilyNumbers::Row FamilyNumbers::row(const F& number) const {
  Row result;
  for (std::size_t k = 0; k < cases_.size(); ++k) result.push_back(number(k));
  return result;
}

template <class F>
FamilyNumbers::Ids FamilyNumbers::ids(const F& id) const {
  Ids result;
  for (std::size_t k = 0; k < cases_.size(); ++k) result.push_back(id(k));
  return result;
}

void FamilyNumbers::same(bool holds, const char* what) const {
  if (!holds) throw Limit(std::string("other sizes have another ") + what);
}

void FamilyNumbers::note(const Row& row) {
  if (rows_.knows(row)) return;
  state(row, rows_.of(row));
}

void FamilyNumbers::state(const Row& row, const Polynomials::Sum& sum) {
  rows_.state(row, sum);
  const auto [it, fresh] = to_.numbers.emplace(row[0], sum);
  if (!fresh && it->second != sum) throw Limit("the number " + std::to_string(row[0]) + " means two things");
}

void FamilyNumbers::collect() {
  for (std::int64_t n = -2; n <= 2; ++n) note(row([&](std::size_t) { return n; }));
  for (const Rows::Atom& symbol : rows_.symbols()) {
    state(symbol.row, symbol.sum);
    to_.parts.emplace(symbol.row[0], symbol.sum);
  }
  for (const int side : {0, 1}) types(side);
  relation();
  for (const int side : {0, 1}) bodies(side);
}

// Everything of a program but its numbers.
void FamilyNumbers::graph(const Module& other, const Module& first) const {
  same(other.size() == first.size() && other.computations().size() == first.computations().size() && other.entry() == first.entry(), "number of instructions");
  for (ComputationId c = 0; c < first.computations().size(); ++c) {
    const Computation &a = first.computation(c), &b = other.computation(c);
    same(a.first == b.first && a.count == b.count && a.root == b.root && a.parameters == b.parameters, "computation");
  }
  for (InstructionId id = 0; id < first.size(); ++id) {
    const auto operands = first.operands(id), others = other.operands(id);
    same(other[id].op == first[id].op && other[id].channel == first[id].channel, "operator");
    same(std::equal(operands.begin(), operands.end(), others.begin(), others.end()), "operand");
    same(same_attributes(other.attributes(id), first.attributes(id)), "attribute");
    const auto leaves = first.type(id).leaves(), there = other.type(id).leaves();
    same(std::equal(leaves.begin(), leaves.end(), there.begin(), there.end(), [](const Type* a, const Type* b) { return a->element == b->element && a->dims.size() == b->dims.size(); }), "type");
  }
}

void FamilyNumbers::types(int side) {
  const Module& first = module(0, side);
  for (std::size_t k = 1; k < cases_.size(); ++k) graph(module(k, side), first);
  for (InstructionId id = 0; id < first.size(); ++id) {
    const auto leaves = first.type(id).leaves();
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      if (!leaves[leaf]->is_array()) continue;
      for (std::size_t d = 0; d < leaves[leaf]->dims.size(); ++d) {
        note(row([&](std::size_t k) { return module(k, side).type(id).leaves()[leaf]->dims.at(d); }));
      }
    }
  }
}

void FamilyNumbers::bodies(int side) {
  const Module& first = module(0, side);
  for (InstructionId id = 0; id < first.size(); ++id) {
    const auto leaves = first.type(id).leaves();
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      if (!leaves[leaf]->is_array()) continue;
      const auto body = [&](std::size_t k) { return table(k, side).body(id, static_cast<int>(leaf)); };
      if (body(0) == nullptr) {
        rows_of(side, id);
        continue;
      }
      for (std::size_t k = 1; k < cases_.size(); ++k) same(body(k) != nullptr, "operator with a body");
      expr(ids([&](std::size_t k) { return body(k)->root.value; }));
    }
  }
}

void FamilyNumbers::rows_of(int side, InstructionId id) {
  const auto calls = [&](std::size_t k) { return table(k, side).call(id); };
  const Call call = calls(0);
  if (call.operands.empty() || !call.operands[0]->is_array()) return;
  if (const auto form = opaque_form(call)) {
    for (std::size_t d = 0; d < 16; ++d) note(row([&](std::size_t k) { return opaque_form(calls(k)).value().block_at(d); }));
    return;
  }
  const auto form = row_form(call);
  if (!form) return;
  const auto other = [&](std::size_t k) { return row_form(calls(k)).value(); };
  for (std::size_t d = 0; d < form->extents.size(); ++d) note(row([&](std::size_t k) { return other(k).extents.at(d); }));
  for (std::size_t d = 0; d < form->window.size(); ++d) {
    note(row([&](std::size_t k) { return other(k).window.at(d).window_dilation; }));
    note(row([&](std::size_t k) { return other(k).window.at(d).stride; }));
    note(row([&](std::size_t k) { return other(k).window.at(d).pad_low; }));
  }
}

void FamilyNumbers::relation() {
  const auto of = [&](std::size_t k) -> const Relation& { return cases_[k]->relation; };
  for (std::size_t k = 1; k < cases_.size(); ++k) {
    same(of(k).free.size() == of(0).free.size() && of(k).outputs.size() == of(0).outputs.size() &&
             of(k).sequential_inputs.size() == of(0).sequential_inputs.size() && of(k).distributed_inputs.size() == of(0).distributed_inputs.size(),
         "relation");
    same(of(k).digits.count() == of(0).digits.count(), "mesh");
  }
  for (std::size_t d = 0; d < of(0).digits.digits().size(); ++d) note(row([&](std::size_t k) { return of(k).digits.digits()[d].extent; }));
  std::vector<std::vector<IndexUses>> uses;
  for (Case* c : cases_) uses.push_back(index_uses(*c));
  for (std::size_t n = 0; n < of(0).free.size(); ++n) {
    for (std::size_t d = 0; d < of(0).free[n].type.dims.size(); ++d) note(row([&](std::size_t k) { return of(k).free[n].type.dims.at(d); }));
    const gg::Range& range = of(0).free[n].range;
    for (std::size_t k = 1; k < cases_.size(); ++k) {
      const FreeInput &one = of(0).free[n], &other = of(k).free[n];
      const bool counts = is_integral(one.type.element) || range.origin == gg::Range::Origin::Default;
      same(other.type.element == one.type.element && other.type.dims.size() == one.type.dims.size() && other.leaf == one.leaf && other.combined_by == one.combined_by, "input");
      same(other.range.origin == range.origin && (counts || (other.range.lo == range.lo && other.range.hi == range.hi)), "range");
    }
    if (is_integral(of(0).free[n].type.element) && range.origin != gg::Range::Origin::Default && std::abs(range.lo) < 1e15 && std::abs(range.hi) < 1e15) {
      note(row([&](std::size_t k) { return static_cast<std::int64_t>(std::ceil(of(k).free[n].range.lo)); }));
      note(row([&](std::size_t k) { return static_cast<std::int64_t>(std::ceil(of(k).free[n].range.hi)); }));
      note(row([&](std::size_t k) { return static_cast<std::int64_t>(std::ceil(of(k).free[n].range.hi)) + 1; }));
    }
    const auto span = [&](std::size_t k) { return in_bounds(of(k).free[n], uses[k].at(n)); };
    for (std::size_t k = 1; k < cases_.size(); ++k) same(span(k).has_value() == span(0).has_value(), "premise");
    if (!span(0)) continue;
    note(row([&](std::size_t k) { return span(k)->lo; }));
    note(row([&](std::size_t k) { return span(k)->hi; }));
    note(row([&](std::size_t k) { return bounds_from_end(of(k).free[n], uses[k].at(n))->lo; }));
  }
  for (std::size_t n = 0; n < of(0).sequential_inputs.size(); ++n) expr(ids([&](std::size_t k) { return of(k).sequential_inputs[n].root.value; }));
  for (std::size_t n = 0; n < of(0).distributed_inputs.size(); ++n) expr(ids([&](std::size_t k) { return of(k).distributed_inputs[n].root.value; }));
  for (std::size_t n = 0; n < of(0).outputs.size(); ++n) {
    for (std::size_t k = 1; k < cases_.size(); ++k) same(of(k).outputs[n].kind == of(0).outputs[n].kind, "claim");
    if (of(0).outputs[n].kind == OutputClaim::Kind::Ignored) continue;
    for (std::size_t d = 0; d < of(0).outputs[n].extents.size(); ++d) note(row([&](std::size_t k) { return of(k).outputs[n].extents.at(d); }));
    expr(ids([&](std::size_t k) { return of(k).outputs[n].distributed.value; }));
    expr(ids([&](std::size_t k) { return of(k).outputs[n].sequential.value; }));
    guard(ids([&](std::size_t k) { return of(k).outputs[n].compared.value; }));
  }
}

void FamilyNumbers::expr(const Ids& id) {
  if (!exprs_.insert(id).second) return;
  const auto node = [&](std::size_t k) -> const Expr& { return arena(k)[ExprId{id[k]}]; };
  const Expr e = node(0);
  for (std::size_t k = 1; k < cases_.size(); ++k) {
    const Expr& o = node(k);
    const bool arg = e.kind != ExprKind::Read || e.arg == o.arg;
    same(o.kind == e.kind && o.type == e.type && o.fn == e.fn && o.kids == e.kids && arg && o.fold_level == e.fold_level && o.fold_vars == e.fold_vars, "form of a body");
  }
  switch (e.kind) {
    case ExprKind::Read:
    case ExprKind::Constant:
      if (e.kind == ExprKind::Constant) array(ids([&](std::size_t k) { return node(k).arg; }));
      for (std::size_t n = 0; n < arena(0).indices(ExprId{id[0]}).size(); ++n) lin(ids([&](std::size_t k) { return arena(k).indices(ExprId{id[k]})[n].value; }));
      break;
    case ExprKind::Index: lin(ids([&](std::size_t k) { return node(k).arg; })); break;
    case ExprKind::Lit: {
      const auto scalar = [&](std::size_t k) -> const Scalar& { return arena(k).scalar(ExprId{id[k]}); };
      if (is_integral(e.type)) note(row([&](std::size_t k) { return scalar(k).integer; }));
      else
        for (std::size_t k = 1; k < cases_.size(); ++k) same(scalar(k) == scalar(0), "literal");
      break;
    }
    case ExprKind::Fold:
    case ExprKind::Case:
      guard(ids([&](std::size_t k) { return arena(k).guard(ExprId{id[k]}).value; }));
      for (std::size_t n = 0; e.kind == ExprKind::Fold && n < arena(0).extents(ExprId{id[0]}).size(); ++n) note(row([&](std::size_t k) { return arena(k).extents(ExprId{id[k]})[n]; }));
      [[fallthrough]];
    case ExprKind::Fn:
      for (std::size_t n = 0; n < arena(0).kids(ExprId{id[0]}).size(); ++n) expr(ids([&](std::size_t k) { return arena(k).kids(ExprId{id[k]})[n].value; }));
      break;
    case ExprKind::Unknown: break;
  }
}

void FamilyNumbers::guard(const Ids& id) {
  if (!guards_.insert(id).second) return;
  const auto node = [&](std::size_t k) -> const Guard& { return arena(k)[GuardId{id[k]}]; };
  const Guard g = node(0);
  for (std::size_t k = 1; k < cases_.size(); ++k) same(node(k).kind == g.kind && node(k).kids == g.kids, "condition of a body");
  if (g.kind == GuardKind::Le0 || g.kind == GuardKind::Eq0) return lin(ids([&](std::size_t k) { return arena(k).lin(GuardId{id[k]}).value; }));
  if (g.kind == GuardKind::True || g.kind == GuardKind::False) return;
  for (std::size_t n = 0; n < arena(0).kids(GuardId{id[0]}).size(); ++n) guard(ids([&](std::size_t k) { return arena(k).kids(GuardId{id[k]})[n].value; }));
}

void FamilyNumbers::lin(const Ids& id) {
  if (!lins_.insert(id).second) return;
  const auto form = [&](std::size_t k) -> const Lin& { return arena(k)[LinId{id[k]}]; };
  for (std::size_t k = 1; k < cases_.size(); ++k) same(form(k).terms == form(0).terms, "index form");
  note(row([&](std::size_t k) { return form(k).c0; }));
  std::vector<std::vector<Multiple>> terms;  // sums have no order
  for (std::size_t k = 0; k < cases_.size(); ++k) {
    const auto own = arena(k).terms(LinId{id[k]});
    terms.emplace_back(own.begin(), own.end());
    const auto place = [&](const Multiple& t) { return std::pair(arena(k).atom(t.atom).kind, arena(k).atom(t.atom).kind == gg::AtomKind::Var ? arena(k).atom(t.atom).level : 0); };
    std::stable_sort(terms[k].begin(), terms[k].end(), [&](const Multiple& a, const Multiple& b) { return place(a) < place(b); });
  }
  for (std::size_t n = 0; n < form(0).terms; ++n) {
    const auto term = [&](std::size_t k) { return terms[k][n]; };
    const auto atom = [&](std::size_t k) -> const gg::Atom& { return arena(k).atom(term(k).atom); };
    note(row([&](std::size_t k) { return term(k).coef; }));
    const gg::Atom a = atom(0);
    for (std::size_t k = 1; k < cases_.size(); ++k) same(atom(k).kind == a.kind && (a.kind != gg::AtomKind::Var || atom(k).level == a.level), "index form");
    switch (a.kind) {
      case gg::AtomKind::Var: break;
      case gg::AtomKind::Div:
        note(row([&](std::size_t k) { return atom(k).m; }));
        lin(ids([&](std::size_t k) { return atom(k).arg; }));
        break;
      case gg::AtomKind::Data:
        note(row([&](std::size_t k) { return atom(k).lo; }));
        note(row([&](std::size_t k) { return atom(k).hi; }));
        expr(ids([&](std::size_t k) { return atom(k).arg; }));
        break;
      case gg::AtomKind::Table: {
        const auto values = [&](std::size_t k) -> const std::vector<std::int64_t>& { return arena(k).table_values(TableId{atom(k).arg}); };
        for (std::size_t k = 1; k < cases_.size(); ++k) same(values(k).size() == values(0).size(), "table");
        for (std::size_t p = 0; p < values(0).size(); ++p) note(row([&](std::size_t k) { return values(k)[p]; }));
        lin(ids([&](std::size_t k) { return atom(k).index; }));
        break;
      }
    }
  }
}

void FamilyNumbers::array(const Ids& id) {
  const auto data = [&](std::size_t k) -> const ConstantArray& { return arena(k).array(ArrayId{id[k]}); };
  const ConstantArray& first = data(0);
  const bool integral = is_integral(first.type.element);
  for (std::size_t d = 0; d < first.type.dims.size(); ++d) note(row([&](std::size_t k) { return data(k).type.dims.at(d); }));
  const bool one = splat(first);
  for (std::size_t k = 1; k < cases_.size(); ++k) same(splat(data(k)) == one && (one || data(k).values.size() == first.values.size()), "constant");
  for (std::size_t p = 0; p < (one ? 1 : first.values.size()); ++p) {
    if (integral) note(row([&](std::size_t k) { return data(k).values[p].integer; }));
    else
      for (std::size_t k = 1; k < cases_.size(); ++k) same(data(k).values[p] == first.values[p], "constant");
  }
}

}  // namespace gg::checker
