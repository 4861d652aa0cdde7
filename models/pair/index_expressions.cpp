#include "models/pair/index_expressions.h"

#include <algorithm>
#include <cmath>

#include "models/body/parts.h"

namespace gg {
namespace {

/// The value, or a number in its place.
Flow limited(const Flow& a, const Flow& b, Flow (*limit)(Flow, std::int64_t)) {
  if (a.kind == Flow::Kind::Input && b.kind == Flow::Kind::Number) return limit(a, b.places.lo);
  if (b.kind == Flow::Kind::Input && a.kind == Flow::Kind::Number) return limit(b, a.places.lo);
  const Flow all = either(a, b);
  return all.kind == Flow::Kind::Input ? all : Flow{};
}

}  // namespace

template <class Id>
void IndexExpressions::condition(Id id) {
  each_part(arena_, id, [this](auto part) {
    if constexpr (std::is_same_v<decltype(part), LinId>) data_in(part);
    else if constexpr (std::is_same_v<decltype(part), GuardId>) condition(part);
  });
}

Flow IndexExpressions::of(ExprId root, const std::vector<Flow>& operands, std::string_view instruction) {
  memo_.clear();
  at_ = instruction;
  operands_ = &operands;
  return flow(root);
}

Flow IndexExpressions::flow(ExprId id) {
  if (const auto it = memo_.find(id.value); it != memo_.end()) return it->second;
  Flow result = compute(id);
  return memo_[id.value] = std::move(result);
}

Flow IndexExpressions::compute(ExprId id) {
  const Expr expr = arena_[id];
  switch (expr.kind) {
    case ExprKind::Read:
      for (const LinId index : arena_.indices(id)) data_in(index);
      return operands_->at(expr.arg);
    case ExprKind::Constant:
      for (const LinId index : arena_.indices(id)) data_in(index);
      return {};
    case ExprKind::Lit:
      if (is_integral(expr.type)) return Flow::number(arena_.scalar(id).integer);
      return std::isnan(arena_.scalar(id).real) ? Flow{Flow::Kind::NotANumber} : Flow{};
    case ExprKind::Index: return position(LinId{expr.arg});
    case ExprKind::Case: {
      condition(arena_.guard(id));
      const Flow then = flow(arena_.kids(id)[0]), otherwise = flow(arena_.kids(id)[1]);
      // A part of the elements is something else (padding, another array): only the same input may stand there.
      if (then.kind == otherwise.kind && then.kind != Flow::Kind::Test) return either(then, otherwise);
      tell(then);
      tell(otherwise);
      return {};
    }
    case ExprKind::Fold:
      condition(arena_.guard(id));
      if (expr.fn == ScalarFn::And && arena_.kids(id).size() == 1) return flow(arena_.kids(id)[0]);
      for (const ExprId kid : arena_.kids(id)) tell(flow(kid));
      return {};
    case ExprKind::Fn: return function(expr, arena_.kids(id));
    case ExprKind::Unknown: return {};
  }
  return {};
}

Flow IndexExpressions::function(const Expr& expr, std::span<const ExprId> kids) {
  std::vector<Flow> args;
  for (const ExprId kid : kids) args.push_back(flow(kid));
  if (expr.fn == ScalarFn::IsFinite && args[0].kind == Flow::Kind::Missing) note(args[0]);
  if (is_comparison(expr.fn)) {
    if (const auto known = decided(expr.fn, args[0], args[1])) return Flow::number(*known ? 1 : 0);
    tell(args);
    if (args[0].kind == Flow::Kind::Missing && args[0] == args[1]) note(args[0]);  // x = x
    return both(compared(expr.fn, args[0], args[1]), compared(mirrored(expr.fn), args[1], args[0]));
  }
  if (expr.fn == ScalarFn::And && expr.type == ElementType::Pred) return both(args[0], args[1]);
  if (expr.fn == ScalarFn::Select) return chosen(args);
  tell(args);
  if (!is_integral(expr.type)) return {};
  switch (expr.fn) {
    case ScalarFn::Convert: return is_integral(arena_[kids[0]].type) && args[0].kind != Flow::Kind::Test ? args[0] : Flow{};
    case ScalarFn::Add:
      if (args[1].kind == Flow::Kind::Number) return shifted(args[0], args[1].places.lo);
      return args[0].kind == Flow::Kind::Number ? shifted(args[1], args[0].places.lo) : Flow{};
    case ScalarFn::Subtract: return args[1].kind == Flow::Kind::Number ? shifted(args[0], -args[1].places.lo) : Flow{};
    case ScalarFn::Remainder:
    case ScalarFn::And: return turned(expr.fn, args[0], args[1]);
    case ScalarFn::Max: return limited(args[0], args[1], at_least);
    case ScalarFn::Min: return limited(args[0], args[1], at_most);
    case ScalarFn::Clamp: return limited(limited(args[1], args[0], at_least), args[2], at_most);
    default: return {};
  }
}

/// One of two values. A test that puts a number from the end in its place, or what is no number where an index is out of range, tells nothing:
/// such values are left out by the premise, as all say who index so, unless something asks whether it is a number.
Flow IndexExpressions::chosen(const std::vector<Flow>& args) {
  if (args[0].kind == Flow::Kind::Test && (args[1].kind == Flow::Kind::NotANumber || args[2].kind == Flow::Kind::NotANumber)) {
    Flow missing{Flow::Kind::Missing, 0, {}, {}, args[0].told};
    for (const Flow& arm : {args[1], args[2]}) missing.join_missing(arm);
    filled_.insert(args[0].told.begin(), args[0].told.end());
    for (const auto& [input, value] : args[0].told) looked_up.insert(input);
    return missing;
  }
  if (args[0].kind == Flow::Kind::Number) return args[0].places.lo != 0 ? args[1] : args[2];
  if (const auto turned = from_end(args[0], args[1], args[2])) return *turned;
  tell(args);
  return either(args[1], args[2]);
}

/// `select(x < 0, x + n, x)`.
std::optional<Flow> IndexExpressions::from_end(const Flow& test, const Flow& up, const Flow& x) {
  if (up.kind != Flow::Kind::Input || x.kind != Flow::Kind::Input) return std::nullopt;
  const std::int64_t n = up.shifts[0] - x.shifts[0];
  if (n <= 0 || shifted(x, n) != up || test != both(compared(ScalarFn::CompareLt, x, Flow::number(0)), {})) return std::nullopt;
  return either(at_most(up, n - 1), at_least(x, 0));
}

/// Of `x % m`, or `x & (m - 1)`, the first values that are not themselves are worth a look.
Flow IndexExpressions::turned(ScalarFn how, const Flow& x, const Flow& number) {
  if (x.kind != Flow::Kind::Input || number.kind != Flow::Kind::Number || !sequential_) return {};
  const std::int64_t m = number.places.lo + (how == ScalarFn::And ? 1 : 0);
  for (const std::int64_t value : {std::int64_t{-1}, m, m + 1}) {
    if (m > 1) uses_[x.input].turned.push_back(value - x.shifts[0]);
  }
  return {};
}

/// An index form as a value: a place of an iota, or a datum that is used as it is.
Flow IndexExpressions::position(LinId lin) {
  data_in(lin);
  const Lin form = arena_[lin];
  const auto terms = arena_.terms(lin);
  if (terms.empty()) return Flow::number(form.c0);
  if (terms.size() == 1 && terms[0].coef == 1 && arena_.atom(terms[0].atom).kind == AtomKind::Data) {
    return shifted(flow(ExprId{arena_.atom(terms[0].atom).arg}), form.c0);
  }
  return {Flow::Kind::Iota, 0, {}, {form.lo, form.hi}};
}

/// The data in a form or a guard, each at its bounds.
void IndexExpressions::data_in(LinId lin) {
  for (const Multiple& term : arena_.terms(lin)) {
    const Atom& atom = arena_.atom(term.atom);
    if (atom.kind != AtomKind::Data) continue;
    const Flow index = flow(ExprId{atom.arg});
    // Starts are clamped to their extent; a scatter's to one place more on each side, which stand for those that it drops.
    const bool drops = atom.lo < 0;
    if (index.kind == Flow::Kind::Input) indexes(index, {atom.lo + (drops ? 1 : 0), atom.hi - (drops ? 1 : 0)}, drops);
    else tell(index);
  }
  condition(lin);
}
void IndexExpressions::indexes(const Flow& index, IntegerSpan extent, bool drops) {
  if (!sequential_ || !counts) return;
  IndexUses& uses = uses_[index.input];
  // Of `select(x < 0, x + n, x)`, as arrays are indexed from the end, x itself is the index.
  const std::int64_t shift = *std::min_element(index.shifts.begin(), index.shifts.end(), [](std::int64_t a, std::int64_t b) { return std::abs(a) < std::abs(b); });
  const IntegerSpan within{extent.lo - shift, extent.hi - shift};
  if (!uses.indexed) uses.indexed = within;
  uses.indexed->cover(within.lo, within.hi);
  bool wraps = false;
  for (const std::int64_t other : index.shifts) {
    if (other - shift <= extent.hi - extent.lo) continue;  // no value of its own goes there by this way
    wraps = true;
    if (!uses.wrapped) uses.wrapped = IntegerSpan{extent.lo - other, extent.hi - other};
    uses.wrapped->cover(extent.lo - other, extent.hi - other);
  }
  // What a clamp of the program, or a scatter that drops the others, has a meaning for is out of no bounds.
  const bool below = index.places.lo >= extent.lo || (drops && !wraps), above = index.places.hi <= extent.hi || drops;
  const std::optional<IntegerSpan> before = uses.needed;
  if (!below || !above) {
    looked_up.insert(index.input);
    const IntegerSpan needed{below ? INT64_MIN : within.lo, above ? INT64_MAX : within.hi};
    if (!uses.needed) uses.needed = needed;
    uses.needed->cover(needed.lo, needed.hi);
  }
  if (uses.needed != before || uses.instruction.empty()) uses.instruction = std::string(at_);
}

/// A comparison that is not told yet. Places of an iota that the sequential program compares with are noted.
Flow IndexExpressions::compared(ScalarFn how, const Flow& value, const Flow& with) {
  if (value.kind != Flow::Kind::Input || !counts) return {};
  IndexUses& uses = uses_[value.input];
  Flow test{Flow::Kind::Test};
  for (const std::int64_t shift : value.shifts) {
    if (with.kind == Flow::Kind::Number) {
      for (const std::int64_t told : told_apart(how, with.places.lo, sequential_)) test.told.emplace_back(value.input, told - shift);
    }
    if (with.kind != Flow::Kind::Iota || !sequential_) continue;
    if (!uses.matched) uses.matched = IntegerSpan{with.places.lo - shift, with.places.hi - shift};
    uses.matched->cover(with.places.lo - shift, with.places.hi - shift);
  }
  return test;
}

void IndexExpressions::note(const Flow& tests) {
  for (const auto& [input, value] : tests.told) uses_[input].compared.push_back(value);
}
void IndexExpressions::tell(const Flow& flow) {
  if (flow.kind == Flow::Kind::Test) note(flow);
}
void IndexExpressions::tell(const std::vector<Flow>& flows) {
  for (const Flow& flow : flows) tell(flow);
}

}  // namespace gg
