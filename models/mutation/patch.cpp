// Rebuilding a module with a patch (models/mutation/patch.h).
#include "models/mutation/patch.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/ir/kinds.h"

namespace gg::mutation {
namespace {

/// A computation of two scalar parameters whose root is `reducer.op` of them.
std::optional<ComputationId> find_reducer(const Module& module, const Reducer& reducer) {
  for (ComputationId id = 0; id < module.computations().size(); ++id) {
    const Computation& c = module.computation(id);
    if (c.parameters.size() != 2 || c.count != 3 || module[c.root].op != reducer.op) continue;
    const Type& type = module.type(c.root);
    if (type.element != reducer.element || !type.dims.empty()) continue;
    const auto operands = module.operands(c.root);
    if (operands.size() == 2 && operands[0] != operands[1]) return id;
  }
  return std::nullopt;
}

class Rebuilder {
 public:
  Rebuilder(const Module& module, const Patch& patch) : module_(module), patch_(patch), builder_(module.file) {
    for (const Changed& change : patch.changed) changed_[change.id] = &change;
    for (InstructionId id = 0; id < module.size(); ++id) channel_ = std::max(channel_, module[id].channel);
    made_.resize(place({static_cast<std::uint32_t>(patch.added.size()), true}), kNone);
    open_.resize(made_.size());
  }

  std::optional<Module> run() {
    builder_.reserve_all(module_);
    make_reducers();
    for (const ComputationId id : module_.in_order()) {
      if (!computation(id)) return std::nullopt;
    }
    builder_.set_entry(module_.entry());
    builder_.copy_header(module_);
    return builder_.finish();
  }

 private:
  /// The module's own values first, then those that are added.
  std::size_t place(Ref value) const { return value.added ? module_.size() + value.id : value.id; }

  bool is_taken(const std::string& name) const {
    for (InstructionId id = 0; id < module_.size(); ++id) {
      if (module_.name_of(id) == name) return true;
    }
    const auto& all = module_.computations();
    return std::any_of(all.begin(), all.end(), [&](const Computation& c) { return module_.string(c.name) == name; });
  }

  std::string fresh_name(const std::string& base) {
    std::string name = base;
    for (int k = 1; is_taken(name) || !names_.insert(name).second; ++k) name = base + "." + std::to_string(k);
    return name;
  }

  /// The region of a reducer: of the module, or a new one, made before everything else.
  void make_reducers() {
    const auto need = [&](const std::optional<Reducer>& reducer) {
      if (!reducer || reducers_.count({reducer->op, reducer->element}) != 0) return;
      const auto found = find_reducer(module_, *reducer);
      const std::pair key(reducer->op, reducer->element);
      if (found) {
        reducers_[key] = *found;
        return;
      }
      const std::string name = fresh_name("mend_" + std::string(info(reducer->op).name));
      const ComputationId id = builder_.reserve(name);
      reducers_[key] = id;
      builder_.begin(id, 0);
      const TypeId scalar = builder_.intern(Type::array(reducer->element, {}));
      std::vector<InstructionId> parameters;
      for (std::size_t k = 0; k < 2; ++k) {
        parameters.push_back(add_parameter(builder_, k, Type::array(reducer->element, {}), fresh_name(name + "_" + std::to_string(k))));
      }
      Instruction root{reducer->op, scalar, builder_.intern(Attributes()), 0, 0, builder_.intern(fresh_name(name + "_root")), 0, 0};
      builder_.end(builder_.add(root, parameters));
    };
    for (const Added& a : patch_.added) need(a.reducer);
    for (const Changed& c : patch_.changed) need(c.reducer);
  }

  Attributes with_reducer(Attributes attributes, const std::optional<Reducer>& reducer) {
    if (reducer) attributes.set(Attr::ToApply, ComputationList{reducers_.at({reducer->op, reducer->element})});
    return attributes;
  }

  /// What `user` reads where the text says `id`.
  Ref read(InstructionId id, std::optional<InstructionId> user) const {
    for (const Reroute& reroute : patch_.reroutes) {
      if (reroute.from == id && (!reroute.only || reroute.only == user)) return reroute.to;
    }
    return {id, false};
  }

  std::vector<Ref> operands_of(Ref value) const {
    if (value.added) return patch_.added[value.id].operands;
    std::vector<Ref> operands;
    const auto change = changed_.find(value.id);
    if (change != changed_.end()) return change->second->operands;
    for (const InstructionId operand : module_.operands(value.id)) operands.push_back(read(operand, value.id));
    return operands;
  }

  /// Everything that the root needs, through the patch.
  std::vector<bool> live(InstructionId root) const {
    std::vector<bool> seen(made_.size());
    std::vector<Ref> todo = {read(root, std::nullopt)};
    while (!todo.empty()) {
      const Ref value = todo.back();
      todo.pop_back();
      if (seen[place(value)]) continue;
      seen[place(value)] = true;
      for (const Ref operand : operands_of(value)) todo.push_back(operand);
    }
    return seen;
  }

  std::vector<bool> live_before(const Computation& c) const {
    std::vector<bool> seen(module_.size());
    std::vector<InstructionId> todo = {c.root};
    while (!todo.empty()) {
      const InstructionId id = todo.back();
      todo.pop_back();
      if (seen[id]) continue;
      seen[id] = true;
      for (const InstructionId operand : module_.operands(id)) todo.push_back(operand);
    }
    return seen;
  }

  bool computation(ComputationId id) {
    const Computation& c = module_.computation(id);
    const std::vector<bool> needed = live(c.root), before = live_before(c);
    builder_.begin(id, c.line);
    for (InstructionId k = c.first; k < c.first + c.count; ++k) {
      const bool unused = before[k] && !needed[place({k, false})];
      if (unused && !is_parameter(module_, k)) continue;
      if (!emit({k, false}, c)) return false;
    }
    const Ref root = read(c.root, std::nullopt);
    if (!emit(root, c)) return false;
    builder_.end(made_[place(root)]);
    return true;
  }

  bool emit(Ref value, const Computation& c) {
    if (made_[place(value)] != kNone) return true;
    if (!value.added && (value.id < c.first || value.id >= c.first + c.count)) return false;
    if (open_[place(value)]) return false;  // depends on itself
    open_[place(value)] = true;
    std::vector<InstructionId> operands;
    for (const Ref operand : operands_of(value)) {
      if (!emit(operand, c)) return false;
      operands.push_back(made_[place(operand)]);
    }
    open_[place(value)] = false;
    made_[place(value)] = builder_.add(value.added ? fresh(patch_.added[value.id]) : kept(value.id), operands);
    return true;
  }

  /// What number `id` of the module is in the new one; `intern` is asked once.
  template <class Id, class Intern>
  static Id once(std::vector<Id>& known, Id id, Intern intern) {
    if (known.size() <= id) known.resize(id + std::size_t{1}, kNone);
    if (known[id] == kNone) known[id] = intern();
    return known[id];
  }

  Instruction kept(InstructionId id) {
    Instruction copy = module_[id];
    const auto text = [&](StringId s) { return s == kNone ? kNone : once(texts_, s, [&] { return builder_.intern(module_.string(s)); }); };
    const auto change = changed_.find(id);
    copy.type = once(types_, copy.type, [&] { return builder_.intern(module_.type(id)); });
    if (change == changed_.end()) {
      copy.attributes = once(attributes_, copy.attributes, [&] { return builder_.intern(module_.attributes(id)); });
    } else {
      copy.op = change->second->op;
      copy.attributes = builder_.intern(with_reducer(change->second->attributes, change->second->reducer));
      if (info(copy.op).traits != OpTraits::Collective) copy.channel = -1;
    }
    copy.name = text(copy.name);
    copy.metadata = text(copy.metadata);
    copy.sharding = text(copy.sharding);
    return copy;
  }

  Instruction fresh(const Added& added) {
    Instruction made{added.op, builder_.intern(added.type), builder_.intern(with_reducer(added.attributes, added.reducer)), 0, 0,
                     builder_.intern(fresh_name("mend_" + std::string(info(added.op).name))), 0, 0};
    if (added.channel) made.channel = ++channel_;
    return made;
  }

  const Module& module_;
  const Patch& patch_;
  Builder builder_;
  std::map<InstructionId, const Changed*> changed_;
  std::set<std::string> names_;  ///< of what is added
  std::int32_t channel_ = 0;
  std::map<std::pair<Op, ElementType>, ComputationId> reducers_;
  std::vector<StringId> texts_;
  std::vector<TypeId> types_;
  std::vector<AttributesId> attributes_;  ///< of these three by number in the module: what is kept of it
  std::vector<InstructionId> made_;       ///< by place; kNone: not yet
  std::vector<bool> open_;
};

}  // namespace

Ref Patch::add(Added instruction) {
  added.push_back(std::move(instruction));
  return {static_cast<std::uint32_t>(added.size() - 1), true};
}

Changed unchanged(const Module& module, InstructionId id) {
  Changed result{id, module[id].op, module.attributes(id), {}, std::nullopt};
  for (const InstructionId operand : module.operands(id)) result.operands.push_back({operand, false});
  return result;
}

Patch changing(Changed change) {
  Patch patch;
  patch.changed.push_back(std::move(change));
  return patch;
}

Patch rerouting(InstructionId from, Ref to) {
  Patch patch;
  patch.reroutes.push_back({from, to, std::nullopt});
  return patch;
}

std::optional<Module> patched(const Module& module, const Patch& patch) { return Rebuilder(module, patch).run(); }

}  // namespace gg::mutation
