// What is known where a sum is finite (docs/certificate.md, section 1, Outputs): no summand has an infinite factor.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "prover/checker/anchor.h"
#include "prover/checker/cases.h"
#include "prover/checker/fold.h"
#include "prover/checker/number.h"
#include "prover/checker/program.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"

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

class Naming : public Rewriter {
 public:
  explicit Naming(Terms& t) : Rewriter(t) {}
  // With the names of another one, before that has rewritten anything.
  Naming(Terms& t, const Naming& other) : Rewriter(t) { values_ = other.values_; }
  void name(Value base, Classes classes, std::optional<Range> whole) {
    if (values_.count(base.id) != 0) return;
    Anchor a;
    a.name = "finite";
    a.classes = classes;
    if (whole) a.type = ElementType::S64;
    a.lo = whole ? whole->lo : -kFar;
    a.hi = whole ? whole->hi : kFar;
    a.vars = t_[t_[base].free];
    std::vector<Index> index = as_indices(t_, a.vars);
    t_.anchors.push_back(std::move(a));
    values_[base.id] = plain_read(t_, static_cast<std::uint32_t>(t_.anchors.size() - 1), std::move(index));
  }

 protected:
  bool unchanged(VarSet) override { return false; }
};

// Reads of real anchors that are factors of the summands of a sum, of those of a sum over a box without guard, and so on, with the
// classes that they have where the sum is finite.
void reads_in_sum(Terms& t, Value sum, std::map<Value, Classes>& found) {
  for (const PolyPart& part : poly_parts(t, sum)) {
    for (const Factor& f : std::vector<Factor>(t[part.monomial].factors)) {
      const ValueNode& node = t[f.base];
      if (node.kind == ValueKind::Read && is_float(t.anchors[node.ref].type)) {
        const Classes before = found.count(f.base) != 0 ? found[f.base] : classes_of(t, f.base);
        found[f.base] = Classes(static_cast<std::uint8_t>(before.set() & base_of_finite(f.exponent).set()));
      } else if (f.exponent.sign() > 0 && node.kind == ValueKind::Poly) {
        reads_in_sum(t, f.base, found);
      } else if (f.exponent.sign() > 0 && node.kind == ValueKind::Fold && node.fn == ScalarFn::Add && node.type == ElementType::Token && node.path == Path{}) {
        reads_in_sum(t, node.kids[0], found);
      }
    }
  }
}

// An index that says which element it is: one without binders. Of the others, which must be binders, each its own, that take all
// values: nothing. No result: some elements are not met.
std::optional<std::vector<std::optional<Index>>> elements_met(const Terms& t, Value read) {
  std::vector<std::optional<Index>> at;
  std::set<Var> binders;
  for (const Index index : t[read].index) {
    const IndexNode& form = t[index];
    const std::vector<Var>& free = t[form.free];
    if (std::none_of(free.begin(), free.end(), [&](Var v) { return t[v].space == Space::Bound || t[v].space == Space::Temp; })) {
      at.emplace_back(index);
      continue;
    }
    const bool plain = form.parts.size() == 1 && same(form.c0, 0) && same(form.parts[0].coef, 1) && t[form.parts[0].atom].kind == AtomKind::Variable;
    if (!plain || !same(t[free[0]].extent, t[t.anchors[t[read].ref].vars[at.size()]].extent) || !binders.insert(free[0]).second) return std::nullopt;
    at.emplace_back();
  }
  return at;
}

// The values with names for such reads; false if there are none of which more is known.
bool name_elements(Terms& t, std::array<Value, 2>& values) {
  std::map<Value, Classes> found;
  reads_in_sum(t, values[0], found);
  bool any = false;
  for (const auto& [known, classes] : found) {
    const auto met = elements_met(t, known);
    if (!met || classes == classes_of(t, known) || classes.set() == 0) continue;
    const std::uint32_t anchor = t[known].ref;
    Anchor a = t.anchors[anchor];
    a.definition.reset();
    a.late = false;
    a.classes = classes;
    t.anchors.push_back(std::move(a));
    const auto name = static_cast<std::uint32_t>(t.anchors.size() - 1);
    for (Value& v : values)
      v = replace_reads(t, v, [&](std::uint32_t read, const std::vector<Index>& index, const auto&) -> std::optional<Value> {
        if (read != anchor) return std::nullopt;
        for (std::size_t k = 0; k < index.size(); ++k)
          if ((*met)[k] && *(*met)[k] != index[k]) return std::nullopt;
        return plain_read(t, name, index);
      });
    any = true;
  }
  return any;
}

// The argument of a logarithm that is finite: above zero, and finite. Where it is a sum of products with an exponential over a box, all of
// the exponents are below infinity and one is above minus infinity: so is the largest.
void name_logarithm(Terms& t, Value argument, Naming& naming) {
  const auto named = [&](Value v, std::uint8_t set) {
    set &= classes_of(t, v).set();
    if (set != 0) naming.name(v, Classes(set), std::nullopt);
  };
  named(argument, Classes::kPos);
  const ValueNode& node = t[argument];
  if (node.kind != ValueKind::Fold || node.fn != ScalarFn::Add || node.type != ElementType::Token) return;
  const Opened open(t, node);
  const std::vector<PolyPart> element = poly_parts(t, open.kids[0]);
  if (element.size() != 1) return;
  for (const Factor& f : std::vector<Factor>(t[element[0].monomial].factors)) {
    const ValueNode& exp = t[f.base];
    if (f.exponent.is_one() && exp.kind == ValueKind::Fn && exp.fn == ScalarFn::Exp) named(fold(t, ScalarFn::Max, ElementType::Token, open.vars, open.guard, exp.kids[0]), Classes::kReal);
  }
}

// At first only what is below the line, then all but logarithms, then these.
enum class Named : std::uint8_t { Below,
                                  Factors,
                                  Logarithms };

// Names for factors of the sum of which more is known.
void name_factors(Terms& t, Value sum, Named which, Naming& naming) {
  for (const PolyPart& part : poly_parts(t, sum)) {
    for (const Factor& f : std::vector<Factor>(t[part.monomial].factors)) {
      const bool above = f.exponent.sign() > 0, log = above && t[f.base].kind == ValueKind::Fn && t[f.base].fn == ScalarFn::Log;
      if (log && which == Named::Logarithms) name_logarithm(t, t[f.base].kids[0], naming);
      if (log || which == Named::Logarithms || (above && which == Named::Below)) continue;
      const Classes before = classes_of(t, f.base), now(static_cast<std::uint8_t>(before.set() & base_of_finite(f.exponent).set()));
      if (now == before || now.set() == 0) continue;
      std::optional<Range> whole;
      if (!has_reals(t, f.base)) {
        if (!is_count(t, f.base) || !same(integer_range(t, f.base).lo, 0) || above) continue;
        whole = Range{1, integer_range(t, f.base).hi};
      }
      naming.name(f.base, now, whole);
    }
  }
}

}  // namespace

bool same_where_finite(Terms& t, Value real, Value other, int depth) {
  if (is_case(t, real) && depth > 0) {
    const ValueNode node = t[real];
    return same_where_finite(t, node.kids[0], restrict(t, t.intern({{node.test, true}}), other), depth - 1) &&
           same_where_finite(t, node.kids[1], restrict(t, t.intern({{node.test, false}}), other), depth - 1);
  }
  std::array<Value, 2> values{real, other};
  while (values[0] != values[1] && name_elements(t, values)) {
  }
  for (const Named which : {Named::Below, Named::Factors, Named::Logarithms}) {
    if (values[0] == values[1]) return true;
    Naming naming(t);
    name_factors(t, values[0], which, naming);
    Naming again(t, naming);  // where a sum has become one by itself
    for (Value& v : values) v = again(naming(v));
  }
  return values[0] == values[1];
}

}  // namespace gg::checker
