#include "prover/sizes/match.h"

#include <algorithm>
#include <bit>

namespace gg::sizes {
namespace {

constexpr std::uint64_t kSteps = 20'000;  ///< of one match

}  // namespace

void Matcher::add(std::uint32_t anchor, TermId definition, std::vector<Ref> variables) {
  by_anchor_.emplace(anchor, std::make_pair(definition, variables));
  definitions_[t_[definition].skeleton].push_back({anchor, definition, std::move(variables)});
}

void Matcher::forget() {
  definitions_.clear();
  by_anchor_.clear();
}

const std::pair<TermId, std::vector<Ref>>* Matcher::definition(std::uint32_t anchor) const {
  const auto it = by_anchor_.find(anchor);
  return it == by_anchor_.end() ? nullptr : &it->second;
}

void Matcher::undo(const Mark& m) {
  for (; assigned_.size() > m.assigned; assigned_.pop_back()) values_.erase(assigned_.back());
  bound_.resize(m.bound);
  unions_.resize(m.unions);
}

// Classes of one extent may be made one: the theorem then speaks of the sizes where they are.
bool Matcher::same_class(DigitId a, DigitId b) {
  Digits& digits = t_.digits();
  a = digits.root(a);
  b = digits.root(b);
  if (a == b) return true;
  if (digits.extent(a) != digits.extent(b)) return false;
  unions_.emplace_back(a, b);
  return true;
}

void Matcher::commit() {
  for (const auto& [a, b] : unions_) t_.digits().unify({&a, 1}, {&b, 1});
}

bool Matcher::same_stride(const Summand& a, const Summand& b) {
  if (a.coef * t_.digits().extent(a.stride) != b.coef * t_.digits().extent(b.stride)) return false;
  std::vector<bool> taken(b.stride.size(), false);
  const Digits& digits = t_.digits();
  for (const DigitId d : a.stride) {
    std::size_t k = 0;
    while (k < b.stride.size() && (taken[k] || digits.root(b.stride[k]) != digits.root(d))) ++k;
    if (k == b.stride.size()) return false;
    taken[k] = true;
  }
  return a.stride.size() == b.stride.size() && a.coef == b.coef;
}

bool Matcher::match_ref(const Ref& p, const Ref& r) {
  if (p.kind == Ref::Kind::Var && p.var < kFirstBound) {
    if (!same_class(p.digit, r.digit)) return false;
    if (r.kind == Ref::Kind::Var && r.var >= kFirstBound) {  // not out of its fold
      if (std::any_of(bound_.begin(), bound_.end(), [&](const auto& b) { return b.second == r.var; })) return false;
    }
    Ref value = r;
    if (p.shift != 0) {
      if (r.kind != Ref::Kind::Var) return false;
      value.shift -= p.shift;
    }
    const auto [it, fresh] = values_.emplace(p.var, value);
    if (fresh) {
      assigned_.push_back(p.var);
      return true;
    }
    const Ref& known = it->second;
    return known.kind == value.kind && known.shift == value.shift &&
           (known.kind == Ref::Kind::Var ? known.var == value.var : known.kind == Ref::Kind::Const || (known.term == value.term && known.radix == value.radix));
  }
  if (p.kind != r.kind || p.shift != r.shift || !same_class(p.digit, r.digit)) return false;
  if (p.kind == Ref::Kind::Data) {
    if (p.radix.size() != r.radix.size()) return false;
    for (std::size_t k = 0; k < p.radix.size(); ++k) {
      if (!same_class(p.radix[k], r.radix[k])) return false;
    }
    return match(p.term, r.term);
  }
  if (p.kind == Ref::Kind::Const) return true;
  for (auto b = bound_.rbegin(); b != bound_.rend(); ++b) {
    if (b->first == p.var || b->second == r.var) return b->first == p.var && b->second == r.var;
  }
  return false;
}

bool Matcher::match_refs(const std::vector<Ref>& pattern, const std::vector<Ref>& refs) {
  if (pattern.size() != refs.size()) return false;
  for (std::size_t k = 0; k < refs.size(); ++k) {
    if (!match_ref(pattern[k], refs[k])) return false;
  }
  return true;
}

bool Matcher::match_any_order(const std::vector<TermId>& pattern, const std::vector<TermId>& kids, std::size_t next,
                              std::vector<bool>& taken) {
  if (next == pattern.size()) return true;
  for (std::size_t k = 0; k < kids.size(); ++k) {
    if (taken[k] || t_[kids[k]].skeleton != t_[pattern[next]].skeleton) continue;
    const Mark m = mark();
    taken[k] = true;
    if (match(pattern[next], kids[k]) && match_any_order(pattern, kids, next + 1, taken)) return true;
    taken[k] = false;
    undo(m);
  }
  return false;
}

bool Matcher::match_sum(const std::vector<Summand>& pattern, const std::vector<Summand>& sum, int sign, std::size_t next,
                        std::vector<bool>& taken) {
  if (next == pattern.size()) return true;
  const Summand& p = pattern[next];
  for (std::size_t k = 0; k < sum.size(); ++k) {
    Summand s = sum[k];
    s.coef *= sign;
    if (taken[k] || s.atom != p.atom || !same_stride(p, s)) continue;
    const Mark m = mark();
    taken[k] = true;
    const bool fits = p.atom == Summand::Atom::One || (p.atom == Summand::Atom::Digit ? match_ref(p.ref, s.ref) : match(p.term, s.term));
    if (fits && match_sum(pattern, sum, sign, next + 1, taken)) return true;
    taken[k] = false;
    undo(m);
  }
  return false;
}

bool Matcher::match(TermId pattern, TermId term) {
  if (left_ == 0) return false;
  --left_;
  const Node &p = t_[pattern], &n = t_[term];
  if (p.skeleton != n.skeleton || p.kind != n.kind || p.fn != n.fn || p.type != n.type || p.anchor != n.anchor ||
      std::bit_cast<std::uint64_t>(p.value) != std::bit_cast<std::uint64_t>(n.value) || p.kids.size() != n.kids.size()) {
    return false;
  }
  if (p.free.empty() && pattern == term) return true;
  std::vector<bool> taken;
  switch (p.kind) {
    case Kind::Lit: return true;
    case Kind::Size: return same_class(p.bound[0].digit, n.bound[0].digit);
    case Kind::Read:
    case Kind::Below: return match_refs(p.refs, n.refs);
    case Kind::Add:
    case Kind::Mul:
      taken.assign(n.kids.size(), false);
      return match_any_order(p.kids, n.kids, 0, taken);
    case Kind::Number:
      if (p.sum.size() != n.sum.size()) return false;
      taken.assign(n.sum.size(), false);
      return match_sum(p.sum, n.sum, 1, 0, taken);
    case Kind::Fn: {
      if (is_monoid(p.fn)) {
        taken.assign(n.kids.size(), false);
        return match_any_order(p.kids, n.kids, 0, taken);
      }
      const Mark m = mark();
      if (p.fn == ScalarFn::CompareEq && p.kids.size() == 1) {  // a - b == 0 is b - a == 0
        if (match(p.kids[0], n.kids[0])) return true;
        undo(m);
        const std::vector<Summand> a = t_.summands(p.kids[0]), b = t_.summands(n.kids[0]);
        taken.assign(b.size(), false);
        return a.size() == b.size() && match_sum(a, b, -1, 0, taken);
      }
      for (std::size_t k = 0; k < p.kids.size(); ++k) {
        if (!match(p.kids[k], n.kids[k])) return false;
      }
      return true;
    }
    case Kind::Fold: {
      // Every bound digit pairs up with one of the other fold; which, the body says.
      if (p.bound.size() != n.bound.size()) return false;
      const std::size_t base = bound_.size();
      std::vector<Bound> mine = p.bound, theirs = n.bound;
      std::sort(theirs.begin(), theirs.end(), [](const Bound& a, const Bound& b) { return a.var < b.var; });
      do {
        const Mark m = mark();
        bool fits = true;
        for (std::size_t k = 0; k < mine.size() && fits; ++k) {
          fits = same_class(mine[k].digit, theirs[k].digit);
          bound_.emplace_back(mine[k].var, theirs[k].var);
        }
        if (fits && match(p.kids[0], n.kids[0])) {
          bound_.resize(base);
          return true;
        }
        undo(m);
      } while (std::next_permutation(theirs.begin(), theirs.end(), [](const Bound& a, const Bound& b) { return a.var < b.var; }) &&
               left_ > 0);
      return false;
    }
  }
  return false;
}

std::optional<TermId> Matcher::find(TermId term) {
  const auto it = definitions_.find(t_[term].skeleton);
  if (it == definitions_.end()) return std::nullopt;
  for (const Definition& d : it->second) {
    clear();
    left_ = kSteps;
    if (!match(d.term, term)) continue;
    std::vector<Ref> refs;
    for (const Ref& v : d.variables) {
      Ref value = values_.at(v.var);
      value.digit = v.digit;
      refs.push_back(value);
    }
    commit();
    return t_.read(d.anchor, std::move(refs));
  }
  return std::nullopt;
}

bool Matcher::equal(TermId a, TermId b) {
  clear();
  left_ = kSteps;
  if (!match(a, b)) return false;
  for (const VarId v : assigned_) {
    const Ref& value = values_.at(v);
    if (value.kind != Ref::Kind::Var || value.var != v || value.shift != 0) return false;
  }
  commit();
  return true;
}

}  // namespace gg::sizes
