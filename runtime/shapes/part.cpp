#include "runtime/shapes/part.h"

#include <algorithm>
#include <unordered_map>

#include "models/ir/control_flow.h"
#include "models/ir/structure.h"
#include "models/ir/verify.h"
#include "runtime/shapes/reduce.h"

namespace gg {
namespace {

bool all_arrays(const Module& module, std::span<const InstructionId> values) {
  return std::all_of(values.begin(), values.end(), [&](InstructionId id) { return module.type(id).is_array(); });
}

/// One program with what stays of it.
class PartBuilder {
 public:
  PartBuilder(const Module& module, const Kept& kept)
      : module_(module), entry_(module.computation(module.entry())), kept_(kept), builder_(module.file) {}

  /// Nothing where a value would hang on itself, or has nothing in its place.
  std::optional<Module> run() {
    called_.resize(module_.computations().size());
    for (InstructionId id = entry_.first; id < entry_.first + entry_.count; ++id) {
      if (stays(id)) call(id);
    }
    called_[module_.entry()] = true;
    for (ComputationId id = 0; id < module_.computations().size(); ++id) {
      if (called_[id]) builder_.reserve(module_.string(module_.computation(id).name));
    }
    for (const ComputationId id : module_.in_order()) {
      if (called_[id] && id != module_.entry()) copy(module_.computation(id));
    }
    if (!make_entry()) return std::nullopt;
    builder_.set_entry(builder_.reserve(module_.string(entry_.name)));
    builder_.copy_header(module_);
    builder_.copy_sources(module_);
    builder_.module().aliases.clear();
    return builder_.finish();
  }

 private:
  bool stays(InstructionId id) const { return id == entry_.root || kept_.stays[id - entry_.first]; }

  void call(InstructionId id) {
    for (const ComputationId c : computations_of(module_, id)) {
      if (called_[c]) continue;
      called_[c] = true;
      const Computation& callee = module_.computation(c);
      for (InstructionId k = callee.first; k < callee.first + callee.count; ++k) call(k);
    }
  }

  void copy(const Computation& c) {
    builder_.begin(builder_.reserve(module_.string(c.name)), c.line);
    for (InstructionId id = c.first; id < c.first + c.count; ++id) {
      std::vector<InstructionId> operands;
      for (const InstructionId operand : module_.operands(id)) operands.push_back(made_[operand]);
      made_[id] = builder_.add(instruction(id), operands);
    }
    builder_.end(made_[c.root]);
  }

  Instruction instruction(InstructionId id) {
    Instruction copy = module_[id];
    Attributes attributes = with_computations(module_.attributes(id), [&](ComputationId c) { return builder_.reserve(module_.string(module_.computation(c).name)); });
    if (structure_of(module_, id) == Structure::Parameter && module_.computation_of(id) == module_.entry()) {
      const auto at = std::find(kept_inputs_.begin(), kept_inputs_.end(), id);
      attributes.set(Attr::Parameter, static_cast<std::int64_t>(at - kept_inputs_.begin()));
    }
    copy.type = builder_.intern(module_.type(id));
    copy.attributes = builder_.intern(std::move(attributes));
    const auto intern = [&](StringId s) { return s == kNone ? kNone : builder_.intern(module_.string(s)); };
    copy.name = intern(copy.name);
    copy.metadata = intern(copy.metadata);
    copy.sharding = intern(copy.sharding);
    return copy;
  }

  bool make_entry() {
    for (const InstructionId id : entry_.parameters) {
      if (stays(id)) kept_inputs_.push_back(id);
    }
    builder_.begin(builder_.reserve(module_.string(entry_.name)), entry_.line);
    for (InstructionId id = entry_.first; id < entry_.first + entry_.count; ++id) {
      if (stays(id) && !add(id)) return false;
    }
    builder_.end(made_[entry_.root]);
    return true;
  }

  /// The operands first: the text of a value may stand before that of what it now reads.
  bool add(InstructionId first) {
    std::vector<InstructionId> todo = {first};
    while (!todo.empty()) {
      const InstructionId id = todo.back();
      if (made_.count(id) != 0) {
        todo.pop_back();
        continue;
      }
      std::vector<InstructionId> operands;
      bool ready = true;
      for (const InstructionId operand : module_.operands(id)) {
        if (id == entry_.root && !stays(operand)) continue;
        const InstructionId read = stays(operand) ? operand : kept_.in_place_of ? kept_.in_place_of(operand, id)
                                                                                : kNone;
        if (read == kNone || todo.size() > entry_.count) return false;
        const auto found = made_.find(read);
        if (found != made_.end()) operands.push_back(found->second);
        else todo.push_back(read), ready = false;
      }
      if (!ready) continue;
      Instruction copy = instruction(id);
      if (id == entry_.root) copy.type = builder_.intern(root_type());
      made_[id] = builder_.add(copy, operands);
      todo.pop_back();
    }
    return true;
  }

  Type root_type() const {
    Type type = module_.type(entry_.root);
    type.elements.clear();
    for (const InstructionId output : module_.operands(entry_.root)) {
      if (stays(output)) type.elements.push_back(module_.type(output));
    }
    return type;
  }

  const Module& module_;
  const Computation& entry_;
  const Kept& kept_;
  Builder builder_;
  std::vector<bool> called_;  ///< by computation
  std::vector<InstructionId> kept_inputs_;
  std::unordered_map<InstructionId, InstructionId> made_;
};

std::vector<bool> staying(const Module& module, std::span<const InstructionId> values, const Kept& kept) {
  std::vector<bool> result;
  for (const InstructionId id : values) result.push_back(kept.stays[id - module.computation(module.entry()).first]);
  return result;
}

template <class T>
void keep(std::vector<T>& list, const std::vector<bool>& kept) {
  std::vector<T> rest;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (kept[k]) rest.push_back(std::move(list[k]));
  }
  list = std::move(rest);
}

/// The relation of what is left, as text.
std::string relation_of(const Relation& given, const std::vector<bool>& in, const std::vector<bool>& out) {
  Relation relation;
  relation.mesh = given.mesh;
  relation.input_placements = given.input_placements;
  relation.output_placements = given.output_placements;
  relation.next = given.next;
  std::vector<std::int64_t> number;
  for (std::size_t k = 0; k < in.size(); ++k) number.push_back(k == 0 ? 0 : number.back() + (in[k - 1] ? 1 : 0));
  for (FreeInput free : given.free) {
    const auto leaf = static_cast<std::size_t>(free.leaf);
    if (!in[leaf]) continue;
    free.leaf = static_cast<int>(number[leaf]);
    relation.free.push_back(std::move(free));
  }
  keep(relation.input_placements, in);
  keep(relation.output_placements, out);
  relation.next.resize(out.size());
  keep(relation.next, out);
  for (auto& next : relation.next) {
    if (next && !in[static_cast<std::size_t>(*next)]) next.reset();
    else if (next) next = number[static_cast<std::size_t>(*next)];
  }
  return print_relation(relation, Notation::Json);
}

/// What the outputs hang on, and these inputs.
Kept cone_of(const Module& module, const std::vector<std::size_t>& outputs, const std::vector<std::size_t>& inputs) {
  const Computation& entry = module.computation(module.entry());
  Kept kept{std::vector<bool>(entry.count), {}};
  for (const std::size_t k : outputs) kept.stays[entry_outputs(module)[k] - entry.first] = true;
  for (InstructionId id = entry.first + entry.count; id-- > entry.first;) {
    if (id == entry.root || !kept.stays[id - entry.first]) continue;
    for (const InstructionId operand : module.operands(id)) kept.stays[operand - entry.first] = true;
  }
  for (const std::size_t k : inputs) kept.stays[entry_inputs(module)[k] - entry.first] = true;
  return kept;
}

}  // namespace

bool has_parts(const Case& c) {
  const auto plain = [](const Module& m) { return structure_of(m, m.computation(m.entry()).root) == Structure::Join && all_arrays(m, entry_outputs(m)) && all_arrays(m, entry_inputs(m)); };
  const auto stands_alone = [](const Placement& p) { return p.kind != Placement::Kind::Hlo && p.kind != Placement::Kind::Parts; };
  const Relation& r = c.relation;
  const std::size_t in = r.input_placements.size(), out = r.output_placements.size();
  return c.manual_regions == 0 && !r.recorded && !r.file.empty() && plain(*c.sequential) && plain(*c.distributed) && entry_inputs(*c.sequential).size() == in &&
         entry_inputs(*c.distributed).size() == in && entry_outputs(*c.sequential).size() == out && entry_outputs(*c.distributed).size() == out &&
         std::all_of(r.input_placements.begin(), r.input_placements.end(), stands_alone) &&
         std::all_of(r.output_placements.begin(), r.output_placements.end(), stands_alone);
}

std::optional<Case> part_of(const Case& c, const Kept& sequential, const Kept& distributed) try {
  const auto in = staying(*c.distributed, entry_inputs(*c.distributed), distributed), out = staying(*c.distributed, entry_outputs(*c.distributed), distributed);
  const bool same = staying(*c.sequential, entry_inputs(*c.sequential), sequential) == in && staying(*c.sequential, entry_outputs(*c.sequential), sequential) == out;
  if (!same) return std::nullopt;
  std::optional<Module> one = PartBuilder(*c.sequential, sequential).run(), other = PartBuilder(*c.distributed, distributed).run();
  if (!one || !other) return std::nullopt;
  for (const Module* module : {&*one, &*other}) verify(*module, {.opaque_targets = {}, .allow_elided = true, .accept_unknown_calls = true});
  ShapeReduction part{};
  part.sequential = std::move(*one);
  part.distributed = std::move(*other);
  part.relation = relation_of(c.relation, in, out);
  Case result = reduced_case(c, part);
  result.stated = c.stated;
  return result;
} catch (const InputError&) {
  return std::nullopt;  // it does not stand on its own
}

std::optional<Case> with_outputs(const Case& c, const std::vector<std::size_t>& outputs) {
  if (!has_parts(c)) return std::nullopt;
  std::vector<std::size_t> inputs;
  for (const Module* module : {c.sequential.get(), c.distributed.get()}) {
    const std::vector<bool> read = staying(*module, entry_inputs(*module), cone_of(*module, outputs, {}));
    for (std::size_t k = 0; k < read.size(); ++k) {
      if (read[k]) inputs.push_back(k);
    }
  }
  return part_of(c, cone_of(*c.sequential, outputs, inputs), cone_of(*c.distributed, outputs, inputs));
}

}  // namespace gg
