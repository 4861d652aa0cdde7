#include "harness/dump/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "harness/dump/names.h"
#include "harness/dump/pattern.h"
#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/base/text.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFlags =
    "XLA_FLAGS=\"--xla_dump_to=D --xla_dump_hlo_as_text --xla_dump_large_constants --xla_dump_hlo_pass_re=spmd\"";
constexpr const char* kNothingCompiled =
    "with these flags set: did the program compile anything? JAX_ENABLE_COMPILATION_CACHE=false switches its persistent cache off";
constexpr std::size_t kShownTypes = 4;
constexpr std::size_t kShownModules = 8;

/// The files of one module, by what they are.
struct Files {
  DumpName name;
  std::string before, after, input, output;  ///< paths; the last one where a pass ran several times
  bool binary_pass = false;
};

/// What the header of a module says.
struct HeaderFacts {
  std::int64_t partitions = 1;
  std::vector<std::string> parameters;
};

/// The types between the outer brackets of `{(f32[2]{0}, (s32[], pred[]))->...}`, without layouts.
std::vector<std::string> split_types(std::string_view text) {
  std::vector<std::string> types;
  int depth = 0;
  bool layout = false;
  std::string type;
  for (const char c : text) {
    if (c == '{') layout = true;
    if (!layout) {
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1
                                                               : 0;
      if (depth < 0) break;
      if (c == ',' && depth == 0) types.push_back(std::move(type)), type.clear();
      else if (c != ' ') type += c;
    }
    if (c == '}') layout = false;
  }
  if (!type.empty()) types.push_back(std::move(type));
  return types;
}

HeaderFacts header_of(const std::string& path) {
  std::string line;
  if (path.ends_with(".gz")) line = read_file(path);
  else std::getline(std::ifstream(path) >> std::ws, line);
  line.resize(std::min(line.size(), line.find('\n')));
  HeaderFacts facts;
  constexpr std::string_view kCount = "num_partitions=";
  if (const auto at = line.find(kCount); at != std::string_view::npos) {
    facts.partitions = std::atoll(line.substr(at + kCount.size(), 18).c_str());
  }
  constexpr std::string_view kLayout = "entry_computation_layout={(";
  if (const auto at = line.find(kLayout); at != std::string_view::npos) {
    facts.parameters = split_types(std::string_view(line).substr(at + kLayout.size()));
  }
  return facts;
}

std::string shortened(const std::vector<std::string>& types) {
  return "(" + first_few(types, kShownTypes, fmt::format(", ... {} parameters", types.size())) + ")";
}

[[noreturn]] void fail(DiagCode code, const std::string& folder, const std::string& message,
                       std::vector<std::string> notes = {}) {
  throw InputError(code, {folder}, message, std::move(notes));
}

class Reader {
 public:
  Reader(const std::string& folder, const std::string& regex) : folder_(folder), regex_(regex) {}

  DumpFolder read() {
    scan();
    select();
    DumpFolder result;
    for (const auto& [stem, files] : chosen_) {
      if (!files.before.empty() && !files.after.empty()) result.pairs.push_back(pair(files));
    }
    if (result.pairs.empty()) explain();
    std::sort(result.pairs.begin(), result.pairs.end(), [](const DumpedPair& a, const DumpedPair& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.stem < b.stem;
    });
    add_notes(result);
    return result;
  }

 private:
  void scan() {
    if (!is_folder(folder_)) {
      fail(DiagCode::DumpMissing, folder_, "'" + folder_ + "' is no folder",
           {std::string("run the program with ") + kFlags, kNothingCompiled});
    }
    std::set<std::string> paths;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (is_file(entry.path().string())) paths.insert(entry.path().string());
      else if (is_folder(entry.path().string())) subfolders_.insert(entry.path().filename().string());
    }
    for (const std::string& path : paths) {
      const auto name = parse_dump_name(fs::path(path).filename().string());
      if (!name) continue;
      Files& files = modules_[name->stem];
      if (files.name.stem.empty()) files.name = *name;
      add(files, *name, path);
    }
  }

  static void add(Files& files, const DumpName& name, const std::string& path) {
    const bool pass = name.stage == DumpStage::BeforePartitioning || name.stage == DumpStage::AfterPartitioning;
    if (name.binary) {
      files.binary_pass = files.binary_pass || pass;
      if (name.stage == DumpStage::BeforeOptimizations && files.input.empty()) files.input = path;
      return;
    }
    if (name.stage == DumpStage::BeforePartitioning && files.before.empty()) files.before = path;
    if (name.stage == DumpStage::AfterPartitioning) files.after = path;
    if (name.stage == DumpStage::BeforeOptimizations) files.input = path;
    if (name.stage == DumpStage::AfterOptimizations) files.output = path;
  }

  /// The modules that the regular expression asks for.
  void select() {
    if (modules_.empty()) explain_empty();
    const Pattern pattern(regex_);
    for (const auto& [stem, files] : modules_) {
      if (regex_.empty() || pattern.matches(files.name.module) || pattern.matches(stem)) {
        chosen_.emplace(stem, files);
      }
    }
    if (chosen_.empty()) {
      std::set<std::string> names;
      for (const auto& [stem, files] : modules_) names.insert(files.name.module);
      std::vector<std::string> notes;
      for (const auto& name : names) {
        if (notes.size() == 20) break;
        notes.push_back(name);
      }
      fail(DiagCode::DumpModule, folder_, fmt::format("none of {} modules has a name matching '{}'", modules_.size(), regex_),
           std::move(notes));
    }
  }

  /// Both texts; refused where they cannot be of one compilation.
  DumpedPair pair(const Files& files) const {
    const HeaderFacts before = header_of(files.before), after = header_of(files.after);
    if (before.parameters.size() != after.parameters.size() || before.partitions != after.partitions) {
      fail(DiagCode::DumpHosts, files.after,
           fmt::format("it is not what became of '{}': {} parameters and {} partitions against {} and {}",
                       fs::path(files.before).filename().string(), after.parameters.size(), after.partitions,
                       before.parameters.size(), before.partitions),
           {"several processes wrote into this folder: give each its own --xla_dump_to"});
    }
    return {files.name.stem, files.name.module, files.before, files.after, fs::file_size(files.before),
            shortened(before.parameters), before.partitions};
  }

  [[noreturn]] void explain_empty() const {
    std::vector<std::string> dumps;
    for (const std::string& name : subfolders_) {
      for (const auto& entry : fs::directory_iterator(fs::path(folder_) / name)) {
        if (!is_file(entry.path().string()) || !parse_dump_name(entry.path().filename().string())) continue;
        dumps.push_back((fs::path(folder_) / name).string());
        break;
      }
    }
    if (dumps.size() == 1) {
      fail(DiagCode::DumpMissing, folder_, "it holds no dump, but its folder '" + dumps[0] + "' does: give that one");
    }
    if (!dumps.empty()) {
      fail(DiagCode::DumpHosts, folder_,
           fmt::format("it holds the dumps of {} processes, each in a folder of its own", dumps.size()),
           {"every process compiles the same program: give the folder of one, for example " + dumps.front()});
    }
    fail(DiagCode::DumpMissing, folder_, "the folder holds no dump of XLA",
         {std::string("run the program with ") + kFlags, kNothingCompiled});
  }

  /// No pair among the chosen modules: says why, looking at the most telling one first.
  [[noreturn]] void explain() const {
    std::vector<const Files*> cached, halves, whole, protos;
    for (const auto& [stem, files] : chosen_) {
      if (files.binary_pass || (files.before.empty() && files.after.empty() && files.input.ends_with(".pb"))) protos.push_back(&files);
      else if (!files.before.empty() || !files.after.empty()) halves.push_back(&files);
      else if (!files.input.empty()) whole.push_back(&files);
      else cached.push_back(&files);
    }
    if (!halves.empty()) explain_half(halves);
    if (!protos.empty()) {
      fail(DiagCode::DumpBinary, folder_, "'" + protos[0]->name.stem + "' was dumped as a serialized proto, which is not read",
           {std::string("dump text: ") + kFlags});
    }
    const auto many = std::find_if(whole.begin(), whole.end(),
                                   [](const Files* files) { return header_of(files->input).partitions > 1; });
    if (many != whole.end()) {
      fail(DiagCode::DumpNoPasses, folder_,
           fmt::format("'{}' has {} partitions, but the passes of the partitioner were not dumped", (*many)->name.stem,
                       header_of((*many)->input).partitions),
           {"add --xla_dump_hlo_pass_re=spmd to XLA_FLAGS"});
    }
    // A program that was answered from the cache on several devices is more telling than helpers for one device.
    const auto answered = std::find_if(cached.begin(), cached.end(), [](const Files* files) {
      return !files->output.empty() && (header_of(files->output).partitions > 1);
    });
    if (answered != cached.end() || (whole.empty() && !cached.empty())) {
      const Files* files = answered != cached.end() ? *answered : cached.front();
      fail(DiagCode::DumpCached, folder_,
           "'" + files->name.stem + "' was answered by JAX's persistent compilation cache: no pass ran, so none was dumped",
           {"run once with JAX_ENABLE_COMPILATION_CACHE=false"});
    }
    fail(DiagCode::DumpOneDevice, folder_,
         fmt::format("all {} modules are compiled for one device: nothing was partitioned", whole.size()),
         {"run with several devices; on a CPU: XLA_FLAGS=--xla_force_host_platform_device_count=8 (beside the dump flags)"});
  }

  [[noreturn]] void explain_half(const std::vector<const Files*>& halves) const {
    for (const Files* one : halves) {
      for (const Files* other : halves) {
        if (one->before.empty() || other->after.empty() || one->name.module != other->name.module) continue;
        fail(DiagCode::DumpHosts, folder_,
             "'" + one->name.stem + "' has only the text before and '" + other->name.stem +
                 "' only the text after partitioning",
             {"several processes wrote into this folder: give each its own --xla_dump_to"});
      }
    }
    const Files& files = *halves.front();
    fail(DiagCode::DumpHalf, folder_,
         fmt::format("of '{}' only the text {} spmd-partitioning was dumped", files.name.stem,
                     files.after.empty() ? "before" : "after"),
         {files.after.empty() ? "did the compilation fail in the partitioner?" : "is --xla_dump_hlo_pass_re=spmd set?"});
  }

  /// A larger module without a pair may be the one that was meant.
  void add_notes(DumpFolder& result) const {
    std::map<std::string, int> stems;
    for (const DumpedPair& pair : result.pairs) ++stems[pair.stem.substr(pair.stem.find("module_"))];
    for (const auto& [stem, count] : stems) {
      if (count > 1) {
        result.notes.push_back(fmt::format("'{}' was dumped by {} processes or runs into this folder", stem, count));
      }
    }
    for (const auto& [stem, files] : chosen_) {
      if (!files.before.empty() || !files.input.empty() || files.output.empty()) continue;
      if (header_of(files.output).partitions < 2) continue;
      result.notes.push_back("'" + stem + "' has no pair: it was answered by the compilation cache [GG-X003]");
      if (result.notes.size() == kShownModules) break;
    }
  }

  const std::string folder_, regex_;
  std::map<std::string, Files> modules_, chosen_;
  std::set<std::string> subfolders_;
};

}  // namespace

DumpFolder read_dump_folder(const std::string& folder, const std::string& regex) { return Reader(folder, regex).read(); }

std::string describe(const DumpedPair& pair) {
  return fmt::format("{}  {} kB  {} partitions  {}", pair.stem, (pair.bytes + 999) / 1000, pair.partitions, pair.parameters);
}

}  // namespace gg
