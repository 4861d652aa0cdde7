#include "harness/explain/taken_apart.h"

#include <algorithm>
#include <map>

#include "models/base/line_of.h"

namespace gg {
namespace {

constexpr std::string_view kPart = ".part.";

bool name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-'; }

bool at_one_place(const Instruction& a, const Instruction& b) { return a.line == b.line && a.column == b.column && a.text == b.text; }

}  // namespace

std::optional<std::string> whole_of(const Module& module, InstructionId id) {
  const std::string name(module.name_of(id));
  const bool real_or_not = name.ends_with(".re") || name.ends_with(".im");
  const std::size_t at = std::min(name.find(kPart), real_or_not ? name.size() - 3 : std::string::npos);
  if (at == std::string::npos) return std::nullopt;
  const auto others = [&](InstructionId other) { return other < module.size() && at_one_place(module[id], module[other]); };  // a text has one instruction at a place
  if (!(id > 0 && others(id - 1)) && !others(id + 1)) return std::nullopt;
  return name.substr(0, at);
}

std::string with_wholes(const Module& module, const std::string& text) {
  if (text.find(kPart) == std::string::npos) return text;
  std::map<std::string, std::string> wholes;
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (auto whole = whole_of(module, id)) wholes.emplace(module.name_of(id), std::move(*whole));
  }
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (text[at] == '%' && end < text.size() && name_character(text[end])) ++end;
    const auto found = wholes.find(text.substr(at + 1, end - at - 1));
    result += found == wholes.end() || text[at] != '%' ? text.substr(at, end - at) : "a part of %" + found->second;
    at = end;
  }
  return result;
}

std::string line_in_text(const Module& module, InstructionId id) {
  const Location where = module.where(id);
  std::string found(line_of(where.file, where.line).value_or(""));
  found.erase(0, found.find_first_not_of(" \t"));
  return found.substr(0, found.find(", metadata={"));
}

}  // namespace gg
