// Alignment by position: names are compared by what they stand for, since a rank that drops a dead getitem counts differently.
#include "models/fx/fold.h"

#include <algorithm>
#include <unordered_map>

namespace gg::fx {
namespace {

using Kind = Argument::Kind;

/// What a name stands for: inputs first, then statements.
using Positions = std::unordered_map<std::string_view, std::size_t>;

Positions positions_of(const Graph& graph) {
  Positions result;
  result.reserve(graph.inputs.size() + graph.statements.size());
  for (const Placeholder& input : graph.inputs) result.emplace(input.name, result.size());
  for (const Statement& statement : graph.statements) result.emplace(statement.name, result.size());
  return result;
}

bool is_literal(Kind kind) { return kind == Kind::Integer || kind == Kind::Float || kind == Kind::Bool || kind == Kind::String; }

/// Device words may differ: cuda:0, cuda:1.
bool is_device(const Argument& argument) { return argument.kind == Kind::Word && argument.text == "device"; }

class Aligner {
 public:
  Aligner(const Graph& a, const Graph& b, const Positions& first, const Positions& second) : a_(a), b_(b), first_(first), second_(second) {}

  std::optional<Divergence> run() const {
    if (const auto what = inputs()) return Divergence{0, *what};
    const std::size_t common = std::min(a_.statements.size(), b_.statements.size());
    for (std::size_t k = 0; k < common; ++k) {
      if (const auto what = statement(a_.statements[k], b_.statements[k])) return Divergence{k, *what};
    }
    if (a_.statements.size() != b_.statements.size()) return Divergence{common, "the other graph goes on"};
    if (a_.outputs.size() != b_.outputs.size()) return Divergence{common, "they return different numbers of values"};
    for (std::size_t k = 0; k < a_.outputs.size(); ++k) {
      if (!same(a_.outputs[k], b_.outputs[k])) return Divergence{common, "they return different values"};
    }
    return nested(common);
  }

 private:
  std::optional<Divergence> nested(std::size_t end) const {
    if (a_.nested.size() != b_.nested.size()) return Divergence{end, "they have different numbers of nested graphs"};
    for (std::size_t k = 0; k < a_.nested.size(); ++k) {
      if (a_.nested[k].name != b_.nested[k].name) return Divergence{end, "their nested graphs are called '" + a_.nested[k].name + "' and '" + b_.nested[k].name + "'"};
      if (const auto inner = compare_graphs(a_.nested[k], b_.nested[k])) return Divergence{end, "'" + a_.nested[k].name + "': " + inner->what};
    }
    return std::nullopt;
  }

  std::optional<std::string> inputs() const {
    if (a_.inputs.size() != b_.inputs.size()) return "they take different inputs";
    for (std::size_t k = 0; k < a_.inputs.size(); ++k) {
      const Placeholder &x = a_.inputs[k], &y = b_.inputs[k];
      if (x.name != y.name || !(x.type == y.type)) return "input '" + x.name + "': " + torch_text(x.type) + " against '" + y.name + "': " + torch_text(y.type);
    }
    return std::nullopt;
  }

  std::optional<std::string> statement(const Statement& x, const Statement& y) const {
    if (x.kind != y.kind) return "one is a call, the other is none";
    if (x.kind == Statement::Kind::Call || x.kind == Statement::Kind::Attribute) {
      if (x.target != y.target) return x.target + " against " + y.target;
    } else if (first_.at(x.target) != second_.at(y.target)) {
      return "they read different values";
    }
    if (x.type.has_value() != y.type.has_value() || (x.type && !(*x.type == *y.type))) return "their results have different types";
    if (x.arguments.size() != y.arguments.size() || x.keywords.size() != y.keywords.size()) return "they have different numbers of arguments";
    for (std::size_t k = 0; k < x.arguments.size(); ++k) {
      if (!same(x.arguments[k], y.arguments[k])) return "argument " + std::to_string(k) + " is another value";
    }
    for (std::size_t k = 0; k < x.keywords.size(); ++k) {
      if (x.keywords[k].first != y.keywords[k].first || !same(x.keywords[k].second, y.keywords[k].second)) return "argument '" + x.keywords[k].first + "' is another value";
    }
    return std::nullopt;
  }

  bool same(const Argument& x, const Argument& y) const {
    if (x.kind == Kind::Name && y.kind == Kind::Name) return first_.at(x.text) == second_.at(y.text);
    if (is_literal(x.kind) && is_literal(y.kind)) return (x.kind == Kind::String) == (y.kind == Kind::String);
    if (is_device(x) && is_device(y)) return true;
    if (x.kind != y.kind || x.items.size() != y.items.size() || x.text != y.text) return false;
    for (std::size_t k = 0; k < x.items.size(); ++k) {
      if (!same(x.items[k], y.items[k])) return false;
    }
    return true;
  }

  const Graph &a_, &b_;
  const Positions &first_, &second_;
};

/// One argument of every rank: the first rank's, or a table where literals differ.
Argument merged(const std::vector<const Argument*>& ranks) {
  const Argument& first = *ranks[0];
  if (first.kind == Kind::List) {
    Argument result = first;
    for (std::size_t k = 0; k < first.items.size(); ++k) {
      std::vector<const Argument*> items;
      for (const Argument* rank : ranks) items.push_back(&rank->items[k]);
      result.items[k] = merged(items);
    }
    return result;
  }
  if (!is_literal(first.kind)) return first;
  const bool equal = std::all_of(ranks.begin(), ranks.end(), [&](const Argument* other) {
    return *other == first || (other->kind == Kind::Float && first.kind == Kind::Float && other->real != other->real && first.real != first.real);
  });
  if (equal) return first;
  Argument table;
  table.kind = Kind::Table;
  for (const Argument* rank : ranks) table.items.push_back(*rank);
  return table;
}

Graph fold(const std::vector<const Graph*>& graphs) {
  Graph result = *graphs[0];
  std::vector<const Argument*> row(graphs.size());
  const auto merge = [&](const auto& pick) {
    for (std::size_t r = 0; r < graphs.size(); ++r) row[r] = &pick(*graphs[r]);
    return merged(row);
  };
  for (std::size_t s = 0; s < result.statements.size(); ++s) {
    Statement& made = result.statements[s];
    for (std::size_t k = 0; k < made.arguments.size(); ++k) {
      made.arguments[k] = merge([&](const Graph& g) -> const Argument& { return g.statements[s].arguments[k]; });
    }
    for (std::size_t k = 0; k < made.keywords.size(); ++k) {
      made.keywords[k].second = merge([&](const Graph& g) -> const Argument& { return g.statements[s].keywords[k].second; });
    }
    made.row_major = std::all_of(graphs.begin(), graphs.end(), [&](const Graph* g) { return g->statements[s].row_major; });
    if (made.kind == Statement::Kind::Item) made.item = merge([&](const Graph& g) -> const Argument& { return g.statements[s].item; });
  }
  for (std::size_t k = 0; k < result.nested.size(); ++k) {
    std::vector<const Graph*> inner;
    for (const Graph* graph : graphs) inner.push_back(&graph->nested[k]);
    result.nested[k] = fold(inner);
  }
  return result;
}

}  // namespace

std::optional<Divergence> compare_graphs(const Graph& a, const Graph& b) {
  const Positions first = positions_of(a), second = positions_of(b);
  return Aligner(a, b, first, second).run();
}

std::vector<RankGraphs> fold_ranks(const std::vector<Graph>& ranks, bool apart) {
  std::vector<std::vector<const Graph*>> classes;
  std::vector<Positions> positions;  // of the first of each class
  std::vector<RankGraphs> result;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    Positions own = positions_of(ranks[r]);
    std::size_t c = 0;
    while (c < classes.size() && (apart || Aligner(*classes[c][0], ranks[r], positions[c], own).run())) ++c;
    if (c == classes.size()) {
      positions.push_back(std::move(own));
      classes.emplace_back();
      result.emplace_back();
    }
    classes[c].push_back(&ranks[r]);
    result[c].ranks.push_back(static_cast<std::int64_t>(r));
  }
  for (std::size_t c = 0; c < classes.size(); ++c) result[c].graph = fold(classes[c]);
  return result;
}

}  // namespace gg::fx
