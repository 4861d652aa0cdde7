#include "prover/checker/print.h"

namespace gg::checker {
namespace {

constexpr std::size_t kMaxText = 2000;

struct Printer {
  const Terms& t;
  std::string out{};

  void var(Var v) {
    const VarNode& n = t[v];
    out += (n.space == Space::Bound ? "b" : n.space == Space::Temp ? "t"
                                                                   : "v") +
           std::to_string(n.number);
  }
  void atom(Atom a) {
    const AtomNode& n = t[a];
    switch (n.kind) {
      case AtomKind::Variable: var(n.var); break;
      case AtomKind::Div:
        out += "(";
        index(n.arg);
        out += "/" + text(n.m) + ")";
        break;
      case AtomKind::Clamp:
        out += "clamp(";
        index(n.arg);
        out += "," + text(n.lo) + "," + text(n.hi) + ")";
        break;
      case AtomKind::Table:
        out += "tab(";
        for (std::size_t k = 0; k < n.table.size() && out.size() < kMaxText; ++k) out += text(n.table[k]) + ",";
        out.back() = ';';
        index(n.arg);
        out += ")";
        break;
      case AtomKind::Data:
        out += "{";
        value(n.value);
        out += "}";
        break;
    }
  }
  void index(Index a) {
    const IndexNode& n = t[a];
    bool first = true;
    for (const Part& p : n.parts) {
      if (at_text(p.coef) >= 0 && !first) out += "+";
      if (same(p.coef, -1)) out += "-";
      else if (!same(p.coef, 1)) out += text(p.coef) + "*";
      atom(p.atom);
      first = false;
    }
    if (first || !same(n.c0, 0)) out += (at_text(n.c0) >= 0 && !first ? "+" : "") + text(n.c0);
  }
  void test(Test c) {
    const TestNode& n = t[c];
    if (n.kind == TestKind::Truth) return value(n.value);
    out += n.kind == TestKind::Ge ? "(ge " : "(eq ";
    index(n.index);
    out += ")";
  }
  void indices(const std::vector<Index>& list) {
    out += "[";
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (k > 0) out += ",";
      index(list[k]);
    }
    out += "]";
  }
  void poly(const ValueNode& n) {
    out += "(+";
    for (const PolyPart& p : n.summands) {
      out += " (* " + p.coef.print();
      for (const Factor& f : t[p.monomial].factors) {
        out += f.exponent.is_one() ? " " : " (^ ";
        value(f.base);
        if (!f.exponent.is_one()) out += " " + f.exponent.print() + ")";
      }
      out += ")";
    }
    out += ")";
  }
  void bound(const ValueNode& n) {
    out += "[";
    for (const Var v : n.vars) {
      var(v);
      out += ":" + text(t[v].extent) + (v == n.vars.back() ? "" : ",");
    }
    out += "]";
  }
  void value(Value v) {
    if (out.size() > kMaxText) return;
    const ValueNode& n = t[v];
    switch (n.kind) {
      case ValueKind::PosInf: out += "inf"; return;
      case ValueKind::NegInf: out += "-inf"; return;
      case ValueKind::NaN: out += "nan"; return;
      case ValueKind::Unknown: out += "?"; return;
      case ValueKind::True: out += "true"; return;
      case ValueKind::False: out += "false"; return;
      case ValueKind::Poly: poly(n); return;
      case ValueKind::Int:
        out += "i(";
        atom(Atom{n.ref});
        out += ")";
        return;
      case ValueKind::Read:
        out += t.anchors[n.ref].name;
        indices(n.index);
        return;
      case ValueKind::Element:
        out += "array" + std::to_string(n.ref);
        indices(n.index);
        return;
      case ValueKind::Fn: out += "(" + std::string(info(n.fn).name); break;
      case ValueKind::Case:
        out += "(case ";
        test(n.test);
        break;
      case ValueKind::Fold:
        out += "(" + std::string(info(n.fn).name) + " ";
        bound(n);
        for (const Literal& l : t[n.path].literals) {
          out += l.holds ? " " : " not ";
          test(l.test);
        }
        out += " :";
        break;
      case ValueKind::Row:
        out += "(row " + std::to_string(n.ref) + " " + std::to_string(n.leaf) + " ";
        bound(n);
        indices(n.index);
        break;
    }
    for (const Value kid : n.kids) {
      out += " ";
      value(kid);
    }
    out += ")";
  }
};

}  // namespace

std::string print(const Terms& t, Index a) {
  Printer p{t};
  p.index(a);
  return p.out;
}

std::string print(const Terms& t, Value v) {
  Printer p{t};
  p.value(v);
  if (p.out.size() > kMaxText) p.out = p.out.substr(0, kMaxText) + "...";
  return p.out;
}

}  // namespace gg::checker
