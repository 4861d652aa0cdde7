// What the dump says beside the two texts of a pair: the user's mesh axes (the module as the framework handed it over), which
// output takes the buffer of a donated input (the compiled module), and the names of the outputs (JAX's module.mlir).
// Names only: bodies, claims and hashes of the case stay what the two texts alone give, so gg-verify needs none of it.
#pragma once

#include <string>
#include <vector>

#include "models/pair/case.h"

namespace gg {

/// Everything is optional: empty where the files are not there or do not say it.
struct DumpHints {
  std::vector<std::vector<MeshAxis>> meshes;  ///< Shardy's, without those that reorder devices
  std::vector<Alias> aliases;                 ///< output leaf -> input leaf, as the compiler assigned buffers
  std::vector<std::int64_t> donors;           ///< donated input leaves
  std::vector<std::string> inputs;            ///< `s['p']['emb']`, one an entry parameter
  std::vector<std::string> outputs;           ///< `result[0]['p']['emb']`, one a leaf
};

/// Reads `before`, the text before partitioning, and the files that lie beside it if it is called like one in a dump folder.
DumpHints read_dump_hints(const std::string& before);

/// Meshes in the text of a module: `#sdy.mesh<["dp"=2, "tp"=4]>`, or `mesh['dp'=2,'tp'=4]` of shardings, as XLA prints them since 2026.
std::vector<std::vector<MeshAxis>> parse_meshes(std::string_view text);
/// `input_output_alias={ {0}: (1, {}, may-alias) }` and `buffer_donor={ (0, {}) }` of a header line; flat programs only.
void parse_buffers(std::string_view header, DumpHints& hints);
/// op_name of each entry parameter of a module's text; empty where one has none.
std::vector<std::string> parse_parameter_names(std::string_view text);
/// `jax.result_info` of each result of @main; empty where one has none.
std::vector<std::string> parse_result_names(std::string_view mlir);

/// Names of the axes of `mesh`, one list an axis of it; nothing where its axes are no products of consecutive named ones.
std::optional<std::vector<std::vector<std::string>>> name_axes(const Mesh& mesh, const std::vector<MeshAxis>& named);

/// Gives a mesh that was recovered from shardings the user's axes, if one of the meshes fits.
void apply_meshes(Mesh& mesh, const DumpHints& hints);

/// Gives a case, loaded with hints.inputs as its input names, whose relation comes from shardings the user's axes, the names of outputs, and which of them feed the next
/// step: an alias counts where the types agree and the names do not contradict it; of other outputs the one that is called
/// like one donated input.
void apply_hints(Case& c, const DumpHints& hints);

}  // namespace gg
