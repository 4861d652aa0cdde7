// The table of lemmas: every law by which the normal forms of the search (prover/term) and of the checker identify terms
// (docs/certificate.md, section 4), as a statement that a machine can read. tests/unit/lemma performs the checks of each
// row; the search counts where a law fires.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gg::prover {

enum class LemmaId : std::uint8_t {
#define LEMMA(id, ...) id,
#include "prover/lemma/lemmas.def"
#undef LEMMA
};

/// How a row is proved. All of them for all sizes but NormalForms.
enum class LemmaProof : std::uint8_t {
  Smt,          ///< Z3: the statement over integers and extended reals, sizes symbolic
  Induction,    ///< Z3: base and step over one size, folds unrolled by one element
  Bijection,    ///< Z3: the indices of one fold are those of the other, once each
  NormalForms,  ///< both normal forms and pointwise evaluation at all extents up to 6
};

/// Whose normal form identifies the two sides.
enum class LemmaScope : std::uint8_t { Both,
                                       Checker,
                                       Search };

/// A statement in the syntax of certificates with names for sizes, variables and values. `where` declares the names, `by`
/// is the size of an induction, the maps of a bijection, or claims proved on the way. `near` are false variants:
/// `WHERE | LEFT | RIGHT`, an empty field means that of the row.
struct Lemma {
  LemmaId id;
  const char* name;
  const char* rule;  ///< of docs/certificate.md, section 4 (6: of section 6)
  const char* where;
  const char* left;
  const char* right;
  LemmaProof proof;
  const char* by;
  LemmaScope scope;
  std::array<const char*, 3> near;
};

inline constexpr Lemma kLemmas[] = {
#define LEMMA(id, name, rule, where, left, right, proof, by, scope, ...) \
  {LemmaId::id, name, rule, where, left, right, LemmaProof::proof, by, LemmaScope::scope, {__VA_ARGS__}},
#include "prover/lemma/lemmas.def"
#undef LEMMA
};
inline constexpr std::size_t kLemmaCount = sizeof(kLemmas) / sizeof(kLemmas[0]);

/// Laws that hold by how forms are stored, or that only the checker has: nothing fires that could be counted.
inline constexpr LemmaId kNotCounted[] = {
    LemmaId::Remainder, LemmaId::DigitsMerge, LemmaId::CommonUnits, LemmaId::BindersSwap, LemmaId::EmptySum,
    LemmaId::EmptyMaximum, LemmaId::EmptyConjunction, LemmaId::ExtremumFoldOffset,
    LemmaId::ComplementaryCases, LemmaId::ExtremumOfMultiple,
    LemmaId::CaseInIndex, LemmaId::EqualityOfOnePoint, LemmaId::EqualIntegers, LemmaId::WrapUnderGuard, LemmaId::EqualAtEnd, LemmaId::BetweenEnds, LemmaId::NothingOfMultiple, LemmaId::MultipleOfNothing};

/// How often each law was used.
using LemmaUses = std::array<std::uint64_t, kLemmaCount>;

}  // namespace gg::prover
