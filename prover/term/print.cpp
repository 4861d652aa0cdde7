// Terms as text, for messages (the certificate has its own writer, prover/certificate).
#include "prover/term/store.h"

namespace gg::prover {
namespace {

std::string name_of(VarId v) {
  if (v < kFirstBound) return "v" + std::to_string(int{v});
  return (v < kFirstTemp ? "b" : "t") + std::to_string(v < kFirstTemp ? v - kFirstBound : v - kFirstTemp);
}

}  // namespace

std::string Terms::print(LinId id) const {
  const LinNode& n = (*this)[id];
  std::string out;
  for (const LinTerm& s : terms(id)) {
    const AtomNode& a = (*this)[s.atom];
    if (!out.empty() && s.coef > 0) out += "+";
    if (s.coef == -1) out += "-";
    if (s.coef != 1 && s.coef != -1) out += std::to_string(s.coef) + "*";
    switch (a.kind) {
      case AtomKind::Var: out += a.m == 1 ? name_of(a.var) : "(" + name_of(a.var) + "/" + std::to_string(a.m) + ")"; break;
      case AtomKind::Div: out += "((" + print(static_cast<LinId>(a.arg)) + ")/" + std::to_string(a.m) + ")"; break;
      case AtomKind::Clamp:
        out += "clamp(" + print(static_cast<LinId>(a.arg)) + "," + std::to_string(a.lo) + "," + std::to_string(a.hi) + ")";
        break;
      case AtomKind::Data: out += "{" + print(static_cast<TermId>(a.arg)) + "}"; break;
      case AtomKind::Table: {
        out += "tab(";
        for (const std::int64_t v : table_values(a.arg2)) out += std::to_string(v) + ",";
        out.back() = ';';
        out += print(static_cast<LinId>(a.arg)) + ")";
        break;
      }
      case AtomKind::Mul: out += "(" + print(static_cast<LinId>(a.arg)) + "*" + print(static_cast<LinId>(a.arg2)) + ")"; break;
    }
  }
  if (out.empty()) return std::to_string(n.c0);
  if (n.c0 != 0) out += (n.c0 > 0 ? "+" : "") + std::to_string(n.c0);
  return out;
}

std::string Terms::print(TermId id) const {
  const TermNode& n = (*this)[id];
  const auto list = [&](std::string head, std::size_t from) {
    for (std::size_t k = from; k < n.n; ++k) head += " " + print(kid(id, k));
    return head + ")";
  };
  switch (n.kind) {
    case Kind::Lit: return q.text(rat(id));
    case Kind::Special: return n.op == 0 ? "inf" : n.op == 1 ? "-inf" : "nan";
    case Kind::Unknown: return "?";
    case Kind::True: return "true";
    case Kind::False: return "false";
    case Kind::Int: return "i(" + print(lin(id)) + ")";
    case Kind::FromInt: return "f(" + print(lin(id)) + ")";
    case Kind::Wrap: return "(wrap " + std::string(info(static_cast<ElementType>(n.type)).name) + " " + print(lin(id)) + ")";
    case Kind::Ge: return "(ge " + print(lin(id)) + ")";
    case Kind::Eq: return "(eq " + print(lin(id)) + ")";
    case Kind::And: return list("(and", 0);
    case Kind::Or: return list("(or", 0);
    case Kind::Not: return list("(not", 0);
    case Kind::Case: return list("(case", 0);
    case Kind::Fn: return list("(" + std::string(info(static_cast<ScalarFn>(n.op)).name), 0);
    case Kind::Read: {
      std::string out = "s" + std::to_string(anchor_of(id)) + "[";
      for (const LinId l : index_of(id)) out += print(l) + ",";
      if (out.back() == ',') out.pop_back();
      return out + "]";
    }
    case Kind::Mono: {
      std::string out;
      for (const Factor& f : factors(id)) {
        if (!out.empty()) out += " ";
        out += f.exp == RatId::One ? print(f.term) : "(^ " + print(f.term) + " " + q.text(f.exp) + ")";
      }
      return out.empty() ? "1" : out;
    }
    case Kind::Poly: {
      std::string out = "(+";
      for (const Summand& s : summands(id)) out += " (* " + q.text(s.coef) + " " + print(s.mono) + ")";
      return out + ")";
    }
    case Kind::Fold: {
      const FoldParts p = fold_parts(id);
      std::string out = "(" + std::string(info(p.op).name) + " [";
      for (std::size_t k = 0; k < p.extents.size(); ++k)
        out += (k > 0 ? "," : "") + name_of(static_cast<VarId>(p.first + k)) + ":" + std::to_string(p.extents[k]);
      return out + "] " + print(p.guard) + " " + print(p.body) + ")";
    }
    case Kind::Row: {
      const RowParts p = row_parts(id);
      std::string out = "(row " + std::to_string(p.signature) + " " + std::to_string(p.leaf) + " [";
      for (std::size_t k = 0; k < p.extents.size(); ++k)
        out += (k > 0 ? "," : "") + name_of(static_cast<VarId>(p.first + k)) + ":" + std::to_string(p.extents[k]);
      out += "] [";
      for (std::size_t k = 0; k < p.index.size(); ++k) out += (k > 0 ? "," : "") + print(p.index[k]);
      out += "]";
      for (const TermId b : p.bodies) out += " " + print(b);
      return out + ")";
    }
  }
  return "";
}

}  // namespace gg::prover
