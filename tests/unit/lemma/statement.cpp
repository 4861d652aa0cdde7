#include "tests/unit/lemma/statement.h"

#include <algorithm>

#include "tests/unit/lemma/parse.h"

namespace gg::lemma {
namespace {

using checker::testing::Kind;
using checker::testing::Node;
using checker::testing::Source;

std::vector<Decl> parse_decls(const std::string& where) {
  std::vector<Decl> decls;
  Parser p(where);
  while (!p.at_end()) {
    if (!decls.empty()) {
      p.expect(';');
      p.expect(' ');
    }
    const std::string kind = p.word();
    p.expect(' ');
    decls.push_back(p.decl(kind));
    while (kind != "int" && kind != "index" && p.accept(' ')) decls.push_back(p.decl(kind));
  }
  for (std::size_t k = 0; k < decls.size(); ++k) {
    for (std::size_t n = 0; n < k; ++n) {
      if (decls[k].name == decls[n].name) throw Malformed("'" + decls[k].name + "' is declared twice");
    }
  }
  return decls;
}

void check_index(const Statement& s, const Expr& e, std::vector<std::string>& bound) {
  switch (e.op) {
    case Op::Number: return;
    case Op::Name: {
      if (std::find(bound.begin(), bound.end(), e.name) != bound.end()) return;
      const Decl* d = s.find(e.name);
      if (d == nullptr) throw Malformed("'" + e.name + "' is not declared");
      if (d->kind == DeclKind::Real || d->kind == DeclKind::Bool) throw Malformed("'" + e.name + "' as an index");
      return;
    }
    case Op::Read:
    case Op::Data:
      if (sort_of(s, e.op == Op::Data ? e.kids[0] : e, bound) != Sort::Int) throw Malformed("an integer is expected in an index");
      return;
    case Op::Add:
    case Op::Multiply:
    case Op::Divide:
    case Op::Modulo:
    case Op::Clamp:
    case Op::Table:
      for (const Expr& kid : e.kids) check_index(s, kid, bound);
      return;
    default: throw Malformed("no index");
  }
}

Sort call_sort(const Statement& s, const Expr& e, std::vector<std::string>& bound) {
  std::vector<Sort> kids;
  for (const Expr& kid : e.kids) kids.push_back(sort_of(s, kid, bound));
  const auto numbers = [&] { return std::all_of(kids.begin(), kids.end(), [](Sort k) { return k != Sort::Bool; }); };
  if (e.name == "and" || e.name == "or" || e.name == "not") {
    if (!std::all_of(kids.begin(), kids.end(), [](Sort k) { return k == Sort::Bool; })) throw Malformed("conditions are expected");
    return Sort::Bool;
  }
  if (e.name == "case") {
    if (kids.size() != 3 || kids[0] != Sort::Bool || (kids[1] == Sort::Bool) != (kids[2] == Sort::Bool)) throw Malformed("a case");
    return std::max(kids[1], kids[2]);
  }
  if (kids.empty() || !numbers()) throw Malformed("numbers are expected in '" + e.name + "'");
  if (e.name.rfind("compare", 0) == 0 || e.name == "is-finite") return Sort::Bool;
  if (!e.type.empty()) return Sort::Int;
  return Sort::Real;
}

}  // namespace

const Decl* Statement::find(const std::string& name) const {
  const auto it = std::find_if(decls.begin(), decls.end(), [&](const Decl& d) { return d.name == name; });
  return it == decls.end() ? nullptr : &*it;
}

std::vector<std::string> Statement::sizes() const {
  std::vector<std::string> names;
  for (const Decl& d : decls) {
    if (d.kind == DeclKind::Size) names.push_back(d.name);
  }
  return names;
}

Sort sort_of(const Statement& s, const Expr& e, std::vector<std::string>& bound) {
  switch (e.op) {
    case Op::Rational:
    case Op::Special: return Sort::Real;
    case Op::True:
    case Op::False: return Sort::Bool;
    case Op::Read: {
      const Decl* d = s.find(e.name);
      if (d == nullptr || d->kind == DeclKind::Size || d->kind == DeclKind::Index) throw Malformed("'" + e.name + "' is no value");
      if (d->extents.size() != e.kids.size()) throw Malformed("'" + e.name + "' with a wrong number of indices");
      for (const Expr& kid : e.kids) check_index(s, kid, bound);
      return d->kind == DeclKind::Int ? Sort::Int : d->kind == DeclKind::Bool ? Sort::Bool
                                                                              : Sort::Real;
    }
    case Op::Integer:
    case Op::Wrap: check_index(s, e.kids[0], bound); return Sort::Int;
    case Op::Real: check_index(s, e.kids[0], bound); return Sort::Real;
    case Op::Ge:
    case Op::Eq: check_index(s, e.kids[0], bound); return Sort::Bool;
    case Op::Power:
      if (e.kids.size() != 1 || sort_of(s, e.kids[0], bound) != Sort::Real) throw Malformed("a power of a real");
      return Sort::Real;
    case Op::Call: return call_sort(s, e, bound);
    case Op::Fold: {
      const std::size_t before = bound.size();
      for (std::size_t k = 0; k < e.binders.size(); ++k) {
        const std::string& name = e.binders[k];
        check_index(s, e.extents[k], bound);
        if (s.find(name) != nullptr || std::find(bound.begin(), bound.end(), name) != bound.end()) throw Malformed("'" + name + "' is bound twice");
        bound.push_back(name);
      }
      const Sort first = e.name == "place" ? Sort::Int : Sort::Bool;  // of the order; a condition
      if (e.kids.size() != 2 || sort_of(s, e.kids[0], bound) != first) throw Malformed("a fold has a condition and a body");
      const Sort body = sort_of(s, e.kids[1], bound);
      bound.resize(before);
      if (e.name == "place") return Sort::Int;
      if ((e.name == "and" || e.name == "or") != (body == Sort::Bool)) throw Malformed("'" + e.name + "' of such a body");
      return body == Sort::Bool || (body == Sort::Int && e.name == "add") ? body : Sort::Real;
    }
    default: throw Malformed("no term");
  }
}

Statement parse_statement(const std::string& where, const std::string& left, const std::string& right) {
  Statement s{parse_decls(where), parse_term(left), parse_term(right)};
  std::vector<std::string> bound;
  const Sort a = sort_of(s, s.left, bound), b = sort_of(s, s.right, bound);
  if ((a == Sort::Bool) != (b == Sort::Bool) || (a == Sort::Int && b != Sort::Int)) throw Malformed("sides of different sorts");
  return s;
}

Statement statement_of(const prover::Lemma& l) { return parse_statement(l.where, l.left, l.right); }

Statement near_miss_of(const prover::Lemma& l, std::size_t k) {
  std::vector<std::string> fields(1);
  const std::string text = l.near[k];
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 3, " | ") == 0) {
      fields.emplace_back();
      at += 2;
    } else {
      fields.back() += text[at];
    }
  }
  if (fields.size() != 3) throw Malformed("'" + text + "' is not WHERE | LEFT | RIGHT");
  const auto field = [&](std::size_t n, const char* otherwise) { return fields[n].empty() || fields[n] == "=" ? otherwise : fields[n]; };
  return parse_statement(field(0, l.where), field(1, l.left), field(2, l.right));
}

std::int64_t size_value(const Expr& e, const Sizes& sizes) {
  const auto kid = [&](std::size_t k) { return size_value(e.kids[k], sizes); };
  switch (e.op) {
    case Op::Number: return e.number;
    case Op::Name: {
      const auto it = sizes.find(e.name);
      if (it == sizes.end()) throw Malformed("'" + e.name + "' is no size");
      return it->second;
    }
    case Op::Add: return kid(0) + kid(1);
    case Op::Multiply: return kid(0) * kid(1);
    case Op::Divide: return static_cast<std::int64_t>(checker::testing::floor_of(kid(0), kid(1)));
    default: throw Malformed("a form over sizes is expected");
  }
}

namespace {

/// Trees of one instance.
class Instantiation {
 public:
  Instantiation(const Statement& s, const Sizes& sizes, World& world) : s_(s), sizes_(sizes), world_(world) {
    for (const Decl& d : s.decls) declare(d);
  }
  std::size_t outer() const { return outer_; }

  Tree index(const Expr& e) {
    switch (e.op) {
      case Op::Number: return constant(e.number);
      case Op::Name: {
        if (const auto it = vars_.find(e.name); it != vars_.end()) return leaf(Kind::Var, it->second);
        if (const auto it = sizes_.find(e.name); it != sizes_.end()) return constant(it->second);
        return read(e);
      }
      case Op::Read: return read(e);
      case Op::Data: return term(e.kids[0]);
      case Op::Add: return axpy(1, index(e.kids[0]), index(e.kids[1]));
      case Op::Multiply: {
        const bool left = known(e.kids[0]);
        return axpy(size_value(e.kids[left ? 0 : 1], sizes_), index(e.kids[left ? 1 : 0]), constant(0));
      }
      case Op::Divide:
      case Op::Modulo: {
        Node n{e.op == Op::Divide ? Kind::Div : Kind::Mod, {index(e.kids[0])}};
        n.n = size_value(e.kids[1], sizes_);
        return make(std::move(n));
      }
      case Op::Clamp: {
        Node n{Kind::Clamp, {index(e.kids[0])}};
        n.lo = size_value(e.kids[1], sizes_);
        n.hi = size_value(e.kids[2], sizes_);
        return make(std::move(n));
      }
      case Op::Table: {
        Node n{Kind::Table, {index(e.kids[0])}};
        n.list = e.list;
        return make(std::move(n));
      }
      default: throw Malformed("no index");
    }
  }

  Tree term(const Expr& e) {
    switch (e.op) {
      case Op::Rational: {
        Node n{Kind::Number};
        n.n = e.number;
        n.m = e.den;
        return make(std::move(n));
      }
      case Op::Special: return leaf(Kind::Special, e.number);
      case Op::True: return make(Node{Kind::True});
      case Op::False: return make(Node{Kind::Not, {make(Node{Kind::True})}});
      case Op::Read: return read(e);
      case Op::Integer: return index(e.kids[0]);
      case Op::Real: return make(Node{Kind::FromInt, {index(e.kids[0])}});
      case Op::Ge: return make(Node{Kind::Ge, {index(e.kids[0])}});
      case Op::Eq: return make(Node{Kind::Eq, {index(e.kids[0])}});
      case Op::Wrap: {
        Node n{Kind::Wrap, {index(e.kids[0])}};
        n.type = *element_type(e.type);
        return make(std::move(n));
      }
      case Op::Power: {
        Node n{Kind::Power, {real(e.kids[0])}};
        n.n = e.number;
        n.m = e.den;
        return make(std::move(n));
      }
      case Op::Fold: return fold(e);
      default: return call(e);
    }
  }

  Tree real(const Expr& e) {
    const Tree t = term(e);
    return sort_inside(e) == Sort::Int ? make(Node{Kind::FromInt, {t}}) : t;
  }

 private:
  static Tree make(Node n) { return std::make_shared<const Node>(std::move(n)); }
  static Tree leaf(Kind kind, std::int64_t n) {
    Node x{kind};
    x.n = n;
    return make(std::move(x));
  }
  static Tree constant(std::int64_t n) { return leaf(Kind::Const, n); }
  static Tree axpy(std::int64_t c, Tree x, Tree y) {
    Node n{Kind::Axpy, {std::move(x), std::move(y)}};
    n.n = c;
    return make(std::move(n));
  }

  Sort sort_inside(const Expr& e) const {
    std::vector<std::string> bound;
    for (const auto& [name, number] : vars_) {
      if (s_.find(name) == nullptr) bound.push_back(name);
    }
    return sort_of(s_, e, bound);
  }

  bool known(const Expr& e) const {
    if (e.op == Op::Name) return sizes_.count(e.name) != 0;
    if (e.op == Op::Read || e.op == Op::Data) return false;
    return std::all_of(e.kids.begin(), e.kids.end(), [&](const Expr& kid) { return known(kid); });
  }

  void declare(const Decl& d) {
    if (d.kind == DeclKind::Size) return;
    if (d.kind == DeclKind::Index) {
      vars_[d.name] = static_cast<std::int64_t>(outer_);
      world_.extents[static_cast<std::int64_t>(outer_++)] = size_value(d.extent, sizes_);
      return;
    }
    Source source{d.name, d.kind == DeclKind::Bool ? ElementType::Pred : d.kind == DeclKind::Int ? ElementType::S32
                                                                                                 : ElementType::F64};
    for (const Expr& e : d.extents) source.extents.push_back(size_value(e, sizes_));
    static const double nan = std::nan("");
    const std::pair<std::uint8_t, std::vector<double>> pools[] = {
        {kNegInf, {-checker::testing::kInf}}, {kNeg, {-2, -1, -0.5}}, {kZero, {0}}, {kPos, {0.5, 1, 2, 3}}, {kPosInf, {checker::testing::kInf}}, {kNaN, {nan}}};
    for (const auto& [cls, values] : pools) {
      if ((d.classes & cls) != 0) source.pool.insert(source.pool.end(), values.begin(), values.end());
    }
    source.lo = d.lo;
    source.hi = d.hi;
    sources_[d.name] = world_.sources.size();
    world_.sources.push_back(std::move(source));
  }

  Tree read(const Expr& e) {
    Node n{Kind::Read};
    n.n = static_cast<std::int64_t>(sources_.at(e.name));
    for (const Expr& kid : e.kids) n.kids.push_back(index(kid));
    return make(std::move(n));
  }

  void bind(const Expr& e, Node& n) {
    for (std::size_t k = 0; k < e.binders.size(); ++k) {
      vars_[e.binders[k]] = next_;
      world_.extents[next_] = size_value(e.extents[k], sizes_);
      n.list.push_back(next_++);
    }
  }

  Tree fold(const Expr& e) {
    Node n{Kind::Fold};
    static const std::map<std::string, ScalarFn> kFolds = {
        {"add", ScalarFn::Add}, {"maximum", ScalarFn::Max}, {"minimum", ScalarFn::Min}, {"multiply", ScalarFn::Multiply}, {"and", ScalarFn::And}, {"or", ScalarFn::Or}};
    if (e.name == "place") {
      n.kind = Kind::Row;
      const Tree at = term(e.kids[0]);
      bind(e, n);
      n.kids = {at, real(e.kids[1])};
      for (const std::string& name : e.binders) vars_.erase(name);
      return make(std::move(n));
    }
    if (kFolds.count(e.name) == 0) throw Malformed("'" + e.name + "' is no fold");
    n.fn = kFolds.at(e.name);
    bind(e, n);
    const bool plain = n.fn == ScalarFn::And || n.fn == ScalarFn::Or || (n.fn == ScalarFn::Add && sort_inside(e.kids[1]) == Sort::Int);
    const Tree guard = term(e.kids[0]), body = plain ? term(e.kids[1]) : real(e.kids[1]);
    n.kids = {guard, body};
    for (const std::string& name : e.binders) vars_.erase(name);
    return make(std::move(n));
  }

  Tree chain(Node n, const std::vector<Tree>& kids) {
    Tree total = kids[0];
    for (std::size_t k = 1; k < kids.size(); ++k) {
      n.kids = {total, kids[k]};
      total = make(n);
    }
    return total;
  }

  Tree call(const Expr& e) {
    const std::string& f = e.name;
    std::vector<Tree> kids;
    if (f == "and" || f == "or" || f == "not") {
      for (const Expr& kid : e.kids) kids.push_back(term(kid));
      return f == "not" ? make(Node{Kind::Not, kids}) : chain(Node{f == "and" ? Kind::And : Kind::Or}, kids);
    }
    if (f == "case") {
      const bool reals = sort_inside(e) == Sort::Real;
      return make(Node{Kind::Case, {term(e.kids[0]), reals ? real(e.kids[1]) : term(e.kids[1]), reals ? real(e.kids[2]) : term(e.kids[2])}});
    }
    if (!e.type.empty()) {
      Node n{Kind::IntFn};
      n.fn = function(f);
      n.type = *element_type(e.type);
      for (const Expr& kid : e.kids) n.kids.push_back(term(kid));
      return make(std::move(n));
    }
    for (const Expr& kid : e.kids) kids.push_back(real(kid));
    if (f == "compare.LT") return make(Node{Kind::Less, kids});
    if (f == "compare.LE") return make(Node{Kind::LessEqual, kids});
    if (f == "compare.EQ") return make(Node{Kind::Equal, kids});
    if (f == "is-finite") return make(Node{Kind::Finite, kids});
    Node n{Kind::Fn};
    n.fn = function(f);
    if (kids.size() > 1) return chain(std::move(n), kids);
    n.kids = kids;
    return make(std::move(n));
  }

  static ScalarFn function(const std::string& name) {
    if (name == "+") return ScalarFn::Add;
    if (name == "*") return ScalarFn::Multiply;
    const auto fn = scalar_function(name);
    if (!fn) throw Malformed("'" + name + "' is no function");
    return *fn;
  }

  const Statement& s_;
  const Sizes& sizes_;
  World& world_;
  std::map<std::string, std::int64_t> vars_;
  std::map<std::string, std::size_t> sources_;
  std::size_t outer_ = 0;
  std::int64_t next_ = 20;
};

}  // namespace

Instance instantiate(const Statement& s, const Sizes& sizes) {
  Instance result;
  std::vector<std::string> bound;
  result.sort = std::max(sort_of(s, s.left, bound), sort_of(s, s.right, bound));
  Instantiation builder(s, sizes, result.world);
  const bool reals = result.sort == Sort::Real;
  result.left = reals ? builder.real(s.left) : builder.term(s.left);
  result.right = reals ? builder.real(s.right) : builder.term(s.right);
  result.outer = builder.outer();
  return result;
}

}  // namespace gg::lemma
