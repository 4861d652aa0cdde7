// What of a graph its outputs need.
#include <algorithm>

#include "models/fx/functional.h"
#include "models/fx/program.h"

namespace gg::fx {

Graph pruned(const Graph& graph, const std::vector<std::string>& outputs, const std::set<std::string>& cuts, const Definitions& definitions) {
  std::set<std::string> needed(outputs.begin(), outputs.end()), sent;
  for (const Statement& s : graph.statements) {
    if (s.target.find(".isend.") != std::string::npos) sent.insert(s.name);
  }
  Graph result = graph;
  result.statements.clear();
  result.inputs.clear();
  for (auto s = graph.statements.rbegin(); s != graph.statements.rend(); ++s) {
    const bool wait = s->target.find(".wait_tensor.") != std::string::npos && !s->arguments.empty() && sent.count(s->arguments[0].text) != 0;
    const bool effect = wait || sent.count(s->name) != 0 || s->target.find(".irecv.") != std::string::npos;
    if (needed.count(s->name) == 0 && !effect) continue;
    result.statements.push_back(*s);
    if (cuts.count(s->name) != 0) continue;
    if (s->kind == Statement::Kind::Item || s->kind == Statement::Kind::Copy) needed.insert(s->target);
    each_name(*s, [&](const std::string& name) { needed.insert(name); });
  }
  std::reverse(result.statements.begin(), result.statements.end());
  check_left_out(graph, needed, definitions);
  for (const Placeholder& input : graph.inputs) {
    if (needed.count(input.name) != 0) result.inputs.push_back(input);
  }
  return result;
}

Type type_of(const Graph& graph, const std::string& node, const Location& where) {
  for (const Placeholder& input : graph.inputs) {
    if (input.name == node) return input.type;
  }
  for (const Statement& statement : graph.statements) {
    if (statement.name != node) continue;
    if (statement.type) return *statement.type;
    throw InputError(DiagCode::BadPlacement, where, "'" + node + "' of " + graph.file + " is no tensor");
  }
  std::vector<std::string> notes;
  std::string list;
  for (const Argument& output : graph.outputs) {
    if (output.kind == Argument::Kind::Name && list.size() < 200) list += (list.empty() ? "" : ", ") + output.text;
  }
  throw InputError(DiagCode::UnknownName, where, "'" + graph.file + "' has no node '" + node + "'", {"it returns " + list});
}

}  // namespace gg::fx
