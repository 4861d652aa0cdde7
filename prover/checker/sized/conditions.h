// What a check over sizes rests on, told as bounds and conditions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "prover/checker/sized/family_text.h"

namespace gg::checker {

/// Lower bounds under which all holds, and what no lower bound gives.
class Conditions {
 public:
  explicit Conditions(const FamilyText& family) : least_(family.names.size(), 1), own_(family.own), names_(family.names) {}
  /// The conditions that no lower bound gives.
  std::vector<std::string> read(const Polynomials& all);
  const std::vector<std::int64_t>& least() const { return least_; }
  /// Do the conditions hold of the pair's own sizes?
  bool hold() const { return hold_; }

 private:
  void raise(const std::vector<Polynomials::Sum>& ways);

  std::vector<std::int64_t> least_;
  const std::vector<std::int64_t>& own_;
  const std::vector<std::string>& names_;
  bool hold_ = true;
};

}  // namespace gg::checker
