// The walk over expressions: guards bound variables, and values that are added, chosen or moved count alike.
#include "models/size/body_sizes.h"

#include <algorithm>

#include "models/body/parts.h"

namespace gg {
namespace {

/// Does the result count what the arguments count? A sum, a bound, a choice.
bool counts_alike(ScalarFn fn) {
  const ScalarClass cls = info(fn).cls;
  return (cls == ScalarClass::Linear && fn != ScalarFn::Multiply) || cls == ScalarClass::Order || cls == ScalarClass::Select || fn == ScalarFn::Abs;
}

}  // namespace

BodySizes::BodySizes(Arena& arena, SizeSystem& sizes, Kinds& kinds, Frame frame)
    : arena_(arena), sizes_(sizes), kinds_(kinds), frame_(std::move(frame)) {}

std::optional<KindId> BodySizes::state(ExprId root) {
  const Value value = expr(root);
  for (const std::uint16_t level : taps_) {
    if (const auto tap = folds_.find(level); tap != folds_.end()) sizes_.keep(tap->second, "the extent of a window", frame_.origin);
  }
  return value.kind;
}

BodySizes::Value BodySizes::either(const Value& a, const Value& b) {
  if (a.kind && b.kind) kinds_.tie(*a.kind, *b.kind);
  return {a.kind ? a.kind : b.kind};
}

BodySizes::Value BodySizes::expr(ExprId id) {
  const Expr e = arena_[id];
  switch (e.kind) {
    case ExprKind::Read:
      read(id);
      return {frame_.kind(static_cast<int>(e.arg)), frame_.literal(static_cast<int>(e.arg))};
    case ExprKind::Index: {
      if (e.type == ElementType::Pred) return {};
      const KindId kind = kinds_.add();
      const LinId index{e.arg};
      if (arena_[index].levels <= frame_.digits) frame_.rank_kinds->push_back(kind);
      for (Piece& piece : form(index).pieces) {
        if (piece.var != kNoSize && !is_rank(piece)) kinds_.attach(kind, piece.var);
      }
      return {kind};
    }
    case ExprKind::Fn: return function(id);
    case ExprKind::Fold: {
      const Value start = expr(arena_.kids(id)[0]);
      for (std::uint16_t k = 0; k < e.fold_vars; ++k) folds_.erase(static_cast<std::uint16_t>(e.fold_level + k));
      return either(start, under(arena_.guard(id), true, arena_.kids(id)[1]));
    }
    case ExprKind::Case: {
      const Value yes = under(arena_.guard(id), true, arena_.kids(id)[0]);
      return either(yes, under(arena_.guard(id), false, arena_.kids(id)[1]));
    }
    case ExprKind::Lit:
    case ExprKind::Constant:
    case ExprKind::Unknown: break;
  }
  return {};
}

// A literal factor is a unit of the product: rank * 4 counts in blocks of 4. A literal divisor counts what it divides.
BodySizes::Value BodySizes::function(ExprId id) {
  const Expr e = arena_[id];
  std::vector<Value> kids;
  for (const ExprId kid : arena_.kids(id)) kids.push_back(expr(kid));
  Value all;
  if (e.fn == ScalarFn::Multiply) {
    for (const Value& kid : kids) {
      if (kid.literal) all = either(all, kid);
    }
  } else if ((e.fn == ScalarFn::Divide || e.fn == ScalarFn::Remainder) && is_integral(e.type)) {
    const bool ring = e.fn == ScalarFn::Remainder && frame_.remainders != nullptr;
    if (kids[1].literal || ring) either(kids[0], kids[1]);
    if (ring && kids[0].kind) frame_.remainders->push_back(*kids[0].kind);
    if (e.fn == ScalarFn::Remainder) all = kids[0];
  } else if (counts_alike(e.fn)) {
    for (const Value& kid : kids) all = either(all, kid);
  }
  return {e.type == ElementType::Pred ? std::nullopt : all.kind};
}

BodySizes::Value BodySizes::under(GuardId guard, bool holds, ExprId id) {
  guard_data(guard);
  const auto outer = bounds_;
  refine(guard, holds);
  const Value value = expr(id);
  bounds_ = outer;
  return value;
}

/// Bounds of single variables: c0 + c * v <= 0 or = 0 with c = +-1.
void BodySizes::refine(GuardId id, bool holds) {
  const Guard g = arena_[id];
  switch (g.kind) {
    case GuardKind::Not: return refine(arena_.kids(id)[0], !holds);
    case GuardKind::And:
    case GuardKind::Or:
      if ((g.kind == GuardKind::And) != holds) return;
      for (const GuardId kid : arena_.kids(id)) refine(kid, holds);
      return;
    case GuardKind::Le0:
    case GuardKind::Eq0: {
      const LinId lin = arena_.lin(id);
      const auto terms = arena_.terms(lin);
      if (terms.size() != 1 || arena_.atom(terms[0].atom).kind != AtomKind::Var || (terms[0].coef != 1 && terms[0].coef != -1)) return;
      const Piece piece = variable(arena_.atom(terms[0].atom), 1);
      const std::int64_t at = -terms[0].coef * arena_[lin].c0;  // where it is 0
      Interval& bound = bounds_.try_emplace(piece.level, values_of(piece)).first->second;
      if (g.kind == GuardKind::Eq0) {
        if (holds) bound = {at, at + 1};
        else if (at == bound.lo) ++bound.lo;
        else if (at + 1 == bound.hi) --bound.hi;
      } else if ((terms[0].coef == 1) == holds) {
        bound.hi = std::min(bound.hi, holds ? at + 1 : at);
      } else {
        bound.lo = std::max(bound.lo, holds ? at : at + 1);
      }
      return;
    }
    default: return;
  }
}

/// A place that data choose, in a guard alone: single elements.
void BodySizes::guard_data(GuardId id) {
  each_part(arena_, id, [&](auto part) {
    if constexpr (std::is_same_v<decltype(part), GuardId>) {
      guard_data(part);
    } else {
      std::optional<KindId> data;
      for (const Multiple& term : arena_.terms(part)) {
        const Atom& atom = arena_.atom(term.atom);
        if (atom.kind == AtomKind::Data) data = data_kind(atom.arg);
      }
      for (const Multiple& term : arena_.terms(part)) {
        if (!data || arena_.atom(term.atom).kind != AtomKind::Var) continue;
        const Piece piece = variable(arena_.atom(term.atom), term.coef);
        if (piece.var != kNoSize && !is_rank(piece)) kinds_.attach(*data, piece.var);
      }
    }
  });
}

std::optional<KindId> BodySizes::data_kind(std::uint32_t id) {
  if (const auto known = data_.find(id); known != data_.end()) return known->second;
  const auto outer = bounds_;
  const std::optional<KindId> kind = expr(ExprId{id}).kind;
  bounds_ = outer;
  return data_[id] = kind;
}

}  // namespace gg
