// A pair of FX programs: graphs, their relation file, and what becomes of them: two modules and a plain relation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/fx/definitions.h"
#include "models/fx/program.h"
#include "models/ir/module.h"

namespace gg::fx {

struct Pair {
  Module sequential, distributed;
  std::string relation;                                    ///< without the keys that only graphs need (docs/torch.md)
  std::string sequential_text, distributed_text;           ///< as read, for hashes
  std::vector<std::string> unwaited;                       ///< collectives of either program that nothing waits for before their results are read
  std::vector<std::string> cuts;                           ///< nodes that the relation makes inputs of both programs
  std::vector<std::string> left_out;                       ///< outputs of the sequential graph that the relation does not compare
  std::vector<std::string> written;                        ///< inputs of either program that are written, and what they hold at the end is no output
  Accepted accepted;                                       ///< of the sequential graph
  std::vector<std::pair<std::string, std::string>> files;  ///< the ranks' texts by the names of a case folder
};

/// Does the file hold graphs? By its name: `*.fx`, or a log (`*.log`, `*.txt`) with a graph in it.
bool is_graph_file(const std::string& path);

/// Reads a pair; `distributed` is a file or a pattern (`dist.r*.fx`), whose files hold the graphs of all ranks. Throws InputError.
Pair load_pair(const std::string& sequential, const std::string& distributed, const std::string& relation, const Definitions& definitions);

}  // namespace gg::fx
