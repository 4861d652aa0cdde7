// Which instruction first goes wrong (first_divergence of runtime/differential.h). Both programs are traced on the inputs
// that differ; every distributed value is matched by value with the sequential ones (placement_match.h). From the
// outputs that differ the walk goes back through values that match nothing; where it ends, an instruction turned good
// operands into a bad value. What only moves data (slice, transpose, ...) passes on the state of its operands, because
// correct programs move data into forms that the sequential program never has. This proposes blame and proves nothing.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "models/base/check.h"
#include "runtime/compare.h"
#include "runtime/differential.h"
#include "runtime/pair_runner.h"
#include "runtime/placement_match.h"
#include "runtime/value.h"
#include "runtime/value_graph.h"

namespace gg {
namespace {

constexpr std::size_t kMaxSamples = std::size_t{1} << 25U;  ///< numbers kept of a trace

constexpr std::array kStaticMoves = {Op::Broadcast, Op::Reshape, Op::Transpose, Op::Slice,   Op::Concatenate, Op::Pad,
                                     Op::Reverse,   Op::Copy,    Op::Bitcast,   Op::Convert, Op::Conditional};
constexpr std::array kIndexed = {Op::DynamicSlice, Op::DynamicUpdateSlice, Op::Gather};

template <class Table>
bool in(const Table& table, Op op) {
  return std::find(table.begin(), table.end(), op) != table.end();
}

template <class R>
void append(const Buffer& buffer, std::vector<double>& out) {
  for (const R& value : buffer.as<R>()) out.push_back(RealOps<R>::to_double(value));
}

std::vector<double> doubles_of(const Buffer& buffer) {
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(buffer.count()));
  switch (buffer.storage()) {
    case Storage::Int64:
      for (const std::int64_t value : buffer.as<std::int64_t>()) out.push_back(static_cast<double>(value));
      break;
    case Storage::Double: out.assign(buffer.as<double>().begin(), buffer.as<double>().end()); break;
    case Storage::Real113: append<Real113>(buffer, out); break;
    case Storage::Real226: append<Real226>(buffer, out); break;
  }
  return out;
}

Samples samples_of(const Module& module, const TracedValue& value, const Buffer& buffer) {
  const Type& type = *array_leaf_types(module.type(value.instance.instruction)).at(value.leaf);
  return make_samples(buffer.storage() == Storage::Int64, type.dims, doubles_of(buffer));
}

/// What the trace says of one distributed value.
struct State {
  bool good = false;     ///< matched, or an input, or moved from good values, or no function of the inputs
  bool derived = false;  ///< depends on the inputs (not only on constants and the rank)
  std::optional<Match> match;
};

class Tracer {
 public:
  Tracer(PairRunner& runner, const InputSet& inputs, const DifferentialOptions& options)
      : case_(runner.pair()), sequential_(*case_.sequential), distributed_(*case_.distributed) {
    RunOptions run;
    run.mode = options.mode;
    run.budget = options.budget;
    run.probe = [this](const Instance& instance, std::span<const Buffer* const> leaves) { anchor(instance, leaves); };
    pair_.sequential = runner.run_sequential(inputs, run);
    run.probe = [this](const Instance& instance, std::span<const Buffer* const> leaves) { relate(instance, leaves); };
    if (!too_large_) pair_.distributed = runner.run_distributed(inputs, run);
  }

  std::optional<Divergence> blame(NumberMode mode) {
    if (too_large_) return std::nullopt;
    std::vector<ValueId> starts;
    const auto outputs = distributed_.outputs();
    for (std::size_t k = 0; k < case_.relation.outputs.size() && k < outputs.size(); ++k) {
      if (case_.relation.outputs[k].kind != OutputClaim::Kind::Compared) continue;
      if (!first_look(claimed_values(case_, k, pair_, mode)).doubts.empty()) starts.push_back(outputs[k]);
    }
    if (starts.empty()) return std::nullopt;
    absolve();
    if (const auto source = first_source(starts)) return explain(*source);
    return explain_output(starts.front());
  }

 private:
  Op op(ValueId id) const { return distributed_.module()[distributed_.values()[id].instance.instruction].op; }
  std::string name(ValueId id) const { return to_string(distributed_.module(), distributed_.values()[id].instance); }

  bool room(std::span<const Buffer* const> leaves) {
    for (const Buffer* leaf : leaves) kept_ += static_cast<std::size_t>(leaf->count());
    too_large_ = too_large_ || kept_ > kMaxSamples;
    return !too_large_;
  }

  void anchor(const Instance& instance, std::span<const Buffer* const> leaves) {
    bool fresh = false;
    const auto ids = sequential_.add(instance, fresh);
    if (!fresh || !room(leaves)) return;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      Samples samples = samples_of(*case_.sequential, sequential_.values()[ids[leaf]], *leaves[leaf]);
      if (case_.sequential->operator[](instance.instruction).op == Op::Constant) {
        for (const double value : samples.values) {
          if (std::isfinite(value)) literals_.insert(value);
        }
      }
      const TracedValue& value = sequential_.values()[ids[leaf]];
      derived_.resize(ids[leaf] + 1);
      derived_[ids[leaf]] = case_.sequential->operator[](instance.instruction).op == Op::Parameter ||
                            std::any_of(value.operands.begin(), value.operands.end(), [&](ValueId id) { return derived_[id]; });
      if (samples.trivial || !derived_[ids[leaf]]) continue;
      anchors_.push_back(std::move(samples));
      anchor_values_.push_back(ids[leaf]);
    }
  }

  void relate(const Instance& instance, std::span<const Buffer* const> leaves) {
    bool fresh = false;
    const auto ids = distributed_.add(instance, fresh);
    if (!fresh) return;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      states_.resize(ids[leaf] + 1);
      states_[ids[leaf]] = state(ids[leaf], *leaves[leaf]);
    }
  }

  State state(ValueId value_id, const Buffer& buffer) {
    const TracedValue& value = distributed_.values()[value_id];
    const Op kind = op(value_id);
    State result;
    result.derived = kind == Op::Parameter || std::any_of(value.operands.begin(), value.operands.end(),
                                                          [&](ValueId id) { return states_[id].derived; });
    result.good = kind == Op::Parameter || !result.derived;
    if (result.good) return result;
    const Samples samples = samples_of(*case_.distributed, value, buffer);
    result.good = operands_good(value);
    if (samples.trivial) return result;
    result.match = match_placement(case_.distributed_bodies->digits(), samples, anchors_);
    result.good = result.match.has_value() || (in(kStaticMoves, kind) && operands_good(value));
    return result;
  }

  bool operands_good(const TracedValue& value) const {
    return std::all_of(value.operands.begin(), value.operands.end(), [&](ValueId id) { return states_[id].good; });
  }

  /// A bad value from which a later value matches again was right, in a form that the sequential program has not.
  void absolve() {
    std::vector<bool> heals(states_.size());
    for (std::size_t id = states_.size(); id-- > 0;) {
      const bool right = states_[id].match.has_value() || heals[id];
      if (right && !states_[id].good) states_[id].good = true;
      if (!right) continue;
      for (const ValueId operand : distributed_.values()[id].operands) heals[operand] = true;
    }
  }

  /// The earliest value, among those from which bad values alone lead to an output that differs, whose operands are
  /// good; floats before integers, because correct programs compute local indices that the sequential one has not.
  std::optional<ValueId> first_source(const std::vector<ValueId>& starts) const {
    std::set<ValueId> seen;
    std::vector<ValueId> todo = starts;
    std::optional<ValueId> first, first_integral;
    while (!todo.empty()) {
      const ValueId id = todo.back();
      todo.pop_back();
      if (states_[id].good || !seen.insert(id).second) continue;
      const TracedValue& value = distributed_.values()[id];
      auto& place = is_float(element(id)) ? first : first_integral;
      if (operands_good(value) && (!place || id < *place)) place = id;
      todo.insert(todo.end(), value.operands.begin(), value.operands.end());
    }
    return first ? first : first_integral;
  }

  ElementType element(ValueId id) const {
    const TracedValue& value = distributed_.values()[id];
    return array_leaf_types(case_.distributed->type(value.instance.instruction)).at(value.leaf)->element;
  }

  std::string digit_names(const std::vector<int>& digits) const {
    std::string text;
    for (const int digit : digits) {
      const auto& d = case_.distributed_bodies->digits().digits()[static_cast<std::size_t>(digit)];
      text += (text.empty() ? "" : ", ") + d.name;
    }
    return text;
  }

  std::string anchor_name(const Match& match) const {
    return to_string(*case_.sequential, sequential_.values()[anchor_values_[match.candidate]].instance);
  }

  Divergence at(ValueId id, std::string text, bool missing = false) const {
    const TracedValue& value = distributed_.values()[id];
    return {value.instance.instruction, value.instance, std::move(text), missing};
  }

  Divergence missing_reduction(ValueId id, const Match& match, const std::string& user) const {
    return at(id, "it is a partial " + std::string(match.sum ? "sum" : "maximum") + " over " + digit_names(match.partial) +
                      " of " + anchor_name(match) + ": a reduction is missing before " + user, true);
  }

  Divergence explain(ValueId id) const {
    const TracedValue& value = distributed_.values()[id];
    if (const auto constant = wrong_constant(id)) {
      return at(*constant, "the sequential program has another constant here; " + name(id) +
                               ", which uses it, is the first value that matches none there");
    }
    if (in(kIndexed, op(id)) || !is_float(element(id))) {
      if (const auto table = index_table(id)) {
        return at(*table, "the offsets in this table place the result of " + name(id) +
                              " where no sequential value has it");
      }
    }
    for (const ValueId operand : value.operands) {
      const auto& match = states_[operand].match;
      if (!match || match->partial.empty()) continue;
      if (info(op(id)).traits != OpTraits::Collective) return missing_reduction(operand, *match, name(id));
      return at(id, "its operand " + name(operand) + " is a partial " + (match->sum ? "sum" : "maximum") + " over " +
                        digit_names(match->partial) + " of " + anchor_name(*match) + ", its result matches nothing");
    }
    return at(id, "its operands match sequential values, its result matches none");
  }

  Divergence explain_output(ValueId id) const {
    // The producer behind moves: there something is missing.
    while (in(kStaticMoves, op(id)) && distributed_.values()[id].operands.size() == 1) {
      id = distributed_.values()[id].operands[0];
    }
    const auto& match = states_[id].match;
    if (match && !match->partial.empty()) return missing_reduction(id, *match, "the output");
    return at(id, "an output is computed from values that match sequential ones, but is not the one that the relation "
                  "claims, or not in that placement");
  }

  /// The float constants of one side behind a value, through anything that does not depend on inputs.
  static void constants_behind(const ValueGraph& graph, ValueId id, std::vector<ValueId>& out) {
    const TracedValue& value = graph.values()[id];
    const Op kind = graph.module()[value.instance.instruction].op;
    const Type& type = graph.module().type(value.instance.instruction);
    if (kind == Op::Constant && type.is_array() && is_float(type.element)) out.push_back(id);
    if (!in(kStaticMoves, kind)) return;
    for (const ValueId operand : value.operands) constants_behind(graph, operand, out);
  }

  std::vector<Scalar> literal_of(const ValueGraph& graph, ValueId constant) const {
    return graph.module().attributes(graph.values()[constant].instance.instruction).literal().values;
  }

  /// A float constant behind an operand that the sequential program never writes, or for which its counterpart of this
  /// instruction (same operator on the matching value) has another one.
  std::optional<ValueId> wrong_constant(ValueId id) const {
    const TracedValue& value = distributed_.values()[id];
    for (std::size_t k = 0; k < value.operands.size(); ++k) {
      std::vector<ValueId> constants;
      if (!states_[value.operands[k]].derived) constants_behind(distributed_, value.operands[k], constants);
      for (const ValueId constant : constants) {
        const auto literal = literal_of(distributed_, constant);
        for (const Scalar& scalar : literal) {
          if (std::isfinite(scalar.real) && literals_.count(scalar.real) == 0) return constant;
        }
        if (literal.size() == 1 && counterpart_differs(id, k, literal[0])) return constant;
      }
    }
    return std::nullopt;
  }

  bool counterpart_differs(ValueId id, std::size_t constant_operand, const Scalar& literal) const {
    const TracedValue& value = distributed_.values()[id];
    if (value.operands.size() != 2) return false;
    const auto& match = states_[value.operands[1 - constant_operand]].match;
    if (!match) return false;
    bool found = false, same = false;
    for (ValueId user = 0; user < sequential_.values().size(); ++user) {
      const TracedValue& other = sequential_.values()[user];
      if (case_.sequential->operator[](other.instance.instruction).op != op(id) || other.operands.size() != 2) continue;
      if (!reads_anchor(other.operands[1 - constant_operand], anchor_values_[match->candidate])) continue;
      std::vector<ValueId> constants;
      constants_behind(sequential_, other.operands[constant_operand], constants);
      if (constants.size() != 1) continue;
      const auto theirs = literal_of(sequential_, constants[0]);
      found = found || theirs.size() == 1;
      same = same || (theirs.size() == 1 && theirs[0].real == literal.real);
    }
    return found && !same;
  }

  /// Is this sequential value the anchor, or moved from it, or is the anchor moved from it?
  bool reads_anchor(ValueId id, ValueId anchor) const {
    const auto origin = [&](ValueId at) {
      for (;;) {
        const TracedValue& value = sequential_.values()[at];
        const Op kind = case_.sequential->operator[](value.instance.instruction).op;
        if (!in(kStaticMoves, kind) || value.operands.size() != 1) return at;
        at = value.operands[0];
      }
    };
    return id == anchor || origin(id) == origin(anchor);
  }

  /// The constant table behind the operands that depend on the rank only, if there is one.
  std::optional<ValueId> index_table(ValueId id) const {
    std::vector<ValueId> todo;
    for (const ValueId operand : distributed_.values()[id].operands) {
      if (!states_[operand].derived) todo.push_back(operand);
    }
    std::set<ValueId> seen;
    while (!todo.empty()) {
      const ValueId next = todo.back();
      todo.pop_back();
      if (!seen.insert(next).second) continue;
      const TracedValue& value = distributed_.values()[next];
      const Type& type = case_.distributed->type(value.instance.instruction);
      if (op(next) == Op::Constant && type.is_array() && type.count() > 1 && is_integral(type.element)) return next;
      todo.insert(todo.end(), value.operands.begin(), value.operands.end());
    }
    return std::nullopt;
  }

  Case& case_;
  ValueGraph sequential_, distributed_;
  PairRun pair_;
  std::size_t kept_ = 0;
  bool too_large_ = false;
  std::set<double> literals_;
  std::vector<Samples> anchors_;
  std::vector<ValueId> anchor_values_;
  std::vector<bool> derived_;  ///< of sequential values: depends on the inputs
  std::vector<State> states_;
};

}  // namespace

std::optional<Divergence> first_divergence(Case& c, const InputSet& inputs, const DifferentialOptions& options) {
  PairRunner runner(c);
  try {
    return Tracer(runner, inputs, options).blame(options.mode);
  } catch (const RuntimeFailure&) {
    return std::nullopt;  // the run that found the difference is the evidence; this one only explains it
  }
}

}  // namespace gg
