#include "models/pair/index_uses.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "models/body/reads.h"
#include "models/ir/flatten.h"
#include "models/op/row_form.h"
#include "models/pair/index_expressions.h"

namespace gg {
namespace {

/// One program, instruction by instruction.
class Walk {
 public:
  Walk(Case& c, bool sequential, std::vector<IndexUses>& uses)
      : arena_(*c.arena), module_(sequential ? *c.sequential : *c.distributed), bodies_(sequential ? *c.sequential_bodies : *c.distributed_bodies), sequential_(sequential), uses_(uses), expressions_(arena_, sequential, uses) {}

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
      inputs.push_back(expressions_.of(body.root, free, {}));
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
    std::vector<Origins> spoiled;
    const std::vector<Flow> outputs = computation(flat, inputs, origins, nullptr, &spoiled);
    if (sequential_) what_is_missing(outputs, spoiled);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (k >= relation.outputs.size() || relation.outputs[k].name != kInRange) expressions_.tell(outputs[k]);
    }
  }

 private:
  /// Free inputs that a value is computed of, a bit each; the last bit is all from the 63rd on.
  using Origins = std::uint64_t;
  static Origins origin(std::size_t input) { return Origins{1} << std::min<std::size_t>(input, 63); }

  /// The premise leaves out values for which a lookup gives NaN, as the program says nothing of them then. If no output is NaN for them, all have a
  /// meaning (a comparison, an argmax or a sort has made one of it), and none is left out.
  void what_is_missing(const std::vector<Flow>& outputs, const std::vector<Origins>& spoiled) {
    Flow left;
    for (const Flow& output : outputs) left.join_missing(output);
    for (const auto& [input, value] : expressions_.filled()) {
      uses_[input].filled = true;
      if (!std::ranges::binary_search(left.told, std::pair{input, value})) uses_[input].compared.push_back(value);
    }
    for (const std::size_t input : expressions_.looked_up) {
      for (const Origins of_output : spoiled) uses_[input].spoils.push_back((of_output & origin(input)) != 0);
    }
  }

  /// Flows of the results, given those of the parameters' leaves. `origins` likewise; those of all results together are left in it. `spoiled`: by
  /// result, the inputs by which something was looked up that it hangs on.
  std::vector<Flow> computation(const FlatProgram& flat, const std::vector<Flow>& inputs, std::vector<Origins> origins, Origins* of_results = nullptr,
                                std::vector<Origins>* spoiled = nullptr) {
    std::vector<std::uint32_t> first;
    std::uint32_t count = 0;
    for (const FlatNode& n : flat.nodes) {
      first.push_back(count);
      count += static_cast<std::uint32_t>(module_.type(n.instruction).leaves().size());
    }
    std::vector<Flow> flows(count);
    std::vector<Origins> from(flat.nodes.size()), spoils(flat.nodes.size());
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
        spoils[node] |= spoils[v.node];
      }
      std::set<std::size_t> outer = std::exchange(expressions_.looked_up, {});
      std::vector<Flow> results = instruction(n.instruction, operands, origins_in, from[node]);
      if (orders_rows(n.instruction)) {  // what else steers the order makes no element larger
        for (std::size_t k = 0; k < results.size(); ++k) given[first[node] + static_cast<std::uint32_t>(k)] = k < origins_in.size() ? origins_in[k] : 0;
        from[node] = 0;
      }
      for (const std::size_t input : expressions_.looked_up) spoils[node] |= origin(input);
      expressions_.looked_up.merge(outer);
      for (std::size_t k = 0; k < results.size(); ++k) flows[first[node] + k] = results[k].named(first[node] + k);
    }
    std::vector<Flow> outputs;
    for (const FlatValue v : flat.outputs) {
      outputs.push_back(at(v));
      if (of_results != nullptr) *of_results |= origins_of(v);
      if (spoiled != nullptr) spoiled->push_back(spoils[v.node]);
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
    const LeafTypes leaves = module_.type(id).leaves();
    const bool moved = missing.kind != Flow::Kind::None && bodies_.body(id, 0) == nullptr && row_form(bodies_.call(id)).has_value();  // a sort leaves numbers elsewhere
    std::vector<Flow> results;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const bool array = leaves[leaf]->is_array(), integral = array && is_integral(leaves[leaf]->element);
      // Numbers and iotas matter to integers only; a float of one that is missing is missing, a truth may tell that it is.
      const bool walked = followed || (integral && (leaves.size() == 1 || missing.kind != Flow::Kind::None)) || op == Op::Constant;
      const Body* body = walked && array ? bodies_.body(id, static_cast<int>(leaf)) : nullptr;
      if (walked && body == nullptr) expressions_.tell(operands);
      Flow result = body == nullptr ? Flow{} : expressions_.of(body->root, operands, module_.name_of(id));
      if (array && !integral && !moved && result.kind == Flow::Kind::None) result = missing;
      results.push_back(std::move(result));
    }
    return results;
  }

  /// A sort, whose k-th result has the elements of its k-th operand, or a top-k, whose second result is places.
  bool orders_rows(InstructionId id) {
    if (bodies_.body(id, 0) != nullptr) return false;
    const std::optional<RowForm> form = row_form(bodies_.call(id));
    return form && form->keeps && form->window.empty();
  }

  /// Carries that every iteration hands on unchanged keep what they are; the others are unknown. A carry less each time round.
  std::vector<Flow> loop(InstructionId id, std::vector<Flow> carries, Origins all) {
    const std::vector<Origins> origins(carries.size(), all);
    const Attributes& attributes = module_.attributes(id);
    const FlatProgram body = flatten(module_, attributes.computations(Attr::Body).at(0));
    const bool counts = std::exchange(expressions_.counts, false);
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<Flow> after = computation(body, carries, origins);
      for (std::size_t k = 0; k < carries.size(); ++k) {
        if (carries[k].kind == Flow::Kind::None || carries[k].kind == Flow::Kind::Missing || after.at(k) == carries[k]) continue;
        expressions_.tell(carries[k]);
        carries[k] = {};
        changed = true;
      }
    }
    expressions_.counts = counts;
    for (bool changed = true; changed;) {  // what is missing after one iteration is so in the next
      changed = false;
      const std::vector<Flow> after = computation(body, carries, origins);
      expressions_.tell(after);
      for (std::size_t k = 0; k < carries.size(); ++k) {
        if (after.at(k).kind == Flow::Kind::Missing) changed |= carries[k].join_missing(after[k]);
      }
    }
    Origins condition = 0;
    expressions_.tell(computation(flatten(module_, attributes.computations(Attr::Condition).at(0)), carries, origins, &condition));
    reached(condition);
    return carries;
  }

  /// Notes what stands in an index of this instruction. Bodies are shared by many.
  void indices(InstructionId id, const std::vector<Origins>& origins) {
    const LeafTypes leaves = module_.type(id).leaves();
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

  Arena& arena_;
  const Module& module_;
  BodyTable& bodies_;
  bool sequential_;
  std::vector<IndexUses>& uses_;
  IndexExpressions expressions_;
  std::map<std::uint32_t, std::vector<bool>> in_indices_;  ///< by body
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
