// The language in which the meaning of operators is written: index forms, guards and element expressions, hash-consed
// in one Arena. Everything that gives a meaning to an operator (evaluation, proof, checking, documentation) reads this.
//
// Normal forms are made by the constructors (bodies-probe, sections 1 and 2): an index form is a linear form
// c0 + sum coef * atom with atoms var, div, data, table; there is no mod atom, L mod m = L - m * (L div m); variables of
// extent 1 are the constant 0; every form knows its range without a context. Equal ids mean equal forms; different ids
// do not prove different meanings.
//
// Indices are int64 in boxes; div and mod take positive constants and floor. Variables are numbered by *level*: outputs
// 0..r-1 (rank digits first, then the dimensions), then fold variables by nesting depth. Overflow of a coefficient is an
// InternalError, never silent.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/body/scalar.h"
#include "models/type/type.h"

namespace gg {

// Ids into one arena. Distinct types, so that they cannot be mixed up.
struct LinId {
  std::uint32_t value = 0;
  friend bool operator==(LinId, LinId) = default;
};
struct GuardId {
  std::uint32_t value = 0;
  friend bool operator==(GuardId, GuardId) = default;
};
struct ExprId {
  std::uint32_t value = 0;
  friend bool operator==(ExprId, ExprId) = default;
};
struct TableId {
  std::uint32_t value = 0;
  friend bool operator==(TableId, TableId) = default;
};
struct ArrayId {
  std::uint32_t value = 0;
  friend bool operator==(ArrayId, ArrayId) = default;
};

/// c0 + sum of terms; lo..hi (inclusive) bounds its value over the boxes of its variables.
struct Lin {
  std::int64_t c0 = 0;
  std::int64_t lo = 0, hi = 0;
  std::uint32_t first_term = 0;
  std::uint16_t terms = 0;
  std::uint16_t levels = 0;  ///< highest level that occurs + 1; 0 = closed
};

/// A term of an index form: a number times an atom.
struct Multiple {
  std::int64_t coef;
  std::uint32_t atom;
};

enum class AtomKind : std::uint8_t {
  Var,    ///< variable `level` with values 0..m-1 (m >= 2)
  Div,    ///< floor(Lin arg / m), m >= 2
  Data,   ///< integral expression `arg` clamped to [lo, hi]: a data-dependent index
  Table,  ///< entry Lin of the integer table `arg`: tables()[arg][index]; the index is always in range
};

struct Atom {
  AtomKind kind;
  std::uint16_t level = 0;   ///< Var
  std::uint16_t levels = 0;  ///< highest level that occurs + 1
  std::uint32_t arg = 0;     ///< Div: LinId; Data: ExprId; Table: TableId
  std::uint32_t index = 0;   ///< Table: LinId of the position
  std::int64_t m = 0;        ///< Var: extent; Div: divisor
  std::int64_t lo = 0, hi = 0;
};

enum class GuardKind : std::uint8_t { True,
                                      False,
                                      Le0,
                                      Eq0,
                                      And,
                                      Or,
                                      Not };

/// Le0: lin <= 0. Eq0: lin == 0. And/Or: flattened, sorted, unique kids. A guard that its ranges decide is True/False.
struct Guard {
  GuardKind kind;
  std::uint16_t kids = 0;
  std::uint32_t first = 0;  ///< first kid in guard_kids(), or the LinId
  std::uint16_t levels = 0;
};

enum class ExprKind : std::uint8_t {
  Read,      ///< element of operand `arg` at the index forms
  Index,     ///< the index form `lin` as a value of the element type (wraps)
  Lit,       ///< literal
  Constant,  ///< element of constant array `arg` (an HLO constant's data) at the index forms
  Fn,        ///< scalar function of the kids
  Fold,      ///< op over init and all body values in the box that satisfy the guard; no order is promised
  Case,      ///< guard ? kid 0 : kid 1; the other side is not evaluated
  Unknown,   ///< any value, NaN included (padding nobody defined)
};

/// An interned expression node. `type` is the element type of its value.
struct Expr {
  ExprKind kind;
  ElementType type;
  ScalarFn fn = ScalarFn::Add;  ///< Fn; Fold: its monoid
  std::uint16_t kids = 0;       ///< number of expression kids (Fn), or of index forms (Read, Constant)
  std::uint16_t levels = 0;     ///< highest free level + 1
  std::uint32_t first = 0;      ///< first kid in the pool
  std::uint32_t arg = 0;        ///< Read: operand; Constant: ArrayId; Index: LinId; Lit: literal; Case/Fold: GuardId
  std::uint32_t first_extent = 0;
  std::uint16_t fold_level = 0;  ///< Fold: level of its first variable
  std::uint16_t fold_vars = 0;
};

/// A literal: exact value of its type. Integral types use `integer`, floats `real` (NaN and infinities included).
struct Scalar {
  ElementType type = ElementType::F64;
  double real = 0;
  std::int64_t integer = 0;
  static Scalar of(ElementType type, double value);
  static Scalar of_int(ElementType type, std::int64_t value);
  static Scalar whole(ElementType type, std::int64_t value) { return is_integral(type) ? of_int(type, value) : of(type, static_cast<double>(value)); }
};
bool operator==(const Scalar& a, const Scalar& b);  // bitwise: distinguishes zeros, equates NaNs

/// Data of an HLO constant: row-major scalars of one type, shared by id.
struct ConstantArray {
  Type type;
  std::vector<Scalar> values;
};

struct ArenaStore;

/// The hash-consed store of forms, guards and expressions of one pair of programs. References and spans that it hands
/// out stay valid while it grows.
class Arena {
 public:
  Arena();
  ~Arena();
  Arena(Arena&&) noexcept;
  Arena& operator=(Arena&&) noexcept;

  // --- index forms
  LinId constant(std::int64_t value);
  LinId var(int level, std::int64_t extent);
  LinId add(LinId a, LinId b) { return axpy(1, a, b); }
  LinId sub(LinId a, LinId b) { return axpy(-1, b, a); }
  LinId scale(std::int64_t factor, LinId a) { return axpy(factor, a, constant(0)); }
  LinId offset(LinId a, std::int64_t c) { return axpy(1, a, constant(c)); }
  LinId axpy(std::int64_t factor, LinId x, LinId y);  ///< factor * x + y
  LinId div(LinId a, std::int64_t m);                 ///< floor(a / m), m >= 1
  LinId mod(LinId a, std::int64_t m) { return axpy(-m, div(a, m), a); }
  LinId data(ExprId value, std::int64_t lo, std::int64_t hi);  ///< clamp(lo, value, hi)
  LinId table(TableId table, LinId index);
  /// Interns a table; used through table(). An affine or constant table folds to a linear form when it is applied.
  TableId make_table(std::vector<std::int64_t> values);
  /// Row-major flat address of an index tuple in the given extents.
  LinId flatten(std::span<const LinId> index, std::span<const std::int64_t> extents);
  /// Inverse of flatten for an address in range.
  std::vector<LinId> unflatten(LinId address, std::span<const std::int64_t> extents);

  // --- guards
  GuardId always();
  GuardId never();
  GuardId le0(LinId a);  ///< a <= 0
  GuardId eq0(LinId a);  ///< a == 0
  GuardId le(LinId a, LinId b) { return le0(sub(a, b)); }
  GuardId lt(LinId a, LinId b) { return le0(offset(sub(a, b), 1)); }
  GuardId eq(LinId a, LinId b) { return eq0(sub(a, b)); }
  GuardId between(std::int64_t lo, LinId a, std::int64_t hi);  ///< lo <= a < hi
  GuardId all(std::span<const GuardId> kids);
  GuardId any(std::span<const GuardId> kids);
  GuardId negate(GuardId a);

  // --- expressions
  ExprId read(int operand, ElementType type, std::span<const LinId> index);
  ExprId index(LinId value, ElementType type);
  ExprId lit(const Scalar& value);
  ExprId constant_at(ArrayId array, std::span<const LinId> index);
  ArrayId make_array(ConstantArray array);
  /// `type` is the result type; compare yields pred, convert its target.
  ExprId fn(ScalarFn fn, ElementType type, std::span<const ExprId> kids);
  /// Fold over variables at levels `first_level ...` with these extents. Extent-1 variables vanish; an empty box or a
  /// guard that is False gives init. The fold's element type is the body's.
  ExprId fold(ScalarFn monoid, ExprId init, int first_level, std::span<const std::int64_t> extents, GuardId guard,
              ExprId body);
  ExprId select(GuardId guard, ExprId then, ExprId otherwise);
  ExprId unknown(ElementType type);

  // --- access
  const Lin& operator[](LinId id) const;
  const Guard& operator[](GuardId id) const;
  const Expr& operator[](ExprId id) const;
  const Atom& atom(std::uint32_t id) const;
  std::span<const Multiple> terms(LinId id) const;
  std::span<const GuardId> kids(GuardId id) const;
  LinId lin(GuardId id) const;                             ///< of Le0 and Eq0
  std::span<const ExprId> kids(ExprId id) const;           ///< Fn; Case: {then, otherwise}; Fold: {init, body}
  std::span<const LinId> indices(ExprId id) const;         ///< Read, Constant
  std::span<const std::int64_t> extents(ExprId id) const;  ///< Fold
  GuardId guard(ExprId id) const;                          ///< Case, Fold
  const Scalar& scalar(ExprId id) const;                   ///< Lit
  const ConstantArray& array(ArrayId id) const;
  const std::vector<std::int64_t>& table_values(TableId id) const;
  std::size_t size() const;  ///< nodes of all kinds, for statistics and limits

  // --- substitution: rebuilding through the same constructors
  /// What to put for the variables and the reads of an expression.
  struct Substitution {
    std::vector<LinId> vars;  ///< value of level k for k < vars.size(); deeper free levels must not occur
    /// Result for `read(operand, index)`, the index already substituted; null keeps the read. `depth` is the first
    /// level that is free for new fold variables at that place.
    std::function<std::optional<ExprId>(int operand, std::span<const LinId> index, int depth)> read;
    int depth = 0;  ///< first level for the folds of the result (outputs of the new context)
  };
  ExprId substitute(ExprId expr, const Substitution& substitution);
  LinId substitute(LinId lin, const Substitution& substitution);
  GuardId substitute(GuardId guard, const Substitution& substitution);

  /// Rebuilds an expression of another arena in this one (arrays and tables included).
  ExprId import(const Arena& from, ExprId expr);

  // --- text, for documentation and messages: `sum[k<16] x0[i, k] * x1[k, j]`
  std::string print(LinId lin) const;
  std::string print(GuardId guard) const;
  std::string print(ExprId expr) const;

 private:
  std::unique_ptr<ArenaStore> store_;
};

}  // namespace gg
