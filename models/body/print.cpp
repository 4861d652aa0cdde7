// Forms, guards and expressions as text: `sum[k<16] x0[i, k] * x1[k, j]`. Levels are i, j, k, ... in order.
#include <array>
#include <cstdio>

#include "models/base/text.h"
#include "models/body/store.h"

namespace gg {

namespace {

std::string level_name(std::size_t level) {
  constexpr std::string_view kNames = "ijklmnopqrstuvw";
  return level < kNames.size() ? std::string(1, kNames[level]) : "v" + std::to_string(level);
}

std::string real_text(double value) {
  std::array<char, 40> text;
  std::snprintf(text.data(), text.size(), "%.17g", value);
  double back = 0;
  std::array<char, 40> shorter;
  for (int digits = 1; digits < 17; ++digits) {
    std::snprintf(shorter.data(), shorter.size(), "%.*g", digits, value);
    if (std::sscanf(shorter.data(), "%lf", &back) == 1 && back == value) return shorter.data();
  }
  return text.data();
}

struct Infix {
  ScalarFn fn;
  std::string_view symbol;
  int strength;  // higher binds tighter
};

constexpr std::array kInfix = {
    Infix{ScalarFn::Or, "or", 1},
    Infix{ScalarFn::And, "and", 2},
    Infix{ScalarFn::Xor, "xor", 2},
    Infix{ScalarFn::CompareEq, "==", 3},
    Infix{ScalarFn::CompareNe, "!=", 3},
    Infix{ScalarFn::CompareLt, "<", 3},
    Infix{ScalarFn::CompareLe, "<=", 3},
    Infix{ScalarFn::CompareGt, ">", 3},
    Infix{ScalarFn::CompareGe, ">=", 3},
    Infix{ScalarFn::Add, "+", 4},
    Infix{ScalarFn::Subtract, "-", 4},
    Infix{ScalarFn::Multiply, "*", 5},
    Infix{ScalarFn::Divide, "/", 5},
};

struct Named {
  ScalarFn fn;
  std::string_view name;
};

constexpr std::array kFolds = {Named{ScalarFn::Add, "sum"}, Named{ScalarFn::Multiply, "product"},
                               Named{ScalarFn::Max, "max"}, Named{ScalarFn::Min, "min"},
                               Named{ScalarFn::And, "and"}, Named{ScalarFn::Or, "or"},
                               Named{ScalarFn::Xor, "xor"}};

class Printer {
 public:
  explicit Printer(const Arena& arena) : arena_(arena) {}

  std::string lin(LinId id) const {
    const Lin& l = arena_[id];
    std::string text = sum(id, 1, l.c0);
    return text.empty() ? "0" : text;
  }

  // Positive terms on one side, negative ones on the other.
  std::string guard(GuardId id) const {
    const Guard& g = arena_[id];
    switch (g.kind) {
      case GuardKind::True:
        return "true";
      case GuardKind::False:
        return "false";
      case GuardKind::Le0:
        return relation(arena_.lin(id), "<=");
      case GuardKind::Eq0:
        return relation(arena_.lin(id), "==");
      case GuardKind::Not:
        return "not (" + guard(arena_.kids(id)[0]) + ")";
      case GuardKind::And:
        return join(id, " and ", GuardKind::Or);
      case GuardKind::Or:
        return join(id, " or ", GuardKind::And);
    }
    return "";
  }

  std::string expr(ExprId id, int strength = 0) const {
    const Expr& e = arena_[id];
    switch (e.kind) {
      case ExprKind::Read:
        return "x" + std::to_string(e.arg) + brackets(id);
      case ExprKind::Index: {
        const std::string text = lin(LinId{e.arg});
        return strength > 0 && text.find(' ') != std::string::npos ? "(" + text + ")" : text;
      }
      case ExprKind::Lit:
        return literal(arena_.scalar(id));
      case ExprKind::Constant:
        return "constant" + std::to_string(e.arg) + brackets(id);
      case ExprKind::Fn:
        return function(id, e, strength);
      case ExprKind::Fold:
        return fold(id, e, strength);
      case ExprKind::Case: {
        const std::span<const ExprId> k = arena_.kids(id);
        return "case {" + guard(arena_.guard(id)) + ": " + expr(k[0]) + "; else " + expr(k[1]) + "}";
      }
      case ExprKind::Unknown:
        return "unknown";
    }
    return "";
  }

 private:
  std::string atom(const Atom& a) const {
    switch (a.kind) {
      case AtomKind::Var:
        return level_name(a.level);
      case AtomKind::Div:
        return "((" + lin(LinId{a.arg}) + ") div " + std::to_string(a.m) + ")";
      case AtomKind::Data:
        return "clamp(" + std::to_string(a.lo) + ", " + expr(ExprId{a.arg}) + ", " + std::to_string(a.hi) + ")";
      case AtomKind::Table:
        return table(a);
    }
    return "";
  }

  std::string table(const Atom& a) const {
    constexpr std::size_t kShown = 8;
    const std::vector<std::int64_t>& values = arena_.table_values(TableId{a.arg});
    return "[" + first_few(values, kShown, ", ...") + "][" + lin(LinId{a.index}) + "]";
  }

  // The terms whose coefficient has this sign, and the constant, made positive.
  std::string sum(LinId id, int sign, std::int64_t c0, bool both = true) const {
    std::string text;
    const auto put = [&](bool negative, const std::string& part) {
      text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
      text += part;
    };
    for (const bool negatives : {false, true}) {
      for (const Multiple& t : arena_.terms(id)) {
        const bool negative = (t.coef < 0) != (sign < 0);
        if (negative != negatives || (negative && !both)) continue;
        const std::string size = std::to_string(t.coef).substr(t.coef < 0 ? 1 : 0);
        put(negative, (size == "1" ? "" : size + "*") + atom(arena_.atom(t.atom)));
      }
    }
    if (c0 != 0 && ((c0 < 0) == (sign < 0) || both)) {
      put((c0 < 0) != (sign < 0), std::to_string(c0).substr(c0 < 0 ? 1 : 0));
    }
    return text;
  }

  std::string relation(LinId id, std::string_view symbol) const {
    const std::int64_t c0 = arena_[id].c0;
    const std::string left = sum(id, 1, c0, false), right = sum(id, -1, c0, false);
    return (left.empty() ? "0" : left) + " " + std::string(symbol) + " " + (right.empty() ? "0" : right);
  }

  std::string join(GuardId id, std::string_view word, GuardKind wrap) const {
    std::string text;
    for (const GuardId k : arena_.kids(id)) {
      if (!text.empty()) text += word;
      const bool parens = arena_[k].kind == wrap;
      text += parens ? "(" + guard(k) + ")" : guard(k);
    }
    return text;
  }

  std::string brackets(ExprId id) const {
    return "[" + joined_text(arena_.indices(id), ", ", [&](LinId l) { return lin(l); }) + "]";
  }

  static std::string literal(const Scalar& s) {
    if (s.type == ElementType::Pred) return s.integer != 0 ? "true" : "false";
    if (is_integral(s.type)) return std::to_string(s.integer);
    return real_text(s.real);
  }

  std::string function(ExprId id, const Expr& e, int strength) const {
    const std::span<const ExprId> k = arena_.kids(id);
    for (const Infix& op : kInfix) {
      if (op.fn != e.fn) continue;
      const std::string text =
          expr(k[0], op.strength) + " " + std::string(op.symbol) + " " + expr(k[1], op.strength + 1);
      return op.strength < strength ? "(" + text + ")" : text;
    }
    std::string text(info(e.fn).name);
    if (e.fn == ScalarFn::Convert) text += "<" + std::string(info(e.type).name) + ">";
    return text + "(" + joined_text(k, ", ", [&](ExprId kid) { return expr(kid); }) + ")";
  }

  std::string fold(ExprId id, const Expr& e, int strength) const {
    std::string text;
    for (const Named& n : kFolds) {
      if (n.fn == e.fn) text = n.name;
    }
    text += "[";
    const std::span<const std::int64_t> extents = arena_.extents(id);
    for (std::size_t v = 0; v < extents.size(); ++v) {
      text += (v == 0 ? "" : ", ") + level_name(e.fold_level + v) + "<" + std::to_string(extents[v]);
    }
    const GuardId g = arena_.guard(id);
    if (arena_[g].kind != GuardKind::True) text += " | " + guard(g);
    text += "] " + expr(arena_.kids(id)[1], 5);
    const ExprId init = arena_.kids(id)[0];
    const bool unit = arena_[init].kind == ExprKind::Lit && is_unit(e.fn, arena_.scalar(init));
    if (!unit) text += " from " + expr(init, 5);
    return strength > 4 || (!unit && strength > 0) ? "(" + text + ")" : text;
  }

  const Arena& arena_;
};

}  // namespace

std::string Arena::print(LinId id) const { return Printer(*this).lin(id); }
std::string Arena::print(GuardId id) const { return Printer(*this).guard(id); }
std::string Arena::print(ExprId id) const { return Printer(*this).expr(id); }

}  // namespace gg
