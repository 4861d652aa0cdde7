// What is known inside a choice: numbers that are at least 0 there. Clamps that cannot act go, and a sum over all shards of
// what is looked up in the one that has the index is a lookup in the whole.
#include <algorithm>

#include "prover/sizes/terms.h"

namespace gg::sizes {

void Terms::facts_of(TermId guard, Sums& facts) const {
  const Node& n = (*this)[guard];
  if (n.kind != Kind::Fn) return;
  if (n.fn == ScalarFn::And) {
    for (const TermId k : n.kids) facts_of(k, facts);
  }
  if (n.fn == ScalarFn::CompareGe && n.kids.size() == 1) facts.push_back(summands(n.kids[0]));
}

// Is it at least 0 where the facts hold: a fact and something that is at least 0?
bool Terms::follows(const std::vector<Summand>& sum, const Sums& facts) {
  const auto at_least_0 = [&](const std::vector<Summand>& s) {
    return std::all_of(s.begin(), s.end(), [&](const Summand& x) { return x.coef > 0 && nonnegative(x); });
  };
  if (at_least_0(sum)) return true;
  return std::any_of(facts.begin(), facts.end(), [&](const std::vector<Summand>& fact) {
    return at_least_0(combined(minus(sum, fact)));
  });
}

TermId Terms::under(TermId id, const Sums& facts) {
  const auto difference = [&](TermId a, TermId b) { return combined(minus(summands(a), summands(b))); };
  const Hook decide = [&](TermId t) {
    const Node& n = (*this)[t];
    if (n.kind != Kind::Fn) return t;
    if (n.fn == ScalarFn::CompareGe && n.kids.size() == 1) {
      if (follows(summands(n.kids[0]), facts)) return lit(1);
      if (follows(difference(integer(-1), n.kids[0]), facts)) return lit(0);
    }
    if (n.fn == ScalarFn::Clamp && is_integral(n.type) && follows(difference(n.kids[1], n.kids[0]), facts) &&
        follows(difference(n.kids[2], n.kids[1]), facts)) {
      return n.kids[1];
    }
    if ((n.fn == ScalarFn::Max || n.fn == ScalarFn::Min) && is_integral(n.type) && n.kids.size() == 2) {
      const bool first = n.fn == ScalarFn::Max;
      if (follows(difference(n.kids[0], n.kids[1]), facts)) return n.kids[first ? 0 : 1];
      if (follows(difference(n.kids[1], n.kids[0]), facts)) return n.kids[first ? 1 : 0];
    }
    return t;
  };
  std::unordered_map<std::uint32_t, TermId> memo;
  return rewrite(id, [](const Ref& r) { return r; }, decide, false, memo);
}

// sum over b of (0 <= x - n b < n ? f(b, digits of x - n b) : 0) = f(digits of x), for an index x of b's values times n;
// b may be several digits.
std::optional<TermId> Terms::looked_up(std::vector<Bound>& bound, TermId body) {
  const Node& choice = (*this)[body];
  if (choice.kind != Kind::Fn || choice.fn != ScalarFn::Select || choice.kids[2] != lit(0)) return std::nullopt;
  const Node& both = (*this)[choice.kids[0]];
  if (both.kind != Kind::Fn || both.fn != ScalarFn::And || both.kids.size() != 2) return std::nullopt;
  for (const std::size_t first : {0U, 1U}) {
    Sums facts;
    for (const TermId bound_of_index : {both.kids[first], both.kids[1 - first]}) {
      const Node& n = (*this)[bound_of_index];  // two comparisons and nothing else: another condition may leave the shard out
      if (n.kind != Kind::Fn || n.fn != ScalarFn::CompareGe || n.kids.size() != 1) return std::nullopt;
      facts.push_back(summands(n.kids[0]));
    }
    if (const auto shards = shards_of(facts, bound)) {
      if (const auto found = look_up(*shards, choice.kids[1])) {
        std::erase_if(bound, [&](const Bound& b) {
          return std::any_of(shards->digits.begin(), shards->digits.end(), [&](const Bound& d) { return d.var == b.var; });
        });
        return found;
      }
    }
  }
  return std::nullopt;
}

// facts[0]: x - n b; facts[1]: n - 1 - that.
std::optional<Terms::Shards> Terms::shards_of(const Sums& facts, const std::vector<Bound>& bound) {
  std::vector<Summand> digits = facts[0];
  std::sort(digits.begin(), digits.end(), [&](const Summand& a, const Summand& b) { return weight(a) < weight(b); });
  if (digits.size() < 2 || digits.back().atom != Summand::Atom::Term || digits.back().coef != 1 || !digits.back().stride.empty()) {
    return std::nullopt;
  }
  Shards out;
  out.index = digits.back().term;
  out.local = number(facts[0]);
  digits.pop_back();  // the rest: major first, negative
  std::int64_t count = 1;
  for (std::size_t k = digits.size(); k-- > 0;) {
    const Summand& s = digits[k];
    const auto own = std::find_if(bound.begin(), bound.end(), [&](const Bound& b) { return b.var == s.ref.var; });
    if (s.atom != Summand::Atom::Digit || s.ref.kind != Ref::Kind::Var || s.ref.shift != 0 || own == bound.end()) return std::nullopt;
    if (out.length == 0) out.length = -weight(s);
    if (-weight(s) != out.length * count) return std::nullopt;
    count *= digits_.extent(own->digit);
    out.digits.insert(out.digits.begin(), *own);
  }
  std::vector<Summand> sum = facts[0];
  sum.insert(sum.end(), facts[1].begin(), facts[1].end());
  sum = combined(std::move(sum));
  if (sum.size() != 1 || sum[0].atom != Summand::Atom::One || weight(sum[0]) != out.length - 1) return std::nullopt;
  const Node& x = (*this)[out.index];
  const auto range = index_anchors.find(x.anchor);
  if (x.kind != Kind::Read || range == index_anchors.end() || depends(out.index, out.digits)) return std::nullopt;
  if (range->second > out.length * count) return std::nullopt;
  return out;
}

std::optional<TermId> Terms::look_up(const Shards& shards, TermId inside) {
  // The digits below the shard's are those of the lookup; all lookups have the same.
  DigitList radix;
  bool fits = true;
  const Hook same = [](TermId t) { return t; };
  std::unordered_map<std::uint32_t, TermId> memo;
  const auto is_local = [&](const Ref& r) { return r.kind == Ref::Kind::Data && r.term == shards.local; };
  rewrite(inside, [&](const Ref& r) {
    if (is_local(r)) {
      if (radix.empty()) radix = r.radix;
      fits &= radix == r.radix && digits_.extent(radix) == shards.length;
    }
    return r;
  }, same, false, memo);
  if (!fits || radix.empty()) return std::nullopt;
  DigitList all;
  for (const Bound& b : shards.digits) all.push_back(digits_.root(b.digit));
  const auto more = static_cast<std::int64_t>(all.size());
  all.insert(all.end(), radix.begin(), radix.end());
  memo.clear();
  const TermId out = rewrite(inside, [&](const Ref& r) {
    Ref to = r;
    const auto own = std::find_if(shards.digits.begin(), shards.digits.end(), [&](const Bound& b) { return b.var == r.var; });
    const bool shard = r.kind == Ref::Kind::Var && own != shards.digits.end();
    if (!shard && !is_local(r)) return r;
    to.kind = Ref::Kind::Data;
    to.shift = shard ? own - shards.digits.begin() : r.shift + more;
    to.term = shards.index;
    to.radix = all;
    return to;
  }, same, false, memo);
  if (depends(out, shards.digits)) return std::nullopt;
  note_literal(shards.length, radix);
  const std::int64_t range = index_anchors.at((*this)[shards.index].anchor);
  if (range == digits_.extent(all)) note_literal(range, all);  // a smaller one stays what it is
  return out;
}

}  // namespace gg::sizes
