// One element of an output as a ball, made from the elements that it hangs on and nothing else: the confirmation of a
// difference in programs that are too large to be run again at that precision (architecture.md, section 6).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/plan/plan.h"
#include "models/ir/flatten.h"
#include "runtime/compare.h"
#include "runtime/inputs.h"

namespace gg {

/// The elements of one program, on demand. Loops and operators without a body are not followed.
class Cone {
 public:
  /// `parameters`: one body a parameter leaf over the free inputs. All must outlive this.
  Cone(BodyTable& bodies, const std::vector<Body>& parameters, const Relation& relation, const InputSet& inputs, NumberMode mode, std::int64_t most);
  /// Element of output leaf `leaf` at [digits..., dims...]. Throws RuntimeFailure (Budget: more than `most` elements; Unsupported).
  Cell output(std::size_t leaf, std::span<const std::int64_t> index);
  std::int64_t elements() const { return static_cast<std::int64_t>(known_.size()); }
  bool tied() const { return ties_.ties != 0; }

 private:
  Cell element(FlatValue v, std::span<const std::int64_t> index);
  Cell parameter(std::size_t leaf, std::span<const std::int64_t> index);
  Cell computed(FlatValue v, std::span<const std::int64_t> index);
  Cell free_input(std::size_t input, std::span<const std::int64_t> index) const;

  BodyTable& bodies_;
  const std::vector<Body>& parameters_;
  const Relation& relation_;
  const InputSet& inputs_;
  NumberMode mode_;
  std::int64_t most_;
  FlatProgram flat_;
  std::vector<std::uint32_t> first_leaf_;                     ///< by node
  std::vector<const Body*> body_of_;                          ///< by leaf; made at once, so that two cones may be walked side by side
  std::vector<std::optional<std::size_t>> parameter_of_;      ///< by leaf
  std::vector<std::vector<std::int64_t>> extents_;            ///< by leaf, lifted
  std::unordered_map<std::uint64_t, Cell> known_;
  TieCounter ties_;
  std::int64_t read_ = 0;
  int depth_ = 0;
};

/// What balls say of an element that differs in f64, or behind a tie, on its cones in both programs.
struct ConeAnswer {
  bool differs = false;       ///< false: the balls meet
  std::int64_t elements = 0;  ///< of both cones
};
/// Nothing where a cone is too large, holds a loop, an opaque value or padding, or a tie at every precision.
std::optional<ConeAnswer> confirm_on_cone(Case& c, const InputSet& inputs, std::size_t output, std::int64_t element);

}  // namespace gg
