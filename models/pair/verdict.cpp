// Spellings of verdicts, reasons, claims and assumptions: the closed lists of docs/cli.md.
#include "models/pair/verdict.h"

#include <array>

namespace gg {
namespace {

constexpr std::array<std::string_view, 3> kVerdicts = {"proved", "refuted", "unknown"};
constexpr std::array<std::string_view, 9> kReasons = {
    "unsupported-operator", "opaque-call",     "no-lemma",     "budget",     "memory",
    "sequential-undefined", "elided-constant", "not-compared", "agrees-only"};
constexpr std::array<std::string_view, 4> kClaims = {"refinement", "partitioner", "pass", "equivalence"};
constexpr std::array<std::string_view, 12> kAssumptions = {"finite-inputs",
                                                           "range",
                                                           "mask-is-minus-infinity",
                                                           "literals-are-rounded-rationals",
                                                           "elided-constants",
                                                           "rng-correspondence",
                                                           "no-integer-overflow",
                                                           "opaque-pure",
                                                           "batch-dims",
                                                           "equal",
                                                           "cut",
                                                           "point-to-point-order"};

}  // namespace

std::string_view to_string(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }
std::string_view to_string(Reason reason) { return kReasons[static_cast<std::size_t>(reason)]; }
std::string_view to_string(Claim claim) { return kClaims[static_cast<std::size_t>(claim)]; }
std::string_view to_string(AssumptionKind kind) { return kAssumptions[static_cast<std::size_t>(kind)]; }

std::string to_string(const Assumption& assumption) {
  std::string text(to_string(assumption.kind));
  if (assumption.arguments.empty()) return text;
  text += "(";
  for (std::size_t k = 0; k < assumption.arguments.size(); ++k) text += (k == 0 ? "" : ",") + assumption.arguments[k];
  return text + ")";
}

int exit_code(Verdict verdict) { return static_cast<int>(verdict); }

}  // namespace gg
