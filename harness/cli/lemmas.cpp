#include "harness/cli/lemmas.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/options/load.h"
#include "models/base/file.h"
#include "prover/prover.h"

namespace gg {
namespace {

using prover::kLemmas;
using prover::Lemma;
using prover::LemmaProof;
using prover::LemmaScope;
using prover::LemmaUses;

constexpr const char* kHead =
    R"(<!-- Printed by `gg-harness lemmas`; renew with tests/lint/docs.py PROGRAM ROOT --write. -->
# Lemmas

The laws by which the normal forms of the search and of the checker identify terms ([certificate.md](certificate.md), section 4; the column
*rule* names the paragraph). Left and right are equal for all values of the names: terms are written as in certificates, `L%n` is the
remainder of floor division, sizes are integers >= 1, reads are defined everywhere, `any` reals may be infinite or NaN, `finite`, `positive` and
`nonzero` ones are real numbers, `nonnegative` ones may be +inf, `below` ones may be -inf, `noinf` ones may be NaN.

Each row is checked (`tests/unit/lemma`): it is well-formed; it holds at 1,000 random instances with infinities, NaN and zeros; both normal
forms identify its sides at all sizes up to 6; every condition is needed; its near-misses (a condition dropped, another constant) are
refuted by an instance and by no means proved; the normal form of a side is its own normal form. The column *proof* says how it is proved for all sizes:

- `z3`: the statement itself, over integers and extended reals; `z3, steps`: with claims proved first.
- `induction n`: base and step over the size n, both by Z3.
- `bijection`: the indices of one fold are those of the other, each once: ranges and both ways back by Z3.
- `normal forms`: only at all extents up to 6.

*search* or *checker* in the last column: only this normal form has the law.

)";

std::string proof_of(const Lemma& l) {
  const std::string by = l.by;
  switch (l.proof) {
    case LemmaProof::Smt: return by.empty() ? "z3" : "z3, steps";
    case LemmaProof::Induction: return "induction " + by.substr(0, by.find_first_of(" ;"));
    case LemmaProof::Bijection: return "bijection";
    case LemmaProof::NormalForms: return "normal forms";
  }
  return "";
}

const char* scope_of(const Lemma& l) {
  return l.scope == LemmaScope::Both ? "" : l.scope == LemmaScope::Search ? "search"
                                                                          : "checker";
}

bool counted(const Lemma& l) {
  return std::find(std::begin(prover::kNotCounted), std::end(prover::kNotCounted), l.id) == std::end(prover::kNotCounted);
}

std::uint64_t uses_of(const Lemma& l, const LemmaUses& uses) { return uses[static_cast<std::size_t>(l.id)]; }

}  // namespace

std::string lemmas_markdown(const std::optional<LemmaUses>& uses) {
  std::string text = kHead;
  text += fmt::format("| law | rule | names | left | right | proof | only |{}\n|---|---|---|---|---|---|---|{}\n", uses ? " uses |" : "",
                      uses ? "---|" : "");
  for (const Lemma& l : kLemmas) {
    text += fmt::format("| {} | {} | {} | `{}` | `{}` | {} | {} |", l.name, l.rule, l.where, l.left, l.right, proof_of(l), scope_of(l));
    if (uses) text += counted(l) ? fmt::format(" {} |", uses_of(l, *uses)) : " not counted |";
    text += "\n";
  }
  return text;
}

std::string lemmas_json(const std::optional<LemmaUses>& uses) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Lemma& l : kLemmas) {
    nlohmann::ordered_json row = {{"law", l.name}, {"rule", l.rule}, {"names", l.where}, {"left", l.left}, {"right", l.right}, {"proof", proof_of(l)}, {"only", scope_of(l)}};
    for (const char* near : l.near) {
      if (near != nullptr) row["near-misses"].push_back(near);
    }
    if (uses && counted(l)) row["uses"] = uses_of(l, *uses);
    rows.push_back(std::move(row));
  }
  return rows.dump(1) + "\n";
}

int lemmas_command(const Options& options) {
  std::optional<LemmaUses> total;
  for (const std::string& folder : options.inputs) {
    Options one = options;
    one.inputs = {folder};
    Case c = load_case(one);
    const ProofResult proof = prove(c);
    if (!total) total.emplace();
    for (std::size_t k = 0; k < total->size(); ++k) (*total)[k] += proof.lemma_uses[k];
  }
  if (!options.json.empty()) write_file(options.json, lemmas_json(total));
  if (!options.quiet) std::cout << lemmas_markdown(total);
  return 0;
}

}  // namespace gg
