// The checker's own store of terms (docs/certificate.md, sections 3 and 4): index forms, tests, paths and values, each
// interned once, so that equal terms have equal ids. Normal forms are made by the constructors in index.h, choice.h,
// number.h, scalar.h and fold.h; nothing else interns. Shares no code with the search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/base/id_set.h"
#include "models/body/arena.h"
#include "models/type/type.h"
#include "prover/checker/classes.h"
#include "prover/checker/limit.h"
#include "prover/checker/rational.h"
#include "prover/checker/size.h"

namespace gg::checker {

template <int Tag>
struct Id {
  std::uint32_t id = 0;
  friend auto operator<=>(Id, Id) = default;
};
using Var = Id<0>;       ///< index variable
using VarSet = Id<1>;    ///< sorted set of variables; 0 = empty
using Atom = Id<2>;      ///< what an index form is linear in
using Index = Id<3>;     ///< index form
using Test = Id<4>;      ///< atomic condition
using Path = Id<5>;      ///< conjunction of tests and negated tests; 0 = true
using Monomial = Id<6>;  ///< product of powers; 0 = the empty product
using Value = Id<7>;     ///< element term

/// Rank: rank digits of the distributed program. Out: dimensions. Bound: binders of folds and rows, numbered by height
/// (a binder's number is above those of all folds inside). Temp: binders of a fold that is being taken apart.
enum class Space : std::uint8_t { Rank,
                                  Out,
                                  Bound,
                                  Temp };

struct VarNode {
  Space space;
  std::uint32_t number;
  Size extent;
  bool operator==(const VarNode& o) const { return space == o.space && number == o.number && same(extent, o.extent); }
};

enum class AtomKind : std::uint8_t { Variable,
                                     Div,
                                     Clamp,
                                     Table,
                                     Data };

/// Div: floor(arg / m). Clamp: arg limited to [lo, hi]. Table: entry arg of `table`. Data: an integer value.
struct AtomNode {
  AtomKind kind;
  Var var{};
  Index arg{};
  Size m = 0;
  Value value{};
  std::vector<Size> table{};
  Size lo = 0, hi = 0;       ///< range, inclusive (derived, but for Clamp)
  VarSet free{};             ///< derived
  std::uint32_t height = 0;  ///< derived: 1 + the highest Bound number inside, free or bound; 0 = none
  std::uint64_t shape = 0;   ///< derived: hash of the structure with binders anonymous; orders, never identifies
  bool operator==(const AtomNode& o) const {
    return kind == o.kind && var == o.var && arg == o.arg && same(m, o.m) && value == o.value &&
           std::equal(table.begin(), table.end(), o.table.begin(), o.table.end(), [](const Size& a, const Size& b) { return same(a, b); }) &&
           (kind != AtomKind::Clamp || (same(lo, o.lo) && same(hi, o.hi)));
  }
};

struct Part {
  Size coef;
  Atom atom;
  bool operator==(const Part& o) const { return same(coef, o.coef) && atom == o.atom; }
};

/// c0 + sum of parts, sorted by atom, no zero coefficient.
struct IndexNode {
  Size c0 = 0;
  std::vector<Part> parts;
  Size lo = 0, hi = 0;  ///< derived
  VarSet free{};
  std::uint32_t height = 0;
  std::uint64_t shape = 0;
  bool operator==(const IndexNode& o) const { return same(c0, o.c0) && parts == o.parts; }
};

enum class TestKind : std::uint8_t { Ge,
                                     Eq,
                                     Truth };

/// Ge: index >= 0. Eq: index == 0. Truth: a boolean value that is neither constant nor a case.
struct TestNode {
  TestKind kind;
  Index index{};
  Value value{};
  VarSet free{};
  std::uint32_t height = 0;
  std::uint64_t shape = 0;             ///< as of the other atoms; of `ge L` it is that of `ge -L-1`, of `eq L` that of `eq -L`
  std::uint64_t holds = 0, fails = 0;  ///< of the literal that it holds, and that it does not: L >= 0 and -L-1 < 0 have one
  bool operator==(const TestNode& o) const { return kind == o.kind && index == o.index && value == o.value; }
};

struct Literal {
  Test test;
  bool holds;
  friend auto operator<=>(const Literal&, const Literal&) = default;
};

struct PathNode {
  std::vector<Literal> literals;  ///< sorted, unique
  VarSet free{};
  std::uint32_t height = 0;
  std::uint64_t shape = 0;
  bool operator==(const PathNode& o) const { return literals == o.literals; }
};

/// base ^ exponent.
struct Factor {
  Value base;
  Rational exponent = 1;
  bool operator==(const Factor&) const = default;
  bool operator<(const Factor& o) const { return base == o.base ? exponent < o.exponent : base < o.base; }
};

struct MonomialNode {
  std::vector<Factor> factors;  ///< sorted; one base occurs twice only where its powers may not be joined
  VarSet free{};
  std::uint32_t height = 0;
  std::uint64_t shape = 0, reads = 0;
  bool operator==(const MonomialNode& o) const { return factors == o.factors; }
};

struct PolyPart {
  Monomial monomial;
  Rational coef;
  bool operator==(const PolyPart&) const = default;
};

enum class ValueKind : std::uint8_t {
  PosInf,
  NegInf,
  NaN,
  Unknown,
  True,
  False,
  Poly,     ///< sum of coef * monomial; a constant; never a single monomial x^1 with coefficient 1
  Int,      ///< an index atom that is no Data atom, as a number
  Read,     ///< element of an anchor
  Element,  ///< element of a constant array of floats
  Fn,       ///< scalar function, opaque but for congruence (and order of commutative arguments)
  Case,     ///< test ? kids[0] : kids[1]
  Fold,     ///< Add, Maximum, Multiply, Or (or modular) over the box of vars where path holds; kids[0] = body
  Row,      ///< row function `ref`, result `leaf`, of kids as functions of vars, at position index
};

struct ValueNode {
  ValueKind kind;
  ScalarFn fn = ScalarFn::Add;            ///< Fn, Fold
  ElementType type = ElementType::Token;  ///< Fn: result type where the meaning hangs on it; Fold: modular type
  std::uint32_t ref = 0;                  ///< Int: atom; Read: anchor; Element: array; Row: signature
  std::uint32_t leaf = 0;                 ///< Row; Fn Convert: 1 = wraps an integer to `type`, 0 = float to integer
  Test test{};                            ///< Case
  Path path{};                            ///< Fold
  std::vector<Value> kids{};
  std::vector<Index> index{};
  std::vector<Var> vars{};
  std::vector<PolyPart> summands{};  ///< Poly
  VarSet free{};                     ///< derived
  std::uint32_t height = 0;
  std::uint64_t shape = 0;
  std::uint64_t reads = 0;  ///< derived: of the anchors read outside of indices and conditions; equal in terms that differ by index forms only
  bool operator==(const ValueNode& o) const;
};

/// What a real does not pass, unless it is NaN.
struct Bounds {
  std::optional<Rational> lo, hi;
};

/// A function of indices that terms may read: a sequential value, a free input, or a fresh value.
struct Anchor {
  std::string name;
  ElementType type = ElementType::F64;
  std::vector<Var> vars;            ///< one an index
  std::optional<Value> definition;  ///< over vars; holds for indices inside the extents; laws ask Terms::definition
  bool late = false;                ///< it has one, no case, that is derived when it is asked for (repeat.h)
  std::vector<Index> used;          ///< of each index, what the definition hangs on; empty: reads keep all (carries: it comes late)
  bool named = false;               ///< has records of its own: reads stay reads where the definition is a decided case
  Classes classes;                  ///< what its elements can be
  Bounds bounds;                    ///< of a real one
  Size lo = 0, hi = 0;              ///< range of an integral one, inclusive
  /// Of an integral one: a value that is apart from all others, below or above, and the nearest of these.
  std::optional<std::pair<Size, Size>> gap{};
};

/// One result of a row function: its element type, and where its elements come from.
struct RowResult {
  ElementType type = ElementType::F64;
  std::vector<std::size_t> sources;   ///< every element is one of these operands' elements; empty = anything
  std::vector<std::size_t> summed{};  ///< every element is a sum of elements of these arrays
};

/// An operator that is known by congruence only: equal signatures mean the same function of whole rows.
struct RowFunction {
  std::string signature;
  std::vector<RowResult> results;
  /// A join of tuples (models/op/semilattice.h) with m places: leaf m of m kids is the tuple, leaf k < m of one kid, a maximum of
  /// tuples, its place k.
  bool joins = false;
  /// A join that keeps the tuple with the larger (smaller) value, of equal ones that with the smaller index.
  enum class Keeps : std::uint8_t { Neither,
                                    Largest,
                                    Smallest };
  Keeps keeps = Keeps::Neither;
  bool orders = false;  ///< places in a row of one kid that is put in descending order (order.h)
};

/// Where an array lies in the elements of Terms::arrays: the dimensions along which it changes, major first; it is `times` these.
struct ArrayPlace {
  std::uint32_t elements = 0;
  Rational times = 1;
  std::vector<std::size_t> order{};
};

/// One table of distinct nodes.
template <class Node>
class Interner {
 public:
  const Node& operator[](std::uint32_t id) const { return blocks_[id / kBlock][id % kBlock]; }
  std::size_t size() const { return size_; }
  /// The id of the equal node, or of this one as `derive(node)` completes it.
  template <class Derive>
  std::uint32_t intern(Node node, std::size_t hash, const Derive& derive) {
    const std::uint32_t id = ids_.find(hash, [&](std::uint32_t known) { return (*this)[known] == node; });
    if (id != IdSet::kNoId) return id;
    derive(node);
    if (size_ % kBlock == 0) blocks_.emplace_back().reserve(kBlock);
    blocks_.back().push_back(std::move(node));
    ids_.insert(hash, size_);
    return size_++;
  }

 private:
  static constexpr std::size_t kBlock = 128;
  std::vector<std::vector<Node>> blocks_;  // references stay valid while it grows
  std::uint32_t size_ = 0;
  IdSet ids_;
};

/// The store. Every function of the checker takes it first.
class Terms {
 public:
  Terms();
  const VarNode& operator[](Var v) const { return vars_[v.id]; }
  const std::vector<Var>& operator[](VarSet s) const { return var_sets_[s.id]; }
  const AtomNode& operator[](Atom a) const { return atoms_[a.id]; }
  const IndexNode& operator[](Index i) const { return indices_[i.id]; }
  const TestNode& operator[](Test t) const { return tests_[t.id]; }
  const PathNode& operator[](Path p) const { return paths_[p.id]; }
  const MonomialNode& operator[](Monomial m) const { return monomials_[m.id]; }
  const ValueNode& operator[](Value v) const { return values_[v.id]; }

  /// Interning. Derived fields (free, height, ranges of index forms and of Var and Div atoms) are computed here; what
  /// makes a node canonical is the callers' business.
  Var var(Space space, std::uint32_t number, Size extent);
  VarSet set(std::vector<Var> vars);
  Atom intern(AtomNode node);
  Index intern(Size c0, std::vector<Part> parts);
  Test intern(TestNode node);
  Path intern(std::vector<Literal> literals);
  Monomial intern(std::vector<Factor> factors);
  Value intern(ValueNode node);

  VarSet unite(VarSet a, VarSet b);
  bool contains(VarSet s, Var v) const;
  bool disjoint(VarSet a, VarSet b) const;
  /// A fixed order of variables: rank digits, dimensions, binders; by number.
  bool before(Var a, Var b) const;

  /// One unit of work; throws Limit beyond the budget.
  void step();
  /// The next units of work that are allowed before Limit; never more than the budget of the whole check leaves.
  void allow(std::uint64_t steps);
  std::uint64_t allowed() const { return allowed_ - steps_; }
  std::uint64_t steps() const { return steps_; }
  std::size_t size() const { return values_.size() + indices_.size(); }

  std::vector<Anchor> anchors;
  bool defined(std::uint32_t anchor) const { return anchors[anchor].late || anchors[anchor].definition; }
  /// Is the definition a case?
  bool by_cases(std::uint32_t anchor) const;
  /// The definition of an anchor that has one. Whoever looks at it has opened the anchor.
  Value definition(std::uint32_t anchor);
  std::function<Value(std::uint32_t)> derive_late;
  std::vector<std::uint32_t> opened;  ///< since somebody cleared it: what results rest on beside what anchors say themselves
  /// Distinct elements of constant arrays, each as an array of one dimension; Element values refer to them.
  std::vector<ConstantArray> arrays;
  std::map<const ConstantArray*, ArrayPlace> places;  ///< of arrays that outlive the terms
  std::vector<RowFunction> rows;
  /// What float literals are assumed to mean, by type and value.
  std::map<std::pair<ElementType, double>, Value> readings;
  /// Depth of recursion at the moment (Deeper).
  std::uint32_t depth = 0;
  /// First number for the next binders to be opened, Space::Temp.
  std::int64_t exact_integers = 0;  ///< up to which size an integer is one again behind floats (models/pair/rounded.h)
  std::uint32_t open_binders = 0;
  bool sigmoids_by_exponentials = false;  ///< models/pair/spelled.h

  struct Memo;  ///< results of pure functions, by id
  Memo& memo() { return *memo_; }
  ~Terms();

 private:
  void derive(ValueNode& node);

  Interner<VarNode> vars_;
  Interner<std::vector<Var>> var_sets_;
  Interner<AtomNode> atoms_;
  Interner<IndexNode> indices_;
  Interner<TestNode> tests_;
  Interner<PathNode> paths_;
  Interner<MonomialNode> monomials_;
  Interner<ValueNode> values_;
  std::unordered_map<std::uint64_t, VarSet> unions_;
  std::unique_ptr<Memo> memo_;
  std::uint64_t steps_ = 0, allowed_ = 0;
};

}  // namespace gg::checker
