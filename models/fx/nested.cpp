// cond(p, true, false, (x, ...)); scan(graph, [init], [xs], (more, ...)); while_loop(condition, body, (carried, ...), (more, ...)).
#include "models/fx/nested.h"

#include <algorithm>

#include "models/fx/program.h"

namespace gg::fx {
namespace {

using Kind = Argument::Kind;

class Nested {
 public:
  Nested(Emitter& e, const Statement& statement, const NestedGraphs& nested) : e_(e), s_(statement), nested_(nested) {}

  /// Both branches take all operands. On ranks the last result may be whether the branch raises nowhere.
  Value cond() {
    const std::vector<NodeId> operands = tensors(3);
    const NodeId given = e_.tuple(operands);
    Branch taken = branch(graph(1), given), other = branch(graph(2), given);
    const std::size_t count = taken.results.size();
    const bool may_raise = taken.fine || other.fine;
    const Type type = closed(taken, may_raise);
    Attributes attributes(Attr::TrueComputation, ComputationList{taken.part->id()});
    if (!(closed(other, may_raise) == type)) refuse("its branches give different types");
    attributes.set(Attr::FalseComputation, ComputationList{other.part->id()});
    const NodeId chosen = e_.add(Op::Conditional, {predicate(), given, given}, std::move(attributes), type);
    if (may_raise) e_.raises_unless(e_.items(chosen)[count]);
    return results(chosen, 0, count);
  }

  /// The state is what is carried and what stays.
  Value while_loop() {
    std::vector<NodeId> state = tensors(2);
    const std::size_t carried = state.size();
    for (const NodeId more : tensors(3)) state.push_back(more);
    const Graph &test = graph(0), &body = graph(1);
    const auto step = [&](Emitter& e, std::vector<NodeId> x) {
      const std::vector<NodeId> next = nested_.write(body, e, x);
      if (next.size() != carried) refuse("its body gives " + std::to_string(next.size()) + " values, " + std::to_string(carried) + " are carried");
      std::copy(next.begin(), next.end(), x.begin());
      return x;
    };
    return results(loop(
                       state, [&](Emitter& e, const std::vector<NodeId>& x) { return nested_.write(test, e, x); }, step),
                   0, carried);
  }

  /// A loop over the first dimension of the xs; the state is a counter, what is carried, what is stacked, xs, what stays.
  Value scan() {
    const Graph& body = graph(0);
    const std::vector<NodeId> init = tensors(1), xs = tensors(2), more = tensors(3);
    if (xs.empty() || e_.dims(xs[0]).empty()) refuse("there is nothing to go along");
    const std::int64_t steps = e_.dims(xs[0])[0];
    for (const NodeId x : xs) {
      if (e_.dims(x).empty() || e_.dims(x)[0] != steps) refuse("what it goes along has different lengths");
    }
    const std::size_t carried = init.size(), stacked = body.outputs.size() - std::min(body.outputs.size(), carried), first = 1 + carried + stacked;
    std::vector<NodeId> state{e_.integer(ElementType::S32, 0)};
    state.insert(state.end(), init.begin(), init.end());
    for (std::size_t k = carried; k < body.outputs.size(); ++k) {
      Type type = type_of(body, body.outputs[k].text, body.return_where);
      type.dims.insert(type.dims.begin(), steps);
      state.push_back(e_.full(type.dims, e_.integer(type.element, 0)));
    }
    state.insert(state.end(), xs.begin(), xs.end());
    state.insert(state.end(), more.begin(), more.end());
    const auto step = [&](Emitter& e, std::vector<NodeId> s) {
      std::vector<NodeId> inputs(s.begin() + 1, s.begin() + 1 + static_cast<std::ptrdiff_t>(carried));
      for (std::size_t k = 0; k < xs.size(); ++k) {
        std::vector<std::int64_t> dims = e.dims(s[first + k]);
        dims.erase(dims.begin());
        inputs.push_back(e.reshape(e.dynamic_slice(s[first + k], 0, s[0], 1), dims));
      }
      inputs.insert(inputs.end(), s.begin() + static_cast<std::ptrdiff_t>(first + xs.size()), s.end());
      const std::vector<NodeId> next = nested_.write(body, e, inputs);
      if (next.size() != carried + stacked) refuse("its graph does not give what is carried");
      for (std::size_t k = 0; k < next.size(); ++k) {
        if (k < carried) {
          s[1 + k] = next[k];
          continue;
        }
        std::vector<std::int64_t> dims = e.dims(next[k]);
        dims.insert(dims.begin(), 1);
        s[1 + k] = e.dynamic_update(s[1 + k], e.reshape(next[k], dims), 0, s[0]);
      }
      s[0] = e.binary(Op::Add, s[0], e.integer(ElementType::S32, 1));
      return s;
    };
    const auto test = [&](Emitter& e, const std::vector<NodeId>& s) { return std::vector{e.compare("LT", s[0], e.integer(ElementType::S32, steps))}; };
    return results(loop(state, test, step), 1, first);
  }

  /// `at`: of the graph; its inputs follow behind it, or `skip` arguments later.
  Value written_out(std::size_t at, std::size_t skip) {
    std::vector<NodeId> inputs;
    for (std::size_t k = at + 1 + skip; k < s_.arguments.size(); ++k) {
      if (s_.arguments[k].kind == Kind::Name) inputs.push_back(tensor(s_.arguments[k]));
    }
    return values(nested_.write(graph(at), e_, inputs));
  }

 private:
  static Value values(const std::vector<NodeId>& nodes) {
    std::vector<Value> items;
    for (const NodeId node : nodes) items.push_back(Value::tensor(node));
    return Value::tuple(std::move(items));
  }

  /// Items `from` to `to` of a tuple.
  Value results(NodeId tuple, std::size_t from, std::size_t to) {
    const std::vector<NodeId> all = e_.items(tuple);
    return values({all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to)});
  }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(DiagCode::UnsupportedForm, s_.where, s_.target + " '" + s_.name + "': " + problem);
  }

  const Graph& graph(std::size_t k) const {
    const Graph* found = k < s_.arguments.size() && s_.arguments[k].kind == Kind::Name ? nested_.graph(s_.arguments[k].text) : nullptr;
    if (found == nullptr) refuse("argument " + std::to_string(k) + " is no graph that stands behind this one");
    return *found;
  }

  NodeId tensor(const Argument& argument) const {
    const Value value = argument.kind == Kind::Name ? nested_.value(argument.text) : Value{};
    if (value.kind != Value::Kind::Tensor) refuse("'" + argument.text + "' is no tensor");
    return value.node;
  }

  /// Those of a list; sizes among them are numbers in the graphs too.
  std::vector<NodeId> tensors(std::size_t k) const {
    std::vector<NodeId> result;
    if (k >= s_.arguments.size()) return result;
    if (s_.arguments[k].kind != Kind::List) refuse("argument " + std::to_string(k) + " is no list of tensors");
    for (const Argument& item : s_.arguments[k].items) {
      if (item.kind != Kind::Integer) result.push_back(tensor(item));
    }
    return result;
  }

  NodeId predicate() {
    if (!s_.arguments.empty() && s_.arguments[0].kind == Kind::Bool) return e_.integer(ElementType::Pred, s_.arguments[0].integer);
    const NodeId p = s_.arguments.empty() ? 0 : tensor(s_.arguments[0]);
    if (s_.arguments.empty() || e_.element(p) != ElementType::Pred || e_.type(p).count() != 1) refuse("its condition is no single Boolean");
    return e_.reshape(p, {});
  }

  struct Branch {
    Emitter* part;
    std::vector<NodeId> results;
    std::optional<NodeId> fine;  ///< Emitter::raises_nowhere
  };

  Branch branch(const Graph& graph, NodeId given) {
    Emitter& part = e_.part(graph.name);
    std::vector<NodeId> made = nested_.write(graph, part, part.items(part.parameter("operands", e_.type(given))));
    return {&part, std::move(made), part.raises_nowhere()};
  }

  /// The type of its results, the condition behind them.
  static Type closed(Branch& branch, bool with_condition) {
    Emitter& part = *branch.part;
    if (with_condition) branch.results.push_back(branch.fine.value_or(part.integer(ElementType::Pred, 1)));
    const NodeId made = part.tuple(branch.results);
    part.close(made);
    return part.type(made);
  }

  /// The state when the test fails. On ranks its last element may be whether no iteration raised.
  template <class Test, class Step>
  NodeId loop(std::vector<NodeId> state, const Test& test, const Step& step) {
    const std::size_t count = state.size();
    const auto own = [&](std::vector<NodeId> all) {
      all.resize(count);
      return all;
    };
    const auto next_of = [&](Emitter& body, const Type& type) {
      const std::vector<NodeId> before = body.items(body.parameter("state", type));
      std::vector<NodeId> next = step(body, own(before));
      const auto fine = body.raises_nowhere();
      if (before.size() > count) next.push_back(body.binary(Op::And, before[count], *fine));
      return std::pair(body.tuple(next), fine.has_value());
    };
    Emitter trial = e_.apart();
    const bool may_raise = next_of(trial, e_.type(e_.tuple(state))).second;
    if (may_raise) state.push_back(e_.integer(ElementType::Pred, 1));
    Emitter &condition = e_.part(s_.name + ".condition"), &body = e_.part(s_.name + ".body");
    const NodeId given = e_.tuple(state);
    const std::vector<NodeId> answer = test(condition, own(condition.items(condition.parameter("state", e_.type(given)))));
    if (answer.size() != 1 || condition.element(answer[0]) != ElementType::Pred || condition.type(answer[0]).count() != 1) refuse("its condition gives no single Boolean");
    if (condition.raises_nowhere()) refuse("its condition looks up what is not seen to be in range");
    condition.close(condition.reshape(answer[0], {}));
    const NodeId next = next_of(body, e_.type(given)).first;
    if (!(body.type(next) == e_.type(given))) refuse("its body gives other types than it takes");
    body.close(next);
    Attributes attributes(Attr::Condition, ComputationList{condition.id()});
    attributes.set(Attr::Body, ComputationList{body.id()});
    const NodeId end = e_.add(Op::While, {given}, std::move(attributes));
    if (may_raise) e_.raises_unless(e_.items(end)[count]);
    return end;
  }

  Emitter& e_;
  const Statement& s_;
  const NestedGraphs& nested_;
};

/// Regions that are only marked: where the graph stands among the arguments, and how many follow it before its inputs.
struct Region {
  std::string_view target;
  std::size_t graph, skip;
};
constexpr Region kRegions[] = {{"higher_order.wrap", 0, 0}, {"higher_order.tag_activation_checkpoint", 0, 0}, {"higher_order.wrap_activation_checkpoint", 0, 0}, {"higher_order.wrap_with_set_grad_enabled", 1, 0}, {"higher_order.invoke_subgraph", 0, 1}};

const Region* region_of(std::string_view target) {
  const auto found = std::find_if(std::begin(kRegions), std::end(kRegions), [&](const Region& r) { return r.target == target; });
  return found == std::end(kRegions) ? nullptr : found;
}

}  // namespace

bool calls_graphs(std::string_view target) {
  return target == "higher_order.cond" || target == "higher_order.scan" || target == "higher_order.while_loop" || region_of(target) != nullptr;
}

Value lower_nested(Emitter& e, const Statement& statement, const NestedGraphs& nested) {
  Nested call(e, statement, nested);
  if (const Region* region = region_of(statement.target)) return call.written_out(region->graph, region->skip);
  if (statement.target == "higher_order.cond") return call.cond();
  return statement.target == "higher_order.scan" ? call.scan() : call.while_loop();
}

}  // namespace gg::fx
