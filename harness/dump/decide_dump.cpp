#include "harness/dump/decide_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "harness/dump/pairs.h"
#include "models/base/diag.h"
#include "models/base/file.h"

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

/// refuted before unknown before proved.
int severity(Verdict verdict) { return verdict == Verdict::Refuted ? 2 : verdict == Verdict::Unknown ? 1 : 0; }

/// One folder or file a module where the options name one.
Options for_module(Options options, const DumpedPair& pair) {
  for (std::string* path : {&options.witness, &options.certificate}) {
    if (!path->empty()) *path += "." + pair.stem;
  }
  if (options.witness.empty() && options.command == "check") options.witness = pair.stem + ".witness";
  return options;
}

int decide_all(const DumpFolder& folder, const Options& options, Parts parts) {
  std::vector<Report> reports;
  std::string json;
  for (const DumpedPair& pair : folder.pairs) {
    const Options own = for_module(options, pair);
    Case c = load_dumped(pair, own);
    Report report = decide(c, own, parts);
    name_module(report, pair);
    std::cout << (options.quiet ? verdict_line(report) + "\n" : to_text(report)) << std::flush;
    json += (json.empty() ? "[\n" : ",\n") + to_json(report);
    reports.push_back(std::move(report));
  }
  const auto worst = std::max_element(reports.begin(), reports.end(), [](const Report& a, const Report& b) {
    return severity(a.verdict) < severity(b.verdict);
  });
  const auto count = [&](Verdict verdict) {
    return std::count_if(reports.begin(), reports.end(), [&](const Report& r) { return r.verdict == verdict; });
  };
  if (!options.quiet) {
    for (const std::string& note : folder.notes) std::cout << "note: " << note << "\n";
  }
  std::cout << fmt::format("{} modules={} proved={} refuted={} unknown={}\n", to_string(worst->verdict), reports.size(),
                           count(Verdict::Proved), count(Verdict::Refuted), count(Verdict::Unknown));
  if (!options.json.empty()) write_file(options.json, json + "]\n");
  if (!options.junit.empty()) write_file(options.junit, to_junit(reports));
  if (!options.sarif.empty()) write_file(options.sarif, to_sarif(reports));
  if (!options.html.empty()) write_file(options.html, to_html(reports));
  return exit_code(worst->verdict);
}

}  // namespace

int decide_dump(const Options& options, Parts parts) {
  if (!options.inputs.empty()) throw InputError(DiagCode::Usage, {}, "--xla-dump stands in place of files");
  const DumpFolder folder = read_dump_folder(options.xla_dump, options.module);
  if (options.all_modules) return decide_all(folder, options, parts);
  const DumpedPair& pair = folder.pairs.front();
  Case c = load_dumped(pair, options);
  Report report = decide(c, options, parts);
  name_module(report, pair);
  list_candidates(folder, 0, report);
  return publish(report, options);
}

}  // namespace gg
