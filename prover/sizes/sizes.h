// All sizes: does the pair compute the same whatever its sizes are? The theorem speaks of the family of pairs that the text
// is one of: every dimension is a product of digits (digits.h), every digit has any number of values, except those that
// something in the text ties. docs/sizes.md says what the family is and what is assumed.
#pragma once

#include <string>
#include <vector>

#include "models/pair/case.h"

namespace gg {

/// One size of the theorem, or one that the text ties.
struct SizeSymbol {
  std::string name;    ///< `tp`, `a`
  std::int64_t value;  ///< in the text
  bool mesh = false;   ///< a mesh axis or a part of one
  std::string tied;    ///< why it is what it is in the text; empty: any number of values
  std::int64_t least = 1;  ///< at least so many
};

struct SizesTheorem {
  bool proved = false;
  std::string reason;                ///< what has no reading for all sizes; empty if proved
  std::vector<SizeSymbol> sizes;
  std::vector<std::string> inputs;   ///< `params['w']: f32[a, tp*b]`, of the sequential program
  std::vector<std::string> outputs;
  std::vector<std::string> conditions;  ///< `a*b - c >= 0`: what holds of the sizes beside their lower bounds
  std::vector<std::string> literals; ///< `4 = b`: integers of the text that stand for sizes
};

/// Throws nothing for a well-formed case: what has no reading is a reason.
SizesTheorem prove_all_sizes(Case& c);

}  // namespace gg
