// Lines to statements, by the grammar of print_readable; whatever fits no line of it is an error.
#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "models/base/text.h"
#include "models/fx/known_mask.h"
#include "models/fx/log_prefix.h"
#include "models/fx/scanner.h"

namespace gg::fx {
namespace {

using StatementKind = Statement::Kind;

constexpr std::size_t kMaxGraphNesting = 8;

class Reader {
 public:
  /// `log`: what stands outside of graphs are messages.
  Reader(const std::string& file, bool log, Sizes sizes) : file_(file), log_(log), sizes_(std::move(sizes)), given_(sizes_) { where_.file = file; }

  void line(std::string_view text, std::uint32_t number, std::uint32_t column) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return;
    std::size_t last = text.find_last_not_of(" \t\r");
    const std::string_view body = text.substr(first, last + 1 - first);
    where_.line = number;
    where_.column = column + static_cast<std::uint32_t>(first) + 1;
    if (body[0] == '#') return comment(body);
    if (body.substr(0, 5) == "=====") return header(body);
    const std::size_t cls = body.find("class ");
    if (cls != std::string_view::npos && body.find("(torch.nn.Module):") != std::string_view::npos) return open(body);
    if (state_ == State::Outside) return log_ ? void() : preamble(body);
    Scanner scan(body, where_, &sizes_);
    if (state_ == State::Class) return forward(scan);
    if (state_ == State::Done && log_) return finish();
    if (state_ == State::Done) scan.unexpected("the end of the graph after its return");
    statement(scan, body);
  }

  void finish() {
    if (state_ == State::Class || state_ == State::Body) {
      throw InputError(DiagCode::Syntax, where_, "the graph has no return: the text is cut off");
    }
    state_ = State::Outside;
  }

  std::vector<Graph> graphs;
  std::int64_t rank = -1;

 private:
  enum class State : std::uint8_t { Outside,
                                    Class,
                                    Body,
                                    Done } state_ = State::Outside;

  /// The graph that is being read: nested ones stand behind their parent, further to the right.
  Graph& graph() {
    Graph* inner = &graphs.back();
    for (std::size_t depth = 1; depth < columns_.size(); ++depth) inner = &inner->nested.back();
    return *inner;
  }

  void comment(std::string_view body) {
    const std::int64_t printed = body.substr(0, 13) == "# Graph[rank=" ? number_after(body, "rank=") : -1;
    if (printed >= 0) rank = printed;
    const std::size_t file = body.find("File: ");
    source_ = -1;
    if (file == std::string_view::npos || graphs.empty()) return;
    const std::string_view place = body.substr(file + 6);
    for (std::size_t in = place.find(" in "); in != std::string_view::npos; in = place.find(" in ", in + 1)) {
      const std::size_t colon = place.substr(0, in).rfind(':');
      if (colon == std::string_view::npos || colon + 1 == in) continue;
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(place.data() + colon + 1, place.data() + in, number);
      if (error != std::errc() || end != place.data() + in) continue;
      const std::size_t code = place.find(", code:", in);
      source_ = static_cast<int>(graph().sources.size());
      graph().sources.push_back({std::string(place.substr(0, colon)), std::string(place.substr(in + 4, std::min(code, place.size()) - in - 4)), number});
      return;
    }
  }

  void header(std::string_view body) {
    finish();
    columns_.clear();
    title_ = std::string(body.substr(std::min(body.find_first_not_of("= "), body.size())));
    while (!title_.empty() && (title_.back() == '=' || title_.back() == ' ')) title_.pop_back();
  }

  // `import torch`, `f32: type`, paths that logs print before a class.
  void preamble(std::string_view body) {
    const bool known = body.substr(0, 7) == "import " || body.substr(0, 5) == "from " ||
                       (body.size() > 6 && body.substr(body.size() - 6) == ": type") || body.find(' ') == std::string_view::npos;
    if (!known) Scanner(body, where_).unexpected("a graph (class ...(torch.nn.Module):)");
  }

  void open(std::string_view body) {
    finish();
    while (!columns_.empty() && columns_.back() >= where_.column) columns_.pop_back();
    if (columns_.size() >= kMaxGraphNesting) throw InputError(DiagCode::TooDeep, where_, "graphs are nested deeper than " + std::to_string(kMaxGraphNesting));
    if (columns_.empty()) {
      graphs.push_back({});
      sizes_.symbols = given_.symbols;
    } else {
      graph().nested.push_back({});
    }
    columns_.push_back(where_.column);
    graph().file = file_;
    graph().rank = rank;
    graph().title = title_;
    const std::size_t cls = body.find("class ") + 6;
    graph().name = std::string(body.substr(cls, body.find('(', cls) - cls));
    names_ = {};
    freed_ = {};
    sizes_.names = given_.names;
    source_ = -1;
    state_ = State::Class;
  }

  /// `name`: a piece of the text, which outlives the reader.
  void define(std::string_view name) {
    freed_.erase(name);
    if (!names_.insert(name).second) throw InputError(DiagCode::DuplicateName, where_, "'" + std::string(name) + "' is defined twice");
  }

  void input(const Scanner& scan, std::string_view name, const std::string& type) {
    define(name);
    if (type == "Scalar" || type == "None" || type == "True" || type == "False") return;  // of a definition: the call has it
    if (const auto size = scan.symbol(type)) {
      sizes_.names[std::string(name)] = *size;
    } else {
      graph().inputs.push_back({std::string(name), scan.type(type), where_});
    }
  }

  // def forward(self, a: "f32[2]", b: "f32[3]"): with or without types.
  void forward(Scanner& scan) {
    scan.expect("def");
    scan.expect("forward");
    scan.expect("(");
    scan.expect("self");
    while (scan.accept(",")) {
      if (scan.peek(")")) break;
      const std::string_view name = scan.identifier();
      if (name.empty()) scan.unexpected("a parameter");
      if (scan.accept(":")) {
        input(scan, name, scan.quoted());
        if (scan.accept("=")) scan.argument();  // a definition's default
      } else {
        bare_.emplace_back(name);
      }
    }
    scan.expect(")");
    scan.expect(":");
    if (!bare_.empty() && !graph().inputs.empty()) scan.fail("'" + bare_.front() + "' has no type, other parameters have one");
    bare_.clear();
    state_ = State::Body;
  }

  /// `a: "f32[4]"; b: "f32[3]";`: the parameters of a joint graph.
  bool declarations(Scanner& scan, std::string_view name) {
    Scanner ahead = scan;
    const std::string one = ahead.quoted();
    if (!ahead.accept(";")) return false;
    scan = ahead;
    input(scan, name, one);
    while (!scan.at_end()) {
      name = scan.identifier();
      if (name.empty()) scan.unexpected("a declaration");
      scan.expect(":");
      input(scan, name, scan.quoted());
      scan.expect(";");
    }
    return true;
  }

  void statement(Scanner& scan, std::string_view body) {
    if (body.substr(0, 7) == "return " || body == "return") return result(scan);
    Statement made;
    made.where = where_;
    made.source = source_;
    const std::string_view name = scan.identifier();
    made.name = name;
    if (made.name.empty()) scan.unexpected("a statement");
    if (scan.peek(",") && body.find("fx_pytree.tree_flatten_spec(") != std::string_view::npos) return;
    if (scan.accept(":")) {
      if (graph().statements.empty() && declarations(scan, name)) return;
      const std::string text = scan.quoted();
      bind_taken(scan, text);
      if (const auto size = scan.symbol(text)) return integer(scan, made, name, *size);
      made.type = scan.type(text);
      made.row_major = Scanner::row_major(text, *made.type);
    }
    scan.expect("=");
    expression(scan, made);
    define(name);
    tail(scan);
    graph().statements.push_back(std::move(made));
  }

  /// `index: "f32[u0, 4]" = torch.ops.aten.index.Tensor(x, [mask])`: u0 is what a mask takes that hangs on no input.
  void bind_taken(Scanner ahead, const std::string& type) {
    const std::size_t open = type.find("[u");
    if (open == std::string::npos) return;
    const std::string symbol = type.substr(open + 1, type.find_first_of(",]", open) - open - 1);
    if (sizes_.symbols.count(symbol) != 0 || !ahead.accept("=") || !ahead.peek("torch.ops.aten.index.Tensor(")) return;
    Statement made;
    expression(ahead, made);
    if (made.arguments.size() != 2 || made.arguments[1].items.size() != 1 || made.arguments[1].items[0].kind != Argument::Kind::Name) return;
    if (const auto count = taken_by(graph(), made.arguments[1].items[0].text)) sizes_.symbols[symbol] = *count;
  }

  /// `floordiv: "Sym((s77//2))" = sym_size_int // 2`, or a call that gives an integer: torch printed which.
  void integer(Scanner& scan, Statement& made, std::string_view name, std::int64_t size) {
    scan.expect("=");
    if (scan.peek("torch.ops.")) {
      expression(scan, made);
    } else {
      const std::string text(scan.rest());
      const auto value = sizes_.value(text);
      if (!value) scan.fail("'" + text + "' is no expression of bound sizes", DiagCode::UnsupportedForm);
      if (*value != size) scan.fail("'" + text + "' is " + std::to_string(*value) + ", torch printed " + std::to_string(size), DiagCode::TypeMismatch);
    }
    define(name);
    tail(scan);
    sizes_.names[made.name] = size;
  }

  void read(const Argument& argument, const Scanner& scan) const {
    if (argument.kind == Argument::Kind::Name && names_.count(argument.text) == 0) {
      scan.fail("'" + argument.text + "' is not defined before", DiagCode::UnknownName);
    }
    if (argument.kind == Argument::Kind::Name && freed_.count(argument.text) != 0) scan.fail("'" + argument.text + "' is None: it was freed before", DiagCode::UnknownName);
    for (const Argument& item : argument.items) read(item, scan);
  }

  void expression(Scanner& scan, Statement& made) {
    if (scan.accept("torch.ops.")) {
      made.target = scan.identifier(true);
      if (std::count(made.target.begin(), made.target.end(), '.') != 2 && made.target.substr(0, 13) != "higher_order.") {
        scan.fail("'torch.ops." + made.target + "' is not of the form torch.ops.NAMESPACE.OPERATOR.OVERLOAD");
      }
      return call(scan, made);
    }
    if (scan.accept("self.")) {
      made.kind = StatementKind::Attribute;
      made.target = scan.identifier(true);
      return;
    }
    made.target = scan.identifier();
    if (made.target.empty()) scan.unexpected("torch.ops..., a name or self.NAME");
    Argument name;
    name.kind = Argument::Kind::Name;
    name.text = made.target;
    read(name, scan);
    made.kind = StatementKind::Copy;
    if (scan.accept("[")) {
      made.kind = StatementKind::Item;
      made.item = scan.argument();
      if (made.item.kind != Argument::Kind::Integer) scan.fail("an item is taken at an integer");
      scan.expect("]");
    }
  }

  void call(Scanner& scan, Statement& made) {
    scan.expect("(");
    bool first = true;
    while (!scan.accept(")")) {
      if (!first) scan.expect(",");
      if (!first && scan.accept(")")) break;
      first = false;
      Scanner ahead = scan;
      const std::string keyword(ahead.identifier());
      if (!keyword.empty() && ahead.accept("=") && !ahead.peek("=")) {
        scan = ahead;
        made.keywords.emplace_back(keyword, scan.argument());
        read(made.keywords.back().second, scan);
        continue;
      }
      if (!made.keywords.empty()) scan.unexpected("a keyword argument");
      made.arguments.push_back(scan.argument());
      read(made.arguments.back(), scan);
    }
  }

  // `;  x = y = None`: frees names, which nothing reads from here on.
  void tail(Scanner& scan) {
    if (scan.at_end()) return;
    scan.expect(";");
    while (!scan.at_end()) {
      const std::string_view name = scan.identifier();
      if (name.empty()) scan.unexpected("a name to free");
      freed_.insert(name);
      if (scan.accept(";")) continue;
      if (!scan.at_end()) scan.expect("=");
    }
  }

  void leaves(const Argument& value, Scanner& scan) {
    using ArgumentKind = Argument::Kind;
    if (value.kind == ArgumentKind::List) {
      for (const Argument& item : value.items) leaves(item, scan);
    } else if (value.kind == ArgumentKind::Name && sizes_.names.count(value.text) != 0) {
      return;
    } else if (value.kind == ArgumentKind::Name || value.kind == ArgumentKind::None) {
      graph().outputs.push_back(value);
    } else {
      scan.fail("a graph returns names, None, lists and dictionaries of them");
    }
  }

  // return x | [..] | (..) | {'k': x} | pytree.tree_unflatten([..], self._out_spec)
  void result(Scanner& scan) {
    scan.expect("return");
    graph().return_where = where_;
    const bool packed = scan.accept("pytree.tree_unflatten(");
    scan.forget_sizes();  // they stand among the leaves by name
    const Argument value = scan.peek("{") ? dictionary(scan, 0) : scan.argument();
    read(value, scan);
    leaves(value, scan);
    if (packed) {
      scan.expect(",");
      scan.argument();
      scan.expect(")");
    }
    tail(scan);
    state_ = State::Done;
  }

  Argument dictionary(Scanner& scan, int depth) {
    Argument result;
    result.kind = Argument::Kind::List;
    if (depth > 16) scan.fail("dictionaries are nested too deep", DiagCode::TooDeep);
    scan.expect("{");
    while (!scan.accept("}")) {
      if (!result.items.empty()) scan.expect(",");
      scan.argument();
      scan.expect(":");
      result.items.push_back(scan.peek("{") ? dictionary(scan, depth + 1) : scan.argument());
    }
    return result;
  }

  const std::string file_;
  const bool log_;
  Sizes sizes_;
  const Sizes given_;
  std::string title_;
  Location where_;
  std::vector<std::uint32_t> columns_;  ///< of the class lines of the graph that is read and of those around it
  std::unordered_set<std::string_view> names_;
  std::unordered_set<std::string_view> freed_;
  std::vector<std::string> bare_;
  int source_ = -1;
};

}  // namespace

std::vector<Graph> read_graphs(std::string_view text, const std::string& file, const Sizes& sizes) {
  struct Thread {
    Prefix prefix;
    Reader reader;
  };
  const bool log = is_log(text);
  std::vector<Thread> readers;  // the lines of several ranks and graphs may interleave
  std::size_t current = 0;
  std::uint32_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const Prefix prefix = prefix_of(line);
    const auto same = [&](const Thread& thread) { return thread.prefix.rank == prefix.rank && thread.prefix.graph == prefix.graph; };
    if (readers.empty() || !same(readers[current])) {
      const auto found = std::find_if(readers.begin(), readers.end(), same);
      current = static_cast<std::size_t>(found - readers.begin());
      if (found == readers.end()) {
        readers.push_back({prefix, Reader(file, log, sizes)});
        readers.back().reader.rank = prefix.rank;
      }
    }
    readers[current].reader.line(line.substr(prefix.length), number, static_cast<std::uint32_t>(prefix.length));
  }
  std::vector<Graph> graphs;
  for (Thread& thread : readers) {
    thread.reader.finish();
    for (Graph& graph : thread.reader.graphs) graphs.push_back(std::move(graph));
  }
  if (graphs.empty()) {
    throw InputError(DiagCode::Syntax, {file, number}, "there is no graph (class ...(torch.nn.Module):) in this text");
  }
  return graphs;
}

}  // namespace gg::fx
