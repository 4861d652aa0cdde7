#include "prover/checker/print.h"

#include "models/base/text.h"

namespace gg::checker {
namespace {

constexpr std::size_t kMaxText = 2000;

struct Printer {
  const Terms& t;
  std::size_t left = kMaxText;  ///< nodes

  std::string var(Var v) const {
    const VarNode& n = t[v];
    return (n.space == Space::Bound ? "b" : n.space == Space::Temp ? "t"
                                                                   : "v") +
           std::to_string(n.number);
  }
  std::string atom(Atom a) {
    const AtomNode& n = t[a];
    switch (n.kind) {
      case AtomKind::Variable: return var(n.var);
      case AtomKind::Div: return "(" + index(n.arg) + "/" + text(n.m) + ")";
      case AtomKind::Clamp: return "clamp(" + index(n.arg) + "," + text(n.lo) + "," + text(n.hi) + ")";
      case AtomKind::Table: return "tab(" + joined_text(n.table, ",", [](const Size& entry) { return text(entry); }) + ";" + index(n.arg) + ")";
      case AtomKind::Data: return "{" + value(n.value) + "}";
    }
    return "";
  }
  std::string index(Index a) {
    const IndexNode& n = t[a];
    std::string out;
    for (const Part& p : n.parts) {
      if (at_text(p.coef) >= 0 && !out.empty()) out += "+";
      out += same(p.coef, -1) ? "-" : same(p.coef, 1) ? ""
                                                      : text(p.coef) + "*";
      out += atom(p.atom);
    }
    if (out.empty() || !same(n.c0, 0)) out += (at_text(n.c0) >= 0 && !out.empty() ? "+" : "") + text(n.c0);
    return out;
  }
  std::string test(Test c) {
    const TestNode& n = t[c];
    if (n.kind == TestKind::Truth) return value(n.value);
    return (n.kind == TestKind::Ge ? "(ge " : "(eq ") + index(n.index) + ")";
  }
  std::string indices(const std::vector<Index>& list) {
    return "[" + joined_text(list, ",", [&](Index a) { return index(a); }) + "]";
  }
  std::string poly(const ValueNode& n) {
    std::string out = "(+";
    for (const PolyPart& p : n.summands) {
      out += " (* " + p.coef.print();
      for (const Factor& f : t[p.monomial].factors)
        out += f.exponent.is_one() ? " " + value(f.base) : " (^ " + value(f.base) + " " + f.exponent.print() + ")";
      out += ")";
    }
    return out + ")";
  }
  std::string binders(const ValueNode& n) {
    return "[" + joined_text(n.vars, ",", [&](Var v) { return var(v) + ":" + text(t[v].extent); }) + "]";
  }
  /// What stands before the operands of a term that has some.
  std::string head(const ValueNode& n) {
    if (n.kind == ValueKind::Fn) return std::string(info(n.fn).name);
    if (n.kind == ValueKind::Case) return "case " + test(n.test);
    if (n.kind == ValueKind::Row) return "row " + std::to_string(n.ref) + " " + std::to_string(n.leaf) + " " + binders(n) + indices(n.index);
    std::string out = std::string(info(n.fn).name) + " " + binders(n);
    for (const Literal& l : t[n.path].literals) out += (l.holds ? " " : " not ") + test(l.test);
    return out + " :";
  }
  std::string value(Value v) {
    if (left == 0) return "...";
    --left;
    const ValueNode& n = t[v];
    switch (n.kind) {
      case ValueKind::PosInf: return "inf";
      case ValueKind::NegInf: return "-inf";
      case ValueKind::NaN: return "nan";
      case ValueKind::Unknown: return "?";
      case ValueKind::True: return "true";
      case ValueKind::False: return "false";
      case ValueKind::Poly: return poly(n);
      case ValueKind::Int: return "i(" + atom(Atom{n.ref}) + ")";
      case ValueKind::Read: return t.anchors[n.ref].name + indices(n.index);
      case ValueKind::Element: return "array" + std::to_string(n.ref) + indices(n.index);
      default: break;  // one that has operands
    }
    std::string out = "(" + head(n);
    for (const Value kid : n.kids) out += " " + value(kid);
    return out + ")";
  }
};

}  // namespace

std::string print(const Terms& t, Index a) { return Printer{t}.index(a); }

std::string print(const Terms& t, Value v) {
  std::string out = Printer{t}.value(v);
  return out.size() > kMaxText ? out.substr(0, kMaxText) + "..." : out;
}

}  // namespace gg::checker
