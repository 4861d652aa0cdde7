// The checks of each row of prover/lemma/lemmas.def: well-formed, not vacuous, random instances, both normal forms, sharp,
// terminating. The proofs for all sizes are in proof_test.cpp.
#include <gtest/gtest.h>

#include <functional>

#include "prover/checker/print.h"
#include "prover/checker/rewrite.h"
#include "prover/term/text.h"
#include "tests/certificate/prover_builder.h"
#include "tests/unit/checker/evaluate.h"
#include "tests/unit/lemma/statement.h"

namespace gg::lemma {
namespace {

using checker::testing::Evaluation;
using checker::testing::Fragile;
using checker::testing::Point;
using prover::kLemmas;
using prover::Lemma;
using prover::LemmaScope;

constexpr std::int64_t kMaxSize = 6;
constexpr std::uint64_t kDraws = 1000;

/// All sizes from 1 to kMaxSize.
std::vector<Sizes> all_sizes(const Statement& s) {
  std::vector<Sizes> list{{}};
  for (const std::string& name : s.sizes()) {
    std::vector<Sizes> longer;
    for (const Sizes& sizes : list) {
      for (std::int64_t n = 1; n <= kMaxSize; ++n) {
        longer.push_back(sizes);
        longer.back()[name] = n;
      }
    }
    list = std::move(longer);
  }
  return list;
}

std::string text_of(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, n] : sizes) text += " " + name + "=" + std::to_string(n);
  return text;
}

/// Do the sides agree at this draw? Throws Fragile where doubles do not say.
bool agree(const Instance& i, std::uint64_t seed) {
  Point point;
  std::uint64_t h = seed;
  for (std::size_t k = 0; k < i.outer; ++k) {
    h = h * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto v = static_cast<std::int64_t>(k);
    point[v] = static_cast<std::int64_t>((h >> 33U) % static_cast<std::uint64_t>(i.world.extents.at(v)));
  }
  Evaluation a(i.world, seed, point), b(i.world, seed, point);
  switch (i.sort) {
    case Sort::Bool: return a.condition(i.left) == b.condition(i.right);
    case Sort::Int: return a.integer(i.left) == b.integer(i.right);
    default: return checker::testing::same(a.real(i.left), b.real(i.right));
  }
}

struct Tally {
  std::uint64_t compared = 0, fragile = 0;
  std::string counterexample;
};

/// Random draws over all sizes; stops at the first difference.
Tally draw(const Statement& s, std::uint64_t draws) {
  Tally tally;
  const std::vector<Sizes> sizes = all_sizes(s);
  for (std::uint64_t k = 0; k < draws || (tally.compared < draws && k < 20 * draws); ++k) {
    // The same instance serves several draws: neighbours of k have different sizes.
    const Sizes& at = sizes[k % sizes.size()];
    try {
      if (!agree(instantiate(s, at), k * 7919 + 1)) {
        tally.counterexample = "draw " + std::to_string(k) + text_of(at);
        return tally;
      }
      ++tally.compared;
    } catch (const Fragile&) {
      ++tally.fragile;
    }
  }
  return tally;
}

enum class Found : std::uint8_t { Same,
                                  Different,
                                  Limit };

struct Forms {
  Found checker = Found::Same, search = Found::Same;
  std::string text;
};

/// Rebuilds every node.
class Rebuild : public checker::Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  bool unchanged(checker::VarSet) override { return false; }
};

Forms normal_forms(const Instance& i) {
  Forms forms;
  try {
    checker::Terms t;
    checker::testing::Builder builder(t, i.world, i.outer);
    const checker::Value a = builder.value(i.left), b = builder.value(i.right);
    if (a != b) {
      forms.checker = Found::Different;
      forms.text += "checker: " + print(t, a) + " and " + print(t, b) + "\n";
    }
    Rebuild again(t);
    if (again(b) != b) forms.text += "checker: " + print(t, b) + " is not stable\n", forms.checker = Found::Different;
  } catch (const checker::Limit& limit) {
    forms.checker = Found::Limit;
    forms.text += std::string("checker: ") + limit.what() + "\n";
  }
  try {
    prover::Terms t;
    t.set_step_limit(20000);
    checker::testing::ProverBuilder builder(t, i.world, i.outer);
    const prover::TermId a = builder.term(i.left), b = builder.term(i.right);
    if (a != b) {
      forms.search = Found::Different;
      forms.text += "search: " + prover::TermText(t).term(a) + " and " + prover::TermText(t).term(b) + "\n";
    }
  } catch (const prover::TermLimit& limit) {
    forms.search = Found::Limit;
    forms.text += std::string("search: ") + limit.what() + "\n";
  }
  return forms;
}

TEST(Lemmas, AreWellFormed) {
  for (const Lemma& l : kLemmas) {
    EXPECT_NO_THROW(statement_of(l)) << l.name;
    EXPECT_NE(l.near[0], nullptr) << l.name << " has no near-miss";
    for (std::size_t k = 0; k < l.near.size() && l.near[k] != nullptr; ++k) {
      try {
        near_miss_of(l, k);
      } catch (const Malformed& e) {
        ADD_FAILURE() << l.name << ", near-miss " << k << ": " << e.what();
      }
    }
  }
}

TEST(Lemmas, HoldAtRandomInstances) {
  for (const Lemma& l : kLemmas) {
    const Tally tally = draw(statement_of(l), kDraws);
    EXPECT_EQ(tally.counterexample, "") << l.name;
    EXPECT_GE(tally.compared, kDraws) << l.name << " is (nearly) vacuous: " << tally.fragile << " fragile draws";
  }
}

TEST(Lemmas, NearMissesAreRefuted) {
  for (const Lemma& l : kLemmas) {
    for (std::size_t k = 0; k < l.near.size() && l.near[k] != nullptr; ++k) {
      const Statement s = near_miss_of(l, k);
      EXPECT_NE(draw(s, kDraws).counterexample, "") << l.name << ": " << l.near[k];
      for (const Sizes& sizes : all_sizes(s)) {  // and no normal form identifies a pair that a draw tells apart
        const Instance i = instantiate(s, sizes);
        bool differs = false;
        for (std::uint64_t seed = 1; seed < 40 && !differs; ++seed) {
          try {
            differs = !agree(i, seed);
          } catch (const Fragile&) {
          }
        }
        if (!differs) continue;
        const Forms forms = normal_forms(i);
        EXPECT_NE(forms.checker, Found::Same) << "UNSOUND checker: " << l.name << ": " << l.near[k] << text_of(sizes);
        EXPECT_NE(forms.search, Found::Same) << "UNSOUND search: " << l.name << ": " << l.near[k] << text_of(sizes);
      }
    }
  }
}

/// Each class of reals that a row excludes: is it excluded for a reason?
TEST(Lemmas, ConditionsAreSharp) {
  for (const Lemma& l : kLemmas) {
    const Statement s = statement_of(l);
    for (std::size_t d = 0; d < s.decls.size(); ++d) {
      if (s.decls[d].kind != DeclKind::Real || s.decls[d].classes == 63) continue;
      bool needed = false;
      for (std::uint8_t cls = 1; cls < 64 && !needed; cls = static_cast<std::uint8_t>(cls * 2)) {
        if ((s.decls[d].classes & cls) != 0) continue;
        Statement weaker = s;
        weaker.decls[d].classes |= cls;
        needed = !draw(weaker, 4 * kDraws).counterexample.empty();
      }
      if (l.id == prover::LemmaId::LogOfExp) continue;      // holds for all values; factors leave a logarithm one by one
      if (l.id == prover::LemmaId::InBothOrders) continue;  // holds unless both are infinite
      EXPECT_TRUE(needed) << l.name << " holds without the condition on " << s.decls[d].name;
    }
  }
}

TEST(Lemmas, NormalFormsIdentifyBothSides) {
  std::size_t instances = 0;
  for (const Lemma& l : kLemmas) {
    const Statement s = statement_of(l);
    std::size_t checker_misses = 0, search_misses = 0, all = 0;
    std::string first;
    for (const Sizes& sizes : all_sizes(s)) {
      const Forms forms = normal_forms(instantiate(s, sizes));
      ++all;
      checker_misses += forms.checker != Found::Same;
      search_misses += forms.search != Found::Same;
      if (first.empty() && !forms.text.empty()) first = text_of(sizes) + "\n" + forms.text;
    }
    instances += all;
    if (l.scope == LemmaScope::Search) EXPECT_GT(checker_misses, 0U) << l.name << ": the checker has it too";
    else EXPECT_EQ(checker_misses, 0U) << l.name << " of " << all << first;
    if (l.scope == LemmaScope::Checker) EXPECT_GT(search_misses, 0U) << l.name << ": the search has it too";
    else EXPECT_EQ(search_misses, 0U) << l.name << " of " << all << first;
  }
  std::printf("  %zu rows, %zu instances\n", std::size(kLemmas), instances);
}

}  // namespace
}  // namespace gg::lemma
