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
    "       options: --opaque NAME, --allow-elided\n"
    "exit code: 0 accepted, 1 rejected, 3 bad input, 4 internal error\n";

int verify(const std::vector<std::string>& files, const gg::CaseOptions& options) {
  const std::string text = gg::read_file(files[0]);
  gg::Case c = files.size() == 2 ? gg::load_case(files[1], options) : gg::load_case(files[1], files[2], options);
  const gg::CheckResult result = gg::check_certificate(text, files[0], c);
  if (!result.accepted) {
    std::printf("rejected: %s\n", result.problem.c_str());
    return 1;
  }
  std::string assumptions;
  for (const gg::Assumption& a : result.assumptions) assumptions += (assumptions.empty() ? "" : ",") + to_string(a);
  std::printf("accepted records=%zu assumptions=%s\n", result.records, assumptions.empty() ? "none" : assumptions.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  gg::CaseOptions options;
  for (int k = 1; k < argc; ++k) {
    const std::string arg = argv[k];
    if (arg == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if ((arg == "--relation" || arg == "--opaque") && k + 1 < argc) {
      if (arg == "--relation") options.relation_file = argv[++k];
      else options.opaque_targets.emplace_back(argv[++k]);
    } else if (arg == "--allow-elided") {
      options.allow_elided = true;
    } else if (arg.rfind("--", 0) == 0) {
      std::fprintf(stderr, "gg-verify: unknown option '%s'\n%s", arg.c_str(), kUsage);
      return 3;
    } else {
      files.push_back(arg);
    }
  }
  if (files.size() < 2 || files.size() > 3) {
    std::fputs(kUsage, stderr);
    return 3;
  }
  try {
    return verify(files, options);
  } catch (const gg::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gg-verify: internal error: %s\n", error.what());
    return 4;
  }
}
