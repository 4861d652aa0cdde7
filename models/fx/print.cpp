#include "models/fx/print.h"

#include <cmath>

#include "models/base/text.h"

namespace gg::fx {
namespace {

std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const std::string text = shortest(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string list_text(const std::vector<Argument>& items, const char* between) {
  return joined_text(items, between, [&](const Argument& item) { return argument_text(item); });
}

}  // namespace

std::string argument_text(const Argument& argument) {
  switch (argument.kind) {
    case Argument::Kind::Name:
    case Argument::Kind::Word: return argument.text;
    case Argument::Kind::String: return "'" + argument.text + "'";
    case Argument::Kind::Integer: return std::to_string(argument.integer);
    case Argument::Kind::Bool: return argument.integer != 0 ? "True" : "False";
    case Argument::Kind::Float: return real_text(argument.real);
    case Argument::Kind::None: return "None";
    case Argument::Kind::List: return "[" + list_text(argument.items, ", ") + "]";
    case Argument::Kind::Table: return "<by rank: " + list_text(argument.items, " | ") + ">";
  }
  return "";
}

std::string statement_text(const Statement& statement) {
  std::string text = statement.name;
  if (statement.type) text += ": \"" + torch_text(*statement.type) + "\"";
  text += " = ";
  switch (statement.kind) {
    case Statement::Kind::Copy: return text + statement.target;
    case Statement::Kind::Attribute: return text + "self." + statement.target;
    case Statement::Kind::Item: return text + statement.target + "[" + argument_text(statement.item) + "]";
    case Statement::Kind::Call: break;
  }
  std::string arguments = list_text(statement.arguments, ", ");
  for (const auto& [name, value] : statement.keywords) arguments += (arguments.empty() ? "" : ", ") + name + " = " + argument_text(value);
  return text + "torch.ops." + statement.target + "(" + arguments + ")";
}

std::string source_text(const Graph& graph, const Statement& statement) {
  if (statement.source < 0) return "";
  const Source& source = graph.sources[static_cast<std::size_t>(statement.source)];
  return source.file + ":" + std::to_string(source.line) + (source.function.empty() ? "" : " in " + source.function);
}

}  // namespace gg::fx
