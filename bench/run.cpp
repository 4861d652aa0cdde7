// Times the differential run: run [--f64] [--seeds N] CASE... prints, for each case folder, the seconds of reading, of
// inferring ranges and of the run, the time of one draw, the outcome and the elements compared; then the sum and the
// process's peak.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "models/base/diag.h"
#include "models/pair/case.h"
#include "runtime/differential.h"

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1.024e-3;
}

const char* outcome(const gg::DifferentialResult& run) {
  if (run.stopped) return "stopped";
  return run.differing ? "differs" : "agrees";
}

double measure(const std::string& folder, const gg::DifferentialOptions& options) {
  const double start = seconds();
  gg::Case c = gg::load_case(folder);
  const double loaded = seconds();
  gg::infer_ranges(c);
  const double inferred = seconds();
  const gg::DifferentialResult run = gg::run_pair(c, options);
  const double done = seconds();
  const double draws = run.draws.empty() ? 1 : static_cast<double>(run.draws.size());
  std::printf("%-44s %-7s read %6.3f  ranges %6.3f  run %7.3f  a draw %7.3f  undefined %lld/%lld  operations %.2g\n",
              c.name.c_str(), outcome(run), loaded - start, inferred - loaded, done - inferred, (done - inferred) / draws,
              static_cast<long long>(run.undefined), static_cast<long long>(run.elements), gg::estimated_operations(c));
  if (run.stopped) std::printf("  %s\n", run.stopped->what());
  std::fflush(stdout);
  return done - start;
}

}  // namespace

int main(int argc, char** argv) {
  gg::DifferentialOptions options;
  double total = 0;
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    if (argument == "--f64") {
      options.mode = gg::NumberMode::F64;
    } else if (argument == "--seeds" && k + 1 < argc) {
      options.seeds = std::atoi(argv[++k]);
    } else {
      try {
        total += measure(argument, options);
      } catch (const gg::InputError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
      }
    }
  }
  std::printf("sum %.2f s, peak of the process %.0f MB\n", total, peak_megabytes());
  return 0;
}
