// gg-verify: the independent checker as a program of its own. Prints one line, `accepted ...` or `rejected: reason`.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "models/base/diag.h"
#include "models/base/file.h"
#include "prover/checker/checker.h"

namespace {

constexpr const char* kUsage =
    "usage: gg-verify CERTIFICATE CASE-FOLDER | CERTIFICATE SEQUENTIAL DISTRIBUTED [--relation FILE]\n"
    "       options, as of gg-harness: --define FILE.hlo, --opaque NAME, --range NAME=LO:HI, --assume WHAT, --allow-assumption NAME,\n"
    "       --allow-elided, -v (a line for every assumption)\n"
    "exit code: 0 accepted, 1 rejected, 2 accepted under an assumption that is not allowed, 3 bad input, 4 internal error\n";

struct Arguments {
  std::vector<std::string> files, ranges, allowed, stated;
  gg::CaseOptions options;
  bool verbose = false;
};

int verify(Arguments& a) {
  for (const std::string& range : a.ranges) gg::add_range(a.options, range);
  for (const std::string& name : a.allowed) a.options.allow_elided |= name == "elided-constants";
  const std::string text = gg::read_file(a.files[0]);
  gg::Case c = a.files.size() == 2 ? gg::load_case(a.files[1], a.options) : gg::load_case(a.files[1], a.files[2], a.options);
  const gg::CheckReport report = report_of(gg::check_certificate(text, a.files[0], c), c, a.allowed, a.stated, a.verbose);
  std::fputs(report.text.c_str(), stdout);
  return report.exit_code;
}

/// The list that an option with a value adds to, or null.
std::vector<std::string>* list_of(Arguments& a, const std::string& option) {
  if (option == "--opaque") return &a.options.opaque_targets;
  if (option == "--define") return &a.options.definitions;
  if (option == "--range") return &a.ranges;
  if (option == "--assume") return &a.stated;
  return option == "--allow-assumption" ? &a.allowed : nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  for (int k = 1; k < argc; ++k) {
    const std::string arg = argv[k];
    std::vector<std::string>* list = list_of(a, arg);
    if (arg == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (list != nullptr && k + 1 < argc) {
      list->emplace_back(argv[++k]);
    } else if (arg == "--relation" && k + 1 < argc) {
      a.options.relation_file = argv[++k];
    } else if (arg == "--allow-elided") {
      a.allowed.emplace_back("elided-constants");
    } else if (arg == "-v") {
      a.verbose = true;
    } else if (arg.rfind("--", 0) == 0) {
      std::fprintf(stderr, "gg-verify: unknown option '%s'\n%s", arg.c_str(), kUsage);
      return 3;
    } else {
      a.files.push_back(arg);
    }
  }
  if (a.files.size() < 2 || a.files.size() > 3) {
    std::fputs(kUsage, stderr);
    return 3;
  }
  try {
    return verify(a);
  } catch (const gg::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gg-verify: internal error: %s\n", error.what());
    return 4;
  }
}
