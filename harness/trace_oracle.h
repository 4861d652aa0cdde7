// The prover's oracle on top of the runtime: traces of both programs, made on demand.
#pragma once

#include "prover/oracle.h"
#include "runtime/differential.h"

namespace gg {

class TraceOracle : public Oracle {
 public:
  TraceOracle(Case& c, DifferentialOptions options) : case_(c), options_(std::move(options)) {}
  Trace trace(std::uint64_t seed) override;

 private:
  Case& case_;
  DifferentialOptions options_;
};

}  // namespace gg
