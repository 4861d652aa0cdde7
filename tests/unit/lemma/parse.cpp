#include "tests/unit/lemma/parse.h"

#include <algorithm>

namespace gg::lemma {
namespace {

Expr node(Op op, std::vector<Expr> kids) {
  Expr e{op};
  e.kids = std::move(kids);
  return e;
}
Expr number_of(std::int64_t n) {
  Expr e{Op::Number};
  e.number = n;
  return e;
}
Expr named(Op op, std::string name, std::vector<Expr> kids = {}) {
  Expr e = node(op, std::move(kids));
  e.name = std::move(name);
  return e;
}

}  // namespace

bool Parser::accept(char c) {
  if (peek() != c) return false;
  ++at_;
  return true;
}
void Parser::expect(char c) {
  if (!accept(c)) fail(std::string("'") + c + "' is expected");
}
void Parser::end() {
  if (!at_end()) fail("more than one term");
}

std::int64_t Parser::natural() {
  if (!digit()) fail("a number is expected");
  std::int64_t n = 0;
  while (digit()) n = 10 * n + (text_[at_++] - '0');
  return n;
}
std::int64_t Parser::integer() { return accept('-') ? -natural() : natural(); }

std::string Parser::word() {
  std::string w;
  while ((peek() >= 'a' && peek() <= 'z') || (!w.empty() && digit()) || peek() == '_') w += text_[at_++];
  if (w.empty()) fail("a name is expected");
  return w;
}

std::vector<Expr> Parser::indices() {
  std::vector<Expr> list;
  if (!accept('[')) return list;
  do list.push_back(index());
  while (accept(','));
  expect(']');
  return list;
}

// sum of products; `-` is a product with -1
Expr Parser::index() {
  Expr total;
  bool first = true;
  while (true) {
    bool minus = false;
    if (accept('-')) minus = true;
    else if (!first && !accept('+')) return total;
    Expr p = product();
    if (minus) p = node(Op::Multiply, {number_of(-1), std::move(p)});
    total = first ? std::move(p) : node(Op::Add, {std::move(total), std::move(p)});
    first = false;
  }
}

Expr Parser::product() {
  Expr p = primary();
  while (true) {
    const Op op = peek() == '*' ? Op::Multiply : peek() == '/' ? Op::Divide
                                             : peek() == '%'   ? Op::Modulo
                                                               : Op::Number;
    if (op == Op::Number) return p;
    ++at_;
    p = node(op, {std::move(p), primary()});
  }
}

Expr Parser::primary() {
  if (digit()) return number_of(natural());
  if (accept('(')) {
    Expr e = index();
    expect(')');
    return e;
  }
  if (accept('{')) {
    Expr e = node(Op::Data, {term()});
    expect('}');
    return e;
  }
  const std::string w = word();
  if (w == "clamp" && accept('(')) {
    Expr e = node(Op::Clamp, {index()});
    for (int k = 0; k < 2; ++k) {
      expect(',');
      e.kids.push_back(index());
    }
    expect(')');
    return e;
  }
  if (w == "tab" && accept('(')) {
    Expr e{Op::Table};
    do e.list.push_back(integer());
    while (accept(','));
    expect(';');
    e.kids.push_back(index());
    expect(')');
    return e;
  }
  return peek() == '[' ? named(Op::Read, w, indices()) : named(Op::Name, w);
}

Expr Parser::list() {
  std::string head;
  while (peek() != ' ' && peek() != ')' && peek() != ':' && peek() != '\0') head += text_[at_++];
  Expr e = named(Op::Call, head);
  if (accept(':')) e.type = word();
  if (head == "ge" || head == "eq" || head == "wrap") {
    expect(' ');
    e.op = head == "ge" ? Op::Ge : head == "eq" ? Op::Eq
                                                : Op::Wrap;
    if (head == "wrap") {
      e.type = word();
      expect(' ');
    }
    e.kids.push_back(index());
    expect(')');
    return e;
  }
  bool first = true;
  while (accept(' ')) {
    if (first && peek() == '[') {
      expect('[');
      e.op = Op::Fold;
      do {
        std::string name = word();
        expect(':');
        e.binders.push_back(std::move(name));
        e.extents.push_back(index());
      } while (accept(','));
      expect(']');
    } else if (head == "^" && !first) {
      e.op = Op::Power;
      e.number = integer();
      if (accept('/')) e.den = natural();
    } else {
      e.kids.push_back(term());
    }
    first = false;
  }
  expect(')');
  return e;
}

Expr Parser::term() {
  if (accept('(')) return list();
  const auto special = [](std::int64_t n) {
    Expr e{Op::Special};
    e.number = n;
    return e;
  };
  if (text_.substr(at_, 4) == "-inf") {
    at_ += 4;
    return special(-1);
  }
  if (digit() || peek() == '-') {
    Expr e{Op::Rational};
    e.number = integer();
    if (accept('/')) e.den = natural();
    return e;
  }
  const std::string w = word();
  if (w == "inf") return special(1);
  if (w == "nan") return special(0);
  if (w == "true" || w == "false") return Expr{w == "true" ? Op::True : Op::False};
  if ((w == "i" || w == "f") && accept('(')) {
    Expr e = node(w == "i" ? Op::Integer : Op::Real, {index()});
    expect(')');
    return e;
  }
  return named(Op::Read, w, indices());
}

Decl Parser::decl(const std::string& kind) {
  static constexpr std::pair<const char*, std::uint8_t> kClasses[] = {
      {"any", 63}, {"finite", kNeg | kZero | kPos}, {"positive", kPos}, {"nonnegative", kZero | kPos | kPosInf}, {"nonzero", kNeg | kPos}, {"below", kNegInf | kNeg | kZero | kPos}, {"noinf", kNeg | kZero | kPos | kNaN}};
  Decl d;
  d.name = word();
  if (kind == "index") {
    d.kind = DeclKind::Index;
    expect('<');
    d.extent = index();
    return d;
  }
  d.extents = indices();
  if (kind == "size") return d;
  if (kind == "int") {
    d.kind = DeclKind::Int;
    d.lo = -12;
    d.hi = 12;
    if (accept(' ')) {
      d.bounded = true;
      d.lo = integer();
      expect('.');
      expect('.');
      d.hi = integer();
    }
    return d;
  }
  if (kind == "bool") {
    d.kind = DeclKind::Bool;
    return d;
  }
  d.kind = DeclKind::Real;
  for (const auto& [name, classes] : kClasses) {
    if (kind == name) d.classes = classes;
  }
  if (d.classes == 0) fail("'" + kind + "' is no kind of value");
  return d;
}

Expr parse_term(const std::string& text) {
  Parser p(text);
  Expr e = p.term();
  p.end();
  return e;
}

Expr parse_index(const std::string& text) {
  Parser p(text);
  Expr e = p.index();
  p.end();
  return e;
}

}  // namespace gg::lemma
