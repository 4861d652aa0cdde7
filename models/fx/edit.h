// Findings and edits in the words of the graph that was read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/ir/module.h"

namespace gg::fx {

/// A statement that calls an operator, as it stands in the text.
struct Written {
  std::string text;       ///< `mm: "f32[4, 6]" = torch.ops.aten.mm.default(x, w)`
  std::string operation;  ///< `aten.mm.default`
};

/// The call at this place of a graph's text; nothing where there is none (HLO text, or the file is gone).
std::optional<Written> written_at(const Location& where);

/// What changes from one module to the other, as lines of the graph that `before` was read from (`- old`, `+ new`): collectives
/// that are inserted, changed or taken out, and other operands. Nothing where the change is something else.
std::optional<std::vector<std::string>> edit_text(const Module& before, const Module& after);

}  // namespace gg::fx
