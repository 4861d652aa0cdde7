// From a confirmed difference to findings, hypotheses and the smallest witness of the report (harness/pinpoint).
#pragma once

#include "harness/options.h"
#include "harness/report.h"
#include "runtime/differential.h"

namespace gg {

/// Fills divergent, findings and hypotheses, writes the repaired program where --repaired asks for it, and the witness of
/// the smallest inputs. `run.differing` and `run.witness` are set. A pair whose runs cost much is explained on the same
/// pair at reduced shapes, if that one differs too: places are those of `c`, edits are carried over to it and confirmed
/// there by proof; the inputs of `run` are given back before. Never fails for want of time or memory: what is missing then
/// is named in a note.
void explain_difference(Case& c, DifferentialResult& run, const Options& options, Report& report);

/// `reduce CASE -o DIR`: writes a pair of fewest instructions that still differs, or, where the outputs agree and the
/// prover finds no proof, is still unknown for the same reason. Exit code 0, or 2 where there is no smaller one.
int reduce_instructions(const Options& options);

}  // namespace gg
