// Inside of the Arena, for models/body/*.cpp only: pools with stable addresses and the constructors that normalise. References and spans into a pool stay valid while it grows, so that a caller may hold a node and
// build.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "models/base/hash.h"
#include "models/base/id_set.h"
#include "models/body/arena.h"
#include "models/body/integers.h"

namespace gg {

/// Append-only array in chunks: elements never move, a run appended at once is contiguous.
template <class T>
class Pool {
 public:
  const T& operator[](std::uint32_t i) const { return chunks_[i >> kBits][i & (kChunk - 1)]; }
  std::uint32_t size() const { return size_; }
  std::span<const T> run(std::uint32_t first, std::size_t n) const {
    return n == 0 ? std::span<const T>() : std::span<const T>(&(*this)[first], n);
  }
  std::uint32_t append(std::span<const T> items) {
    const std::size_t n = items.size();
    if (n == 0) return size_;
    if (size_ + n > capacity()) grow(n);
    const std::uint32_t first = size_;
    std::uninitialized_copy(items.begin(), items.end(), &chunks_[first >> kBits][first & (kChunk - 1)]);
    size_ += static_cast<std::uint32_t>(n);
    return first;
  }
  std::uint32_t push(const T& item) { return append(std::span<const T>(&item, 1)); }

 private:
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  static constexpr std::uint32_t kBits = 10, kChunk = 1U << kBits;
  struct Free {
    void operator()(T* block) const { ::operator delete(block); }
  };
  std::size_t capacity() const { return chunks_.size() << kBits; }
  // Opens whole chunks for a run; what is left of the last chunk stays empty. Nothing is written to them: small pairs need little of a chunk.
  void grow(std::size_t n) {
    const std::size_t count = (n + kChunk - 1) >> kBits;
    size_ = static_cast<std::uint32_t>(capacity());
    blocks_.emplace_back(static_cast<T*>(::operator new((count << kBits) * sizeof(T))));
    for (std::size_t i = 0; i < count; ++i) chunks_.push_back(blocks_.back().get() + (i << kBits));
  }
  std::vector<T*> chunks_;
  std::vector<std::unique_ptr<T, Free>> blocks_;
  std::uint32_t size_ = 0;
};

// 64-bit arithmetic that stops with InternalError instead of wrapping.
std::int64_t checked_add(std::int64_t a, std::int64_t b);
std::int64_t checked_mul(std::int64_t a, std::int64_t b);

/// Is this literal the unit of the monoid?
bool is_unit(ScalarFn monoid, const Scalar& value);

/// The data of an Arena and its constructors. Arena forwards to it.
struct ArenaStore {
  Pool<Lin> lins;
  Pool<Multiple> term_pool;
  Pool<Atom> atoms;
  Pool<Guard> guards;
  Pool<GuardId> guard_pool;
  Pool<Expr> exprs;
  Pool<ExprId> expr_pool;
  Pool<LinId> lin_pool;
  Pool<std::int64_t> extent_pool;
  Pool<Scalar> scalars;
  std::deque<ConstantArray> arrays;
  std::vector<bool> splats;  // of arrays: all values equal
  /// Of integer arrays: their table, once made, over the dimensions along which they change.
  struct ArrayTable {
    TableId table{0xffffffffU};
    std::vector<std::size_t> dims{};
  };
  std::vector<ArrayTable> array_tables;
  std::deque<std::vector<std::int64_t>> tables;
  IdSet lin_set, atom_set, guard_set, expr_set, scalar_set, table_set, array_set;

  struct DivKey {
    std::uint32_t lin;
    std::int64_t m;
    friend bool operator==(const DivKey&, const DivKey&) = default;
  };
  struct DivHash {
    std::size_t operator()(const DivKey& k) const { return mix(k.lin, static_cast<std::uint64_t>(k.m)); }
  };
  std::unordered_map<DivKey, LinId, DivHash> div_memo;
  int div_depth = 0;

  ArenaStore();

  // lin.cpp
  std::span<const Multiple> terms(LinId id) const { return term_pool.run(lins[id.value].first_term, lins[id.value].terms); }
  LinId intern_lin(std::int64_t c0, std::span<const Multiple> sorted);  ///< sorted by atom, no zero coefficients
  LinId combine(std::int64_t c0, std::vector<Multiple>& terms);         ///< any order, repeated atoms; clobbers terms
  LinId constant(std::int64_t value) { return intern_lin(value, {}); }
  LinId of_atom(std::uint32_t atom, std::int64_t coef = 1);
  LinId var(int level, std::int64_t extent);
  LinId axpy(std::int64_t factor, LinId x, LinId y);
  std::uint32_t intern_atom(const Atom& atom);
  std::uint16_t levels_of(const Atom& atom) const;
  Interval range(std::int64_t c0, std::span<const Multiple> terms);
  std::optional<Interval> relaxed_range(std::int64_t c0, std::span<const Multiple> terms, int depth) const;
  /// The few values of a form whose leaves have a small box, point by point; nothing if the box is larger.
  struct SmallBox {
    std::vector<std::uint32_t> leaves;  // atoms var, data
    std::vector<std::int64_t> values;   // of the form, at each point, last leaf fastest
  };
  std::optional<SmallBox> small_box(std::int64_t c0, std::span<const Multiple> terms, std::int64_t max_points) const;
  void refine_range(std::int64_t c0, std::span<const Multiple> terms, std::size_t at, Interval& range);

  // div.cpp
  LinId div(LinId a, std::int64_t m);
  LinId div_uncached(LinId a, std::int64_t m);
  std::optional<LinId> div_by_gcd(LinId a, std::int64_t m);

  // atoms.cpp
  LinId data(ExprId value, std::int64_t lo, std::int64_t hi);
  LinId table(TableId id, LinId index, bool rebuilt = false);
  TableId make_table(std::vector<std::int64_t> values);
  std::optional<LinId> quotients(const Atom& table_atom, std::int64_t coef, std::int64_t c0, std::int64_t m);
  std::optional<LinId> affine_table(const std::vector<std::int64_t>& values, LinId index);

  // guard.cpp, guard_sets.cpp
  GuardId intern_guard(GuardKind kind, std::span<const GuardId> kids, std::uint32_t lin, std::uint16_t levels);
  GuardId always() { return intern_guard(GuardKind::True, {}, 0, 0); }
  GuardId never() { return intern_guard(GuardKind::False, {}, 0, 0); }
  GuardId le0(LinId a);
  std::optional<GuardId> enumerated(LinId a, bool equality);
  GuardId eq0(LinId a);
  GuardId negate(GuardId a);
  GuardId make_set(GuardKind kind, std::vector<GuardId> kids);
  GuardId all(std::span<const GuardId> kids);
  GuardId any(std::span<const GuardId> kids);
  std::span<const GuardId> kids(GuardId id) const {
    const Guard& g = guards[id.value];
    return g.kind == GuardKind::And || g.kind == GuardKind::Or || g.kind == GuardKind::Not
               ? guard_pool.run(g.first, g.kids)
               : std::span<const GuardId>();
  }

  // expr.cpp
  ExprId intern_expr(Expr node, std::span<const ExprId> kids, std::span<const LinId> index,
                     std::span<const std::int64_t> extents);
  ExprId read(int operand, ElementType type, std::span<const LinId> index);
  ExprId index(LinId value, ElementType type);
  ExprId lit(const Scalar& value);
  ExprId lit_int(ElementType type, std::int64_t value) { return lit(Scalar::of_int(type, value)); }
  ExprId constant_at(ArrayId array, std::span<const LinId> index);
  ArrayId make_array(ConstantArray array);
  ExprId select(GuardId guard, ExprId then, ExprId otherwise);
  ExprId unknown(ElementType type);
  std::span<const ExprId> kids(ExprId id) const;
  std::span<const LinId> indices(ExprId id) const { return lin_pool.run(exprs[id.value].first, exprs[id.value].kids); }
  const Scalar* literal(ExprId id) const;

  // fn.cpp, fn_index.cpp: folding of scalar functions
  ExprId fn(ScalarFn f, ElementType type, std::span<const ExprId> kids);
  std::optional<ExprId> fold_literals(ScalarFn f, ElementType type, std::span<const ExprId> kids);
  std::optional<ExprId> fold_boolean(ScalarFn f, ElementType type, std::span<const ExprId> kids);
  std::optional<ExprId> fold_identity(ScalarFn f, ElementType type, std::span<const ExprId> kids);
  std::optional<ExprId> fold_index(ScalarFn f, ElementType type, std::span<const ExprId> kids);
  std::optional<ExprId> compare_index(ScalarFn f, LinId a, LinId b);
  std::optional<LinId> as_lin(ExprId id);
  std::optional<GuardId> as_guard(ExprId id);

  // fold.cpp
  ExprId fold(ScalarFn monoid, ExprId init, int first_level, std::span<const std::int64_t> extents, GuardId guard,
              ExprId body);

  // substitute.cpp: other variables for some levels, the rest as they are; inner folds start at `depth`
  ExprId rename(ExprId expr, std::span<const std::optional<LinId>> vars, int depth);
  GuardId rename(GuardId guard, std::span<const std::optional<LinId>> vars, int depth);
};

}  // namespace gg
