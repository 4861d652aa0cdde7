// Proof search: one forward pass over the distributed program, every value described over sequential anchors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/pair/case.h"
#include "models/pair/certificate_line.h"
#include "prover/certificate.h"
#include "prover/lemma/lemma.h"

namespace gg {

/// A place where the search found no relation: the operator and the local forms of both sides.
struct Island {
  InstructionId instruction;
  std::string instance;
  std::string distributed_form;
  std::string sequential_form;                  ///< nearest candidate, "" if none
  std::vector<int> outputs;                     ///< outputs that hang on it
  std::uint32_t frame = 0, node = 0, term = 0;  ///< the search's own numbers
};

/// Control flow of which it is not shown that it ends on all ranks together.
struct OpenDuty {
  InstructionId instruction;
  Assumption assumption;  ///< that would say so
  std::string why;
};

struct OutputProof {
  bool proved = false;
  std::string text;  ///< why not
};

struct ProverOptions {
  std::uint64_t max_steps = 200'000'000;  ///< counted rewriting steps, never time
  std::uint64_t value_steps = 30'000;     ///< of them, for one value; proved values of real programs take below 1,000
  bool relations = false;                 ///< tell what every distributed value is
  std::vector<Assumption> equal{};        ///< models/pair/stated.h: distributed values that are taken as given
  std::vector<Assumption> control{};      ///< models/pair/stated.h: duties that are taken as fulfilled
  /// Lines that the checker refused, once for each time: compared case by case, then not stated. The leaf of an output is the attempt, since another one may tell it better.
  std::vector<CertificateLine> refused{};
  /// One attempt with every premise that could be stated, literals apart, instead of the least that a proof needs: to see whether there is one.
  bool any_premises = false;
  /// The sizes stand for all: of precision only whole numbers are told, those that grow beyond every type of few bits.
  bool sizes_stand_for_all = false;
};

/// Tests for NaN and infinities that are constant since inputs are finite.
struct DecidedTests {
  std::vector<InstructionId> tests;
  bool sequential = false;  ///< of the sequential program; the distributed one has none
};

struct ProofResult {
  bool proved = false;  ///< every compared output; still to be confirmed by the checker
  std::optional<Reason> reason;
  std::vector<OutputProof> outputs;
  std::vector<Island> islands;
  std::vector<OpenDuty> open;          ///< while there are some, nothing is proved
  std::vector<std::string> relations;  ///< a line a distributed value, where they are asked for
  std::vector<Assumption> assumptions;
  std::vector<std::string> precision;  ///< where the distributed program rounds more: `all-reduce.2 bf16, sequential dot.1 f32, ...`
  DecidedTests decided;
  std::optional<Certificate> certificate;
  std::uint32_t attempt = 0;  ///< that proved it
  std::size_t instructions = 0, related = 0, pending = 0;
  std::uint64_t steps = 0;
  prover::LemmaUses lemma_uses{};  ///< of the attempt that is reported
};

/// A proof is tried without premises that nobody gave; then with all of them (in-bounds, masks); then with literals read as closed forms
/// too. Those that it can do without are given up again, one by one.
ProofResult prove(Case& c, const ProverOptions& options = {});

}  // namespace gg
