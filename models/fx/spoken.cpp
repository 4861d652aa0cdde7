#include "models/fx/spoken.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/fx/edit.h"

namespace gg::fx {
namespace {

bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-'; }

/// `r0.` of a program of its own.
std::size_t rank_prefix(const std::string& name) {
  std::size_t k = 1;
  while (k < name.size() && std::isdigit(static_cast<unsigned char>(name[k])) != 0) ++k;
  return name[0] == 'r' && k > 1 && k < name.size() && name[k] == '.' ? k + 1 : 0;
}

/// A statement's own name, or that of a result that it was unpacked to; else the node with what it is there.
std::string word_for(const Module& module, InstructionId id) {
  const std::string name(module.name_of(id));
  const std::string node = node_of(module, id);
  if (node.empty()) return "%" + name;
  const bool piece = name.find('.', rank_prefix(name)) != std::string::npos;
  if (module[id].op == Op::Constant) return "the constant of %" + node;
  return "%" + (piece ? node : name);
}

void replace(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) text.replace(at, what.size(), by);
}

}  // namespace

std::string node_of(const Module& module, InstructionId id) {
  const auto written = written_at(module.where(id));
  if (!written) return "";
  const std::string name(module.name_of(id));
  return name.substr(0, rank_prefix(name)) + written->text.substr(0, written->text.find_first_of(" :"));
}

std::string spoken(const Module& module, const std::string& text) {
  std::map<std::string, InstructionId> ids;
  for (InstructionId id = 0; id < module.size(); ++id) ids.emplace(module.name_of(id), id);
  std::string result;
  std::set<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '%') {
      result += text[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && name_char(text[end])) ++end;
    while (end > at + 1 && (text[end - 1] == '.' || text[end - 1] == '-')) --end;  // of the sentence
    const auto found = ids.find(text.substr(at + 1, end - at - 1));
    const std::string word = found == ids.end() ? text.substr(at, end - at) : word_for(module, found->second);
    const std::string entry = std::string(module.string(module.computation(module.entry()).name)) + "/";
    const bool graph = found != ids.end() && !node_of(module, found->second).empty();
    if (graph && result.size() >= entry.size() && result.compare(result.size() - entry.size(), entry.size(), entry) == 0) result.resize(result.size() - entry.size());
    words.insert(word);
    result += word;
    at = end;
  }
  for (const std::string& word : words) replace(result, word + " (consumed by " + word + ")", word);  // pieces of one statement
  return result;
}

}  // namespace gg::fx
