// Times reading of HLO text: parse FILE... prints, for each file, size, instructions, throughput of parsing with and
// without verification (best of five), memory of the module, and the process's peak.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "models/base/file.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Best time of five runs of `run`.
template <class Run>
double best(Run run) {
  double least = 1e9;
  for (int k = 0; k < 5; ++k) {
    const double start = seconds();
    run();
    least = std::min(least, seconds() - start);
  }
  return least;
}

void measure(const std::string& path) {
  const std::string text = gg::read_file(path);
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  const long before = peak_kilobytes();
  const gg::Module module = gg::parse_hlo(text, path);
  const long after = peak_kilobytes();
  gg::ParseOptions unverified;
  unverified.verify = false;
  const double parse = best([&] { gg::parse_hlo(text, path, unverified); });
  const double verify = best([&] { gg::parse_hlo(text, path); });
  std::string printed;
  const double print = best([&] { printed = gg::print_hlo(module); });
  std::printf(
      "%s: %.2f MB, %zu instructions; parse %.0f MB/s, parse and verify %.0f MB/s, print %.0f MB/s; module "
      "%.2f x text, peak +%.2f x text\n",
      path.c_str(), megabytes, module.size(), megabytes / parse, megabytes / verify,
      static_cast<double>(printed.size()) / 1e6 / print, static_cast<double>(module.memory_bytes()) / 1e6 / megabytes,
      static_cast<double>(after - before) * 1.024e-3 / megabytes);
}

}  // namespace

int main(int argc, char** argv) {
  for (int k = 1; k < argc; ++k) {
    try {
      measure(argv[k]);
    } catch (const gg::InputError& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 3;
    }
  }
  std::printf("peak of the process: %.1f MB\n", static_cast<double>(peak_kilobytes()) * 1.024e-3);
  return 0;
}
