// The tables of unknowns, and what instructions say: bodies by themselves (models/size), structure, rows and attributes here.
#include "runtime/shapes/collect.h"

#include <algorithm>

#include "models/body/reads.h"
#include "models/ir/kinds.h"
#include "models/ir/structure.h"
#include "models/op/facts.h"
#include "models/op/row_form.h"
#include "models/op/rule_support.h"
#include "models/size/body_sizes.h"
#include "models/type/type.h"
#include "runtime/shapes/mesh.h"

namespace gg {
namespace {

bool is_plain_integer(ElementType type) { return is_integral(type) && type != ElementType::Pred; }

/// Does the value count? Places as floats, moved and added.
bool counts_places(BodyTable& bodies, ExprId id, std::span<const InstructionId> operands, const std::vector<bool>& counts) {
  const Arena& arena = bodies.arena();
  const Expr e = arena[id];
  if (is_plain_integer(e.type) || e.kind == ExprKind::Index) return true;
  if (e.kind == ExprKind::Read) return counts[operands[e.arg]];
  const bool sum = e.fn == ScalarFn::Add || e.fn == ScalarFn::Subtract || e.fn == ScalarFn::Convert;
  if (e.kind != ExprKind::Fn || !sum) return false;
  const auto kids = arena.kids(id);
  return std::any_of(kids.begin(), kids.end(), [&](ExprId kid) { return counts_places(bodies, kid, operands, counts); });
}

}  // namespace

ProgramSizes::ProgramSizes(BodyTable& bodies, std::uint8_t side, SizeSystem& sizes, Kinds& kinds)
    : bodies_(bodies), module_(bodies.module()), side_(side) {
  std::vector<std::vector<const Type*>> by_type(module_.type_count());
  for (TypeId t = 0; t < module_.type_count(); ++t) by_type[t] = array_leaf_types(module_.type_by_id(t));
  literals_.assign(module_.size(), kNone);
  counts_.assign(module_.size(), false);
  for (InstructionId id = 0; id < module_.size(); ++id) {
    first_.push_back(static_cast<std::uint32_t>(leaves_.size()));
    for (const Type* leaf : by_type[module_[id].type]) {
      const auto dims = static_cast<SizeVar>(sizes.count());
      for (const std::int64_t extent : leaf->dims) sizes.add(extent);
      leaves_.push_back({leaf, dims, kinds.add()});
    }
    if (!module_.type(id).is_array()) continue;
    const ElementType element = module_.type(id).element;
    const Body* body = is_float(element) ? bodies.body(id) : nullptr;
    if (body != nullptr) counts_[id] = counts_places(bodies, body->root, module_.operands(id), counts_);
    if (!is_plain_integer(element)) continue;
    if (is_constant(module_, id)) literals_[id] = id;
    else if (hands_literal(module_[id].op)) literals_[id] = literals_[module_.operands(id)[0]];
  }
  first_.push_back(static_cast<std::uint32_t>(leaves_.size()));
}

std::optional<InstructionId> ProgramSizes::literal(InstructionId id) const {
  if (literals_[id] == kNone) return std::nullopt;
  return literals_[id];
}

namespace {

/// One instruction.
class Statements {
 public:
  Statements(Constraints& all, std::size_t side, InstructionId id)
      : all_(all), sizes_(all.sizes), kinds_(all.kinds), program_(all.programs[side]), module_(program_.module()), id_(id) {}

  void state() {
    switch (structure_of(module_, id_)) {
      case Structure::Parameter:
      case Structure::Token: break;
      case Structure::Join:
      case Structure::Element: hand_on(); break;
      case Structure::Call: enter(callee_of(module_, id_), 0); break;
      case Structure::Loop: loop(); break;
      case Structure::Branches: {
        const ComputationList branches = branches_of(module_, id_);
        for (std::size_t k = 0; k < branches.size(); ++k) enter(branches[k], k + 1);
        break;
      }
      case Structure::None: is_constant(module_, id_) ? constant() : value();
    }
    if (program_.literal(id_)) return;  // inside a chain
    for (std::size_t k = 0; k < module_.operands(id_).size(); ++k) {
      if (program_.literal(operand(k))) operand_kind(k);
    }
  }

 private:
  SizeOrigin origin() const { return {program_.side(), id_}; }
  const Attributes& attributes() const { return module_.attributes(id_); }
  InstructionId operand(std::size_t k) const { return module_.operands(id_)[k]; }
  const Type& operand_type(std::size_t k) const { return program_.type(operand(k)); }
  SizeVar in(std::size_t k, std::size_t d) const { return program_.dim(operand(k), 0, d); }
  void equal(SizeVar a, SizeVar b) { sizes_.equal(a, b, origin()); }

  void keep_leaf(InstructionId id, std::size_t leaf, const char* reason) {
    for (std::size_t d = 0; d < program_.type(id, leaf).dims.size(); ++d) sizes_.keep(program_.dim(id, leaf, d), reason, origin());
  }
  void keep_value(InstructionId id, const char* reason) {
    for (std::size_t leaf = 0; leaf < program_.leaves(id); ++leaf) keep_leaf(id, leaf, reason);
  }
  void keep_all(const char* reason) {
    for (const InstructionId operand : module_.operands(id_)) keep_value(operand, reason);
    keep_value(id_, reason);
  }

  /// The kind of operand k; a literal has one of its own for each use.
  KindId operand_kind(std::size_t k) {
    const InstructionId source = operand(k);
    if (!program_.literal(source) || program_.literal(id_)) return program_.kind(source);
    auto& uses = all_.uses;
    for (auto use = uses.rbegin(); use != uses.rend() && use->side == program_.side() && use->user == id_; ++use) {
      if (use->operand == k) return use->kind;
    }
    uses.push_back({program_.side(), id_, static_cast<std::uint32_t>(k), source, kinds_.add()});
    return uses.back().kind;
  }

  /// The kind of operand k, if its values are numbers that may count.
  std::optional<KindId> counting(std::size_t k) {
    const Type& type = operand_type(k);
    if (!is_plain_integer(type.element) && !program_.counts(operand(k))) return std::nullopt;
    return operand_kind(k);
  }

  /// Leaf `leaf` of `a` is leaf `other` of `b`.
  void same_leaf(InstructionId a, std::size_t leaf, InstructionId b, std::size_t other, KindId kind) {
    for (std::size_t d = 0; d < program_.type(a, leaf).dims.size(); ++d) equal(program_.dim(a, leaf, d), program_.dim(b, other, d));
    kinds_.tie(kind, program_.kind(b, other));
  }

  /// Operand k is all of b (a parameter, a result); a literal by its use.
  void pass(std::size_t k, InstructionId b) {
    for (std::size_t leaf = 0; leaf < program_.leaves(operand(k)); ++leaf) pass_leaf(k, leaf, b, leaf);
  }
  void pass_leaf(std::size_t k, std::size_t leaf, InstructionId b, std::size_t other) {
    const bool literal = program_.literal(operand(k)).has_value();
    same_leaf(operand(k), leaf, b, other, literal ? operand_kind(k) : program_.kind(operand(k), leaf));
  }
  void result_of(ComputationId computation) {
    const InstructionId root = module_.computation(computation).root;
    for (std::size_t leaf = 0; leaf < program_.leaves(root); ++leaf) same_leaf(root, leaf, id_, leaf, program_.kind(root, leaf));
  }

  void hand_on() {
    std::size_t leaf = 0;
    for (const OperandLeaf& from : handed_leaves(module_, id_)) pass_leaf(from.operand, from.leaf, id_, leaf++);
  }

  void enter(ComputationId computation, std::size_t first_operand) {
    const Computation& callee = module_.computation(computation);
    for (std::size_t k = 0; k < callee.parameters.size(); ++k) pass(first_operand + k, callee.parameters[k]);
    result_of(computation);
  }

  void loop() {
    for (const ComputationId c : {condition_of(module_, id_), body_of(module_, id_)}) pass(0, module_.computation(c).parameters.at(0));
    pass(0, id_);
    result_of(body_of(module_, id_));
  }

  // A table over ranks keeps its length, and so does one of integers: its entries have no other meaning.
  void constant() {
    if (!attributes().has(Attr::Literal)) return keep_all("an elided constant");
    const auto& values = attributes().literal().values;
    const bool splat = std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s == values.front(); });
    if (!splat && is_plain_integer(program_.type(id_).element)) keep_all("the length of an integer table");
  }

  /// By the bodies of its results, else as a function of rows; what has neither keeps its sizes.
  void value() {
    const auto empty = [&](const Type& type) { return std::count(type.dims.begin(), type.dims.end(), 0) > 0; };
    bool some_empty = false, bodies = true;
    for (std::size_t k = 0; k < module_.operands(id_).size(); ++k) some_empty = some_empty || empty(operand_type(k));
    for (std::size_t leaf = 0; leaf < program_.leaves(id_); ++leaf) {
      some_empty = some_empty || empty(program_.type(id_, leaf));
      bodies = bodies && program_.bodies().body(id_, static_cast<int>(leaf)) != nullptr;
    }
    if (some_empty) return keep_all("an empty array");
    if (!bodies) return rows();
    for (std::size_t leaf = 0; leaf < program_.leaves(id_); ++leaf) body(leaf, program_.bodies().body(id_, static_cast<int>(leaf))->root);
    attribute_sizes();
  }

  void body(std::size_t leaf, ExprId root) {
    Arena& arena = program_.bodies().arena();
    const std::optional<Body> wider = wider_body(leaf);
    if (wider) root = wider->root;
    BodySizes::Frame frame;
    frame.digits = program_.bodies().digits().digits().size();
    for (std::size_t d = 0; d < program_.type(id_, leaf).dims.size(); ++d) frame.result.push_back(program_.dim(id_, leaf, d));
    frame.dim = [this](int k, std::size_t d) { return in(static_cast<std::size_t>(k), d); };
    frame.kind = [this](int k) { return counting(static_cast<std::size_t>(k)); };
    frame.literal = [this](int k) { return program_.literal(operand(static_cast<std::size_t>(k))).has_value(); };
    frame.rank_kinds = &all_.rank_kinds;
    if (all_.general) {
      frame.remainders = &all_.remainders;
      frame.places = &all_.places;
    }
    if (program_.side() == 1 && !all_.ranks.empty()) {
      frame.ranks = all_.ranks;
      frame.blocks = [this](int k, std::int64_t unit, std::int64_t count) { return blocks(operand(static_cast<std::size_t>(k)), unit, count); };
    }
    frame.origin = origin();
    const auto kind = BodySizes(arena, sizes_, kinds_, std::move(frame)).state(root);
    const bool counted = is_plain_integer(program_.type(id_, leaf).element) || program_.counts(id_);
    if (kind && counted) kinds_.tie(*kind, program_.kind(id_, leaf));
    const auto read = operands_read(arena, root, module_.operands(id_).size());
    for (std::size_t k = 0; k < read.size(); ++k) all_read_[k] = all_read_[k] || read[k];
  }

  /// The digits that a number of the rank counts in units, `count` of them.
  std::vector<SizeVar> blocks(InstructionId number, std::int64_t unit, std::int64_t count) const {
    const auto& form = all_.rank_forms[number];
    const RankDigits& digits = program_.bodies().digits();
    const auto counted = form ? counted_digits(*form, digits, unit) : std::nullopt;
    std::vector<SizeVar> ranks;
    for (std::size_t k = 0; counted && k < counted->size(); ++k) {
      ranks.insert(ranks.begin(), all_.ranks[(*counted)[k]]);
      count /= digits.digits()[(*counted)[k]].extent;
    }
    return count == 1 ? ranks : std::vector<SizeVar>();
  }

  /// The body over one element more in each dimension of the first operand: indices that data choose do not vanish where they are
  /// known to be 0.
  std::optional<Body> wider_body(std::size_t leaf) {
    Call call = program_.bodies().call(id_);
    if (info(call.op).traits != OpTraits::Indexing) return std::nullopt;
    Type wide = *call.operands[0];
    for (std::int64_t& n : wide.dims) ++n;
    call.operands[0] = &wide;
    try {
      return make_body(program_.bodies().arena(), call, static_cast<int>(leaf));
    } catch (const TypeError&) {
      return std::nullopt;  // batch dimensions
    }
  }

  bool is_opaque_call() const { return info(module_[id_].op).traits == OpTraits::Opaque && attributes().has(Attr::CustomCallTarget); }

  /// Extents that attributes state in other words, and operands that no element hangs on.
  void attribute_sizes() {
    const auto groups = [&](Attr attr) { return attributes().has(attr) && attributes().integer(attr) != 1; };
    const bool grouped = groups(Attr::FeatureGroupCount) || groups(Attr::BatchGroupCount);
    if (grouped) sizes_.keep(program_.dim(id_, 0, static_cast<std::size_t>(attributes().dim_labels().out_feature)), "features of a grouped convolution", origin());
    for (std::size_t k = 0; k < all_read_.size(); ++k) {
      if (!all_read_[k] && !operand_type(k).dims.empty()) return keep_all("an operand that no element hangs on");
    }
  }

  void state(const WindowDim& w, SizeVar given, SizeVar made) {
    if (w.stride == 1) return state_window(sizes_, given, made, (w.size - 1) * w.window_dilation + 1, origin());
    for (const SizeVar v : {given, made}) sizes_.keep(v, "a window with strides or dilation", origin());
  }

  /// Sorts and their like: rows of the operands; the other dimensions are those of the result, in order.
  void rows() {
    const auto form = row_form(program_.bodies().call(id_));
    if (!form) return keep_all(is_opaque_call() ? "an operand or result of an opaque call" : "an operator without a rule for sizes");
    for (std::size_t leaf = 0; leaf < program_.leaves(id_); ++leaf) {
      std::size_t out = 0;
      for (std::size_t d = 0; d < operand_type(0).dims.size(); ++d) {
        const bool in_row = contains(form->dims, static_cast<std::int64_t>(d)), window = in_row && !form->window.empty();
        if (in_row && !form->keeps && !window) continue;
        const SizeVar given = in(0, d), made = program_.dim(id_, leaf, out++);
        if (window) state(form->window[d], given, made);
        else if (sizes_.size(given) == sizes_.size(made)) equal(given, made);
        if (!in_row || !form->positions) continue;
        sizes_.keep(made, "k of topk", origin());
        sizes_.at_least(given, sizes_.size(made));
        if (leaf == 1) kinds_.attach(program_.kind(id_, leaf), given);
      }
    }
    for (std::size_t k = 0; k < module_.operands(id_).size(); ++k) {
      for (std::size_t d = 0; k < form->values && d < operand_type(k).dims.size(); ++d) equal(in(0, d), in(k, d));
      const std::size_t leaf = k % form->values;
      if (const auto kind = counting(k); kind && is_plain_integer(program_.type(id_, leaf).element)) kinds_.tie(*kind, program_.kind(id_, leaf));
    }
  }

  Constraints& all_;
  SizeSystem& sizes_;
  Kinds& kinds_;
  const ProgramSizes& program_;
  const Module& module_;
  InstructionId id_;
  std::vector<bool> all_read_ = std::vector<bool>(module_.operands(id_).size());  ///< operands that an element hangs on
};

}  // namespace

void collect_instructions(Constraints& constraints, std::size_t program) {
  const ProgramSizes& p = constraints.programs[program];
  for (InstructionId id = 0; id < p.module().size(); ++id) Statements(constraints, program, id).state();
  for (const Computation& computation : p.module().computations()) {
    if (p.literal(computation.root)) constraints.uses.push_back({p.side(), kNone, 0, computation.root, p.kind(computation.root)});
  }
}

}  // namespace gg
