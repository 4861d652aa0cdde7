// Bodies become terms.
#include "prover/engine/import.h"

#include <algorithm>
#include <cmath>

#include "models/base/check.h"

namespace gg::prover {
TermId Importer::body(const Body& b, const Read& read) { return expression(b.root, b.extents, read); }

TermId Importer::body(const Body& b, std::span<const LinId> levels, const Read& read, bool rounds) {
  Context c;
  c.rounds = rounds;
  c.read = &read;
  c.levels.assign(levels.begin(), levels.end());
  return expr(b.root, c);
}

TermId Importer::expression(ExprId root, std::span<const std::int64_t> extents, const Read& read) {
  if (extents.size() > kFreeVars) throw TermLimit("too many dimensions");
  Context c;
  c.read = &read;
  c.levels = t_.variables(extents);
  return expr(root, c);
}

TermId Importer::guard(GuardId g, std::span<const std::int64_t> extents) {
  Context c;
  c.levels = t_.variables(extents);
  return guard(g, c);
}

TermId Importer::literal(const Scalar& value) {
  if (value.type == ElementType::Pred) return value.integer != 0 ? TermId::True : TermId::False;
  if (is_integral(value.type)) {
    if (value.type == ElementType::U64 && value.integer < 0) throw TermLimit("u64 literal beyond 2^63");
    return t_.integer(t_.num(value.integer));
  }
  if (!is_float(value.type)) throw TermLimit("literal of a type without terms");
  if (const auto it = readings_.find({value.type, value.real}); it != readings_.end()) return it->second;
  if (std::isnan(value.real)) return t_.special(Special::NaN);
  if (std::isinf(value.real)) return t_.special(value.real > 0 ? Special::PosInf : Special::NegInf);
  return t_.lit(t_.q.of_double(value.real));
}

/// A conversion rounds what the text has, whatever that is read as.
std::optional<TermId> Importer::rounded(ElementType to, ElementType from, TermId literal) {
  for (const auto& [read, term] : readings_)
    if (read.first == from && term == literal) return this->literal(Scalar::of(to, round_to(to, read.second)));
  return rounded_elements(to, from, literal);
}

TermId Importer::expr(ExprId id, Context& c) {
  if (c.memo.size() <= c.levels.size()) c.memo.resize(c.levels.size() + 1);
  const std::size_t depth = c.levels.size();
  if (const TermId* known = c.memo[depth].find(id.value)) return *known;
  const TermId result = expr_uncached(id, c);
  c.memo[depth].add(id.value, result);
  return result;
}

TermId Importer::expr_uncached(ExprId id, Context& c) {
  const Expr e = arena_[id];
  switch (e.kind) {
    case ExprKind::Read: {
      std::vector<LinId> index;
      for (const gg::LinId l : arena_.indices(id)) index.push_back(lin(l, c));
      return (*c.read)(static_cast<int>(e.arg), index);
    }
    case ExprKind::Index: {
      const LinId l = lin(gg::LinId{e.arg}, c);
      if (is_float(e.type)) return t_.from_int(l);
      if (e.type == ElementType::Pred) return t_.negate(t_.eq(l));
      return t_.wrap(e.type, l);
    }
    case ExprKind::Lit: return literal(arena_.scalar(id));
    case ExprKind::Constant: return constant(id, c);
    case ExprKind::Fn: {
      std::vector<TermId> kids;
      const std::span<const ExprId> list = arena_.kids(id);
      if (e.fn == ScalarFn::Select) {  // the side not taken must not matter
        const TermId g = expr(list[0], c);
        if (g == TermId::True) return expr(list[1], c);
        if (g == TermId::False) return expr(list[2], c);
      }
      for (const ExprId k : list) kids.push_back(expr(k, c));
      const bool between_floats = e.fn == ScalarFn::Convert && is_float(e.type) && is_float(arena_[list[0]].type);
      if (between_floats && !(c.rounds && arena_[list[0]].kind == ExprKind::Read)) return kids[0];
      if (between_floats)
        if (const auto other = rounded(e.type, arena_[list[0]].type, kids[0])) return *other;
      return t_.fn(e.fn, e.type, kids);
    }
    case ExprKind::Fold: return fold(id, c);
    case ExprKind::Case: {
      const TermId g = guard(arena_.guard(id), c);
      const std::span<const ExprId> list = arena_.kids(id);
      if (g == TermId::True) return expr(list[0], c);
      if (g == TermId::False) return expr(list[1], c);
      const TermId a = expr(list[0], c), b = expr(list[1], c);
      return t_.choose(g, a, b);
    }
    case ExprKind::Unknown: return TermId::Unknown;
  }
  return TermId::Unknown;
}

TermId Importer::fold(ExprId id, Context& c) {
  const Expr e = arena_[id];
  const std::span<const ExprId> kids = arena_.kids(id);
  const TermId init = expr(kids[0], c);
  const std::vector<std::int64_t> extents(arena_.extents(id).begin(), arena_.extents(id).end());
  GG_CHECK(e.fold_level >= c.levels.size(), "fold variables below the current level");
  const std::size_t outer = c.levels.size();
  const Fresh vars = t_.fresh(extents);
  c.levels.resize(e.fold_level, LinId::Zero);
  c.levels.insert(c.levels.end(), vars.begin(), vars.end());
  const std::size_t depth = c.levels.size();
  if (c.memo.size() <= depth) c.memo.resize(depth + 1);
  c.memo[depth] = {};
  const TermId g = guard(arena_.guard(id), c);
  TermId result = TermId::Unknown;
  const ScalarFn op = e.type == ElementType::Pred
                          ? (e.fn == ScalarFn::And || e.fn == ScalarFn::Multiply || e.fn == ScalarFn::Min ? ScalarFn::And
                                                                                                          : ScalarFn::Or)
                          : e.fn;
  if (e.type == ElementType::Pred && e.fn == ScalarFn::Xor) throw TermLimit("fold of xor");
  if (g != TermId::False) result = t_.fold(op, vars, g, expr(kids[1], c));
  c.memo[depth] = {};
  c.levels.resize(outer);
  return g == TermId::False ? init : t_.fn(op, e.type, std::array{init, result});
}

LinId Importer::lin(gg::LinId id, Context& c) {
  const Lin n = arena_[id];
  const std::vector<gg::Multiple> list(arena_.terms(id).begin(), arena_.terms(id).end());
  std::vector<std::pair<std::int64_t, LinId>> parts;
  parts.reserve(list.size());
  for (const gg::Multiple& s : list) parts.emplace_back(s.coef, atom(s.atom, c));
  return t_.refit(t_.combine(n.c0, parts));
}

LinId Importer::atom(std::uint32_t id, Context& c) {
  const gg::Atom a = arena_.atom(id);
  switch (a.kind) {
    case gg::AtomKind::Var:
      GG_CHECK(a.level < c.levels.size(), "variable of an unknown level");
      return c.levels[a.level];
    case gg::AtomKind::Div: return t_.div(lin(gg::LinId{a.arg}, c), a.m);
    case gg::AtomKind::Data: {
      const TermId value = expr(ExprId{a.arg}, c);
      const LinId l = t_[value].sort == Sort::Bool ? t_.as_lin(t_.fn(ScalarFn::Convert, ElementType::S32, std::array{value}))
                                                   : t_.as_lin(value);
      return t_.clamp(l, a.lo, a.hi);
    }
    case gg::AtomKind::Table: return t_.table(arena_.table_values(TableId{a.arg}), lin(gg::LinId{a.index}, c));
  }
  return LinId::Zero;
}

TermId Importer::guard(GuardId id, Context& c) {
  const Guard g = arena_[id];
  switch (g.kind) {
    case GuardKind::True: return TermId::True;
    case GuardKind::False: return TermId::False;
    case GuardKind::Le0: return t_.ge(t_.scale(-1, lin(arena_.lin(id), c)));
    case GuardKind::Eq0: return t_.eq(lin(arena_.lin(id), c));
    case GuardKind::Not: return t_.negate(guard(arena_.kids(id)[0], c));
    case GuardKind::And:
    case GuardKind::Or: {
      std::vector<TermId> kids;
      const std::vector<GuardId> list(arena_.kids(id).begin(), arena_.kids(id).end());
      for (const GuardId k : list) kids.push_back(guard(k, c));
      return g.kind == GuardKind::And ? t_.conj(kids) : t_.disj(kids);
    }
  }
  return TermId::True;
}

}  // namespace gg::prover
