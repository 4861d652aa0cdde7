// What a report says about inputs: the relation that was found, ranges that nobody gave, inputs that move no output.
#pragma once

#include "harness/report/report.h"
#include "models/pair/case.h"
#include "runtime/differential.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

inline constexpr double kNoteOperations = 1e9;       ///< of all runs that one note takes
inline constexpr std::int64_t kNoteTrips = 1 << 14;  ///< of the loops of a run on inputs that a premise leaves out, on which they need not end

/// Notes on a relation found in shardings, inputs grouped by placement, on given ranges and on those that are only drawn from. Call
/// after infer_ranges.
void note_inputs(const Case& c, std::vector<std::string>& notes);

/// Integers of a draw that differs outside of what they are mostly drawn from, with what would exclude them.
void note_outside_values(const Case& c, const InputSet& inputs, std::vector<std::string>& notes);

/// Redraws one input after the other: those that move no output element in two draws are noted as not exercised, with the
/// detail `unexercised=N`. Skipped, and said so, where that many runs of the sequential program cost too much.
void note_unexercised(Case& c, const Budget& budget, Told& told);

/// Does a verdict under these assumptions rest on this input's bounds (`in-bounds`)?
bool bounds_index(const std::vector<Assumption>& assumptions, const FreeInput& input);

/// How a run is judged that is only told beside a verdict.
DifferentialOptions for_notes(DifferentialOptions options);

/// Integer inputs outside of what they index, where no draw of the comparison goes and nothing is refuted: runs the pair with such values of each
/// integer input and says in a note for which the programs differ: `differs for ids >= 32000`. Of inputs that these assumptions bound, what the
/// sequential program takes all the same (it counts from the end, or an operator clamps) is told as what the proof does not cover. Returns whether
/// there is a difference that no assumption excludes. Call after the run of the comparison.
bool note_outside(Case& c, const DifferentialOptions& options, const std::vector<Assumption>& assumptions, std::vector<std::string>& notes);

}  // namespace gg
