// Repair hypotheses: single edits of a distributed program, each with the defect that it would mend, in words. The
// catalogue (catalogue.cpp and the files of its rows) lists every edit that fits a place; trials decide.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/report/diagnosis.h"
#include "models/ir/kinds.h"
#include "models/mutation/maker.h"
#include "runtime/divergence.h"

namespace gg::pinpoint {

using mutation::Added;
using mutation::Changed;
using mutation::Maker;
using mutation::Patch;
using mutation::patched;
using mutation::RankGroups;
using mutation::Reducer;
using mutation::Ref;
using mutation::Reroute;
using mutation::rerouting;
using mutation::unchanged;

enum class FindingKind : std::uint8_t { Wrong,
                                        Missing,
                                        Extra };

struct Repair {
  Patch patch = {};
  InstructionId place = 0;  ///< what is blamed if the edit mends
  FindingKind kind = FindingKind::Wrong;
  Diagnosis diagnosis = Diagnosis::Other;
  std::string text = {};                ///< the finding: "missing all-reduce over tp after %dot.7 (consumed by %logistic.3)"
  std::string edit = {};                ///< the hypothesis: "insert an all-reduce over tp after %dot.7"
  std::string after = {}, before = {};  ///< Missing: the neighbours
  int cost = 0;                         ///< what is tried and preferred first
  InstructionId at = 0;                 ///< the instruction for which the catalogue gave it
  bool told = false;                    ///< by the kin of the values, not by the catalogue
  bool any = false;                     ///< one of many that could stand there: where it mends, nothing else speaks for it
  bool invented = false;                ///< works over groups of ranks that neither the mesh nor the program has
  std::size_t copied = 0;               ///< sequential instructions that it copies
  std::vector<Repair> parts = {};       ///< of one at several places: each by itself
};

/// Ranks that differ in some mesh axes only.
struct AxisSet {
  std::string name;  ///< `tp`, `dp, tp`
  std::int64_t size = 1;
  RankGroups groups = {};
  int axes = 1;
};

/// A distributed instruction that holds a sequential value: in blocks, whole, or in parts that are still to be combined.
struct Holder {
  InstructionId instruction;
  const Match* match;
  bool whole() const;  ///< on every rank
};

class Context;
/// What all ranks hold of a value of which each has a block or a summand: added up, then gathered along each dimension that is split. Nothing for uneven blocks.
std::optional<Ref> gathered(const Context& context, InstructionId block, const Match& match, Maker& maker);

/// Where each dimension of `from` may lie in `to`: equal extents, those in order first.
std::vector<IntList> ways(const IntList& from, const IntList& to);

/// A dimension that an input is split along: extents of a rank's block and of the whole, how many ranks hold a block, over which axes.
struct SplitExtent {
  std::int64_t local, whole, parts;
  std::vector<std::string> axes;
  auto operator<=>(const SplitExtent&) const = default;
};

/// Each once, in ascending order.
std::vector<SplitExtent> split_extents(const Case& c);

/// What the rows of the catalogue may look at. Everything refers to one module; it lives as long as the search at it.
class Context {
 public:
  explicit Context(const Case& c, const DivergenceTrace* trace);

  const Case& pair() const { return case_; }
  const Module& module() const { return *case_.distributed; }
  /// Every non-empty set of mesh axes (at most 4 axes) and every digit, smaller sets first.
  const std::vector<AxisSet>& axes() const { return axes_; }
  const std::vector<InstructionId>& users(InstructionId id) const { return users_[id]; }
  /// The instruction's first leaf in the trace, if it ran.
  std::optional<ValueId> value(InstructionId id) const;
  /// The state of the instruction's first leaf in the trace, if it ran.
  const ValueState* state(InstructionId id) const;
  const DivergenceTrace* trace() const { return trace_; }
  /// Does it work over ranks that are those of no mesh axes and of no collective of the program: digits that a permute alone makes?
  bool invents_groups(const Patch& patch) const;
  /// Constants of the sequential program: distinct values of each type, in the order of the text.
  const std::vector<ConstantArray>& sequential_constants() const { return constants_; }
  /// Operators that the sequential program computes with, in regions too.
  const std::set<Op>& sequential_ops() const { return ops_; }
  /// Arrays that hold this sequential value, or another one of the same numbers, in the order of the text.
  const std::vector<Holder>& holders(ValueId sequential) const;
  /// Sequential values that are computed from this one, or from another one of the same numbers.
  const std::vector<ValueId>& readers(ValueId sequential) const;
  /// Sequential values that nothing holds, each a function of a value that is held, and of other such, numbers or a mask.
  const std::vector<ValueId>& lost() const { return lost_; }
  /// The first value of the instruction that is not good.
  std::optional<ValueId> bad_value(InstructionId id) const;
  /// `%dot.7`.
  std::string name(InstructionId id) const;
  /// ` (consumed by %logistic.3)`, or "" for the root.
  std::string consumer(InstructionId id) const;
  /// The first user behind copies, or kNone.
  InstructionId user_behind_copies(InstructionId id) const;
  const Type& type(InstructionId id) const { return module().type(id); }
  bool is_float_array(InstructionId id) const;

  /// Makes values in a patch of the module.
  Maker maker(Patch& patch) const { return {module(), case_.relation.layout, patch}; }
  /// Ranks that differ in these digits of the case only, positions by the digits' order.
  AxisSet digit_set(const std::vector<int>& digits) const;

 private:
  void find_axes();
  void find_values();
  void find_sequential();
  bool is_function(ValueId id) const;
  void find_operators();
  const Case& case_;
  const DivergenceTrace* trace_;
  std::vector<AxisSet> axes_;
  std::set<RankGroups> own_groups_;  ///< of mesh axes and collectives, in ascending order
  std::vector<std::vector<InstructionId>> users_;
  std::vector<ConstantArray> constants_;
  std::set<Op> ops_;
  std::map<InstructionId, ValueId> values_;
  std::vector<const ValueState*> states_;  ///< of these; asked of every value for every place
  std::map<ValueId, std::vector<Holder>> holders_;
  std::map<ValueId, std::vector<ValueId>> readers_;
  std::vector<ValueId> lost_;
  std::map<InstructionId, ValueId> bad_;
};

/// The all-to-all whose blocks the moves at `place` put into order: behind them, or what reads them; kNone without one.
InstructionId exchange_beside(const Context& context, InstructionId place);
/// "puts the blocks that %all-to-all exchanges into another order than the ranks hold them in"
std::string puts_in_other_order(const Context& context, InstructionId exchange);
/// The ranks that a collective works over, in groups.
std::optional<RankGroups> groups_of(const Context& context, InstructionId id);
/// Groups, and the ranks of each, in ascending order.
RankGroups sorted(RankGroups groups);
/// The same ranks in each group, in any order.
bool same_members(const RankGroups& a, const RankGroups& b);
/// Do all that the value goes into add it up over these ranks later, after sums and products with other values at most? A sum before that one is a factor.
bool summed_later(const Context& context, InstructionId id, const RankGroups& groups);
/// The sums over these ranks that the value goes into like that, beside what else reads it.
std::vector<InstructionId> sums_behind(const Context& context, InstructionId id, const RankGroups& groups);
/// Is it a multiple of what all these ranks have combined? A sum of that is a factor too.
bool summed_before(const Context& context, InstructionId id, const RankGroups& groups);
/// The value, behind moves, or a multiple of it, at least or at most a number perhaps, divides another one: a count, or a sum of weights. Where it is partial, means of means are taken.
bool is_divisor(const Context& context, InstructionId id);
inline constexpr const char* kMeansOfMeans = ": the quotient is of local sums, so means of means are taken";

/// Extents of what starts at places that are made of this integer: parts that are read or written there, and counts that it is added to.
std::vector<std::int64_t> extents_at(const Context& context, InstructionId place);

/// "%pad pads the rank's own block %x: the edges of its neighbours are missing"
std::string pads_own_block(const Context& context, InstructionId place);
std::string shown(const Scalar& number);
/// Edits of one kind at several places, as one.
Repair joined(const Context& context, const std::vector<Repair>& which, int cost);
/// Computes another function of its operands.
Repair another_function(const Context& context, InstructionId place, Op then, const Attributes& attributes, int cost);
/// Reads another value in an operand's place.
Repair reading(const Context& context, InstructionId place, std::size_t operand, InstructionId other, int cost);

using Row = void (*)(const Context& context, InstructionId place, std::vector<Repair>& out);

/// All edits of the catalogue that apply at this instruction.
std::vector<Repair> repairs_at(const Context& context, InstructionId place);

// The rows, by file.
void collective_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void reduction_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void permute_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void literal_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void scale_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void slip_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void index_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void layout_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void operand_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void mask_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void running_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void ring_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void step_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void halo_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void counterpart_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);

}  // namespace gg::pinpoint
