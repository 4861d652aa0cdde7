// Which edits bring a program nearer to right without mending it.
#pragma once

#include "harness/pinpoint/chains.h"

namespace gg::pinpoint {

/// Outputs, or elements of them, that were wrong are right now, and none the other way round.
std::optional<Distance> nearer_by_outputs(const TrialResult& before, const TrialResult& after);

/// What traces of edited programs may cost: `spent` numbers so far, at most `most`.
struct Expense {
  std::int64_t spent = 0, most = 0;
};
constexpr std::int64_t kRetrace = 10;  ///< a traced run costs as much as so many trials

/// Numbers that one run of the program computes, about.
std::int64_t numbers_of_run(const Module& module, std::int64_t ranks);

/// Edits of the program of `before` after which the front of its bad values is a value of the sequential program, and fewer values are
/// bad; told by traces in f64. They are moved to `nearer`.
void add_nearer_by_values(Views& views, const View& before, std::vector<Found>& others, Expense& expense, std::vector<Found>& nearer);

}  // namespace gg::pinpoint
