// The command `lemmas`: the table of prover/lemma as Markdown (docs/lemmas.md is its output), with the number of uses in
// the proofs of the cases that are given.
#pragma once

#include <optional>
#include <string>

#include "harness/options/options.h"
#include "prover/lemma/lemma.h"

namespace gg {

/// The page; `uses` adds a column.
std::string lemmas_markdown(const std::optional<prover::LemmaUses>& uses);
/// The same as JSON: a list of objects.
std::string lemmas_json(const std::optional<prover::LemmaUses>& uses);

/// inputs: case folders. --json FILE writes JSON.
int lemmas_command(const Options& options);

}  // namespace gg
