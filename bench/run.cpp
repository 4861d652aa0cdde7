// Times the differential run: run [--f64] [--seeds N] CASE... prints, for each case folder, the seconds of reading, of
// inferring ranges and of the run (wall clock, and processor time of all threads), the outcome, the elements that were
// compared and the estimated operations of a draw; then the sums and the process's peak.
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

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

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
  const double before = processor_seconds();
  const gg::DifferentialResult run = gg::run_pair(c, options);
  const double done = seconds();
  std::printf("%-44s %-7s read %6.3f  ranges %6.3f  run %7.3f (%7.3f)  draws %2zu  undefined %lld/%lld  operations %.2g\n",
              c.name.c_str(), outcome(run), loaded - start, inferred - loaded, done - inferred,
              processor_seconds() - before, run.draws.size(),
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
  std::printf("sum %.2f s, processor %.2f s, peak of the process %.0f MB\n", total, processor_seconds(), peak_megabytes());
  return 0;
}
