#include "harness/decide/judge.h"

#include "models/base/check.h"

namespace gg {
namespace {

enum class Ruling : std::uint8_t { Proved,
                                   Refuted,
                                   Contradiction,
                                   RunReason,
                                   ProofReason };
constexpr Ruling P = Ruling::Proved, R = Ruling::Refuted, C = Ruling::Contradiction, U = Ruling::RunReason, S = Ruling::ProofReason;

/// One row: what follows from an outcome of the runs with each outcome of the proof.
struct CaseRow {
  Ran run;
  Reason reason;  ///< of a ruling U
  Ruling not_asked, no, rejected, yes, apart;
};

// clang-format off: a table that is read by its columns
constexpr CaseRow kRows[kRanCount] = {
    // runs               reason                       not asked  no  rejected  yes  apart
    {Ran::NotAsked, Reason::AgreesOnly, U, S, S, P, P},
    {Ran::Agrees, Reason::AgreesOnly, U, S, S, P, P},
    {Ran::Differs, Reason::AgreesOnly, R, R, R, C, R},
    {Ran::DiffersReduced, Reason::AgreesOnly, R, R, R, C, R},
    {Ran::Unconfirmed, Reason::Unconfirmed, U, U, U, P, P},
    {Ran::Replicas, Reason::AgreesOnly, R, R, R, R, R},
    {Ran::NotCompared, Reason::NotCompared, U, U, U, U, U},
    {Ran::Undefined, Reason::SequentialUndefined, U, U, U, U, U},
    {Ran::Undecided, Reason::Undecided, U, S, S, P, P},
    {Ran::Literals, Reason::Literals, U, U, U, P, P},
    {Ran::LiteralStep, Reason::Literals, U, U, U, U, U},
    {Ran::TestsTurn, Reason::FiniteInputs, U, U, U, U, U},
    {Ran::Underflow, Reason::Underflow, U, U, U, P, P},
    {Ran::OutOfTime, Reason::Budget, U, U, U, P, P},
    {Ran::Endless, Reason::Termination, U, U, U, P, P},
    {Ran::Stalled, Reason::Termination, U, U, U, U, U},
    {Ran::OutOfMemory, Reason::Memory, U, U, U, P, P},
    {Ran::Unsupported, Reason::UnsupportedOperator, U, U, U, P, P},
};
// clang-format on

Ruling at(const CaseRow& row, Proven proof) {
  switch (proof) {
    case Proven::NotAsked: return row.not_asked;
    case Proven::No: return row.no;
    case Proven::Rejected: return row.rejected;
    case Proven::Yes: return row.yes;
    case Proven::Apart: return row.apart;
  }
  return Ruling::RunReason;
}

}  // namespace

Judgement judge(const RunEvidence& run, const ProofEvidence& proof) {
  const CaseRow& row = kRows[static_cast<std::size_t>(run.outcome)];
  GG_CHECK(row.run == run.outcome, "the rows stand in the order of the outcomes");
  const Ruling ruling = at(row, proof.outcome);
  Judgement judgement;
  if (ruling == Ruling::Proved) judgement.verdict = Verdict::Proved;
  if (ruling == Ruling::Refuted || ruling == Ruling::Contradiction) judgement.verdict = Verdict::Refuted;
  // Inputs that index outside of what they index are told apart only by proofs that assume that they do not.
  judgement.contradiction = (ruling == Ruling::Contradiction && !run.beyond_premise) || (ruling == Ruling::Proved && proof.outcome == Proven::Yes && run.differs_outside);
  if (judgement.verdict != Verdict::Refuted && run.rounding == RoundedRun::Beyond) {
    judgement.verdict = Verdict::Refuted;
    judgement.backend = true;
  }
  if (judgement.verdict != Verdict::Unknown) return judgement;
  judgement.reason = ruling == Ruling::ProofReason ? proof.result.reason.value_or(Reason::NoLemma) : row.reason;
  if (!run.open_calls.empty()) judgement.reason = Reason::OpaqueCall;
  return judgement;
}

}  // namespace gg
