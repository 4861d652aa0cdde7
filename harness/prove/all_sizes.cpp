#include "harness/prove/all_sizes.h"

#include <algorithm>
#include <array>
#include <functional>

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

/// The pair at several sizes.
struct Family {
  std::vector<Case> cases;
  std::vector<std::vector<std::int64_t>> values;  ///< of the symbols, by case

  void add(const Case& c, const ResizedPair& resized, const std::vector<std::int64_t>& sizes) {
    values.emplace_back(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(resized.symbols.size()));
    cases.push_back(reduced_case(c, resized.pair));
  }
  std::vector<Case*> pointers() {
    std::vector<Case*> all;
    for (Case& one : cases) all.push_back(&one);
    return all;
  }
};

/// Do bodies and numbers have the same form down to the least sizes: each as small as it may be beside large ones, and all of them?
bool reaches(const Case& c, const Family& family, const std::vector<std::int64_t>& least) {
  Family small;
  for (std::size_t k = 0; k < family.cases.size(); ++k) small.add(c, *resize_shapes(c, family.values[k]), family.values[k]);
  for (std::size_t k = 0; k <= least.size(); ++k) {
    std::vector<std::int64_t> sizes = k < least.size() ? family.values[0] : least;
    if (k < least.size()) sizes[k] = least[k];
    const auto resized = resize_shapes(c, sizes);
    if (!resized || resized->symbols.size() != least.size()) return false;
    small.add(c, *resized, sizes);
  }
  return not_one_family(small.pointers(), small.values).empty();
}

/// Raises the bounds until the family reaches down to them.
bool raise_to_family(const Case& c, const Family& family, std::vector<std::int64_t>& least) {
  constexpr int kMostRaises = 6;
  for (std::int64_t& n : least) n = std::max<std::int64_t>(n, 2);  // a size of one is another program
  for (int raises = 0; raises < kMostRaises; ++raises) {
    try {
      if (reaches(c, family, least)) return true;
    } catch (const InputError&) {  // no well-typed pair there
    }
    for (std::int64_t& n : least) ++n;
  }
  return false;
}

/// `text_of`: the certificate of the family's first pair, or "" and the reason.
using TextOf = std::function<std::string(Case& first, std::string& reason)>;

SizesTheorem theorem_of_family(const Case& c, const TextOf& text_of, const std::string& file) {
  SizesTheorem theorem;
  try {
    Family family;
    std::vector<std::int64_t> own;
    std::vector<LiteralChange> literals;
    for (const std::vector<std::int64_t>& choice : choices()) {
      const auto resized = resize_shapes(c, choice);
      if (own.empty()) literals = resized->pair.changes;
      own = resized->symbols;
      family.add(c, *resized, choice);
    }
    if (own.empty()) {
      theorem.reason = "no size is free";
      return theorem;
    }
    std::vector<std::string> names;
    for (std::size_t k = 0; k < own.size(); ++k) names.push_back(std::string(1, static_cast<char>('a' + k)));
    const std::string certificate = text_of(family.cases[0], theorem.reason);
    if (certificate.empty()) return theorem;
    SizesCheck check = check_sizes(certificate, file, family.pointers(), family.values, names);
    theorem.reason = check.problem;
    if (!check.accepted) return theorem;
    if (!raise_to_family(c, family, check.least)) {
      theorem.reason = "operators have another form at small sizes";
      return theorem;
    }
    theorem.proved = true;
    theorem.conditions = check.conditions;
    if (check.places_fit) theorem.conditions.emplace_back("places fit their integer types");
    for (std::size_t k = 0; k < own.size(); ++k) theorem.sizes.push_back({names[k], own[k], false, "", check.least[k]});
    for (const Leaf& leaf : input_leaves(*family.cases[0].sequential)) theorem.inputs.push_back(shape(leaf, check));
    for (const Leaf& leaf : output_leaves(*family.cases[0].sequential)) theorem.outputs.push_back(shape(leaf, check));
    for (const LiteralChange& change : literals) {
      const std::string line = std::to_string(change.before) + " = " + check.numbers.at(change.after);
      if (std::find(theorem.literals.begin(), theorem.literals.end(), line) == theorem.literals.end()) theorem.literals.push_back(line);
    }
  } catch (const InputError& error) {
    theorem.reason = error.diags().front().message;
  }
  return theorem;
}

}  // namespace

SizesTheorem prove_free_sizes(const Case& c, std::string* certificate) {
  const TextOf search = [&](Case& first, std::string& reason) {
    const CheckedProof proof = prove_and_check(first);
    if (certificate != nullptr) *certificate = proof.certificate;
    if (proof.accepted()) return proof.certificate;
    reason = proof.certificate.empty() ? "it is not proved at other sizes" : "other sizes: " + proof.checked.problem;
    return std::string();
  };
  return theorem_of_family(c, search, "");
}

SizesTheorem check_free_sizes(const Case& c, const std::string& certificate, const std::string& file) {
  return theorem_of_family(c, [&](Case&, std::string&) { return certificate; }, file);
}

SizesTheorem theorem_over_sizes(Case& c, std::string* certificate) {
  SizesTheorem digits = prove_all_sizes(c);
  if (digits.proved) return digits;
  SizesTheorem free = prove_free_sizes(c, certificate);
  if (!free.proved) free.reason = digits.reason + "; with ranks as they are: " + free.reason;
  return free;
}

}  // namespace gg
