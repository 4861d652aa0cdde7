// The independent checker: reads a certificate and both programs, recomputes every conclusion. Shares the parser, the
// operator table and the bodies with the rest, and nothing of the search: own index arithmetic, own normaliser, no Z3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/pair/case.h"
#include "models/pair/verdict.h"

namespace gg {

struct CheckResult {
  bool accepted = false;
  std::string problem;  ///< first step that does not hold: place and sentence
  std::vector<Assumption> assumptions;
  std::size_t records = 0;
  std::uint64_t steps = 0;  ///< units of work done
};

/// Checks the certificate's bytes against a loaded case. Throws InputError for malformed certificates; a well-formed one
/// that does not prove the pair is `accepted = false`.
CheckResult check_certificate(std::string_view certificate, const std::string& file, Case& c);

}  // namespace gg
