// What a suite lists: pairs with their options, and what each is expected to be.
//   # comment
//   examples/*                                     a case folder, or a pattern of case folders
//   expect=refuted examples/vocab-embedding-unmasked    named again: replaces the entry above
//   name=step seq.hlo dist.hlo --relation r.json   any arguments of `check`
//   --xla-dump dumps/step --module jit_train_step
// Paths count from the suite's folder. A folder in place of a file: all case folders in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/options/options.h"
#include "models/base/diag.h"
#include "models/pair/verdict.h"

namespace gg {

struct SuitePair {
  std::string name;  ///< unique: the path as written, or name=
  Options options;   ///< the suite's, with what the line adds
  std::optional<Verdict> expected;
  std::optional<Diag> problem;  ///< the line cannot be read: the pair counts as broken, the others are decided
};

/// The pairs of a suite in its order (those of a pattern by name). Throws InputError if there are none.
std::vector<SuitePair> read_suite(const std::string& path, const Options& defaults);

}  // namespace gg
