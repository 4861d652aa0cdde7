#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

// Values are kept on a list, not on the stack: conclusions may be nested as deep as a program is long.
struct Visitor {
  const Terms& t;
  std::set<Index>& forms;
  std::set<Value> values;
  std::vector<Value> todo{};

  void index(Index a) {
    if (!forms.insert(a).second) return;
    for (const Part& p : t[a].parts) atom(p.atom);
  }
  void atom(Atom a) {
    const AtomNode& node = t[a];
    if (node.kind == AtomKind::Data) value(node.value);
    else if (node.kind != AtomKind::Variable) index(node.arg);
  }
  void test(Test c) {
    if (t[c].kind == TestKind::Truth) value(t[c].value);
    else index(t[c].index);
  }
  void value(Value v) {
    if (values.insert(v).second) todo.push_back(v);
  }
  void run() {
    while (!todo.empty()) {
      const ValueNode& node = t[todo.back()];
      todo.pop_back();
      if (node.kind == ValueKind::Int) atom(Atom{node.ref});
      if (node.kind == ValueKind::Case) test(node.test);
      for (const Literal& l : t[node.path].literals) test(l.test);
      for (const Value kid : node.kids) value(kid);
      for (const Index a : node.index) index(a);
      for (const PolyPart& p : node.summands) {
        for (const Factor& f : t[p.monomial].factors) value(f.base);
      }
    }
  }
};

std::set<Value> values_and_forms(const Terms& t, Value v, std::set<Index>& forms) {
  Visitor visitor{t, forms, {}};
  visitor.value(v);
  visitor.run();
  return std::move(visitor.values);
}

}  // namespace

std::set<Index> index_forms(const Terms& t, Value v) {
  std::set<Index> forms;
  values_and_forms(t, v, forms);
  return forms;
}

void collect_forms(const Terms& t, Test test, std::set<Index>& out) {
  Visitor visitor{t, out, {}};
  visitor.test(test);
  visitor.run();
}

std::set<Value> values_inside(const Terms& t, Value v) {
  std::set<Index> forms;
  return values_and_forms(t, v, forms);
}

bool uses(const Terms& t, VarSet free, const std::vector<Var>& vars) {
  return std::any_of(vars.begin(), vars.end(), [&](Var v) { return t.contains(free, v); });
}

}  // namespace gg::checker
