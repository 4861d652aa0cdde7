#include "tests/unit/lemma/smt.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>

namespace gg::lemma {
namespace {

constexpr const char* kPreamble = R"((declare-datatypes ((E 0)) (((fin (v Real)) (pinf) (ninf) (nan))))
(define-fun sgn ((a E)) Int (ite (= a pinf) 1 (ite (= a ninf) (- 1) (ite (> (v a) 0.0) 1 (ite (< (v a) 0.0) (- 1) 0)))))
(define-fun eadd ((a E) (b E)) E (ite (or (= a nan) (= b nan)) nan (ite (and ((_ is fin) a) ((_ is fin) b)) (fin (+ (v a) (v b)))
  (ite ((_ is fin) a) b (ite (or ((_ is fin) b) (= a b)) a nan)))))
(define-fun emul ((a E) (b E)) E (ite (or (= a nan) (= b nan)) nan (ite (and ((_ is fin) a) ((_ is fin) b)) (fin (* (v a) (v b)))
  (ite (= (sgn a) 0) nan (ite (= (sgn b) 0) nan (ite (= (sgn a) (sgn b)) pinf ninf))))))
(define-fun einv ((a E)) E (ite (= a nan) nan (ite (not ((_ is fin) a)) (fin 0.0) (ite (= (v a) 0.0) pinf (fin (/ 1.0 (v a)))))))
(define-fun ele ((a E) (b E)) Bool (and (not (= a nan)) (not (= b nan))
  (or (= a ninf) (= b pinf) (and ((_ is fin) a) ((_ is fin) b) (<= (v a) (v b))))))
(define-fun elt ((a E) (b E)) Bool (and (ele a b) (not (= a b))))
(define-fun emax ((a E) (b E)) E (ite (or (= a nan) (= b nan)) nan (ite (ele a b) b a)))
(define-fun emin ((a E) (b E)) E (ite (or (= a nan) (= b nan)) nan (ite (ele a b) a b)))
(declare-fun ex (Real) Real)
(declare-fun lg (Real) Real)
)";

std::string list(std::initializer_list<std::string> parts) {
  std::string text = "(";
  for (const std::string& p : parts) text += (text.size() > 1 ? " " : "") + p;
  return text + ")";
}
std::string numeral(std::int64_t n) { return n < 0 ? "(- " + std::to_string(-n) + ")" : std::to_string(n); }
std::string rational(std::int64_t n, std::int64_t d) {
  const std::string size = "(/ " + std::to_string(std::abs(n)) + ".0 " + std::to_string(d) + ".0)";
  return "(fin " + (n < 0 ? "(- " + size + ")" : size) + ")";
}

const char* unit_of(const std::string& fold) {
  if (fold == "add") return "(fin 0.0)";
  if (fold == "multiply") return "(fin 1.0)";
  if (fold == "maximum") return "ninf";
  if (fold == "minimum") return "pinf";
  return fold == "and" ? "true" : "false";
}
int height(const Expr& e) {
  int inner = 0;
  for (const Expr& kid : e.kids) inner = std::max(inner, height(kid));
  return inner + static_cast<int>(e.binders.size());
}
const char* function_of(const std::string& fold) {
  if (fold == "add") return "eadd";
  if (fold == "multiply") return "emul";
  if (fold == "maximum") return "emax";
  if (fold == "minimum") return "emin";
  return fold == "and" ? "and" : "or";
}

/// A z3 for many scripts, which takes longer to start than to answer most of them. Each script begins with nothing declared.
class Solver {
 public:
  Solver() {
    std::array<int, 2> in{}, out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) throw Malformed("no pipe to z3");
    child_ = fork();
    if (child_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      dup2(out[1], STDERR_FILENO);
      execlp("z3", "z3", "-in", nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_ = in[1], from_ = out[0];
  }
  ~Solver() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    close(to_);
    close(from_);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// What it prints for a script; nothing where it takes longer: then it is of no more use.
  std::optional<std::string> answer(std::string script, int milliseconds) {
    const std::string end = "end of the script\n";
    script += "\n(echo \"end of the script\")\n(reset)\n";
    for (std::size_t at = 0; at < script.size();) {
      const ssize_t count = write(to_, script.data() + at, script.size() - at);
      if (count <= 0) throw Malformed("z3 does not read");
      at += static_cast<std::size_t>(count);
    }
    std::string text;
    std::array<char, 4096> part{};
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    while (!text.ends_with(end)) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
      pollfd ready{from_, POLLIN, 0};
      if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) <= 0) return {};
      const ssize_t count = read(from_, part.data(), part.size());
      if (count <= 0) throw Malformed("z3 has ended: " + text);
      text.append(part.data(), static_cast<std::size_t>(count));
    }
    return text.substr(0, text.size() - end.size());
  }

 private:
  pid_t child_ = 0;
  int to_ = -1, from_ = -1;
};

}  // namespace

bool z3_present() {
  static const bool present = std::system("z3 --version >/dev/null 2>&1") == 0;
  return present;
}

Answer z3(const std::string& script, int milliseconds) {
  if (!z3_present()) return Answer::Missing;
  static std::optional<Solver> solver;
  if (!solver) solver.emplace();
  const std::optional<std::string> text = solver->answer(script, milliseconds);
  if (!text) solver.reset();
  if (!text) return Answer::Unknown;
  if (*text == "unsat\n") return Answer::Unsat;
  if (*text == "sat\n") return Answer::Sat;
  if (text->find("error") != std::string::npos) throw Malformed("z3: " + *text + script);
  return Answer::Unknown;
}

Expr substitute(const Expr& e, const std::string& name, const Expr& by) {
  if (e.op == Op::Name && e.name == name) return by;
  Expr result = e;
  for (Expr& kid : result.kids) kid = substitute(kid, name, by);
  for (Expr& extent : result.extents) extent = substitute(extent, name, by);
  return result;
}

Smt::Smt(const Statement& s, int milliseconds, const std::string& from_zero) : s_(s), milliseconds_(milliseconds) {
  for (const Decl& d : s.decls) {
    if (d.kind == DeclKind::Size || d.kind == DeclKind::Index) {
      declarations_ += "(declare-const " + d.name + " Int)\n";
      if (d.kind == DeclKind::Size) {
        facts_.push_back(list({">=", d.name, d.name == from_zero ? "0" : "1"}));
        if (d.name != from_zero) multipliers_.insert(d.name);
      } else {
        facts_.push_back(list({"and", list({"<=", "0", d.name}), list({"<", d.name, index(d.extent)})}));
      }
      continue;
    }
    std::string domain;
    for (std::size_t k = 0; k < d.extents.size(); ++k) domain += k == 0 ? "Int" : " Int";
    const char* range = d.kind == DeclKind::Int ? "Int" : d.kind == DeclKind::Bool ? "Bool"
                                                                                   : "E";
    declarations_ += "(declare-fun " + d.name + " (" + domain + ") " + range + ")\n";
  }
}

std::string Smt::fresh(const std::string& sort_name) {
  const std::string name = "t!" + std::to_string(fresh_++);
  declarations_ += "(declare-const " + name + " " + sort_name + ")\n";
  return name;
}

std::string Smt::bind(const std::string& name) { return env_[name] = fresh("Int"); }

Sort Smt::sort(const Expr& e) const {
  std::vector<std::string> bound;
  for (const auto& [name, term] : env_) bound.push_back(name);
  return sort_of(s_, e, bound);
}

std::string Smt::index(const Expr& e) {
  const auto kid = [&](std::size_t k) { return index(e.kids[k]); };
  switch (e.op) {
    case Op::Number: return numeral(e.number);
    case Op::Name: {
      if (const auto it = env_.find(e.name); it != env_.end()) return it->second;
      const Decl* d = s_.find(e.name);
      return d != nullptr && d->kind == DeclKind::Int ? read(e) : e.name;
    }
    case Op::Read: return read(e);
    case Op::Data: return index(e.kids[0]);
    case Op::Integer: return kid(0);
    case Op::Wrap: {
      const ElementType type = *element_type(e.type);
      const std::int64_t modulus = std::int64_t{1} << info(type).bits, half = is_signed(type) ? modulus / 2 : 0;
      return list({"-", list({"mod", list({"+", kid(0), numeral(half)}), numeral(modulus)}), numeral(half)});
    }
    case Op::Add: return sum(kid(0), 1, kid(1));
    case Op::Multiply: return product(kid(0), kid(1));
    case Op::Divide: return quotient(kid(0), kid(1));
    case Op::Modulo: return sum(kid(0), -1, product(kid(1), quotient(kid(0), kid(1))));
    case Op::Clamp: {
      const std::string x = kid(0), lo = kid(1), hi = kid(2);
      return list({"ite", list({">=", x, hi}), hi, list({"ite", list({"<=", x, lo}), lo, x})});
    }
    case Op::Table: {
      const std::string x = kid(0);
      std::string text = numeral(e.list.back());
      for (std::size_t k = e.list.size() - 1; k-- > 0;) {
        text = list({"ite", list({"<=", x, std::to_string(k)}), numeral(e.list[k]), text});
      }
      return text;
    }
    case Op::Call:
      if (e.name == "case") return list({"ite", boolean(e.kids[0]), index(e.kids[1]), index(e.kids[2])});
      return e.type.empty() ? throw Malformed("no integer") : typed(e);
    default: throw Malformed("no integer");
  }
}

// Functions of HLO integers: wrapped results; divisors are sizes.
std::string Smt::typed(const Expr& e) {
  const std::string a = index(e.kids[0]), b = e.kids.size() > 1 ? index(e.kids[1]) : "0";
  const auto wrapped = [&](const std::string& x) {
    const ElementType type = *element_type(e.type);
    const std::int64_t modulus = std::int64_t{1} << info(type).bits, half = is_signed(type) ? modulus / 2 : 0;
    return list({"-", list({"mod", list({"+", x, numeral(half)}), numeral(modulus)}), numeral(half)});
  };
  if (e.name == "add") return wrapped(list({"+", a, b}));
  if (e.name == "subtract") return wrapped(list({"-", a, b}));
  if (e.name == "multiply") return wrapped(list({"*", a, b}));
  if (e.name == "maximum") return list({"ite", list({">=", a, b}), a, b});
  if (e.name == "minimum") return list({"ite", list({"<=", a, b}), a, b});
  if (e.name != "divide" && e.name != "remainder") throw Malformed("'" + e.name + "' of integers");
  const std::string up = quotient(a, b), down = quotient(sum("0", -1, a), b);
  const auto choice = [&](const std::string& x, const std::string& y) { return list({"ite", list({">=", a, "0"}), x, y}); };
  if (e.name == "divide") return choice(up, sum("0", -1, down));
  return choice(sum(a, -1, product(b, up)), sum(a, 1, product(b, down)));
}

std::string Smt::quotient(const std::string& dividend, const std::string& divisor) {
  std::string& q = quotients_[dividend + "/" + divisor];
  if (!q.empty()) return q;
  q = fresh("Int");
  multipliers_.insert(divisor);
  const std::string low = sum(dividend, -1, product(divisor, q));
  const std::string high = sum(sum(divisor, -1, low), -1, "1");
  for (const std::string& bound : {low, high}) {
    facts_.push_back(list({">=", bound, "0"}));
    forms_.insert(bound);
  }
  return q;
}

std::string Smt::read(const Expr& e) {
  const Decl& d = *s_.find(e.name);
  std::string text = e.name;
  if (!e.kids.empty()) {
    text = "(" + e.name;
    for (const Expr& kid : e.kids) text += " " + index(kid);
    text += ")";
  }
  if (!known_.insert(text).second) return text;
  if (d.kind == DeclKind::Int && d.bounded) {
    facts_.push_back(list({"and", list({"<=", numeral(d.lo), text}), list({"<=", text, numeral(d.hi)})}));
  }
  if (d.kind == DeclKind::Real && d.classes != 63) {
    const auto allowed = [&](std::uint8_t cls) { return (d.classes & cls) != 0 ? "true" : "false"; };
    const std::string value = "(v " + text + ")";
    facts_.push_back(list({"or", list({"and", allowed(kNegInf), list({"=", text, "ninf"})}),
                           list({"and", allowed(kPosInf), list({"=", text, "pinf"})}), list({"and", allowed(kNaN), list({"=", text, "nan"})}),
                           list({"and", "((_ is fin) " + text + ")",
                                 list({"or", list({"and", allowed(kNeg), list({"<", value, "0.0"})}),
                                       list({"and", allowed(kZero), list({"=", value, "0.0"})}),
                                       list({"and", allowed(kPos), list({">", value, "0.0"})})})})}));
  }
  return text;
}

std::string Smt::boolean(const Expr& e) {
  switch (e.op) {
    case Op::True: return "true";
    case Op::False: return "false";
    case Op::Ge:
    case Op::Eq: {
      const std::string form = index(e.kids[0]);
      forms_.insert(form);
      return list({e.op == Op::Ge ? ">=" : "=", form, "0"});
    }
    case Op::Read: return read(e);
    case Op::Fold: return fold(e);
    case Op::Call: break;
    default: throw Malformed("no condition");
  }
  if (e.name == "case") return list({"ite", boolean(e.kids[0]), boolean(e.kids[1]), boolean(e.kids[2])});
  if (e.name == "and" || e.name == "or" || e.name == "not") {
    std::string text = "(" + e.name;
    for (const Expr& kid : e.kids) text += " " + boolean(kid);
    return text + ")";
  }
  if (e.name == "is-finite") return "((_ is fin) " + real(e.kids[0]) + ")";
  const std::string a = real(e.kids[0]), b = real(e.kids[1]);
  if (e.name == "compare.LT") return list({"elt", a, b});
  if (e.name == "compare.LE") return list({"ele", a, b});
  if (e.name == "compare.EQ") return list({"and", list({"ele", a, b}), list({"ele", b, a})});
  throw Malformed("'" + e.name + "' is no condition");
}

std::string Smt::real(const Expr& e) {
  if (sort(e) == Sort::Int) return "(fin (to_real " + index(e) + "))";
  switch (e.op) {
    case Op::Rational: return rational(e.number, e.den);
    case Op::Special: return e.number == 0 ? "nan" : e.number > 0 ? "pinf"
                                                                  : "ninf";
    case Op::Real: return "(fin (to_real " + index(e.kids[0]) + "))";
    case Op::Read: return read(e);
    case Op::Fold: return fold(e);
    case Op::Power: return power(real(e.kids[0]), e.number, e.den);
    case Op::Call: return call(e);
    default: throw Malformed("no real");
  }
}

std::string Smt::call(const Expr& e) {
  if (e.name == "case") return list({"ite", boolean(e.kids[0]), real(e.kids[1]), real(e.kids[2])});
  static const std::map<std::string, const char*> kBinary = {
      {"+", "eadd"}, {"*", "emul"}, {"add", "eadd"}, {"multiply", "emul"}, {"maximum", "emax"}, {"minimum", "emin"}};
  if (const auto it = kBinary.find(e.name); it != kBinary.end()) {
    std::string total = real(e.kids[0]);
    for (std::size_t k = 1; k < e.kids.size(); ++k) total = list({it->second, total, real(e.kids[k])});
    return total;
  }
  const std::string a = real(e.kids[0]);
  if (e.name == "divide") return list({"emul", a, list({"einv", real(e.kids[1])})});
  if (e.name == "subtract") return list({"eadd", a, list({"emul", "(fin (- 1.0))", real(e.kids[1])})});
  if (e.name == "negate") return list({"emul", "(fin (- 1.0))", a});
  if (e.name == "sqrt") return root(a);
  if (e.name == "rsqrt") return power(a, -1, 2);
  if (e.name == "exponential") return exponential(a);
  if (e.name == "log") return logarithm(a);
  if (e.name == "abs") return list({"ite", list({"elt", a, "(fin 0.0)"}), list({"emul", "(fin (- 1.0))", a}), a});
  if (e.name == "power" && e.kids[1].op == Op::Rational && e.kids[1].den == 1) return power(a, e.kids[1].number, 1);
  throw Malformed("'" + e.name + "' is not modelled");
}

std::string Smt::power(const std::string& base, std::int64_t n, std::int64_t d) {
  if (d > 2) throw Malformed("a root other than the square root");
  const std::string b = d == 2 ? root(base) : base, factor = n < 0 ? list({"einv", b}) : b;
  std::string total = factor;
  for (std::int64_t k = 1; k < std::abs(n); ++k) total = list({"emul", total, factor});
  return total;
}

std::string Smt::root(const std::string& x) {
  std::string& s = roots_[x];
  const std::string value = "(v " + x + ")";
  if (s.empty()) {
    s = fresh("Real");
    facts_.push_back(list({"=>", list({"and", "((_ is fin) " + x + ")", list({">=", value, "0.0"})}),
                           list({"and", list({">=", s, "0.0"}), list({"=", list({"*", s, s}), value})})}));
  }
  return list({"ite", list({"=", x, "pinf"}), "pinf",
               list({"ite", list({"and", "((_ is fin) " + x + ")", list({">=", value, "0.0"})}), "(fin " + s + ")", "nan"})});
}

std::string Smt::exponential(const std::string& x) {
  const std::string value = "(v " + x + ")";
  exponents_.insert(value);
  return list({"ite", "((_ is fin) " + x + ")", "(fin (ex " + value + "))", list({"ite", list({"=", x, "ninf"}), "(fin 0.0)", x})});
}

std::string Smt::logarithm(const std::string& x) {
  const std::string value = "(v " + x + ")";
  arguments_.insert(value);
  return list({"ite", "((_ is fin) " + x + ")",
               list({"ite", list({">", value, "0.0"}), "(fin (lg " + value + "))", list({"ite", list({"=", value, "0.0"}), "ninf", "nan"})}),
               list({"ite", list({"=", x, "pinf"}), "pinf", "nan"})});
}

// --- folds

std::string Smt::element(const Expr& fold) {
  const bool logical = fold.name == "and" || fold.name == "or";
  const std::string body = logical ? boolean(fold.kids[1]) : real(fold.kids[1]);
  return fold.kids[0].op == Op::True ? body : list({"ite", boolean(fold.kids[0]), body, unit_of(fold.name)});
}

std::string Smt::at(const Fold& f, const std::string& binder) {
  const auto saved = env_;
  env_ = f.env;
  env_[f.expr.binders[0]] = binder;
  const std::string text = element(f.expr);
  env_ = saved;
  return text;
}

std::string Smt::unrolled(const Expr& e, std::int64_t count) {
  std::string total = unit_of(e.name);
  const auto saved = env_;
  for (std::int64_t k = 0; k < count; ++k) {
    env_[e.binders[0]] = std::to_string(k);
    total = list({function_of(e.name), total, element(e)});
  }
  env_ = saved;
  return total;
}

std::string Smt::fold(const Expr& e) {
  if (e.binders.size() > 1) {  // the innermost binder last
    Expr inner = e, outer = e;
    inner.binders.erase(inner.binders.begin());
    inner.extents.erase(inner.extents.begin());
    outer.binders.resize(1);
    outer.extents.resize(1);
    outer.kids = {Expr{Op::True}, inner};
    return fold(outer);
  }
  const Expr& extent = e.extents[0];
  for (std::int64_t n = 0; n <= 8; ++n) {
    Expr constant;
    constant.number = n;
    if (constant_difference(extent, constant, 0)) return unrolled(e, n);
  }
  Fold f;
  f.name = e.name;
  f.expr = e;
  f.extent = extent;
  f.env = env_;
  f.placeholder = "p!" + std::to_string(height(e) - 1);  // an inner fold never has that of an outer one
  if (declarations_.find("(declare-const " + f.placeholder + " ") == std::string::npos) {
    declarations_ += "(declare-const " + f.placeholder + " Int)\n";
  }
  f.element = at(f, f.placeholder);
  std::string& symbol = folded_[f.name + "|" + index(extent) + "|" + f.element];
  if (symbol.empty()) {
    symbol = fresh(f.name == "and" || f.name == "or" ? "Bool" : "E");
    f.symbol = symbol;
    folds_.push_back(f);
    return f.symbol;
  }
  return symbol;
}

bool Smt::constant_difference(const Expr& a, const Expr& b, std::int64_t difference) const {
  for (std::int64_t sample = 1; sample < 40; ++sample) {
    Sizes sizes;
    std::int64_t seed = sample * 7919;
    for (const Decl& d : s_.decls) sizes[d.name] = (seed = (seed * 31 + 17) % 104729) % 23 + 1;
    if (size_value(a, sizes) - size_value(b, sizes) != difference) return false;
  }
  return true;
}

// Facts about fold k: it is a unit, or hangs together with another one.
void Smt::link(std::size_t k) {
  const Fold f = folds_[k];
  const auto box = [&](const std::string& extent) {
    return list({"and", list({"<=", "0", f.placeholder}), list({"<", f.placeholder, extent})});
  };
  const std::string extent = index(f.extent);
  if (f.expr.kids[0].op != Op::True && prove(list({"=", f.element, unit_of(f.name)}), box(extent)) == Answer::Unsat) {
    facts_.push_back(list({"=", f.symbol, unit_of(f.name)}));
  }
  facts_.push_back(list({"=>", list({"<=", extent, "0"}), list({"=", f.symbol, unit_of(f.name)})}));
  for (std::size_t n = 0; n < k; ++n) {
    const Fold g = folds_[n];
    if (g.name != f.name || g.placeholder != f.placeholder) continue;
    const auto same_elements = [&](const std::string& limit) {
      return f.element == g.element || prove(list({"=", f.element, g.element}), box(limit)) == Answer::Unsat;
    };
    const std::string other = index(g.extent);
    if (constant_difference(f.extent, g.extent, 0)) {
      if (same_elements(extent)) facts_.push_back(list({"=", f.symbol, g.symbol}));
    } else if (constant_difference(f.extent, g.extent, 1)) {
      if (same_elements(other)) facts_.push_back(list({"=", f.symbol, list({function_of(f.name), g.symbol, at(f, other)})}));
    } else if (constant_difference(g.extent, f.extent, 1)) {
      if (same_elements(extent)) facts_.push_back(list({"=", g.symbol, list({function_of(f.name), f.symbol, at(g, extent)})}));
    }
  }
}

// --- scripts

std::string Smt::equal(const Expr& left, const Expr& right) {
  const Sort a = sort(left), b = sort(right);
  std::string text;
  if (a == Sort::Bool) {
    text = list({"=", boolean(left), boolean(right)});
  } else if (a == Sort::Int && b == Sort::Int) {
    const std::string x = index(left), y = index(right);
    forms_.insert(sum(x, -1, y));
    text = list({"=", x, y});
  } else {
    text = list({"=", real(left), real(right)});
  }
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    if (folds_[k].linked) continue;
    folds_[k].linked = true;
    link(k);
  }
  return text;
}

std::string Smt::script(const std::string& context, const std::string& goal, bool products) {
  std::string text, order;
  const auto assertion = [&](const std::string& fact) { text += "(assert " + fact + ")\n"; };
  for (const std::string& d : multipliers_) {  // d >= 1
    for (const std::string& form : forms_) {
      const std::string times = product(d, form);
      order += "(assert " + list({"=>", list({">=", form, "0"}), list({">=", times, "0"})}) + ")\n";
      order += "(assert " + list({"=>", list({">=", form, "1"}), list({">=", times, d})}) + ")\n";
      order += "(assert " + list({"=>", list({"<=", form, "(- 1)"}), list({"<=", times, list({"-", d})})}) + ")\n";
    }
  }
  text = kPreamble + declarations_ + order;
  for (const std::string& fact : facts_) assertion(fact);
  for (const auto& [atoms, name] : products_) {
    std::string whole = "(*";
    for (const std::string& a : atoms) whole += " " + a;
    if (products) assertion(list({"=", name, whole + ")"}));
  }
  for (const std::string& a : exponents_) {
    const std::string exp_a = "(ex " + a + ")";
    assertion(list({">", exp_a, "0.0"}));
    for (const std::string& b : exponents_) {
      const std::string exp_b = "(ex " + b + ")";
      assertion(list({"=>", list({"=", a, list({"*", "(- 2.0)", b})}), list({"=", list({"*", exp_a, exp_b, exp_b}), "1.0"})}));
      for (const std::string& c : exponents_) {
        assertion(list({"=>", list({"=", c, list({"+", a, b})}), list({"=", "(ex " + c + ")", list({"*", exp_a, exp_b})})}));
      }
    }
    for (const std::string& x : arguments_) {
      assertion(list({"=>", list({"=", x, exp_a}), list({"=", "(lg " + x + ")", a})}));
      assertion(list({"=>", list({"and", list({">", x, "0.0"}), list({"=", a, "(lg " + x + ")"})}), list({"=", exp_a, x})}));
    }
  }
  for (const std::string& x : arguments_) {
    for (const std::string& y : arguments_) {
      for (const std::string& z : arguments_) {
        assertion(list({"=>", list({"and", list({">", x, "0.0"}), list({">", y, "0.0"}), list({"=", z, list({"*", x, y})})}),
                        list({"=", "(lg " + z + ")", list({"+", "(lg " + x + ")", "(lg " + y + ")"})})}));
      }
    }
  }
  if (context != "true") assertion(context);
  if (!goal.empty()) assertion(list({"not", goal}));
  return text + "(check-sat)\n";
}

Answer Smt::prove(const std::string& proposition, const std::string& context) {
  const Answer linear = z3(script(context, proposition, false), milliseconds_);
  if (linear == Answer::Unsat || linear == Answer::Missing || products_.empty()) return linear;
  return z3(script(context, proposition, true), milliseconds_);
}

bool Smt::vacuous() { return z3(script("true", "", false), milliseconds_) == Answer::Unsat; }

// --- integer forms as polynomials

Smt::Polynomial Smt::polynomial(const std::string& text) const {
  if (const auto it = polynomials_.find(text); it != polynomials_.end()) return it->second;
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (digits) return {{{}, std::stoll(text)}};
  if (text.rfind("(- ", 0) == 0 && text.find_first_not_of("0123456789", 3) == text.size() - 1) return {{{}, -std::stoll(text.substr(3))}};
  return {{{text}, 1}};
}

std::string Smt::render(const Polynomial& p) {
  std::vector<std::string> parts;
  for (const auto& [atoms, coefficient] : p) {
    if (coefficient == 0) continue;
    std::string whole = atoms.size() == 1 ? atoms[0] : "";
    if (atoms.size() > 1) {
      std::string& name = products_[atoms];
      if (name.empty()) name = fresh("Int");
      whole = name;
    }
    parts.push_back(atoms.empty() ? numeral(coefficient) : coefficient == 1 ? whole
                                                                            : list({"*", numeral(coefficient), whole}));
  }
  if (parts.empty()) return "0";
  if (parts.size() == 1) {
    if (!p.empty()) polynomials_[parts[0]] = p;
    return parts[0];
  }
  std::string text = "(+";
  for (const std::string& part : parts) text += " " + part;
  text += ")";
  polynomials_[text] = p;
  return text;
}

std::string Smt::sum(const std::string& a, std::int64_t factor, const std::string& b) {
  Polynomial total = polynomial(a);
  for (const auto& [atoms, coefficient] : polynomial(b)) {
    if ((total[atoms] += factor * coefficient) == 0) total.erase(atoms);
  }
  return render(total);
}

std::string Smt::product(const std::string& a, const std::string& b) {
  Polynomial total;
  const Polynomial left = polynomial(a), right = polynomial(b);
  for (const auto& [x, c] : left) {
    for (const auto& [y, d] : right) {
      std::vector<std::string> atoms = x;
      atoms.insert(atoms.end(), y.begin(), y.end());
      std::sort(atoms.begin(), atoms.end());
      if ((total[atoms] += c * d) == 0) total.erase(atoms);
    }
  }
  return render(total);
}

}  // namespace gg::lemma
