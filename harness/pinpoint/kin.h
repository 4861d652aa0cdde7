// What bad values still have to do with the sequential program: a value may be one of its values times the number of ranks,
// a count that was not summed over them, or the same elements in another order. By value, as the trace (runtime/divergence.h);
// it says where a repair belongs and proves nothing.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {

/// How a distributed value comes from a sequential one.
struct Kin {
  double factor = 1;         ///< the value is so many times the sequential one
  std::vector<int> partial;  ///< digits over which the ranks' values must still be combined
  bool sum = true;           ///< of `partial`: sum, else maximum
  std::vector<double> also;  ///< it may be so many times another sequential value as well
  bool plain = true;         ///< in blocks over the ranks; else its elements are some of the sequential program's, in any order
};

/// The values of the sequential program that hang on inputs: the same for every distributed program on these inputs.
class Anchors;

/// Of the values that the trace has kept; it must outlive the result.
std::shared_ptr<const Anchors> anchors_of(const SequentialTrace& trace);

class Kinship {
 public:
  /// Looks at the values that the context's trace has kept. `before`: of the trace that this one was told of as the one before.
  Kinship(const Context& context, const Anchors& anchors, const Kinship* before = nullptr);
  /// Nothing for values that have no kin, and for those that hang on no input.
  const Kin* of(ValueId id) const;
  /// Good, or of kin.
  bool known(ValueId id) const { return context_.trace()->state(id).good || of(id) != nullptr; }
  /// Bad values of unknown kin whose operands are all known, then outputs that differ and are known, in the order of the run.
  const std::vector<ValueId>& sources() const { return sources_; }
  /// Outputs that differ and are of unknown kin.
  std::size_t unexplained() const;

 private:
  void judge(ValueId id, const Buffer& buffer, const Anchors& anchors);
  void find_factors();
  void find_sources();

  const Context& context_;
  std::vector<double> factors_;
  std::map<ValueId, Kin> kin_;
  std::vector<ValueId> sources_;
};

/// The repairs that follow from what the values are: reductions where partial ones end up, factors where they come up, blocks put in
/// order, messages exchanged; each alone, and the same at all places that need it. `any_factor`: not only numbers of ranks, which hold at
/// other sizes too.
std::vector<Repair> told_repairs(const Context& context, const Kinship& kinship, bool any_factor);

}  // namespace gg::pinpoint
