#include "prover/checker/terms.h"

#include <algorithm>
#include <initializer_list>

#include "models/base/progress.h"
#include "prover/checker/index.h"
#include "prover/checker/memo.h"

namespace gg::checker {
namespace {

constexpr std::uint64_t kMaxSteps = 100'000'000;  // 40 times what the largest proof of the corpus needs
constexpr std::size_t kMaxNodes = 60'000'000;

std::size_t mix(std::size_t seed, std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL + seed;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  return static_cast<std::size_t>(value ^ (value >> 27U));
}

std::size_t hash_of(std::initializer_list<std::uint64_t> numbers) {
  std::size_t seed = 0;
  for (const std::uint64_t n : numbers) seed = mix(seed, n);
  return seed;
}

// What a node has of a part: its variables, the binders inside, and its shape.
template <class Node, class Part>
void take(Terms& t, Node& node, const Part& part, std::size_t seed) {
  node.shape += mix(seed, part.shape);
  node.free = t.unite(node.free, part.free);
  node.height = std::max(node.height, part.height);
}

}  // namespace

bool ValueNode::operator==(const ValueNode& o) const {
  return kind == o.kind && fn == o.fn && type == o.type && ref == o.ref && leaf == o.leaf && test == o.test &&
         path == o.path && kids == o.kids && index == o.index && vars == o.vars && summands == o.summands;
}

Terms::Terms() : memo_(std::make_unique<Memo>()) {
  allow(kMaxSteps);
  set({});  // id 0 of each table is its neutral element
  intern(0, std::vector<Part>{});
  intern(TestNode{TestKind::Ge, Index{}, Value{}});
  intern(std::vector<Literal>{});
  intern(std::vector<Factor>{});
}

Terms::~Terms() = default;

void Terms::step() {
  if (++steps_ > allowed_) throw Limit("more than the steps allowed");
  ask_deadline();
  if (size() > kMaxNodes) throw Limit("more than " + std::to_string(kMaxNodes) + " terms");
}

void Terms::allow(std::uint64_t steps) { allowed_ = std::min(steps_ + steps, kMaxSteps); }

bool Terms::by_cases(std::uint32_t anchor) const { return anchors[anchor].definition && (*this)[*anchors[anchor].definition].kind == ValueKind::Case; }

Value Terms::definition(std::uint32_t anchor) {
  if (opened.empty() || opened.back() != anchor) opened.push_back(anchor);
  if (!anchors[anchor].definition) anchors[anchor].definition = derive_late(anchor);
  return *anchors[anchor].definition;
}

Var Terms::var(Space space, std::uint32_t number, Size extent) {
  const VarNode node{space, number, extent};
  return {vars_.intern(node, hash_of({static_cast<std::uint64_t>(space), number, bits(extent)}), [](const VarNode&) {})};
}

VarSet Terms::set(std::vector<Var> vars) {
  std::sort(vars.begin(), vars.end());
  vars.erase(std::unique(vars.begin(), vars.end()), vars.end());
  std::size_t hash = 1;
  for (const Var v : vars) hash = mix(hash, v.id);
  return {var_sets_.intern(std::move(vars), hash, [](const std::vector<Var>&) {})};
}

VarSet Terms::unite(VarSet a, VarSet b) {
  if (a == b || b.id == 0) return a;
  if (a.id == 0) return b;
  if (b < a) std::swap(a, b);
  const std::uint64_t key = pair_key(a.id, b.id);
  if (const auto it = unions_.find(key); it != unions_.end()) return it->second;
  std::vector<Var> all = (*this)[a];
  all.insert(all.end(), (*this)[b].begin(), (*this)[b].end());
  return unions_[key] = set(std::move(all));
}

bool Terms::contains(VarSet s, Var v) const {
  const auto& vars = (*this)[s];
  return std::binary_search(vars.begin(), vars.end(), v);
}

bool Terms::disjoint(VarSet a, VarSet b) const {
  return std::none_of((*this)[a].begin(), (*this)[a].end(), [&](Var v) { return contains(b, v); });
}

bool Terms::before(Var a, Var b) const {
  const VarNode &x = (*this)[a], &y = (*this)[b];
  if (x.space != y.space) return x.space < y.space;
  return x.number != y.number ? x.number < y.number : at_text(x.extent) < at_text(y.extent);
}

Atom Terms::intern(AtomNode atom) {
  std::size_t hash = hash_of({static_cast<std::uint64_t>(atom.kind), atom.var.id, atom.arg.id,
                              bits(atom.m), atom.value.id});
  for (const Size& entry : atom.table) hash = mix(hash, bits(entry));
  return {atoms_.intern(std::move(atom), hash, [&](AtomNode& node) {
    if (node.kind == AtomKind::Variable) {
      const VarNode& v = (*this)[node.var];
      node.free = set({node.var});
      node.height = v.space == Space::Bound ? v.number + 1 : 0;
      const bool binder = v.space == Space::Bound || v.space == Space::Temp;
      node.shape = hash_of({binder ? 0 : v.number + 1, binder ? 9 : static_cast<std::uint64_t>(v.space), bits(v.extent)});
    } else if (node.kind == AtomKind::Data) {
      take(*this, node, (*this)[node.value], 11);
    } else {
      take(*this, node, (*this)[node.arg], hash_of({static_cast<std::uint64_t>(node.kind), bits(node.m)}));
    }
  })};
}

Index Terms::intern(Size c0, std::vector<Part> parts) {
  std::size_t hash = hash_of({bits(c0)});
  for (const Part& p : parts) hash = mix(mix(hash, p.atom.id), bits(p.coef));
  return {indices_.intern({c0, std::move(parts)}, hash, [&](IndexNode& node) {
    step();
    node.shape = hash_of({bits(node.c0)});
    for (const Part& p : node.parts) take(*this, node, (*this)[p.atom], bits(p.coef));
    const Range range = index_range(*this, node.c0, node.parts);
    node.lo = range.lo;
    node.hi = range.hi;
  })};
}

Test Terms::intern(TestNode test) {
  const std::size_t hash = hash_of({static_cast<std::uint64_t>(test.kind), test.index.id, test.value.id});
  return {tests_.intern(test, hash, [&](TestNode& node) {
    const auto kind = static_cast<std::uint64_t>(node.kind);
    if (node.kind == TestKind::Truth) {
      take(*this, node, (*this)[node.value], kind);
      node.holds = mix(1, node.shape), node.fails = mix(2, node.shape);
      return;
    }
    take(*this, node, (*this)[node.index], kind);
    const IndexNode& index = (*this)[node.index];
    const bool ge = node.kind == TestKind::Ge;
    std::uint64_t other = hash_of({bits(ge ? -index.c0 - 1 : -index.c0)});  // which of the two signs is kept hangs on names
    for (const Part& p : index.parts) other += mix(bits(-p.coef), (*this)[p.atom].shape);
    const std::uint64_t own = mix(kind, index.shape), turned = mix(kind, other);
    node.shape = own + turned;
    node.holds = ge ? mix(1, own) : mix(1, node.shape);
    node.fails = ge ? mix(1, turned) : mix(2, node.shape);
  })};
}

Path Terms::intern(std::vector<Literal> literals) {
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  std::size_t hash = 2;
  for (const Literal& l : literals) hash = mix(hash, 2 * std::uint64_t{l.test.id} + (l.holds ? 1 : 0));
  return {paths_.intern({std::move(literals)}, hash, [&](PathNode& node) {
    for (const Literal& l : node.literals) {
      take(*this, node, (*this)[l.test], 1);
      node.shape += mix(2, l.holds ? (*this)[l.test].holds : (*this)[l.test].fails);
    }
  })};
}

Monomial Terms::intern(std::vector<Factor> factors) {
  std::sort(factors.begin(), factors.end());
  std::size_t hash = 3;
  for (const Factor& f : factors) hash = mix(mix(hash, f.base.id), f.exponent.hash());
  return {monomials_.intern({std::move(factors)}, hash, [&](MonomialNode& node) {
    for (const Factor& f : node.factors) {
      take(*this, node, (*this)[f.base], f.exponent.hash());
      node.reads += (*this)[f.base].reads;
    }
  })};
}

Value Terms::intern(ValueNode value) {
  std::size_t hash = hash_of({static_cast<std::uint64_t>(value.kind), static_cast<std::uint64_t>(value.fn),
                              static_cast<std::uint64_t>(value.type), value.ref, value.leaf, value.test.id, value.path.id});
  for (const Value v : value.kids) hash = mix(hash, v.id);
  for (const Index i : value.index) hash = mix(hash, i.id);
  for (const Var v : value.vars) hash = mix(hash, v.id);
  for (const PolyPart& p : value.summands) hash = mix(mix(hash, p.monomial.id), p.coef.hash());
  return {values_.intern(std::move(value), hash, [&](ValueNode& node) {
    step();
    derive(node);
  })};
}

// Free variables, height and shape. Binders bind in path and kids; the position of a row stands outside of them.
void Terms::derive(ValueNode& node) {
  std::uint64_t shape = hash_of({static_cast<std::uint64_t>(node.kind), static_cast<std::uint64_t>(node.fn), node.leaf,
                                 node.kind == ValueKind::Int ? 0 : node.ref});
  VarSet free{};
  std::uint32_t height = 0;
  const auto take = [&](const auto& part, bool ordered) {
    free = unite(free, part.free);
    height = std::max(height, part.height);
    shape = ordered ? mix(shape, part.shape) : shape + mix(5, part.shape);
  };
  take((*this)[node.test], true);
  take((*this)[node.path], true);
  if (node.kind == ValueKind::Int) take((*this)[Atom{node.ref}], true);
  node.reads = node.kind == ValueKind::Read ? mix(node.ref, 1) : 0;
  if (node.kind == ValueKind::Case) shape += mix((*this)[node.test].holds, (*this)[node.kids[0]].shape) + mix((*this)[node.test].fails, (*this)[node.kids[1]].shape);
  for (const Value v : node.kids) {
    take((*this)[v], node.fn != ScalarFn::Max && node.kind != ValueKind::Case);
    node.reads += (*this)[v].reads;
  }
  for (const PolyPart& p : node.summands) {
    take((*this)[p.monomial], false);
    shape += mix(p.coef.hash(), (*this)[p.monomial].shape);
    node.reads += (*this)[p.monomial].reads;
  }
  if (!node.vars.empty()) {
    std::vector<Var> rest;
    for (const Var v : (*this)[free])
      if (std::find(node.vars.begin(), node.vars.end(), v) == node.vars.end()) rest.push_back(v);
    free = set(std::move(rest));
    for (const Var v : node.vars) {
      if ((*this)[v].space == Space::Bound) height = std::max(height, (*this)[v].number + 1);
      shape += mix(7, bits((*this)[v].extent));
    }
  }
  for (const Index i : node.index) take((*this)[i], true);
  node.free = free;
  node.height = height;
  node.shape = shape;
}

}  // namespace gg::checker
