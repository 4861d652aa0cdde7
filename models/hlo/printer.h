// Module out as HLO text that parse_hlo and XLA's own parser read: callees before callers, groups as lists.
#pragma once

#include <optional>
#include <string>

#include "models/ir/module.h"
#include "models/rank/digits.h"

namespace gg {

struct PrintOptions {
  /// Print every float type as f64 and every float literal as the 17-digit value of its own type, so that XLA computes in f64
  /// what the text means over the reals (docs/design.md).
  bool widen = false;
  /// Run an SPMD module as N replicas in XLA's CPU client: replica-id for partition-id, no channel ids, groups written
  /// out (formats.md, chapter D).
  bool as_replicas = false;
  bool metadata = true;
  /// Write custom calls that have a definition in the table (Neuron's) as plain HLO computations.
  bool expand_custom_calls = false;
  /// How ranks are counted where the header does not say (a relation's layout); guessed from the collectives if absent.
  std::optional<RankLayout> layout = std::nullopt;
};

std::string print_hlo(const Module& module, const PrintOptions& options = {});

/// One instruction as XLA prints it, without indentation: `%add.1 = f32[4]{0} add(%x, %y)`.
std::string print_instruction(const Module& module, InstructionId id, const PrintOptions& options = {});

}  // namespace gg
