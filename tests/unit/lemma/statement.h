// The statements of prover/lemma/lemmas.def as trees with symbolic sizes: parsed, type-checked, and instantiated at given
// sizes as trees of tests/unit/checker/tree.h.
//
// `where`, separated by `;`: `size n m` (at least 1), `index i<n`, `int x -4..9` (no limits: any integer), `bool c[n]`, and
// `any`, `finite`, `positive`, `nonnegative`, `nonzero`, `below`, `noinf` reals. positive and nonzero are finite, nonnegative may be
// +inf, below may be -inf, noinf may be NaN. Sides are terms of docs/certificate.md, section 3, where names stand for reads, variables and
// sizes, and index forms may also use `L%n` and products with sizes. `(place [b:n] i(L) T)` is the place in the row of
// what comes to place L of its descending order.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "prover/lemma/lemma.h"
#include "tests/unit/checker/tree.h"

namespace gg::lemma {

using checker::testing::Tree;
using checker::testing::World;

/// The statement says nothing: wrong syntax, an unknown name, a condition where a number is expected.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Op : std::uint8_t {
  Number,
  Name,
  Add,
  Multiply,
  Divide,
  Modulo,
  Clamp,
  Table,
  Data,  // index forms
  Rational,
  Special,
  True,
  False,
  Read,
  Integer,
  Real,
  Call,
  Fold,
  Power,
  Ge,
  Eq,
  Wrap,
};
enum class Sort : std::uint8_t { Bool,
                                 Int,
                                 Real };

/// Number: number. Rational, Power: number/den. Special: -1, 0 (nan), 1. Name, Read, Call, Fold: name. Wrap, Call: type.
struct Expr {
  Op op = Op::Number;
  std::string name{}, type{};
  std::int64_t number = 0, den = 1;
  std::vector<std::int64_t> list{};    ///< Table
  std::vector<std::string> binders{};  ///< Fold: names,
  std::vector<Expr> extents{};         ///< and as many extents
  std::vector<Expr> kids{};
};

enum class DeclKind : std::uint8_t { Size,
                                     Index,
                                     Int,
                                     Bool,
                                     Real };
/// Classes of reals, one bit each.
inline constexpr std::uint8_t kNegInf = 1, kNeg = 2, kZero = 4, kPos = 8, kPosInf = 16, kNaN = 32;

struct Decl {
  DeclKind kind = DeclKind::Size;
  std::string name;
  Expr extent{};                ///< Index
  std::vector<Expr> extents{};  ///< of what is read
  std::uint8_t classes = 0;     ///< Real
  std::int64_t lo = 0, hi = 0;  ///< Int
  bool bounded = false;         ///< Int
};

using Sizes = std::map<std::string, std::int64_t>;

struct Statement {
  std::vector<Decl> decls;
  Expr left, right;

  const Decl* find(const std::string& name) const;
  std::vector<std::string> sizes() const;
};

/// Parses and checks; throws Malformed.
Statement parse_statement(const std::string& where, const std::string& left, const std::string& right);
Expr parse_term(const std::string& text);
Expr parse_index(const std::string& text);
/// The row's statement, and that of its near-miss number k.
Statement statement_of(const prover::Lemma& lemma);
Statement near_miss_of(const prover::Lemma& lemma, std::size_t k);

/// Sort of a term; `bound` are binders in scope. Throws Malformed where something does not fit.
Sort sort_of(const Statement& s, const Expr& e, std::vector<std::string>& bound);

/// Value of an index form over sizes only.
std::int64_t size_value(const Expr& e, const Sizes& sizes);

/// One instance: the world, both sides, and the outer variables.
struct Instance {
  World world;
  Tree left, right;
  Sort sort = Sort::Real;
  std::size_t outer = 0;
};
Instance instantiate(const Statement& s, const Sizes& sizes);

}  // namespace gg::lemma
