#include "prover/checker/syntax.h"

#include <algorithm>

#include "models/base/file.h"

namespace gg::checker {
namespace {

// --- terms and index forms

IndexSyntax parse_index(Scanner& in, std::size_t depth);

std::vector<IndexSyntax> parse_indices(Scanner& in, std::size_t depth) {
  std::vector<IndexSyntax> list;
  in.expect('[');
  while (!in.accept(']')) {
    if (!list.empty()) in.expect(',');
    list.push_back(parse_index(in, depth));
  }
  return list;
}

TermSyntax parse_term(Scanner& in, std::size_t depth);

IndexSyntax parse_atom(Scanner& in, std::size_t depth) {
  in.nesting(depth);
  IndexSyntax atom;
  if (in.accept('(')) {
    atom.kids.push_back(parse_index(in, depth + 1));
    atom.kind = IndexKind::Product;
    if (in.accept('*')) {
      atom.kids.push_back(parse_index(in, depth + 1));
    } else {
      in.expect('/');
      atom.kind = IndexKind::Div;
      atom.number = in.integer();
      if (atom.number < 1) in.fail("a division by " + std::to_string(atom.number));
    }
    in.expect(')');
    return atom;
  }
  if (in.accept('{')) {
    atom.kind = IndexKind::Data;
    atom.data.push_back(parse_term(in, depth + 1));
    in.expect('}');
    return atom;
  }
  const std::string word = in.letters();
  if (word == "v" || word == "b") {
    atom.kind = word == "v" ? IndexKind::Variable : IndexKind::Binder;
    atom.number = in.natural();
  } else if (word == "clamp") {
    atom.kind = IndexKind::Clamp;
    in.expect('(');
    atom.kids.push_back(parse_index(in, depth + 1));
    in.expect(',');
    atom.lo = in.integer();
    in.expect(',');
    atom.hi = in.integer();
    in.expect(')');
  } else if (word == "tab") {
    atom.kind = IndexKind::Table;
    in.expect('(');
    do atom.coefs.push_back(in.integer());
    while (in.accept(','));
    in.expect(';');
    atom.kids.push_back(parse_index(in, depth + 1));
    in.expect(')');
  } else {
    in.fail("an index variable, (, {, clamp or tab is expected");
  }
  return atom;
}

IndexSyntax parse_index(Scanner& in, std::size_t depth) {
  in.nesting(depth);
  IndexSyntax sum;
  for (bool first = true;; first = false) {
    std::int64_t sign = 1;
    if (in.accept('-')) sign = -1;
    else if (!first && !in.accept('+')) return sum;
    if (!in.digit()) {
      sum.coefs.push_back(sign);
      sum.kids.push_back(parse_atom(in, depth));
      continue;
    }
    const std::int64_t number = sign * in.natural();
    if (in.accept('*')) {
      sum.coefs.push_back(number);
      sum.kids.push_back(parse_atom(in, depth));
    } else if (__builtin_add_overflow(sum.number, number, &sum.number)) {
      in.fail("an integer out of range");
    }
  }
}

std::vector<std::pair<std::int64_t, std::int64_t>> parse_binders(Scanner& in) {
  std::vector<std::pair<std::int64_t, std::int64_t>> binders;
  in.expect('[');
  while (!in.accept(']')) {
    if (!binders.empty()) in.expect(',');
    in.expect('b');
    const std::int64_t name = in.natural();
    in.expect(':');
    binders.emplace_back(name, in.natural());
  }
  return binders;
}

TermSyntax parse_list(Scanner& in, std::size_t depth) {
  TermSyntax term;
  term.kind = TermKind::List;
  term.where = in.where();
  in.expect('(');
  term.head = in.until(" :)");
  if (in.accept(':')) term.type = in.until(" )");
  if (term.head == "ge" || term.head == "eq") {
    in.expect(' ');
    term.index.push_back(parse_index(in, depth + 1));
  } else if (term.head == "wrap") {
    in.expect(' ');
    term.type = in.until(" ");
    in.expect(' ');
    term.index.push_back(parse_index(in, depth + 1));
  } else {
    if (term.head == "row") {
      in.expect(' ');
      term.type = in.until(" ");
      in.expect(' ');
      term.number = in.natural();
    }
    const bool row = term.head == "row";
    if (row || in.ahead(" [")) {
      in.expect(' ');
      term.binders = parse_binders(in);
    }
    if (row) {
      in.expect(' ');
      term.index = parse_indices(in, depth + 1);
    }
    while (in.accept(' ')) {
      const bool power = term.head == "^" && !term.kids.empty();
      if (power) {
        term.value = in.rational();
        break;
      }
      term.kids.push_back(parse_term(in, depth + 1));
    }
  }
  in.expect(')');
  return term;
}

TermSyntax parse_read(Scanner& in, std::string head, std::size_t depth) {
  TermSyntax term;
  term.kind = TermKind::Read;
  term.head = std::move(head);
  term.number = term.head == "k" ? in.natural() : in.name(term.head[0]);
  term.index = parse_indices(in, depth + 1);
  if (in.accept('!')) term.levels = in.digit() ? in.natural() : 1;
  return term;
}

TermSyntax parse_term(Scanner& in, std::size_t depth) {
  in.nesting(depth);
  const Location where = in.where();
  if (in.peek() == '(') return parse_list(in, depth);
  TermSyntax term;
  if (in.accept('?')) {
    term.kind = TermKind::Unknown;
  } else if (in.digit() || (in.peek() == '-' && !in.ahead("-inf"))) {
    term.value = in.rational();
  } else {
    const bool minus = in.accept('-');
    const std::string word = in.letters();
    if (minus) {
      if (word != "inf") in.fail("-inf is expected");
      term.kind = TermKind::MinusInf;
    } else if (word == "inf") {
      term.kind = TermKind::Inf;
    } else if (word == "nan") {
      term.kind = TermKind::NaN;
    } else if (word == "true" || word == "false") {
      term.kind = word == "true" ? TermKind::True : TermKind::False;
    } else if (word == "i" || word == "f") {
      term.kind = TermKind::Form;
      in.expect('(');
      term.index.push_back(parse_index(in, depth + 1));
      in.expect(')');
    } else if (word == "s" || word == "x" || word == "g" || word == "k") {
      term = parse_read(in, word, depth);
    } else {
      in.fail("'" + word + "' begins no term");
    }
  }
  term.where = where;
  return term;
}

// --- lines

void parse_split(Scanner& in, LineSyntax& line) {
  if (!in.take(" split ")) return;
  do {
    if (!in.take("v")) in.fail("a variable is expected");
    line.split.push_back(in.natural());
  } while (in.take(","));
}

LineSyntax parse_record(Scanner& in, bool distributed) {
  LineSyntax line;
  line.distributed = distributed;
  line.leaf = in.natural();
  in.expect(' ');
  line.instance = in.until(" ");
  in.expect(' ');
  in.begin_form();
  line.term = parse_term(in, 0);
  if (in.take(" |")) {
    while (in.ahead(" ") && !in.ahead(" left ") && !in.ahead(" split ")) {
      in.expect(' ');
      line.marks.push_back(parse_term(in, 0));
      if (line.marks.back().kind != TermKind::Read || line.marks.back().levels < 1) in.fail("a marked read is expected");
    }
  }
  if (in.take(" left ")) line.left = in.natural();
  parse_split(in, line);
  line.form = in.take_form();
  return line;
}

bool take_side(Scanner& in) {
  if (in.take("S ")) return false;
  if (!in.take("D ")) in.fail("S or D is expected");
  return true;
}

LineSyntax parse_line(Scanner& in) {
  LineSyntax line;
  const Location where = in.where();
  if (in.take("S ")) {
    line = parse_record(in, false);
  } else if (in.take("D ")) {
    line = parse_record(in, true);
  } else if (in.take("output ")) {
    line.kind = LineKind::Output;
    line.number = in.natural();
    if (!in.take(" left ")) in.fail("'left' is expected");
    line.left = in.natural();
    if (!in.take(" right ")) in.fail("'right' is expected");
    line.right = in.natural();
    parse_split(in, line);
  } else if (in.take("invariant ")) {
    line = parse_record(in, take_side(in));
    line.kind = LineKind::Invariant;
  } else if (in.take("closed ")) {
    line = parse_record(in, take_side(in));
    line.kind = LineKind::Closed;
  } else if (in.ahead("loop ") || in.ahead("unroll ")) {
    line.kind = LineKind::Loop;
    line.unrolled = !in.take("loop ");
    if (line.unrolled) in.take("unroll ");
    line.distributed = take_side(in);
    line.number = in.natural();
    in.expect(' ');
    line.instance = in.until("");
  } else if (in.take("simulate ")) {
    line.kind = LineKind::Loop;
    line.simulated = true;
    line.distributed = take_side(in);
    line.instance = in.until(" ");
    if (line.distributed) {
      in.expect(' ');
      line.follows = in.until("");
    }
  } else if (in.take("carry ")) {
    line.kind = LineKind::Carry;
    line.number = in.natural();
    in.expect(' ');
    line.leaf = in.natural();
    in.expect(' ');
    line.instance = in.until(" ");
    line.finite = in.take(" finite");
  } else {
    const bool array = in.take("array "), anchor = !array && in.take("anchor ");
    if (!array && !anchor && !in.take("gap ")) {
      in.fail("a line begins with array, anchor, carry, S, D, gap, loop, unroll, simulate, invariant, closed, output or end");
    }
    line.kind = array ? LineKind::Array : anchor ? LineKind::Anchor : LineKind::Gap;
    line.number = in.natural();
    in.expect(' ');
    if (!anchor) line.distributed = take_side(in);
    line.leaf = in.natural();
    in.expect(' ');
    line.instance = in.until("");
  }
  line.where = where;
  in.end_of_line();
  return line;
}

std::string header(Scanner& in, std::string_view word) {
  if (!in.take(word) || !in.take(" ")) in.fail("'" + std::string(word) + "' is expected");
  const std::string rest = in.until("");
  in.end_of_line();
  return rest;
}

// The name, then as many arguments as its row of assumptions.def has, the last one to the end of the line.
Assumption parse_assumption(Scanner& in) {
  std::string rest = header(in, "assume");
  const std::string name = rest.substr(0, rest.find(' '));
  const auto kind = assumption_kind(name);
  if (!kind) in.fail("unknown assumption '" + name + "'");
  Assumption assumption{*kind, {}};
  const std::size_t wanted = info(*kind).arguments;
  rest.erase(0, name.size());
  for (std::size_t k = 0; k < wanted; ++k) {
    const std::size_t end = k + 1 < wanted ? rest.find(' ', 1) : rest.size();
    if (rest.size() < 2 || rest[0] != ' ' || end == std::string::npos) {
      in.fail("'assume " + name + "' needs " + std::to_string(wanted) + " arguments");
    }
    assumption.arguments.push_back(rest.substr(1, end - 1));
    rest.erase(0, end);
  }
  if (!rest.empty()) in.fail("'assume " + name + "' takes no more arguments");
  return assumption;
}

}  // namespace

namespace {

// Lines come in this order: arrays, anchors and carries, of the sequential program, of the distributed one, outputs.
int stage_of(const LineSyntax& line) {
  switch (line.kind) {
    case LineKind::Array: return 0;
    case LineKind::Anchor: case LineKind::Carry: return 1;
    case LineKind::Output: return 4;
    default: return line.distributed || line.kind == LineKind::Gap ? 3 : 2;
  }
}

}  // namespace

CertificateSyntax parse_certificate(std::string_view text, const std::string& file) {
  Scanner in(text, file);
  if (text.size() > kMaxBytes) in.fail("a certificate larger than 1 GiB");
  CertificateSyntax result;
  if (header(in, "gg-certificate") != "1") in.fail("a certificate of another version");
  result.sequential = header(in, "sequential");
  result.distributed = header(in, "distributed");
  result.relation = header(in, "relation");
  while (in.ahead("assume ")) result.assumptions.push_back(parse_assumption(in));
  for (std::size_t k = 1; k < result.assumptions.size(); ++k) {
    if (!(result.assumptions[k - 1] < result.assumptions[k])) in.fail("assumptions are sorted and unique");
  }
  int stage = 0;  // arrays, anchors, S lines, D lines and gaps, outputs
  while (!in.ahead("end ")) {
    LineSyntax line = parse_line(in);
    const int at = stage_of(line);
    if (at < stage) in.fail("lines are ordered: array, anchor, S, D and gap, output");
    stage = at;
    result.lines.push_back(std::move(line));
  }
  const std::size_t body = in.position();
  const std::string hash = header(in, "end");
  if (!in.at_end()) in.fail("text after the end line");
  if (hash != content_hash(text.substr(0, body))) in.fail("the end line's hash is not that of the text before it");
  return result;
}

}  // namespace gg::checker
