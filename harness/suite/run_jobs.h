// Many pairs, each decided in a process of its own: what one does (a crash, a full memory, an endless search) never
// reaches the others.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/options/options.h"
#include "harness/report/report.h"

namespace gg {

/// One pair to decide. `decide` may throw; its report is called `name`.
struct PairJob {
  std::string name;
  std::function<Report()> decide;
};

/// Decides all jobs, at most `options.jobs` at a time, and gives their reports in the order of the jobs; `done` sees each as soon
/// as it and all before it are there. A job that throws, dies or goes on when its budget has ended gives a report that
/// says so.
std::vector<Report> run_jobs(const std::vector<PairJob>& jobs, const Options& options,
                             const std::function<void(const Report&)>& done);

}  // namespace gg
