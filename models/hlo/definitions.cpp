#include "models/hlo/definitions.h"

#include <algorithm>
#include <set>

#include "models/base/file.h"
#include "models/hlo/instruction.h"
#include "models/hlo/parser.h"
#include "models/hlo/printer.h"
#include "models/ir/verify.h"

namespace gg {
namespace {

bool name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

/// The computations of a printed module, their names prefixed.
std::string renamed(const std::string& text, const std::set<std::string>& names, const std::string& prefix) {
  std::string result;
  for (std::size_t k = text.find('\n'); k < text.size(); ++k) {
    if (text.compare(k, 6, "ENTRY ") == 0 && text[k - 1] == '\n') k += 6;
    result += text[k];
    if (text[k] != '%') continue;
    std::size_t end = k + 1;
    while (end < text.size() && name_character(text[end])) ++end;
    const std::string name = text.substr(k + 1, end - k - 1);
    result += (names.count(name) != 0 ? prefix : "") + name;
    k = end - 1;
  }
  return result + "\n";
}

bool defines(const std::string& computation, const std::string& target) {
  if (computation.compare(0, target.size(), target) != 0) return false;
  const std::string rest = computation.substr(target.size());
  return rest.empty() || (rest.front() == '.' && rest.size() > 1 &&
                          std::all_of(rest.begin() + 1, rest.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

}  // namespace

DefinitionFile load_definitions(const std::string& path) {
  const Module module = load_hlo(path);
  need_one_rank(module);
  if (hlo::has_own_meaning(module.name)) throw InputError(DiagCode::Usage, {path}, "'" + module.name + "' has a meaning of its own, which --define cannot change");
  const std::string whole = print_hlo(module, {.metadata = false}), hash = content_hash(whole);
  const std::string prefix = "definition." + hash.substr(0, 8) + ".";
  std::set<std::string> names;
  for (const Computation& c : module.computations()) names.emplace(module.string(c.name));
  DefinitionFile file{path, module.name, hash, renamed(whole, names, prefix), {}};
  for (ComputationId id = 0; id < module.computations().size(); ++id) {
    const Computation& c = module.computation(id);
    const std::string name(module.string(c.name));
    if (id != module.entry() && !defines(name, module.name)) continue;
    Definition definition{module.name, {}, module.type(c.root), prefix + name};
    for (const InstructionId parameter : c.parameters) definition.parameters.push_back(module.type(parameter));
    file.definitions.push_back(std::move(definition));
  }
  return file;
}

}  // namespace gg
