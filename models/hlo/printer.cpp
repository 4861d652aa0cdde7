// Modules as HLO text that XLA's parser and ours read.
#include "models/hlo/printer.h"

#include <map>
#include <unordered_set>

#include "models/hlo/expand.h"
#include "models/hlo/print_values.h"
#include "models/op/groups.h"

namespace gg {
namespace {

using hlo::Line;

class Printer {
 public:
  Printer(const Module& module, const PrintOptions& options)
      : module_(module), options_(options), layout_(guess_layout()) {}

  std::string module() {
    std::string body;
    for (const ComputationId id : callees_first()) body += computation(id);
    std::string text = header() + "\n\n";
    for (const auto& [element, name] : sums_) text += sum_computation(element, name);
    return text + body;
  }

  /// `%name = type op(...), attributes`.
  std::string instruction(InstructionId id) {
    if (options_.as_replicas && (module_[id].op == Op::PartitionId || module_[id].op == Op::ReplicaId)) {
      const auto lines = hlo::expand_rank_id(expansion(id), layout_);
      return lines.size() == 1 ? line(lines[0]) + annotations(id) : plain(id);
    }
    return plain(id);
  }

 private:
  /// Ranks of a module whose header states counts; else one of the two is "more than one", as channels tell.
  RankLayout guess_layout() const {
    if (module_.replica_count || module_.num_partitions) {
      return {module_.replica_count.value_or(1), module_.num_partitions.value_or(1)};
    }
    if (options_.layout) return *options_.layout;
    bool channels = false;
    for (InstructionId id = 0; id < module_.size(); ++id) channels = channels || module_[id].channel >= 0;
    return channels ? RankLayout{1, 0} : RankLayout{0, 1};  // 0: unknown
  }

  std::string type(const Type& t) const { return hlo::print_type(t, options_.widen); }
  std::string line(const Line& l) const {
    return "%" + l.name + " = " + hlo::print_type(l.type, options_.widen && !l.as_written) + " " + l.rhs;
  }
  std::string name_of(ComputationId id) const { return std::string(module_.string(module_.computation(id).name)); }

  /// Post-order of the call graph with an explicit stack; a cycle (of an unverified module) is cut.
  std::vector<ComputationId> callees_first() const {
    std::vector<ComputationId> order;
    std::vector<bool> seen(module_.computations().size(), false);
    std::vector<std::pair<ComputationId, InstructionId>> stack;
    for (ComputationId start = 0; start < seen.size(); ++start) {
      if (seen[start]) continue;
      seen[start] = true;
      stack.emplace_back(start, module_.computation(start).first);
      while (!stack.empty()) {
        auto& [id, next] = stack.back();
        const Computation& computation = module_.computation(id);
        ComputationId callee = kNone;
        while (callee == kNone && next < computation.first + computation.count) {
          callee = unseen_callee(next, seen);
          if (callee == kNone) ++next;
        }
        if (callee == kNone) {
          order.push_back(id);
          stack.pop_back();
        } else {
          seen[callee] = true;
          stack.emplace_back(callee, module_.computation(callee).first);
        }
      }
    }
    return order;
  }

  ComputationId unseen_callee(InstructionId id, const std::vector<bool>& seen) const {
    const Attributes& attributes = module_.attributes(id);
    for (const auto& [attr, value] : attributes.entries()) {
      if (info(attr).kind != AttrKind::Computations) continue;
      for (const ComputationId callee : attributes.computations(attr)) {
        if (!seen[callee]) return callee;
      }
    }
    return kNone;
  }

  std::string header() const {
    const Computation& entry = module_.computation(module_.entry());
    std::string text = "HloModule " + module_.name + aliases() + ", entry_computation_layout={(";
    for (std::size_t k = 0; k < entry.parameters.size(); ++k) {
      if (k != 0) text += k % 5 == 0 ? ", /*index=" + std::to_string(k) + "*/" : ", ";
      text += type(module_.type(entry.parameters[k]));
    }
    text += ")->" + type(module_.type(entry.root)) + "}";
    if (options_.as_replicas) {
      if (layout_.ranks() > 1) text += ", replica_count=" + std::to_string(layout_.ranks());
      return text;
    }
    text += module_.header_extra;
    if (module_.replica_count) text += ", replica_count=" + std::to_string(*module_.replica_count);
    if (module_.num_partitions) text += ", num_partitions=" + std::to_string(*module_.num_partitions);
    return text;
  }

  /// Index paths of all leaves of a type, in order.
  static void leaf_paths(const Type& type, const std::string& path, std::vector<std::string>& out) {
    if (!type.is_tuple()) {
      out.push_back(path);
      return;
    }
    for (std::size_t k = 0; k < type.elements.size(); ++k) {
      leaf_paths(type.elements[k], path + (path.empty() ? "" : ",") + std::to_string(k), out);
    }
  }

  std::string aliases() const {
    if (module_.aliases.empty()) return "";
    const Computation& entry = module_.computation(module_.entry());
    std::vector<std::string> outputs;
    std::vector<std::string> inputs;
    leaf_paths(module_.type(entry.root), "", outputs);
    for (std::size_t k = 0; k < entry.parameters.size(); ++k) {
      std::vector<std::string> paths;
      leaf_paths(module_.type(entry.parameters[k]), "", paths);
      for (const auto& path : paths) inputs.push_back(std::to_string(k) + ", {" + path + "}");
    }
    std::string text;
    for (const Alias& alias : module_.aliases) {
      text += (text.empty() ? " " : ", ");
      text += "{" + outputs[static_cast<std::size_t>(alias.output_leaf)] + "}: (" +
              inputs[static_cast<std::size_t>(alias.input_leaf)] + ", may-alias)";
    }
    return ", input_output_alias={" + text + " }";
  }

  std::string computation(ComputationId id) {
    const Computation& computation = module_.computation(id);
    names_.clear();
    std::string text = (id == module_.entry() ? "ENTRY %" : "%") + name_of(id) + " (";
    for (std::size_t k = 0; k < computation.parameters.size(); ++k) {
      const InstructionId parameter = computation.parameters[k];
      if (k != 0) text += ", ";
      text += std::string(module_.name_of(parameter)) + ": " + type(module_.type(parameter));
    }
    text += ") -> " + type(module_.type(computation.root)) + " {\n";
    for (InstructionId k = computation.first; k < computation.first + computation.count; ++k) {
      const auto lines = expanded(k);
      for (std::size_t n = 0; n + 1 < lines.size(); ++n) text += "  " + line(lines[n]) + "\n";
      text += k == computation.root ? "  ROOT " : "  ";
      text += lines.empty() ? plain(k) : line(lines.back()) + annotations(k);
      text += "\n";
    }
    return text + "}\n\n";
  }

  /// The lines of an instruction that is not printed as it stands; empty for the others.
  std::vector<Line> expanded(InstructionId id) {
    const Op op = module_[id].op;
    if (options_.expand_custom_calls && op == Op::CustomCall) {
      if (auto lines = hlo::expand_custom_call(expansion(id))) return std::move(*lines);
    }
    if (options_.as_replicas && (op == Op::PartitionId || op == Op::ReplicaId)) {
      return hlo::expand_rank_id(expansion(id), layout_);
    }
    if (options_.widen && op == Op::BitcastConvert) return hlo::expand_bits(expansion(id));
    return {};
  }

  hlo::Expansion expansion(InstructionId id) {
    return {module_, id, [this, id] { return fresh(id); },
            [this](ElementType element) { return sum_name(options_.widen ? ElementType::F64 : element); }};
  }

  /// A name that no instruction of the computation has.
  std::string fresh(InstructionId id) {
    if (names_.empty()) {
      const Computation& computation = module_.computation(module_.computation_of(id));
      for (InstructionId k = computation.first; k < computation.first + computation.count; ++k) {
        names_.emplace(module_.name_of(k));
      }
    }
    const std::string stem = std::string(module_.name_of(id)) + ".part";
    int number = 0;
    std::string name = stem + "0";
    while (!names_.insert(name).second) name = stem + std::to_string(++number);
    return name;
  }

  std::string sum_name(ElementType element) {
    auto& name = sums_[element];
    if (!name.empty()) return name;
    const std::string stem = "sum_" + std::string(info(element).name);
    name = stem;
    for (int number = 0; has_computation(name); ++number) name = stem + "." + std::to_string(number);
    return name;
  }

  bool has_computation(const std::string& name) const {
    for (ComputationId id = 0; id < module_.computations().size(); ++id) {
      if (name_of(id) == name) return true;
    }
    return false;
  }

  static std::string sum_computation(ElementType element, const std::string& name) {
    const std::string t = to_string(Type::array(element, {}));
    return "%" + name + " (a: " + t + ", b: " + t + ") -> " + t + " {\n  %a = " + t + " parameter(0)\n  %b = " + t +
           " parameter(1)\n  ROOT %c = " + t + " add(%a, %b)\n}\n\n";
  }

  std::string plain(InstructionId id) {
    const Instruction& instruction = module_[id];
    std::string text = "%" + std::string(module_.name_of(id)) + " = " + type(module_.type(id)) + " ";
    if (const auto rounded = rounded_constant(id)) {
      return text + "constant(" + hlo::print_literal(*rounded, true) + ")" + annotations(id);
    }
    text += std::string(info(instruction.op).name) + "(" + arguments(id) + ")";
    if (instruction.channel >= 0 && !options_.as_replicas) {
      text += ", channel_id=" + std::to_string(instruction.channel);
    }
    const auto computation_name = [this](ComputationId c) { return name_of(c); };
    for (const auto& [attr, value] : module_.attributes(id).entries()) {
      if (attr == Attr::CallNotes) text += ", frontend_attributes={" + std::string(hlo::kCallNotes) + "=" + hlo::print_attribute(attr, value, computation_name) + "}";
      if (info(attr).name.empty() || (options_.as_replicas && attr == Attr::UseGlobalDeviceIds)) continue;
      text += ", " + std::string(info(attr).name) + "=";
      text += is_ranked(attr) ? ranked(id, attr) : hlo::print_attribute(attr, value, computation_name);
    }
    return text + annotations(id);
  }

  std::string arguments(InstructionId id) const {
    const Instruction& instruction = module_[id];
    const Attributes& attributes = module_.attributes(id);
    if (instruction.op == Op::Parameter) return std::to_string(attributes.integer(Attr::Parameter));
    if (instruction.op == Op::Constant) {
      return attributes.has(Attr::Literal) ? hlo::print_literal(attributes.literal(), options_.widen) : "{...}";
    }
    std::string text;
    std::size_t k = 0;
    for (const InstructionId operand : module_.operands(id)) {
      if (k != 0) text += k % 5 == 0 ? ", /*index=" + std::to_string(k) + "*/" : ", ";
      text += "%" + std::string(module_.name_of(operand));
      ++k;
    }
    return text;
  }

  bool is_ranked(Attr attr) const {
    return options_.as_replicas && (attr == Attr::ReplicaGroups || attr == Attr::SourceTargetPairs);
  }

  /// Groups and pairs of a program printed as replicas: ids are ranks.
  std::string ranked(InstructionId id, Attr attr) const {
    const Attributes& attributes = module_.attributes(id);
    const Op op = module_[id].op;
    if (layout_.ranks() == 0) {  // counts unknown: with one replica or one partition, the ids are ranks already
      const bool mixed = attributes.has(Attr::HasChannel) && !attributes.flag(Attr::UseGlobalDeviceIds) &&
                         op != Op::AllToAll && op != Op::CollectivePermute;
      if (mixed && !attributes.groups().everyone && attr == Attr::ReplicaGroups) {
        throw InputError(DiagCode::UnsupportedForm, module_.where(id),
                         "groups of replicas over all partitions need the header's replica_count and num_partitions");
      }
      return hlo::print_attribute(attr, *attributes.find(attr), [this](ComputationId c) { return name_of(c); });
    }
    try {
      if (attr == Attr::ReplicaGroups) return hlo::print_groups(rank_groups(op, attributes, layout_));
      return hlo::print_attribute(attr, AttrValue(rank_pairs(attributes, layout_)),
                                  [this](ComputationId c) { return name_of(c); });
    } catch (const TypeError& error) {
      throw InputError(error.code, module_.where(id), error.message);
    }
  }

  /// A converted constant means the value rounded to the target, which a convert between widened types would not do.
  std::optional<ConstantArray> rounded_constant(InstructionId id) const {
    if (!options_.widen || module_[id].op != Op::Convert || !is_float(module_.type(id).element)) return std::nullopt;
    const InstructionId operand = module_.operands(id)[0];
    if (module_[operand].op != Op::Constant || !module_.attributes(operand).has(Attr::Literal)) return std::nullopt;
    ConstantArray array = module_.attributes(operand).literal();
    const ElementType from = array.type.element;
    if (!is_float(from) && !is_integral(from)) return std::nullopt;
    array.type.element = module_.type(id).element;
    for (Scalar& value : array.values) {
      double exact = value.real;
      if (from == ElementType::U64) {
        exact = static_cast<double>(static_cast<std::uint64_t>(value.integer));
      } else if (is_integral(from)) {
        exact = static_cast<double>(value.integer);
      }
      value = {array.type.element, round_to(array.type.element, exact), 0};
    }
    return array;
  }

  /// sharding= and metadata=.
  std::string annotations(InstructionId id) const {
    const Instruction& instruction = module_[id];
    std::string text;
    if (instruction.sharding != kNone && !options_.as_replicas) {
      text += ", sharding=" + std::string(module_.string(instruction.sharding));
    }
    if (instruction.metadata == kNone || !options_.metadata) return text;
    return text + ", metadata={" + module_.resolved_metadata(id) + "}";
  }

  const Module& module_;
  const PrintOptions& options_;
  RankLayout layout_;
  std::map<ElementType, std::string> sums_;
  std::unordered_set<std::string> names_;  // of the computation being printed
};

}  // namespace

std::string print_hlo(const Module& module, const PrintOptions& options) { return Printer(module, options).module(); }

std::string print_instruction(const Module& module, InstructionId id, const PrintOptions& options) {
  return Printer(module, options).instruction(id);
}

}  // namespace gg
