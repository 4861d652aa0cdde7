// What is known where a sum is finite (docs/certificate.md, section 1, Outputs): no summand has an infinite factor.
#include <algorithm>
#include <optional>

#include "prover/checker/anchor.h"
#include "prover/checker/cases.h"
#include "prover/checker/number.h"
#include "prover/checker/program.h"
#include "prover/checker/rewrite.h"

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
  void is(Value base, Value name) { values_[base.id] = name; }
  Value name(Value base, Classes classes, std::optional<Range> whole) {
    if (const auto it = values_.find(base.id); it != values_.end()) return it->second;
    Anchor a;
    a.name = "finite";
    a.classes = classes;
    if (whole) a.type = ElementType::S64;
    a.lo = whole ? whole->lo : -kFar;
    a.hi = whole ? whole->hi : kFar;
    a.vars = t_[t_[base].free];
    std::vector<Index> index = as_indices(t_, a.vars);
    t_.anchors.push_back(std::move(a));
    const Value named = plain_read(t_, static_cast<std::uint32_t>(t_.anchors.size() - 1), std::move(index));
    is(base, named);
    return named;
  }

 protected:
  bool unchanged(VarSet) override { return false; }
};

}  // namespace

std::pair<Value, Value> where_finite(Terms& t, Value sum, Value a, Value b) {
  if (t[sum].kind != ValueKind::Poly) return {a, b};
  std::pair<Value, Value> result{a, b};
  for (const bool all : {false, true}) {  // at first only what is below the line
    Naming naming(t), again(t);
    for (const PolyPart& part : std::vector<PolyPart>(t[sum].summands)) {
      for (const Factor& f : std::vector<Factor>(t[part.monomial].factors)) {
        const Classes before = classes_of(t, f.base), now(static_cast<std::uint8_t>(before.set() & base_of_finite(f.exponent).set()));
        if (now == before || now.set() == 0 || (!all && f.exponent.sign() > 0)) continue;
        std::optional<Range> whole;
        if (!has_reals(t, f.base)) {
          if (!is_count(t, f.base) || !same(integer_range(t, f.base).lo, 0) || f.exponent.sign() > 0) continue;
          whole = Range{1, integer_range(t, f.base).hi};
        }
        again.is(f.base, naming.name(f.base, now, whole));
      }
    }
    result = {again(naming(a)), again(naming(b))};  // again where a sum has become one by itself
    if (result.first == result.second) break;
  }
  return result;
}

}  // namespace gg::checker
