// One element of an output as a ball, made from the elements that it hangs on and nothing else: the confirmation of a
// difference in programs that are too large to be run again at that precision (docs/design.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/plan/known_folds.h"
#include "models/ir/flatten.h"
#include "runtime/compare.h"
#include "runtime/inputs.h"
#include "runtime/literals.h"
#include "runtime/read_boxes.h"

namespace gg {

/// How the elements of a cone are read.
struct ConeReading {
  NumberMode mode = NumberMode::Real;
  LiteralReading literals = {};
};

/// The elements of one program, on demand. Loops and operators without a body are not followed.
class Cone {
 public:
  using Accepted = std::map<std::string, IntegerSpan>;  ///< Case::accepted
  /// `parameters`: one body a parameter leaf over the free inputs; `accepted` (may be null): values on which the program does not raise. All
  /// must outlive this.
  Cone(BodyTable& bodies, const std::vector<Body>& parameters, InputElement inputs, ConeReading reading, const Accepted* accepted = nullptr);
  /// Element of output leaf `leaf` at [digits..., dims...]. Throws RuntimeFailure (Unsupported; Budget: values that hang on each other too deeply).
  Cell output(std::size_t leaf, std::span<const std::int64_t> index);
  /// Operations that elements of output leaves take, at most; infinite where a loop or an operator without a body is in the way.
  double operations(const std::vector<std::pair<std::size_t, Box>>& outputs) const;
  /// Forgets all elements.
  void restart(ConeReading reading);
  std::int64_t elements() const { return static_cast<std::int64_t>(known_.size()); }
  bool tied() const { return ties_.ties != 0; }

 private:
  bool rounds(const FlatNode& node) const;  ///< a convert to a narrower float type
  std::uint32_t leaf_of(FlatValue v) const { return first_leaf_[v.node] + v.leaf; }
  Cell element(FlatValue v, std::span<const std::int64_t> index);
  const Cell& unless_raised(FlatValue v, const Cell& value) const;
  Cell parameter(std::size_t leaf, std::span<const std::int64_t> index);
  Cell computed(FlatValue v, std::span<const std::int64_t> index);

  BodyTable& bodies_;
  const std::vector<Body>& parameters_;
  InputElement inputs_;
  ConeReading reading_;
  FlatProgram flat_;
  std::vector<std::uint32_t> first_leaf_;                 ///< by node
  std::vector<const Body*> body_of_;                      ///< by leaf; made at once, so that two cones may be walked side by side
  std::vector<std::unique_ptr<KnownFolds>> folds_;        ///< by leaf
  std::vector<bool> literal_;                             ///< by leaf
  std::vector<const IntegerSpan*> accepted_;              ///< by leaf; null: any value
  std::vector<std::optional<std::size_t>> parameter_of_;  ///< by leaf
  std::vector<std::vector<std::int64_t>> extents_;        ///< by leaf, lifted
  std::unordered_map<std::uint64_t, Cell> known_;
  TieCounter ties_;
  int depth_ = 0;
};

/// What balls say of an element on its cones in both programs.
struct ConeAnswer {
  bool differs = false;                 ///< false: the balls meet
  std::int64_t elements = 0;            ///< of both cones
  std::string sequential, distributed;  ///< decimal
};

/// Elements of the outputs of a pair, made on their own, for one set of inputs.
class ConePair {
 public:
  /// Operations that are made for one answer at one precision; a second or two.
  static constexpr double kMost = 4e6;
  ConePair(Case& c, InputElement inputs);
  ~ConePair();
  /// Operations of an answer, at most; infinite where there is none.
  double operations(std::size_t output, std::int64_t element);
  /// Nothing where it is more than kMost, or a tie lies in a cone at every precision. `literal_balls`: a difference must stay when float
  /// literals are balls.
  std::optional<ConeAnswer> look(std::size_t output, std::int64_t element, bool literal_balls);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gg
