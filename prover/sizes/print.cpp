// Terms as text, for messages.
#include "prover/sizes/terms.h"

namespace gg::sizes {
namespace {

std::string variable(VarId v) {
  return v < kFirstBound ? "v" + std::to_string(v) : "b" + std::to_string(v - kFirstBound);
}

std::string decimal(double value) {
  std::string text = std::to_string(value);
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    const bool point = text.back() == '.';
    text.pop_back();
    if (point) break;
  }
  return text;
}

}  // namespace

std::string Terms::print(TermId id, const Symbol& symbol) const {
  const Node& n = (*this)[id];
  const auto ref = [&](const Ref& r) -> std::string {
    switch (r.kind) {
      case Ref::Kind::Const: return std::to_string(r.shift);
      case Ref::Kind::Data: return "digit" + std::to_string(r.shift) + "{" + print(r.term, symbol) + "}";
      case Ref::Kind::Var: break;
    }
    return variable(r.var) + (r.shift == 0 ? "" : (r.shift > 0 ? "+" : "") + std::to_string(r.shift));
  };
  const auto list = [](const auto& items, const auto& text, const char* between) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : between) + text(item);
    return out;
  };
  const auto kid = [&](TermId k) { return print(k, symbol); };
  switch (n.kind) {
    case Kind::Read: return "s" + std::to_string(n.anchor) + "[" + list(n.refs, ref, ",") + "]";
    case Kind::Lit: return decimal(n.value);
    case Kind::Add: return "(" + list(n.kids, kid, " + ") + ")";
    case Kind::Mul: return list(n.kids, kid, "*");
    case Kind::Fn: return std::string(info(n.fn).name) + "(" + list(n.kids, kid, ", ") + ")";
    case Kind::Fold:
      return std::string(info(n.fn).name) + "[" +
             list(n.bound, [&](const Bound& b) { return variable(b.var) + "<" + symbol(b.digit); }, ", ") + "] " + kid(n.kids[0]);
    case Kind::Number:
      return "<" + list(n.sum, [&](const Summand& s) {
               std::string text = std::to_string(s.coef);
               for (const DigitId d : s.stride) text += "*" + symbol(d);
               if (s.atom == Summand::Atom::Digit) text += "*" + ref(s.ref);
               if (s.atom == Summand::Atom::Term) text += "*" + kid(s.term);
               return text;
             }, " + ") + ">";
    case Kind::Below: return ref(n.refs[0]) + " < " + decimal(n.value);
    case Kind::Size: return "|" + symbol(n.bound[0].digit) + "|";
  }
  return {};
}

}  // namespace gg::sizes
