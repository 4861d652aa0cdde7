// The table of front ends.
#include "models/pair/frontend.h"

#include <array>
#include <filesystem>
#include <iterator>

#include "models/base/file.h"
#include "models/fx/load.h"
#include "models/pair/case.h"
#include "models/pair/hlo_frontend.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

/// Meanings in files of graphs, and calls that are pure functions; `ends`: how many operators have one after each file.
fx::Definitions definitions_of(const CaseOptions& options, std::vector<std::size_t>& ends) {
  fx::Definitions definitions;
  for (const std::string& path : options.definitions) {
    if (!fx::is_graph_file(path)) throw InputError(DiagCode::Usage, {path}, "graphs take meanings as graphs (FILE.fx), not as HLO text");
    definitions.load(path);
    ends.push_back(definitions.hashes.size());
  }
  for (const std::string& text : options.opaque_targets) {
    const OpaqueTarget opaque = parse_opaque_target(text);
    if (definitions.knows(opaque.target)) throw InputError(DiagCode::Usage, {}, "--define gives '" + opaque.target + "' a meaning and --opaque says that it has none: give one of them");
    definitions.declare_opaque(opaque.target, {opaque.batch_dims});
  }
  definitions.check();
  return definitions;
}

ReadPair load_graphs(const PairFiles& files, const CaseOptions& options) {
  if (files.relation.empty()) throw InputError(DiagCode::Usage, {files.sequential}, "graphs need a relation file (--relation)");
  if (files.distributed.empty()) throw InputError(DiagCode::Usage, {files.sequential}, "the graphs of the ranks are missing: a file, or a pattern such as 'distributed.r*.fx'");
  std::vector<std::size_t> ends;
  const fx::Definitions definitions = definitions_of(options, ends);
  fx::Pair read = fx::load_pair(files.sequential, files.distributed, files.relation, definitions);
  ReadPair pair;
  pair.sequential = std::make_unique<Module>(std::move(read.sequential));
  pair.distributed = std::make_unique<Module>(std::move(read.distributed));
  pair.relation = std::move(read.relation);
  pair.originals = {{"sequential.fx", read.sequential_text}, {"relation.json", read_file(files.relation)}};
  std::move(read.files.begin(), read.files.end(), std::back_inserter(pair.originals));
  pair.sequential_hash = content_hash(read.sequential_text + definitions.text);
  pair.distributed_hash = content_hash(read.distributed_text + definitions.text);
  for (std::size_t file = 0, operation = 0; file < ends.size(); ++file) {
    const std::size_t before = pair.stated.size();
    for (; operation < ends[file]; ++operation) {
      const auto& [target, hash] = definitions.hashes[operation];
      if (definitions.used.count(target) != 0) pair.stated.push_back({AssumptionKind::Defined, {target, hash}});
    }
    if (pair.stated.size() == before) pair.unused.push_back(options.definitions[file]);
  }
  for (const std::string& node : read.unwaited) pair.stated.push_back({AssumptionKind::Waited, {node}});
  for (const std::string& node : read.cuts) pair.stated.push_back({AssumptionKind::Cut, {node}});
  pair.written = std::move(read.written);
  pair.left_out = read.left_out.size();
  pair.accepted = std::move(read.accepted.instructions);
  return pair;
}

constexpr std::array kFrontends = {
    Frontend{"hlo", "sequential.hlo", "distributed.hlo", [](const std::string&) { return false; }, load_hlo_pair},
    Frontend{"fx", "sequential.fx", "distributed.r*.fx", fx::is_graph_file, load_graphs},
};

}  // namespace

std::span<const Frontend> frontends() { return kFrontends; }

const Frontend& frontend_of(const std::string& sequential) {
  for (const Frontend& frontend : kFrontends) {
    if (frontend.detect(sequential)) return frontend;
  }
  return kFrontends.front();
}

const Frontend* frontend_of_folder(const std::string& folder) {
  for (const Frontend& frontend : kFrontends) {
    if (!optional_file(folder, std::string(frontend.sequential)).empty()) return &frontend;
  }
  return nullptr;
}

std::string optional_file(const std::string& folder, const std::string& stem) {
  for (const char* suffix : {"", ".gz"}) {
    const std::string path = (fs::path(folder) / (stem + suffix)).string();
    if (is_file(path)) return path;
  }
  return "";
}

}  // namespace gg
