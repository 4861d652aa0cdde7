// A case: two programs, their relation, one arena for all bodies.
#pragma once

#include <memory>
#include <string>

#include "models/ir/region.h"
#include "models/relation/leaves.h"
#include "models/relation/relation.h"

namespace gg {

/// Content hashes of the three texts as read (after decompression); the relation's includes the modules it refers to.
struct CaseHashes {
  std::string sequential, distributed, relation;
};

/// Everything that is decided about. Modules are immutable; tables fill lazily.
struct Case {
  std::string folder;  ///< "" when two files were given
  std::string name;
  std::unique_ptr<Arena> arena;
  std::unique_ptr<Module> sequential, distributed;
  Relation relation;
  std::unique_ptr<BodyTable> sequential_bodies, distributed_bodies;
  CaseHashes hashes;
  std::string relation_text;
};

struct CaseOptions {
  std::string relation_file;  ///< "" = relation.json of the folder, or shardings of the sequential module
  std::vector<std::string> opaque_targets;
  bool allow_elided = false;
  std::map<std::string, Range> ranges;  ///< --range NAME=LO:HI, by index or parameter name
};

/// Loads `folder` (sequential.hlo, distributed.hlo, relation.json; .gz too). Throws InputError.
Case load_case(const std::string& folder, const CaseOptions& options = {});
/// Loads two files and a relation.
Case load_case(const std::string& sequential, const std::string& distributed, const CaseOptions& options);

}  // namespace gg
