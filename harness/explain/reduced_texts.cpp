#include "harness/explain/reduced_texts.h"

#include <cctype>
#include <map>
#include <sstream>

#include "models/base/file.h"
#include "models/hlo/printer.h"

namespace gg {
namespace {

// Instruction names replaced by numbers in the order of their first occurrence.
class Numbering {
 public:
  std::string renamed(const std::string& line) {
    std::string text;
    for (std::size_t k = 0; k < line.size();) {
      if (line[k] != '%') {
        text += line[k++];
        continue;
      }
      std::size_t end = k + 1;
      while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_' ||
                                   line[end] == '.' || line[end] == '-')) {
        ++end;
      }
      const auto number = numbers_.emplace(line.substr(k, end - k), numbers_.size()).first->second;
      text += "%" + std::to_string(number);
      k = end;
    }
    return text;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

std::vector<std::string> different_lines(const ShapeReduction& reduction, const Case& like, std::size_t& lines) {
  std::vector<std::string> different;
  PrintOptions plain;
  plain.metadata = false;
  const auto compare = [&](const char* side, const std::string& mine, const std::string& theirs) {
    std::istringstream a(mine), b(theirs);
    std::string left, right;
    Numbering mine_names, their_names;
    for (;;) {
      const bool more_left = static_cast<bool>(std::getline(a, left)), more_right = static_cast<bool>(std::getline(b, right));
      if (!more_left && !more_right) return;
      ++lines;
      if (!more_left) left = "(end)";
      if (!more_right) right = "(end)";
      const bool same = mine_names.renamed(left) == their_names.renamed(right);
      if (left == right) continue;
      different.push_back((same ? "names, " : "") + std::string(side) + ": " + left + "\n    against: " + right);
    }
  };
  compare("sequential", print_hlo(reduction.sequential, plain), print_hlo(*like.sequential, plain));
  compare("distributed", print_hlo(reduction.distributed, plain), print_hlo(*like.distributed, plain));
  return different;
}

void write_reduction(const std::string& path, const std::string& sequential, const std::string& distributed, const std::string& relation) {
  write_folder(path, {.mark = "reduced.txt", .others = {"sequential.hlo", "distributed.hlo", "relation.json"}}, [&](const std::string& folder) {
    write_file(folder + "/sequential.hlo", sequential);
    write_file(folder + "/distributed.hlo", distributed);
    write_file(folder + "/relation.json", relation);
    write_file(folder + "/reduced.txt", "gg-harness reduce wrote this folder and may replace it.\n");
  });
}

}  // namespace gg
