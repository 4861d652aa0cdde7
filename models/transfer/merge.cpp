// Emission of the merged module: instructions in an order that the transfers allow, transfers as collective-permutes.
#include "models/transfer/merge.h"

#include <algorithm>
#include <array>
#include <set>

#include "models/base/check.h"
#include "models/ir/control_flow.h"

namespace gg {
namespace {

class Merger {
 public:
  Merger(std::span<const RankClass> programs, const Wiring* wiring)
      : programs_(programs), wiring_(wiring), transfers_(programs), builder_(wiring == nullptr ? programs[0].module->file : wiring->file) {
    check_progress(transfers_);
    for (const RankClass& c : programs_) made_.emplace_back(c.module->size(), kNone);
  }

  Module run() {
    for (std::uint32_t p = 0; p < programs_.size(); ++p) {
      const Module& module = *programs_[p].module;
      for (const ComputationId id : module.in_order()) {
        if (id == module.entry()) continue;
        const Computation& computation = module.computation(id);
        open(builder_.reserve(prefix(p) + std::string(module.string(computation.name))), computation.line);
        emit({{{p, id}}, false});
        builder_.end(made({p, computation.root}));
      }
    }
    wiring_ == nullptr ? single_entry() : joint_entry();
    Module& module = builder_.module();
    module.replaced_transfers = transfers_.count();
    return builder_.finish();
  }

 private:
  const Module& module_of(Place place) const { return *programs_[place.program].module; }
  std::string prefix(std::uint32_t program) const { return programs_[program].name.empty() ? "" : programs_[program].name + "."; }

  /// What an instruction of a program became.
  InstructionId made(Place place) const {
    const InstructionId id = made_[place.program][place.id];
    GG_CHECK(id != kNone, "an instruction is used before it is made");
    return id;
  }

  void open(ComputationId id, std::uint32_t line) {
    builder_.begin(id, line);
    names_.clear();
  }

  StringId fresh(const std::string& name) {
    std::string result = name;
    for (int k = 1; !names_.insert(result).second; ++k) result = name + "." + std::to_string(k);
    return builder_.intern(result);
  }

  void single_entry() {
    const Module& module = *programs_[0].module;
    const Computation& entry = module.computation(module.entry());
    builder_.copy_header(module);
    const ComputationId id = builder_.reserve(module.string(entry.name));
    open(id, entry.line);
    emit({{{0, module.entry()}}, true});
    builder_.end(made({0, entry.root}));
    builder_.set_entry(id);
  }

  void joint_entry() {
    builder_.module().name = wiring_->name;
    builder_.module().replica_count = programs_[0].layout.replicas;
    builder_.module().num_partitions = programs_[0].layout.partitions;
    for (const RankClass& c : programs_) builder_.module().files.push_back(c.module->file);
    const Module& first = *programs_[0].module;
    const ComputationId id = builder_.reserve(programs_.size() == 1 ? first.string(first.computation(first.entry()).name) : "main");
    open(id, 0);
    joint_ = true;
    for (std::size_t k = 0; k < wiring_->parameters.size(); ++k) {
      const Wiring::Parameter& parameter = wiring_->parameters[k];
      Instruction instruction{};
      instruction.op = Op::Parameter;
      instruction.metadata = parameter.metadata.empty() ? kNone : builder_.intern(parameter.metadata);
      parameters_.push_back(add(instruction, parameter.name, parameter.type, {Attr::Parameter, static_cast<std::int64_t>(k)}, {}));
    }
    Scene scene{{}, true};
    for (std::uint32_t p = 0; p < programs_.size(); ++p) scene.computations.emplace_back(p, programs_[p].module->entry());
    emit(scene);
    std::vector<std::vector<InstructionId>> results;
    for (std::uint32_t p = 0; p < programs_.size(); ++p) {
      results.emplace_back();
      const Module& module = *programs_[p].module;
      leaves({p, module.computation(module.entry()).root}, results.back());
    }
    std::vector<InstructionId> outputs;
    for (const Wiring::Output& output : wiring_->outputs) {
      std::vector<InstructionId> pieces;
      for (const Wiring::Piece& piece : output.pieces) pieces.push_back(results[piece.program][piece.leaf]);
      outputs.push_back(pieces.size() == 1 ? pieces[0] : joined(pieces, output.dimension));
    }
    std::vector<Type> types;
    for (const InstructionId output : outputs) types.push_back(builder_.module().type(output));
    Instruction root{};
    root.op = Op::Tuple;
    builder_.end(add(root, "outputs", Type::tuple(std::move(types)), {}, outputs));
    builder_.set_entry(id);
  }

  InstructionId add(Instruction instruction, const std::string& name, Type type, Attributes attributes, std::span<const InstructionId> operands) {
    instruction.name = fresh(name);
    instruction.type = builder_.intern(std::move(type));
    instruction.attributes = builder_.intern(std::move(attributes));
    return builder_.add(instruction, operands);
  }

  InstructionId joined(const std::vector<InstructionId>& pieces, std::int64_t dimension) {
    Type type = builder_.module().type(pieces[0]);
    type.layout.clear();
    for (std::size_t k = 1; k < pieces.size(); ++k) {
      type.dims[static_cast<std::size_t>(dimension)] += builder_.module().type(pieces[k]).dims[static_cast<std::size_t>(dimension)];
    }
    Instruction instruction{};
    instruction.op = Op::Concatenate;
    return add(instruction, "joined", std::move(type), {Attr::BroadcastDims, IntList{dimension}}, pieces);
  }

  InstructionId element(InstructionId tuple, std::size_t k, const Instruction& like, const std::string& name) {
    Instruction instruction = like;
    instruction.op = Op::GetTupleElement;
    Type type = builder_.module().type(tuple).elements[k];
    return add(instruction, name, std::move(type), {Attr::Index, static_cast<std::int64_t>(k)}, std::array{tuple});
  }

  /// The array leaves of a program's result.
  void leaves(Place root, std::vector<InstructionId>& out) {
    const Module& module = module_of(root);
    const auto types = module.type(root.id).leaves();
    if (std::none_of(types.begin(), types.end(), [](const Type* type) { return type->is_array(); })) return;  // tokens
    if (module[root.id].op == Op::Tuple) {
      for (const InstructionId operand : module.operands(root.id)) leaves({root.program, operand}, out);
    } else {
      parts(root, made(root), out);
    }
  }

  void parts(Place place, InstructionId value, std::vector<InstructionId>& out) {
    const Type type = builder_.module().type(value);
    if (type.is_array()) out.push_back(value);
    for (std::size_t k = 0; k < type.elements.size(); ++k) {
      if (type.elements[k].leaves().empty() || type.elements[k] == Type::token()) continue;
      parts(place, element(value, k, header(place), prefix(place.program) + "result"), out);
    }
  }

  /// An instruction without operands and attributes, at the place and with the notes of another one.
  Instruction header(Place place) {
    const Module& module = module_of(place);
    Instruction copy = builder_.like(module, place.id);
    copy.text = wiring_ == nullptr ? 0 : place.program;
    if (copy.metadata != kNone) copy.metadata = builder_.intern(module.resolved_metadata(place.id));
    return copy;
  }

  /// The value that the ranks of a recv get: one send's.
  Place sent(const Endpoint& recv) const {
    std::optional<Place> send;
    for (const auto& [source, target] : recv.pairs) {
      const Place from = transfers_.partner(recv, target)->endpoint->place;
      if (!send) send = from;
      if (*send == from) continue;
      throw InputError(DiagCode::UnsupportedForm, transfers_.where(recv.place),
                       transfers_.text(recv.place) + " receives from different sends on different ranks: " + transfers_.text(*send) + " and " +
                           transfers_.text(from),
                       {"list the ranks that run it as programs of their own"});
    }
    return {send->program, module_of(*send).operands(send->id)[0]};
  }

  /// What must be made before an instruction.
  std::vector<Place> needs(Place place) const {
    std::vector<Place> result;
    const Module& module = module_of(place);
    if (const Endpoint* e = transfers_.at(place)) {
      if (!e->send && e->done == place) result.push_back(sent(*e));
      return result;
    }
    for (const InstructionId operand : module.operands(place.id)) result.push_back({place.program, operand});
    return result;
  }

  /// A token orders, and gives no value: it is made only where something made takes it.
  bool idle(Place place) const {
    const Module& module = module_of(place);
    if (const Endpoint* e = transfers_.at(place)) return e->send || e->place == place;
    return module.type(place.id) == Type::token();
  }

  void emit(const Scene& scene) {
    for (const auto& [program, id] : scene.computations) {
      const Computation& computation = programs_[program].module->computation(id);
      const bool joint = scene.entry && wiring_ != nullptr;
      for (InstructionId k = computation.first; k < computation.first + computation.count; ++k) {
        const Place place{program, k};
        const bool root = k == computation.root;
        if (joint && root && (*programs_[program].module)[k].op == Op::Tuple) continue;  // its operands are wired
        if (!idle(place) || (root && !joint)) demand(place);
      }
    }
  }

  /// Makes an instruction and what it needs.
  void demand(Place first) {
    struct Step {
      Place place;
      std::vector<Place> needs;
      std::size_t next = 0;
    };
    std::vector<Step> stack;
    std::set<Place> open;
    const auto visit = [&](Place place) {
      if (made_[place.program][place.id] != kNone) return;
      if (!open.insert(place).second) circular(place);
      stack.push_back({place, needs(place)});
    };
    visit(first);
    while (!stack.empty()) {
      Step& top = stack.back();
      if (top.next < top.needs.size()) {
        visit(top.needs[top.next++]);
        continue;
      }
      made_[top.place.program][top.place.id] = make(top.place);
      open.erase(top.place);
      stack.pop_back();
    }
  }

  [[noreturn]] void circular(Place place) const {
    const Endpoint* e = transfers_.at(place);
    throw InputError(DiagCode::UnsupportedForm, transfers_.where(place),
                     "what " + transfers_.text(place) + " gives is computed from itself on other ranks of the same program" +
                         (e == nullptr ? "" : ": a chain of transfers"),
                     {"list the ranks that run it as programs of their own"});
  }

  InstructionId make(Place place) {
    const Module& module = module_of(place);
    const Instruction& old = module[place.id];
    const std::string name = prefix(place.program) + std::string(module.name_of(place.id));
    Instruction copy = header(place);
    const Endpoint* e = transfers_.at(place);
    if (e != nullptr && !e->send) return receive(*e, copy, name);
    if (e != nullptr) return token(copy, name);
    if (old.op == Op::GetTupleElement && transfers_.at({place.program, module.operands(place.id)[0]}) != nullptr) {
      if (module.attributes(place.id).integer(Attr::Index) == 0) return made({place.program, module.operands(place.id)[0]});
      return token(copy, name);
    }
    if (old.op == Op::Parameter && joint_) return parameter(place, copy, name);
    Attributes attributes = with_computations(module.attributes(place.id), [&](ComputationId called) {
      return builder_.reserve(prefix(place.program) + std::string(module.string(module.computation(called).name)));
    });
    std::vector<InstructionId> operands;
    for (const InstructionId operand : module.operands(place.id)) operands.push_back(made({place.program, operand}));
    return add(copy, name, module.type(place.id), std::move(attributes), operands);
  }

  InstructionId token(Instruction copy, const std::string& name) {
    copy.op = Op::AfterAll;
    return add(copy, name, Type::token(), {}, {});
  }

  /// A recv-done: the ranks of the pairs get what the others have; XLA zeroes what nobody sends to, as collective-permute does.
  InstructionId receive(const Endpoint& recv, Instruction copy, const std::string& name) {
    const Place value = sent(recv);
    PairList seats;
    for (const auto& [source, target] : recv.pairs) seats.emplace_back(transfers_.seat(source)->second, transfers_.seat(target)->second);
    const RankClass& c = programs_[recv.place.program];
    const bool in_place = wiring_ != nullptr && seats.size() == c.ranks.size() &&
                          std::all_of(seats.begin(), seats.end(), [](const auto& pair) { return pair.first == pair.second; });
    const Type type = module_of(recv.place).type(recv.place.id).elements.front();
    const std::array operand{made(value)};
    if (in_place) {
      copy.op = Op::Copy;
      return add(copy, name, type, {}, operand);
    }
    if (wiring_ != nullptr && c.layout.replicas > 1 && c.layout.partitions > 1) {
      throw InputError(DiagCode::UnsupportedForm, transfers_.where(recv.place),
                       transfers_.text(recv.place) + ": transfers between programs that have replicas and partitions");
    }
    copy.op = Op::CollectivePermute;
    Attributes attributes(Attr::SourceTargetPairs, std::move(seats));
    // XLA takes ids as partitions where there is a channel other than 0, as replicas where there is none.
    const bool channel = wiring_ == nullptr ? recv.channel > 0 : c.layout.replicas == 1;
    if (channel) attributes.set(Attr::HasChannel, true);
    copy.channel = channel ? static_cast<std::int32_t>(std::max<std::int64_t>(recv.channel, 1)) : -1;
    return add(copy, name, type, std::move(attributes), operand);
  }

  /// A program's parameter: the wired leaves as a tuple of its shape.
  InstructionId parameter(Place place, const Instruction& copy, const std::string& name) {
    std::size_t leaf = 0;
    const Module& module = module_of(place);
    for (const InstructionId other : module.computation(module.entry()).parameters) {
      if (other == place.id) break;
      for (const Type* type : module.type(other).leaves()) leaf += type->is_array() ? 1 : 0;
    }
    return wired(place.program, module.type(place.id), leaf, copy, name);
  }

  InstructionId wired(std::uint32_t program, const Type& type, std::size_t& leaf, Instruction copy, const std::string& name) {
    if (!type.is_tuple() && !type.is_array()) return token(copy, name);
    if (type.is_tuple()) {
      std::vector<InstructionId> elements;
      for (const Type& element : type.elements) elements.push_back(wired(program, element, leaf, copy, name));
      copy.op = Op::Tuple;
      return add(copy, name, type, {}, elements);
    }
    const Wiring::Use& use = wiring_->inputs[program][leaf++];
    const InstructionId whole = parameters_[use.parameter];
    if (use.slice.empty()) return whole;
    copy.op = Op::Slice;
    return add(copy, name, type, {Attr::Slice, use.slice}, std::array{whole});
  }

  std::span<const RankClass> programs_;
  const Wiring* wiring_;
  Transfers transfers_;
  Builder builder_;
  std::vector<std::vector<InstructionId>> made_;  // by program and instruction
  std::vector<InstructionId> parameters_;         // of the joint entry
  std::set<std::string> names_;                   // of the open computation
  bool joint_ = false;                            // the open computation is the entry of several programs
};

}  // namespace

Module replace_transfers(const Module& module) {
  if (module.replica_count.value_or(1) > 1 && module.num_partitions.value_or(1) > 1) {
    throw InputError(DiagCode::UnsupportedForm, module.where(module.transfers[0].instruction),
                     "transfers of a program that has replicas and partitions");
  }
  RankClass only{"", {}, &module, {}};
  std::int64_t ranks = 1;
  for (const Transfer& transfer : module.transfers) {
    for (const auto& [source, target] : transfer.pairs) ranks = std::max({ranks, source + 1, target + 1});
  }
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (!module.attributes(id).has(Attr::ReplicaGroups)) continue;
    for (const auto& group : module.attributes(id).groups().groups) {
      for (const std::int64_t rank : group) ranks = std::max(ranks, rank + 1);
    }
  }
  only.layout = module.replica_count || module.num_partitions
                    ? RankLayout{module.replica_count.value_or(1), module.num_partitions.value_or(1)}
                    : RankLayout{1, ranks};
  return Merger(std::span(&only, 1), nullptr).run();
}

Module merge_programs(std::span<const RankClass> programs, const Wiring& wiring) { return Merger(programs, &wiring).run(); }

}  // namespace gg
