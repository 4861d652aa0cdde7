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
  bool good = false;     ///< matched, or an input, or moved from good values
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
      if (samples.constant) continue;
      anchors_.push_back(std::move(samples));
      anchor_names_.push_back(to_string(*case_.sequential, instance));
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

  State state(ValueId id, const Buffer& buffer) {
    const TracedValue& value = distributed_.values()[id];
    const Op kind = op(id);
    if (value.operands.empty() || kind == Op::Parameter) return {true, std::nullopt};
    const Samples samples = samples_of(*case_.distributed, value, buffer);
    if (samples.constant) return {operands_good(value), std::nullopt};
    State result;
    result.match = match_placement(case_.distributed_bodies->digits(), samples, anchors_);
    result.good = result.match.has_value() || (in(kStaticMoves, kind) && operands_good(value));
    return result;
  }

  bool operands_good(const TracedValue& value) const {
    return std::all_of(value.operands.begin(), value.operands.end(), [&](ValueId id) { return states_[id].good; });
  }

  /// The earliest value, among those from which bad values alone lead to an output that differs, whose operands are good.
  std::optional<ValueId> first_source(const std::vector<ValueId>& starts) const {
    std::set<ValueId> seen;
    std::vector<ValueId> todo = starts;
    std::optional<ValueId> first;
    while (!todo.empty()) {
      const ValueId id = todo.back();
      todo.pop_back();
      if (states_[id].good || !seen.insert(id).second) continue;
      const TracedValue& value = distributed_.values()[id];
      if (operands_good(value) && (!first || id < *first)) first = id;
      todo.insert(todo.end(), value.operands.begin(), value.operands.end());
    }
    return first;
  }

  std::string digit_names(const std::vector<int>& digits) const {
    std::string text;
    for (const int digit : digits) {
      const auto& d = case_.distributed_bodies->digits().digits()[static_cast<std::size_t>(digit)];
      text += (text.empty() ? "" : ", ") + d.name;
    }
    return text;
  }

  Divergence at(ValueId id, std::string text) const {
    const TracedValue& value = distributed_.values()[id];
    return {value.instance.instruction, value.instance, std::move(text)};
  }

  Divergence explain(ValueId id) const {
    const TracedValue& value = distributed_.values()[id];
    if (const auto constant = foreign_constant(id)) {
      return at(*constant, "%" + std::string(distributed_.module().name_of(distributed_.values()[*constant].instance.instruction)) +
                               " is no constant of the sequential program; " + name(id) +
                               ", which uses it, is the first value that matches none there");
    }
    if (in(kIndexed, op(id))) {
      if (const auto table = index_table(id)) {
        return at(*table, "the offsets in this table place the result of " + name(id) +
                              " where no sequential value has it");
      }
    }
    for (const ValueId operand : value.operands) {
      const auto& match = states_[operand].match;
      if (!match || match->partial.empty()) continue;
      return at(id, "its operand " + name(operand) + " is a partial " + (match->sum ? "sum" : "maximum") + " over " +
                        digit_names(match->partial) + " of " + anchor_names_[match->candidate] +
                        "; the result matches no sequential value");
    }
    return at(id, "its operands match sequential values, its result matches none");
  }

  Divergence explain_output(ValueId id) const {
    // The producer behind moves: there something is missing.
    while (in(kStaticMoves, op(id)) && distributed_.values()[id].operands.size() == 1) {
      id = distributed_.values()[id].operands[0];
    }
    const auto& match = states_[id].match;
    if (match && !match->partial.empty()) {
      return at(id, std::string("an output is its partial ") + (match->sum ? "sum" : "maximum") + " over " +
                        digit_names(match->partial) + " of " + anchor_names_[match->candidate] +
                        ": a reduction is missing after it");
    }
    return at(id, "an output is computed from values that match sequential ones, but is not the one that the relation "
                  "claims, or not in that placement");
  }

  /// A float constant behind an operand, through moves, whose value the sequential program never writes.
  std::optional<ValueId> foreign_constant(ValueId id) const {
    for (ValueId operand : distributed_.values()[id].operands) {
      while (in(kStaticMoves, op(operand)) && distributed_.values()[operand].operands.size() == 1) {
        operand = distributed_.values()[operand].operands[0];
      }
      const InstructionId instruction = distributed_.values()[operand].instance.instruction;
      if (op(operand) != Op::Constant || !is_float(case_.distributed->type(instruction).element)) continue;
      for (const Scalar& scalar : case_.distributed->attributes(instruction).literal().values) {
        if (std::isfinite(scalar.real) && literals_.count(scalar.real) == 0) return operand;
      }
    }
    return std::nullopt;
  }

  /// The constant table from which the indices of a slice come, if they come from one.
  std::optional<ValueId> index_table(ValueId id) const {
    std::vector<ValueId> todo(distributed_.values()[id].operands.begin() + 1, distributed_.values()[id].operands.end());
    std::set<ValueId> seen;
    while (!todo.empty()) {
      const ValueId next = todo.back();
      todo.pop_back();
      if (!seen.insert(next).second) continue;
      const TracedValue& value = distributed_.values()[next];
      const Type& type = case_.distributed->type(value.instance.instruction);
      if (op(next) == Op::Constant && type.is_array() && type.count() > 1) return next;
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
  std::vector<std::string> anchor_names_;
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
