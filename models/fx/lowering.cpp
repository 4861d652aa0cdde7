// Binding of arguments to schemas, and the list of all rows.
#include "models/fx/lowering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "models/base/text.h"
#include "models/fx/scanner.h"

namespace gg::fx {
namespace {

using Kind = Argument::Kind;

/// Arguments that no value hangs on.
constexpr std::array<std::string_view, 9> kIgnored = {"pin_memory", "requires_grad", "layout", "device", "memory_format", "non_blocking", "timeout", "async_op", "asyncOp"};

struct Parameter {
  std::string name;
  std::optional<Argument> fallback;
  bool keyword_only = false;
};

std::vector<Parameter> parameters_of(const Overload& overload) {
  std::vector<Parameter> result;
  const Location nowhere;
  Scanner scan(overload.schema, nowhere);
  bool keyword_only = false;
  while (!scan.at_end()) {
    if (!result.empty() || keyword_only) scan.expect(",");
    if (scan.accept("*")) {
      keyword_only = true;
      continue;
    }
    Parameter parameter{std::string(scan.identifier()), std::nullopt, keyword_only};
    if (scan.accept("=")) parameter.fallback = scan.argument();
    result.push_back(std::move(parameter));
  }
  return result;
}

}  // namespace

std::vector<Argument> bound_arguments(const Overload& overload, const Statement& statement) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError(DiagCode::UnsupportedForm, statement.where, statement.target + " '" + statement.name + "': " + problem);
  };
  const auto parameters = parameters_of(overload);
  std::vector<bool> given(parameters.size(), false);
  std::vector<Argument> arguments(parameters.size());
  for (std::size_t k = 0; k < statement.arguments.size(); ++k) {
    if (k >= parameters.size() || parameters[k].keyword_only) refuse("it takes at most " + std::to_string(k) + " arguments by position");
    arguments[k] = statement.arguments[k];
    given[k] = true;
  }
  for (const auto& [name, value] : statement.keywords) {
    const auto found = std::find_if(parameters.begin(), parameters.end(), [&n = name](const Parameter& p) { return p.name == n; });
    if (found == parameters.end()) {
      if (std::find(kIgnored.begin(), kIgnored.end(), name) != kIgnored.end()) continue;
      refuse("it has no argument '" + name + "' (its arguments: " + std::string(overload.schema) + ")");
    }
    const auto k = static_cast<std::size_t>(found - parameters.begin());
    if (given[k]) refuse("its argument '" + name + "' is given twice");
    arguments[k] = value;
    given[k] = true;
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (given[k]) continue;
    if (!parameters[k].fallback) refuse("its argument '" + parameters[k].name + "' is missing");
    arguments[k] = *parameters[k].fallback;
  }
  return arguments;
}

Operation::Operation(Emitter& emitter, const Groups& the_groups, const Overload& overload, const Statement& the_statement,
                     const std::function<Value(const std::string&)>& lookup, Dense memory)
    : e(emitter), groups(the_groups), statement(the_statement), dense(memory), lookup_(lookup), arguments_(bound_arguments(overload, the_statement)) {}

void Operation::refuse(const std::string& problem) const {
  throw InputError(DiagCode::UnsupportedForm, statement.where, statement.target + " '" + statement.name + "': " + problem);
}

Value Operation::value(const Argument& argument) const {
  if (argument.kind != Kind::Name) refuse("expected a tensor among its arguments");
  return lookup_(argument.text);
}

bool Operation::is_tensor(std::size_t k) const { return arguments_[k].kind == Kind::Name && value(arguments_[k]).kind == Value::Kind::Tensor; }

NodeId Operation::tensor(std::size_t k) const {
  const Value found = value(arguments_[k]);
  if (found.kind != Value::Kind::Tensor) refuse("'" + arguments_[k].text + "' is no tensor");
  return found.node;
}

std::vector<std::optional<NodeId>> Operation::optional_tensors(std::size_t k) const {
  std::vector<std::optional<NodeId>> result;
  if (arguments_[k].kind != Kind::List) refuse("expected a list of tensors");
  for (const Argument& item : arguments_[k].items) {
    if (item.kind == Kind::None) {
      result.push_back(std::nullopt);
      continue;
    }
    const Value found = value(item);
    if (found.kind != Value::Kind::Tensor) refuse("'" + item.text + "' is no tensor");
    result.push_back(found.node);
  }
  return result;
}

std::vector<NodeId> Operation::tensors(std::size_t k) const {
  std::vector<NodeId> result;
  for (const auto& item : optional_tensors(k)) {
    if (!item) refuse("None in a list of tensors");
    result.push_back(*item);
  }
  return result;
}

std::int64_t Operation::integer(std::size_t k) const {
  if (arguments_[k].kind == Kind::Table) refuse("argument " + std::to_string(k) + " differs between the ranks");
  if (arguments_[k].kind != Kind::Integer && arguments_[k].kind != Kind::Bool) refuse("argument " + std::to_string(k) + " is no integer");
  return arguments_[k].integer;
}

double Operation::number(std::size_t k) const {
  return arguments_[k].kind == Kind::Float ? arguments_[k].real : static_cast<double>(integer(k));
}

bool Operation::flag(std::size_t k) const { return integer(k) != 0; }

std::string Operation::text(std::size_t k) const {
  if (arguments_[k].kind == Kind::Name) return names(k)[0];  // an object that the relation explains
  if (arguments_[k].kind != Kind::String) refuse("argument " + std::to_string(k) + " is no string");
  return arguments_[k].text;
}

std::vector<std::int64_t> Operation::integers(std::size_t k) const {
  if (arguments_[k].kind == Kind::Integer) return {arguments_[k].integer};
  if (arguments_[k].kind != Kind::List) refuse("argument " + std::to_string(k) + " is no list of integers");
  std::vector<std::int64_t> result;
  for (const Argument& item : arguments_[k].items) {
    if (item.kind != Kind::Integer) refuse("argument " + std::to_string(k) + " is no list of integers (or differs between the ranks)");
    result.push_back(item.integer);
  }
  return result;
}

std::vector<double> Operation::numbers(std::size_t k) const {
  if (arguments_[k].kind != Kind::List) refuse("argument " + std::to_string(k) + " is no list of numbers");
  std::vector<double> result;
  for (const Argument& item : arguments_[k].items) {
    if (item.kind != Kind::Integer && item.kind != Kind::Float) refuse("argument " + std::to_string(k) + " is no list of numbers");
    result.push_back(item.kind == Kind::Float ? item.real : static_cast<double>(item.integer));
  }
  return result;
}

std::vector<bool> Operation::mask(std::size_t k, std::size_t count) const {
  std::vector<bool> result;
  for (const Argument& item : arguments_[k].items) result.push_back(item.kind == Kind::Bool && item.integer != 0);
  if (result.size() != count) refuse("a mask of " + std::to_string(result.size()) + " entries for " + std::to_string(count) + " results");
  return result;
}

std::optional<ElementType> Operation::dtype(std::size_t k) const {
  if (none(k)) return std::nullopt;
  const auto found = arguments_[k].kind == Kind::Word ? dtype_of(arguments_[k].text) : std::nullopt;
  if (!found) refuse("argument " + std::to_string(k) + " is no type of torch");
  return found;
}

std::int64_t Operation::wrap(std::int64_t d, std::size_t rank) const {
  const auto n = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
  if (d < -n || d >= n) refuse("dimension " + std::to_string(d) + " of a tensor of " + std::to_string(rank) + " dimensions");
  return d < 0 ? d + n : d;
}

std::vector<std::int64_t> Operation::dim_list(std::size_t k, std::size_t rank) const {
  std::vector<std::int64_t> result;
  if (!none(k)) {
    for (const std::int64_t d : integers(k)) result.push_back(wrap(d, rank));
  }
  if (rank == 0) return {};
  if (result.empty()) {
    for (std::size_t d = 0; d < rank; ++d) result.push_back(static_cast<std::int64_t>(d));
  }
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) refuse("a dimension is listed twice");
  return result;
}

std::vector<std::int64_t> Operation::by_rank(std::size_t k) const {
  std::vector<std::int64_t> result;
  if (arguments_[k].kind != Kind::Table) return std::vector<std::int64_t>(static_cast<std::size_t>(groups.ranks), integer(k));
  for (const Argument& item : arguments_[k].items) {
    if (item.kind != Kind::Integer) refuse("argument " + std::to_string(k) + " is no integer on every rank");
    result.push_back(item.integer);
  }
  return result;
}

std::vector<std::string> Operation::names(std::size_t k) const {
  std::vector<std::string> result;
  const Argument& argument = arguments_[k];
  for (const Argument& item : argument.kind == Kind::Table ? argument.items : std::vector<Argument>{argument}) {
    if (item.kind == Kind::Name) {
      const Value found = lookup_(item.text);
      if (found.kind != Value::Kind::Object) refuse("'" + item.text + "' is no process group");
      result.push_back(found.object);
    } else if (item.kind == Kind::String) {
      result.push_back(item.text);
    } else {
      refuse("argument " + std::to_string(k) + " names no process group");
    }
  }
  return result;
}

NodeId Operation::operand(std::size_t k, ElementType type) const {
  const Argument& argument = arguments_[k];
  if (argument.kind == Kind::Name) return e.convert(tensor(k), type);
  if (argument.kind == Kind::Table) {
    std::vector<double> values;
    for (const Argument& item : argument.items) {
      if (item.kind != Kind::Integer && item.kind != Kind::Float && item.kind != Kind::Bool) refuse("argument " + std::to_string(k) + " is no number on every rank");
      if (std::abs(static_cast<double>(item.integer)) > 0x1p53) refuse("argument " + std::to_string(k) + " differs between the ranks, beyond 2^53");
      values.push_back(item.kind == Kind::Float ? item.real : static_cast<double>(item.integer));
    }
    return e.by_rank(type, values);
  }
  return argument.kind == Kind::Float ? e.number(type, argument.real) : e.integer(type, integer(k));
}

NodeId Operation::stored(std::size_t k, ElementType type) const {
  if (arguments_[k].kind == Kind::Integer && is_integral(type) && type != ElementType::Pred) {
    const std::int64_t value = arguments_[k].integer;
    const bool wraps = !is_signed(type) && value < 0 && value != std::numeric_limits<std::int64_t>::min();  // c10::overflows
    const std::int64_t size = wraps ? -value : value;
    if (wrap_to(type, size) != size) refuse("of " + std::to_string(value) + ", which is no number of the type " + std::string(info(type).name));
  }
  return operand(k, type);
}

bool Operation::is_float_literal(std::size_t k) const {
  const Argument& argument = arguments_[k];
  if (argument.kind != Kind::Table) return argument.kind == Kind::Float;
  return std::any_of(argument.items.begin(), argument.items.end(), [](const Argument& item) { return item.kind == Kind::Float; });
}

Value Operation::as(std::string_view overload, std::vector<Argument> arguments, std::optional<Type> stated) const {
  Statement other = statement;
  other.target = overload;
  other.arguments = std::move(arguments);
  other.keywords.clear();
  if (stated) other.type = std::move(stated);
  const std::function<Value(const std::string&)> lookup = [this](const std::string& name) {
    return name[0] == '%' ? Value::tensor(static_cast<NodeId>(std::stoul(name.substr(1)))) : lookup_(name);
  };
  const Overload& row = *find_overload(overload);
  other.arguments.resize(std::min(other.arguments.size(), parameters_of(row).size()));
  Operation inner(e, groups, row, other, lookup, {});
  return row.lower(inner);
}

Argument Operation::node(NodeId x) {
  Argument result;
  result.kind = Kind::Name;
  result.text = "%" + std::to_string(x);  // no name of a graph
  return result;
}

Argument Operation::whole(std::int64_t value) {
  Argument result;
  result.kind = Kind::Integer;
  result.integer = value;
  return result;
}

Argument Operation::whole(const std::vector<std::int64_t>& values) {
  Argument result;
  result.kind = Kind::List;
  for (const std::int64_t value : values) result.items.push_back(whole(value));
  return result;
}

const Type& Operation::out() const {
  if (!statement.type) refuse("torch printed no type for its result");
  return *statement.type;
}

std::span<const std::span<const Overload>> overload_groups() {
  static const std::array groups = {view_rows(), pointwise_rows(), composite_rows(), activation_rows(), reduction_rows(), matmul_rows(), attention_rows(), optimizer_rows(), indexing_rows(),
                                    scatter_rows(), rearrange_rows(), padding_rows(), convolution_rows(), pooling_rows(), channel_norm_rows(),
                                    norm_rows(), loss_rows(), creation_rows(), collective_rows(), foreach_rows(), random_rows(), exported_rows(), complex_rows()};
  return groups;
}

const Overload* find_overload(std::string_view name) {
  static const auto rows = [] {
    std::unordered_map<std::string_view, const Overload*> known;
    for (const auto& group : overload_groups()) {
      for (const Overload& row : group) known.emplace(row.name, &row);
    }
    return known;
  }();
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : found->second;
}

namespace {

/// `add` of `aten.add.Tensor`.
std::string_view operator_of(std::string_view name) {
  const std::size_t from = name.find('.') + 1, to = name.rfind('.');
  return to > from ? name.substr(from, to - from) : name.substr(from);
}

/// Letters in which two operators differ, where they are few enough to be a slip, or one name begins with the other.
std::optional<std::size_t> distance_of(std::string_view a, std::string_view b) {
  const std::string_view shorter = a.size() < b.size() ? a : b, longer = a.size() < b.size() ? b : a;
  const std::size_t far = edit_distance(a, b);
  if (far <= shorter.size() / 4) return far;
  return longer.starts_with(shorter) && longer[shorter.size()] == '_' ? std::optional(far) : std::nullopt;
}

}  // namespace

std::vector<std::string> nearest_overloads(std::string_view name) {
  std::vector<std::tuple<std::size_t, std::size_t, std::string>> found;
  for (const auto& group : overload_groups()) {
    for (const Overload& row : group) {
      const auto far = distance_of(operator_of(name), operator_of(row.name));
      if (far) found.emplace_back(*far, edit_distance(name, row.name), row.name);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> result;
  for (const auto& row : found) {
    if (result.size() < 3) result.push_back(std::get<2>(row));
  }
  return result;
}

}  // namespace gg::fx
