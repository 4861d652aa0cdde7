// Statements of lemmas as SMT-LIB text: integers are integers, reals are the extended reals with NaN and one zero as a
// datatype, sizes are integers >= 1, reads are uninterpreted functions of all integers. What the text assumes besides:
// - quotients L/d are fresh q with d*q <= L < d*q + d; their bounds, guards and differences times a size keep their order;
// - square roots of reals >= 0 are the s >= 0 with s*s = v; exp is positive, turns sums into products and multiples into
//   powers; log is its inverse and turns products of positive reals into sums (all at the arguments that occur);
// - a fold over a symbolic box is a constant; two folds of one operation are equal if their elements are, and a fold over
//   one element more is the operation of the two (each premise proved by a query of its own).
// Integer forms are multiplied out. A product of atoms is a constant, and every query is first asked without its definition.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/lemma/statement.h"

namespace gg::lemma {

/// unsat, sat, unknown (or a timeout); Missing: there is no z3.
enum class Answer : std::uint8_t { Unsat,
                                   Sat,
                                   Unknown,
                                   Missing };

bool z3_present();
/// One script of assertions.
Answer z3(const std::string& script, int milliseconds);

/// The expression with a name replaced by an index form.
Expr substitute(const Expr& e, const std::string& name, const Expr& by);

class Smt {
 public:
  /// `from_zero`: a size that may be 0 (that of an induction).
  explicit Smt(const Statement& s, int milliseconds, const std::string& from_zero = "");

  /// A proposition that the sides are equal.
  std::string equal(const Expr& left, const Expr& right);
  std::string boolean(const Expr& e);
  std::string index(const Expr& e);
  /// An integer constant of its own, as a binder.
  std::string bind(const std::string& name);
  void unbind(const std::string& name) { env_.erase(name); }
  void assume(const std::string& fact) { facts_.push_back(fact); }
  /// Do the facts give the proposition? `context` holds for this query only.
  Answer prove(const std::string& proposition, const std::string& context = "true");
  /// Are the facts contradictory (so that everything follows)?
  bool vacuous();
  /// Guard and body of a fold at the current binders, the unit where the guard does not hold.
  std::string element(const Expr& fold);

 private:
  struct Fold {
    std::string symbol, name;  ///< operation
    Expr expr, extent;         ///< one binder
    std::string placeholder, element;
    std::map<std::string, std::string> env;
    bool linked = false;
  };
  std::string real(const Expr& e);
  std::string call(const Expr& e);
  std::string compare(const Expr& e);
  std::string typed(const Expr& e);
  std::string power(const std::string& base, std::int64_t n, std::int64_t d);
  std::string root(const std::string& x);
  std::string exponential(const std::string& x);
  std::string logarithm(const std::string& x);
  std::string quotient(const std::string& dividend, const std::string& divisor);
  std::string read(const Expr& e);
  std::string fold(const Expr& e);
  std::string unrolled(const Expr& e, std::int64_t count);
  std::string at(const Fold& f, const std::string& binder);
  void link(std::size_t fold);
  std::string script(const std::string& context, const std::string& goal, bool products);
  using Polynomial = std::map<std::vector<std::string>, std::int64_t>;  ///< sorted atoms of a product: coefficient
  Polynomial polynomial(const std::string& text) const;
  std::string render(const Polynomial& p);
  std::string sum(const std::string& a, std::int64_t factor, const std::string& b);  ///< a + factor*b
  std::string product(const std::string& a, const std::string& b);
  std::string fresh(const std::string& sort);
  bool constant_difference(const Expr& a, const Expr& b, std::int64_t difference) const;
  Sort sort(const Expr& e) const;

  const Statement& s_;
  int milliseconds_;
  std::string declarations_;
  std::vector<std::string> facts_;
  std::map<std::string, Polynomial> polynomials_;  ///< of integer texts that are no atoms
  std::map<std::vector<std::string>, std::string> products_;
  std::set<std::string> known_;             ///< facts about reads
  std::map<std::string, std::string> env_;  ///< binders
  std::map<std::string, std::string> quotients_, roots_, folded_;
  std::set<std::string> multipliers_, forms_;    ///< sizes and divisors; forms whose order a size keeps
  std::set<std::string> exponents_, arguments_;  ///< real arguments of exp and of log
  std::vector<Fold> folds_;
  int fresh_ = 0;
};

/// Proves a statement as its row says; the reason if that fails. Sets `missing` where there is no z3.
std::string prove(const Statement& s, prover::LemmaProof proof, const std::string& by, int milliseconds, bool& missing);

}  // namespace gg::lemma
