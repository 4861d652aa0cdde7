// Repair hypotheses: single edits of a distributed program, each with the defect that it would mend, in words. The
// catalogue (catalogue.cpp and the files of its rows) lists every edit that fits a place; trials decide.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/report/diagnosis.h"
#include "harness/pinpoint/patch.h"
#include "runtime/divergence.h"

namespace gg::pinpoint {

enum class FindingKind : std::uint8_t { Wrong, Missing, Extra };

struct Repair {
  Patch patch;
  InstructionId place = 0;  ///< what is blamed if the edit mends
  Diagnosis diagnosis = Diagnosis::Other;
  FindingKind kind = FindingKind::Wrong;
  std::string text;  ///< the finding: "missing all-reduce over tp after %dot.7 (consumed by %logistic.3)"
  std::string edit;  ///< the hypothesis: "insert an all-reduce over tp after %dot.7"
  std::string after, before;  ///< Missing: the neighbours
  int cost = 0;      ///< what is tried and preferred first
  InstructionId at = 0;  ///< the instruction for which the catalogue gave it
  bool told = false;     ///< by the kin of the values, not by the catalogue
};

/// Ranks that differ in some mesh axes only.
struct AxisSet {
  std::string name;  ///< `tp`, `dp, tp`
  std::int64_t size = 1;
  std::vector<std::vector<std::int64_t>> groups;
  int axes = 1;
};

/// An operation of the sequential program whose result no distributed value holds, though its operands are held.
struct LostOperation {
  Op op;
  ValueId value;                              ///< sequential
  std::vector<InstructionId> alone, other;    ///< distributed values that hold the one operand, and the other
  bool scales() const { return op == Op::Multiply || op == Op::Divide; }
  /// "factor", "divisor" or "term".
  const char* what() const { return !scales() ? "term" : op == Op::Divide ? "divisor" : "factor"; }
};

/// Where each dimension of `from` may lie in `to`: equal extents, those in order first.
std::vector<IntList> ways(const IntList& from, const IntList& to);

/// What the rows of the catalogue may look at. Everything refers to one module; it lives as long as the search at it.
class Context {
 public:
  explicit Context(const Case& c, const DivergenceTrace* trace);

  const Case& pair() const { return case_; }
  const Module& module() const { return *case_.distributed; }
  /// Every non-empty set of mesh axes (at most 4 axes) and every digit, smaller sets first.
  const std::vector<AxisSet>& axes() const { return axes_; }
  const std::vector<InstructionId>& users(InstructionId id) const { return users_[id]; }
  /// The state of the instruction's first leaf in the trace, if it ran.
  const ValueState* state(InstructionId id) const;
  const DivergenceTrace* trace() const { return trace_; }
  /// Constants of the sequential program: distinct values of each type, in the order of the text.
  const std::vector<ConstantArray>& sequential_constants() const { return constants_; }
  /// Sums, differences, products and quotients that the distributed program computes nowhere.
  const std::vector<LostOperation>& lost() const { return lost_; }
  /// `%dot.7`.
  std::string name(InstructionId id) const;
  /// ` (consumed by %logistic.3)`, or "" for the root.
  std::string consumer(InstructionId id) const;
  /// The first user behind copies, or kNone.
  InstructionId user_behind_copies(InstructionId id) const;
  const Type& type(InstructionId id) const { return module().type(id); }
  bool is_float_array(InstructionId id) const;

  /// An all-reduce of `value`; the module's way of numbering ranks is kept.
  Ref all_reduce(Patch& patch, Ref value, const Type& type, const AxisSet& axes, Op reducer) const;
  /// Attributes of a collective with these groups, in the module's way of numbering ranks.
  Attributes collective_attributes(const std::vector<std::vector<std::int64_t>>& groups) const;
  /// A scalar constant spread over `type`.
  Ref spread(Patch& patch, Scalar value, const Type& type) const;
  /// `value` laid into the dimensions `at` of a wider array.
  Ref broadcast(Patch& patch, Ref value, ElementType element, const IntList& dims, const IntList& at) const;
  /// value * factor (factor a number of that element type).
  Ref scaled(Patch& patch, Ref value, const Type& type, double factor) const;
  /// Integer scalar s32: this rank's coordinate over the axes.
  Ref coordinate(Patch& patch, const AxisSet& axes, ElementType element) const;
  /// Integer scalar: this rank's entry of the table, one a rank.
  Ref by_rank(Patch& patch, const std::vector<std::int64_t>& entries, ElementType element) const;
  /// Integer scalar: the entry of this rank in the row of `round` (a count of a loop's rounds); the last row after it.
  Ref by_round(Patch& patch, const std::vector<std::int64_t>& entries, Ref round, ElementType count, ElementType element) const;
  /// Ranks that differ in these digits of the case only, positions by the digits' order.
  AxisSet digit_set(const std::vector<int>& digits) const;
  /// True if the module numbers its ranks by partition-id.
  bool by_partition() const;

 private:
  Ref table(Patch& patch, const std::vector<std::int64_t>& entries, const IntList& dims, ElementType element) const;
  Ref entry(Patch& patch, Ref table, const std::vector<Ref>& at, ElementType element) const;
  Ref rank(Patch& patch) const;
  void find_axes();
  void find_values();
  void find_lost();
  const Case& case_;
  const DivergenceTrace* trace_;
  std::vector<AxisSet> axes_;
  std::vector<std::vector<InstructionId>> users_;
  std::vector<ConstantArray> constants_;
  std::map<InstructionId, ValueId> values_;
  std::vector<LostOperation> lost_;
};

/// The value, behind moves, divides another one: a count, or a sum of weights. Where it is partial, means of means are taken.
bool is_divisor(const Context& context, InstructionId id);
inline constexpr const char* kMeansOfMeans = ": the quotient is of local sums, so means of means are taken";

using Row = void (*)(const Context& context, InstructionId place, std::vector<Repair>& out);

/// All edits of the catalogue that apply at this instruction.
std::vector<Repair> repairs_at(const Context& context, InstructionId place);

// The rows, by file.
void collective_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void reduction_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void permute_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void literal_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void scale_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void index_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void layout_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void operand_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void mask_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void block_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void running_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void ring_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void series_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void step_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void halo_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);
void lost_repairs(const Context& context, InstructionId place, std::vector<Repair>& out);

}  // namespace gg::pinpoint
