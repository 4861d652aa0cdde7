// The command line (docs/design.md): one structure for all commands, filled from the table of options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/pair/case.h"
#include "runtime/differential.h"

namespace gg {

struct Options {
  std::string command;              ///< check, run, prove, verify, ...
  std::vector<std::string> inputs;  ///< CASE | SEQ DIST | CERT SEQ DIST | WITNESS | CODE
  std::string relation;
  std::string only;              ///< `suite --only`: a regular expression for the pairs' names
  std::string xla_dump, module;  ///< a folder that XLA dumped to; a regular expression for the module
  bool all_modules = false;
  bool replicas = false;  ///< replica claims of one module
  std::string json, junit, sarif, html, certificate, witness;
  std::string repaired;  ///< file for the distributed program with the best hypothesis applied
  bool require_precision = false;
  bool strict = false;  ///< proofs that leave something out, by the counts of their last line, are not enough
  bool for_all_sizes = false;
  std::string backend = "local", dtype = "auto", device = "none", require = "proved", as = "json";
  bool shapes = false;                  ///< `reduce --shapes`
  std::string floats = "keep";          ///< `reduce --shapes --floats`: keep or rewrite
  std::string run_shapes = "auto";      ///< of `check` and `run`: auto, full or reduced
  std::string output;                   ///< `reduce -o`
  bool anonymous = false;               ///< `reduce --anonymous`
  std::string like;                     ///< `reduce --like`: the same program captured at smaller sizes
  bool oversubscribe = false;           ///< nccl: several ranks on one GPU
  double deadline_seconds = 60;         ///< how long a rank waits for another (mpi, tcp, nccl)
  std::string listen;                   ///< address that ranks of a job listen on; "": the loopback
  int ranks = 0;                        ///< start so many processes on this host (mpi needs mpirun)
  char* const* arguments = nullptr;     ///< of the program, for them
  RankBackend* rank_backend = nullptr;  ///< set by --backend mpi, tcp and nccl
  double budget_seconds = 300;
  std::uint64_t memory_mb = 0;  ///< that the command may hold; 0: what the machine has
  bool many = false;            ///< the command decides many pairs, each with a budget of its own
  std::uint64_t seed = 42;
  int seeds = 3;
  int jobs = 1;
  std::vector<std::string> ranges, opaque, define, allow_assumptions, assume;
  bool verbose = false, quiet = false;
};

/// The arguments of one `check` as a line of text with shell quotes; what the line does not say is that of `defaults`, report
/// files are not for lines. Throws InputError(Usage).
Options parse_check_arguments(const std::string& line, const Options& defaults);

/// `--witness none`: no folder is written.
inline constexpr const char* kNoWitness = "none";
/// The folder that a refutation of a case of this name writes; "" for none.
std::string witness_folder(const Options& options, const std::string& name);

/// Number type of --dtype; auto is real until it is chosen.
NumberMode number_mode(const Options& options);

/// How these options want a pair run.
DifferentialOptions differential_options(const Options& options);

/// The options with `--dtype auto` replaced by the number type that a run of this case affords.
Options with_number_type(Options options, const Case& c);

}  // namespace gg
