// Verdicts and what stands beside them (docs/design.md). No verdict converts to bool.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gg {

enum class Verdict : std::uint8_t { Proved,
                                    Refuted,
                                    Unknown };

/// Why unknown: the closed list of reasons.def.
enum class Reason : std::uint8_t {
#define REASON(kind, name, text, advice) kind,
#include "models/pair/reasons.def"
#undef REASON
};

/// What is claimed: against a program without distribution, against a module before partitioning, ...
enum class Claim : std::uint8_t { Refinement,
                                  Partitioner,
                                  Pass };

/// Named assumptions: the closed list of assumptions.def, each printed with its arguments.
enum class AssumptionKind : std::uint8_t {
#define ASSUMPTION(kind, name, arguments, by_default, by, text) kind,
#include "models/pair/assumptions.def"
#undef ASSUMPTION
};

/// May a proof rest on it? Always; unless --allow-assumption lists others; only where the user says so.
enum class ByDefault : std::uint8_t { Always,
                                      Allowed,
                                      Stated };

/// Who states it: whoever reads the case, the same for every proof of it, or a proof that needs it?
enum class StatedBy : std::uint8_t { Reading,
                                     Proof };

/// One row of the table.
struct AssumptionInfo {
  std::string_view name;
  std::size_t arguments;  ///< on a certificate's line; the last one takes the rest of the line
  ByDefault by_default;
  StatedBy by;
  std::string_view text;
};
const AssumptionInfo& info(AssumptionKind kind);
std::optional<AssumptionKind> assumption_kind(std::string_view name);

struct Assumption {
  AssumptionKind kind;
  std::vector<std::string> arguments;
  friend auto operator<=>(const Assumption&, const Assumption&) = default;
};

std::string_view to_string(Verdict verdict);  ///< "proved"
std::string_view to_string(Reason reason);    ///< "no-lemma"
std::string_view text_of(Reason reason);      ///< the sentence of the table
std::string_view advice_of(Reason reason);    ///< what to do about it
std::vector<Reason> all_reasons();
std::vector<AssumptionKind> all_assumptions();
std::string_view to_string(Claim claim);              ///< "refinement"
std::string_view to_string(AssumptionKind kind);      ///< "finite-inputs", "range", ...
std::string to_string(const Assumption& assumption);  ///< "range(tokens:[0,50))", "in-bounds(ids:[0,32) gather.3)"
int exit_code(Verdict verdict);                       ///< 0, 1, 2

/// May a proof rest on this? `allowed`: the names of --allow-assumption, empty where the option is not given.
bool is_allowed(const Assumption& assumption, const std::vector<std::string>& allowed);
/// The first of them that may not be relied on, or null; `stated`: what the user says himself (--assume).
const Assumption* not_allowed(const std::vector<Assumption>& assumptions, const std::vector<std::string>& allowed,
                              const std::vector<Assumption>& stated = {});
/// All in their order, separated by commas; many of one kind as a count. `none` where there are none.
std::string summary_of(const std::vector<Assumption>& assumptions);

}  // namespace gg
