// What the prover's terms are made of: index forms, guards and element terms as nodes with ids, and anchors (terms.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/body/scalar.h"
#include "models/type/type.h"
#include "prover/term/rational.h"

namespace gg::prover {

enum class LinId : std::uint32_t { Zero = 0 };
enum class AtomId : std::uint32_t {};
enum class TermId : std::uint32_t { Zero = 0,
                                    One = 1,
                                    True = 2,
                                    False = 3,
                                    Unknown = 4 };
using AnchorId = std::uint32_t;
using VarId = std::uint8_t;

inline constexpr int kFreeVars = 24;
inline constexpr int kFirstBound = 24;
inline constexpr int kFirstTemp = 44;
inline constexpr int kVars = 64;

/// Facts and quotients combined at most to derive one inequality.
inline constexpr int kImpliedDepth = 2;

/// A set of variables, one bit each.
using VarSet = std::uint64_t;
constexpr VarSet bit(VarId v) { return VarSet{1} << v; }

enum class AtomKind : std::uint8_t {
  Var,    ///< variable div m
  Div,    ///< form div m
  Clamp,  ///< form clamped to [lo, hi]; the form has no constant
  Data,   ///< integer term
  Table,  ///< entry `lin` of a table of integers
  Mul,    ///< product of two forms
};

struct AtomNode {
  AtomKind kind;
  VarId var = 0;
  std::uint16_t height = 0;
  bool guards = false;      ///< contains something that facts could decide
  bool data = false;        ///< depends on data
  std::int64_t extent = 0;  ///< Var: extent of the variable
  std::int64_t m = 1;       ///< Var, Div: divisor
  std::uint32_t arg = 0;    ///< Div, Clamp, Mul, Table: LinId; Data: TermId
  std::uint32_t arg2 = 0;   ///< Mul: LinId; Table: table number
  std::int64_t lo = 0, hi = 0;
  VarSet free = 0;
};

struct LinTerm {
  std::int64_t coef;
  AtomId atom;
  friend bool operator==(const LinTerm&, const LinTerm&) = default;
};

struct LinNode {
  std::int64_t c0 = 0;
  std::int64_t lo = 0, hi = 0;
  std::uint32_t first = 0;
  std::uint16_t n = 0;
  std::uint16_t height = 0;
  bool guards = false;
  bool data = false;  ///< has a data atom somewhere
  VarSet free = 0;
};

enum class Kind : std::uint8_t {
  Lit,
  Special,
  Int,
  FromInt,
  Read,
  Mono,
  Poly,
  Fn,
  Case,
  Fold,
  Row,
  Wrap,
  True,
  False,
  Ge,
  Eq,
  And,
  Or,
  Not,
  Unknown,
};
enum class Sort : std::uint8_t { Real,
                                 Int,
                                 Bool,
                                 Any };
/// What elements of a type are.
inline Sort sort_of(ElementType type) {
  if (type == ElementType::Pred) return Sort::Bool;
  return is_integral(type) ? Sort::Int : Sort::Real;
}
enum class Special : std::uint8_t { PosInf,
                                    NegInf,
                                    NaN };

/// One interned term. Kids are u32 in one pool; their meaning depends on the kind (see the accessors).
struct TermNode {
  Kind kind;
  Sort sort;
  std::uint8_t op = 0;    ///< Fn, Fold: ScalarFn; Special; Wrap, Fn: see `type`
  std::uint8_t type = 0;  ///< ElementType where it matters (Wrap, integer functions)
  std::uint16_t height = 0;
  std::uint16_t flags = 0;
  std::uint32_t first = 0, n = 0;
  std::uint32_t size = 1;   ///< nodes as a tree, saturating
  std::uint32_t reads = 0;  ///< sum of hashes of the anchors read, as a tree: what terms that differ by indices share
  VarSet free = 0;
  bool is(Special s) const { return kind == Kind::Special && op == static_cast<std::uint8_t>(s); }
};
inline constexpr std::uint16_t kHasGuards = 1;  ///< facts could decide something inside
inline constexpr std::uint16_t kHasUnknown = 2;
inline constexpr std::uint16_t kHasReads = 4;     ///< reads of anchors that can be expanded
inline constexpr std::uint16_t kHasInputs = 8;    ///< reads of other anchors
inline constexpr std::uint16_t kHasInverse = 16;  ///< a power below zero of what may be a count
inline constexpr std::uint16_t kTestsNan = 32;    ///< whether a number is NaN

/// A digit of a variable with a coefficient, coef * ((v div m) mod n).
struct VariableDigit {
  VarId var;
  std::int64_t extent;  ///< of the variable
  std::int64_t m, n, coef;
};
/// A form as digits of variables, those of one variable disjoint, and other atoms.
struct DigitView {
  std::int64_t c0 = 0;
  std::vector<VariableDigit> digits;
  std::vector<LinTerm> others;
};

/// Forms in place of variables; unmapped ones stay.
struct VariableMap {
  std::array<LinId, kVars> to;
  VarSet domain = 0;
  VariableMap() = default;
  VariableMap(VarId v, LinId l) { set(v, l); }
  /// The variables from `first` on by these forms.
  VariableMap(VarId first, std::span<const LinId> forms) {
    for (const LinId l : forms) set(first++, l);
  }
  void set(VarId v, LinId l) {
    to[v] = l;
    domain |= bit(v);
  }
};

/// A fold and its binders.
struct FoldParts {
  ScalarFn op;
  std::vector<std::int64_t> extents;
  VarId first;  ///< bound variable of the first binder
  TermId guard, body;
};
/// A row function of the bodies, at the indices.
struct RowParts {
  std::uint32_t signature, leaf;
  std::vector<std::int64_t> extents;
  VarId first;
  std::vector<LinId> index;
  std::vector<TermId> bodies;
};

struct Factor {
  TermId term;
  RatId exp;
  friend auto operator<=>(const Factor&, const Factor&) = default;
};
struct Summand {
  RatId coef;
  TermId mono;  ///< a Mono node
};

/// The list without its k-th element.
template <class T>
std::vector<T> without(std::vector<T> list, std::size_t k) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
  return list;
}

/// Temporary variables as long as this lives; the last ones go first.
class Fresh {
 public:
  Fresh(int& in_use, std::vector<LinId> vars) : in_use_(&in_use), vars_(std::move(vars)) {}
  Fresh(Fresh&&) = default;
  ~Fresh() { *in_use_ -= static_cast<int>(vars_.size()); }
  std::size_t size() const { return vars_.size(); }
  LinId operator[](std::size_t k) const { return vars_[k]; }
  const LinId* begin() const { return vars_.data(); }
  const LinId* end() const { return begin() + size(); }

 private:
  int* in_use_;
  std::vector<LinId> vars_;
};

/// A fold or row over temporary variables.
struct Opened {
  Fresh vars;
  std::vector<std::int64_t> extents;
  TermId guard;
  std::vector<TermId> bodies;
  VarSet set = 0;
};

/// What is known of the value of a term, for all assignments.
struct Attributes {
  bool finite = false, nonnegative = false, positive = false, nonzero = false;
  bool below_inf = false;  ///< finite or -inf
  bool ordered = false;    ///< never NaN
  bool not_below = false;  ///< nonnegative, or NaN
  bool no_inf = false;     ///< finite, or NaN
};

/// What a real does not pass, unless it is NaN.
struct Bounds {
  std::optional<RatId> lo{}, hi{};
};

enum class AnchorKind : std::uint8_t { Input,
                                       Value,
                                       Opaque,
                                       Gap,
                                       Array };

/// A sequential value (or free input, gap, constant array): `coefficient` times the read is the value in its program.
struct Anchor {
  AnchorKind kind = AnchorKind::Value;
  Sort sort = Sort::Real;
  std::vector<std::int64_t> extents;  ///< of the parameters
  TermId form = TermId::Unknown;      ///< Value: definition over free variables 0..n-1
  bool transparent = false;           ///< its definition is a case by index guards
  std::uint64_t deciding = 0;         ///< of a distributed value: the parameters that conditions in it hang on
  TermId support = TermId::True;      ///< without this condition on its parameters it is zero
  Attributes attributes;
  Bounds bounds;                ///< reals
  std::int64_t lo = 0, hi = 0;  ///< integers
  /// Integers: a value that is apart from all others, below or above, and the nearest of these (an ignored label beside those of a range).
  std::optional<std::pair<std::int64_t, std::int64_t>> gap{};
  std::uint32_t owner = 0;       ///< the engine's number of the value (input, node leaf, array)
  std::vector<TermId> values{};  ///< Array: its elements, row-major, if they are few
};

}  // namespace gg::prover
