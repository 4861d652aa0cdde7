// The HloModule line and the source tables between it and the first computation.
#pragma once

#include <optional>
#include <vector>

#include "models/hlo/lexer.h"
#include "models/ir/module.h"

namespace gg::hlo {

/// What the header says about things that are known only after the computations.
struct Header {
  /// `{1}: (6, {}, must-alias)`: paths into the output and into a parameter.
  struct AliasEntry {
    Location where;
    std::vector<std::int64_t> output;
    std::int64_t parameter;
    std::vector<std::int64_t> input;
  };
  struct EntryTypes {
    Location where;
    std::vector<Type> parameters;
    Type result;
  };
  std::optional<EntryTypes> entry;
  std::vector<AliasEntry> aliases;
};

/// Reads the header; counts and kept attributes go to the builder's module.
Header parse_header(Cursor& cursor, Builder& builder);

/// FileNames, FunctionNames, FileLocations and StackFrames, where present.
void parse_source_tables(Cursor& cursor, Builder& builder);

/// Checks the header's types against the entry computation and resolves aliases to leaves. Throws InputError.
void apply_header(const Header& header, Module& module);

}  // namespace gg::hlo
