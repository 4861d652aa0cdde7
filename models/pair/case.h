// A case: two programs, their relation, one arena for all bodies.
#pragma once

#include <memory>
#include <string>

#include "models/ir/region.h"
#include "models/pair/verdict.h"
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
  std::string relation_text;                                   ///< of the module `distributed`: without a list of programs
  std::vector<std::pair<std::string, std::string>> originals;  ///< ReadPair::originals; not of a case made from another
  /// What every claim about the pair rests on as it was read: meanings of custom calls, constants that no text shows. Sorted.
  std::vector<Assumption> stated;
  std::vector<std::string> unused;              ///< ReadPair::unused
  std::vector<std::string> written;             ///< ReadPair::written
  std::size_t left_out = 0;                     ///< ReadPair::left_out
  std::map<std::string, IntegerSpan> accepted;  ///< ReadPair::accepted
  /// Manual regions of a module before partitioning (shard_map): it has values that differ from rank to rank, and runs
  /// over the ranks of the distributed program with these bodies. Null where there are none.
  int manual_regions = 0;
  std::unique_ptr<BodyTable> manual_bodies;
  /// What runs keep of the pair: compiled bodies, the cost of a run (runtime/plans.h). Made when first asked.
  mutable std::shared_ptr<struct KeptByRuns> kept;
};

struct CaseOptions {
  std::string relation_file;                ///< "" = relation.json of the folder, or shardings of the sequential module
  std::vector<std::string> opaque_targets;  ///< `NAME` or `NAME:batch=0,1`: custom calls that are pure functions
  std::vector<std::string> definitions;     ///< files with the meanings of custom calls
  bool allow_elided = false;
  std::vector<std::string> input_names;  ///< of the sequential entry's parameters, in place of their op_name; one each or none
  /// Both are states of one module before it is partitioned: they run on one device, whatever their headers say, and every leaf
  /// is the whole tensor.
  bool one_device = false;
  std::map<std::string, Range> ranges;  ///< --range NAME=LO:HI, by index or parameter name
};

/// Adds `NAME=LO:HI`. Throws InputError(Usage, BadRange).
void add_range(CaseOptions& options, const std::string& text);

/// A custom call that the user declares a pure function of whole operands, or of the elements along batch dimensions.
struct OpaqueTarget {
  std::string target;
  std::vector<std::int64_t> batch_dims;
};
/// Reads `NAME` or `NAME:batch=0,1`. Throws InputError(Usage).
OpaqueTarget parse_opaque_target(const std::string& text);

/// Connected pieces of a module between SPMDFullToShardShape and SPMDShardToFullShape.
int count_manual_regions(const Module& module);

/// What can be assumed because the sequential program does not raise: `in-range LO HI INSTRUCTION` of a certificate, half open, one a value of its
/// entry computation that is no parameter.
std::vector<Assumption> in_range_assumptions(const Case& c);

/// Were sends and recvs matched in a text? A verdict then says so (point-to-point-order).
bool has_transfers(const Case& c);

/// Targets of the custom calls of both programs that have no meaning, in alphabetical order.
std::vector<std::string> opaque_calls(const Case& c);

/// Loads `folder` (sequential.hlo, distributed.hlo, relation.json; .gz too; no distributed.hlo where the relation lists programs),
/// or the sequential program of that name whose relation file lists programs. Throws InputError.
Case load_case(const std::string& folder, const CaseOptions& options = {});
/// Loads two files and a relation; `distributed` is "" where the relation lists programs.
Case load_case(const std::string& sequential, const std::string& distributed, const CaseOptions& options);

/// The case with these programs under the same relation; free inputs keep their ranges. Throws InputError where the
/// relation does not fit them.
Case with_modules(const Case& c, Module sequential, Module distributed);

}  // namespace gg
