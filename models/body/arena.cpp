// The Arena's surface: everything forwards to ArenaStore.
#include "models/body/arena.h"

#include <array>

#include "models/base/check.h"
#include "models/body/store.h"

namespace gg {

ArenaStore::ArenaStore() {
  constant(0);  // LinId{0}
  always();     // GuardId{0}
}

Arena::Arena() : store_(std::make_unique<ArenaStore>()) {}
Arena::~Arena() = default;
Arena::Arena(Arena&&) noexcept = default;
Arena& Arena::operator=(Arena&&) noexcept = default;

LinId Arena::constant(std::int64_t value) { return store_->constant(value); }
LinId Arena::var(int level, std::int64_t extent) { return store_->var(level, extent); }
LinId Arena::axpy(std::int64_t factor, LinId x, LinId y) { return store_->axpy(factor, x, y); }
LinId Arena::div(LinId a, std::int64_t m) { return store_->div(a, m); }
LinId Arena::data(ExprId value, std::int64_t lo, std::int64_t hi) { return store_->data(value, lo, hi); }
LinId Arena::table(TableId table, LinId index) { return store_->table(table, index); }
TableId Arena::make_table(std::vector<std::int64_t> values) { return store_->make_table(std::move(values)); }

GuardId Arena::always() { return store_->always(); }
GuardId Arena::never() { return store_->never(); }
GuardId Arena::le0(LinId a) { return store_->le0(a); }
GuardId Arena::eq0(LinId a) { return store_->eq0(a); }
GuardId Arena::all(std::span<const GuardId> kids) { return store_->all(kids); }
GuardId Arena::any(std::span<const GuardId> kids) { return store_->any(kids); }
GuardId Arena::negate(GuardId a) { return store_->negate(a); }
GuardId Arena::between(std::int64_t lo, LinId a, std::int64_t hi) {
  const std::array both = {le0(axpy(-1, a, constant(lo))), le0(offset(a, checked_add(1, -hi)))};
  return all(both);
}

ExprId Arena::read(int operand, ElementType type, std::span<const LinId> index) {
  return store_->read(operand, type, index);
}
ExprId Arena::index(LinId value, ElementType type) { return store_->index(value, type); }
ExprId Arena::lit(const Scalar& value) { return store_->lit(value); }
ExprId Arena::constant_at(ArrayId array, std::span<const LinId> index) { return store_->constant_at(array, index); }
ArrayId Arena::make_array(ConstantArray array) { return store_->make_array(std::move(array)); }
ExprId Arena::fn(ScalarFn f, ElementType type, std::span<const ExprId> kids) { return store_->fn(f, type, kids); }
ExprId Arena::fold(ScalarFn monoid, ExprId init, int first_level, std::span<const std::int64_t> extents, GuardId guard,
                   ExprId body) {
  return store_->fold(monoid, init, first_level, extents, guard, body);
}
ExprId Arena::select(GuardId guard, ExprId then, ExprId otherwise) { return store_->select(guard, then, otherwise); }
ExprId Arena::unknown(ElementType type) { return store_->unknown(type); }

const Lin& Arena::operator[](LinId id) const { return store_->lins[id.value]; }
const Guard& Arena::operator[](GuardId id) const { return store_->guards[id.value]; }
const Expr& Arena::operator[](ExprId id) const { return store_->exprs[id.value]; }
const Atom& Arena::atom(std::uint32_t id) const { return store_->atoms[id]; }
std::span<const Multiple> Arena::terms(LinId id) const { return store_->terms(id); }
std::span<const GuardId> Arena::kids(GuardId id) const { return store_->kids(id); }
std::span<const ExprId> Arena::kids(ExprId id) const { return store_->kids(id); }
std::span<const LinId> Arena::indices(ExprId id) const { return store_->indices(id); }

LinId Arena::lin(GuardId id) const {
  const Guard& g = (*this)[id];
  GG_CHECK(g.kind == GuardKind::Le0 || g.kind == GuardKind::Eq0, "guard without a form");
  return {g.first};
}

std::span<const std::int64_t> Arena::extents(ExprId id) const {
  const Expr& e = (*this)[id];
  GG_CHECK(e.kind == ExprKind::Fold, "extents of no fold");
  return store_->extent_pool.run(e.first_extent, e.fold_vars);
}

GuardId Arena::guard(ExprId id) const {
  const Expr& e = (*this)[id];
  GG_CHECK(e.kind == ExprKind::Case || e.kind == ExprKind::Fold, "guard of an expression that has none");
  return {e.arg};
}

const Scalar& Arena::scalar(ExprId id) const {
  const Expr& e = (*this)[id];
  GG_CHECK(e.kind == ExprKind::Lit, "scalar of no literal");
  return store_->scalars[e.arg];
}

const ConstantArray& Arena::array(ArrayId id) const { return store_->arrays[id.value]; }
const std::vector<std::int64_t>& Arena::table_values(TableId id) const { return store_->tables[id.value]; }
std::size_t Arena::size() const {
  return std::size_t{store_->lins.size()} + store_->atoms.size() + store_->guards.size() + store_->exprs.size();
}

}  // namespace gg
