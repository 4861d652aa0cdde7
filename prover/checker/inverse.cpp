#include "prover/checker/inverse.h"

#include <algorithm>

#include "prover/checker/binders.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/quantised.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"
#include "prover/checker/unfold.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

constexpr int kLevels = 3;  // definitions opened one inside the other

bool is_sum_node(const ValueNode& node) { return node.kind == ValueKind::Fold && node.fn == ScalarFn::Add && node.type == ElementType::Token; }

// x as a sum of elements that are not negative: a count, of positive ones under a condition, or a sum of reads.
std::optional<ValueNode> sum_of(Terms& t, Value x) {
  if (t[x].kind != ValueKind::Read && t[x].kind != ValueKind::Fold) return std::nullopt;
  std::optional<ValueNode> plain;
  const Value whole = unfold_all(t, x, 1);
  for (const Value v : {x, whole, unfold_all(t, whole, 1)}) {
    const ValueNode& node = t[v];
    if (!is_sum_node(node)) continue;
    const bool counts = !t[node.path].literals.empty();
    if (counts && classes_of(t, node.kids[0]).positive() && classes_of(t, v).finite()) return node;
    if (!counts && !plain && t[node.kids[0]].kind == ValueKind::Read && classes_of(t, node.kids[0]).nonnegative()) plain = node;
  }
  return plain;
}

std::vector<Value> reads_in(const Terms& t, Value condition) {
  std::vector<Value> reads;
  for (const Value v : values_inside(t, condition))
    if (t[v].kind == ValueKind::Read) reads.push_back(v);
  return reads;
}

// Such a sum, taken apart.
class Summed {
 public:
  Summed(Terms& t, const ValueNode& sum) : t_(t), open_(t, sum), counts_(!t[sum.path].literals.empty()) {
    elements_ = counts_ ? reads_in(t, open_.guard) : open_.kids;
  }

  // Is x zero (or NaN) wherever the facts hold and the sum is zero?
  bool idle(Value x, const std::vector<Literal>& facts, int levels) {
    t_.step();
    const ValueNode node = t_[x];
    if ((number_of(t_, x) && number_of(t_, x)->is_zero()) || (counts_ && some(facts))) return true;
    if (node.kind == ValueKind::Case) {
      const auto branch = [&](bool holds) { return idle(node.kids[holds ? 0 : 1], with(facts, {{node.test, holds}}), levels); };
      return branch(true) && branch(false);
    }
    if (node.kind == ValueKind::Poly) {
      return std::all_of(node.summands.begin(), node.summands.end(), [&](const PolyPart& p) {
        const std::vector<Factor> all = t_[p.monomial].factors;
        return std::any_of(all.begin(), all.end(), [&](const Factor& f) { return f.exponent.sign() > 0 && idle(f.base, facts, levels); });
      });
    }
    if (is_sum_node(node)) {
      const Opened inner(t_, node);
      return idle(inner.kids[0], with(facts, t_[literals_of(t_, inner.guard)].literals), levels);
    }
    if (node.kind != ValueKind::Read) return false;
    if (!counts_ && point_of(t_, open_.vars, open_.kids[0], x)) return true;
    const auto inside = levels > 0 ? definition_at(t_, node.ref, node.index, facts) : std::nullopt;
    return inside && idle(*inside, facts, levels - 1);
  }

  // By the facts, does the condition hold at some point of the box?
  bool some(const std::vector<Literal>& facts) {
    if (facts.empty()) return false;
    const Path path = t_.intern(facts);
    for (const Value x : reads_in(t_, conjunction(t_, facts))) {
      for (const Value element : elements_) {
        auto point = point_of(t_, open_.vars, element, x);
        if (!point) continue;
        const Value there = Substitution(t_, *std::move(point))(open_.guard);
        if (!uses(t_, t_[there].free, open_.vars)&& restrict(t_, path, there) == boolean(t_, true)) return true;
      }
    }
    return false;
  }

 private:
  static std::vector<Literal> with(std::vector<Literal> facts, const std::vector<Literal>& more) {
    facts.insert(facts.end(), more.begin(), more.end());
    return facts;
  }

  Terms& t_;
  const Opened open_;
  const bool counts_;
  std::vector<Value> elements_;  // reads of which one point says that the sum is not zero
};

// max(N, c) as N and c.
std::optional<std::pair<Value, Rational>> limited(Terms& t, Value x) {
  const ValueNode node = t[x];
  if (node.kind == ValueKind::Int && t[Atom{node.ref}].kind == AtomKind::Clamp) {
    const AtomNode atom = t[Atom{node.ref}];
    if (t[atom.arg].hi > atom.hi) return std::nullopt;
    return std::pair{from_index(t, atom.arg), Rational(atom.lo)};
  }
  if (node.kind != ValueKind::Fn || node.fn != ScalarFn::Max || node.type != ElementType::Token || node.kids.size() != 2) return std::nullopt;
  const auto a = number_of(t, node.kids[0]), b = number_of(t, node.kids[1]);
  if (a.has_value() == b.has_value()) return std::nullopt;
  return std::pair{node.kids[a ? 1 : 0], a ? *a : *b};
}

// What the elements of a count are, a number above zero.
std::optional<Rational> counted_number(const Terms& t, const ValueNode& sum) {
  const auto element = t[sum.path].literals.empty() ? std::nullopt : number_of(t, sum.kids[0]);
  return element && element->sign() > 0 ? element : std::nullopt;
}

}  // namespace

bool idle_without(Terms& t, Value sum, Value x) {
  const auto whole = sum_of(t, sum);
  return whole && Summed(t, *whole).idle(x, {}, kLevels);
}

std::optional<Rational> least_where(Terms& t, Value sum, const std::vector<Literal>& facts) {
  const auto whole = sum_of(t, sum);
  const auto least = whole ? counted_number(t, *whole) : std::nullopt;
  return least && Summed(t, *whole).some(facts) ? least : std::nullopt;
}

bool inverse_leaves(Terms& t, const std::vector<Factor>& all, const Factor& inverse) {
  return inverse.exponent.sign() < 0 && std::any_of(all.begin(), all.end(), [&](const Factor& f) { return f.exponent.sign() > 0 && idle_without(t, inverse.base, f.base); });
}

bool finite_but_for_idle(Terms& t, Monomial rest, Value fold) {
  std::vector<Factor> factors = t[rest].factors;
  if (classes_of(t, rest).finite()) return true;
  std::erase_if(factors, [&](const Factor& f) { return f.exponent.sign() < 0 && idle_without(t, f.base, fold); });
  return classes_of(t, t.intern(std::move(factors))).finite();
}

bool drop_share(Terms& t, std::vector<Factor>& factors) {
  for (std::size_t k = 0; k < factors.size() && factors.size() > 2; ++k) {
    const auto share = (-factors[k].exponent).is_one() ? limited(t, factors[k].base) : std::nullopt;
    if (!share) continue;
    const Factor own{share->first, 1}, other = factors[k];
    const auto sum = std::find(factors.begin(), factors.end(), own) != factors.end() ? sum_of(t, own.base) : std::nullopt;
    const auto least = sum ? counted_number(t, *sum) : std::nullopt;
    if (!least || share->second.sign() <= 0 || *least < share->second) continue;
    const auto beside = [&](const Factor& f) { return f.exponent.sign() > 0 && f.base != own.base && idle_without(t, own.base, f.base); };
    if (std::none_of(factors.begin(), factors.end(), beside)) continue;
    std::erase_if(factors, [&](const Factor& f) { return f == own || f == other; });
    return true;
  }
  return false;
}

}  // namespace gg::checker
