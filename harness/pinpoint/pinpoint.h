// Which instruction is wrong, what is wrong with it, and the edit that mends the program. Places come from the traces
// (runtime/divergence.h); every edit of the catalogue that fits a place is tried by runs; blamed is the place whose edit
// mends. Where no single edit does, the one that brings the values back to the sequential ones furthest is kept and the
// search goes on in the edited program, so that independent defects are each found.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/trial.h"
#include "runtime/executor.h"

namespace gg::pinpoint {

struct Search {
  Budget budget;
  std::uint64_t seed = 42;
  int max_findings = 6;
  bool prove = true;                   ///< confirm by the prover and the checker
  NumberMode mode = NumberMode::Real;  ///< of traces and of the runs that confirm: Real, or F64 for what is large
  /// The pair as given, where the one that is searched is the same at reduced shapes (same instructions, same ids): edits
  /// that mend are carried over to it and proved there, not run.
  const Case* full = nullptr;
  std::shared_ptr<const RecordedPair> recorded;  ///< what the pair did on the inputs; may be null
  /// Outputs of the pair that is searched that differ by the rounding of literals alone: its relation leaves them out, proofs do not.
  std::vector<std::size_t> rounded = {};
};

/// One defect: the edit that mends it, told in the terms of the program as given.
struct Defect {
  Diagnosis diagnosis = Diagnosis::Other;
  FindingKind kind = FindingKind::Wrong;
  InstructionId place = 0;  ///< in the program as given
  std::string text, edit, after, before;
};

/// One way to mend the whole program: the edits of all defects, in order.
struct Mend {
  std::vector<std::string> edits;
  std::set<std::string> single;  ///< the same, those at several places one by one
  bool mends = false;            ///< the outputs agree on further draws over the reals
  bool any = false;              ///< an edit of it is one of many that could stand there (Repair::any)
  bool invented = false;         ///< one works over groups of ranks that neither the mesh nor the program has (Repair::invented)
  std::size_t copied = 0;        ///< instructions of the sequential program that stand in it once more
  std::size_t size = 0;          ///< instructions that its edits add or change, and values that others read in place of one
  bool proved = false;           ///< the prover and the checker confirm the edited program (of the full pair, where there is one)
  std::optional<Module> module;  ///< the edited program of the pair that is searched
  std::optional<Module> full;    ///< the same edits in the program of Search::full, where they could be carried over
  std::vector<Patch> patches;    ///< of `full`, in order: each of the program that those before it have left
};

/// An edit that copies more is no longer a short one: it says what is wrong, not how to write it.
inline constexpr std::size_t kManyCopied = 12;

struct Pinpointed {
  std::vector<Defect> defects;   ///< in the order found; the first is the first divergence
  std::vector<Mend> mends;       ///< best first
  std::optional<Defect> likely;  ///< where nothing mends: what the values say
  bool guessed = false;          ///< `defects` are those of an edit that nothing speaks for and that was not proved
  std::int64_t trials = 0;
};

/// `inputs` make the outputs differ. Throws RuntimeFailure (Budget, Memory). The work is bounded by counted elements.
Pinpointed pinpoint(Case& c, const InputSet& inputs, const Search& search);

/// The changed lines of the distributed module as `- old` and `+ new`.
std::vector<std::string> hlo_diff(const Module& before, const Module& after);

}  // namespace gg::pinpoint
