#include "harness/suite/suite_file.h"

#include <algorithm>
#include <filesystem>

#include "harness/dump/pattern.h"
#include "models/base/file.h"
#include "models/base/text.h"
#include "models/pair/frontend.h"

namespace gg {
namespace fs = std::filesystem;
namespace {

/// What is told of a line that is no pair: a line may be as long as a file.
std::string shortened(std::string text) {
  constexpr std::size_t kShown = 1000;
  if (text.size() > kShown) text.replace(kShown, std::string::npos, "...");
  return text;
}

class Reader {
 public:
  Reader(const std::string& path, const Options& defaults) : path_(path), defaults_(defaults) {}

  std::vector<SuitePair> read() {
    if (is_folder(path_)) {
      base_ = path_;
      add_pattern("*", {}, defaults_);
    } else {
      base_ = fs::path(path_).parent_path();
      lines(read_file(path_));
    }
    if (pairs_.empty()) throw InputError(DiagCode::Usage, {path_}, "the suite lists no pair");
    if (defaults_.only.empty()) return std::move(pairs_);
    const Pattern only(defaults_.only);
    std::erase_if(pairs_, [&](const SuitePair& pair) { return !only.matches(pair.name); });
    if (pairs_.empty()) throw InputError(DiagCode::Usage, {path_}, "the suite has no pair that matches '" + defaults_.only + "'");
    return std::move(pairs_);
  }

 private:
  void lines(const std::string& text) {
    std::uint32_t number = 0;
    for (std::string_view line : lines_of(text)) {
      ++number;
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      const auto start = line.find_first_not_of(" \t");
      if (start == std::string_view::npos || line[start] == '#') continue;
      try {
        entry(std::string(line.substr(start)), {path_, number});
      } catch (const InputError& error) {
        Diag diag = error.diags().front();
        if (diag.where.file.empty()) diag.where = {path_, number};
        diag.message = shortened(std::move(diag.message));
        add({shortened(std::string(line.substr(start))), defaults_, {}, std::move(diag)});
      }
    }
  }

  void entry(std::string line, const Location& where) {
    std::string name;
    std::optional<Verdict> expected;
    for (;;) {
      const auto space = line.find_first_of(" \t");
      const std::string word = line.substr(0, space);
      if (word.rfind("name=", 0) == 0) name = word.substr(5);
      else if (word.rfind("expect=", 0) == 0) expected = verdict(word.substr(7), where);
      else break;
      if (space == std::string::npos) throw InputError(DiagCode::Usage, where, "the line names no pair");
      line = line.substr(std::min(line.find_first_not_of(" \t", space), line.size()));
    }
    Options options = parse_check_arguments(line, defaults_);
    if (!options.inputs.empty() && !options.xla_dump.empty()) {
      throw InputError(DiagCode::Usage, where, "--xla-dump stands in place of files");
    }
    if (options.inputs.empty() == options.xla_dump.empty() || options.inputs.size() > 2 || options.all_modules || options.replicas) {
      throw InputError(DiagCode::Usage, where, "a line takes a case folder, two files, or --xla-dump with one module");
    }
    if (options.inputs.size() == 1 && options.inputs[0].find_first_of("*?[") != std::string::npos) {
      if (!name.empty()) throw InputError(DiagCode::Usage, where, "name= is for one pair, not for a pattern");
      if (!add_pattern(options.inputs[0], expected, options)) {
        throw InputError(DiagCode::FileMissing, where, "no case folder matches '" + options.inputs[0] + "'");
      }
      return;
    }
    if (name.empty()) {
      name = !options.xla_dump.empty() ? options.xla_dump + (options.module.empty() ? "" : ":" + options.module) : options.inputs.back();
    }
    resolve(options);
    add({name, std::move(options), expected, {}});
  }

  static Verdict verdict(const std::string& word, const Location& where) {
    for (const Verdict v : {Verdict::Proved, Verdict::Refuted, Verdict::Unknown}) {
      if (word == to_string(v)) return v;
    }
    throw InputError(DiagCode::Usage, where, "expect= is proved, refuted or unknown, not '" + word + "'");
  }

  bool add_pattern(const std::string& pattern, std::optional<Verdict> expected, const Options& options) {
    std::vector<std::string> found = files_matching((base_ / pattern).string());
    std::erase_if(found, [](const std::string& folder) { return frontend_of_folder(folder) == nullptr; });
    for (const std::string& folder : found) {
      Options own = options;
      const bool as_found = base_.empty() || fs::path(pattern).is_absolute();
      own.inputs = {as_found ? folder : fs::path(folder).lexically_relative(base_).string()};
      std::string name = own.inputs[0];
      resolve(own);
      add({std::move(name), std::move(own), expected, {}});
    }
    return !found.empty();
  }

  /// Paths of a line count from the suite's folder.
  void resolve(Options& options) const {
    const auto from_here = [&](std::string& path) {
      if (!path.empty() && path != defaults_.relation) path = (base_ / path).string();
    };
    for (std::string& input : options.inputs) from_here(input);
    from_here(options.relation);
    from_here(options.xla_dump);
    if (options.define != defaults_.define) std::for_each(options.define.begin(), options.define.end(), from_here);
  }

  /// A pair that is named again takes the place of the first entry.
  void add(SuitePair pair) {
    const auto same = std::find_if(pairs_.begin(), pairs_.end(), [&](const SuitePair& other) { return other.name == pair.name; });
    if (same == pairs_.end()) pairs_.push_back(std::move(pair));
    else *same = std::move(pair);
  }

  const std::string path_;
  const Options& defaults_;
  fs::path base_;
  std::vector<SuitePair> pairs_;
};

}  // namespace

std::vector<SuitePair> read_suite(const std::string& path, const Options& defaults) { return Reader(path, defaults).read(); }

}  // namespace gg
