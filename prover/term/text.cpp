#include "prover/term/text.h"

#include "models/base/check.h"
#include "models/base/text.h"

namespace gg::prover {

std::string TermText::variable(VarId v) const {
  GG_CHECK(v < kFirstTemp || !read_, "a temporary variable in a term to be written");
  return v < kFirstBound ? "v" + std::to_string(int{v}) : v < kFirstTemp ? "b" + std::to_string(v - kFirstBound)
                                                                         : "t" + std::to_string(v - kFirstTemp);
}

std::string TermText::atom(AtomId id) const {
  const AtomNode a = t_[id];
  const auto inner = [&] { return form(static_cast<LinId>(a.arg)); };
  switch (a.kind) {
    case AtomKind::Var: return a.m == 1 ? variable(a.var) : "(" + variable(a.var) + "/" + std::to_string(a.m) + ")";
    case AtomKind::Div: return "(" + inner() + "/" + std::to_string(a.m) + ")";
    case AtomKind::Clamp: return "clamp(" + inner() + "," + std::to_string(a.lo) + "," + std::to_string(a.hi) + ")";
    case AtomKind::Data: return "{" + term(static_cast<TermId>(a.arg)) + "}";
    case AtomKind::Mul: return "(" + inner() + "*" + form(static_cast<LinId>(a.arg2)) + ")";
    case AtomKind::Table: {
      std::string out = "tab(";
      for (const std::int64_t v : t_.table_values(a.arg2)) out += std::to_string(v) + ",";
      out.back() = ';';
      return out + inner() + ")";
    }
  }
  return "";
}

std::string TermText::form(LinId id) const {
  std::string out;
  for (const LinTerm& s : t_.term_list(id)) {
    if (!out.empty() && s.coef > 0) out += "+";
    if (s.coef == -1) out += "-";
    else if (s.coef != 1) out += std::to_string(s.coef) + "*";
    out += atom(s.atom);
  }
  const std::int64_t c0 = t_[id].c0;
  if (out.empty()) return std::to_string(c0);
  if (c0 != 0) out += (c0 > 0 ? "+" : "") + std::to_string(c0);
  return out;
}

std::string TermText::list(const std::string& head, TermId id) const {
  std::string out = "(" + head;
  for (std::size_t k = 0; k < t_[id].n; ++k) out += " " + term(t_.kid(id, k));
  return out + ")";
}

std::string TermText::product(const Summand& s) const {
  std::vector<std::string> items;
  const std::vector<Factor> factors = t_.factors(s.mono);
  if (s.coef != RatId::One || factors.empty()) items.push_back(t_.q.text(s.coef));
  for (const Factor& f : factors)
    items.push_back(f.exp == RatId::One ? term(f.term) : "(^ " + term(f.term) + " " + t_.q.text(f.exp) + ")");
  return items.size() == 1 ? items[0] : "(* " + joined_text(items, " ") + ")";
}

std::string TermText::function(TermId id) const {
  const TermNode n = t_[id];
  std::string head(info(static_cast<ScalarFn>(n.op)).name);
  if (n.sort == Sort::Int) head += ":" + std::string(info(static_cast<ElementType>(n.type)).name);
  return list(head, id);
}

std::string TermText::binders(VarId first, const std::vector<std::int64_t>& extents) const {
  std::string out = "[";
  for (const std::int64_t extent : extents) out += (out.size() > 1 ? "," : "") + variable(first++) + ":" + std::to_string(extent);
  return out + "]";
}

std::string TermText::indices(const std::vector<LinId>& index) const {
  return "[" + joined_text(index, ",", [&](LinId l) { return form(l); }) + "]";
}

std::string TermText::row(TermId id) const {
  const RowParts p = t_.row_parts(id);
  const bool order = (p.signature & Terms::kOrder) != 0;
  if (read_ && !order) throw TermLimit("a function of whole rows");
  const std::string function = !order ? std::to_string(p.signature) : (p.signature & Terms::kNanFirst) != 0 ? "order"
                                                                                                            : "order-nan-last";
  std::string out = "(row " + function + " " + std::to_string(p.leaf) + " " + binders(p.first, p.extents) + " " + indices(p.index);
  for (const TermId b : p.bodies) out += " " + term(b);
  return out + ")";
}

std::string TermText::term(TermId id) const {
  if (left_ == 0 && !read_) return "...";
  if (left_-- == 0) throw TermLimit("a term of many nodes");
  const TermNode n = t_[id];
  switch (n.kind) {
    case Kind::Lit: return t_.q.text(t_.rat(id));
    case Kind::Special: return n.op == 0 ? "inf" : n.op == 1 ? "-inf"
                                                             : "nan";
    case Kind::Unknown: return "?";
    case Kind::True: return "true";
    case Kind::False: return "false";
    case Kind::Int: return "i(" + form(t_.lin(id)) + ")";
    case Kind::FromInt: return "f(" + form(t_.lin(id)) + ")";
    case Kind::Wrap: return "(wrap " + std::string(info(static_cast<ElementType>(n.type)).name) + " " + form(t_.lin(id)) + ")";
    case Kind::Ge: return "(ge " + form(t_.lin(id)) + ")";
    case Kind::Eq: return "(eq " + form(t_.lin(id)) + ")";
    case Kind::And: return list("and", id);
    case Kind::Or: return list("or", id);
    case Kind::Not: return list("not", id);
    case Kind::Case: return list("case", id);
    case Kind::Fn: return function(id);
    case Kind::Read: return read_ ? read_(id) : "s" + std::to_string(t_.anchor_of(id)) + indices(t_.index_of(id));
    case Kind::Mono: return product({RatId::One, id});
    case Kind::Poly: {
      const std::vector<Summand> summands = t_.summands(id);
      if (summands.size() == 1) return product(summands[0]);
      return "(+ " + joined_text(summands, " ", [&](const Summand& s) { return product(s); }) + ")";
    }
    case Kind::Fold: {
      const FoldParts p = t_.fold_parts(id);
      const bool adds = p.op == ScalarFn::Add || p.op == ScalarFn::Max || p.op == ScalarFn::Min;
      if (read_ && !adds && t_[p.body].sort == Sort::Int) throw TermLimit("a fold of bits or products, whose type a text does not say");
      return "(" + std::string(info(p.op).name) + " " + binders(p.first, p.extents) + " " + term(p.guard) + " " + term(p.body) + ")";
    }
    case Kind::Row: return row(id);
  }
  return "";
}

}  // namespace gg::prover
