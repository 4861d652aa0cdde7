#include "models/fx/definitions.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/base/file.h"
#include "models/base/text.h"
#include "models/fx/aliases.h"
#include "models/fx/lowering.h"
#include "models/fx/nested.h"
#include "models/fx/scanner.h"

namespace gg::fx {
namespace {

using Kind = Argument::Kind;

constexpr std::string_view kOperator = "# Operator: ";

/// A parameter that is no tensor: any number, or this value only.
bool is_number(std::string_view type) { return type == "Scalar" || type == "None" || type == "True" || type == "False"; }

bool is_symbol(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// `T[n, 2*d]` against a type: binds symbols that stand alone. False where rank, type or a bound extent differ; products are checked later.
bool fits(const std::string& pattern, const Type& type, Sizes& sizes) {
  const std::size_t open = pattern.find('[');
  if (open == std::string::npos || pattern.back() != ']') return false;
  const std::string element = pattern.substr(0, open);
  if (element == "T") {
    if (!sizes.element) sizes.element = type.element;
    if (*sizes.element != type.element) return false;
  } else if (element_of(element) != type.element) {
    return false;
  }
  std::vector<std::string> dims;
  for (std::size_t at = open + 1; at + 1 < pattern.size();) {
    const std::size_t end = std::min(pattern.find(", ", at), pattern.size() - 1);
    dims.push_back(pattern.substr(at, end - at));
    at = end + (end + 1 < pattern.size() ? 2 : 1);
  }
  if (dims.size() != type.dims.size()) return false;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (is_symbol(dims[d])) {
      if (sizes.symbols.emplace(dims[d], type.dims[d]).first->second != type.dims[d]) return false;
    } else if (const auto value = sizes.value(dims[d]); value && *value != type.dims[d]) {
      return false;
    }
  }
  return true;
}

/// `NAME: "TYPE" = torch.ops.TARGET(ARGUMENT, ...`, as far as arguments stand by position.
Statement call_of(Scanner& scan, const Location& where) {
  Statement call;
  call.name = scan.identifier();
  call.where = where;
  if (scan.accept(":")) scan.quoted();
  if (!scan.accept("=") || !scan.accept("torch.ops.")) return call;
  call.target = scan.identifier(true);
  scan.expect("(");
  while (!scan.peek(")")) {
    Scanner ahead = scan;
    if (!ahead.identifier().empty() && ahead.accept("=")) {
      call.keywords.emplace_back(scan.identifier(), Argument{});
      break;
    }
    call.arguments.push_back(scan.argument());
    if (!scan.accept(",")) break;
  }
  return call;
}

/// Has an operator a meaning without a definition?
bool built_in(const std::string& target) {
  return find_overload(target) != nullptr || calls_graphs(target) || draws_numbers(target) || is_dropout(target) || !reshaping(target).empty() || target.rfind("_c10d_functional.", 0) == 0 || target == "aten.lift_fresh_copy.default";
}

/// Names of numbers become the numbers.
void put(Argument& argument, const std::map<std::string, Argument>& numbers) {
  const auto found = argument.kind == Kind::Name ? numbers.find(argument.text) : numbers.end();
  if (found != numbers.end()) argument = Argument(found->second);
  for (Argument& item : argument.items) put(item, numbers);
}

}  // namespace

const OpaqueCall* Definitions::opaque(const std::string& target) const {
  const auto found = opaque_.find(target);
  return found == opaque_.end() ? nullptr : &found->second;
}

std::vector<std::string> Definitions::written(const std::string& target) const {
  const auto found = variants_.find(target);
  return found == variants_.end() ? std::vector<std::string>{} : found->second[0].written;
}

const Argument* Definitions::argument(const Statement& call, const std::string& parameter) const {
  const auto& parameters = variants_.at(call.target)[0].parameters;
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == parameter; });
  GG_CHECK(found != parameters.end(), "'" + call.target + "' has no parameter '" + parameter + "'");
  const auto position = static_cast<std::size_t>(found - parameters.begin());
  if (position < call.arguments.size()) return &call.arguments[position];
  const auto keyword = std::find_if(call.keywords.begin(), call.keywords.end(), [&](const auto& g) { return g.first == parameter; });
  return keyword != call.keywords.end() ? &keyword->second : nullptr;
}

Definitions::Variant Definitions::variant(const std::string& file, std::uint32_t line, const std::string& chunk) const {
  Location where{file, line};
  Variant result{file, chunk, {}, {}, {}, where};
  for (const std::string_view row : lines_of(chunk)) {
    Scanner scan(row, where);
    if (scan.accept("def")) {
      scan.expect("forward");
      scan.expect("(");
      scan.expect("self");
      while (scan.accept(",")) {
        Parameter parameter{std::string(scan.identifier()), "", false, {}};
        scan.expect(":");
        parameter.type = scan.quoted();
        parameter.has_default = scan.accept("=");
        if (parameter.has_default) parameter.fallback = scan.argument();
        result.parameters.push_back(std::move(parameter));
      }
      scan.expect(")");
    } else if (scan.accept("return {")) {
      while (!scan.accept("}")) {
        if (!result.written.empty()) scan.expect(",");
        result.written.push_back(scan.quoted());
        scan.expect(":");
        scan.argument();
        const bool known = std::any_of(result.parameters.begin(), result.parameters.end(), [&](const Parameter& p) { return p.name == result.written.back(); });
        if (!known) scan.fail("'" + result.written.back() + "' is no parameter that could be written into", DiagCode::UnknownName);
      }
    } else if (!scan.peek("class ") && !scan.peek("return") && !scan.peek("#")) {
      Statement call = call_of(scan, where);
      if (!call.target.empty()) result.calls.push_back(std::move(call));
    }
    ++where.line;
  }
  return result;
}

void Definitions::load(const std::string& path) {
  const std::string whole = read_file(path);
  std::string target, chunk;
  std::uint32_t number = 0, first = 1;
  const auto close = [&] {
    if (chunk.empty()) return;
    if (target.empty()) throw InputError(DiagCode::Syntax, {path, first}, "a graph without '" + std::string(kOperator) + "NAMESPACE.OPERATOR.OVERLOAD' above it");
    auto& known = variants_[target];
    known.push_back(variant(path, first, chunk));
    if (known.back().written != known[0].written) throw InputError(DiagCode::UnsupportedForm, {path, first}, "the graphs of " + target + " write into different parameters");
    chunk.clear();
  };
  for (const std::string_view line : lines_of(whole)) {
    ++number;
    const bool names = line.compare(0, kOperator.size(), kOperator) == 0;
    if (names || line.compare(0, 6, "class ") == 0) close();
    if (names) {
      target = line.substr(kOperator.size());
      if (std::count(target.begin(), target.end(), '.') != 2) throw InputError(DiagCode::Syntax, {path, number}, "'" + target + "' is not of the form NAMESPACE.OPERATOR.OVERLOAD");
      hashes.emplace_back(target, content_hash(whole));
    } else if (!chunk.empty() || line.compare(0, 6, "class ") == 0) {
      if (chunk.empty()) first = number;
      chunk += std::string(line) + "\n";
    }
  }
  close();
  if (variants_.empty()) throw InputError(DiagCode::Syntax, {path, number}, "the file defines no operator");
  text += whole;
}

void Definitions::check() const {
  for (const auto& [target, variants] : variants_) {
    Statement own;
    own.target = target;
    const bool writes_known = writes(own) && find_overload(std::string(target).erase(target.rfind('.') - 1, 1)) != nullptr;
    if (built_in(target) || writes_known) throw InputError(DiagCode::UnsupportedForm, variants[0].where, "torch.ops." + target + " is built in: it takes no other meaning");
    for (const Variant& variant : variants) {
      for (const Statement& call : variant.calls) {
        const std::string what = "torch.ops." + call.target + " ('" + call.name + "')";
        if (writes(call) || !reshaping(call.target).empty() || updates(call) != nullptr || !written(call.target).empty()) {
          throw InputError(DiagCode::UnsupportedForm, call.where, what + " writes into a tensor: a definition writes by what it returns (return {'input': y})");
        }
        if (built_in(call.target) || knows(call.target)) continue;
        std::vector<std::string> notes;
        for (const std::string& name : nearest_overloads(call.target)) notes.push_back("known is torch.ops." + name);
        throw InputError(DiagCode::UnsupportedOps, call.where, what + ", in the definition of " + target + ", is not known", notes);
      }
    }
  }
}

Meaning Definitions::meaning(const Statement& call, const std::function<const Type*(const std::string&)>& type_of) const {
  used.insert(call.target);
  std::vector<std::string> notes;
  for (const Variant& variant : variants_.at(call.target)) {
    Sizes sizes;
    Meaning result;
    std::map<std::string, Argument> numbers;
    std::string signature;
    bool fit = call.arguments.size() <= variant.parameters.size();
    for (std::size_t k = 0; k < variant.parameters.size(); ++k) {
      const Parameter& p = variant.parameters[k];
      signature += (k == 0 ? "" : ", ") + p.name + ": " + p.type;
      const auto keyword = std::find_if(call.keywords.begin(), call.keywords.end(), [&](const auto& given) { return given.first == p.name; });
      const Argument* given = k < call.arguments.size() ? &call.arguments[k] : keyword != call.keywords.end() ? &keyword->second
                                                                           : p.has_default                    ? &p.fallback
                                                                                                              : nullptr;
      const Type* type = given != nullptr && given->kind == Kind::Name ? type_of(given->text) : nullptr;
      if (given == nullptr) {
        fit = false;
      } else if (is_number(p.type)) {
        fit = fit && given->kind != Kind::Name && (given->kind == Kind::None) == (p.type == "None");
        if (p.type == "True" || p.type == "False") fit = fit && given->kind == Kind::Bool && (given->integer != 0) == (p.type == "True");
        numbers[p.name] = *given;
        if (given->kind == Kind::Integer) sizes.symbols.emplace(p.name, given->integer);
      } else {
        fit = fit && type != nullptr && fits(p.type, *type, sizes);
        result.inputs.push_back(given->text);
      }
    }
    for (const auto& [name, given] : call.keywords) {
      fit = fit && std::any_of(variant.parameters.begin(), variant.parameters.end(), [&n = name](const Parameter& p) { return p.name == n; });
    }
    notes.push_back("defined in " + variant.file + " for (" + signature + ")");
    if (!fit) continue;
    for (const auto& [name, value] : sizes.symbols) {  // numbers by name, but for those that are put in as what they are
      if (numbers.count(name) == 0) sizes.names.emplace(name, value);
    }
    result.graph = std::move(read_graphs(variant.text, variant.file, sizes).front());
    for (Statement& s : result.graph.statements) {
      for (Argument& argument : s.arguments) put(argument, numbers);
      for (auto& [name, argument] : s.keywords) put(argument, numbers);
    }
    return result;
  }
  throw InputError(DiagCode::UnsupportedForm, call.where, "torch.ops." + call.target + " ('" + call.name + "'): no definition fits its arguments", notes);
}

}  // namespace gg::fx
