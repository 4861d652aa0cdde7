// A difference found at reduced shapes, looked for at full shape: the divergent operator alone (docs/design.md).
#pragma once

#include <string>

#include "harness/explain/explain.h"

namespace gg {

/// What became of it: `text` says where and how it differs, or why nothing can be said.
struct Confirmation {
  bool differs = false;
  std::string text;
};

/// `c` differs at reduced shapes (`small`, the same instructions; `inputs` make it differ); with the edits of `repaired` it
/// is proved at its own shapes. So all parts that the edits leave alone match under the relations of that proof, and the
/// pair is wrong if and only if the edited operators are. These are evaluated at full shape, in both programs, at single
/// elements: their operands are drawn sequential values in the placements that the trace of the repaired pair found (which
/// must exist at full shape), and what is compared is the first value behind the edits that holds a whole sequential one.
Confirmation confirm_at_full_shape(Case& c, Case& small, const Repaired& repaired, const InputSet& inputs, const Budget& budget);

}  // namespace gg
