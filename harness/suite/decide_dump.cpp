#include "harness/suite/decide_dump.h"

#include <fmt/format.h>

#include <iostream>

#include "harness/dump/pairs.h"
#include "harness/options/load.h"
#include "harness/report/report_archive.h"
#include "harness/suite/run_jobs.h"
#include "harness/suite/suite_command.h"
#include "models/base/diag.h"

namespace gg {
namespace {

constexpr std::size_t kShownPairs = 20;

/// Name of the module first among the details of the verdict line.
void name_module(Report& report, const DumpedPair& pair) {
  report.details.insert(report.details.begin(), {"module", pair.module});
}

void list_candidates(const DumpFolder& folder, std::size_t taken, Report& report) {
  if (folder.pairs.size() > 1) {
    report.notes.push_back(fmt::format("{} modules have a pair; taken: {}; --module REGEX or --all-modules for others",
                                       folder.pairs.size(), describe(folder.pairs[taken])));
    for (std::size_t k = 0; k < folder.pairs.size() && k < kShownPairs; ++k) {
      if (k != taken) report.notes.push_back("  " + describe(folder.pairs[k]));
    }
    if (folder.pairs.size() > kShownPairs) {
      report.notes.push_back(fmt::format("  ... and {} smaller ones", folder.pairs.size() - kShownPairs));
    }
  }
  report.notes.insert(report.notes.end(), folder.notes.begin(), folder.notes.end());
}

Report decide_one(const DumpedPair& pair, const Options& options, Parts parts) {
  Case c = load_dumped(pair, options);
  Report report = decide(c, options, parts);
  name_module(report, pair);
  return report;
}

/// One folder or file a module where the options name one.
Options for_module(Options options, const DumpedPair& pair) {
  for (std::string* path : {&options.witness, &options.certificate}) {
    if (!path->empty() && *path != kNoWitness) *path += "." + pair.stem;
  }
  if (options.witness != kNoWitness) options.witness = witness_folder(options, pair.stem);
  return options;
}

/// Each module in a process of its own: one that cannot be read does not stop the others.
int decide_all(const DumpFolder& folder, const Options& options, Parts parts) {
  std::vector<PairJob> jobs;
  for (const DumpedPair& pair : folder.pairs) {
    jobs.push_back({pair.stem, [&pair, &options, parts] {
                      return decide_one(pair, for_module(options, pair), parts);
                    }});
  }
  std::vector<Report> reports;
  run_jobs(jobs, options, [&](Report report) {
    report = printable(std::move(report));
    report.exit_code = exit_code(report, options);
    print_outcome(report, options);
    reports.push_back(std::move(report));
  });
  if (!options.quiet) {
    for (const std::string& note : folder.notes) std::cout << "note: " << note << "\n";
  }
  return publish_all(reports, fmt::format("modules={}", reports.size()), options);
}

}  // namespace

int decide_dump(const Options& options, Parts parts) {
  if (!options.inputs.empty()) throw InputError(DiagCode::Usage, {}, "--xla-dump stands in place of files");
  if (options.all_modules) return decide_all(read_dump_folder(options.xla_dump, options.module), options, parts);
  return publish(decide_largest(options, parts), options);
}

Report decide_largest(const Options& options, Parts parts) {
  const DumpFolder folder = read_dump_folder(options.xla_dump, options.module);
  Report report = decide_one(folder.pairs.front(), options, parts);
  list_candidates(folder, 0, report);
  return report;
}

}  // namespace gg
