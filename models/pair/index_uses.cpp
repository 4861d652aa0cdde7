#include "models/pair/index_uses.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/body/parts.h"
#include "models/body/reads.h"
#include "models/ir/flatten.h"
#include "models/op/row_form.h"
#include "models/pair/index_flow.h"

namespace gg {
namespace {

/// One program, instruction by instruction.
class Walk {
 public:
  Walk(Case& c, bool sequential, std::vector<IndexUses>& uses)
      : arena_(*c.arena), module_(sequential ? *c.sequential : *c.distributed), bodies_(sequential ? *c.sequential_bodies : *c.distributed_bodies), sequential_(sequential), uses_(uses) {}

  void run(const Relation& relation) {
    std::vector<Flow> free;
    for (const FreeInput& input : relation.free) {
      const bool followed = is_integral(input.type.element) && input.type.element != ElementType::Pred;
      free.push_back(followed ? Flow::of_input(free.size()) : Flow{});
    }
    const bool some = std::any_of(free.begin(), free.end(), [](const Flow& f) { return f.kind == Flow::Kind::Input; });
    std::vector<Flow> inputs;
    std::vector<Origins> origins;
    for (const Body& body : sequential_ ? relation.sequential_inputs : relation.distributed_inputs) {
      inputs.push_back(of(body.root, free));
      Origins all = 0;
      const std::vector<bool> read = some ? operands_read(arena_, body.root, free.size()) : std::vector<bool>();
      for (std::size_t k = 0; k < read.size(); ++k) {
        if (free[k].kind == Flow::Kind::Input && read[k]) all |= origin(k);
      }
      origins.push_back(all);
    }
    const bool any = std::any_of(origins.begin(), origins.end(), [](Origins o) { return o != 0; });
    if (!any) return;
    const FlatProgram flat = flatten(module_);
    const std::vector<Flow> outputs = computation(flat, inputs, origins);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (k >= relation.outputs.size() || relation.outputs[k].name != kInRange) tell(outputs[k]);
    }
  }

 private:
  /// Free inputs that a value is computed of, a bit each; the last bit is all from the 63rd on.
  using Origins = std::uint64_t;
  static Origins origin(std::size_t input) { return Origins{1} << std::min<std::size_t>(input, 63); }

  /// Flows of the results, given those of the parameters' leaves. `origins` likewise; those of all results together are left in it.
  std::vector<Flow> computation(const FlatProgram& flat, const std::vector<Flow>& inputs, std::vector<Origins> origins, Origins* of_results = nullptr) {
    std::vector<std::uint32_t> first;
    std::uint32_t count = 0;
    for (const FlatNode& n : flat.nodes) {
      first.push_back(count);
      count += static_cast<std::uint32_t>(module_.type(n.instruction).leaves().size());
    }
    std::vector<Flow> flows(count);
    std::vector<Origins> from(flat.nodes.size());
    std::map<std::uint32_t, Origins> given;  // of the parameters' leaves
    for (std::size_t k = 0; k < origins.size(); ++k) given[first[flat.inputs[k].node] + flat.inputs[k].leaf] = origins[k];
    const auto origins_of = [&](FlatValue v) {
      const auto it = from[v.node] == 0 ? given.find(first[v.node] + v.leaf) : given.end();
      return it == given.end() ? from[v.node] : it->second;
    };
    const std::vector<bool> live = needed(flat);
    const auto at = [&](FlatValue v) -> Flow& { return flows[first[v.node] + v.leaf]; };
    for (std::size_t k = 0; k < inputs.size(); ++k) at(flat.inputs[k]) = inputs[k].named(first[flat.inputs[k].node] + flat.inputs[k].leaf);
    for (std::uint32_t node = 0; node < flat.nodes.size(); ++node) {
      const FlatNode& n = flat.nodes[node];
      if (!live[node]) continue;  // what nothing hangs on tells nothing of an input
      std::vector<Flow> operands;
      std::vector<Origins> origins_in;
      for (const FlatValue v : flat.operands(n)) {
        operands.push_back(at(v));
        origins_in.push_back(origins_of(v));
        from[node] |= origins_in.back();
      }
      std::vector<Flow> results = instruction(n.instruction, operands, origins_in, from[node]);
      for (std::size_t k = 0; k < results.size(); ++k) flows[first[node] + k] = results[k].named(first[node] + k);
    }
    std::vector<Flow> outputs;
    for (const FlatValue v : flat.outputs) {
      outputs.push_back(at(v));
      if (of_results != nullptr) *of_results |= origins_of(v);
    }
    return outputs;
  }

  /// Nodes that a result hangs on.
  static std::vector<bool> needed(const FlatProgram& flat) {
    std::vector<bool> live(flat.nodes.size());
    for (const FlatValue v : flat.outputs) live[v.node] = true;
    for (std::size_t node = flat.nodes.size(); node-- > 0;) {
      if (!live[node]) continue;
      for (const FlatValue v : flat.operands(flat.nodes[node])) live[v.node] = true;
    }
    return live;
  }

  std::vector<Flow> instruction(InstructionId id, const std::vector<Flow>& operands, const std::vector<Origins>& origins, Origins all) {
    const Op op = module_[id].op;
    if (op == Op::Parameter) return {};
    if (op == Op::While) return loop(id, operands, all);
    const bool followed = std::any_of(operands.begin(), operands.end(), [](const Flow& f) { return f.kind == Flow::Kind::Input || f.kind == Flow::Kind::Test || f.kind == Flow::Kind::NotANumber; });
    if (all != 0) indices(id, origins);
    Flow missing;
    for (const Flow& operand : operands) missing.join_missing(operand);
    const std::vector<const Type*> leaves = module_.type(id).leaves();
    at_ = id;
    std::vector<Flow> results;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const bool array = leaves[leaf]->is_array(), integral = array && is_integral(leaves[leaf]->element);
      // Numbers and iotas matter to integers only; a float of one that is missing is missing, a truth may tell that it is.
      const bool walked = followed || (integral && (leaves.size() == 1 || missing.kind != Flow::Kind::None)) || op == Op::Constant;
      const Body* body = walked && array ? bodies_.body(id, static_cast<int>(leaf)) : nullptr;
      if (walked && body == nullptr) tell(operands);
      Flow result = body == nullptr ? Flow{} : of(body->root, operands);
      if (array && !integral && result.kind == Flow::Kind::None) result = missing;
      results.push_back(std::move(result));
    }
    return results;
  }

  /// Carries that every iteration hands on unchanged keep what they are; the others are unknown. A carry less each time round.
  std::vector<Flow> loop(InstructionId id, std::vector<Flow> carries, Origins all) {
    const std::vector<Origins> origins(carries.size(), all);
    const Attributes& attributes = module_.attributes(id);
    const FlatProgram body = flatten(module_, attributes.computations(Attr::Body).at(0));
    const bool counts = std::exchange(counts_, false);
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<Flow> after = computation(body, carries, origins);
      for (std::size_t k = 0; k < carries.size(); ++k) {
        if (carries[k].kind == Flow::Kind::None || carries[k].kind == Flow::Kind::Missing || after.at(k) == carries[k]) continue;
        tell(carries[k]);
        carries[k] = {};
        changed = true;
      }
    }
    counts_ = counts;
    for (bool changed = true; changed;) {  // what is missing after one iteration is so in the next
      changed = false;
      const std::vector<Flow> after = computation(body, carries, origins);
      tell(after);
      for (std::size_t k = 0; k < carries.size(); ++k) {
        if (after.at(k).kind == Flow::Kind::Missing) changed |= carries[k].join_missing(after[k]);
      }
    }
    Origins condition = 0;
    tell(computation(flatten(module_, attributes.computations(Attr::Condition).at(0)), carries, origins, &condition));
    reached(condition);
    return carries;
  }

  /// Notes what stands in an index of this instruction. Bodies are shared by many.
  void indices(InstructionId id, const std::vector<Origins>& origins) {
    const std::vector<const Type*> leaves = module_.type(id).leaves();
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const Body* body = leaves[leaf]->is_array() ? bodies_.body(id, static_cast<int>(leaf)) : nullptr;
      const bool of_rows = body == nullptr && row_form(bodies_.call(id)).has_value();  // sorts, top-k
      std::vector<bool> indexes(origins.size(), body == nullptr && !of_rows);
      if (body != nullptr) {
        auto [it, made] = in_indices_.try_emplace(body->root.value);
        if (made) it->second = operands_in_indices(arena_, body->root, origins.size());
        indexes = it->second;
      }
      for (std::size_t k = 0; k < origins.size() && k < indexes.size(); ++k) {
        if (indexes[k]) reached(origins[k]);
      }
    }
  }

  void reached(Origins origins) {
    for (std::size_t k = 0; origins != 0 && k < uses_.size(); ++k) {
      if ((origins & origin(k)) != 0) uses_[k].reaches = true;
    }
  }

  /// Flow of an expression; places that it is used in are noted on the way. Shared parts are looked at once.
  Flow of(ExprId root, const std::vector<Flow>& operands) {
    memo_.clear();
    operands_ = &operands;
    return flow(root);
  }

  Flow flow(ExprId id) {
    if (const auto it = memo_.find(id.value); it != memo_.end()) return it->second;
    Flow result = compute(id);
    return memo_[id.value] = std::move(result);
  }

  Flow compute(ExprId id) {
    const Expr expr = arena_[id];
    switch (expr.kind) {
      case ExprKind::Read:
        for (const LinId index : arena_.indices(id)) data_in(index);
        return operands_->at(expr.arg);
      case ExprKind::Constant:
        for (const LinId index : arena_.indices(id)) data_in(index);
        return {};
      case ExprKind::Lit:
        if (is_integral(expr.type)) return Flow::number(arena_.scalar(id).integer);
        return std::isnan(arena_.scalar(id).real) ? Flow{Flow::Kind::NotANumber} : Flow{};
      case ExprKind::Index: return position(LinId{expr.arg});
      case ExprKind::Case: {
        condition(arena_.guard(id));
        const Flow then = flow(arena_.kids(id)[0]), otherwise = flow(arena_.kids(id)[1]);
        // A part of the elements is something else (padding, another array): only the same input may stand there.
        if (then.kind == otherwise.kind && then.kind != Flow::Kind::Test) return either(then, otherwise);
        tell(then);
        tell(otherwise);
        return {};
      }
      case ExprKind::Fold:
        condition(arena_.guard(id));
        if (expr.fn == ScalarFn::And && arena_.kids(id).size() == 1) return flow(arena_.kids(id)[0]);
        for (const ExprId kid : arena_.kids(id)) tell(flow(kid));
        return {};
      case ExprKind::Fn: return function(expr, arena_.kids(id));
      case ExprKind::Unknown: return {};
    }
    return {};
  }

  Flow function(const Expr& expr, std::span<const ExprId> kids) {
    std::vector<Flow> args;
    for (const ExprId kid : kids) args.push_back(flow(kid));
    if (expr.fn == ScalarFn::IsFinite && args[0].kind == Flow::Kind::Missing) note(args[0]);
    if (is_comparison(expr.fn)) {
      tell(args);
      if (args[0].kind == Flow::Kind::Missing && args[0] == args[1]) note(args[0]);  // x = x
      return both(compared(expr.fn, args[0], args[1]), compared(mirrored(expr.fn), args[1], args[0]));
    }
    if (expr.fn == ScalarFn::And && expr.type == ElementType::Pred) return both(args[0], args[1]);
    if (expr.fn == ScalarFn::Select) return chosen(args);
    tell(args);
    if (!is_integral(expr.type)) return {};
    switch (expr.fn) {
      case ScalarFn::Convert: return is_integral(arena_[kids[0]].type) && args[0].kind != Flow::Kind::Test ? args[0] : Flow{};
      case ScalarFn::Add:
        if (args[1].kind == Flow::Kind::Number) return shifted(args[0], args[1].places.lo);
        return args[0].kind == Flow::Kind::Number ? shifted(args[1], args[0].places.lo) : Flow{};
      case ScalarFn::Subtract: return args[1].kind == Flow::Kind::Number ? shifted(args[0], -args[1].places.lo) : Flow{};
      case ScalarFn::Max: return limited(args[0], args[1], at_least);
      case ScalarFn::Min: return limited(args[0], args[1], at_most);
      case ScalarFn::Clamp: return limited(limited(args[1], args[0], at_least), args[2], at_most);
      default: return {};
    }
  }

  /// One of two values. A test that puts a number from the end in its place, or what is no number where an index is out of range, tells nothing:
  /// such values are left out by the premise, as all say who index so, unless something asks whether it is a number.
  Flow chosen(const std::vector<Flow>& args) {
    if (args[0].kind == Flow::Kind::Test && (args[1].kind == Flow::Kind::NotANumber || args[2].kind == Flow::Kind::NotANumber)) {
      Flow missing{Flow::Kind::Missing, 0, {}, {}, args[0].told};
      for (const Flow& arm : {args[1], args[2]}) missing.join_missing(arm);
      return missing;
    }
    if (const auto turned = from_end(args[0], args[1], args[2])) return *turned;
    tell(args);
    return either(args[1], args[2]);
  }

  /// `select(x < 0, x + n, x)`.
  std::optional<Flow> from_end(const Flow& test, const Flow& up, const Flow& x) {
    if (up.kind != Flow::Kind::Input || x.kind != Flow::Kind::Input) return std::nullopt;
    const std::int64_t n = up.shifts[0] - x.shifts[0];
    if (n <= 0 || shifted(x, n) != up || test != both(compared(ScalarFn::CompareLt, x, Flow::number(0)), {})) return std::nullopt;
    return either(at_most(up, n - 1), at_least(x, 0));
  }

  /// The value, or a number in its place.
  static Flow limited(const Flow& a, const Flow& b, Flow (*limit)(Flow, std::int64_t)) {
    if (a.kind == Flow::Kind::Input && b.kind == Flow::Kind::Number) return limit(a, b.places.lo);
    if (b.kind == Flow::Kind::Input && a.kind == Flow::Kind::Number) return limit(b, a.places.lo);
    const Flow all = either(a, b);
    return all.kind == Flow::Kind::Input ? all : Flow{};
  }

  /// An index form as a value: a place of an iota, or a datum that is used as it is.
  Flow position(LinId lin) {
    data_in(lin);
    const Lin form = arena_[lin];
    const auto terms = arena_.terms(lin);
    if (terms.empty()) return Flow::number(form.c0);
    if (terms.size() == 1 && terms[0].coef == 1 && arena_.atom(terms[0].atom).kind == AtomKind::Data) {
      return shifted(flow(ExprId{arena_.atom(terms[0].atom).arg}), form.c0);
    }
    return {Flow::Kind::Iota, 0, {}, {form.lo, form.hi}};
  }

  /// The data in a form or a guard, each at its bounds.
  void data_in(LinId lin) {
    for (const Multiple& term : arena_.terms(lin)) {
      const Atom& atom = arena_.atom(term.atom);
      if (atom.kind != AtomKind::Data) continue;
      const Flow index = flow(ExprId{atom.arg});
      // Starts are clamped to their extent; a scatter's to one place more on each side, which stand for those that it drops.
      const bool drops = atom.lo < 0;
      if (index.kind == Flow::Kind::Input) indexes(index, {atom.lo + (drops ? 1 : 0), atom.hi - (drops ? 1 : 0)}, drops);
      else tell(index);
    }
    condition(lin);
  }
  template <class Id>
  void condition(Id id) {
    each_part(arena_, id, [this](auto part) {
      if constexpr (std::is_same_v<decltype(part), LinId>) data_in(part);
      else if constexpr (std::is_same_v<decltype(part), GuardId>) condition(part);
    });
  }

  void indexes(const Flow& index, IntegerSpan extent, bool drops) {
    if (!sequential_ || !counts_) return;
    IndexUses& uses = uses_[index.input];
    // Of `select(x < 0, x + n, x)`, as arrays are indexed from the end, x itself is the index.
    const std::int64_t shift = *std::min_element(index.shifts.begin(), index.shifts.end(), [](std::int64_t a, std::int64_t b) { return std::abs(a) < std::abs(b); });
    const IntegerSpan within{extent.lo - shift, extent.hi - shift};
    if (!uses.indexed) uses.indexed = within;
    uses.indexed->cover(within.lo, within.hi);
    bool wraps = false;
    for (const std::int64_t other : index.shifts) {
      if (other - shift <= extent.hi - extent.lo) continue;  // no value of its own goes there by this way
      wraps = true;
      if (!uses.wrapped) uses.wrapped = IntegerSpan{extent.lo - other, extent.hi - other};
      uses.wrapped->cover(extent.lo - other, extent.hi - other);
    }
    // What a clamp of the program, or a scatter that drops the others, has a meaning for is out of no bounds.
    const bool below = index.places.lo >= extent.lo || (drops && !wraps), above = index.places.hi <= extent.hi || drops;
    const std::optional<IntegerSpan> before = uses.needed;
    if (!below || !above) {
      const IntegerSpan needed{below ? INT64_MIN : within.lo, above ? INT64_MAX : within.hi};
      if (!uses.needed) uses.needed = needed;
      uses.needed->cover(needed.lo, needed.hi);
    }
    if (uses.needed != before || uses.instruction.empty()) uses.instruction = std::string(module_.name_of(at_));
  }

  /// A comparison that is not told yet. Places of an iota that the sequential program compares with are noted.
  Flow compared(ScalarFn how, const Flow& value, const Flow& with) {
    if (value.kind != Flow::Kind::Input || !counts_) return {};
    IndexUses& uses = uses_[value.input];
    Flow test{Flow::Kind::Test};
    for (const std::int64_t shift : value.shifts) {
      if (with.kind == Flow::Kind::Number) {
        for (const std::int64_t told : told_apart(how, with.places.lo, sequential_)) test.told.emplace_back(value.input, told - shift);
      }
      if (with.kind != Flow::Kind::Iota || !sequential_) continue;
      if (!uses.matched) uses.matched = IntegerSpan{with.places.lo - shift, with.places.hi - shift};
      uses.matched->cover(with.places.lo - shift, with.places.hi - shift);
    }
    return test;
  }

  /// Something hangs on these tests: what they tell apart is compared.
  void note(const Flow& tests) {
    for (const auto& [input, value] : tests.told) uses_[input].compared.push_back(value);
  }
  void tell(const Flow& flow) {
    if (flow.kind == Flow::Kind::Test) note(flow);
  }
  void tell(const std::vector<Flow>& flows) {
    for (const Flow& flow : flows) tell(flow);
  }

  Arena& arena_;
  const Module& module_;
  BodyTable& bodies_;
  bool sequential_;
  std::vector<IndexUses>& uses_;
  const std::vector<Flow>* operands_ = nullptr;
  std::map<std::uint32_t, Flow> memo_;
  std::map<std::uint32_t, std::vector<bool>> in_indices_;  ///< by body
  InstructionId at_ = 0;
  bool counts_ = true;  ///< not while the carries of a loop are still being found
};

}  // namespace

std::vector<IndexUses> index_uses(Case& c) {
  std::vector<IndexUses> uses(c.relation.free.size());
  Walk(c, true, uses).run(c.relation);
  Walk(c, false, uses).run(c.relation);
  for (IndexUses& one : uses) {
    std::sort(one.compared.begin(), one.compared.end());
    one.compared.erase(std::unique(one.compared.begin(), one.compared.end()), one.compared.end());
  }
  return uses;
}

}  // namespace gg
