// A distributed program of several rank classes: the programs that a relation file lists, each with the ranks that run it and
// the sequential leaves that its parameters and results hold. They become one module and a relation without the list.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/ir/module.h"

namespace gg {

/// One program's leaf: a sequential leaf, or the part of it between two bounds in each of its first dimensions.
struct LeafUse {
  std::string leaf;  ///< name or position; "" = none (an output that is not compared)
  std::vector<std::optional<std::pair<std::int64_t, std::int64_t>>> part;
};

struct ProgramText {
  std::string name;  ///< before the names of its instructions
  std::string file;
  std::vector<std::int64_t> ranks;
  std::optional<std::vector<LeafUse>> inputs, outputs;  ///< absent: inputs by name, no outputs
};

struct ProgramList {
  std::vector<ProgramText> programs;
  std::string relation;  ///< the relation file's text without them
};

/// The "programs" of a relation file; nothing where it has none. Throws InputError(BadJson, RankCount).
std::optional<ProgramList> read_programs(const std::string& json, const std::string& file);

/// The programs as one module, whose leaves are those of the sequential one; outputs that several programs give whole stand once
/// more behind them, so that every copy is compared.
struct MergedPrograms {
  Module module;
  std::vector<std::size_t> copies;  ///< the sequential output of each further leaf
};

/// Merges the modules (one a program, read with keep_transfers). Throws InputError where leaves do not fit, and as
/// merge_programs does.
MergedPrograms merge_rank_classes(const ProgramList& list, const std::vector<Module>& modules, const Module& sequential,
                                  const std::string& file);

/// The sequential module and the relation's text with these outputs once more behind the others.
Module with_output_copies(const Module& sequential, const std::vector<std::size_t>& copies);
std::string relation_with_copies(const std::string& text, const std::string& file, const Module& sequential,
                                 const std::vector<std::size_t>& copies);

}  // namespace gg
