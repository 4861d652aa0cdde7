// Pairs of an XLA dump folder: each module just before and just after spmd-partitioning. Where there is no pair, the
// message says why and which flag is missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gg {

/// One module that was dumped on both sides of the partitioner.
struct DumpedPair {
  std::string stem;          ///< `module_0016.jit_step`
  std::string module;        ///< `jit_step`
  std::string before;        ///< path of the text before partitioning
  std::string after;         ///< path of the text after it
  std::uintmax_t bytes = 0;  ///< of `before`
  std::string parameters;    ///< types of the entry parameters before partitioning, shortened
  std::int64_t partitions = 0;
};

/// What a folder holds.
struct DumpFolder {
  std::vector<DumpedPair> pairs;   ///< the largest first
  std::vector<std::string> notes;  ///< modules without a pair that may be the wanted one
};

/// Reads the names in `folder` and the first lines of the files that matter. `regex` (harness/dump/pattern.h, searched in the module's
/// name and stem; "" = all) restricts the modules. Throws InputError (GG-Xnnn) where no module has a pair.
DumpFolder read_dump_folder(const std::string& folder, const std::string& regex);

/// One line: `module_0016.jit_step  329 kB  8 partitions  (f32[32,16], s32[4,8], ... 26 parameters)`.
std::string describe(const DumpedPair& pair);

}  // namespace gg
