// Changed lines of a module (harness/pinpoint/pinpoint.h).
#include <map>

#include "harness/pinpoint/pinpoint.h"
#include "models/hlo/printer.h"

namespace gg::pinpoint {

std::vector<std::string> hlo_diff(const Module& before, const Module& after) {
  PrintOptions options;
  options.metadata = false;
  using Key = std::pair<std::string, std::string>;
  const auto key = [](const Module& m, InstructionId id) {
    return Key(m.string(m.computation(m.computation_of(id)).name), m.name_of(id));
  };
  std::map<Key, std::string> old_lines, new_lines;
  for (InstructionId id = 0; id < before.size(); ++id) old_lines[key(before, id)] = print_instruction(before, id, options);
  for (InstructionId id = 0; id < after.size(); ++id) new_lines[key(after, id)] = print_instruction(after, id, options);
  std::vector<std::string> lines;
  for (InstructionId id = 0; id < after.size(); ++id) {
    const auto found = old_lines.find(key(after, id));
    const std::string& now = new_lines[key(after, id)];
    if (found != old_lines.end() && found->second == now) continue;
    if (found != old_lines.end()) lines.push_back("- " + found->second);
    lines.push_back("+ " + now);
  }
  for (InstructionId id = 0; id < before.size(); ++id) {
    if (new_lines.count(key(before, id)) == 0) lines.push_back("- " + old_lines[key(before, id)]);
  }
  return lines;
}

}  // namespace gg::pinpoint
