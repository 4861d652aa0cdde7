// Verdicts and what stands beside them (architecture.md, section 7). No verdict converts to bool.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gg {

enum class Verdict : std::uint8_t { Proved, Refuted, Unknown };

/// Why unknown: a closed list.
enum class Reason : std::uint8_t {
  UnsupportedOperator, OpaqueCall, NoLemma, Budget, Memory, SequentialUndefined, ElidedConstant, NotCompared,
  AgreesOnly,
};

/// What is claimed: against a program without distribution, against a module before partitioning, ...
enum class Claim : std::uint8_t { Refinement, Partitioner, Pass, Equivalence };

/// Named assumptions: a closed list, each printed with its arguments.
enum class AssumptionKind : std::uint8_t {
  FiniteInputs, InputRange, MaskIsMinusInfinity, LiteralsAreRoundedRationals, ElidedConstants, RngCorrespondence,
  NoIntegerOverflow, OpaquePure, BatchDims, Equal, Cut, PointToPointOrder,
};

struct Assumption {
  AssumptionKind kind;
  std::vector<std::string> arguments;
  friend auto operator<=>(const Assumption&, const Assumption&) = default;
};

std::string_view to_string(Verdict verdict);        ///< "proved"
std::string_view to_string(Reason reason);          ///< "no-lemma"
std::string_view to_string(Claim claim);            ///< "refinement"
std::string_view to_string(AssumptionKind kind);    ///< "finite-inputs", "range", ...
std::string to_string(const Assumption& assumption);  ///< "range(tokens)"
int exit_code(Verdict verdict);                     ///< 0, 1, 2

}  // namespace gg
