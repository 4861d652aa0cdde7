// One while node under its `simulate` line (docs/certificate.md, section 8): the sequential loop over any state, or a distributed one
// that follows it step by step.
#pragma once

#include "prover/checker/check.h"

namespace gg::checker {

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

}  // namespace gg::checker
