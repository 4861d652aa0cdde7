// Straight entry computations (harness/pinpoint/inline.h).
#include "harness/pinpoint/inline.h"

#include <map>
#include <set>

#include "harness/pinpoint/copier.h"
#include "models/ir/flatten.h"
#include "models/ir/kinds.h"

namespace gg::pinpoint {
namespace {

class Inliner {
 public:
  explicit Inliner(const Module& module) : module_(module), flat_(flatten(module, Branches::Kept)), copier_(module), ids_(flat_.nodes.size(), kNone) {}

  Module run() {
    for (const FlatNode& node : flat_.nodes) copier_.prepare(node.instruction);
    const Computation& entry = module_.computation(module_.entry());
    copier_.open(module_.string(entry.name), entry.line);
    for (std::uint32_t node = 0; node < flat_.nodes.size(); ++node) emit(node);
    std::size_t leaf = 0;
    const InstructionId root = assembled(module_.type(entry.root), flat_.outputs, leaf);
    copier_.builder().module().aliases = module_.aliases;
    return copier_.close(root);
  }

 private:
  std::string fresh(const std::string& base) {
    std::string name = base;
    for (int k = 1; !names_.insert(name).second; ++k) name = base + "." + std::to_string(k);
    return name;
  }

  void emit(std::uint32_t node) {
    const InstructionId id = flat_.nodes[node].instruction;
    const auto leaves = flat_.operands(flat_.nodes[node]);
    std::vector<InstructionId> operands;
    std::size_t leaf = 0;
    if (!is_parameter(module_, id)) {
      for (const InstructionId operand : module_.operands(id)) operands.push_back(assembled(module_.type(operand), leaves, leaf));
    }
    Instruction copy = copier_.instruction(id);
    copy.name = copier_.builder().intern(fresh(std::string(module_.name_of(id))));
    if (module_[id].metadata != kNone) copy.metadata = copier_.builder().intern(module_.string(module_[id].metadata));
    ids_[node] = copier_.builder().add(copy, operands);
  }

  /// A value of this type from its leaves.
  InstructionId assembled(const Type& type, std::span<const FlatValue> leaves, std::size_t& leaf) {
    if (!type.is_tuple()) return taken(leaves[leaf++]);
    std::vector<InstructionId> parts;
    for (const Type& element : type.elements) parts.push_back(assembled(element, leaves, leaf));
    return made(Op::Tuple, type, {}, parts);
  }

  /// One leaf of a node's value.
  InstructionId taken(FlatValue value) {
    const Type& type = module_.type(flat_.nodes[value.node].instruction);
    if (!type.is_tuple()) return ids_[value.node];
    const auto found = taken_.find({value.node, value.leaf});
    if (found != taken_.end()) return found->second;
    InstructionId at = ids_[value.node];
    const Type* now = &type;
    std::size_t rest = value.leaf;
    while (now->is_tuple()) {
      std::size_t k = 0;
      for (; rest >= now->elements[k].leaves().size(); ++k) rest -= now->elements[k].leaves().size();
      now = &now->elements[k];
      at = made(Op::GetTupleElement, *now, {Attr::Index, static_cast<std::int64_t>(k)}, {at});
    }
    taken_[{value.node, value.leaf}] = at;
    return at;
  }

  InstructionId made(Op op, const Type& type, Attributes attributes, const std::vector<InstructionId>& operands) {
    Builder& b = copier_.builder();
    const Instruction instruction{op, b.intern(type), b.intern(std::move(attributes)), 0, 0,
                                  b.intern(fresh(std::string(info(op).name))), 0, 0};
    return b.add(instruction, operands);
  }

  const Module& module_;
  FlatProgram flat_;
  Copier copier_;
  std::vector<InstructionId> ids_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, InstructionId> taken_;
  std::set<std::string> names_;
};

}  // namespace

Module inlined(const Module& module) { return Inliner(module).run(); }

}  // namespace gg::pinpoint
