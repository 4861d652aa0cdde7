// From files to a pair: graphs, classes of ranks, modules, the plain relation.
#include "models/fx/load.h"

#include <algorithm>
#include <filesystem>

#include "models/base/file.h"
#include "models/fx/exchange.h"
#include "models/fx/functional.h"
#include "models/fx/print.h"
#include "models/fx/relation.h"
#include "models/fx/stitch.h"
#include "models/ir/verify.h"
#include "models/relation/leaves.h"
#include "models/relation/programs.h"

namespace gg::fx {
namespace fs = std::filesystem;
namespace {

/// Dropout's masks are calls without a meaning (random.cpp); there are no others.
const VerifyOptions kMasksAllowed{{}, false, true};

std::vector<std::string> files_of(const std::string& pattern) {
  std::vector<std::string> files = files_matching(pattern);
  if (files.empty()) throw InputError(DiagCode::FileMissing, {pattern}, "no file is called '" + pattern + "'");
  return files;
}

/// K of `name.rK.fx`; -1 if the name does not say.
std::int64_t rank_in_name(const std::string& file) {
  const std::string name = fs::path(file).filename().string();
  const std::size_t at = name.rfind(".r");
  if (at == std::string::npos || at + 2 >= name.size() || std::isdigit(static_cast<unsigned char>(name[at + 2])) == 0) return -1;
  return std::strtoll(name.c_str() + at + 2, nullptr, 10);
}

void rename(Argument& argument, const std::string& from, const std::string& to) {
  if (argument.kind == Argument::Kind::Name && argument.text == from) argument.text = to;
  for (Argument& item : argument.items) rename(item, from, to);
}

/// A node that a logging operator names (`s = 'layers.0.weight'`, its result is item 1) goes by that name, so that a cut can say it.
Graph with_logged_names(Graph graph, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::string call, node;
    for (Statement& s : graph.statements) {
      const bool logs = std::any_of(s.keywords.begin(), s.keywords.end(), [&](const auto& k) { return k.second.kind == Argument::Kind::String && k.second.text == name; });
      if (logs) call = s.name;
      if (s.kind == Statement::Kind::Item && s.target == call && !call.empty() && s.item.integer == 1) node = std::exchange(s.name, name);
      if (node.empty()) continue;
      if (s.kind != Statement::Kind::Call && s.target == node) s.target = name;
      for (Argument& argument : s.arguments) rename(argument, node, name);
      for (auto& [keyword, argument] : s.keywords) rename(argument, node, name);
    }
    for (Argument& output : graph.outputs) rename(output, node, name);
  }
  return graph;
}

/// The graph of every rank.
std::vector<Graph> rank_graphs(const std::string& pattern, const GraphRelation& relation, const Definitions& definitions, Pair& pair) {
  const std::int64_t ranks = relation.mesh().ranks();
  const auto logged = relation.cut_nodes(true);
  std::vector<std::vector<Graph>> by_rank(static_cast<std::size_t>(ranks));
  for (const std::string& file : files_of(pattern)) {
    const std::string text = read_file(file);
    pair.distributed_text += text;
    const std::int64_t named = rank_in_name(file);
    pair.files.emplace_back(named < 0 ? "distributed.fx" : "distributed.r" + std::to_string(named) + ".fx", text);
    for (Graph& graph : read_graphs(text, file, relation.sizes(false))) {
      std::int64_t rank = rank_in_name(file);
      if (rank < 0) rank = graph.rank >= 0 ? graph.rank : 0;
      if (rank >= ranks) throw InputError(DiagCode::RankCount, {file}, "the graph of rank " + std::to_string(rank) + "; the mesh has " + std::to_string(ranks) + " ranks");
      by_rank[static_cast<std::size_t>(rank)].push_back(std::move(graph));
    }
  }
  std::vector<Graph> result;
  for (std::int64_t r = 0; r < ranks; ++r) {
    auto& graphs = by_rank[static_cast<std::size_t>(r)];
    if (graphs.empty()) throw InputError(DiagCode::RankCount, {pattern}, "there is no graph of rank " + std::to_string(r) + "; the mesh has " + std::to_string(ranks) + " ranks");
    const std::string file = graphs[0].file;
    result.push_back(relation.with_masks(with_logged_names(functional(step_of(std::move(graphs), file), definitions), logged), true));
  }
  return result;
}

/// The node of a class that stands for an output, or nothing where its ranks do not have it.
std::optional<std::string> output_node(const RankGraphs& program, const OutputSpec& spec, const GraphRelation& relation) {
  const Mesh& mesh = relation.mesh();
  std::size_t inside = 0;
  for (const std::int64_t rank : program.ranks) {
    bool here = true;
    for (const auto& [axis, coordinate] : spec.on) {
      const auto found = std::find_if(mesh.axes.begin(), mesh.axes.end(), [&a = axis](const MeshAxis& m) { return m.name == a; });
      if (found == mesh.axes.end()) (relation.top() / "outputs").fail("the mesh has no axis '" + axis + "'", DiagCode::BadPlacement);
      here = here && mesh.coordinate(rank, static_cast<int>(found - mesh.axes.begin())) == coordinate;
    }
    inside += here ? 1 : 0;
  }
  if (inside == 0) return std::nullopt;
  if (inside != program.ranks.size()) (relation.top() / "outputs").fail("\"on\" names some of the ranks that run one program", DiagCode::UnsupportedForm);
  if (!spec.other.empty()) {
    type_of(program.graph, spec.other, (relation.top() / "outputs").where());
    return spec.other;
  }
  const auto& outputs = program.graph.outputs;
  if (spec.index >= outputs.size() || outputs[spec.index].kind != Argument::Kind::Name) {
    (relation.top() / "outputs").fail("output '" + spec.name + "': '" + program.graph.file + "' returns no tensor number " + std::to_string(spec.index), DiagCode::LeafCount);
  }
  return outputs[spec.index].text;
}

/// Is it a cut on both sides, which nobody computes?
bool given_to_both(const OutputSpec& spec, const std::vector<RankGraphs>& programs, const GraphRelation& relation, const std::vector<std::string>& cuts, const std::vector<std::string>& own) {
  const auto cut = std::find(cuts.begin(), cuts.end(), spec.node);
  return cut != cuts.end() && std::all_of(programs.begin(), programs.end(), [&](const RankGraphs& program) {
           const auto node = output_node(program, spec, relation);
           return !node || *node == own[static_cast<std::size_t>(cut - cuts.begin())];
         });
}

/// Where the graphs of two ranks part, for an error about their collectives.
std::string parting(const std::vector<Graph>& graphs, std::int64_t a, std::int64_t b) {
  const auto graph = [&](std::int64_t rank) -> const Graph& { return graphs[static_cast<std::size_t>(rank)]; };
  const auto found = compare_graphs(graph(a), graph(b));
  if (!found) return "";
  const auto place = [&](std::int64_t rank) {
    const auto& statements = graph(rank).statements;
    std::string text = "rank " + std::to_string(rank);
    if (found->position >= statements.size()) return text + " returns";
    const Statement& s = statements[found->position];
    text += " runs '" + s.name + "' = " + s.target;
    const std::string source = source_text(graph(rank), s);
    return source.empty() ? text : text + " (" + source + ")";
  };
  return "their graphs part where " + place(a) + " and " + place(b) + ": " + found->what;
}

/// What a program's parameters hold of the sequential ones; nothing where all of them hold the whole.
std::optional<std::vector<LeafUse>> uses_of(const Plan& own, const Plan& sequential, const GraphRelation& relation, std::int64_t rank, const std::vector<std::vector<std::int64_t>>& programs) {
  std::vector<LeafUse> uses;
  bool parts = false;
  for (const ParameterSpec& p : own.parameters) {
    uses.push_back({p.name, {}});
    const auto whole = std::find_if(sequential.parameters.begin(), sequential.parameters.end(), [&](const ParameterSpec& s) { return s.name == p.name; });
    const bool bound = std::any_of(own.bindings.begin(), own.bindings.end(), [&](const Binding& b) { return b.kind != Binding::Kind::Flat && (b.name == p.name || b.name + kIgnore == p.name); });
    if (whole == sequential.parameters.end()) return std::nullopt;
    if (bound) uses.back().part = relation.input_part(*whole, rank, programs);
    parts = parts || !uses.back().part.empty();
  }
  return parts ? std::optional(uses) : std::nullopt;
}

Module lowered(const Graph& graph, const Plan& plan, Accepted* accepted = nullptr) {
  Module module = lower_graph(graph, plan, accepted);
  if (module.transfers.empty()) verify(module, kMasksAllowed);
  return module;
}

/// What the ranks of a class run.
struct RankProgram {
  Graph graph;
  Plan plan;
  std::vector<std::string> outputs;  ///< nodes
};

std::vector<Module> rank_modules(const std::vector<RankProgram>& own, const std::vector<Graph>& graphs, const std::vector<RankGraphs>& programs) {
  std::vector<Module> modules;
  for (const RankProgram& one : own) {
    try {
      modules.push_back(lowered(one.graph, one.plan));
    } catch (const InputError& error) {
      if (programs.size() == 1) throw;
      std::vector<Diag> diags = error.diags();
      diags[0].notes.push_back(parting(graphs, programs[0].ranks[0], programs[1].ranks[0]));
      throw InputError(std::move(diags));
    }
  }
  return modules;
}

/// Has a module an output kInRange?
bool may_raise(const std::vector<Module>& modules, const std::vector<RankProgram>& own) {
  for (std::size_t k = 0; k < modules.size(); ++k) {
    if (output_leaves(modules[k]).size() > own[k].outputs.size()) return true;
  }
  return false;
}

}  // namespace

bool is_graph_file(const std::string& path) {
  fs::path name = fs::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.extension() == ".fx";
}

Pair load_pair(const std::string& sequential, const std::string& distributed, const std::string& relation_file, const Definitions& definitions) {
  Pair pair;
  GraphRelation relation(read_file(relation_file), relation_file);
  pair.sequential_text = read_file(sequential);
  const auto cuts = relation.cut_nodes(false), own_cuts = relation.cut_nodes(true);
  Graph step = with_logged_names(functional(step_of(read_graphs(pair.sequential_text, sequential, relation.sizes(true)), sequential), definitions), cuts);
  relation.name_inputs(step);
  const Graph whole = relation.with_masks(std::move(step), false);
  for (const std::string& node : cuts) type_of(whole, node, (relation.top() / "cut" / node).where());  // each stands there
  const std::vector<Graph> graphs = rank_graphs(distributed, relation, definitions, pair);
  relation.check_attributes(pair.sequential_text, pair.distributed_text);
  const auto programs = programs_of(graphs, check_meetings(graphs, relation));
  auto specs = relation.outputs(whole);
  std::erase_if(specs, [&](const OutputSpec& spec) { return given_to_both(spec, programs, relation, cuts, own_cuts); });
  if (specs.empty()) (relation.top() / "outputs").fail("no output is compared", DiagCode::LeafCount);

  std::vector<std::string> nodes;
  for (const OutputSpec& spec : specs) nodes.push_back(spec.node);
  for (const Argument& output : whole.outputs) {
    if (output.kind == Argument::Kind::Name && std::find(nodes.begin(), nodes.end(), output.text) == nodes.end()) pair.left_out.push_back(output.text);
  }
  const auto add = [](std::vector<std::string>& names, const std::vector<std::string>& more) {
    std::copy_if(more.begin(), more.end(), std::back_inserter(names), [&](const std::string& name) { return std::find(names.begin(), names.end(), name) == names.end(); });
  };
  const auto told = [&](const Graph& graph) {
    add(pair.unwaited, graph.unwaited);
    add(pair.written, graph.written);
  };
  told(whole);
  std::for_each(graphs.begin(), graphs.end(), told);
  add(pair.written, relation.written());
  pair.cuts = cuts;
  const bool cut = !cuts.empty();
  Graph needed = pruned(whole, nodes, {cuts.begin(), cuts.end()}, definitions);
  if (!cut) needed.inputs = whole.inputs;
  Plan plan = relation.sequential_plan(needed, specs);
  plan.definitions = &definitions;
  pair.sequential = lowered(needed, plan, &pair.accepted);

  std::vector<std::vector<std::int64_t>> ranks;
  for (const RankGraphs& program : programs) ranks.push_back(program.ranks);
  ProgramList list;
  std::vector<RankProgram> own;
  for (const RankGraphs& program : programs) {
    RankProgram& one = own.emplace_back();
    ProgramText text{"r" + std::to_string(program.ranks[0]), program.graph.file, program.ranks, std::nullopt, std::vector<LeafUse>{}};
    for (std::size_t k = 0; k < specs.size(); ++k) {
      const auto node = output_node(program, specs[k], relation);
      if (!node) continue;
      one.outputs.push_back(*node);
      text.outputs->push_back({std::to_string(k), relation.part_of(specs[k].placement, specs[k].type, program.ranks[0], ranks)});
    }
    one.graph = pruned(program.graph, one.outputs, {own_cuts.begin(), own_cuts.end()}, definitions);
    one.plan = relation.rank_plan(one.graph, program.graph, program.ranks, plan, programs.size() == 1);
    one.plan.outputs = one.plan.output_names = one.outputs;
    one.plan.definitions = &definitions;
    one.plan.sequential = &pair.accepted;
    if (programs.size() > 1) text.inputs = uses_of(one.plan, plan, relation, program.ranks[0], ranks);
    list.programs.push_back(std::move(text));
  }
  std::vector<Module> modules = rank_modules(own, graphs, programs);
  if (may_raise(modules, own)) {  // then it is something to be shown of all programs
    specs.push_back({"", kInRange, Type::array(ElementType::Pred, {}), "replicated", "", 0, {}});
    for (ProgramText& text : list.programs) text.outputs->push_back({std::to_string(specs.size() - 1), {}});
    for (RankProgram& one : own) one.plan.with_in_range = true;
    modules = rank_modules(own, graphs, programs);
    plan.with_in_range = true;
    pair.sequential = lowered(needed, plan, &pair.accepted);
  }
  pair.relation = relation.plain(plan, specs, ranks);
  if (modules.size() == 1 && modules[0].transfers.empty()) {
    pair.distributed = std::move(modules[0]);
    return pair;
  }
  MergedPrograms merged = merge_rank_classes(list, modules, pair.sequential, relation_file);
  verify(merged.module, kMasksAllowed);
  pair.distributed = std::move(merged.module);
  if (merged.copies.empty()) return pair;
  pair.relation = relation_with_copies(pair.relation, relation_file, pair.sequential, merged.copies);
  pair.sequential = with_output_copies(pair.sequential, merged.copies);
  return pair;
}

}  // namespace gg::fx
