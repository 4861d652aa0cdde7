// What is known where a sum is finite (docs/certificate.md, section 1, Outputs): no summand has an infinite factor.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "prover/checker/anchor.h"
#include "prover/checker/cases.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/nan_where.h"
#include "prover/checker/number.h"
#include "prover/checker/program.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

// What the base of a power is where the power is finite.
Classes base_of_finite(const Rational& exponent) {
  constexpr std::uint8_t kNegative = Classes::kNeg | Classes::kNegInf;
  std::uint8_t set = exponent.sign() > 0 ? Classes::kReal : Classes::kEverything & ~(Classes::kZero | Classes::kNaN);
  if (!exponent.integer()) set &= ~kNegative;  // of these it is NaN
  return Classes(set);
}

// Is it made of reals, so that it stands in no index?
bool has_reals(const Terms& t, Value v, int depth = 8) {
  const ValueNode& node = t[v];
  const auto kid = [&](Value k) { return depth > 0 && has_reals(t, k, depth - 1); };
  switch (node.kind) {
    case ValueKind::Read: return is_float(t.anchors[node.ref].type);
    case ValueKind::Poly:
      return std::any_of(node.summands.begin(), node.summands.end(), [&](const PolyPart& p) {
        const auto& factors = t[p.monomial].factors;
        return std::any_of(factors.begin(), factors.end(), [&](const Factor& f) { return kid(f.base); });
      });
    case ValueKind::Fn:
    case ValueKind::Fold: return node.type == ElementType::Token && std::any_of(node.kids.begin(), node.kids.end(), kid);
    case ValueKind::Case: return std::any_of(node.kids.begin(), node.kids.end(), kid);
    default: return false;
  }
}

// Is it an integer that may count: one of the programs, or a sum of such or of a whole number?
bool is_count(const Terms& t, Value v) {
  const ValueNode& node = t[v];
  if (node.kind == ValueKind::Read) return is_integral(t.anchors[node.ref].type);
  if (node.kind != ValueKind::Fold || node.fn != ScalarFn::Add || node.type != ElementType::Token) return false;
  const auto element = number_of(t, node.kids[0]);
  return element ? element->integer().has_value() : is_count(t, node.kids[0]);
}

// A value in place of some others.
class Named : public Rewriter {
 public:
  Named(Terms& t, const std::unordered_map<std::uint32_t, Value>& names) : Rewriter(t) { values_ = names; }

 protected:
  bool unchanged(VarSet) override { return false; }
};

bool is_log(const ValueNode& node) { return node.kind == ValueKind::Fn && node.fn == ScalarFn::Log; }
bool is_sum_over_box(const ValueNode& node) { return node.kind == ValueKind::Fold && node.fn == ScalarFn::Add && node.type == ElementType::Token; }
bool is_binder(const Terms& t, Var v) { return t[v].space == Space::Bound || t[v].space == Space::Temp; }

// Two reals that are compared where the first is finite: its factors, those of factors that are sums, and of sums over a box without guard,
// become fresh values of which is known what is known of them there.
class WhereFinite {
 public:
  WhereFinite(Terms& t, Value real, Value other) : t_(t), values_{real, other} {}

  bool same() {
    while (values_[0] != values_[1]) {
      factors_.clear();
      collect(values_[0]);
      if (!elements() && !factor(true) && !factor(false) && !logarithms()) return false;
    }
    return true;
  }

 private:
  // The factors of what is one product, also of one that is multiplied by 0.
  std::vector<Factor> factors_of(Value v) {
    const ValueNode& node = t_[v];
    if (is_nothing(node)) return factors_of(node.kids[1]);
    const std::vector<PolyPart> parts = poly_parts(t_, v);
    return parts.size() == 1 ? t_[parts[0].monomial].factors : std::vector<Factor>();
  }

  // Of two sums over one box, one where a condition holds and one where it does not, one has an element: what all elements of both have as a factor.
  void collect_either(const PolyPart& one, const PolyPart& two) {
    const std::vector<Factor> a = t_[one.monomial].factors, b = t_[two.monomial].factors;
    if (a.size() != 1 || b.size() != 1 || !a[0].exponent.is_one() || !b[0].exponent.is_one() || !is_sum_over_box(t_[a[0].base]) || !is_sum_over_box(t_[b[0].base])) return;
    const ValueNode first = t_[a[0].base], second = t_[b[0].base];
    if (t_[first.path].literals.size() != 1 || t_[second.path].literals.size() != 1 || first.vars.size() != second.vars.size()) return;
    const Opened open(t_, first), other(t_, second);
    for (std::size_t k = 0; k < open.vars.size(); ++k)
      if (!checker::same(t_[open.vars[k]].extent, t_[other.vars[k]].extent)) return;
    if (Substitution(t_, other.vars, as_indices(t_, open.vars))(other.guard) != negate(t_, open.guard)) return;
    const std::vector<Factor> all = factors_of(other.kids[0]);
    for (const Factor& f : factors_of(open.kids[0]))
      if (closed(f.base) && std::find(all.begin(), all.end(), f) != all.end()) factors_.insert(f);
  }

  void collect(Value sum) {
    const std::vector<PolyPart> all = poly_parts(t_, sum);
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (std::size_t n = k + 1; n < all.size(); ++n) collect_either(all[k], all[n]);
    }
    for (const PolyPart& part : all) {
      for (const Factor& f : std::vector<Factor>(t_[part.monomial].factors)) {
        if (!factors_.insert(f).second || f.exponent.sign() < 0) continue;
        const ValueNode node = t_[f.base];
        if (node.kind == ValueKind::Poly) collect(f.base);
        if (is_nothing(node)) collect(node.kids[1]);
        if (is_sum_over_box(node) && node.path == Path{}) collect(node.kids[0]);
      }
    }
  }

  bool closed(Value v) const {
    const std::vector<Var>& free = t_[t_[v].free];
    return std::none_of(free.begin(), free.end(), [&](Var x) { return is_binder(t_, x); });
  }

  // What a factor can be, or nothing if that is not less than it says itself.
  std::optional<Classes> known(Value base, Classes now) {
    const Classes before = classes_of(t_, base);
    now = Classes(static_cast<std::uint8_t>(before.set() & now.set()));
    return now == before || now.set() == 0 ? std::nullopt : std::optional(now);
  }

  // An index that says which element it is: one without binders. Of the others, which must be binders, each its own, that take all
  // values: nothing. No result: some elements are not met.
  std::optional<std::vector<std::optional<Index>>> elements_met(Value read) const {
    std::vector<std::optional<Index>> at;
    std::set<Var> binders;
    for (const Index index : t_[read].index) {
      const IndexNode& form = t_[index];
      const std::vector<Var>& free = t_[form.free];
      if (std::none_of(free.begin(), free.end(), [&](Var v) { return is_binder(t_, v); })) {
        at.emplace_back(index);
        continue;
      }
      const bool plain = form.parts.size() == 1 && checker::same(form.c0, 0) && checker::same(form.parts[0].coef, 1) && t_[form.parts[0].atom].kind == AtomKind::Variable;
      const Var dimension = t_.anchors[t_[read].ref].vars[at.size()];
      if (!plain || !checker::same(t_[free[0]].extent, t_[dimension].extent) || !binders.insert(free[0]).second) return std::nullopt;
      at.emplace_back();
    }
    return at;
  }

  bool elements() {
    const auto before = values_;
    for (const Factor& f : factors_) {
      const ValueNode& node = t_[f.base];
      if (node.kind != ValueKind::Read || !is_float(t_.anchors[node.ref].type)) continue;
      const auto classes = known(f.base, base_of_finite(f.exponent));
      const auto met = classes ? elements_met(f.base) : std::nullopt;
      if (!met) continue;
      const std::uint32_t anchor = node.ref;
      Anchor a = t_.anchors[anchor];
      a.definition.reset();
      a.late = false;
      a.classes = *classes;
      const std::uint32_t name = add(std::move(a));
      const ReadsBy by = [&](std::uint32_t read, const std::vector<Index>& index, const auto&) -> std::optional<Value> {
        if (read != anchor) return std::nullopt;
        for (std::size_t k = 0; k < index.size(); ++k)
          if ((*met)[k] && *(*met)[k] != index[k]) return std::nullopt;
        return plain_read(t_, name, index);
      };
      for (Value& v : values_) v = replace_reads(t_, v, by);
    }
    return values_ != before;
  }

  std::uint32_t add(Anchor a) {
    t_.anchors.push_back(std::move(a));
    return static_cast<std::uint32_t>(t_.anchors.size() - 1);
  }

  // A fresh value of these classes over the variables of another, or an integer of this range.
  Value fresh(Value base, Classes classes, std::optional<Range> whole) {
    Anchor a;
    a.name = "finite";
    a.classes = classes;
    if (whole) a.type = ElementType::S64;
    a.lo = whole ? whole->lo : -kFar;
    a.hi = whole ? whole->hi : kFar;
    a.vars = t_[t_[base].free];
    std::vector<Index> index = as_indices(t_, a.vars);
    return plain_read(t_, add(std::move(a)), std::move(index));
  }

  bool replace(const std::unordered_map<std::uint32_t, Value>& names) {
    const auto before = values_;
    for (Value& v : values_) v = Named(t_, names)(Named(t_, names)(v));  // again where a sum has become one by itself
    return values_ != before;
  }

  // The smallest factor below the line, or above it, of which more is known.
  bool factor(bool below) {
    std::optional<Factor> smallest;
    std::size_t least = 0;
    for (const Factor& f : factors_) {
      const bool above = f.exponent.sign() > 0;
      if (above == below || !closed(f.base) || !known(f.base, base_of_finite(f.exponent))) continue;
      if (above && (is_log(t_[f.base]) || (f.exponent.integer() && t_[f.base].kind == ValueKind::Poly))) continue;
      if (!has_reals(t_, f.base) && (above || !is_count(t_, f.base) || !checker::same(integer_range(t_, f.base).lo, 0))) continue;
      const std::size_t size = values_inside(t_, f.base).size();
      if (!smallest || size < least) smallest = f, least = size;
    }
    if (!smallest) return false;
    const Classes classes = *known(smallest->base, base_of_finite(smallest->exponent));
    const auto whole = has_reals(t_, smallest->base) ? std::nullopt : std::optional(Range{1, integer_range(t_, smallest->base).hi});
    return replace({{smallest->base.id, fresh(smallest->base, classes, whole)}});
  }

  // The argument of a logarithm that is finite is above zero, and finite. Where it is a sum of products with an exponential over a box, all
  // of the exponents are below infinity and one is above minus infinity: so is the largest.
  bool logarithms() {
    std::unordered_map<std::uint32_t, Value> names;
    const auto name = [&](Value v, std::uint8_t set) {
      if (const auto classes = known(v, Classes(set))) names.emplace(v.id, fresh(v, *classes, std::nullopt));
    };
    for (const Factor& f : factors_) {
      if (f.exponent.sign() < 0 || !is_log(t_[f.base]) || !closed(f.base)) continue;
      const Value argument = t_[f.base].kids[0];
      name(argument, Classes::kPos);
      if (!is_sum_over_box(t_[argument])) continue;
      const Opened open(t_, t_[argument]);
      const std::vector<PolyPart> element = poly_parts(t_, open.kids[0]);
      if (element.size() != 1) continue;
      for (const Factor& e : std::vector<Factor>(t_[element[0].monomial].factors)) {
        const ValueNode& exponential = t_[e.base];
        if (!e.exponent.is_one() || exponential.kind != ValueKind::Fn || exponential.fn != ScalarFn::Exp) continue;
        name(fold(t_, ScalarFn::Max, ElementType::Token, open.vars, open.guard, exponential.kids[0]), Classes::kReal);
      }
    }
    return !names.empty() && replace(names);
  }

  Terms& t_;
  std::array<Value, 2> values_;
  std::set<Factor> factors_;
};

}  // namespace

bool same_where_finite(Terms& t, Value real, Value other, int depth) {
  if (depth == 0 || !is_case(t, real)) return WhereFinite(t, real, other).same();
  const ValueNode node = t[real];
  return same_where_finite(t, node.kids[0], restrict(t, t.intern({{node.test, true}}), other), depth - 1) &&
         same_where_finite(t, node.kids[1], restrict(t, t.intern({{node.test, false}}), other), depth - 1);
}

}  // namespace gg::checker
