// compare: tensors that a sequential run and each rank of a distributed run wrote, joined through a relation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gg {

/// One tensor of the comparison.
struct TensorRow {
  std::string name;
  std::string type;       ///< `bf16[4,16]`, of the sequential run, or local without one
  std::string placement;  ///< in JSON notation
  double roundings = 0;   ///< largest |difference| in units of rounding at the tensor's largest magnitude
  double largest = 0;     ///< largest |difference|
  std::int64_t compared = 0;
  std::int64_t differing = 0;          ///< exact types: elements that are not equal
  bool exact = false;                  ///< integers
  std::vector<std::int64_t> replicas;  ///< ranks whose copies differ from that of the first rank that holds the element
  std::string problem;                 ///< why it was not compared: missing on one side, another shape
  bool sequential = true;              ///< false: the sequential run did not write it, and only copies are compared
  bool marked = false;                 ///< the first row that stands out
};

struct TensorComparison {
  std::vector<TensorRow> rows;  ///< in the order given
  std::int64_t ranks = 0;
  bool sequential = false;  ///< was there a sequential run?
  bool refuted() const;     ///< replicas, or exact types, differ
};

/// `relation`: {"mesh": .., "devices": .., "tensors": {name: placement}, "default": placement}. `sequential` "" = only
/// the agreement of replicas. Throws InputError.
TensorComparison compare_runs(const std::string& sequential, const std::string& distributed, const std::string& relation);

/// A table, a row a tensor.
std::string to_text(const TensorComparison& comparison);

}  // namespace gg
