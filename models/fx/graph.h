// FX graphs as torch prints them (GraphModule.print_readable, AOT logs): statements, nothing else. What an operator means is no
// matter here (models/fx/lowering.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/diag.h"
#include "models/fx/sizes.h"
#include "models/type/type.h"

namespace gg::fx {

/// One argument, or an item of a list. `Table`: a value for each rank, made by folding (models/fx/fold.h).
struct Argument {
  enum class Kind : std::uint8_t { Name,
                                   Integer,
                                   Float,
                                   Bool,
                                   None,
                                   String,
                                   Word,
                                   List,
                                   Table } kind = Kind::None;
  std::string text;             ///< Name, String, Word (`torch.float32`, `device(type='cpu')`)
  std::int64_t integer = 0;     ///< Integer, Bool
  double real = 0;              ///< Float
  std::vector<Argument> items;  ///< List (tuples too); Table: one a rank
  friend bool operator==(const Argument&, const Argument&) = default;
};

/// The value of a name.
inline Argument name_argument(std::string name) { return {Argument::Kind::Name, std::move(name), 0, 0, {}}; }

/// Calls `each` with the names in an argument, lists' items in order.
template <class F>
void each_name(const Argument& argument, const F& each) {
  if (argument.kind == Argument::Kind::Name) each(argument.text);
  for (const Argument& item : argument.items) each_name(item, each);
}

/// `# File: PATH:LINE in FUNCTION` above a statement.
struct Source {
  std::string file, function;
  std::int64_t line = 0;
};

/// `NAME: "TYPE" = EXPR`.
struct Statement {
  enum class Kind : std::uint8_t { Call,
                                   Item,
                                   Attribute,
                                   Copy } kind = Kind::Call;
  std::string name;
  std::optional<Type> type;  ///< none: a tuple, an object or None
  std::string target;        ///< Call: `aten.add.Tensor`; Item, Copy: the name read; Attribute: `_tensor_constant0`
  std::vector<Argument> arguments;
  std::vector<std::pair<std::string, Argument>> keywords;
  Argument item;  ///< Item: the position, an integer or a table
  Location where;
  int source = -1;         ///< in Graph::sources; -1 = unknown
  bool row_major = false;  ///< torch printed the strides of row-major order
};

/// The same with all arguments of a call.
template <class F>
void each_name(const Statement& call, const F& each) {
  for (const Argument& argument : call.arguments) each_name(argument, each);
  for (const auto& [keyword, argument] : call.keywords) each_name(argument, each);
}

struct Placeholder {
  std::string name;
  Type type;
  Location where;
};

/// One printed graph. `rank`: from `# Graph[rank=1]` or the prefix `[rank1]` of a log; -1 if it does not say.
struct Graph {
  std::string file;
  std::int64_t rank = -1;
  std::string title;          ///< what a log's header calls it: `Forward graph 0`
  std::string name;           ///< of its class: what a nested graph is called by (`self.true_graph_0`)
  std::vector<Graph> nested;  ///< those of cond, scan, while_loop, and of regions that are only marked
  std::vector<Placeholder> inputs;
  std::vector<Statement> statements;
  std::vector<Argument> outputs;  ///< leaves, depth first: Name or None
  Location return_where;
  std::vector<Source> sources;
  std::vector<std::string> written;   ///< inputs that hold something else at the end, which is no output
  std::vector<std::string> unwaited;  ///< collectives whose results are read before anything waits for them (waits.h)
};

/// The graphs of a text, in its order; symbols of sizes have the given values, and names that are integers become numbers. Throws InputError (Syntax, BadNumber, UnknownName, DuplicateName, UnsupportedForm, TooDeep).
std::vector<Graph> read_graphs(std::string_view text, const std::string& file, const Sizes& sizes = {});

/// torch's abbreviation of an element type (`f32`, `b8`), or nothing.
std::optional<ElementType> element_of(std::string_view abbreviation);
/// `torch.float32` or `torch.bool`, or nothing.
std::optional<ElementType> dtype_of(std::string_view word);
/// `torch.float32`.
std::string dtype_word(ElementType type);
/// `f32[2, 8]` as torch prints it.
std::string torch_text(const Type& type);

}  // namespace gg::fx
