// Smaller pairs, each cut out of a traced one (harness/pinpoint/cutter.h).
#include "harness/pinpoint/cutter.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/pinpoint/copier.h"
#include "models/hlo/printer.h"
#include "models/ir/kinds.h"
#include "runtime/value.h"

namespace gg::pinpoint {
namespace {

using Json = nlohmann::ordered_json;

/// One input of the reduced pair.
struct Cut {
  ValueId anchor = 0;                    ///< sequential value
  std::vector<ValueId> distributed;      ///< values that hold it in this placement
  std::vector<std::vector<int>> splits;  ///< digits by dimension
};

/// What a program keeps: values by id, inputs among them.
struct Part {
  std::set<ValueId> kept;
  std::map<ValueId, std::size_t> input;  ///< value -> number of the cut
};

class Cutter {
 public:
  Cutter(const Case& c, const DivergenceTrace& trace, bool anonymous) : case_(c), trace_(trace), anonymous_(anonymous) {}

  /// Cut at the last values that agree (`late`), or at the parameters only.
  std::optional<Reduced> run(std::size_t output, bool late) {
    const auto placement = output_placement(output);
    if (!placement) return std::nullopt;
    return run(trace_.distributed().outputs()[output], trace_.sequential().outputs()[output], *placement, case_.relation.outputs[output].name,
               late);
  }

  /// The same for a value that should hold a sequential one in this placement.
  std::optional<Reduced> run(ValueId wrong, const Match& should, bool late) {
    const ValueId right = trace_.anchor(should);
    const Type& local = type_of(trace_.distributed(), wrong);
    const Type& global = type_of(trace_.sequential(), right);
    if (!should.partial.empty() || !even(should, local, global)) return std::nullopt;
    Json dims = Json::array();
    for (const auto& split : should.splits) dims.push_back(axes(split));
    return run(wrong, right, dims, trace_.anchor_name(should), late);
  }

 private:
  std::optional<Reduced> run(ValueId wrong, ValueId right, const Json& placement, const std::string& name, bool late) {
    cuts_.clear();
    Part distributed, sequential;
    if (!walk_distributed(wrong, late, distributed) || !walk_sequential(right, sequential)) return std::nullopt;
    Reduced result;
    const Module s = part_of(trace_.sequential(), sequential, right, false);
    const Module d = part_of(trace_.distributed(), distributed, wrong, true);
    result.sequential = print_hlo(s);
    result.distributed = print_hlo(d);
    result.relation = relation(placement);
    result.instructions = d.computation(d.entry()).count;
    result.output = name;
    return result;
  }

  const RankDigits& digits() const { return case_.distributed_bodies->digits(); }

  const Type& type_of(const ValueGraph& graph, ValueId id) const {
    const TracedValue& v = graph.values()[id];
    return *array_leaf_types(graph.module().type(v.instance.instruction)).at(v.leaf);
  }

  bool even(const Match& match, const Type& local, const Type& global) const {
    for (std::size_t d = 0; d < match.splits.size(); ++d) {
      std::int64_t parts = 1;
      for (const int digit : match.splits[d]) parts *= digits().digits()[static_cast<std::size_t>(digit)].extent;
      if (parts * local.dims[d] != global.dims[d]) return false;
    }
    return true;
  }

  /// The number of the input that this value is, made on first sight; nothing if it may not be one.
  std::optional<std::size_t> cut_at(ValueId id) {
    const auto& match = trace_.state(id).match;
    if (!match || !match->partial.empty()) return std::nullopt;
    if (!even(*match, type_of(trace_.distributed(), id), type_of(trace_.sequential(), trace_.anchor(*match)))) return std::nullopt;
    for (std::size_t k = 0; k < cuts_.size(); ++k) {
      if (cuts_[k].anchor == trace_.anchor(*match) && cuts_[k].splits == match->splits) return k;
    }
    cuts_.push_back({trace_.anchor(*match), {id}, match->splits});
    return cuts_.size() - 1;
  }

  bool walk_distributed(ValueId output, bool late, Part& part) {
    std::vector<ValueId> todo = {output};
    while (!todo.empty()) {
      const ValueId id = todo.back();
      todo.pop_back();
      if (!part.kept.insert(id).second) continue;
      const TracedValue& v = trace_.distributed().values()[id];
      const bool parameter = is_parameter(trace_.distributed().module(), trace_.distributed().values()[id].instance.instruction);
      if (parameter || (late && id != output && trace_.state(id).good)) {
        if (const auto number = cut_at(id)) {
          part.input[id] = *number;
          continue;
        }
        if (parameter) return false;
      }
      if (v.group != id || v.instance.iteration >= 0) return false;
      todo.insert(todo.end(), v.operands.begin(), v.operands.end());
    }
    return true;
  }

  bool walk_sequential(ValueId output, Part& part) {
    std::map<ValueId, std::size_t> by_value;
    for (std::size_t k = 0; k < cuts_.size(); ++k) by_value.emplace(cuts_[k].anchor, k);
    std::vector<ValueId> todo = {output};
    const ValueGraph& graph = trace_.sequential();
    while (!todo.empty()) {
      const ValueId id = todo.back();
      todo.pop_back();
      if (!part.kept.insert(id).second) continue;
      const auto representative = trace_.representative(id);
      const auto found = representative ? by_value.find(*representative) : by_value.end();
      if (found != by_value.end() && id != output) {
        part.input[id] = found->second;
        continue;
      }
      const TracedValue& v = graph.values()[id];
      if (is_parameter(graph.module(), v.instance.instruction) || v.group != id || v.instance.iteration >= 0) return false;  // a value that only this side reads
      todo.insert(todo.end(), v.operands.begin(), v.operands.end());
    }
    return true;
  }

  /// The entry with the cuts as parameters and the output as root.
  Module part_of(const ValueGraph& graph, const Part& part, ValueId output, bool distributed) const {
    const Module& from = graph.module();
    Copier copier(from);
    for (const ValueId id : part.kept) {
      if (part.input.count(id) == 0) copier.prepare(graph.values()[id].instance.instruction);
    }
    copier.open("main");
    std::vector<InstructionId> parameters;
    for (std::size_t k = 0; k < cuts_.size(); ++k) {
      const ValueId id = distributed ? cuts_[k].distributed.front() : cuts_[k].anchor;
      parameters.push_back(copier.parameter(type_of(graph, id), "in" + std::to_string(k)));
    }
    std::map<ValueId, InstructionId> made;
    std::size_t count = 0;
    for (const ValueId id : part.kept) {  // in the order of the run
      const auto input = part.input.find(id);
      if (input != part.input.end()) {
        made[id] = parameters[input->second];
        continue;
      }
      const TracedValue& v = graph.values()[id];
      std::vector<InstructionId> operands;
      for (const ValueId operand : v.operands) operands.push_back(made.at(operand));
      Instruction copy = copier.instruction(v.instance.instruction);
      if (anonymous_) copy.name = copier.builder().intern("v" + std::to_string(count++));
      else if (from[v.instance.instruction].metadata != kNone) copy.metadata = copier.builder().intern(from.string(from[v.instance.instruction].metadata));
      made[id] = copier.builder().add(copy, operands);
    }
    copier.builder().module().name = "reduced";
    return copier.close(made.at(output));
  }

  std::string axis(int digit) const {
    std::string name = digits().digits()[static_cast<std::size_t>(digit)].name;
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
  }

  Json axes(const std::vector<int>& list) const {
    Json names = Json::array();
    for (const int digit : list) names.push_back(axis(digit));
    return names;
  }

  /// The output's placement over digits; nothing for those that are no plain tiles.
  std::optional<Json> output_placement(std::size_t output) const {
    const Relation& relation = case_.relation;
    const Placement& placement = relation.output_placements.at(output);
    if (placement.kind != Placement::Kind::Tiled) return std::nullopt;
    Json dims = Json::array();
    for (std::size_t d = 0; d < type_of(trace_.sequential(), trace_.sequential().outputs()[output]).dims.size(); ++d) {
      std::vector<int> list;
      if (d < placement.dims.size()) {
        DimPlacement plain;
        plain.axes = placement.dims[d].axes;
        if (!(plain == placement.dims[d])) return std::nullopt;
        for (const auto& name : plain.axes) {
          std::optional<std::vector<int>> of;
          for (std::size_t a = 0; a < relation.mesh.axes.size(); ++a) {
            if (relation.mesh.axes[a].name == name) of = digits().axis_digits(relation.mesh, static_cast<int>(a));
          }
          if (!of) return std::nullopt;
          list.insert(list.end(), of->begin(), of->end());
        }
      }
      dims.push_back(axes(list));
    }
    return dims;
  }

  std::string relation(const Json& output) const {
    Json json;
    json["mesh"] = Json::array();
    for (int d = 0; d < digits().count(); ++d) json["mesh"].push_back(Json::array({axis(d), digits().digits()[static_cast<std::size_t>(d)].extent}));
    json["inputs"] = Json::array();
    json["ranges"] = Json::object();
    for (std::size_t k = 0; k < cuts_.size(); ++k) {
      Json dims = Json::array();
      for (const auto& split : cuts_[k].splits) dims.push_back(axes(split));
      json["inputs"].push_back(dims);
      for (const FreeInput& input : case_.relation.free) {  // a parameter keeps its range
        const InstructionId id = trace_.sequential().values()[cuts_[k].anchor].instance.instruction;
        const Module& s = trace_.sequential().module();
        if (!is_parameter(s, id) || s.name_of(id) != input.name || input.range.origin == Range::Origin::Default) continue;
        json["ranges"][std::to_string(k)] = {input.range.lo, input.range.hi};
      }
    }
    json["outputs"] = Json::array({output});
    return json.dump(1) + "\n";
  }

  const Case& case_;
  const DivergenceTrace& trace_;
  bool anonymous_;
  std::vector<Cut> cuts_;
};

}  // namespace

std::optional<Reduced> cut_output(const Case& c, const DivergenceTrace& trace, std::size_t output, bool late, bool anonymous) {
  return Cutter(c, trace, anonymous).run(output, late);
}

std::optional<Reduced> cut_value(const Case& c, const DivergenceTrace& trace, ValueId wrong, const Match& should, bool late, bool anonymous) {
  return Cutter(c, trace, anonymous).run(wrong, should, late);
}

}  // namespace gg::pinpoint
