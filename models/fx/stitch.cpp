#include "models/fx/stitch.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/base/text.h"

namespace gg::fx {
namespace {

using Names = std::map<std::string, std::string>;

bool titled(const Graph& graph, const char* what) { return graph.title.compare(0, std::string_view(what).size(), what) == 0; }

/// `0` of `Forward graph 0`.
std::string number_of(const Graph& graph) {
  const std::size_t digit = graph.title.find_first_of("0123456789");
  return digit == std::string::npos ? "" : graph.title.substr(digit, graph.title.find_first_not_of("0123456789", digit) - digit);
}

bool is_tangent(const Placeholder& input) { return input.name.compare(0, 9, "tangents_") == 0; }

void rename(Argument& argument, const Names& names) {
  const auto found = argument.kind == Argument::Kind::Name ? names.find(argument.text) : names.end();
  if (found != names.end()) argument.text = found->second;
  for (Argument& item : argument.items) rename(item, names);
}

const Type* type_in(const Graph& graph, const std::string& name) {
  for (const Placeholder& input : graph.inputs) {
    if (input.name == name) return &input.type;
  }
  for (const Statement& s : graph.statements) {
    if (s.name == name) return s.type ? &*s.type : nullptr;
  }
  return nullptr;
}

class Stitch {
 public:
  Stitch(Graph forward, Graph backward) : whole_(std::move(forward)), backward_(std::move(backward)) {}

  Graph run() {
    for (const Placeholder& input : whole_.inputs) taken_.insert(input.name);
    for (const Statement& s : whole_.statements) taken_.insert(s.name);
    bind();
    append();
    return std::move(whole_);
  }

 private:
  /// What the backward takes: values that the forward returns last, in that order, and tangents.
  void bind() {
    const auto saved = static_cast<std::size_t>(std::count_if(backward_.inputs.begin(), backward_.inputs.end(), [](const auto& input) { return !is_tangent(input); }));
    if (saved > whole_.outputs.size()) {
      throw InputError(DiagCode::UnsupportedForm, backward_.return_where, "'" + backward_.title + "' reads " + std::to_string(saved) + " values, '" + whole_.title + "' returns " + std::to_string(whole_.outputs.size()));
    }
    std::size_t next = whole_.outputs.size() - saved;
    const std::vector<Argument> given(whole_.outputs.begin() + static_cast<std::ptrdiff_t>(next), whole_.outputs.end());
    whole_.outputs.resize(next);
    for (const Placeholder& input : backward_.inputs) {
      if (is_tangent(input)) {
        whole_.inputs.push_back(input);
        names_[input.name] = input.name;
        continue;
      }
      // Names say it; where the backward has its own, the position does.
      const Argument& value = given[next++ - whole_.outputs.size()];
      const bool named = std::any_of(given.begin(), given.end(), [&](const Argument& g) { return g.kind == Argument::Kind::Name && g.text == input.name; });
      const std::string source = named ? input.name : value.text;
      const Type* type = type_in(whole_, source);
      if ((!named && value.kind != Argument::Kind::Name) || type == nullptr || !(*type == input.type)) {
        throw InputError(DiagCode::UnsupportedForm, input.where, "'" + input.name + "': " + torch_text(input.type) + " of '" + backward_.title + "' is not what '" + whole_.title + "' saves: '" + source + "'");
      }
      names_[input.name] = source;
    }
  }

  void append() {
    const int sources = static_cast<int>(whole_.sources.size());
    whole_.sources.insert(whole_.sources.end(), backward_.sources.begin(), backward_.sources.end());
    for (Graph& inner : backward_.nested) {
      inner.name += "_backward";
      whole_.nested.push_back(std::move(inner));
    }
    for (Statement& s : backward_.statements) {
      const auto is_target = [&](const Graph& inner) { return inner.name == s.target + "_backward"; };
      if (s.kind == Statement::Kind::Attribute && std::any_of(whole_.nested.begin(), whole_.nested.end(), is_target)) s.target += "_backward";
      if (s.kind == Statement::Kind::Item || s.kind == Statement::Kind::Copy) {
        const auto found = names_.find(s.target);
        if (found != names_.end()) s.target = found->second;
      }
      for (Argument& argument : s.arguments) rename(argument, names_);
      for (auto& [keyword, argument] : s.keywords) rename(argument, names_);
      std::string name = s.name;
      while (!taken_.insert(name).second) name += "_backward";
      names_[s.name] = name;
      s.name = std::move(name);
      if (s.source >= 0) s.source += sources;
      whole_.statements.push_back(std::move(s));
    }
    for (Argument& output : backward_.outputs) {
      rename(output, names_);
      whole_.outputs.push_back(std::move(output));
    }
  }

  Graph whole_, backward_;
  Names names_;  // of the backward graph, in the whole
  std::set<std::string> taken_;
};

}  // namespace

Graph step_of(std::vector<Graph> graphs, const std::string& file) {
  const bool split = std::any_of(graphs.begin(), graphs.end(), [](const Graph& g) { return titled(g, "Forward graph"); });
  if (split) graphs.erase(std::remove_if(graphs.begin(), graphs.end(), [](const Graph& g) { return titled(g, "Joint graph"); }), graphs.end());
  if (graphs.size() == 1) return std::move(graphs[0]);
  if (graphs.size() == 2 && titled(graphs[0], "Forward graph") && titled(graphs[1], "Backward graph") && number_of(graphs[0]) == number_of(graphs[1])) {
    return Stitch(std::move(graphs[0]), std::move(graphs[1])).run();
  }
  const std::string titles = joined_text(graphs, ", ", [&](const Graph& graph) { return (graph.title.empty() ? std::string("one without a title") : "'" + graph.title + "'"); });
  throw InputError(DiagCode::UnsupportedForm, {file}, "the file holds " + std::to_string(graphs.size()) + " graphs of one rank (" + titles + "); one of the whole step, or a forward and its backward, are expected");
}

}  // namespace gg::fx
