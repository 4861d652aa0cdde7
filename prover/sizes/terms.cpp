#include "prover/sizes/terms.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "models/base/check.h"
#include "models/base/deadline.h"

namespace gg::sizes {
namespace {

constexpr std::size_t kMaxNodes = 400'000;
constexpr std::uint32_t kMaxSize = 4'000;

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdULL;
  return h ^ (h >> 32);
}

void add_free(std::vector<VarId>& free, const Ref& ref, const auto& of_term) {
  if (ref.kind == Ref::Kind::Var) free.push_back(ref.var);
  if (ref.kind == Ref::Kind::Data) of_term(ref.term);
}

bool same(const Summand& a, const Summand& b) {
  return a.atom == b.atom && a.coef == b.coef && a.stride == b.stride && a.ref == b.ref && a.term == b.term;
}

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.fn == b.fn && a.type == b.type && std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value) &&
         a.anchor == b.anchor && a.kids == b.kids && a.refs == b.refs &&
         std::equal(a.bound.begin(), a.bound.end(), b.bound.begin(), b.bound.end(),
                    [](const Bound& x, const Bound& y) { return x.var == y.var && x.digit == y.digit; }) &&
         std::equal(a.sum.begin(), a.sum.end(), b.sum.begin(), b.sum.end(), [](const auto& x, const auto& y) { return same(x, y); });
}

}  // namespace

bool operator==(const Ref& a, const Ref& b) {
  if (a.kind != b.kind || a.digit != b.digit || a.shift != b.shift) return false;
  return a.kind == Ref::Kind::Var ? a.var == b.var : a.kind == Ref::Kind::Const || (a.term == b.term && a.radix == b.radix);
}

TermId Terms::intern(Node node) {
  ask_deadline();
  if (nodes_.size() > kMaxNodes) throw NotGeneric{"the terms of the programs are too many"};
  std::uint64_t key = mix(static_cast<std::uint64_t>(node.kind), static_cast<std::uint64_t>(node.fn));
  key = mix(mix(key, static_cast<std::uint64_t>(node.type)), std::bit_cast<std::uint64_t>(node.value));
  key = mix(key, node.anchor);
  std::uint64_t skeleton = mix(mix(key, node.refs.size()), node.bound.size());
  std::uint64_t kids = 0;
  for (const TermId k : node.kids) kids += mix(7, (*this)[k].skeleton);  // in any order
  skeleton = mix(skeleton, kids);
  const auto of_term = [&](TermId t) {
    node.free.insert(node.free.end(), (*this)[t].free.begin(), (*this)[t].free.end());
    node.size += (*this)[t].size;
  };
  for (const TermId k : node.kids) {
    key = mix(key, static_cast<std::uint64_t>(k));
    of_term(k);
  }
  for (const Ref& r : node.refs) {
    key = mix(mix(key, r.var), static_cast<std::uint64_t>(r.shift) + 31 * static_cast<std::uint64_t>(r.term));
    add_free(node.free, r, of_term);
  }
  for (const Summand& s : node.sum) {
    key = mix(mix(key, static_cast<std::uint64_t>(s.coef)), s.ref.var + 31 * static_cast<std::uint64_t>(s.term));
    if (s.atom == Summand::Atom::Digit) add_free(node.free, s.ref, of_term);
    if (s.atom == Summand::Atom::Term) of_term(s.term);
  }
  for (const Bound& b : node.bound) key = mix(key, b.var);
  if (node.size > kMaxSize) throw NotGeneric{"a term grows too large"};
  const auto [first, last] = table_.equal_range(key);
  for (auto it = first; it != last; ++it) {
    if (same((*this)[it->second], node)) return it->second;
  }
  std::sort(node.free.begin(), node.free.end());
  node.free.erase(std::unique(node.free.begin(), node.free.end()), node.free.end());
  if (node.kind == Kind::Fold) {
    std::erase_if(node.free, [&](VarId v) {
      return std::any_of(node.bound.begin(), node.bound.end(), [&](const Bound& b) { return b.var == v; });
    });
  }
  node.skeleton = skeleton;
  const auto id = static_cast<TermId>(nodes_.size());
  nodes_.push_back(std::move(node));
  table_.emplace(key, id);
  return id;
}

void Terms::clear() {
  nodes_.clear();
  table_.clear();
  literals_.clear();
  borders_.clear();
  next_bound_ = kFirstBound;
}

TermId Terms::lit(double value) {
  Node n;
  n.value = value;
  return intern(std::move(n));
}

TermId Terms::read(std::uint32_t anchor, std::vector<Ref> refs) {
  Node n;
  n.kind = Kind::Read;
  n.anchor = anchor;
  n.refs = std::move(refs);
  return intern(std::move(n));
}

TermId Terms::integer(std::int64_t value) {
  Summand s;
  s.coef = value;
  return number(value == 0 ? std::vector<Summand>{} : std::vector<Summand>{s});
}

TermId Terms::below(const Ref& ref, std::int64_t bound) {
  if (ref.kind == Ref::Kind::Const) return lit(ref.shift < bound ? 1 : 0);
  Node n;
  n.kind = Kind::Below;
  n.refs = {ref};
  n.value = static_cast<double>(bound);
  return intern(std::move(n));
}

TermId Terms::opaque(ScalarFn fn, ElementType type, std::vector<TermId> kids, double value) {
  if (is_monoid(fn)) std::sort(kids.begin(), kids.end());
  for (const TermId k : kids) {
    const Node& kid = (*this)[k];
    if (kid.kind == Kind::Number && std::any_of(kid.sum.begin(), kid.sum.end(), [](const Summand& s) { return s.ref.shift != 0; })) {
      throw NotGeneric{"a position around a ring that is no index"};  // that the divisor counts the ring is a coincidence
    }
  }
  Node n;
  n.kind = Kind::Fn;
  n.fn = fn;
  n.type = type;
  n.value = value;
  n.kids = std::move(kids);
  return intern(std::move(n));
}

TermId Terms::fn(ScalarFn fn, ElementType type, ElementType operand_type, std::vector<TermId> kids) {
  const auto truth = [&](TermId t) { return (*this)[t].kind == Kind::Lit ? std::optional((*this)[t].value != 0) : std::nullopt; };
  if (fn == ScalarFn::Select) {
    if (const auto known = truth(kids[0])) return kids[*known ? 1 : 2];
    return choose(type, std::move(kids));
  }
  const bool integers = is_integral(operand_type) && operand_type != ElementType::Pred;
  if (fn == ScalarFn::Convert) {
    if (type == operand_type || (is_float(type) && is_float(operand_type))) return kids[0];
    if (integers && type != ElementType::Pred) {
      const std::vector<Summand> sum = summands(kids[0]);
      const bool position = std::all_of(sum.begin(), sum.end(), [&](const Summand& s) { return nonnegative(s); });
      if (is_integral(type) && (position || info(type).bits >= info(operand_type).bits)) return kids[0];
      const bool constant = sum.empty() || (sum.size() == 1 && sum[0].atom == Summand::Atom::One && sum[0].stride.empty());
      if (is_float(type) && constant) return lit(sum.empty() ? 0 : static_cast<double>(sum[0].coef));
    }
    return opaque(fn, type, std::move(kids));
  }
  if (integers) {
    const bool order = fn >= ScalarFn::CompareEq && fn <= ScalarFn::CompareNe;
    return order ? compare_integers(fn, kids[0], kids[1], !is_signed(operand_type)) : integer_fn(fn, type, kids);
  }
  if (operand_type == ElementType::Pred) {
    if (fn == ScalarFn::Not) return negated(kids[0]);
    if (fn == ScalarFn::CompareEq || fn == ScalarFn::CompareNe) {
      for (const std::size_t k : {0U, 1U}) {
        if (const auto known = truth(kids[k])) return *known == (fn == ScalarFn::CompareEq) ? kids[1 - k] : negated(kids[1 - k]);
      }
    }
    if (fn == ScalarFn::And || fn == ScalarFn::Or) {
      for (const std::size_t k : {0U, 1U}) {
        if (const auto known = truth(kids[k])) return *known == (fn == ScalarFn::And) ? kids[1 - k] : kids[k];
      }
    }
    return opaque(fn, type, std::move(kids));
  }
  switch (fn) {
    case ScalarFn::Add: return add(std::move(kids));
    case ScalarFn::Multiply: return multiply(std::move(kids));
    case ScalarFn::Negate: return multiply({lit(-1), kids[0]});
    case ScalarFn::Subtract: return add({kids[0], multiply({lit(-1), kids[1]})});
    case ScalarFn::Divide: return multiply({kids[0], reciprocal(kids[1])});
    case ScalarFn::Max:
    case ScalarFn::Min:
      for (const std::size_t k : {0U, 1U}) {
        const Node& n = (*this)[kids[k]];
        if (n.kind == Kind::Lit && std::isinf(n.value) && (n.value < 0) == (fn == ScalarFn::Max)) return kids[1 - k];
      }
      return opaque(fn, type, std::move(kids));
    case ScalarFn::Exp: return exponential(kids[0]);
    case ScalarFn::Abs:
      if (positive(kids[0])) return kids[0];
      return opaque(fn, type, std::move(kids));
    case ScalarFn::IsFinite:
      if (finite(kids[0])) return lit(1);
      [[fallthrough]];
    default: return opaque(fn, type, std::move(kids));
  }
}

bool Terms::plain(TermId id) const {
  const Node& n = (*this)[id];
  switch (n.kind) {
    case Kind::Read:
    case Kind::Lit:
    case Kind::Number:
    case Kind::Below:
    case Kind::Size: return true;
    default: return false;
  }
}

TermId Terms::with_kids(TermId id, std::vector<TermId> kids) {
  const Node& n = (*this)[id];
  switch (n.kind) {
    case Kind::Add: return add(std::move(kids));
    case Kind::Mul: return multiply(std::move(kids));
    case Kind::Fold: return fold(n.fn, n.bound, kids[0]);
    case Kind::Fn:
      if (n.fn == ScalarFn::Select) return fn(n.fn, n.type, n.type, std::move(kids));
      if (n.fn == ScalarFn::And || n.fn == ScalarFn::Or || n.fn == ScalarFn::Not) {
        return fn(n.fn, n.type, n.type, std::move(kids));
      }
      if (n.fn == ScalarFn::Exp) return exponential(kids[0]);
      if (is_reciprocal(n)) return reciprocal(kids[0]);
      if (n.kids.size() == 1 && (n.fn == ScalarFn::CompareEq || n.fn == ScalarFn::CompareGe)) {
        return compare_integers(n.fn, kids[0], integer(0));
      }
      if (n.value != 0) return compare_integers(n.fn, kids[0], kids[1], n.value == kUnsigned);
      return opaque(n.fn, n.type, std::move(kids));
    default: return id;
  }
}

TermId Terms::substitute(TermId id, const RefMap& map) {
  std::unordered_map<std::uint32_t, TermId> memo;
  return rewrite(id, map, [](TermId t) { return t; }, false, memo);
}

TermId Terms::transform(TermId id, const Hook& hook) {
  std::unordered_map<std::uint32_t, TermId> memo;
  return rewrite(id, [](const Ref& r) { return r; }, hook, true, memo);
}

// Bottom up: references through `map`, then every term made anew through `hook`; terms without variables only if `closed`.
TermId Terms::rewrite(TermId t, const RefMap& map, const Hook& hook, bool closed,
                      std::unordered_map<std::uint32_t, TermId>& memo) {
  const Node& n = (*this)[t];
  if (n.free.empty() && !closed) return t;
  if (const auto it = memo.find(static_cast<std::uint32_t>(t)); it != memo.end()) return it->second;
  const auto walk = [&](TermId k) { return rewrite(k, map, hook, closed, memo); };
  const auto ref = [&](Ref r) {
    if (r.kind == Ref::Kind::Data) {
      Ref to = map(r);
      if (to == r) to.term = walk(r.term);
      return to;
    }
    if (r.kind != Ref::Kind::Var) return r;
    Ref place = r;
    place.shift = 0;
    Ref to = map(place);
    if (r.shift == 0) return to;
    to.shift += r.shift;
    if (to.kind == Ref::Kind::Var) return to;
    if (to.kind == Ref::Kind::Data || digits_.fixed(r.digit) == nullptr) {
      throw NotGeneric{"a neighbour of a rank that is given by a number"};
    }
    const std::int64_t ring = digits_.extent(r.digit);
    to.shift = (to.shift % ring + ring) % ring;
    return to;
  };
  std::vector<TermId> kids;
  for (const TermId k : n.kids) kids.push_back(walk(k));
  TermId out = t;
  switch (n.kind) {
    case Kind::Read: {
      std::vector<Ref> refs;
      for (const Ref& r : n.refs) refs.push_back(ref(r));
      out = read(n.anchor, std::move(refs));
      break;
    }
    case Kind::Below: out = below(ref(n.refs[0]), static_cast<std::int64_t>(n.value)); break;
    case Kind::Number: {
      std::vector<Summand> sum;
      for (Summand s : n.sum) {
        if (s.atom == Summand::Atom::Digit) {
          s.ref = ref(s.ref);
          if (s.ref.kind == Ref::Kind::Data) throw NotGeneric{"a position inside a dimension that data choose"};
        }
        if (s.atom == Summand::Atom::Term) {
          const TermId inner = walk(s.term);
          for (Summand i : summands(inner)) {
            i.coef *= s.coef;
            i.stride.insert(i.stride.end(), s.stride.begin(), s.stride.end());
            sum.push_back(std::move(i));
          }
          continue;
        }
        sum.push_back(std::move(s));
      }
      out = number(std::move(sum));
      break;
    }
    default: out = with_kids(t, std::move(kids)); break;
  }
  out = hook(out);
  memo.emplace(static_cast<std::uint32_t>(t), out);
  return out;
}

}  // namespace gg::sizes
