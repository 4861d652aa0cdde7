// Well-formedness of a module: every printed type is what its operator's rule gives, calls are acyclic and agree with
// the signatures of their computations, replica groups fit the number of ranks where the header states it, every custom
// call has a meaning. All problems are reported together.
#pragma once

#include <optional>
#include <string>

#include "models/ir/module.h"

namespace gg {

/// How many custom calls and elided constants are let through; see docs/formats.md.
struct VerifyOptions {
  std::vector<std::string> opaque_targets;  ///< custom calls accepted without a meaning
  bool allow_elided = false;
  bool accept_unknown_calls = false;  ///< every custom call
};

/// The custom calls that have no meaning in the table and are not accepted by the options, in order.
std::vector<InstructionId> unsupported_calls(const Module& module, const VerifyOptions& options);

/// Throws InputError with every violated rule (at most 20 of a kind). Each distinct operator signature is checked once.
void verify(const Module& module, const VerifyOptions& options = {});

/// Throws InputError at a collective whose groups or pairs name other ranks than the one of a sequential program.
void need_one_rank(const Module& module);

/// What an operator demands of the computations it calls (parameter and result types of loop bodies, branches, reducers, comparators): the
/// first disagreement, as a clause, or nothing.
std::optional<std::string> check_signature(const Module& module, InstructionId id);

}  // namespace gg
