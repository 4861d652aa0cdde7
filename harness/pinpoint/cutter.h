// A part of a traced pair as a pair of its own: a value of the distributed program with what it should be, both cut at the last values
// that hold the same.
#pragma once

#include <optional>
#include <string>

#include "models/pair/case.h"
#include "runtime/divergence.h"

namespace gg::pinpoint {

struct Reduced {
  std::string sequential, distributed, relation;  ///< texts of the three files
  std::size_t instructions = 0;                   ///< of the distributed program's entry
  std::size_t before = 0;                         ///< of the given one, calls resolved
  std::string output;                             ///< the output, or the sequential value, that is left
};

/// The pair with this output alone, cut at the last values that agree (`late`), or at the parameters only. Nothing where the output's
/// placement, or that of a cut, is no plain tiling, or a value on the way was made in a loop.
std::optional<Reduced> cut_output(const Case& c, const DivergenceTrace& trace, std::size_t output, bool late, bool anonymous);

/// The same for a value that should hold a sequential one in this placement.
std::optional<Reduced> cut_value(const Case& c, const DivergenceTrace& trace, ValueId wrong, const Match& should, bool late, bool anonymous);

}  // namespace gg::pinpoint
