// Where a distributed program goes wrong, by value: both programs are traced on the inputs that differ, and every
// distributed value is matched with the sequential ones (placement_match.h). From the outputs that differ the walk goes
// back through values that match nothing; where it ends, an instruction turned good operands into a bad value. What only
// moves data (slice, transpose, ...) passes on the state of its operands, because correct programs move data into forms
// that the sequential program never has. This proposes places and proves nothing.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/compare.h"
#include "runtime/executor.h"
#include "runtime/pair_runner.h"
#include "runtime/placement_match.h"
#include "runtime/value_graph.h"

namespace gg {

/// What the trace says of one distributed value.
struct ValueState {
  bool good = false;     ///< matched, or an input, or moved from good values, or no function of the inputs
  bool derived = false;  ///< depends on the inputs (not only on constants and the rank)
  bool uniform = false;  ///< one number everywhere: it may be what a minimum or a select has put in the place of operands
  std::optional<Match> match;
};

/// Numbers kept of a trace, against a limit.
struct TraceRoom {
  std::size_t kept = 0;
  bool too_large = false;
  bool take(Leaves leaves);
};

/// The values of a trace by id, to be looked at again; none of those behind a limit.
class TracedBuffers {
 public:
  void keep(ValueId id, const std::shared_ptr<const Buffer>& value);
  /// Null where it was not kept.
  const std::shared_ptr<const Buffer>& of(ValueId id) const;

 private:
  SharedBuffers values_;
  std::size_t bytes_ = 0;
};

/// The sequential half of a trace: the values of one run. Traces of several distributed programs on the same inputs share it.
class SequentialTrace {
 public:
  /// Runs the sequential program of `c`, which must outlive it, unless `recorded` is that run, and literals mean what they are printed as (literals()).
  /// `apart`: what numbers of both programs are taken for the same (Samples). Throws RuntimeFailure.
  SequentialTrace(Case& c, const InputSet& inputs, NumberMode mode, const Budget& budget, const Recording* recorded = nullptr, double apart = kSameNumber);
  const ValueGraph& graph() const { return graph_; }
  NumberMode mode() const { return mode_; }
  /// How both programs are read.
  const LiteralReading& literals() const { return literals_; }
  bool derived(ValueId id) const { return derived_[id]; }
  const Buffer* value(ValueId id) const { return buffers_.of(id).get(); }
  /// What distributed values are matched with: the values that hang on inputs and say something, and which they are.
  const std::vector<Samples>& anchors() const { return anchors_; }
  ValueId anchor_value(std::size_t anchor) const { return anchor_values_[anchor]; }
  /// DivergenceTrace::representative.
  std::optional<ValueId> representative(ValueId id) const;
  bool hangs_on_inputs(ValueId id) const { return derived_.at(id); }

 private:
  friend class DivergenceTrace;
  void anchor(const Instance& instance, Leaves leaves);

  NumberMode mode_;
  double apart_;
  LiteralReading literals_;
  const Module& module_;
  ValueGraph graph_;
  TraceRoom room_;
  TracedBuffers buffers_;
  std::shared_ptr<const RunResult> result_;
  std::vector<Samples> anchors_;
  std::vector<ValueId> anchor_values_;
  bool nowhere_finite_ = false;  ///< a value that hangs on inputs is
  std::vector<bool> derived_;    ///< depends on the inputs
  std::map<std::pair<std::vector<std::int64_t>, std::uint64_t>, ValueId> same_numbers_;
  std::vector<std::optional<ValueId>> representatives_;
};

class DivergenceTrace;

/// A program that was traced and what another one has in common with it: by position in the other's entry computation, the instruction
/// of the same value (kNone where there is none).
struct TracedBefore {
  const DivergenceTrace& trace;
  std::vector<InstructionId> same;
};

class DivergenceTrace {
 public:
  /// Runs both programs. Throws RuntimeFailure.
  DivergenceTrace(Case& c, const InputSet& inputs, NumberMode mode, const Budget& budget);
  /// The same with the sequential half of an earlier one, on the same inputs. The distributed program is not run if `recorded` is that
  /// run; what it has in common with the one `before` (of the same sequential half) is neither run nor judged again.
  DivergenceTrace(Case& c, const InputSet& inputs, std::shared_ptr<const SequentialTrace> sequential, const Budget& budget,
                  const Recording* recorded = nullptr, const TracedBefore* before = nullptr);

  /// False: the values are too many to be kept, and nothing below says anything.
  bool complete() const { return !room_.too_large; }
  const Case& pair() const { return case_; }
  const ValueGraph& sequential() const { return sequential_->graph_; }
  const SequentialTrace& sequential_half() const { return *sequential_; }
  NumberMode mode() const { return sequential_->mode(); }
  const ValueGraph& distributed() const { return distributed_; }
  const ValueState& state(ValueId id) const { return states_[id]; }
  /// Null where it was not kept.
  const Buffer* value(ValueId id) const { return buffers_.of(id).get(); }
  /// The value of the program before that it was taken from.
  std::optional<ValueId> taken_from(ValueId id) const;
  /// Output leaves of the distributed program that differ.
  const std::vector<ValueId>& wrong_outputs() const { return wrong_; }
  /// Bad values from which bad values alone lead to an output that differs, in the order of the run.
  const std::vector<ValueId>& suspects() const { return suspects_; }
  /// Those of them whose operands are all good: floats first, because correct programs compute local indices that the
  /// sequential one has not; each kind in the order of the run. Where they are many, those come first that lead to all wrong
  /// outputs, before them those that are no entries of stacks, which only pass on what a form of the program's own left there.
  std::vector<ValueId> sources() const;
  /// The value of this leaf when its instance first ran, structure resolved; with iteration 1, in the second iteration of the
  /// innermost loop.
  std::optional<ValueId> first_value(const std::vector<InstructionId>& path, InstructionId id, std::size_t leaf, int iteration = 0) const;
  /// The same for every instruction that ran, its first leaf, wherever it stands.
  std::map<InstructionId, ValueId> first_values() const;
  /// The numbers of the sequential value behind a match.
  const Samples& numbers(const Match& match) const { return sequential_->anchors_[match.candidate]; }
  /// The sequential value behind a match, and its name.
  ValueId anchor(const Match& match) const { return sequential_->anchor_values_[match.candidate]; }
  std::string anchor_name(const Match& match) const;
  /// The first sequential value of the same shape that holds the same numbers (itself if none does; nothing if it says
  /// nothing: zeros, or no function of the inputs). Matches name the first one.
  std::optional<ValueId> representative(ValueId sequential) const;
  bool hangs_on_inputs(ValueId sequential) const { return sequential_->hangs_on_inputs(sequential); }
  bool operands_good(ValueId id) const;
  /// Would `buffer` in the place of this value be a sequential value, or the negative of one, in some placement? Numbers that
  /// are all the same say no.
  bool would_match(ValueId id, const Buffer& buffer) const;
  Op op(ValueId id) const;
  ElementType element(ValueId id) const;
  std::string name(ValueId id) const;
  /// The operator only moves data, at places that the text states.
  static bool moves(Op op);
  /// The value behind one-operand moves.
  static ValueId origin(const ValueGraph& graph, ValueId id);
  /// `tp, fsdp.0`.
  std::string digit_names(const std::vector<int>& digits) const;

 private:
  void relate(const Instance& instance, Leaves leaves, const TracedBefore* before);
  InstructionId same_before(const TracedBefore& before, InstructionId id) const;
  bool leaves_before(const TracedBefore& before, InstructionId id, SharedBuffers& leaves) const;
  std::optional<ValueId> found_in(const TracedBefore& before, const Instance& instance, std::size_t leaf) const;
  ValueState judge(ValueId id, const Buffer& buffer);
  void absolve();
  void find_suspects();
  void sort_sources(std::vector<ValueId>& sources) const;

  Case& case_;
  std::shared_ptr<const SequentialTrace> sequential_;
  ValueGraph distributed_;
  TraceRoom room_;
  std::vector<ValueState> states_;
  std::vector<bool> own_good_;  ///< good by itself, before others absolve it
  std::map<ValueId, ValueId> taken_;
  TracedBuffers buffers_;
  using Firsts = std::map<std::pair<std::vector<InstructionId>, InstructionId>, std::vector<ValueId>>;
  Firsts first_, second_;  ///< distributed
  std::vector<ValueId> wrong_, suspects_;
};

}  // namespace gg
