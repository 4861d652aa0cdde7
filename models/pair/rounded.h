// What reaches the outputs only rounded: beside a proof over real numbers, in which types have no part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/pair/case.h"

namespace gg {

/// An input that reaches an output of the distributed program by floats of this type or narrower ones alone, and that of the sequential program by wider ones.
struct Rounded {
  std::size_t output;  ///< of the relation
  std::size_t input;   ///< into Relation::free, the first such
  ElementType kept;
};

/// One an output at most, by outputs. Widest paths over float values; of loops what reaches their results after one iteration or more.
std::vector<Rounded> rounded_inputs(const Case& c);

/// Integers up to this size are numbers of every float type of either program (256 where there is bf16): what passes through floats comes back.
std::int64_t exact_integers(const Case& c);

}  // namespace gg
