// `suite SUITE`: many pairs, one line each, one report file of each kind for all of them.
#pragma once

#include "harness/options/options.h"
#include "harness/report/report.h"

namespace gg {

/// Decides every pair of the suite; the exit code is that of the worst one: 4, 1, 3, 2, 0.
int suite_command(const Options& options);

/// The worst of two exit codes in that order.
int worse(int a, int b);

/// Prints a line for a pair of many, and its text where it does not pass; nothing with -q.
void print_outcome(const Report& report, const Options& options);

/// Writes the report files that the options name.
void write_reports(const std::vector<Report>& reports, const std::string& what, const Options& options);

/// Writes the files that the options name and the closing line (`what` is `suite=nightly` or `modules=3`); returns the exit code.
int publish_all(const std::vector<Report>& reports, const std::string& what, const Options& options);

}  // namespace gg
