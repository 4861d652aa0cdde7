// HLO text in, Module out. Both text styles (with and without %), all spellings of groups and shardings, nested
// computations, FileNames/StackFrames tables. Default-deny: what is not understood is an error that names it.
#pragma once

#include <string>
#include <string_view>

#include "models/hlo/definitions.h"
#include "models/ir/module.h"

namespace gg {

struct ParseOptions {
  bool allow_elided = false;                ///< accept constant({...}) as an opaque constant
  std::vector<std::string> opaque_targets;  ///< custom calls accepted without a meaning
  bool accept_unknown_calls = false;        ///< all of them
  /// Dimensions over which a custom call without a meaning works on each element alone.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> opaque_batch_dims;
  std::vector<DefinitionFile> definitions;  ///< custom calls that are read as calls of a computation
  bool verify = true;                       ///< run verify() on the result
  bool keep_transfers = false;              ///< leave sends and recvs to the caller (merge_programs)
};

/// Parses a whole module. `file` is used in diagnostics only. Throws InputError.
Module parse_hlo(std::string_view text, const std::string& file, const ParseOptions& options = {});

/// read_file and parse_hlo.
Module load_hlo(const std::string& path, const ParseOptions& options = {});

/// A type as printed: `f32[4,16]{1,0}`, `(f32[], /*index=1*/s32[2])`. Throws InputError.
Type parse_type(std::string_view text);

/// Replica groups in any of the four spellings. Throws InputError.
ReplicaGroups parse_replica_groups(std::string_view text);

}  // namespace gg
