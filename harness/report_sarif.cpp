// SARIF 2.1.0: one result a finding, located at the user's source line where metadata names one, else at the HLO text.
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "harness/report.h"
#include "models/base/file.h"

namespace gg {
namespace {

using Json = nlohmann::ordered_json;

Json location(const Report& r, const Finding& f) {
  std::string uri = r.divergent ? r.divergent->file : r.case_name;
  long line = r.divergent ? static_cast<long>(r.divergent->line) : 0;
  if (const auto colon = f.source.rfind(':'); colon != std::string::npos) {
    uri = f.source.substr(0, colon);
    line = std::strtol(f.source.c_str() + colon + 1, nullptr, 10);
  }
  Json result = {{"physicalLocation", {{"artifactLocation", {{"uri", uri}}}}}};
  result["physicalLocation"]["region"] = {{"startLine", std::max(line, 1L)}};
  const std::string& name = f.instruction.empty() ? f.after : f.instruction;
  if (!name.empty()) result["logicalLocations"] = {{{"name", name}, {"kind", "instruction"}}};
  return result;
}

}  // namespace

std::string to_sarif(const std::vector<Report>& reports) {
  Json rules = Json::array();
  Json results = Json::array();
  std::vector<std::string> known;
  for (const auto& r : reports) {
    for (const auto& f : r.findings) {
      const std::string rule = f.diagnosis.empty() ? "refuted" : f.diagnosis;
      if (std::find(known.begin(), known.end(), rule) == known.end()) {
        known.push_back(rule);
        rules.push_back({{"id", rule}});
      }
      results.push_back({{"ruleId", rule},
                         {"level", "error"},
                         {"message", {{"text", f.text}}},
                         {"locations", {location(r, f)}},
                         {"partialFingerprints", {{"gg/v1", content_hash(r.case_name + rule + f.instruction + f.after)}}}});
    }
  }
  const Json sarif = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool", {{"driver", {{"name", "gg-harness"}, {"version", "0.1.0"}, {"rules", rules}}}}}, {"results", results}}}}};
  return sarif.dump(1) + "\n";
}

}  // namespace gg
