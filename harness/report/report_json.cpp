// Schema 1 of the JSON report (docs/formats.md). Key order is fixed; `run` holds what varies from run to run.
#include <nlohmann/json.hpp>

#include "harness/report/report.h"

namespace gg {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json blame(const Blame& b) {
  return {{"instruction", b.instruction}, {"path", b.path}, {"op", b.op}, {"source", text_or_null(b.source)}, {"side", b.side}, {"file", b.file}, {"line", b.line}, {"column", b.column}};
}

Json finding(const Finding& f) {
  return {{"kind", f.kind}, {"instruction", text_or_null(f.instruction)}, {"after", text_or_null(f.after)}, {"before", text_or_null(f.before)}, {"diagnosis", text_or_null(f.diagnosis)}, {"text", f.text}, {"source", text_or_null(f.source)}, {"place", f.place ? blame(*f.place) : Json()}};
}

template <class T, class F>
Json list(const std::vector<T>& items, F&& convert) {
  Json result = Json::array();
  for (const auto& item : items) result.push_back(convert(item));
  return result;
}

Json all_sizes(const SizesTheorem& t) {
  Json json{{"proved", t.proved}, {"reason", text_or_null(t.reason)}};
  json["sizes"] = list(t.sizes, [](const SizeSymbol& s) { return Json{{"name", s.name}, {"here", s.value}, {"least", s.least}, {"mesh", s.mesh}}; });
  json["conditions"] = t.conditions;
  json["inputs"] = t.inputs;
  json["outputs"] = t.outputs;
  json["readings"] = t.readings;
  json["kept"] = t.kept;
  return json;
}

}  // namespace

std::string to_json(const Report& r) {
  Json inputs = Json::object();
  for (const auto& [name, hash] : r.input_hashes) inputs[name] = hash;
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "gg-harness"}, {"version", "0.1.0"}, {"command", r.command}};
  json["case"] = r.case_name;
  json["inputs"] = inputs;
  json["verdict"] = r.failure ? Json() : Json(to_string(r.verdict));
  json["claim"] = to_string(r.claim);
  json["reason"] = r.reason ? Json(to_string(*r.reason)) : Json();
  json["divergent"] = r.explained.divergent ? blame(*r.explained.divergent) : Json();
  json["findings"] = list(r.explained.findings, finding);
  json["hypotheses"] = list(r.explained.hypotheses, [](const Hypothesis& h) {
    return Json{{"edit", h.edit}, {"mends", h.mends}, {"confirmed", text_or_null(h.confirmed)}, {"diff", h.diff}};
  });
  json["preconditions"] = list(r.explained.preconditions, [](const OfferedPrecondition& p) {
    return Json{{"kind", p.kind}, {"input", p.input}, {"axes", p.axes}, {"text", p.text}, {"draws", p.draws}, {"confirmed", "run"}};
  });
  json["outputs"] = list(r.outputs, [](const OutputStatus& o) {
    return Json{{"index", o.index}, {"name", o.name}, {"status", to_string(o.state)}, {"text", text_or_null(o.text)}};
  });
  json["islands"] = list(r.islands, [](const IslandReport& i) {
    return Json{{"instance", i.instance}, {"distributed", i.distributed_form}, {"sequential", text_or_null(i.sequential_form)}, {"outputs", i.outputs}};
  });
  const auto assumption = [](const Assumption& a) { return Json{{"kind", to_string(a.kind)}, {"arguments", a.arguments}}; };
  if (r.conditional) {
    json["conditional"] = {{"assumptions", list(r.conditional->assumptions, assumption)}, {"outputs", r.conditional->outputs}};
  }
  json["assumptions"] = list(r.assumptions, assumption);
  json["precision"] = r.precision;
  if (r.sizes) json["all_sizes"] = all_sizes(*r.sizes);
  json["witness"] = text_or_null(r.explained.witness);
  json["certificate"] = text_or_null(r.certificate);
  json["details"] = Json::object();
  for (const auto& detail : r.details) json["details"][detail.key] = detail.value;
  if (r.failure) json["failure"] = {{"exit", r.failure->exit_code}, {"code", text_or_null(r.failure->code)}, {"text", r.failure->text}};
  if (r.expected) json["expected"] = to_string(*r.expected);
  if (r.exit_code) json["exit"] = *r.exit_code;
  json["run"] = {{"seconds", r.seconds}, {"peak_mb", r.peak_mb}};
  return json.dump(1) + "\n";
}

}  // namespace gg
