// gg-verify: the independent checker as a program of its own. Prints one line, `accepted ...`, `rejected: reason` or `undecided: reason`.
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/base/frame.h"
#include "models/base/progress.h"
#include "models/base/text.h"
#include "prover/checker/checker.h"
#include "prover/checker/sized/check_sizes.h"

namespace gg {
namespace {

constexpr const char* kUsage =
    "usage: gg-verify CERTIFICATE CASE-FOLDER | CERTIFICATE SEQUENTIAL DISTRIBUTED [--relation FILE]\n"
    "       options, as of gg-harness: --define FILE.hlo, --opaque NAME, --range NAME=LO:HI, --assume WHAT, --allow-assumption NAME,\n"
    "       --allow-elided, --budget-seconds S (300), --memory-mb MB, -v (a line for every assumption),\n"
    "       --for-all-sizes (CERTIFICATE is a theorem about all sizes, F.sizes)\n"
    "exit code: 0 accepted, 1 rejected, 2 accepted under an assumption that is not allowed, or not decided within budget and memory, 3 bad input,\n"
    "4 internal error\n";
constexpr double kBudgetSeconds = 300;
constexpr std::int64_t kLeastMemory = 64, kMostMemory = std::int64_t{1} << 30;  // MiB
constexpr int kUndecided = 2;

using Strings = std::vector<std::string>;

struct Arguments {
  Strings files, relations, ranges, allowed, stated, opaque, definitions, budgets, memories;
  bool verbose = false, help = false, all_sizes = false;
};

/// Options that take a value. Of some the last one counts.
constexpr std::pair<std::string_view, Strings Arguments::*> kLists[] = {
    {"--relation", &Arguments::relations}, {"--range", &Arguments::ranges}, {"--allow-assumption", &Arguments::allowed}, {"--assume", &Arguments::stated}, {"--opaque", &Arguments::opaque}, {"--define", &Arguments::definitions}, {"--budget-seconds", &Arguments::budgets}, {"--memory-mb", &Arguments::memories}};

[[noreturn]] void refuse(const std::string& text) { throw InputError(DiagCode::Usage, {}, text); }

Arguments read_arguments(int argc, char** argv) {
  Arguments a;
  for (int k = 1; k < argc; ++k) {
    const std::string arg = argv[k];
    Strings Arguments::*list = nullptr;
    for (const auto& [name, member] : kLists) list = name == arg ? member : list;
    if (list != nullptr && k + 1 == argc) refuse("'" + arg + "' takes a value");
    if (list != nullptr) (a.*list).emplace_back(argv[++k]);
    else if (arg == "--help") a.help = true;
    else if (arg == "--allow-elided") a.allowed.emplace_back("elided-constants");
    else if (arg == "-v") a.verbose = true;
    else if (arg == "--for-all-sizes") a.all_sizes = true;
    else if (arg.rfind("--", 0) == 0) refuse("unknown option '" + arg + "'");
    else a.files.push_back(arg);
  }
  return a;
}

double budget_of(const Arguments& a) {
  if (a.budgets.empty()) return kBudgetSeconds;
  const std::optional<double> seconds = parse_seconds(a.budgets.back());
  if (!seconds) refuse("--budget-seconds '" + a.budgets.back() + "' is no number of seconds");
  return *seconds;
}

std::size_t memory_of(const Arguments& a) {
  if (a.memories.empty()) return default_memory_mb();
  const std::string& text = a.memories.back();
  const auto value = whole_number(text);
  if (!value || *value < kLeastMemory || *value > kMostMemory) refuse("--memory-mb '" + text + "' is no number of MiB from 64 up");
  return static_cast<std::size_t>(*value);
}

int undecided(const Ending& ending) {
  std::cout << "undecided: " << to_sentence(ending) << "\n";
  return kUndecided;
}

int verify(const Arguments& a) try {
  CaseOptions options;
  options.opaque_targets = a.opaque;
  options.definitions = a.definitions;
  if (!a.relations.empty()) options.relation_file = a.relations.back();
  for (const std::string& range : a.ranges) add_range(options, range);
  for (const std::string& name : a.allowed) options.allow_elided |= name == "elided-constants";
  enter_phase("reading");
  const std::string text = read_file(a.files[0]);
  Case c = a.files.size() == 2 ? load_case(a.files[1], options) : load_case(a.files[1], a.files[2], options);
  enter_phase("check");
  const CheckReport report = a.all_sizes ? report_of(check_sizes(text, a.files[0], c), c, a.allowed, a.stated, a.verbose)
                                         : report_of(check_certificate(text, a.files[0], c), c, a.allowed, a.stated, a.verbose);
  std::cout << report.text;
  return report.exit_code;
} catch (const OutOfTime&) {
  return undecided(out_of_bounds(Ending::Kind::Late));
}

int main_of(int argc, char** argv, const Ending* ending) {
  if (ending != nullptr) return undecided(*ending);
  const Arguments a = read_arguments(argc, argv);
  if (a.help) {
    std::cout << kUsage;
    return 0;
  }
  if (a.files.size() < 2 || a.files.size() > 3) {
    std::cerr << kUsage;
    return 3;
  }
  set_bounds(budget_of(a), memory_of(a));
  return verify(a);
}

}  // namespace
}  // namespace gg

int main(int argc, char** argv) {
  return gg::run_watched("gg-verify", [&](const gg::Ending* ending) { return gg::main_of(argc, argv, ending); });
}
