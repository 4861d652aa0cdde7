// Every row proved for all sizes by Z3, as the row says. Without the program `z3` the proofs are skipped, with a count.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "tests/unit/lemma/smt.h"

namespace gg::lemma {
namespace {

using prover::kLemmas;
using prover::Lemma;
using prover::LemmaProof;

TEST(Proofs, RowsHoldForAllSizes) {
  std::size_t proved = 0, missing_count = 0, finite = 0;
  for (const Lemma& l : kLemmas) {
    bool missing = false;
    const auto start = std::chrono::steady_clock::now();
    try {
      EXPECT_EQ(prove(statement_of(l), l.proof, l.by, 10000, missing), "") << l.name;
    } catch (const Malformed& e) {
      ADD_FAILURE() << l.name << ": " << e.what();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (seconds.count() > 1) std::printf("  %.1f s: %s\n", seconds.count(), l.name);
    if (missing) ++missing_count;
    else ++(l.proof == LemmaProof::NormalForms ? finite : proved);
  }
  std::printf("  %zu rows proved for all sizes, %zu at extents up to 6, %zu skipped without z3\n", proved, finite, missing_count);
  if (missing_count > 0) GTEST_SKIP() << missing_count << " proofs skipped: there is no program z3";
}

// A prover that proves a near-miss proves nothing.
TEST(Proofs, NearMissesAreNotProved) {
  if (!z3_present()) GTEST_SKIP() << "there is no program z3";
  for (const Lemma& l : kLemmas) {
    for (std::size_t k = 0; k < l.near.size() && l.near[k] != nullptr && l.proof != LemmaProof::NormalForms; ++k) {
      bool missing = false;
      try {
        EXPECT_NE(prove(near_miss_of(l, k), l.proof, l.by, 100, missing), "") << "UNSOUND: " << l.name << ": " << l.near[k];
      } catch (const Malformed&) {
      }
    }
  }
}

// What the scripts assume of products with sizes.
TEST(Proofs, OrderIsKeptByPositiveFactors) {
  if (!z3_present()) GTEST_SKIP() << "there is no program z3";
  const std::string premises = "(declare-const d Int)(declare-const t Int)(assert (>= d 1))";
  for (const char* goal : {"(=> (>= t 0) (>= (* d t) 0))", "(=> (>= t 1) (>= (* d t) d))", "(=> (<= t (- 1)) (<= (* d t) (- d)))"}) {
    EXPECT_EQ(z3(premises + "(assert (not " + goal + "))(check-sat)", 10000), Answer::Unsat) << goal;
  }
}

}  // namespace
}  // namespace gg::lemma
