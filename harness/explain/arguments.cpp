#include "harness/explain/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "harness/explain/taken_apart.h"
#include "models/fx/edit.h"
#include "models/fx/spoken.h"

namespace gg {
namespace {

using Arguments = std::map<std::string, std::string>;  ///< by name, or by position

struct Statement {
  std::string name, operation;  ///< "%fft.7", "fft"
  Arguments arguments;
};

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(" ;") + 1);
  return text;
}

/// The texts between commas, outside of brackets and quotes; ends at the bracket that closes what stands before `at`.
std::vector<std::string> split(const std::string& text, std::size_t& at) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char quote = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) quote = c == quote ? '\0' : quote;
    else if (c == '\'' || c == '"') quote = c;
    else if (c == '(' || c == '[' || c == '{') ++depth;
    else if ((c == ')' || c == ']' || c == '}') && depth-- == 0) break;
    else if (c == ',' && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

bool is_word(const std::string& value) {
  return std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; });
}

/// A truth value, a quoted word; in HLO, where operands stand apart, any word.
bool says(const std::string& value, bool operands) {
  if (value.empty()) return false;
  return value == "True" || value == "False" || value == "None" || value.front() == '\'' || value.front() == '"' || (!operands && is_word(value));
}

/// Arguments of names that are told in numbers of computations, shardings and the like say nothing of the operator.
void keep(const std::vector<std::string>& parts, bool operands, Arguments& into) {
  static constexpr std::array kLeftOut = {"metadata", "sharding", "backend_config", "frontend_attributes", "to_apply", "body", "condition", "device", "pin_memory", "layout", "dtype"};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::size_t equal = parts[k].find('=');
    const std::string name = equal == std::string::npos ? std::to_string(k) : trimmed(parts[k].substr(0, equal));
    const std::string value = equal == std::string::npos ? parts[k] : trimmed(parts[k].substr(equal + 1));
    if (says(value, operands) && std::find(kLeftOut.begin(), kLeftOut.end(), name) == kLeftOut.end()) into[name] = value;
  }
}

std::optional<Statement> statement_of(const Module& module, InstructionId id) {
  Statement result;
  if (const auto written = fx::written_at(module.where(id))) {
    result = {"%" + fx::node_of(module, id), written->operation, {}};
    const std::size_t call = written->text.find(written->operation + "(");
    if (result.operation.empty() || call == std::string::npos) return std::nullopt;
    std::size_t at = call + written->operation.size() + 1;
    keep(split(written->text, at), true, result.arguments);
    return result;
  }
  const auto whole = whole_of(module, id);
  if (!whole) return std::nullopt;
  const std::string line = line_in_text(module, id);
  const std::size_t open = line.find('(', std::min(line.find(" = "), line.size()));
  if (open == std::string::npos) return std::nullopt;
  const std::size_t start = line.rfind(' ', open);
  std::size_t at = open + 1;
  result = {"%" + *whole, line.substr(start + 1, open - start - 1), {}};
  split(line, at);
  if (++at < line.size() && line[at] == ',') keep(split(line, ++at), false, result.arguments);
  return result;
}

std::string shown(const Arguments& arguments, const Arguments& others) {
  std::string text;
  for (const auto& [name, value] : arguments) {
    const auto other = others.find(name);
    if (other != others.end() && other->second == value) continue;
    text += (text.empty() ? "" : ", ") + (std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? value : name + "=" + value);
  }
  return text;
}

}  // namespace

std::optional<std::string> other_arguments(const Module& sequential, const Module& distributed, InstructionId place) {
  const auto here = statement_of(distributed, place);
  if (!here) return std::nullopt;
  std::set<Arguments> there;
  std::set<std::uint32_t> lines;
  for (InstructionId id = 0; id < sequential.size(); ++id) {
    if (!lines.insert(sequential[id].line).second) continue;
    const auto statement = statement_of(sequential, id);
    if (statement && statement->operation == here->operation) there.insert(statement->arguments);
  }
  if (there.size() != 1 || there.contains(here->arguments)) return std::nullopt;
  const std::string now = shown(here->arguments, *there.begin()), right = shown(*there.begin(), here->arguments);
  if (right.empty()) return fmt::format("{} has {}, which no {} of the sequential program has", here->name, now, here->operation);
  if (now.empty()) return fmt::format("{} lacks {}, which every {} of the sequential program has", here->name, right, here->operation);
  return fmt::format("{} has {} where every {} of the sequential program has {}", here->name, now, here->operation, right);
}

}  // namespace gg
