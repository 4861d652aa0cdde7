#include "models/hlo/line_text.h"

#include <algorithm>
#include <cctype>

namespace gg::hlo {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-'; }

std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
  return std::min(at, text.size() - 1);
}

std::size_t matching(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') at = skip_string(text, at);
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1
                                                                                     : 0;
    if (depth == 0) return at + 1;
  }
  return text.size();
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return std::string(text);
}

std::string without_comments(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) == "/*") {
      const auto end = text.find("*/", at);
      at = end == std::string_view::npos ? text.size() : end + 1;
    } else {
      result += text[at];
    }
  }
  return result;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t start = 0, at = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '"') at = skip_string(text, at);
    else if (std::string_view("([{").find(text[at]) != std::string_view::npos) at = matching(text, at) - 1;
    else if (text[at] == ',') parts.push_back(trimmed(text.substr(start, at - start))), start = at + 1;
  }
  parts.push_back(trimmed(text.substr(std::min(start, text.size()))));
  parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
  return parts;
}

std::optional<InstructionText> parse_line(std::string_view text) {
  InstructionText line;
  std::size_t at = text.find_first_not_of(" \t");
  if (at == std::string_view::npos) return std::nullopt;
  if (text.substr(at, 5) == "ROOT ") line.root = true, at += 5;
  const auto equals = text.find(" = ", at);
  if (equals == std::string_view::npos) return std::nullopt;
  line.name = trimmed(text.substr(at, equals - at));
  if (line.name.empty() || line.name.find_first_of(" (") != std::string::npos) return std::nullopt;
  if (line.name[0] == '%') line.name.erase(0, 1);
  at = equals + 3;
  std::size_t end = at;
  while (end < text.size() && text[end] != ' ') end = std::string_view("([{").find(text[end]) != std::string_view::npos ? matching(text, end) : end + 1;
  line.type = std::string(text.substr(at, end - at));
  at = text.find_first_not_of(' ', end);
  if (at == std::string_view::npos) return std::nullopt;
  end = at;
  while (end < text.size() && in_name(text[end])) ++end;
  if (end >= text.size() || text[end] != '(') return std::nullopt;
  line.opcode = std::string(text.substr(at, end - at));
  const std::size_t close = matching(text, end);
  if (close <= end + 1) return std::nullopt;
  line.arguments = std::string(text.substr(end + 1, close - end - 2));
  line.attributes = trimmed(text.substr(close));
  if (line.opcode != "constant" && line.opcode != "parameter") {
    for (const std::string& part : split(without_comments(line.arguments))) {
      const auto space = part.find_last_of(' ');
      std::string name = part.substr(space == std::string::npos ? 0 : space + 1);
      if (!name.empty() && name[0] == '%') name.erase(0, 1);
      line.operands.push_back(std::move(name));
    }
  }
  return line;
}

std::string attribute(const InstructionText& line, std::string_view name) {
  for (const std::string& part : split(line.attributes)) {
    const auto equals = part.find('=');
    if (equals != std::string::npos && std::string_view(part).substr(0, equals) == name) return part.substr(equals + 1);
  }
  return "";
}

std::string with_attribute(const InstructionText& line, std::string_view name, const std::string& value) {
  std::string text;
  for (const std::string& part : split(line.attributes)) {
    const bool same = part.substr(0, part.find('=')) == name;
    text += ", " + (same ? std::string(name) + "=" + value : part);
  }
  return text;
}

}  // namespace gg::hlo
