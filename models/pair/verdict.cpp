// The closed lists of verdicts, reasons, claims and assumptions.
#include "models/pair/verdict.h"

#include <algorithm>
#include <array>
#include <map>

#include "models/base/text.h"

namespace gg {
namespace {

constexpr std::array<std::string_view, 3> kVerdicts = {"proved", "refuted", "unknown"};
struct ReasonInfo {
  Reason reason;
  std::string_view name, text, advice;
};
constexpr ReasonInfo kReasons[] = {
#define REASON(kind, name, text, advice) {Reason::kind, name, text, advice},
#include "models/pair/reasons.def"
#undef REASON
};
constexpr std::array<std::string_view, 3> kClaims = {"refinement", "partitioner", "pass"};
constexpr AssumptionInfo kAssumptions[] = {
#define ASSUMPTION(kind, name, arguments, by_default, by, text) {name, arguments, ByDefault::by_default, StatedBy::by, text},
#include "models/pair/assumptions.def"
#undef ASSUMPTION
};

}  // namespace

std::string_view to_string(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }
std::string_view to_string(Reason reason) { return kReasons[static_cast<std::size_t>(reason)].name; }
std::string_view text_of(Reason reason) { return kReasons[static_cast<std::size_t>(reason)].text; }
std::string_view advice_of(Reason reason) { return kReasons[static_cast<std::size_t>(reason)].advice; }
std::string_view to_string(Claim claim) { return kClaims[static_cast<std::size_t>(claim)]; }
const AssumptionInfo& info(AssumptionKind kind) { return kAssumptions[static_cast<std::size_t>(kind)]; }
std::string_view to_string(AssumptionKind kind) { return info(kind).name; }

std::vector<Reason> all_reasons() {
  std::vector<Reason> all;
  for (const ReasonInfo& row : kReasons) all.push_back(row.reason);
  return all;
}

std::vector<AssumptionKind> all_assumptions() {
  std::vector<AssumptionKind> all;
  for (std::size_t k = 0; k < std::size(kAssumptions); ++k) all.push_back(static_cast<AssumptionKind>(k));
  return all;
}

std::optional<AssumptionKind> assumption_kind(std::string_view name) {
  const auto* at = std::find_if(std::begin(kAssumptions), std::end(kAssumptions), [&](const AssumptionInfo& a) { return a.name == name; });
  if (at == std::end(kAssumptions)) return std::nullopt;
  return static_cast<AssumptionKind>(at - std::begin(kAssumptions));
}

bool is_allowed(const Assumption& assumption, const std::vector<std::string>& allowed) {
  const AssumptionInfo& row = info(assumption.kind);
  if (row.by_default == ByDefault::Always) return true;
  if (std::find(allowed.begin(), allowed.end(), row.name) != allowed.end()) return true;
  return allowed.empty() && row.by_default == ByDefault::Allowed;
}

const Assumption* not_allowed(const std::vector<Assumption>& assumptions, const std::vector<std::string>& allowed,
                              const std::vector<Assumption>& stated) {
  const auto at = std::find_if(assumptions.begin(), assumptions.end(), [&](const Assumption& a) {
    const bool said = allowed.empty() && std::find(stated.begin(), stated.end(), a) != stated.end();
    return !said && !is_allowed(a, allowed);
  });
  return at == assumptions.end() ? nullptr : &*at;
}

/// Stated as NAME, INTERVAL and, where it was inferred, the instruction that it comes from.
static bool is_interval(const Assumption& a) {
  const bool range = a.kind == AssumptionKind::InputRange || a.kind == AssumptionKind::RangeNotGiven || a.kind == AssumptionKind::InBounds || a.kind == AssumptionKind::InRange;
  return range && a.arguments.size() >= 2;
}

std::string to_string(const Assumption& assumption) {
  std::string text(to_string(assumption.kind));
  const std::vector<std::string>& a = assumption.arguments;
  if (a.empty()) return text;
  if (is_interval(assumption)) return text + "(" + a[0] + ":" + a[1] + (a.size() > 2 ? " " + a[2] : "") + ")";
  return text + "(" + joined_text(a, ",") + ")";
}

std::string summary_of(const std::vector<Assumption>& assumptions) {
  constexpr std::size_t kMaxAlike = 4;
  std::map<AssumptionKind, std::size_t> counts;
  for (const Assumption& assumption : assumptions) ++counts[assumption.kind];
  std::string text;
  for (const Assumption& assumption : assumptions) {
    std::size_t& count = counts[assumption.kind];
    if (count == 0) continue;
    text += text.empty() ? "" : ",";
    if (count <= kMaxAlike) {
      text += to_string(assumption);
    } else {
      text += std::string(to_string(assumption.kind)) + "(" + std::to_string(count) + " in all)";
      count = 0;
    }
  }
  return text.empty() ? "none" : text;
}

int exit_code(Verdict verdict) { return static_cast<int>(verdict); }

}  // namespace gg
