// From nodes to a module: what is needed, under unique names, with the computations that it applies.
#include <algorithm>

#include "models/fx/emitter.h"

namespace gg::fx {
namespace {

bool applies(Op op) { return info(op).traits == OpTraits::Collective; }

}  // namespace

std::string Emitter::fresh(const std::string& name) {
  int& tried = shared_->names.try_emplace(name, -1).first->second;  // references into a map stay; every smaller number is taken
  if (++tried == 0) return name;
  for (;; ++tried) {
    std::string result = name + "." + std::to_string(tried);
    if (shared_->names.try_emplace(result, 0).second) return result;
  }
}

void Emitter::define_regions() {
  Builder& builder = shared_->builder;
  for (const auto& [key, id] : shared_->regions) {
    const auto& [monoid, element] = key;
    const Type type = Type::array(element, {});
    builder.begin(id, 0);
    std::vector<InstructionId> parameters;
    for (std::int64_t k = 0; k < 2; ++k) {
      Instruction parameter{};
      parameter.op = Op::Parameter;
      parameter.type = builder.intern(type);
      Attributes attributes(Attr::Parameter, k);
      parameter.attributes = builder.intern(std::move(attributes));
      parameter.name = builder.intern(k == 0 ? "x" : "y");
      parameters.push_back(builder.add(parameter, {}));
    }
    Instruction root{};
    root.op = monoid;
    root.type = builder.intern(type);
    root.attributes = builder.intern(Attributes{});
    root.name = builder.intern("result");
    builder.end(monoid == Op::Parameter ? parameters[1] : builder.add(root, parameters));
  }
}

InstructionId Emitter::emit(const Node& node, const std::vector<InstructionId>& made) {
  Builder& builder = shared_->builder;
  const Site& site = sites_[node.site];
  Instruction instruction{};
  instruction.op = node.op;
  instruction.type = builder.intern(node.type);
  if (applies(node.op)) instruction.channel = 1;
  instruction.attributes = builder.intern(node.attributes);
  const std::string op(info(node.op).name);
  instruction.name = builder.intern(fresh(!node.name.empty() ? node.name : node.op == Op::Constant ? op
                                                                                                   : site.name + "." + op));
  instruction.line = site.where.line;
  instruction.column = site.where.column;
  if (!site.metadata.empty()) instruction.metadata = builder.intern(site.metadata);
  std::vector<InstructionId> operands;
  for (const NodeId operand : node.operands) operands.push_back(made[operand]);
  const InstructionId id = builder.add(instruction, operands);
  if (node.transfer >= 0) {
    Transfer transfer = transfers_[static_cast<std::size_t>(node.transfer)];
    transfer.instruction = id;
    builder.module().transfers.push_back(std::move(transfer));
  }
  return id;
}

std::vector<bool> Emitter::live_from(const std::vector<NodeId>& roots) const {
  std::vector<bool> live(nodes_.size(), false);
  for (const NodeId root : roots) live[root] = true;
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    live[n] = live[n] || nodes_[n].op == Op::Parameter || nodes_[n].transfer >= 0;
    if (!live[n]) continue;
    for (const NodeId operand : nodes_[n].operands) live[operand] = true;
  }
  return live;
}

void Emitter::name_nodes(const std::vector<bool>& live) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {  // names of statements before those of what they are made of
    if (live[n] && !nodes_[n].name.empty()) nodes_[n].name = fresh(nodes_[n].name);
  }
}

std::vector<InstructionId> Emitter::emit_all(const std::vector<bool>& live) {
  std::vector<InstructionId> made(nodes_.size(), kNone);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!live[n]) continue;
    shared_->names.erase(nodes_[n].name);
    made[n] = emit(nodes_[n], made);
  }
  return made;
}

void Emitter::define_parts() {
  for (const auto& part : parts_) {
    part->define_parts();
    const std::vector<bool> live = part->live_from({part->root_});
    part->name_nodes(live);
    shared_->builder.begin(part->id_, 0);
    shared_->builder.end(part->emit_all(live)[part->root_]);
  }
}

Module Emitter::finish(const std::string& name, const std::vector<NodeId>& outputs, const std::vector<std::string>& names) {
  std::vector<NodeId> roots = outputs;
  for (std::size_t k = 0; k < outputs.size(); ++k) {  // an output is called as the graph calls it
    if (nodes_[roots[k]].name == names[k]) continue;
    const auto own = std::find_if(sites_.rbegin(), sites_.rend(), [&](const Site& site) { return site.name == names[k]; });
    Site site = own == sites_.rend() ? sites_[nodes_[roots[k]].site] : *own;  // the statement that gives the value this name
    site.name = names[k];
    begin(std::move(site));
    roots[k] = add(Op::Copy, {roots[k]});
    nodes_.back().name = names[k];
  }
  Builder& builder = shared_->builder;
  std::vector<NodeId> kept = roots;  // and where the sequential graph raises, though nothing may be made of that
  if (shared_->sequential == nullptr)
    for (const auto& [node, read] : accepted_) kept.push_back(node);
  const std::vector<bool> live = live_from(kept);
  name_nodes(live);
  const ComputationId entry = builder.reserve("main");
  define_parts();
  define_regions();
  builder.begin(entry, 0);
  const std::vector<InstructionId> made = emit_all(live);
  std::vector<InstructionId> operands;
  std::vector<Type> types;
  for (const NodeId root : roots) {
    operands.push_back(made[root]);
    types.push_back(nodes_[root].type);
  }
  Instruction tuple{};
  tuple.op = Op::Tuple;
  tuple.type = builder.intern(Type::tuple(std::move(types)));
  tuple.attributes = builder.intern(Attributes{});
  tuple.name = builder.intern(fresh("outputs"));
  builder.end(builder.add(tuple, operands));
  builder.set_entry(entry);
  builder.module().name = name;
  builder.module().scheduled = !transfers_.empty();
  Module module = builder.finish();
  for (const auto& [node, read] : accepted_) {
    if (made[node] != kNone) accepted_names_.emplace(module.name_of(made[node]), read.span);
  }
  return module;
}

}  // namespace gg::fx
