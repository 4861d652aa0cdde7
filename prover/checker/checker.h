// The independent checker: reads a certificate and both programs, recomputes every conclusion. Shares the parser, the
// operator table and the bodies with the rest, and nothing of the search: own index arithmetic, own normaliser, no Z3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/pair/case.h"
#include "models/pair/certificate_line.h"
#include "models/pair/verdict.h"

namespace gg {

struct CheckResult {
  bool accepted = false;
  std::string problem;                     ///< first step that does not hold: place and sentence
  bool limited = false;                    ///< it is a limit of the checker
  std::optional<CertificateLine> refused;  ///< the line whose two sides differ, if it is that
  std::vector<Assumption> assumptions;
  std::size_t records = 0;
  std::size_t repeated = 0;  ///< values that were known from an earlier one
  std::uint64_t steps = 0;   ///< units of work done
};

/// What `verify` prints and its exit code: 0 accepted, 1 rejected, 2 accepted under an assumption that is not allowed.
/// One summary line; `all`: a line for every assumption and every output that nothing is said of, before it.
struct CheckReport {
  std::string text;
  int exit_code = 0;
};
CheckReport report_of(const CheckResult& result, const Case& c, const std::vector<std::string>& allowed, const std::vector<std::string>& stated,
                      bool all);

/// Checks the certificate's bytes against a loaded case. Throws InputError for malformed certificates; a well-formed one
/// that does not prove the pair is `accepted = false`. `recheck`: what repeats an earlier value is derived all the same, and has to be
/// that value with other names.
CheckResult check_certificate(std::string_view certificate, const std::string& file, Case& c, bool recheck = false);

}  // namespace gg
