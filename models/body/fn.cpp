// Scalar functions: interning, and folding where it is exact and needs no decision about rounding: integers on
// literals, comparisons and choices on literals, Boolean identities. Index arithmetic is in fn_index.cpp.
#include <cmath>

#include "models/base/check.h"
#include "models/body/store.h"

namespace gg {

namespace {

bool is_compare(ScalarFn f) { return info(f).name.starts_with("compare."); }

// IEEE comparison of two exact values.
bool compare_reals(ScalarFn f, double a, double b) {
  switch (f) {
    case ScalarFn::CompareEq:
      return a == b;
    case ScalarFn::CompareNe:
      return a != b;
    case ScalarFn::CompareLt:
      return a < b;
    case ScalarFn::CompareLe:
      return a <= b;
    case ScalarFn::CompareGt:
      return a > b;
    default:
      return a >= b;
  }
}

}  // namespace

ExprId ArenaStore::fn(ScalarFn f, ElementType type, std::span<const ExprId> list) {
  const ScalarInfo& row = info(f);
  GG_CHECK(static_cast<int>(list.size()) == row.arity, "arity of " + std::string(row.name));
  using Folder = std::optional<ExprId> (ArenaStore::*)(ScalarFn, ElementType, std::span<const ExprId>);
  for (const Folder folder :
       {&ArenaStore::fold_literals, &ArenaStore::fold_boolean, &ArenaStore::fold_identity, &ArenaStore::fold_index}) {
    if (const std::optional<ExprId> r = (this->*folder)(f, type, list)) return *r;
  }
  Expr e{ExprKind::Fn, type};
  e.fn = f;
  return intern_expr(e, list, {}, {});
}

std::optional<ExprId> ArenaStore::fold_literals(ScalarFn f, ElementType type, std::span<const ExprId> list) {
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  for (const ExprId k : list) {
    const Scalar* const s = literal(k);
    if (s == nullptr) return std::nullopt;
    if (is_integral(s->type)) integers.push_back(s->integer);
    if (is_float(s->type)) reals.push_back(s->real);
  }
  const ElementType from = exprs[list.back().value].type;  // of a choice: the type of its sides
  if (f == ScalarFn::Convert) {
    if (!integers.empty() && is_integral(type)) return lit_int(type, integers[0]);
    if (from == ElementType::U64 || !is_float(type)) return std::nullopt;
    const double value = integers.empty() ? reals.empty() ? NAN : reals[0] : static_cast<double>(integers[0]);
    const bool exact =
        round_to(type, value) == value && (integers.empty() || std::abs(integers[0]) < std::int64_t{1} << 53);
    return exact ? std::optional(lit(Scalar::of(type, value))) : std::nullopt;
  }
  if (integers.size() == list.size() && is_integral(type)) {
    if (const auto r = integer_fn(f, from, integers)) return lit_int(type, *r);
  }
  if (is_compare(f) && reals.size() == 2)
    return lit_int(ElementType::Pred, compare_reals(f, reals[0], reals[1]) ? 1 : 0);
  return std::nullopt;
}

// A condition on indices is a choice between 1 and 0; these recombine into conditions.
std::optional<GuardId> ArenaStore::as_guard(ExprId id) {
  const Expr& e = exprs[id.value];
  if (e.type != ElementType::Pred) return std::nullopt;
  if (const Scalar* const s = literal(id)) return s->integer != 0 ? always() : never();
  if (e.kind != ExprKind::Case) return std::nullopt;
  const Scalar* const a = literal(kids(id)[0]);
  const Scalar* const b = literal(kids(id)[1]);
  if (a == nullptr || b == nullptr) return std::nullopt;
  return a->integer != 0 ? GuardId{e.arg} : negate(GuardId{e.arg});
}

std::optional<ExprId> ArenaStore::fold_boolean(ScalarFn f, ElementType type, std::span<const ExprId> list) {
  if (f == ScalarFn::Select) {
    if (list[1] == list[2]) return list[1];
    if (const auto g = as_guard(list[0])) return select(*g, list[1], list[2]);
    return std::nullopt;
  }
  if (f == ScalarFn::Convert && exprs[list[0].value].kind == ExprKind::Case && (is_integral(type) || is_float(type))) {
    if (const auto g = as_guard(list[0])) {
      const auto number = [&](int v) { return lit(Scalar::whole(type, v)); };
      return select(*g, number(1), number(0));
    }
    return std::nullopt;
  }
  if (type != ElementType::Pred || exprs[list[0].value].type != ElementType::Pred) return std::nullopt;
  const auto truth = [&](GuardId g) { return select(g, lit_int(ElementType::Pred, 1), lit_int(ElementType::Pred, 0)); };
  const auto a = as_guard(list[0]);
  if (f == ScalarFn::Not) {
    if (a) return truth(negate(*a));
    const Expr& e = exprs[list[0].value];
    if (e.kind == ExprKind::Fn && e.fn == ScalarFn::Not) return kids(list[0])[0];
    return std::nullopt;
  }
  if (f != ScalarFn::And && f != ScalarFn::Or) return std::nullopt;
  if (list[0] == list[1]) return list[0];
  const auto b = as_guard(list[1]);
  if (a && b) {
    const GuardId both[] = {*a, *b};
    return truth(f == ScalarFn::And ? all(both) : any(both));
  }
  const GuardKind neutral = f == ScalarFn::And ? GuardKind::True : GuardKind::False;
  const GuardKind absorbing = f == ScalarFn::And ? GuardKind::False : GuardKind::True;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& g = i == 0 ? a : b;
    if (!g) continue;
    if (guards[g->value].kind == neutral) return list[1 - i];
    if (guards[g->value].kind == absorbing) return list[i];
  }
  return std::nullopt;
}

// x + 0, x * 1, x * 0 over integers, conversion to the same type.
std::optional<ExprId> ArenaStore::fold_identity(ScalarFn f, ElementType type, std::span<const ExprId> list) {
  if (f == ScalarFn::Convert && exprs[list[0].value].type == type) return list[0];
  if (list.size() != 2 || !is_integral(type) || type == ElementType::Pred) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    const Scalar* const s = literal(list[i]);
    if (s == nullptr) continue;
    const ExprId other = list[1 - i];
    if (f == ScalarFn::Add && s->integer == 0) return other;
    if (f == ScalarFn::Subtract && i == 1 && s->integer == 0) return other;
    if (f == ScalarFn::Multiply && s->integer == 1) return other;
    if (f == ScalarFn::Multiply && s->integer == 0) return list[i];
    if (f == ScalarFn::Divide && i == 1 && s->integer == 1) return other;
  }
  return std::nullopt;
}

}  // namespace gg
