// Folds over digits, and choices.
#include <algorithm>
#include <utility>

#include "prover/sizes/terms.h"

namespace gg::sizes {

// Negation stands at comparisons, of which it keeps only that of equality.
TermId Terms::negated(TermId id) {
  const Node& n = (*this)[id];
  if (n.kind == Kind::Lit) return lit(n.value != 0 ? 0 : 1);
  if (n.kind == Kind::Fn && n.fn == ScalarFn::Not) return n.kids[0];
  if (n.kind == Kind::Fn && (n.fn == ScalarFn::And || n.fn == ScalarFn::Or)) {
    return opaque(n.fn == ScalarFn::And ? ScalarFn::Or : ScalarFn::And, n.type, {negated(n.kids[0]), negated(n.kids[1])});
  }
  if (n.kind == Kind::Fn && n.fn == ScalarFn::CompareGe && n.kids.size() == 1) {
    return compare_integers(ScalarFn::CompareLt, n.kids[0], integer(0));
  }
  return opaque(ScalarFn::Not, ElementType::Pred, {id});
}

// A choice between something and nothing has the something first, the factors that are the same at all places before it.
TermId Terms::choose(ElementType type, std::vector<TermId> kids) {
  if (kids[1] == kids[2]) return kids[1];
  if (is_float(type) && kids[1] == lit(0)) {
    kids[0] = negated(kids[0]);
    std::swap(kids[1], kids[2]);
  }
  Sums facts;
  facts_of(kids[0], facts);
  if (!facts.empty()) kids[1] = under(kids[1], facts);
  if (kids[1] == kids[2]) return kids[1];
  if (is_float(type) && kids[2] == lit(0)) {
    Factors f = factors(kids[1]);
    if (!f.same.empty()) {
      f.same.push_back(opaque(ScalarFn::Select, type, {kids[0], multiply(std::move(f.other)), kids[2]}));
      return multiply(std::move(f.same));
    }
  }
  return opaque(ScalarFn::Select, type, std::move(kids));
}

Terms::Factors Terms::factors(TermId product) const {
  Factors out;
  if ((*this)[product].kind != Kind::Mul) return out;
  for (const TermId k : (*this)[product].kids) ((*this)[k].free.empty() ? out.same : out.other).push_back(k);
  return out;
}

bool Terms::depends(TermId id, std::span<const Bound> bound) const {
  const std::vector<VarId>& free = (*this)[id].free;
  return std::any_of(bound.begin(), bound.end(),
                     [&](const Bound& b) { return std::binary_search(free.begin(), free.end(), b.var); });
}

// A digit that some of the factors have is summed over those: sum[i, j] a[i] b[i, j] c[i, j] = sum[i] a[i] sum[j] b c.
std::optional<TermId> Terms::sum_of_some(std::vector<Bound>& bound, const std::vector<TermId>& factors) {
  std::vector<std::vector<bool>> has;
  std::size_t best = bound.size(), least = factors.size();
  for (std::size_t k = 0; k < bound.size(); ++k) {
    std::vector<bool>& row = has.emplace_back();
    for (const TermId f : factors) row.push_back(depends(f, {&bound[k], 1}));
    const auto count = static_cast<std::size_t>(std::count(row.begin(), row.end(), true));
    if (count >= least) continue;
    least = count;
    best = k;
  }
  if (best == bound.size()) return std::nullopt;
  std::vector<Bound> inner, outer;
  for (std::size_t k = 0; k < bound.size(); ++k) {
    bool inside = true;
    for (std::size_t f = 0; f < factors.size(); ++f) inside &= !has[k][f] || has[best][f];
    (inside ? inner : outer).push_back(bound[k]);
  }
  std::vector<TermId> product, summed;
  for (std::size_t f = 0; f < factors.size(); ++f) (has[best][f] ? summed : product).push_back(factors[f]);
  product.push_back(fold(ScalarFn::Add, std::move(inner), multiply(std::move(summed))));
  bound = std::move(outer);
  return multiply(std::move(product));
}

TermId Terms::fold(ScalarFn fn, std::vector<Bound> bound, TermId body) {
  // A digit with the text's few values, which the text tells apart elsewhere: value by value.
  constexpr std::int64_t kFew = 8;
  for (auto b = bound.begin(); b != bound.end(); ++b) {
    if (digits_.fixed(b->digit) == nullptr || digits_.extent(b->digit) > kFew) continue;
    const Bound own = *b;
    bound.erase(b);
    TermId out{};
    for (std::int64_t value = 0; value < digits_.extent(own.digit); ++value) {
      const TermId here = fold(fn, bound, substitute(body, [&](const Ref& r) {
        if (r.kind != Ref::Kind::Var || r.var != own.var) return r;
        Ref to = r;
        to.kind = Ref::Kind::Const;
        to.shift = value;
        return to;
      }));
      out = value == 0 ? here : this->fn(fn, ElementType::F64, ElementType::F64, {out, here});
    }
    return out;
  }
  if (bound.empty()) return body;
  const Node n = (*this)[body];
  if (fn == ScalarFn::Add) {
    if (n.kind == Kind::Add) {
      std::vector<TermId> kids;
      for (const TermId k : n.kids) kids.push_back(fold(fn, bound, k));
      return add(std::move(kids));
    }
    std::vector<TermId> outside, inside;
    for (const TermId k : n.kind == Kind::Mul ? n.kids : std::vector<TermId>{body}) (depends(k, bound) ? inside : outside).push_back(k);
    for (const Bound& b : bound) {  // a sum of equal values
      if (depends(body, {&b, 1})) continue;
      if (counts_tied) {
        digits_.fix(b.digit, "equal values are counted, and the text has the number");
        note_literal(digits_.extent(b.digit), {digits_.root(b.digit)});
        outside.push_back(lit(static_cast<double>(digits_.extent(b.digit))));
        continue;
      }
      Node size;
      size.kind = Kind::Size;
      size.bound = {{0, digits_.root(b.digit)}};
      outside.push_back(intern(std::move(size)));
    }
    std::erase_if(bound, [&](const Bound& b) { return !depends(body, {&b, 1}); });
    if (!outside.empty()) {
      if (!inside.empty() && !bound.empty()) outside.push_back(fold(fn, std::move(bound), multiply(std::move(inside))));
      return multiply(std::move(outside));
    }
  } else if (fn == ScalarFn::Max || fn == ScalarFn::Min || fn == ScalarFn::And || fn == ScalarFn::Or) {
    std::erase_if(bound, [&](const Bound& b) { return !depends(body, {&b, 1}); });
    if (bound.empty()) return body;
  }
  if (fn == ScalarFn::Add) {
    if (const auto found = looked_up(bound, body)) return fold(fn, std::move(bound), *found);
  }
  if (n.kind == Kind::Fold && n.fn == fn) {
    bound.insert(bound.end(), n.bound.begin(), n.bound.end());
    return fold(fn, std::move(bound), n.kids[0]);
  }
  if (fn == ScalarFn::Add && n.kind == Kind::Mul) {
    if (const auto inner = sum_of_some(bound, n.kids)) return fold(fn, std::move(bound), *inner);
  }
  Node out;
  out.kind = Kind::Fold;
  out.fn = fn;
  out.bound = std::move(bound);
  out.kids = {body};
  std::sort(out.bound.begin(), out.bound.end(), [](const Bound& a, const Bound& b) { return a.var < b.var; });
  return intern(std::move(out));
}

}  // namespace gg::sizes
