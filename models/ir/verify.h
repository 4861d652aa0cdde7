// Well-formedness of a module: every printed type is what its operator's rule gives, calls are acyclic and agree with
// the signatures of their computations, every operator has a meaning. All problems are reported together.
#pragma once

#include "models/ir/module.h"

namespace gg {

/// How many custom calls and elided constants are let through; see docs/formats.md.
struct VerifyOptions {
  std::vector<std::string> opaque_targets;  ///< custom calls accepted without a meaning
  bool allow_elided = false;
};

/// Throws InputError with every violated rule (at most 20 of a kind). Each distinct operator signature is checked once.
void verify(const Module& module, const VerifyOptions& options = {});

}  // namespace gg
