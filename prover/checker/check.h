// Internal to prover/checker: one check of one certificate (docs/certificate.md). Entry programs in check.cpp, loops in
// loop.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/ir/control_flow.h"
#include "models/pair/index_uses.h"
#include "models/pair/stated.h"
#include "prover/checker/build.h"
#include "prover/checker/checker.h"
#include "prover/checker/memo.h"
#include "prover/checker/program.h"
#include "prover/checker/repeat.h"
#include "prover/checker/syntax.h"

namespace gg::checker {

/// A step that does not hold: the certificate is rejected with this sentence.
struct Rejected {
  std::string problem;
};

class Check {
 public:
  Check(const CertificateSyntax& certificate, Case& c, bool recheck);
  CheckResult run();

 private:
  friend class LoopCheck;
  friend class SimulationCheck;
  /// A sequential loop under a `simulate` line.
  struct OpenLoop {
    std::vector<std::uint32_t> state;     ///< anchors, by leaf
    std::vector<Value> initial, results;  ///< over the variables of these anchors
    std::optional<Value> condition;       ///< over the state
    bool certain = false;                 ///< the program does not end if it does not
  };
  using Lines = std::vector<const LineSyntax*>;
  using Replace = std::function<Value(Value)>;

  [[noreturn]] static void reject(std::string problem) { throw Rejected{std::move(problem)}; }
  /// Where a line stands, for messages.
  static std::string place(const LineSyntax& line);
  void inputs();
  void equal(const Assumption& a);
  void range(const Assumption& a, std::vector<std::optional<gg::Range>>& ranges);
  void in_bounds(const Assumption& a);
  void in_range(const Assumption& a);
  /// What the certificate assumes of a value because the sequential program does not raise.
  std::optional<IntegerSpan> in_range(const Program& p, FlatValue v) const;
  /// The free input `x<k>` of an assumption.
  std::size_t input_of(const Assumption& a);
  /// Does the certificate assume what makes this custom call a function?
  bool assumes(const Program& p, FlatValue v) const;
  void find_masks(int side);
  void read_literal(const Assumption& a);
  void sort_lines();
  const Lines& lines(const Program& p, FlatValue v) const;
  /// The same, which no other leaf has.
  const Lines& take_lines(const Program& p, FlatValue v);
  /// The `loop` line of a while node, or null.
  const LineSyntax* loop_line(const Program& p, std::uint32_t node);
  void walk(Program& p);
  // Duties of the distributed program (duties.cpp): loops end, ranks that meet take the same branches.
  void duties(const Program& p, std::uint32_t node, const LineSyntax* line);
  void need(AssumptionKind kind, const std::string& instance, const std::string& why);
  void need_inside(const Program& p, std::uint32_t node, const ComputationList& computations);
  bool uniform(const Program& p, FlatValue v, const Meetings& meetings);
  // Of a while node: its condition, and the results of its body, with these values of its carries.
  Value condition_over(const Program& outer, std::uint32_t node, const std::vector<Value>& carries, std::optional<Var> time = std::nullopt,
                       std::optional<std::int64_t> iteration = std::nullopt);
  std::vector<Value> body_over(const Program& outer, std::uint32_t node, const std::vector<Value>& carries, std::optional<Var> time = std::nullopt,
                               std::optional<std::int64_t> iteration = std::nullopt);
  // Leaves (check_leaf.cpp).
  struct Derived {
    std::optional<std::uint32_t> anchor;  ///< that it became
    bool shallow = false;                 ///< its term came without opening an anchor, but for cases
  };
  void conclude(Program& p, FlatValue v);
  Derived derive(Program& p, FlatValue v, const Lines& lines);
  void name(const LineSyntax& line, std::uint32_t anchor);
  Anchor anchor_of(std::string name, ElementType type, const std::vector<std::int64_t>& extents);
  std::uint32_t add_anchor(Program& p, FlatValue v, Anchor a);
  std::uint32_t conclude_read(Program& p, FlatValue v, Anchor a);
  std::uint32_t fresh(Program& p, FlatValue v, std::string name);
  std::uint32_t define(Program& p, FlatValue v, Value definition);
  Range define(Anchor& a, Value definition);
  Value record(Program& p, FlatValue v, const LineSyntax& line);
  void introduce(const Program& p, FlatValue v, const LineSyntax& line);
  // Leaves that repeat earlier ones (check_repeat.cpp).
  std::optional<Repeats::Key> key_of(Program& p, FlatValue v, const Lines& lines);
  void repeat(Program& p, FlatValue v, const Lines& lines, const Repeats::Key& key, const Repeats::Known& known);
  void settle(Program& p, std::vector<FlatValue> todo);
  template <class Make>
  Value late(const Make& make);
  Value late_conclusion(Program& p, FlatValue v);
  Value late_definition(std::uint32_t anchor);
  /// What a line states, a term over these variables.
  struct Stated {
    Value term;
    Marks marks;
  };
  /// Every read of each anchor that the line opens by its definition, one after the other.
  Value open(Value v, const LineSyntax& line);
  Stated stated(const LineSyntax& line, const std::vector<Var>& vars);
  void compare(Value a, Value b, const std::string& left, const std::string& right);
  /// The same, if need be in the cases that both hang on.
  void compare_by_cases(Value a, Value b, const LineSyntax& line, const std::string& left, const std::string& right);
  /// Calls `each`, which compares the line's sides, with a substitution for every assignment of the variables that it splits on.
  void split(const LineSyntax& line, const std::vector<Var>& vars, const std::function<void(const Replace&)>& each);
  void outputs();
  void output(const OutputClaim& claim, const LineSyntax& line);

  Terms t_;
  const CertificateSyntax& certificate_;
  Case& case_;
  Program sides_[2];
  Names names_;
  std::unordered_map<std::string, std::map<std::uint32_t, Lines>> lines_[2];  // by instance, then by leaf
  std::unordered_map<std::string, const LineSyntax*> loops_[2];
  std::size_t unused_ = 0;  // lines whose place was not reached
  std::map<std::int64_t, const LineSyntax*> outputs_;
  std::map<std::string, OpenLoop> open_loops_;    ///< by instance
  std::map<std::uint32_t, EqualValues> equal_;    ///< by node of the distributed entry computation
  std::vector<IndexUses> uses_;                   ///< derived where an assumption speaks of bounds
  std::map<std::size_t, IntegerSpan> in_bounds_;  ///< by free input
  std::map<std::string, IntegerSpan> in_range_;   ///< by instruction of the sequential entry computation
  struct MaskLine {
    double literal;
    bool met;
  };
  std::map<std::string, MaskLine> masks_;  ///< by `S INSTANCE` or `D INSTANCE`
  std::vector<bool> taken_[2];             ///< by node of the entry program: a literal that counts as minus infinity
  std::vector<Assumption> assumed_;        ///< by the names of the inputs
  Repeats repeats_;
  std::unordered_map<const Body*, std::uint32_t> bodies_;
  std::unordered_map<std::uint32_t, FlatValue> late_;  ///< by anchor whose definition is late: the sequential leaf
  bool recheck_;                                       ///< what repeats is derived all the same, and compared
  ControlFlow flow_;
  std::set<Assumption> needed_;  ///< terminates and uniform that something rests on
  std::size_t records_ = 0, repeated_ = 0;
  std::optional<CertificateLine> refused_;
};

}  // namespace gg::checker
