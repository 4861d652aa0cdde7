// What is NaN wherever a number is (docs/certificate.md, section 4, C10).
#include "prover/checker/nan_where.h"

#include <algorithm>
#include <set>

#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

constexpr int kNanLevels = 12;           // one inside the other, of both
constexpr std::size_t kMaxPairs = 1000;  // that are looked at

bool is_real_fold(const ValueNode& node, std::initializer_list<ScalarFn> of) {
  return node.kind == ValueKind::Fold && node.type == ElementType::Token && std::find(of.begin(), of.end(), node.fn) != of.end();
}

// Is x NaN wherever m is? Each pair is looked at once.
class NanWhere {
 public:
  explicit NanWhere(Terms& t) : t_(t) {}

  bool operator()(Value x, Value m, int levels = kNanLevels) {
    x = without_coefficient(x);
    m = without_coefficient(m);
    if (x == m) return true;
    if (levels == 0 || seen_.size() >= kMaxPairs || !seen_.emplace(x, m).second) return false;
    t_.step();
    return by_parts(x, m, levels - 1) || of_parts(x, m, levels - 1);
  }

 private:
  Value without_coefficient(Value v) {
    const std::vector<PolyPart> parts = poly_parts(t_, v);
    return parts.size() == 1 && !number_of(t_, v) ? from_part(t_, {parts[0].monomial, 1}) : v;
  }

  // The earliest of the values that a term reads: what is computed before it reads none of them.
  std::uint32_t first_read(Value m) {
    const auto known = first_.find(m);
    if (known != first_.end()) return known->second;
    std::optional<std::uint32_t> first;
    for (const Value v : values_inside(t_, m))
      if (t_[v].kind == ValueKind::Read && t_.defined(t_[v].ref)) first = std::min(t_[v].ref, first.value_or(t_[v].ref));
    return first_[m] = first.value_or(0);
  }

  std::optional<Value> inside_of(Value read) {
    const ValueNode node = t_[read];
    return is_integral(t_.anchors[node.ref].type) || t_.anchors[node.ref].type == ElementType::Pred ? std::nullopt : definition_at(t_, node.ref, node.index, {});
  }

  // x is NaN where one of its parts is.
  bool by_parts(Value x, Value m, int levels) {
    const ValueNode node = t_[x];
    const auto part = [&](Value v) { return (*this)(v, m, levels); };
    switch (node.kind) {
      case ValueKind::Read: {
        const auto inside = node.ref > first_read(m) ? inside_of(x) : std::nullopt;
        return inside && part(*inside);
      }
      case ValueKind::Poly:
        return std::any_of(node.summands.begin(), node.summands.end(), [&](const PolyPart& p) {
          const std::vector<Factor> factors = t_[p.monomial].factors;
          return std::any_of(factors.begin(), factors.end(), [&](const Factor& f) { return part(f.base); });
        });
      case ValueKind::Fn: {
        const bool hands_on = node.fn == ScalarFn::Exp || node.fn == ScalarFn::Log || node.fn == ScalarFn::Abs || node.fn == ScalarFn::Max;
        return node.type == ElementType::Token && hands_on && std::any_of(node.kids.begin(), node.kids.end(), part);
      }
      case ValueKind::Case: return part(node.kids[0]) && part(node.kids[1]);
      case ValueKind::Fold: return is_real_fold(node, {ScalarFn::Add, ScalarFn::Max}) && of_elements(node, m, levels);
      default: return false;
    }
  }

  // A sum or a maximum over a box, that is not empty, of what is NaN there; or of elements that are NaN where those of m are, of which one is.
  bool of_elements(const ValueNode& x, Value m, int levels) {
    const ValueNode other = t_[m];
    const Opened open(t_, x);
    if (x.path == Path{} && (*this)(open.kids[0], m, levels)) return true;
    const auto same_extent = [&](Var a, Var b) { return same(t_[a].extent, t_[b].extent); };
    if (!is_real_fold(other, {ScalarFn::Max}) || !std::equal(x.vars.begin(), x.vars.end(), other.vars.begin(), other.vars.end(), same_extent)) return false;
    const Opened elements(t_, other);
    std::vector<Index> at;
    for (const Var v : open.vars) at.push_back(variable(t_, v));
    Substitution there(t_, elements.vars, at);
    return there(elements.guard) == open.guard && (*this)(open.kids[0], there(elements.kids[0]), levels);
  }

  // m is NaN where one of its parts is, and nowhere else: x is NaN where any of them is.
  bool of_parts(Value x, Value m, int levels) {
    const ValueNode node = t_[m];
    const auto part = [&](Value v) { return (*this)(x, v, levels); };
    const bool numbers = std::none_of(node.kids.begin(), node.kids.end(), [&](Value v) { return t_[v].kind == ValueKind::True || t_[v].kind == ValueKind::False; });
    if (node.kind == ValueKind::Fn) return node.type == ElementType::Token && node.fn == ScalarFn::Max && std::all_of(node.kids.begin(), node.kids.end(), part);
    if (node.kind == ValueKind::Case) return numbers && std::all_of(node.kids.begin(), node.kids.end(), part);
    if (node.kind == ValueKind::Read) {
      const auto inside = inside_of(m);
      return inside && part(*inside);
    }
    return node.kind == ValueKind::Poly && std::all_of(node.summands.begin(), node.summands.end(), [&](const PolyPart& p) {  // of what is finite or NaN
             const std::vector<Factor> factors = t_[p.monomial].factors;
             return std::all_of(factors.begin(), factors.end(), [&](const Factor& f) {
               const Classes c = classes_of(t_, f.base);
               return c.finite_or_nan() && f.exponent.sign() > 0 && f.exponent.integer() && (c.finite() || part(f.base));
             });
           });
  }

  Terms& t_;
  std::set<std::pair<Value, Value>> seen_;
  std::map<Value, std::uint32_t> first_;
};

// What is 0, or NaN where one of these numbers is NaN, each finite otherwise: 0 * x, cases of it and of 0, sums over a box.
bool nan_or_zero(Terms& t, Value x, std::vector<Value>& where) {
  const ValueNode node = t[x];
  if (const auto c = number_of(t, x)) return c->is_zero();
  if (is_nothing(node)) {
    const auto zero = number_of(t, node.kids[0]);
    where.push_back(node.kids[1]);
    return zero && zero->is_zero() && classes_of(t, node.kids[1]).finite_or_nan();
  }
  if (node.kind == ValueKind::Case) return nan_or_zero(t, node.kids[0], where) && nan_or_zero(t, node.kids[1], where);
  if (!is_real_fold(node, {ScalarFn::Add})) return false;
  const Opened open(t, node);
  const std::size_t before = where.size();
  if (!nan_or_zero(t, open.kids[0], where)) return false;
  for (std::size_t k = before; k < where.size(); ++k) where[k] = fold(t, ScalarFn::Max, ElementType::Token, open.vars, boolean(t, true), where[k]);
  return true;
}

}  // namespace

std::optional<Value> without_zeros(Terms& t, Value sum) {
  if (t[sum].kind != ValueKind::Poly || t[sum].summands.size() < 2) return std::nullopt;
  const std::vector<PolyPart>& parts = t[sum].summands;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::vector<Factor>& own = t[parts[k].monomial].factors;
    std::vector<Value> where;
    if (own.size() != 1 || !own[0].exponent.is_one() || !nan_or_zero(t, own[0].base, where)) continue;
    Value others = number(t, 0);
    for (std::size_t n = 0; n < parts.size(); ++n)
      if (n != k) others = checker::sum(t, others, from_part(t, parts[n]));
    if (std::all_of(where.begin(), where.end(), [&](Value m) { return NanWhere(t)(others, m); })) return others;
  }
  return std::nullopt;
}

std::optional<Value> nan_either_way(Terms& t, Test test, Value a, Value b) {
  if (t[test].kind != TestKind::Truth) return std::nullopt;
  const ValueNode said = t[t[test].value];
  if (said.kind != ValueKind::Fn || said.fn != ScalarFn::CompareEq || said.kids.size() != 2 || said.kids[0] != said.kids[1]) return std::nullopt;
  for (const Value v : {a, b})
    if (t[v].kind == ValueKind::True || t[v].kind == ValueKind::False || !NanWhere(t)(v, said.kids[0])) return std::nullopt;
  return a;
}

bool is_nothing(const ValueNode& node) { return node.kind == ValueKind::Fn && node.fn == ScalarFn::Multiply && node.type == ElementType::Token; }

}  // namespace gg::checker
