// The table of verdicts, row by row: every outcome of the runs with every outcome of the proof.
#include "harness/decide/judge.h"

#include <gtest/gtest.h>

namespace gg {
namespace {

constexpr Proven kProven[kProvenCount] = {Proven::NotAsked, Proven::No, Proven::Rejected, Proven::Yes, Proven::Apart};

RunEvidence ran(Ran outcome) {
  RunEvidence run;
  run.outcome = outcome;
  return run;
}

/// A proof with this outcome; the search's own reason is one that no run has.
ProofEvidence proof_of(Proven outcome) {
  ProofEvidence proof;
  proof.outcome = outcome;
  if (outcome == Proven::No) proof.result.reason = Reason::Limit;
  return proof;
}

/// `P`roved, `R`efuted, `!` a contradiction, `u`nknown as the run says, `s` as the search says.
std::string row(Ran outcome, Reason expected) {
  std::string text;
  for (const Proven proven : kProven) {
    const Judgement j = judge(ran(outcome), proof_of(proven));
    EXPECT_EQ(j.reason.has_value(), j.verdict == Verdict::Unknown);
    EXPECT_FALSE(j.backend);
    if (j.contradiction) text += '!';
    else if (j.verdict == Verdict::Proved) text += 'P';
    else if (j.verdict == Verdict::Refuted) text += 'R';
    else if (j.reason == Reason::Limit || (proven == Proven::Rejected && j.reason == Reason::NoLemma)) text += 's';
    else text += j.reason == expected ? 'u' : '?';
  }
  return text;
}

//                                                                      not asked, no, rejected, yes, apart
TEST(Judge, NothingWasRun) { EXPECT_EQ(row(Ran::NotAsked, Reason::AgreesOnly), "ussPP"); }
TEST(Judge, RunsAgree) { EXPECT_EQ(row(Ran::Agrees, Reason::AgreesOnly), "ussPP"); }
TEST(Judge, RunsDiffer) { EXPECT_EQ(row(Ran::Differs, Reason::AgreesOnly), "RRR!R"); }
TEST(Judge, ADifferenceAtReducedShapesThatWasConfirmed) { EXPECT_EQ(row(Ran::DiffersReduced, Reason::AgreesOnly), "RRR!R"); }
TEST(Judge, ADifferenceAtReducedShapesThatWasNot) { EXPECT_EQ(row(Ran::Unconfirmed, Reason::Unconfirmed), "uuuPP"); }
TEST(Judge, AClaimOfReplicationIsViolated) { EXPECT_EQ(row(Ran::Replicas, Reason::AgreesOnly), "RRRRR"); }
TEST(Judge, AnOutputIsNotCompared) { EXPECT_EQ(row(Ran::NotCompared, Reason::NotCompared), "uuuuu"); }
TEST(Judge, AnOutputIsNeverFinite) { EXPECT_EQ(row(Ran::Undefined, Reason::SequentialUndefined), "uuuuu"); }
TEST(Judge, SomeElementsAreUndecided) { EXPECT_EQ(row(Ran::Undecided, Reason::Undecided), "ussPP"); }
TEST(Judge, ALiteralsRoundingMakesAStep) { EXPECT_EQ(row(Ran::LiteralStep, Reason::Literals), "uuuuu"); }
TEST(Judge, TestsForInfinityTurnOutOtherwise) { EXPECT_EQ(row(Ran::TestsTurn, Reason::FiniteInputs), "uuuuu"); }
TEST(Judge, OutputsDifferWithinTheirLiterals) { EXPECT_EQ(row(Ran::Literals, Reason::Literals), "uuuPP"); }
TEST(Judge, OutputsDifferBelowEveryFloat) { EXPECT_EQ(row(Ran::Underflow, Reason::Underflow), "uuuPP"); }
TEST(Judge, TheRunsEndEarly) {  // a proof does not rest on them
  EXPECT_EQ(row(Ran::OutOfTime, Reason::Budget), "uuuPP");
  EXPECT_EQ(row(Ran::Endless, Reason::Termination), "uuuPP");
  EXPECT_EQ(row(Ran::OutOfMemory, Reason::Memory), "uuuPP");
  EXPECT_EQ(row(Ran::Unsupported, Reason::UnsupportedOperator), "uuuPP");
}

TEST(Judge, DifferencesOutsideOfWhatIsIndexedContradictProofsThatDoNotExcludeThem) {
  for (const Proven proven : kProven) {
    RunEvidence run = ran(Ran::Agrees);
    run.differs_outside = true;
    EXPECT_EQ(judge(run, proof_of(proven)).contradiction, proven == Proven::Yes);
  }
}

TEST(Judge, ABackendBeyondRoundingIsRefutedWhateverElseHolds) {
  for (std::size_t k = 0; k < kRanCount; ++k) {
    for (const Proven proven : kProven) {
      RunEvidence run = ran(static_cast<Ran>(k));
      const bool refuted = judge(run, proof_of(proven)).verdict == Verdict::Refuted;
      run.rounding = RoundedRun::Beyond;
      const Judgement j = judge(run, proof_of(proven));
      EXPECT_EQ(j.verdict, Verdict::Refuted);
      EXPECT_EQ(j.backend, !refuted) << "what differs over the reals is the program's fault";
      run.rounding = RoundedRun::Undecided;
      EXPECT_FALSE(judge(run, proof_of(proven)).backend);
    }
  }
}

TEST(Judge, WhatIsOpenHangsOnCallsWithoutAMeaning) {
  for (std::size_t k = 0; k < kRanCount; ++k) {
    for (const Proven proven : kProven) {
      RunEvidence run = ran(static_cast<Ran>(k));
      const Judgement before = judge(run, proof_of(proven));
      run.open_calls = {"f"};
      const Judgement after = judge(run, proof_of(proven));
      EXPECT_EQ(after.verdict, before.verdict);
      EXPECT_EQ(after.reason, before.reason ? std::optional(Reason::OpaqueCall) : std::nullopt);
    }
  }
}

}  // namespace
}  // namespace gg
