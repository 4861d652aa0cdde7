// "programs" of relation files: reading, and wiring the programs' leaves to the sequential ones.
#include "models/relation/programs.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "models/base/text.h"
#include "models/ir/region.h"
#include "models/relation/json.h"
#include "models/relation/leaves.h"
#include "models/transfer/merge.h"

namespace gg {
namespace {

std::string leaf_key(const Json& value, const JsonPath& at) {
  return value.is_number() ? std::to_string(require_integer(value, at)) : require_string(value, at);
}

// "w", 3, null, or {"of": "w", "slice": [[0, 2], null]}.
LeafUse use_from_json(const Json& value, const JsonPath& at, bool output) {
  LeafUse use;
  if (value.is_null() && output) return use;
  if (!value.is_object()) {
    use.leaf = leaf_key(value, at);
    return use;
  }
  require_keys(value, {"of", "slice"}, at);
  for (const char* key : {"of", "slice"}) {
    if (!value.contains(key)) at.fail("\"" + std::string(key) + "\" is missing");
  }
  use.leaf = leaf_key(value["of"], at / "of");
  const JsonPath slice = at / "slice";
  for (std::size_t d = 0; d < require_array(value["slice"], slice).size(); ++d) {
    const Json& bounds = value["slice"][d];
    use.part.emplace_back();
    if (bounds.is_null()) continue;
    const auto ends = require_integers(bounds, slice / d);
    if (ends.size() != 2 || ends[0] < 0 || ends[0] >= ends[1]) (slice / d).fail("a slice is [from, to] with 0 <= from < to");
    use.part.back() = std::pair(ends[0], ends[1]);
  }
  return use;
}

std::optional<std::vector<LeafUse>> uses_from_json(const Json& program, const char* key, const JsonPath& at) {
  if (!program.contains(key)) return std::nullopt;
  std::vector<LeafUse> uses;
  const Json& list = require_array(program[key], at / key);
  for (std::size_t k = 0; k < list.size(); ++k) uses.push_back(use_from_json(list[k], at / key / k, std::string_view(key) == "outputs"));
  return uses;
}

// A prefix of instruction names: what HLO text allows, without the extension.
std::string stem(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  name = name.substr(0, name.find('.'));
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
  }
  return name;
}

ProgramText program_from_json(const Json& value, std::int64_t ranks, std::size_t index, const JsonPath& at) {
  require_keys(value, {"file", "name", "ranks", "inputs", "outputs"}, at);
  if (!value.contains("file")) at.fail("\"file\" is missing");
  ProgramText program;
  program.file = require_string(value["file"], at / "file");
  program.name = value.contains("name") ? require_string(value["name"], at / "name") : stem(program.file);
  if (program.name.empty() || program.name != stem(program.name)) (at / "name").fail("'" + program.name + "' is no name for instructions to start with");
  if (value.contains("ranks")) {
    program.ranks = require_integers(value["ranks"], at / "ranks");
  } else {
    for (std::int64_t k = 0; k < ranks; ++k) program.ranks.push_back(static_cast<std::int64_t>(index) * ranks + k);
  }
  if (static_cast<std::int64_t>(program.ranks.size()) != ranks) {
    (at / "ranks").fail("the mesh (of one program) has " + std::to_string(ranks) + " ranks, this program " + std::to_string(program.ranks.size()) + "; programs with different numbers of ranks are not supported", DiagCode::RankCount);
  }
  program.inputs = uses_from_json(value, "inputs", at);
  program.outputs = uses_from_json(value, "outputs", at);
  return program;
}

// A parameter called after a sequential leaf.
Wiring::Parameter parameter_of(const Leaf& leaf, const Type& type) {
  Wiring::Parameter parameter{"", "", type};
  for (const char c : leaf.name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    if (plain) parameter.name += c;
    else if (c != '}') parameter.name += '.';
  }
  if (!leaf.label.empty()) parameter.metadata = "op_name=" + quote(leaf.label);
  return parameter;
}

// How the leaves of the programs and the sequential ones hang together.
class Wirer {
 public:
  Wirer(const ProgramList& list, const std::vector<Module>& modules, const Module& sequential, const std::string& file)
      : list_(list), modules_(modules), file_(file), inputs_(input_leaves(sequential)), outputs_(output_leaves(sequential)) {}

  Wiring run() {
    wiring_.name = "programs";
    wiring_.file = file_;
    wiring_.parameters.resize(inputs_.size());
    held_.resize(inputs_.size());
    for (std::size_t p = 0; p < modules_.size(); ++p) inputs(p);
    for (std::size_t k = 0; k < inputs_.size(); ++k) {  // nobody's: fits only where it is replicated
      wiring_.parameters[k] = parameter_of(inputs_[k], held_[k] ? wiring_.parameters[k].type : inputs_[k].type);
    }
    pieces_.resize(outputs_.size());
    copies_of_.resize(outputs_.size());
    for (std::size_t p = 0; p < modules_.size(); ++p) outputs(p);
    for (std::size_t k = 0; k < outputs_.size(); ++k) output(k);
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      for (const Wiring::Piece& copy : copies_of_[k]) {
        wiring_.outputs.push_back({{copy}, 0});
        copies.push_back(k);
      }
    }
    return std::move(wiring_);
  }

  std::vector<std::size_t> copies;  ///< the sequential output of each leaf behind the others

 private:
  struct Piece {
    Wiring::Piece piece;
    LeafUse use;
    Type type;
  };

  [[noreturn]] void fail(std::size_t program, const std::string& problem, DiagCode code = DiagCode::LeafCount) const {
    throw InputError(code, {file_}, "program '" + list_.programs[program].name + "': " + problem);
  }

  std::size_t sequential_leaf(std::size_t program, const std::vector<Leaf>& leaves, const std::string& key, const char* what) const {
    const auto leaf = find_leaf(leaves, key);
    if (!leaf) fail(program, "the sequential program has no " + std::string(what) + " '" + key + "'");
    return *leaf;
  }

  // The type of the sequential leaf's part, or of the part's local form where other dimensions are split.
  std::vector<SliceDim> slice_of(std::size_t program, const LeafUse& use, const Leaf& whole, const Leaf& local) const {
    if (use.part.empty()) return {};
    const std::string name = "'" + whole.shown() + "'";
    if (whole.type.rank() != local.type.rank() || use.part.size() > whole.type.dims.size()) {
      fail(program, "a slice of " + to_string(whole.type) + " " + name + " is no " + to_string(local.type), DiagCode::BlockMismatch);
    }
    std::vector<SliceDim> slice;
    for (std::size_t d = 0; d < whole.type.dims.size(); ++d) {
      const auto bounds = d < use.part.size() ? use.part[d] : std::nullopt;
      slice.push_back(bounds ? SliceDim{bounds->first, bounds->second, 1} : SliceDim{0, local.type.dims[d], 1});
      if (!bounds) continue;
      if (bounds->second > whole.type.dims[d] || bounds->second - bounds->first != local.type.dims[d]) {
        fail(program, "dimension " + std::to_string(d) + " of the slice of " + to_string(whole.type) + " " + name + " does not fit " + to_string(local.type),
             DiagCode::BlockMismatch);
      }
    }
    return slice;
  }

  void inputs(std::size_t p) {
    const auto leaves = input_leaves(modules_[p]);
    std::vector<LeafUse> uses;
    if (list_.programs[p].inputs) {
      uses = *list_.programs[p].inputs;
    } else {
      for (const Leaf& leaf : leaves) uses.push_back({find_leaf(inputs_, leaf.label) && !leaf.label.empty() ? leaf.label : leaf.name, {}});
    }
    if (uses.size() != leaves.size()) {
      fail(p, "it has " + std::to_string(leaves.size()) + " inputs, the relation lists " + std::to_string(uses.size()));
    }
    wiring_.inputs.emplace_back();
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const std::size_t leaf = sequential_leaf(p, inputs_, uses[k].leaf, "input");
      auto slice = slice_of(p, uses[k], inputs_[leaf], leaves[k]);
      Type type = leaves[k].type;
      for (std::size_t d = 0; d < slice.size(); ++d) {
        if (d < uses[k].part.size() && uses[k].part[d]) type.dims[d] = inputs_[leaf].type.dims[d];
      }
      if (!slice.empty()) type.layout.clear();
      Wiring::Parameter& parameter = wiring_.parameters[leaf];
      if (held_[leaf] && !(parameter.type == type)) {
        fail(p, "it takes '" + inputs_[leaf].shown() + "' as part of " + to_string(type) + ", another program of " + to_string(parameter.type),
             DiagCode::BlockMismatch);
      }
      if (!held_[leaf]) parameter.type = std::move(type);
      held_[leaf] = true;
      wiring_.inputs[p].push_back({leaf, std::move(slice)});
    }
  }

  void outputs(std::size_t p) {
    const auto leaves = output_leaves(modules_[p]);
    const std::vector<LeafUse> uses = list_.programs[p].outputs.value_or(std::vector<LeafUse>{});
    if (uses.size() != leaves.size()) {
      fail(p, "it has " + std::to_string(leaves.size()) + " outputs, the relation lists " + std::to_string(uses.size()));
    }
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      if (uses[k].leaf.empty()) continue;
      const std::size_t leaf = sequential_leaf(p, outputs_, uses[k].leaf, "output");
      slice_of(p, uses[k], outputs_[leaf], leaves[k]);
      pieces_[leaf].push_back({{static_cast<std::uint32_t>(p), k}, uses[k], leaves[k].type});
    }
  }

  // One piece that is the whole, or pieces that follow each other along one dimension and fill it.
  void output(std::size_t k) {
    auto& pieces = pieces_[k];
    const std::string name = "output '" + outputs_[k].name + "'";
    const auto bad = [&](const std::string& problem) { throw InputError(DiagCode::LeafCount, {file_}, name + problem); };
    if (pieces.empty()) bad(" is given by none of the programs");
    Wiring::Output output;
    std::optional<std::size_t> along;
    for (const Piece& piece : pieces) {
      for (std::size_t d = 0; d < piece.use.part.size(); ++d) {
        if (!piece.use.part[d]) continue;
        if (along && *along != d) bad(" is given in pieces along several dimensions");
        along = d;
      }
    }
    if (!along) {
      for (std::size_t p = 1; p < pieces.size(); ++p) copies_of_[k].push_back(pieces[p].piece);
      pieces.resize(1);
    } else {
      for (const Piece& piece : pieces) {
        if (piece.use.part.size() <= *along || !piece.use.part[*along]) bad(" is given whole by one program and in part by another");
      }
      std::stable_sort(pieces.begin(), pieces.end(), [&](const Piece& a, const Piece& b) { return a.use.part[*along] < b.use.part[*along]; });
      std::int64_t end = 0;
      for (const Piece& piece : pieces) {
        if (piece.use.part[*along]->first != end) bad(" is not given once, whole: after " + std::to_string(end) + " a piece starts at " + std::to_string(piece.use.part[*along]->first));
        end = piece.use.part[*along]->second;
        for (std::size_t d = 0; d < piece.type.dims.size(); ++d) {
          if (d != *along && piece.type.dims[d] != pieces[0].type.dims[d]) bad(" is given in pieces of different widths");
        }
        if (piece.type.element != pieces[0].type.element) bad(" is given in pieces of different types");
      }
      if (end != outputs_[k].type.dims[*along]) bad(" is given up to " + std::to_string(end) + " of " + std::to_string(outputs_[k].type.dims[*along]) + " only");
      output.dimension = static_cast<std::int64_t>(*along);
    }
    for (const Piece& piece : pieces) output.pieces.push_back(piece.piece);
    wiring_.outputs.push_back(std::move(output));
  }

  const ProgramList& list_;
  const std::vector<Module>& modules_;
  const std::string& file_;
  std::vector<Leaf> inputs_, outputs_;  // of the sequential program
  std::vector<bool> held_;              // some program takes the input
  std::vector<std::vector<Piece>> pieces_;
  std::vector<std::vector<Wiring::Piece>> copies_of_;  // further programs that give the whole output
  Wiring wiring_;
};

// Counts of the header, else of the collectives; nothing where neither tells.
std::optional<RankLayout> stated_layout(const Module& module, std::int64_t ranks) {
  bool collective = module.replica_count || module.num_partitions;
  for (InstructionId id = 0; id < module.size(); ++id) collective |= info(module[id].op).traits == OpTraits::Collective;
  return collective ? std::optional(rank_layout(module, ranks)) : std::nullopt;
}

}  // namespace

std::optional<ProgramList> read_programs(const std::string& json, const std::string& file) {
  const JsonPath top{file, ""};
  Json value = parse_json(json, file);
  if (!value.is_object() || !value.contains("programs")) return std::nullopt;
  if (!value.contains("mesh")) top.fail("\"mesh\" is missing");
  const std::int64_t ranks = mesh_from_json(value, top).ranks();
  const JsonPath at = top / "programs";
  const Json& listed = require_array(value["programs"], at);
  if (listed.empty()) at.fail("it lists no program");
  check_limit(Limit::Programs, static_cast<std::int64_t>(listed.size()), at.where());
  ProgramList list;
  std::set<std::string> names;
  std::set<std::int64_t> seen;
  for (std::size_t k = 0; k < listed.size(); ++k) {
    list.programs.push_back(program_from_json(listed[k], ranks, k, at / k));
    const ProgramText& program = list.programs.back();
    if (!names.insert(program.name).second) (at / k).fail("two programs are called '" + program.name + "'");
    for (const std::int64_t rank : program.ranks) {
      if (rank < 0 || !seen.insert(rank).second) {
        (at / k / "ranks").fail("rank " + std::to_string(rank) + (rank < 0 ? " does not exist" : " runs two programs, or one twice"), DiagCode::RankCount);
      }
    }
  }
  value.erase("programs");
  list.relation = value.dump(1) + "\n";
  return list;
}

MergedPrograms merge_rank_classes(const ProgramList& list, const std::vector<Module>& modules, const Module& sequential, const std::string& file) {
  std::optional<RankLayout> layout;
  for (std::size_t p = 0; p < modules.size(); ++p) {
    const auto ranks = static_cast<std::int64_t>(list.programs[p].ranks.size());
    const auto stated = stated_layout(modules[p], ranks);
    if (!stated) continue;
    if (stated->ranks() != ranks || (layout && !(*layout == *stated))) {
      throw InputError(DiagCode::RankCount, {modules[p].file},
                       "the program has " + std::to_string(stated->replicas) + " replicas of " + std::to_string(stated->partitions) +
                           " partitions, " + (stated->ranks() != ranks ? std::to_string(ranks) + " ranks run it" : "another one of the list has not"));
    }
    layout = stated;
  }
  std::vector<RankClass> classes;
  for (std::size_t p = 0; p < modules.size(); ++p) {
    const ProgramText& program = list.programs[p];
    classes.push_back({program.name, program.ranks, &modules[p], layout.value_or(RankLayout{1, static_cast<std::int64_t>(program.ranks.size())})});
  }
  Wirer wirer(list, modules, sequential, file);
  const Wiring wiring = wirer.run();
  return {merge_programs(classes, wiring), std::move(wirer.copies)};
}

Module with_output_copies(const Module& sequential, const std::vector<std::size_t>& copies) {
  Wiring wiring;
  wiring.file = sequential.file;
  wiring.inputs.emplace_back();
  for (const Leaf& leaf : input_leaves(sequential)) {
    wiring.inputs[0].push_back({wiring.parameters.size(), {}});
    wiring.parameters.push_back(parameter_of(leaf, leaf.type));
  }
  for (std::size_t k = 0; k < output_leaves(sequential).size(); ++k) wiring.outputs.push_back({{{0, k}}, 0});
  for (const std::size_t k : copies) wiring.outputs.push_back(wiring.outputs[k]);
  const RankClass only{"", {0}, &sequential, RankLayout{1, 1}};
  Module module = merge_programs(std::span(&only, 1), wiring);
  module.name = sequential.name;
  module.aliases = sequential.aliases;
  module.replica_count = sequential.replica_count;
  module.num_partitions = sequential.num_partitions;
  module.replaced_transfers = sequential.replaced_transfers;
  return module;
}

std::string relation_with_copies(const std::string& text, const std::string& file, const Module& sequential,
                                 const std::vector<std::size_t>& copies) {
  Json value = parse_json(text, file);
  const auto leaves = output_leaves(sequential);
  Json& outputs = value["outputs"];
  if (outputs.is_object()) {
    Json list = Json::array();
    for (std::size_t k = 0; k < leaves.size(); ++k) list.push_back("ignored");
    for (const auto& [name, entry] : outputs.items()) {
      const auto leaf = find_leaf(leaves, name);
      if (leaf) list[*leaf] = entry;
    }
    outputs = std::move(list);
  }
  if (!outputs.is_array() || outputs.size() != leaves.size()) return text;  // read_relation says what is wrong
  for (const std::size_t k : copies) outputs.push_back(Json(outputs[k]));
  return value.dump(1) + "\n";
}

}  // namespace gg
