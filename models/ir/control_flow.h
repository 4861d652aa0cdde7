// What control flow owes to the other ranks: loops have to end, and ranks that meet in a collective have to take the same way
// to it. Which instructions owe it, and which ranks meet there; whether it holds is a matter of the prover and the checker.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/ir/module.h"

namespace gg {

/// Ranks that wait for each other, each class ascending and of at least two ranks.
using Meetings = std::vector<std::vector<std::int64_t>>;

/// An instruction with a duty: a `while` (to end), or a `conditional` whose branches meet other ranks (to go one way).
struct Duty {
  Instance instance;
  bool loop = false;
};

class ControlFlow {
 public:
  ControlFlow(const Module& module, RankLayout layout);
  /// Classes of ranks that the collectives link in the computations that the instruction names and in all that those call:
  /// members of one group, source and target of a pair.
  const Meetings& meetings(InstructionId id);
  /// Is there an instruction with a duty in the computations that it names, or in what they call?
  bool owes(InstructionId id);
  /// A loop in which nobody is met, and that counts by ones to a bound that stays as it is: it ends.
  bool counts(InstructionId loop);
  /// The instructions with a duty in these computations of `outer`'s instruction and in what they call, regions of operators
  /// included. Throws InputError(TooLarge) beyond 100,000 calls.
  std::vector<Duty> inside(const Instance& outer, const ComputationList& computations);
  /// Those of the program.
  std::vector<Duty> all();

 private:
  bool owing(ComputationId id);
  void walk(const Instance& outer, ComputationId computation, std::vector<Duty>& found);

  const Module& module_;
  RankLayout layout_;
  std::map<InstructionId, Meetings> meetings_;
  std::vector<std::optional<bool>> owing_;  ///< by computation
  std::size_t calls_ = 0;
};

/// Every computation that the instruction names, in the order of its attributes.
ComputationList computations_of(const Module& module, InstructionId id);

/// The attributes with `to(computation)` for every computation that they name.
Attributes with_computations(const Attributes& attributes, const std::function<ComputationId(ComputationId)>& to);

/// The instance's name without the iterations of unrolled loops: `main/while.5#3/%while.7` is `main/while.5/%while.7`.
std::string without_iterations(std::string name);

/// `ranks {0, 1} meet in it`, for messages.
std::string to_string(const Meetings& meetings);

}  // namespace gg
