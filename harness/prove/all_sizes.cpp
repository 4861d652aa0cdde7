#include "harness/prove/all_sizes.h"

#include <algorithm>
#include <array>

#include "harness/prove/proof.h"
#include "models/base/diag.h"
#include "prover/checker/sized/check_sizes.h"
#include "runtime/reduce/reduce.h"

namespace gg {
namespace {

constexpr std::size_t kMostSymbols = 24;

/// Sizes that are apart, in three orders: the first are those of the proof, the others show which numbers are made of sizes.
std::array<std::vector<std::int64_t>, 3> choices() {
  std::vector<std::int64_t> primes;
  for (std::int64_t n = 67; primes.size() < 3 * kMostSymbols; n += 2) {
    bool prime = true;
    for (std::int64_t d = 3; d * d <= n; d += 2) prime = prime && n % d != 0;
    if (prime) primes.push_back(n);
  }
  std::array<std::vector<std::int64_t>, 3> result;
  for (std::size_t k = 0; k < kMostSymbols; ++k) {
    result[0].push_back(primes[k]);
    result[1].push_back(primes[2 * kMostSymbols - 1 - k]);
    result[2].push_back(primes[2 * kMostSymbols + (7 * k) % kMostSymbols]);
  }
  return result;
}

std::string shape(const Leaf& leaf, const SizesCheck& check) {
  std::string text;
  for (const std::int64_t n : leaf.type.dims) text += (text.empty() ? "" : ", ") + check.numbers.at(n);
  return leaf.shown() + ": " + std::string(info(leaf.type.element).name) + "[" + text + "]";
}

}  // namespace

SizesTheorem prove_free_sizes(const Case& c) {
  SizesTheorem theorem;
  try {
    std::vector<Case> family;
    std::vector<std::vector<std::int64_t>> values;
    std::vector<std::int64_t> own;
    std::vector<LiteralChange> literals;
    for (const std::vector<std::int64_t>& choice : choices()) {
      auto resized = resize_shapes(c, choice);
      if (own.empty()) literals = resized->pair.changes;
      own = resized->symbols;
      values.emplace_back(choice.begin(), choice.begin() + static_cast<std::ptrdiff_t>(own.size()));
      family.push_back(reduced_case(c, resized->pair));
    }
    if (own.empty()) {
      theorem.reason = "no size is free";
      return theorem;
    }
    std::vector<std::string> names;
    for (std::size_t k = 0; k < own.size(); ++k) names.push_back(std::string(1, static_cast<char>('a' + k)));
    const CheckedProof proof = prove_and_check(family[0]);
    if (!proof.accepted()) {
      theorem.reason = proof.certificate.empty() ? "it is not proved at other sizes" : "other sizes: " + proof.checked.problem;
      return theorem;
    }
    std::vector<Case*> cases;
    for (Case& one : family) cases.push_back(&one);
    const SizesCheck check = check_sizes(proof.certificate, "", cases, values, names);
    theorem.proved = check.accepted;
    theorem.reason = check.problem;
    theorem.conditions = check.conditions;
    if (!check.accepted) return theorem;
    for (std::size_t k = 0; k < own.size(); ++k) theorem.sizes.push_back({names[k], own[k], false, "", check.least[k]});
    for (const Leaf& leaf : input_leaves(*family[0].sequential)) theorem.inputs.push_back(shape(leaf, check));
    for (const Leaf& leaf : output_leaves(*family[0].sequential)) theorem.outputs.push_back(shape(leaf, check));
    for (const LiteralChange& change : literals) {
      const std::string line = std::to_string(change.before) + " = " + check.numbers.at(change.after);
      if (std::find(theorem.literals.begin(), theorem.literals.end(), line) == theorem.literals.end()) theorem.literals.push_back(line);
    }
  } catch (const InputError& error) {
    theorem.reason = error.diags().front().message;
  }
  return theorem;
}

}  // namespace gg
