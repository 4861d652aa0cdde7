// The HloModule line and the source tables between it and the first computation.
#pragma once

#include <optional>
#include <vector>

#include "models/hlo/lexer.h"
#include "models/ir/module.h"

namespace gg::hlo {

/// Types of a computation as a text states them beside it: `(f32[2], s32[])->f32[2]`.
struct StatedTypes {
  Location where;
  std::vector<Type> parameters;
  Type result;
};
/// Throws InputError(BadComputation) where the computation has others; `what` states them.
void check_types(const std::string& what, const StatedTypes& stated, const Module& module, ComputationId id);

/// What the header says about things that are known only after the computations.
struct Header {
  /// `{1}: (6, {}, must-alias)`: paths into the output and into a parameter.
  struct AliasEntry {
    Location where;
    std::vector<std::int64_t> output;
    std::int64_t parameter;
    std::vector<std::int64_t> input;
  };
  std::optional<StatedTypes> entry;
  std::vector<AliasEntry> aliases;
};

/// Reads the header; counts and kept attributes go to the builder's module.
Header parse_header(Cursor& cursor, Builder& builder);

/// FileNames, FunctionNames, FileLocations and StackFrames, where present.
void parse_source_tables(Cursor& cursor, Builder& builder);

/// Checks the header's types against the entry computation and resolves aliases to leaves. Throws InputError.
void apply_header(const Header& header, Module& module);

}  // namespace gg::hlo
