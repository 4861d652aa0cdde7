// Terms and index forms of the certificate's text (docs/certificate.md, section 3).
#include "prover/checker/syntax.h"

namespace gg::checker {
namespace {

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

IndexSyntax parse_atom(Scanner& in, std::size_t depth) {
  in.nesting(depth);
  IndexSyntax atom;
  if (in.accept('(')) {
    atom.kids.push_back(parse_index(in, depth + 1));
    atom.kind = IndexKind::Product;
    if (in.accept('*')) {
      atom.kids.push_back(parse_index(in, depth + 1));
    } else {
      atom.kind = IndexKind::Div;
      atom.number = in.after('/').integer();
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
    atom.kids.push_back(parse_index(in.after('('), depth + 1));
    atom.lo = in.after(',').integer();
    atom.hi = in.after(',').integer();
    in.expect(')');
  } else if (word == "tab") {
    atom.kind = IndexKind::Table;
    in.expect('(');
    do atom.coefs.push_back(in.integer());
    while (in.accept(','));
    atom.kids.push_back(parse_index(in.after(';'), depth + 1));
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
    const std::int64_t name = in.after('b').natural();
    binders.emplace_back(name, in.after(':').natural());
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
  const bool wrap = term.head == "wrap", row = term.head == "row";
  if (wrap || row) term.type = in.after(' ').until(" ");
  if (wrap || term.head == "ge" || term.head == "eq") {
    term.index.push_back(parse_index(in.after(' '), depth + 1));
  } else {
    if (row) term.number = in.after(' ').natural();
    if (row || in.ahead(" [")) term.binders = parse_binders(in.after(' '));
    if (row) term.index = parse_indices(in.after(' '), depth + 1);
    while (in.accept(' ')) {
      if (term.head == "^" && !term.kids.empty()) {
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

}  // namespace

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
      term.index.push_back(parse_index(in.after('('), depth + 1));
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

}  // namespace gg::checker
