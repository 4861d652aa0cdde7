// Names of the files that XLA leaves in --xla_dump_to. Only the words are trusted, never the numbers: pass counters and the
// names of neighbouring passes change from version to version.
//   [PREFIX.]module_0016.jit_step.0000.spmd-partitioner.after_shardy-xla.before_spmd-partitioning.txt
//   [PREFIX.]module_0016.jit_step.0001.spmd-partitioner.after_spmd-partitioning.before_control-dep-rewriter.txt
//   [PREFIX.]module_0016.jit_step.before_optimizations.txt
//   [PREFIX.]module_0016.jit_step.[cpu_|gpu_|sm_9.0_gpu_]after_optimizations.txt
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gg {

/// What a dumped file holds.
enum class DumpStage : std::uint8_t {
  BeforePartitioning,   ///< just before spmd-partitioning: global shapes, shardings
  AfterPartitioning,    ///< just after it: local shapes, collectives
  BeforeOptimizations,  ///< as the framework handed it over
  AfterOptimizations,
  Options,  ///< debug_options
  Other,    ///< another pass, buffers, machine code
};

/// A file name taken apart.
struct DumpName {
  std::string prefix;          ///< before `module_`, without its dot: a time stamp, usually ""
  std::string stem;            ///< `module_0016.jit_step`, the prefix included
  std::string number;          ///< `0016`
  std::string module;          ///< `jit_step`
  std::string pass;            ///< `0001` where the file belongs to a pass
  std::string pipeline, done;  ///< of a pass: `spmd-partitioner`, and which pass has run (`pipeline-start`: none of it)
  DumpStage stage = DumpStage::Other;
  bool binary = false;  ///< a serialized proto (.pb)
};

/// Takes the name (without folders) of a dumped file apart; nothing for files that are no dumps of modules.
std::optional<DumpName> parse_dump_name(std::string_view file);

}  // namespace gg
