// A smaller pair with the same difference: one output, cut at the last values on which both programs agree.
#pragma once

#include <optional>
#include <string>

#include "harness/pinpoint/pinpoint.h"

namespace gg::pinpoint {

struct Reduced {
  std::string sequential, distributed, relation;  ///< texts of the three files
  std::size_t instructions = 0;                   ///< of the distributed program's entry
  std::size_t before = 0;                         ///< of the given one, calls resolved
  std::string output;                             ///< the output that is left
};

struct ReduceOptions {
  Budget budget;
  std::uint64_t seed = 42;
  bool anonymous = false;  ///< names replaced, metadata left out
};

/// `inputs` make the outputs differ. Nothing where no smaller pair differs (or the values are too many to be kept).
std::optional<Reduced> reduce(const Case& c, const InputSet& inputs, const ReduceOptions& options);

}  // namespace gg::pinpoint
