// Statement by statement; results are checked against the types that torch printed.
#include "models/fx/program.h"

#include <algorithm>

#include "models/fx/aliases.h"
#include "models/fx/complex.h"
#include "models/fx/functional.h"
#include "models/fx/nested.h"
#include "models/fx/print.h"
#include "models/fx/transfers.h"
#include "models/ir/verify.h"

namespace gg::fx {
namespace {

using StatementKind = Statement::Kind;

/// Operators whose results are dense in row-major order, and those that keep that of their first operand: what as_strided asks.
constexpr std::string_view kDense[] = {"_c10d_functional.all_gather_into_tensor", "_c10d_functional.all_reduce", "_c10d_functional.reduce_scatter_tensor",
                                       "aten.addmm", "aten.bmm", "aten.cat", "aten.empty", "aten.full", "aten.mm", "aten.new_zeros", "aten.ones", "aten.zeros"};
constexpr std::string_view kKeepsDense[] = {"_c10d_functional.wait_tensor", "aten._unsafe_view", "aten.alias", "aten.copy", "aten.detach", "aten.slice_scatter", "aten.view"};

bool listed(std::span<const std::string_view> list, std::string_view target) {
  return std::find(list.begin(), list.end(), target.substr(0, target.rfind('.'))) != list.end();
}

constexpr int kMaxDefinitions = 16;

class Program {
 public:
  Program(const Graph& graph, const Plan& plan, Emitter& e) : graph_(graph), plan_(plan), e_(e), transfers_(e_, plan.ranks), lookup_([this](const std::string& name) { return read(name); }) {}

  Module run(Accepted* accepted) {
    for (const ParameterSpec& parameter : plan_.parameters) {
      e_.begin({parameter.name, where_of(parameter.name), ""});
      parameters_[parameter.name] = e_.parameter(parameter.name, parameter.type);
    }
    for (const Binding& binding : plan_.bindings) {
      const NodeId first = e_.begin({binding.name, where_of(binding.name), ""});
      values_[binding.name] = is_complex(binding.type.element) ? pair_of(e_, bound(binding)) : Value::tensor(bound(binding));
      if (values_[binding.name].kind == Value::Kind::Complex) label_parts(values_[binding.name], binding.name, first);
      else if (binding.elements) e_.elements_of(values_[binding.name].node, binding.name);
    }
    statements();
    std::vector<NodeId> outputs;
    for (const std::string& name : plan_.outputs) {
      Value value = read(name);
      if (value.kind == Value::Kind::Complex) value = Value::tensor(joined(e_, value));
      if (value.kind != Value::Kind::Tensor) throw InputError(DiagCode::UnsupportedForm, graph_.return_where, "'" + name + "' has no value that is known: it cannot be compared");
      outputs.push_back(value.node);
    }
    std::vector<std::string> names = plan_.output_names;
    const auto fine = e_.raises_nowhere();
    if (fine || plan_.with_in_range) {
      outputs.push_back(fine ? *fine : e_.integer(ElementType::Pred, 1));
      names.emplace_back(kInRange);
    }
    Module module = e_.finish("fx", outputs, names);
    if (accepted != nullptr) *accepted = {e_.accepted(), e_.accepted_inputs()};
    if (plan_.groups.ranks > 1 || !plan_.ranks.empty()) {
      module.replica_count = 1;
      module.num_partitions = plan_.groups.ranks;
    }
    return module;
  }

  /// A nested graph on these inputs: its results.
  std::vector<NodeId> results(const std::vector<NodeId>& inputs) {
    if (inputs.size() != graph_.inputs.size()) {
      throw InputError(DiagCode::UnsupportedForm, graph_.return_where, "'" + graph_.name + "' takes " + std::to_string(graph_.inputs.size()) + " tensors, it is given " + std::to_string(inputs.size()));
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const Placeholder& input = graph_.inputs[k];
      if (!(e_.type(inputs[k]) == input.type)) {
        throw InputError(DiagCode::TypeMismatch, input.where, "'" + input.name + "' of '" + graph_.name + "' is " + torch_text(input.type) + ", it is given " + torch_text(e_.type(inputs[k])));
      }
      values_[input.name] = Value::tensor(inputs[k]);
    }
    statements();
    std::vector<NodeId> outputs;
    for (const Argument& output : graph_.outputs) {
      const Value value = output.kind == Argument::Kind::Name ? read(output.text) : Value{};
      if (value.kind != Value::Kind::Tensor) throw InputError(DiagCode::UnsupportedForm, graph_.return_where, "'" + graph_.name + "' returns something that is no tensor");
      outputs.push_back(value.node);
    }
    return outputs;
  }

 private:
  void statements() {
    for (const Statement& statement : graph_.statements) {
      if (values_.count(statement.name) != 0) continue;  // a cut
      const NodeId first = e_.begin(site_of(statement));
      Value value = lowered(statement);
      check(statement, value, first);
      values_[statement.name] = std::move(value);
    }
    transfers_.finish();
  }

  Location where_of(const std::string& name) const {
    for (const Placeholder& input : graph_.inputs) {
      if (input.name == name) return input.where;
    }
    return {graph_.file};
  }

  Site site_of(const Statement& statement) const {
    if (site_) return *site_;
    std::string text = "op_name=\"";
    const Source* source = statement.source < 0 ? nullptr : &graph_.sources[static_cast<std::size_t>(statement.source)];
    if (source != nullptr) text += quoted(source->function) + "/";
    text += quoted(statement.target) + "\"";
    if (source != nullptr) text += " source_file=\"" + quoted(source->file) + "\" source_line=" + std::to_string(source->line);
    return {statement.name, statement.where, std::move(text), statement.target};
  }

  static std::string quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out;
  }

  /// A value made from the module's parameters.
  NodeId bound(const Binding& binding) {
    const NodeId own = binding.kind == Binding::Kind::Flat ? 0 : parameters_.at(binding.name);
    if (binding.kind == Binding::Kind::Plain) return own;
    if (binding.kind == Binding::Kind::Ignore) {
      const NodeId share = parameters_.at(binding.name + kIgnore);
      return e_.select(e_.compare("EQ", share, e_.integer(e_.element(share), 0)), e_.integer(e_.element(own), binding.ignored), own);
    }
    std::vector<NodeId> parts;
    std::int64_t length = 0;
    for (const std::string& part : binding.parts) {
      const NodeId x = parameters_.at(part);
      parts.push_back(e_.convert(e_.reshape(x, {e_.type(x).count()}), binding.type.element));
      length += e_.type(x).count();
    }
    if (binding.padded > length) parts.push_back(e_.full({binding.padded - length}, e_.number(binding.type.element, binding.pad)));
    const NodeId whole = e_.concatenate(parts, 0);
    const std::int64_t block = binding.type.dims[0];
    std::vector<double> starts;
    for (const std::int64_t position : binding.positions) starts.push_back(static_cast<double>(position * block));
    return block == e_.dims(whole)[0] ? whole : e_.dynamic_slice(whole, 0, e_.by_rank(ElementType::S64, starts), block);
  }

  Value read(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw InputError(DiagCode::UnknownName, {graph_.file}, "'" + name + "' is not defined");
    return found->second;
  }

  Value lowered(const Statement& statement) {
    if (statement.kind == StatementKind::Copy) return read(statement.target);
    if (statement.kind == StatementKind::Item) {
      if (statement.row_major && fresh_.count(statement.target) != 0) dense_.insert(statement.name);
      return item(statement);
    }
    if (statement.kind == StatementKind::Attribute) return attribute(statement);
    if (auto moved = transfers_.lower(statement, lookup_)) return *moved;
    if (statement.target == "aten.lift_fresh_copy.default" && read(first_name(statement)).kind == Value::Kind::None) return constant(statement, first_name(statement));
    if (calls_graphs(statement.target)) return nested(statement);
    const Overload* overload = find_overload(statement.target);
    if (overload == nullptr && plan_.definitions != nullptr && plan_.definitions->knows(statement.target)) return defined(statement);
    if (overload == nullptr) unknown(statement);
    if (auto value = lower_complex(e_, plan_.groups, *overload, statement, lookup_)) return *value;
    const Operation::Dense dense{dense_.count(first_name(statement)) != 0};
    Operation call(e_, plan_.groups, *overload, statement, lookup_, dense);
    Value value = overload->lower(call);
    const bool plain = statement.type && statement.type->rank() <= 3;  // more dimensions may be stored channels last
    const bool fresh = !may_alias(statement.target);                   // what is no view is all of its storage
    if (fresh) fresh_.insert(statement.name);
    if (fresh && statement.row_major) dense_.insert(statement.name);
    if ((plain && listed(kDense, statement.target)) || (dense.first && listed(kKeepsDense, statement.target))) dense_.insert(statement.name);
    return value;
  }

  /// An operator of the user's own: its graph, written out; or a call without a meaning.
  Value defined(const Statement& statement) {
    if (const OpaqueCall* opaque = plan_.definitions->opaque(statement.target)) return opaque_call(statement, *opaque);
    if (depth_ >= kMaxDefinitions) throw InputError(DiagCode::TooDeep, statement.where, "definitions of " + statement.target + " that use one another without end");
    const auto type_of = [&](const std::string& name) {
      const Value value = read(name);
      return value.kind == Value::Kind::Tensor ? &e_.type(value.node) : nullptr;
    };
    const Meaning meaning = plan_.definitions->meaning(statement, type_of);
    std::vector<NodeId> inputs;
    for (const std::string& name : meaning.inputs) inputs.push_back(read(name).node);
    Program inner(meaning.graph, plan_, e_);
    inner.depth_ = depth_ + 1;
    inner.site_ = site_of(statement);
    std::vector<Value> items;
    for (const NodeId node : inner.results(inputs)) items.push_back(Value::tensor(node));
    return statement.type && items.size() == 1 ? items[0] : Value::tuple(std::move(items));
  }

  static bool differs(const Argument& argument) {
    return argument.kind == Argument::Kind::Table || std::any_of(argument.items.begin(), argument.items.end(), differs);
  }

  /// A pure function of its tensors; numbers are part of which function it is.
  Value opaque_call(const Statement& statement, const OpaqueCall& opaque) {
    if (!statement.type) throw InputError(DiagCode::UnsupportedForm, statement.where, "torch.ops." + statement.target + " ('" + statement.name + "'): an opaque operator gives one tensor, torch printed no type");
    std::vector<NodeId> operands;
    std::string numbers;
    const auto take = [&](const auto& self, const Argument& argument) -> void {
      if (argument.kind == Argument::Kind::List) {
        numbers += "[";
        for (const Argument& item : argument.items) self(self, item);
        numbers += "],";
        return;
      }
      const Value value = argument.kind == Argument::Kind::Name ? read(argument.text) : Value{};
      if (argument.kind == Argument::Kind::Name && value.kind != Value::Kind::Tensor) throw InputError(DiagCode::UnsupportedForm, statement.where, "torch.ops." + statement.target + " ('" + statement.name + "'): '" + argument.text + "' is no tensor of real numbers");
      if (differs(argument)) throw InputError(DiagCode::UnsupportedForm, statement.where, "torch.ops." + statement.target + " ('" + statement.name + "'): a number of an opaque operator differs between the ranks");
      if (value.kind == Value::Kind::Tensor) operands.push_back(value.node);
      numbers += (value.kind == Value::Kind::Tensor ? std::string("_") : argument_text(argument)) + ",";
    };
    for (const Argument& argument : statement.arguments) take(take, argument);
    for (const auto& [name, argument] : statement.keywords) {
      numbers += name + "=";
      take(take, argument);
    }
    Attributes attributes(Attr::CustomCallTarget, statement.target);
    attributes.set(Attr::BackendConfig, numbers);
    attributes.set(Attr::OpaqueBatchDims, IntList(opaque.batch_dims));
    return Value::tensor(e_.add(Op::CustomCall, std::move(operands), std::move(attributes), *statement.type));
  }

  Value nested(const Statement& statement) {
    const auto graph = [&](const std::string& name) -> const Graph* {
      const auto attribute = std::find_if(graph_.statements.begin(), graph_.statements.end(), [&](const Statement& s) { return s.kind == StatementKind::Attribute && s.name == name; });
      if (attribute == graph_.statements.end()) return nullptr;
      const auto found = std::find_if(graph_.nested.begin(), graph_.nested.end(), [&](const Graph& g) { return g.name == attribute->target; });
      return found == graph_.nested.end() ? nullptr : &*found;
    };
    const auto write = [&](const Graph& inner, Emitter& e, const std::vector<NodeId>& inputs) {
      Program part(inner, plan_, e);
      part.site_ = site_;
      part.depth_ = depth_;
      return part.results(inputs);
    };
    return lower_nested(e_, statement, {graph, lookup_, write});
  }

  static std::string first_name(const Statement& statement) {
    return statement.arguments.empty() || statement.arguments[0].kind != Argument::Kind::Name ? "" : statement.arguments[0].text;
  }

  [[noreturn]] static void unknown(const Statement& statement) {
    std::vector<std::string> notes;
    if (draws_numbers(statement.target)) {
      throw InputError(DiagCode::UnsupportedOps, statement.where, "torch.ops." + statement.target + " ('" + statement.name + "') draws numbers that no graph shows",
                       {"\"masks\" of the relation makes them an input: {\"" + statement.name + "\": \"replicated\"}"});
    }
    for (const std::string& name : nearest_overloads(statement.target)) notes.push_back("known is torch.ops." + name);
    throw InputError(DiagCode::UnsupportedOps, statement.where, "torch.ops." + statement.target + " ('" + statement.name + "') is not known", notes);
  }

  /// One of a tuple; on each rank another one, where their graphs differ.
  Value item(const Statement& statement) {
    const Value whole = read(statement.target);
    if (whole.kind != Value::Kind::Tuple) throw InputError(DiagCode::BadOperand, statement.where, "'" + statement.target + "' is no tuple");
    const auto pick = [&](const Argument& position) {
      if (position.integer < 0 || position.integer >= static_cast<std::int64_t>(whole.items.size())) {
        throw InputError(DiagCode::BadOperand, statement.where, "'" + statement.target + "' has " + std::to_string(whole.items.size()) + " values, no number " + std::to_string(position.integer));
      }
      return whole.items[static_cast<std::size_t>(position.integer)];
    };
    if (statement.item.kind != Argument::Kind::Table) return pick(statement.item);
    std::vector<double> places;
    for (const Argument& position : statement.item.items) {
      pick(position);
      places.push_back(static_cast<double>(position.integer));
    }
    if (const auto piece = piece_of_split(whole, places)) return *piece;
    std::vector<NodeId> parts;  // of equal shapes: stacked, and one taken by the rank
    for (const Value& value : whole.items) {
      if (value.kind != Value::Kind::Tensor || !(e_.type(value.node) == e_.type(whole.items[0].node))) {
        throw InputError(DiagCode::UnsupportedForm, statement.where, "'" + statement.name + "': the ranks take different values, of different types");
      }
      std::vector<std::int64_t> dims = e_.dims(value.node);
      dims.insert(dims.begin(), 1);
      parts.push_back(e_.reshape(value.node, dims));
    }
    const std::vector<std::int64_t> dims = e_.dims(whole.items[0].node);
    return Value::tensor(e_.reshape(e_.dynamic_slice(e_.concatenate(parts, 0), 0, e_.by_rank(ElementType::S64, places), 1), dims));
  }

  /// Equal pieces of one tensor: a slice of it that starts elsewhere on each rank.
  std::optional<Value> piece_of_split(const Value& whole, std::vector<double> places) {
    std::optional<std::size_t> along;
    for (std::size_t k = 0; k < whole.items.size(); ++k) {
      const NodeId item = whole.items[k].node, first = whole.items[0].node;
      if (whole.items[k].kind != Value::Kind::Tensor || e_.op(item) != Op::Slice || e_.operands(item) != e_.operands(first) || e_.dims(item) != e_.dims(first)) return std::nullopt;
      for (std::size_t d = 0; d < e_.dims(item).size(); ++d) {
        if (e_.dims(item)[d] != e_.dims(e_.operands(item)[0])[d]) along = d;
      }
      if (!along || e_.attributes(item).slice()[*along].start != static_cast<std::int64_t>(k) * e_.dims(item)[*along]) return std::nullopt;
    }
    const std::int64_t size = e_.dims(whole.items[0].node)[*along];
    for (double& place : places) place *= static_cast<double>(size);
    const NodeId source = e_.operands(whole.items[0].node)[0];
    return Value::tensor(e_.dynamic_slice(source, static_cast<std::int64_t>(*along), e_.by_rank(ElementType::S64, places), size));
  }

  /// An object that the relation explains, or a tensor constant.
  Value attribute(const Statement& statement) {
    const auto object = plan_.objects.find(statement.target);
    if (object != plan_.objects.end()) return {Value::Kind::Object, 0, {}, object->second};
    return {};  // a tensor constant: its type stands where it is lifted
  }

  /// `lift_fresh_copy(_tensor_constant0)`: the text does not show the value, the relation gives it by either name.
  Value constant(const Statement& statement, const std::string& lifted) {
    for (const auto& [name, value] : plan_.constants) {
      if (!matches(name, statement.name) && !matches(name, lifted)) continue;
      if (statement.type) return Value::tensor(e_.full(statement.type->dims, e_.number(statement.type->element, value)));
    }
    throw InputError(DiagCode::ElidedConstant, statement.where, "the text does not show the value of '" + lifted + "'", {"\"constants\" of the relation gives it: {\"" + lifted + "\": 0}"});
  }

  static bool matches(const std::string& pattern, const std::string& name) {
    return !pattern.empty() && pattern.back() == '*' ? name.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0 : pattern == name;
  }

  void check(const Statement& statement, Value& value, NodeId first) {
    if (value.kind == Value::Kind::Tuple && !value.items.empty() && value.items[0].kind == Value::Kind::Tensor) e_.label(value.items[0].node, statement.name, first);
    if (value.kind == Value::Kind::Complex) return check_parts(statement, value, first);
    if (value.kind != Value::Kind::Tensor) return;
    e_.label(value.node, statement.name, statement.kind == StatementKind::Item ? 0 : first);
    if (!statement.type || e_.type(value.node) == *statement.type) return;
    throw InputError(DiagCode::TypeMismatch, statement.where,
                     statement.target + " gives " + torch_text(e_.type(value.node)) + ", torch printed " + torch_text(*statement.type) + " for '" + statement.name + "'");
  }

  void label_parts(const Value& value, const std::string& name, NodeId first) {
    e_.label(value.items[0].node, name + ".re", first);
    e_.label(value.items[1].node, name + ".im", first);
  }

  void check_parts(const Statement& statement, const Value& value, NodeId first) {
    label_parts(value, statement.name, first);
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const NodeId part = value.items[k].node;
      const bool fits = !statement.type || e_.type(part) == Type::array(part_of(statement.type->element), statement.type->dims);
      if (fits && !(statement.type && !is_complex(statement.type->element))) continue;
      throw InputError(DiagCode::TypeMismatch, statement.where, statement.target + " gives complex numbers with parts " + torch_text(e_.type(part)) + ", torch printed " + torch_text(*statement.type) + " for '" + statement.name + "'");
    }
  }

  const Graph& graph_;
  const Plan& plan_;
  Emitter& e_;
  TransferLowering transfers_;
  std::function<Value(const std::string&)> lookup_;
  std::map<std::string, NodeId> parameters_;
  std::map<std::string, Value> values_;
  std::set<std::string> dense_;
  std::set<std::string> fresh_;
  std::optional<Site> site_;  ///< of a definition: where it is called
  int depth_ = 0;             ///< definitions around this one
};

}  // namespace

Module lower_graph(const Graph& graph, const Plan& plan, Accepted* accepted) {
  Emitter e(graph.file, plan.sequential == nullptr ? nullptr : &plan.sequential->inputs);
  return Program(graph, plan, e).run(accepted);
}

}  // namespace gg::fx
