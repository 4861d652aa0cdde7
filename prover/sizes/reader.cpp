// Expressions of bodies as terms.
#include "prover/sizes/reader.h"

#include <algorithm>

#include "models/base/check.h"

namespace gg::sizes {
namespace {

constexpr VarId kPerLevel = 64;  ///< pseudo variables of the first pass: level * kPerLevel + digit

}  // namespace

std::vector<Ref> Reader::variables(std::span<const DigitList> lists) const {
  std::vector<Ref> out;
  for (const DigitList& list : lists) {
    for (const DigitId d : digits_.resolve(list)) {
      Ref r;
      r.digit = d;
      r.var = static_cast<VarId>(out.size());
      out.push_back(r);
    }
  }
  return out;
}

void Reader::open(BodyDigits& own) {
  own_ = &own;
  levels_.clear();
  VarId next = 0;
  t_.rank_vars = 0;
  for (const DigitList& list : own.levels) {
    std::vector<Ref>& refs = levels_.emplace_back();
    for (const DigitId d : digits_.resolve(list)) {
      Ref r;
      r.digit = d;
      r.var = constraining_ ? static_cast<VarId>((levels_.size() - 1) * kPerLevel + refs.size()) : next++;
      refs.push_back(r);
      if (levels_.size() <= ranks) t_.rank_vars = r.var + 1;
    }
  }
}

void Reader::constrain(ExprId root, GuardId compared, BodyDigits& own, const Dimensions& dimensions) {
  constraining_ = true;
  dimensions_ = &dimensions;
  for (;;) {  // ends: every restart has cut a digit
    open(own);
    try {
      if (guard(compared) != t_.lit(1)) throw NotGeneric{"an output that is compared in places only"};
      expr(root);
      return;
    } catch (const Restart&) {
    }
  }
}

TermId Reader::term(ExprId root, BodyDigits& own, const Dimensions& dimensions, const Read& read) {
  constraining_ = false;
  dimensions_ = &dimensions;
  read_ = &read;
  open(own);
  return expr(root);
}

void Reader::changed(std::size_t before) const {
  if (digits_.size() == before) return;
  if (constraining_) throw Restart{};
  throw Resized{};
}

TermId Reader::expr(ExprId id) {
  const Expr e = arena_[id];
  switch (e.kind) {
    case ExprKind::Read: {
      std::vector<Ref> refs;
      operand_read(id, refs);
      return constraining_ ? t_.lit(0) : (*read_)(static_cast<int>(e.arg), std::move(refs));
    }
    case ExprKind::Index: {
      const TermId n = number(form(LinId{e.arg}));
      if (is_float(e.type)) return t_.fn(ScalarFn::Convert, e.type, ElementType::S64, {n});
      if (e.type == ElementType::Pred) throw NotGeneric{"a position as a truth value"};
      return n;
    }
    case ExprKind::Lit: {
      const Scalar& s = arena_.scalar(id);
      if (s.type == ElementType::Pred) return t_.lit(s.integer != 0 ? 1 : 0);
      if (is_integral(s.type)) return t_.integer(s.integer);
      if (!is_float(s.type)) throw NotGeneric{"a complex literal"};
      return t_.lit(s.real);
    }
    case ExprKind::Constant: return constant(id);
    case ExprKind::Fn: {
      std::vector<TermId> kids;
      ElementType operand = e.type;
      const std::span<const ExprId> list = arena_.kids(id);
      for (const ExprId k : list) kids.push_back(expr(k));
      if (!list.empty()) operand = arena_[list[e.fn == ScalarFn::Select ? 1 : 0]].type;
      return constraining_ ? t_.lit(0) : t_.fn(e.fn, e.type, operand, std::move(kids));
    }
    case ExprKind::Fold: return fold(id);
    case ExprKind::Case: return choose(id);
    case ExprKind::Unknown: throw NotGeneric{"padding that nobody defined"};
  }
  return t_.lit(0);
}

TermId Reader::fold(ExprId id) {
  const Expr e = arena_[id];
  const std::span<const std::int64_t> extents = arena_.extents(id);
  const std::size_t outer = levels_.size();
  GG_CHECK(e.fold_level >= outer, "fold variables below the current level");
  const TermId init = expr(arena_.kids(id)[0]);
  levels_.resize(e.fold_level);
  std::vector<Bound> bound;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const auto key = std::make_pair(id.value, static_cast<int>(k));
    if (!own_->folds.contains(key)) own_->folds.emplace(key, digits_.dimension(extents[k]));
    std::vector<Ref>& refs = levels_.emplace_back();
    for (const DigitId d : digits_.resolve(own_->folds.at(key))) {
      Ref r;
      r.digit = d;
      if (constraining_) {
        r.var = static_cast<VarId>((levels_.size() - 1) * kPerLevel + refs.size());
      } else {
        bound.push_back(t_.bind(d));
        r.var = bound.back().var;
      }
      refs.push_back(r);
    }
  }
  const TermId where = guard(arena_.guard(id));
  TermId body = expr(arena_.kids(id)[1]);
  levels_.resize(outer);
  if (constraining_) return body;
  if (where != t_.lit(1)) {
    if (e.fn != ScalarFn::Add || !is_float(e.type)) throw NotGeneric{"a fold over some of the places of a dimension"};
    body = t_.fn(ScalarFn::Select, e.type, e.type, {where, body, t_.lit(0)});
  }
  // The unit of the fold is absorbed: every digit has a value.
  body = t_.fold(e.fn, std::move(bound), body);
  return t_.fn(e.fn, e.type, e.type, {init, body});
}

// Digits that a guard looks at have as many values as the text says: every value is looked at.
TermId Reader::choose(ExprId id) {
  const GuardId g = arena_.guard(id);
  if (const Ref* ref = undecided(g)) {
    const Ref variable = *ref;
    const std::int64_t extent = digits_.extent(variable.digit);
    constexpr std::int64_t kMost = 64;
    if (extent > kMost) throw NotGeneric{"pieces of " + std::to_string(extent) + " kinds"};
    digits_.fix(variable.digit, "pieces that are put together or cut apart");
    const auto saved = levels_;
    TermId out{};
    for (std::int64_t value = extent; value-- > 0;) {
      for (auto& level : levels_) {
        for (Ref& r : level) {
          if (r.kind != Ref::Kind::Var || r.var != variable.var) continue;
          r.kind = Ref::Kind::Const;
          r.shift = value;
        }
      }
      const TermId here = choose(id);
      out = value == extent - 1 ? here
                                : t_.fn(ScalarFn::Select, arena_[id].type, arena_[id].type,
                                        {t_.below(variable, value + 1), here, out});
      levels_ = saved;
    }
    return out;
  }
  const TermId decided = guard(g);
  if (decided == t_.lit(1)) return expr(arena_.kids(id)[0]);
  if (decided == t_.lit(0)) return expr(arena_.kids(id)[1]);
  const TermId a = expr(arena_.kids(id)[0]), b = expr(arena_.kids(id)[1]);
  return constraining_ ? a : t_.fn(ScalarFn::Select, arena_[id].type, arena_[id].type, {decided, a, b});
}

TermId Reader::constant(ExprId id) {
  const ConstantArray& array = arena_.array(ArrayId{arena_[id].arg});
  if (array.values.empty()) throw NotGeneric{"a constant without data"};
  const bool splat = std::all_of(array.values.begin(), array.values.end(), [&](const Scalar& s) { return s == array.values[0]; });
  const ElementType type = array.type.element;
  if (splat) {
    const Scalar& s = array.values[0];
    if (type == ElementType::Pred) return t_.lit(s.integer != 0 ? 1 : 0);
    return is_integral(type) ? t_.integer(s.integer) : t_.lit(s.real);
  }
  const std::string shape = to_string(array.type);
  if (!is_integral(type) || type == ElementType::Pred) throw NotGeneric{"a table " + shape + " of numbers without a formula"};
  // An affine table is its formula: entry 0, and a step for each dimension.
  std::vector<std::int64_t> steps;
  std::int64_t stride = array.type.count();
  for (const std::int64_t n : array.type.dims) {
    stride /= n;
    steps.push_back(n > 1 ? array.values[static_cast<std::size_t>(stride)].integer - array.values[0].integer : 0);
  }
  for (std::int64_t k = 0; k < array.type.count(); ++k) {
    std::int64_t rest = k, expected = array.values[0].integer;
    for (std::size_t d = array.type.dims.size(); d-- > 0;) {
      expected += rest % array.type.dims[d] * steps[d];
      rest /= array.type.dims[d];
    }
    if (array.values[static_cast<std::size_t>(k)].integer != expected) {
      throw NotGeneric{"a table " + shape + " of integers that is not affine"};
    }
  }
  std::vector<Summand> sum = t_.summands(t_.integer(array.values[0].integer));
  const std::span<const LinId> indices = arena_.indices(id);
  for (std::size_t d = 0; d < indices.size(); ++d) {
    for (Summand s : sum_of(form(indices[d]))) {
      s.coef *= steps[d];
      sum.push_back(std::move(s));
    }
  }
  return t_.number(std::move(sum));
}

}  // namespace gg::sizes
