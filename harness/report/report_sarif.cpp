// SARIF 2.1.0: one result a finding and a broken pair, located at the user's source line where metadata names one, else at the HLO text.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/report/diagnosis.h"
#include "harness/report/report.h"
#include "models/base/file.h"

namespace gg {
namespace {

using Json = nlohmann::ordered_json;

/// Relative to the working directory where the file lies below it: SARIF viewers resolve against the repository.
std::string relative_uri(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path = fs::path(file).lexically_normal();
  if (!path.is_absolute()) return path.generic_string();
  const fs::path near = path.lexically_relative(fs::current_path(error));
  const bool below = !error && !near.empty() && *near.begin() != "..";
  return below ? near.generic_string() : "file://" + path.generic_string();
}

/// The user's source line where metadata names one, else the HLO text.
Json location(const Report& r, const Finding& f) {
  std::string uri = f.place ? f.place->file : r.case_name;
  long line = f.place ? static_cast<long>(f.place->line) : 0;
  if (const auto colon = f.source.rfind(':'); colon != std::string::npos) {
    uri = f.source.substr(0, colon);
    line = std::strtol(f.source.c_str() + colon + 1, nullptr, 10);
  }
  Json result = {{"physicalLocation", {{"artifactLocation", {{"uri", relative_uri(uri)}}}}}};
  result["physicalLocation"]["region"] = {{"startLine", std::max(line, 1L)}};
  const std::string& name = f.instruction.empty() ? f.after : f.instruction;
  if (!name.empty()) result["logicalLocations"] = Json::array({{{"name", name}, {"kind", "function"}}});
  return result;
}

/// What a rule is, from the table of diagnoses.
Json rule_of(const std::string& id) {
  Json rule = {{"id", id}};
  for (const auto& row : pinpoint::diagnoses()) {
    if (row.id != id) continue;
    rule["shortDescription"] = {{"text", row.title}};
    rule["fullDescription"] = {{"text", row.text}};
  }
  return rule;
}

/// A pair without a verdict: where its file is wrong, if that is known.
Json broken_result(const Report& r) {
  Json place = {{"physicalLocation", {{"artifactLocation", {{"uri", relative_uri(r.case_name)}}}, {"region", {{"startLine", 1}}}}}};
  return {{"ruleId", r.failure->code.empty() ? "broken" : r.failure->code},
          {"level", "error"},
          {"message", {{"text", r.case_name + ": " + r.failure->text}}},
          {"locations", Json::array({place})},
          {"partialFingerprints", {{"gg/v1", content_hash(r.case_name + r.failure->code)}}}};
}

/// The best hypothesis as text: SARIF's own fixes would need byte offsets in the user's source.
std::string message_of(const Report& r, const Finding& f) {
  if (r.explained.hypotheses.empty() || !r.explained.hypotheses.front().mends) return f.text;
  return f.text + ". Hypothesis: " + r.explained.hypotheses.front().edit;
}

}  // namespace

std::string to_sarif(const std::vector<Report>& reports) {
  Json rules = Json::array();
  Json results = Json::array();
  std::vector<std::string> known;
  const auto know = [&](const std::string& rule) {
    if (std::find(known.begin(), known.end(), rule) != known.end()) return;
    known.push_back(rule);
    rules.push_back(rule_of(rule));
  };
  for (const auto& r : reports) {
    if (r.failure) {
      results.push_back(broken_result(r));
      know(results.back()["ruleId"].get<std::string>());
      continue;
    }
    if (r.exit_code == 0) continue;  // what the suite asks for
    for (const auto& f : r.explained.findings) {
      const std::string rule = f.diagnosis.empty() ? "refuted" : f.diagnosis;
      know(rule);
      results.push_back({{"ruleId", rule},
                         {"level", "error"},
                         {"message", {{"text", message_of(r, f)}}},
                         {"locations", Json::array({location(r, f)})},
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
