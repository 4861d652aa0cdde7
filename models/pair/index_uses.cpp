#include "models/pair/index_uses.h"

#include <algorithm>
#include <map>

#include "models/body/parts.h"
#include "models/body/reads.h"
#include "models/ir/flatten.h"
#include "models/op/row_form.h"

namespace gg {
namespace {

constexpr std::size_t kMostSteps = 4;                 ///< constants that one value may be shifted by, in different branches
constexpr std::int64_t kFar = std::int64_t{1} << 53;  ///< beyond it a shifted number is not followed

/// What a value is: elements of one free input, each plus one of `shifts`; or the places lo..hi of an iota; or a number.
struct Flow {
  enum class Kind : std::uint8_t { None,
                                   Input,
                                   Iota,
                                   Number } kind = Kind::None;
  std::size_t input = 0;
  std::vector<std::int64_t> shifts;  ///< ascending
  IntegerSpan places;                ///< Iota; Number: lo == hi
  friend bool operator==(const Flow&, const Flow&) = default;
};

Flow number(std::int64_t value) { return {Flow::Kind::Number, 0, {}, {value, value}}; }

Flow shifted(Flow flow, std::int64_t by) {
  if (std::abs(by) > kFar) return {};
  for (std::int64_t& shift : flow.shifts) {
    shift += by;
    if (std::abs(shift) > kFar) return {};
  }
  return flow;
}

/// A value that is one of two. A number beside elements of an input replaces some of them.
Flow either(const Flow& a, const Flow& b) {
  if (a == b) return a;
  if (a.kind == Flow::Kind::Input && b.kind == Flow::Kind::Number) return a;
  if (b.kind == Flow::Kind::Input && a.kind == Flow::Kind::Number) return b;
  if (a.kind != Flow::Kind::Input || b.kind != Flow::Kind::Input || a.input != b.input) return {};
  Flow both = a;
  both.shifts.insert(both.shifts.end(), b.shifts.begin(), b.shifts.end());
  std::sort(both.shifts.begin(), both.shifts.end());
  both.shifts.erase(std::unique(both.shifts.begin(), both.shifts.end()), both.shifts.end());
  return both.shifts.size() > kMostSteps ? Flow{} : both;
}

bool is_comparison(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::CompareEq:
    case ScalarFn::CompareNe:
    case ScalarFn::CompareGe:
    case ScalarFn::CompareGt:
    case ScalarFn::CompareLe:
    case ScalarFn::CompareLt: return true;
    default: return false;
  }
}

/// One program, instruction by instruction.
class Walk {
 public:
  Walk(Case& c, bool sequential, std::vector<IndexUses>& uses)
      : arena_(*c.arena), module_(sequential ? *c.sequential : *c.distributed), bodies_(sequential ? *c.sequential_bodies : *c.distributed_bodies), sequential_(sequential), uses_(uses) {}

  void run(const Relation& relation) {
    std::vector<Flow> free;
    for (const FreeInput& input : relation.free) {
      const bool followed = is_integral(input.type.element) && input.type.element != ElementType::Pred;
      free.push_back(followed ? Flow{Flow::Kind::Input, free.size(), {0}, {}} : Flow{});
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
    if (any) computation(flatten(module_), inputs, origins);
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
    for (std::size_t k = 0; k < inputs.size(); ++k) at(flat.inputs[k]) = inputs[k];
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
      for (std::size_t k = 0; k < results.size(); ++k) flows[first[node] + k] = std::move(results[k]);
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
    const bool followed = std::any_of(operands.begin(), operands.end(), [](const Flow& f) { return f.kind == Flow::Kind::Input; });
    if (all != 0) indices(id, origins);
    const std::vector<const Type*> leaves = module_.type(id).leaves();
    const bool integral = leaves.size() == 1 && leaves[0]->is_array() && is_integral(leaves[0]->element);
    if (!followed && !integral) return {};  // numbers and iotas matter to integers only
    at_ = id;
    std::vector<Flow> results;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const Body* body = leaves[leaf]->is_array() ? bodies_.body(id, static_cast<int>(leaf)) : nullptr;
      results.push_back(body == nullptr ? Flow{} : of(body->root, operands));
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
        if (carries[k].kind == Flow::Kind::None || after.at(k) == carries[k]) continue;
        carries[k] = {};
        changed = true;
      }
    }
    counts_ = counts;
    computation(body, carries, origins);
    Origins condition = 0;
    computation(flatten(module_, attributes.computations(Attr::Condition).at(0)), carries, origins, &condition);
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
      case ExprKind::Lit: return is_integral(expr.type) ? number(arena_.scalar(id).integer) : Flow{};
      case ExprKind::Index: return position(LinId{expr.arg});
      case ExprKind::Case: {
        condition(arena_.guard(id));
        const Flow then = flow(arena_.kids(id)[0]), otherwise = flow(arena_.kids(id)[1]);
        // A part of the elements is something else (padding, another array): only the same input may stand there.
        return then.kind == otherwise.kind ? either(then, otherwise) : Flow{};
      }
      case ExprKind::Fold:
        condition(arena_.guard(id));
        for (const ExprId kid : arena_.kids(id)) flow(kid);
        return {};
      case ExprKind::Fn: return function(expr, arena_.kids(id));
      case ExprKind::Unknown: return {};
    }
    return {};
  }

  Flow function(const Expr& expr, std::span<const ExprId> kids) {
    std::vector<Flow> args;
    for (const ExprId kid : kids) args.push_back(flow(kid));
    if (is_comparison(expr.fn)) {
      compared(args[0], args[1]);
      compared(args[1], args[0]);
      return {};
    }
    if (!is_integral(expr.type)) return {};
    switch (expr.fn) {
      case ScalarFn::Convert: return is_integral(arena_[kids[0]].type) ? args[0] : Flow{};
      case ScalarFn::Add:
        if (args[1].kind == Flow::Kind::Number) return moved(args[0], args[1].places.lo);
        return args[0].kind == Flow::Kind::Number ? moved(args[1], args[0].places.lo) : Flow{};
      case ScalarFn::Subtract: return args[1].kind == Flow::Kind::Number ? moved(args[0], -args[1].places.lo) : Flow{};
      case ScalarFn::Max:
      case ScalarFn::Min:
      case ScalarFn::Clamp: {  // the value, or a number in its place
        Flow all = args[0];
        for (std::size_t k = 1; k < args.size(); ++k) all = either(all, args[k]);
        return all.kind == Flow::Kind::Input ? all : Flow{};
      }
      case ScalarFn::Select: return either(args[1], args[2]);
      default: return {};
    }
  }

  static Flow moved(Flow flow, std::int64_t by) {
    if (flow.kind == Flow::Kind::Input) return shifted(std::move(flow), by);
    if (flow.kind == Flow::Kind::None || std::abs(by) > kFar) return {};
    flow.places = {flow.places.lo + by, flow.places.hi + by};
    return flow;
  }

  /// An index form as a value: a place of an iota, or a datum that is used as it is.
  Flow position(LinId lin) {
    data_in(lin);
    const Lin form = arena_[lin];
    const auto terms = arena_.terms(lin);
    if (terms.empty()) return number(form.c0);
    if (terms.size() == 1 && terms[0].coef == 1 && arena_.atom(terms[0].atom).kind == AtomKind::Data) {
      return moved(flow(ExprId{arena_.atom(terms[0].atom).arg}), form.c0);
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
      if (index.kind == Flow::Kind::Input) indexes(index, {atom.lo + (drops ? 1 : 0), atom.hi - (drops ? 1 : 0)});
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

  void indexes(const Flow& index, IntegerSpan extent) {
    if (!sequential_ || !counts_) return;
    IndexUses& uses = uses_[index.input];
    const std::optional<IntegerSpan> before = uses.indexed;
    // Of `select(x < 0, x + n, x)`, as arrays are indexed from the end, x itself is the index.
    const std::int64_t shift = *std::min_element(index.shifts.begin(), index.shifts.end(), [](std::int64_t a, std::int64_t b) { return std::abs(a) < std::abs(b); });
    if (!uses.indexed) uses.indexed = IntegerSpan{extent.lo - shift, extent.hi - shift};
    uses.indexed->cover(extent.lo - shift, extent.hi - shift);
    for (const std::int64_t other : index.shifts) {
      if (other - shift <= extent.hi - extent.lo) continue;  // no value of its own goes there by this way
      if (!uses.wrapped) uses.wrapped = IntegerSpan{extent.lo - other, extent.hi - other};
      uses.wrapped->cover(extent.lo - other, extent.hi - other);
    }
    if (uses.indexed != before) uses.instruction = std::string(module_.name_of(at_));
  }

  void compared(const Flow& value, const Flow& with) {
    if (value.kind != Flow::Kind::Input || !counts_) return;
    IndexUses& uses = uses_[value.input];
    for (const std::int64_t shift : value.shifts) {
      if (with.kind == Flow::Kind::Number) uses.compared.push_back(with.places.lo - shift);
      if (with.kind != Flow::Kind::Iota || !sequential_) continue;
      if (!uses.matched) uses.matched = IntegerSpan{with.places.lo - shift, with.places.hi - shift};
      uses.matched->cover(with.places.lo - shift, with.places.hi - shift);
    }
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

std::optional<IntegerSpan> in_bounds(const FreeInput& input, const IndexUses& uses) {
  if (!uses.indexed || input.range.origin == Range::Origin::Given || !input.combined_by.empty()) return std::nullopt;
  IntegerSpan span = *uses.indexed;
  for (const std::int64_t value : uses.compared) span.cover(value, value);
  return span.within(IntegerSpan::of(input.type.element));
}

std::optional<IntegerSpan> from_end(const FreeInput& input, const IndexUses& uses) {
  const auto premise = in_bounds(input, uses);
  if (!premise || !uses.wrapped) return std::nullopt;
  const IntegerSpan taken = uses.wrapped->within(IntegerSpan::of(input.type.element));
  const IntegerSpan below{taken.lo, std::min(taken.hi, premise->lo - 1)};
  return below.lo <= below.hi ? std::optional(below) : std::nullopt;
}

std::optional<Assumption> in_bounds_assumption(const Case& c, std::size_t input, const IndexUses& uses) {
  const auto span = in_bounds(c.relation.free[input], uses);
  if (!span || span->lo > span->hi) return std::nullopt;
  return Assumption{AssumptionKind::InBounds, {"x" + std::to_string(input), std::to_string(span->lo), std::to_string(span->hi + 1), uses.instruction}};
}

}  // namespace gg
