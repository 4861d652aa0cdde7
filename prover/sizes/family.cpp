// Both passes over both programs.
#include "prover/sizes/family.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/base/deadline.h"
#include "models/ir/control_flow.h"
#include "models/ir/kinds.h"

namespace gg {
namespace sizes {

Family::Family(Case& c) : case_(c), t_(digits_), matcher_(t_), reader_(t_, *c.arena) {
  for (const Digit& d : c.distributed_bodies->digits().digits()) ranks_.push_back({digits_.add(d.extent, d.name)});
  sequential_ = {c.sequential.get(), c.sequential_bodies.get(), flatten(*c.sequential), false, {}, {}, {}};
  distributed_ = {c.distributed.get(), c.distributed_bodies.get(), flatten(*c.distributed), true, {}, {}, {}};
  layout(sequential_);
  layout(distributed_);
  for (const FreeInput& input : c.relation.free) {
    std::vector<DigitList>& dimensions = free_.emplace_back();
    for (const std::int64_t n : input.type.dims) dimensions.push_back(digits_.dimension(n));
  }
}

void Family::layout(Side& side) {
  for (const FlatNode& n : side.flat.nodes) {
    side.first_leaf.push_back(static_cast<std::uint32_t>(side.leaves.size()));
    for (const Type* type : side.module->type(n.instruction).leaves()) {
      Leaf& leaf = side.leaves.emplace_back();
      if (side.distributed) leaf.dimensions = ranks_;
      for (const std::int64_t extent : type->dims) leaf.dimensions.push_back(digits_.dimension(extent));
    }
  }
  side.bodies_digits.resize(side.leaves.size());
}

Reader::Dimensions Family::operands(const Side& side, std::uint32_t node) const {
  return [this, &side, node](int k) -> std::span<const DigitList> {
    return leaf(side, side.flat.operands(side.flat.nodes[node])[static_cast<std::size_t>(k)]).dimensions;
  };
}

// ---- first pass: equations between sizes

void Family::constrain_inputs() {
  const Reader::Dimensions free = [this](int k) -> std::span<const DigitList> { return free_[static_cast<std::size_t>(k)]; };
  const auto all = [&](Side& side, const std::vector<Body>& inputs, std::vector<BodyDigits>& digits) {
    reader_.ranks = side.distributed ? ranks_.size() : 0;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      digits.push_back(body_digits(leaf(side, side.flat.inputs[k])));
      reader_.constrain(inputs[k].root, case_.arena->always(), digits.back(), free);
    }
  };
  all(sequential_, case_.relation.sequential_inputs, sequential_inputs_);
  all(distributed_, case_.relation.distributed_inputs, distributed_inputs_);
}

void Family::each_value(Side& side, const Visit& visit) {
  reader_.ranks = side.distributed ? ranks_.size() : 0;
  for (std::uint32_t node = 0; node < side.flat.nodes.size(); ++node) {
    ask_deadline();
    const InstructionId id = side.flat.nodes[node].instruction;
    if (is_parameter(*side.module, id)) continue;
    const std::vector<const Type*> types = side.module->type(id).leaves();
    for (std::uint32_t k = 0; k < types.size(); ++k) {
      if (types[k]->is_array()) visit({node, k}, *types[k], leaf(side, {node, k}));
    }
  }
}

void Family::note_gap(const Side& side, std::uint32_t node, Leaf& own, const NotGeneric& why) const {
  const FlatNode& n = side.flat.nodes[node];
  own.gap = to_string(*side.module, side.flat.instance(n)) + " (" + std::string(info((*side.module)[n.instruction].op).name) + "): " + why.reason;
}

void Family::constrain(Side& side) {
  each_value(side, [&](FlatValue v, const Type&, Leaf& own) {
    const InstructionId id = side.flat.nodes[v.node].instruction;
    try {
      const Body* body = side.bodies->body(id, static_cast<int>(v.leaf));
      if (body == nullptr) throw NotGeneric{side.bodies->reason(id)};
      BodyDigits& digits = side.bodies_digits[side.first_leaf[v.node] + v.leaf];
      digits = body_digits(own);
      reader_.constrain(body->root, case_.arena->always(), digits, operands(side, v.node));
    } catch (const NotGeneric& no) {
      note_gap(side, v.node, own, no);
    }
  });
}

void Family::constrain_outputs() {
  const Reader::Dimensions left = [this](int k) -> std::span<const DigitList> {
    return leaf(distributed_, distributed_.flat.outputs[static_cast<std::size_t>(k)]).dimensions;
  };
  const Reader::Dimensions right = [this](int k) -> std::span<const DigitList> {
    return leaf(sequential_, sequential_.flat.outputs[static_cast<std::size_t>(k)]).dimensions;
  };
  for (std::size_t k = 0; k < case_.relation.outputs.size(); ++k) {
    const OutputClaim& claim = case_.relation.outputs[k];
    claims_.emplace_back();
    if (claim.kind == OutputClaim::Kind::Ignored) continue;
    claims_.back() = body_digits(leaf(distributed_, distributed_.flat.outputs[k]));
    reader_.constrain(claim.distributed, claim.compared, claims_.back(), left);
    reader_.constrain(claim.sequential, claim.compared, claims_.back(), right);
  }
}

// ---- second pass: terms

TermId Family::read_leaf(const Leaf& l, std::vector<Ref> refs) {
  // References fill the places of the operand's digits.
  const std::vector<Ref> places = reader_.variables(l.dimensions);
  if (places.size() != refs.size()) throw Resized{};  // a value made before a cut
  return t_.substitute(l.term, [&](const Ref& r) {
    if (r.kind != Ref::Kind::Var || r.var >= kFirstBound) return r;
    Ref to = refs[r.var];
    if (to.kind != Ref::Kind::Var) to.digit = r.digit;
    return to;
  });
}

TermId Family::fresh(const Leaf& l) { return t_.read(anchors_++, reader_.variables(l.dimensions)); }

void Family::terms_of_inputs() {
  std::vector<std::uint32_t> anchors;
  t_.index_anchors.clear();
  t_.finite_anchors.clear();
  t_.positive_anchors.clear();
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const FreeInput& input = case_.relation.free[k];
    if (is_integral(input.type.element) && input.range.origin != Range::Origin::Default && input.range.lo >= 0) {
      t_.index_anchors.emplace(anchors_, static_cast<std::int64_t>(input.range.hi));
    }
    if (is_float(input.type.element)) t_.finite_anchors.insert(anchors_);
    anchors.push_back(anchors_++);
  }
  const Reader::Dimensions free = [this](int k) -> std::span<const DigitList> { return free_[static_cast<std::size_t>(k)]; };
  const Reader::Read read = [&](int k, std::vector<Ref> refs) { return t_.read(anchors[static_cast<std::size_t>(k)], std::move(refs)); };
  const auto all = [&](Side& side, const std::vector<Body>& inputs, std::vector<BodyDigits>& digits) {
    reader_.ranks = side.distributed ? ranks_.size() : 0;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      leaf(side, side.flat.inputs[k]).term = reader_.term(inputs[k].root, digits[k], free, read);
    }
  };
  all(sequential_, case_.relation.sequential_inputs, sequential_inputs_);
  all(distributed_, case_.relation.distributed_inputs, distributed_inputs_);
}

// Sequential values of real type get a name; a distributed value is looked up among their definitions.
void Family::conclude(Side& side, Leaf& own, TermId term, ElementType type) {
  if (side.distributed) {
    own.term = improve(term);
    return;
  }
  own.term = term;
  if (t_.plain(term) || !is_float(type)) return;
  own.term = improve(term);
  if (own.term == term) own.term = name(own, term, type);
}

// The values that a term is made of get names; products and exponentials of a few of them stay what they are.
TermId Family::name(const Leaf& own, TermId term, ElementType type) {
  if (inline_term(term)) return term;
  const Node& n = t_[term];
  if (n.kind == Kind::Mul) {
    std::vector<TermId> kids;
    for (const TermId k : n.kids) kids.push_back(name(own, k, type));
    const TermId product = t_.with_kids(term, std::move(kids));
    if (inline_term(product)) return product;
    // Factors that are the same at all places stand before the name.
    Terms::Factors f = t_.factors(product);
    if (!f.same.empty() && f.other.size() > 1) {
      f.same.push_back(name_whole(own, t_.fn(ScalarFn::Multiply, type, type, std::move(f.other))));
      return t_.fn(ScalarFn::Multiply, type, type, std::move(f.same));
    }
    return name_whole(own, product);
  }
  if (is_reciprocal(n)) {
    return t_.with_kids(term, {name(own, n.kids[0], type)});
  }
  return name_whole(own, term);
}

TermId Family::name_whole(const Leaf& own, TermId term) {
  if (const auto known = matcher_.find(term)) return *known;
  std::vector<Ref> variables;
  for (const Ref& r : reader_.variables(own.dimensions)) {
    if (std::binary_search(t_[term].free.begin(), t_[term].free.end(), r.var)) variables.push_back(r);
  }
  const std::uint32_t anchor = anchors_++;
  if (t_.finite(term)) t_.finite_anchors.insert(anchor);
  if (t_.positive(term)) t_.positive_anchors.insert(anchor);
  matcher_.add(anchor, term, variables);
  return t_.read(anchor, std::move(variables));
}

// Sums, products and exponentials of a few values stay what they are: their factors may come out of a sum.
bool Family::inline_term(TermId term) const {
  const Node& n = t_[term];
  constexpr std::uint32_t kMost = 16;
  if (n.size > kMost) return false;
  if (n.kind != Kind::Mul && n.kind != Kind::Add && !is_exponential(n) && !is_reciprocal(n)) return t_.plain(term);
  return std::all_of(n.kids.begin(), n.kids.end(), [&](TermId k) { return inline_term(k); });
}

TermId Family::improve(TermId term) {
  if (t_.plain(term)) return term;
  if (const auto found = matcher_.find(term)) return *found;
  if (Terms::Factors f = t_.factors(term); !f.same.empty() && f.other.size() > 1) {
    if (const auto found = matcher_.find(t_.fn(ScalarFn::Multiply, ElementType::F64, ElementType::F64, std::move(f.other)))) {
      f.same.push_back(*found);
      return t_.fn(ScalarFn::Multiply, ElementType::F64, ElementType::F64, std::move(f.same));
    }
  }
  std::vector<TermId> kids;
  for (const TermId k : t_[term].kids) kids.push_back(improve(k));
  if (kids == t_[term].kids) return term;
  const TermId now = t_.with_kids(term, std::move(kids));
  if (const auto found = matcher_.find(now)) return *found;
  return now;
}

void Family::terms(Side& side) {
  each_value(side, [&](FlatValue v, const Type& type, Leaf& own) {
    const FlatNode& node = side.flat.nodes[v.node];
    const Reader::Read read = [&](int operand, std::vector<Ref> refs) {
      return read_leaf(leaf(side, side.flat.operands(node)[static_cast<std::size_t>(operand)]), std::move(refs));
    };
    if (own.gap.empty()) {
      try {
        const Body* body = side.bodies->body(node.instruction, static_cast<int>(v.leaf));
        BodyDigits& digits = side.bodies_digits[side.first_leaf[v.node] + v.leaf];
        return conclude(side, own, reader_.term(body->root, digits, operands(side, v.node), read), type.element);
      } catch (const NotGeneric& no) {
        note_gap(side, v.node, own, no);
      } catch (const Resized&) {  // the cuts of the other values are wanted too
        resized_ = true;
        own.term = fresh(own);
        return;
      }
    }
    gaps_.push_back((side.distributed ? "distributed " : "sequential ") + own.gap);
    own.term = fresh(own);
  });
}

// False if a digit was cut on the way: all terms are made again.
bool Family::attempt(SizesTheorem& theorem) {
  t_.clear();
  matcher_.forget();
  sequential_inputs_.clear();
  distributed_inputs_.clear();
  claims_.clear();
  gaps_.clear();
  anchors_ = 0;
  resized_ = false;
  for (Side* side : {&sequential_, &distributed_}) {
    for (Leaf& leaf : side->leaves) leaf.gap.clear();
  }
  try {
    constrain_inputs();
    constrain(sequential_);
    constrain(distributed_);
    constrain_outputs();
    terms_of_inputs();
    terms(sequential_);
    terms(distributed_);
    if (resized_) return false;
    outputs(theorem);
  } catch (const NotGeneric& no) {
    theorem.reason = no.reason;
  } catch (const Resized&) {
    return false;
  }
  return true;
}

SizesTheorem Family::prove(bool counts_tied) {
  t_.counts_tied = counts_tied;
  SizesTheorem theorem;
  constexpr int kAttempts = 24;
  int attempts = 1;
  for (; !attempt(theorem) && attempts < kAttempts; ++attempts) {  // a digit falls apart each time
  }
  if (attempts == kAttempts) theorem.reason = "sizes fall apart into too many digits";
  describe(theorem);
  judge(theorem);
  return theorem;
}

}  // namespace sizes

SizesTheorem prove_all_sizes(Case& c) {
  SizesTheorem theorem = sizes::Family(c).prove(false);
  if (!theorem.proved) {
    SizesTheorem tied = sizes::Family(c).prove(true);
    if (tied.proved) theorem = std::move(tied);
  }
  const std::vector<Duty> duties = ControlFlow(*c.distributed, c.relation.layout).all();
  if (theorem.proved && !duties.empty()) {
    theorem.proved = false;
    theorem.reason = to_string(*c.distributed, duties.front().instance) + ": that it ends on all ranks together is shown at the given sizes only";
  }
  return theorem;
}

}  // namespace gg
