// From a confirmed difference to findings, hypotheses and the smallest witness of the report (harness/pinpoint).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "harness/options/options.h"
#include "harness/report/report.h"
#include "models/mutation/patch.h"
#include "runtime/differential.h"

namespace gg {

/// A repaired distributed program that was proved at the pair's own shapes, and the same at reduced ones (if the search was
/// there).
struct Repaired {
  Module full;
  std::optional<Module> small;
  std::vector<mutation::Patch> patches;  ///< what was done to the program as given, in order; with `small` only
};

/// Is one run of the pair cheap enough for a search, which makes hundreds?
bool is_searchable(const Case& c);

/// Where an instruction stands and what it says.
Blame blame(const Module& module, const Instance& instance);

/// The note of a pair that differs with this seed and was explained at reduced shapes.
std::string searched_smaller(std::uint64_t seed);

/// Fills divergent, findings and hypotheses, writes the repaired program where --repaired asks for it, and the witness of
/// the smallest inputs. `run.differing` and `run.witness` are set. A pair whose runs cost much is explained on the same
/// pair at reduced shapes, if that one differs too: places are those of `c`, edits are carried over to it and confirmed
/// there by proof; the inputs of `run` are given back before. `small`: the pair at reduced shapes that `run` is of, for a
/// pair that cannot be run as it is. Returns the repaired program of `c` that was proved, if there is one. Never fails for
/// want of time or memory: what is missing then is named in a note. `searched` (may be empty) is called with the repaired program before
/// the smallest inputs are looked for, which may use up the time.
using Searched = std::function<void(const std::optional<Repaired>&)>;
std::optional<Repaired> explain_difference(Case& c, DifferentialResult& run, const Options& options, Explanation& report,
                                           Case* small = nullptr, const Searched& searched = {});

/// `reduce CASE -o DIR`: writes a pair of fewest instructions that still differs, or, where the outputs agree and the
/// prover finds no proof, is still unknown for the same reason. Exit code 0, or 2 where there is no smaller one.
int reduce_instructions(const Options& options);

}  // namespace gg
