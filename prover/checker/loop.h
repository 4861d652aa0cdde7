// While nodes (docs/certificate.md, section 8): invariants by induction over the iterations, and loops that follow others.
#pragma once

#include <set>

#include "prover/checker/check.h"

namespace gg::checker {

/// One while node under its `loop` line.
class LoopCheck {
 public:
  LoopCheck(Check& check, Program& outer, std::uint32_t node, const LineSyntax& line);
  /// Concludes the leaves of the node, or throws Rejected.
  void run();
  /// The same of an `unroll` line: iteration by iteration.
  void unroll();

 private:
  /// One leaf of the node.
  struct Carry {
    std::uint32_t leaf;
    std::vector<Var> vars;        ///< digits, times around, T, dimensions
    Value value;                  ///< at time T
    Value initial;                ///< over the same variables
    std::optional<Value> result;  ///< of the body, at T = t + 1, over digits, times around, t, dimensions
    const LineSyntax* invariant = nullptr;
    const LineSyntax* closed = nullptr;
    const LineSyntax* named = nullptr;  ///< carry or gap line
    const LineSyntax* last = nullptr;   ///< anchor line: of the value after the loop
    std::optional<std::uint32_t> anchor;
    Marks marks;  ///< of the invariant
  };

  void open();
  Value at_time(const Carry& c, Value v, Index time);
  std::vector<Value> all_at(Index time);
  void base(const Carry& c);
  void body();
  void step(const Carry& c);
  void finish(Carry& c);
  Value close(const Carry& c);
  bool reads(Value v, const std::set<std::uint32_t>& anchors) const;
  void compare(const Carry& c, Value stated, Value derived, const LineSyntax& line, const Marks& marks, bool step);

  Check& check_;
  Terms& t_;
  Program& outer_;
  std::uint32_t node_;
  Size trips_;
  std::size_t position_;  ///< of the time among the indices
  Var every_, time_;      ///< T in 0..n, t in 0..n-1
  std::vector<Carry> carries_;
  std::set<std::uint32_t> own_, closed_;  ///< anchors of the carries; those with a closed form
};

/// One while node under its `simulate` line: the sequential loop over any state, or a distributed one that follows it step by step.
class SimulationCheck {
 public:
  SimulationCheck(Check& check, Program& outer, std::uint32_t node, const LineSyntax& line);
  /// Concludes the leaves of the node, or throws Rejected.
  void run();

 private:
  void open();
  void follow(const Check::OpenLoop& s);
  Value moment(const Check::OpenLoop& s, Value term, const std::vector<Value>& values);
  void compare(const LineSyntax& line, Value stated, Value derived);

  Check& check_;
  Terms& t_;
  Program& outer_;
  std::uint32_t node_;
  const LineSyntax& line_;
};

/// `v` with every fold over binders b <= time (a mixed radix) as the fold over b <= time - 1, combined with its body at
/// b = time.
Value peel(Terms& t, Value v, Var time);

}  // namespace gg::checker
