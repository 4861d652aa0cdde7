// The command line (architecture.md, section 4): one structure for all commands, filled from the table of options.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/pair/case.h"
#include "runtime/differential.h"

namespace gg {

struct Options {
  std::string command;               ///< check, run, prove, verify, ...
  std::vector<std::string> inputs;   ///< CASE | SEQ DIST | CERT SEQ DIST | WITNESS | CODE
  std::string relation;
  std::string xla_dump, module;      ///< a folder that XLA dumped to; a regular expression for the module
  bool all_modules = false;
  bool replicas = false;             ///< replica claims of one module
  std::string json, junit, sarif, html, certificate, witness;
  std::string repaired;              ///< file for the distributed program with the best hypothesis applied
  bool require_precision = false;
  bool for_all_sizes = false;
  std::string backend = "local", dtype = "auto", device = "none", require = "proved", as = "json";
  bool shapes = false;               ///< `reduce --shapes`
  std::string floats = "keep";       ///< `reduce --shapes --floats`: keep or rewrite
  std::string run_shapes = "auto";   ///< of `check` and `run`: auto, full or reduced
  std::string output;                ///< `reduce -o`
  bool anonymous = false;            ///< `reduce --anonymous`
  std::string like;                  ///< `reduce --like`: the same program captured at smaller sizes
  bool oversubscribe = false;        ///< nccl: several ranks on one GPU
  double deadline_seconds = 60;      ///< how long a rank waits for another (mpi, tcp, nccl)
  std::string listen;                ///< address that ranks of a job listen on; "": the loopback
  int ranks = 0;                     ///< start so many processes on this host (mpi needs mpirun)
  char* const* arguments = nullptr;  ///< of the program, for them
  RankBackend* rank_backend = nullptr;  ///< set by --backend mpi, tcp and nccl
  double budget_seconds = 300;
  std::uint64_t memory_mb = 0;         ///< that the command may hold; 0: what the machine has
  bool many = false;                 ///< the command decides many pairs, each with a budget of its own
  std::uint64_t seed = 42;
  int seeds = 3;
  int jobs = 1;
  std::vector<std::string> ranges, opaque, define, allow_assumptions, assume;
  bool verbose = false, quiet = false;
};

/// One command of gg-harness: its name, help sentence and function. The function returns the exit code.
struct Command {
  const char* name;
  const char* help;
  const char* inputs;  ///< what its positional arguments are
  int (*run)(const Options& options);
};

/// The arguments of one `check` as a line of text with shell quotes; what the line does not say is that of `defaults`, report
/// files are not for lines. Throws InputError(Usage).
Options parse_check_arguments(const std::string& line, const Options& defaults);

struct Ending;
/// Parses argv for the commands of the table and runs the chosen one. Usage errors: message on stderr, exit 3; --help: 0.
/// `ending`: the process that ran it came to this end (harness/supervise); that is told instead.
int dispatch(int argc, char** argv, const Ending* ending = nullptr);

/// The commands, in the order of the help text.
const std::vector<Command>& commands();

/// Reads the pair that the inputs name: a case folder, or two files and --relation. Throws InputError.
Case load_case(const Options& options, std::size_t first_input = 0);

/// The same for one pair of a dump folder; the case is called after its module.
struct DumpedPair;
Case load_dumped(const DumpedPair& pair, const Options& options);

/// Two states of one module before it is partitioned, on one device.
Case load_states(const std::string& earlier, const std::string& later, const Options& options);

/// Number type of --dtype; auto is real until it is chosen.
NumberMode number_mode(const Options& options);

/// How these options want a pair run.
DifferentialOptions differential_options(const Options& options);

/// The options with `--dtype auto` replaced by the number type that a run of this case affords.
Options with_number_type(Options options, const Case& c);

}  // namespace gg
