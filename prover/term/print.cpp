// Terms as text, for messages (the certificate has its own writer, prover/certificate). A term is a graph whose tree can be
// exponentially larger: the text stops at kMaxText characters.
#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxText = 4000;

std::string told_name(VarId v) {
  if (v < kFirstBound) return "v" + std::to_string(int{v});
  return (v < kFirstTemp ? "b" : "t") + std::to_string(v < kFirstTemp ? v - kFirstBound : v - kFirstTemp);
}

class Printer {
 public:
  explicit Printer(const Terms& terms) : t_(terms) {}

  void print(LinId id) {
    bool first = true;
    for (const LinTerm& s : t_.terms(id)) {
      if (full()) return;
      if (!first && s.coef > 0) out_ += "+";
      if (s.coef == -1) out_ += "-";
      else if (s.coef != 1) out_ += std::to_string(s.coef) + "*";
      print(t_[s.atom]);
      first = false;
    }
    const std::int64_t c0 = t_[id].c0;
    if (first || c0 != 0) out_ += (!first && c0 > 0 ? "+" : "") + std::to_string(c0);
  }

  void print(TermId id) {
    if (full()) return;
    const TermNode& n = t_[id];
    switch (n.kind) {
      case Kind::Lit: out_ += t_.q.text(t_.rat(id)); return;
      case Kind::Special:
        out_ += n.op == 0 ? "inf" : n.op == 1 ? "-inf"
                                              : "nan";
        return;
      case Kind::Unknown: out_ += "?"; return;
      case Kind::True: out_ += "true"; return;
      case Kind::False: out_ += "false"; return;
      case Kind::Int: return wrapped("i(", t_.lin(id));
      case Kind::FromInt: return wrapped("f(", t_.lin(id));
      case Kind::Wrap: return wrapped("(wrap " + std::string(info(static_cast<ElementType>(n.type)).name) + " ", t_.lin(id));
      case Kind::Ge: return wrapped("(ge ", t_.lin(id));
      case Kind::Eq: return wrapped("(eq ", t_.lin(id));
      case Kind::And: return kids("(and", id);
      case Kind::Or: return kids("(or", id);
      case Kind::Not: return kids("(not", id);
      case Kind::Case: return kids("(case", id);
      case Kind::Fn: return kids("(" + std::string(info(static_cast<ScalarFn>(n.op)).name), id);
      case Kind::Read: out_ += "s" + std::to_string(t_.anchor_of(id)); return indices(t_.index_of(id));
      case Kind::Mono: return monomial(id);
      case Kind::Poly: return polynomial(id);
      case Kind::Fold: return fold(t_.fold_parts(id));
      case Kind::Row: return row(t_.row_parts(id));
    }
  }

  std::string take() {
    if (full()) out_ += " ...";
    return std::move(out_);
  }

 private:
  bool full() const { return out_.size() > kMaxText; }

  void wrapped(const std::string& head, LinId arg) {
    out_ += head;
    print(arg);
    out_ += ")";
  }
  void kids(const std::string& head, TermId id) {
    out_ += head;
    for (std::size_t k = 0; k < t_[id].n && !full(); ++k) {
      out_ += " ";
      print(t_.kid(id, k));
    }
    out_ += ")";
  }
  template <class List>
  void indices(const List& list) {
    const char* separator = "[";
    for (const LinId l : list) {
      out_ += separator;
      print(l);
      separator = ",";
    }
    out_ += *separator == '[' ? "[]" : "]";
  }
  void print(const AtomNode& a) {
    const auto arg = static_cast<LinId>(a.arg);
    switch (a.kind) {
      case AtomKind::Var: out_ += a.m == 1 ? told_name(a.var) : "(" + told_name(a.var) + "/" + std::to_string(a.m) + ")"; return;
      case AtomKind::Div:
        wrapped("((", arg);
        out_ += "/" + std::to_string(a.m) + ")";
        return;
      case AtomKind::Clamp:
        out_ += "clamp(";
        print(arg);
        out_ += "," + std::to_string(a.lo) + "," + std::to_string(a.hi) + ")";
        return;
      case AtomKind::Data:
        out_ += "{";
        print(static_cast<TermId>(a.arg));
        out_ += "}";
        return;
      case AtomKind::Table:
        out_ += "tab(";
        for (const std::int64_t v : t_.table_values(a.arg2)) {
          if (full()) return;
          out_ += std::to_string(v) + ",";
        }
        out_.back() = ';';
        return wrapped("", arg);
      case AtomKind::Mul:
        wrapped("(", arg);
        out_.back() = '*';
        return wrapped("", static_cast<LinId>(a.arg2));
    }
  }
  void monomial(TermId id) {
    bool first = true;
    for (const Factor& f : t_.factors(id)) {
      if (!first) out_ += " ";
      first = false;
      if (f.exp != RatId::One) out_ += "(^ ";
      print(f.term);
      if (f.exp != RatId::One) out_ += " " + t_.q.text(f.exp) + ")";
    }
    if (first) out_ += "1";
  }
  void polynomial(TermId id) {
    out_ += "(+";
    for (const Summand& s : t_.summands(id)) {
      if (full()) return;
      out_ += " (* " + t_.q.text(s.coef) + " ";
      print(s.mono);
      out_ += ")";
    }
    out_ += ")";
  }
  template <class Parts>
  void bound(const Parts& p) {
    out_ += "[";
    for (std::size_t k = 0; k < p.extents.size(); ++k) {
      out_ += (k > 0 ? "," : "") + told_name(static_cast<VarId>(p.first + k)) + ":" + std::to_string(p.extents[k]);
    }
    out_ += "] ";
  }
  void fold(const Terms::FoldParts& p) {
    out_ += "(" + std::string(info(p.op).name) + " ";
    bound(p);
    print(p.guard);
    out_ += " ";
    print(p.body);
    out_ += ")";
  }
  void row(const Terms::RowParts& p) {
    out_ += "(row " + std::to_string(p.signature) + " " + std::to_string(p.leaf) + " ";
    bound(p);
    indices(p.index);
    for (const TermId b : p.bodies) {
      out_ += " ";
      print(b);
    }
    out_ += ")";
  }

  const Terms& t_;
  std::string out_;
};

}  // namespace

std::string Terms::print(LinId id) const {
  Printer printer(*this);
  printer.print(id);
  return printer.take();
}

std::string Terms::print(TermId id) const {
  Printer printer(*this);
  printer.print(id);
  return printer.take();
}

}  // namespace gg::prover
