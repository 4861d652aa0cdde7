// The reference meaning of a body in runs: a walk over its tree, one element at a time. Slow and plain on purpose; the
// compiled form is compared with it bit for bit (tests/unit/reference.h).
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/plan/known_folds.h"
#include "kernels/plan/semantics.h"
#include "models/base/check.h"
#include "models/type/type.h"

namespace gg {

namespace {

class TreeWalk {
 public:
  TreeWalk(const Arena& arena, NumberMode mode, const ElementReader& read, std::span<const std::int64_t> at, TieCounter& ties, KnownFolds* known,
           const UnknownElement* unknown)
      : arena_(arena), mode_(mode), read_(read), known_(known), unknown_(unknown), ties_(ties), at_(at.begin(), at.end()) {}

  Cell element(ExprId id) {
    const Expr& e = arena_[id];
    const Storage storage = storage_of(e.type, mode_);
    Cell out;
    switch (e.kind) {
      case ExprKind::Read:
        return read(id, e);
      case ExprKind::Index: {
        const std::int64_t value = lin(LinId{e.arg});
        apply(ScalarFn::Convert, {e.type, mode_}, storage, out, &value, Storage::Int64, ElementType::S64);
        return out;
      }
      case ExprKind::Lit:
        store(arena_.scalar(id), storage, out);
        return out;
      case ExprKind::Constant: {
        const ConstantArray& array = arena_.array(ArrayId{e.arg});
        const std::int64_t address = flat(id, array.type.dims);
        store(array.values[static_cast<std::size_t>(address)], storage, out);
        return out;
      }
      case ExprKind::Fn:
        return function(id, e, {e.type, mode_});
      case ExprKind::Case:
        return element(arena_.kids(id)[guard(arena_.guard(id)) ? 0 : 1]);
      case ExprKind::Fold:
        if (known_ == nullptr || known_->levels(id).size() == e.fold_level) return fold(id, e);
        return known_->value(id, at_, [&] { return fold(id, e); });
      case ExprKind::Unknown:
        if (unknown_ != nullptr && storage == unknown_->storage) return unknown_->value;
        store_unknown(storage, out.bytes, e.type);
        return out;
    }
    return out;
  }

  static void store(const Scalar& s, Storage storage, Cell& out) {
    store_scalar(storage, out.bytes, s.type, s.real, s.integer);
  }

  void apply(ScalarFn f, Rounding rounding, Storage storage, Cell& out, const void* arg, Storage from,
             ElementType type) {
    const Row row{arg, 0};
    row_apply(f, rounding, storage, out.bytes, &row, &from, &type, 1, ties_);
  }

  std::int64_t flat(ExprId id, std::span<const std::int64_t> extents) {
    const std::span<const LinId> index = arena_.indices(id);
    GG_CHECK(index.size() == extents.size(), "read with another rank than its operand");
    std::int64_t address = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t i = lin(index[d]);
      GG_CHECK(i >= 0 && i < extents[d], "read out of range in " + arena_.print(id));
      address = address * extents[d] + i;
    }
    return address;
  }

  Cell read(ExprId id, const Expr& e) {
    std::vector<std::int64_t> index;
    for (const LinId l : arena_.indices(id)) index.push_back(lin(l));
    return read_(e.arg, index);
  }

  Cell function(ExprId id, const Expr& e, Rounding rounding) {
    const std::span<const ExprId> kids = arena_.kids(id);
    Cell values[3];
    Row rows[3];
    Storage storages[3];
    ElementType types[3];
    for (std::size_t k = 0; k < kids.size(); ++k) {
      const bool same = k != 0 && kids[k] == kids[0];
      values[k] = same ? values[0] : element(kids[k]);
      const bool again = same || (k != 0 && values[k].origin != 0 && values[k].origin == values[0].origin);  // one number: it equals itself
      rows[k] = {values[again ? 0 : k].bytes, 0};
      types[k] = arena_[kids[k]].type;
      storages[k] = storage_of(types[k], mode_);
    }
    const Storage storage = storage_of(e.type, mode_);
    if (e.fn == ScalarFn::Select) return values[truth(values[0]) ? 1 : 2];
    if (e.fn == ScalarFn::Convert && is_ball(storage) && storages[0] == storage) return values[0];
    if (const Cell* const one = attained(e.fn, storage, values[0], values[1])) return *one;
    Cell out;
    row_apply(e.fn, rounding, storage, out.bytes, rows, storages, types, 1, ties_);
    return out;
  }

  static bool truth(const Cell& predicate) {
    std::int64_t value = 0;
    std::memcpy(&value, predicate.bytes, sizeof value);
    return value != 0;
  }

  /// Of a maximum or minimum of balls the operand that it is for certain; null where they overlap.
  const Cell* attained(ScalarFn fn, Storage storage, const Cell& a, const Cell& b) const {
    if (!is_ball(storage) || (fn != ScalarFn::Max && fn != ScalarFn::Min)) return nullptr;
    if (a.origin != 0 && a.origin == b.origin) return &a;
    const Storage storages[2] = {storage, storage};
    const ElementType types[2] = {ElementType::F64, ElementType::F64};
    const ScalarFn before = fn == ScalarFn::Max ? ScalarFn::CompareGe : ScalarFn::CompareLe;
    for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      const Row rows[2] = {{one->bytes, 0}, {other->bytes, 0}};
      TieCounter ties;
      Cell first;
      row_apply(before, {ElementType::Pred, mode_}, Storage::Int64, first.bytes, rows, storages, types, 1, ties);
      if (ties.ties == 0 && truth(first)) return one;
    }
    return nullptr;
  }

  Cell fold(ExprId id, const Expr& e) {
    const ExprId body = arena_.kids(id)[1];
    const Storage storage = storage_of(e.type, mode_);
    const ElementType type = accumulation_type(e.type, mode_);
    const bool product = accumulates_product(arena_, id);
    Cell acc = element(arena_.kids(id)[0]);
    const std::span<const std::int64_t> extents = arena_.extents(id);
    const std::size_t first = e.fold_level;
    at_.resize(std::max(at_.size(), first + extents.size()), 0);
    for (std::size_t v = 0; v < extents.size(); ++v) at_[first + v] = 0;
    for (;;) {
      if (guard(arena_.guard(id))) {
        const Cell value = product ? function(body, arena_[body], {type, mode_}) : element(body);
        if (const Cell* const one = attained(e.fn, storage, acc, value)) {
          acc = *one;
        } else {
          row_accumulate(e.fn, {type, mode_}, storage, acc.bytes, {value.bytes, 0}, 1, ties_);
          acc.origin = 0;
        }
      }
      std::size_t v = extents.size();
      while (v > 0 && ++at_[first + v - 1] == extents[v - 1]) at_[first + --v] = 0;
      if (v == 0) break;
    }
    if (type == e.type) return acc;
    Cell out;
    apply(ScalarFn::Convert, {e.type, mode_}, storage, out, acc.bytes, storage, type);
    return out;
  }

  std::int64_t lin(LinId id) {
    std::int64_t sum = arena_[id].c0;
    for (const Multiple& t : arena_.terms(id)) sum += t.coef * atom(arena_.atom(t.atom));
    return sum;
  }

  std::int64_t atom(const Atom& a) {
    switch (a.kind) {
      case AtomKind::Var:
        return at_[a.level];
      case AtomKind::Div:
        return floor_quotient(lin(LinId{a.arg}), a.m);
      case AtomKind::Data: {
        const Cell value = element(ExprId{a.arg});
        std::int64_t i = 0;
        std::memcpy(&i, value.bytes, sizeof i);
        return clamp_index(i, arena_[ExprId{a.arg}].type, a.lo, a.hi);
      }
      case AtomKind::Table: {
        const std::vector<std::int64_t>& values = arena_.table_values(TableId{a.arg});
        const std::int64_t i = lin(LinId{a.index});
        GG_CHECK(i >= 0 && i < static_cast<std::int64_t>(values.size()), "table read out of range");
        return values[static_cast<std::size_t>(i)];
      }
    }
    return 0;
  }

  bool guard(GuardId id) {
    const std::span<const GuardId> kids = arena_.kids(id);
    switch (arena_[id].kind) {
      case GuardKind::True:
        return true;
      case GuardKind::False:
        return false;
      case GuardKind::Le0:
        return lin(arena_.lin(id)) <= 0;
      case GuardKind::Eq0:
        return lin(arena_.lin(id)) == 0;
      case GuardKind::And:
        return std::all_of(kids.begin(), kids.end(), [&](GuardId k) { return guard(k); });
      case GuardKind::Or:
        return std::any_of(kids.begin(), kids.end(), [&](GuardId k) { return guard(k); });
      case GuardKind::Not:
        return !guard(kids[0]);
    }
    return false;
  }

 private:
  const Arena& arena_;
  NumberMode mode_;
  const ElementReader& read_;
  KnownFolds* known_;
  const UnknownElement* unknown_;
  TieCounter& ties_;
  std::vector<std::int64_t> at_;  // value of each level
};

}  // namespace

void store_unknown(Storage storage, void* out, ElementType type) {
  std::int64_t least = 0;
  if (is_signed(type) && is_integral(type)) least = std::numeric_limits<std::int64_t>::min() >> (64 - info(type).bits);
  store_scalar(storage, out, type, std::numeric_limits<double>::quiet_NaN(), least);
}

bool accumulates_product(const Arena& arena, ExprId fold) {
  const ExprId body = arena.kids(fold)[1];
  const Expr &e = arena[fold], &b = arena[body];
  return e.fn == ScalarFn::Add && b.kind == ExprKind::Fn && b.fn == ScalarFn::Multiply && b.type == e.type;
}

void check_output(const Body& body, NumberMode mode, const Buffer& out, const Buffer* unknown) {
  const std::int64_t count = element_count(body.extents);
  GG_CHECK(out.count() == count && out.storage() == storage_of(body.type, mode), "output buffer of another size");
  GG_CHECK(unknown == nullptr || (unknown->count() == count && unknown->storage() == out.storage()),
           "buffer of unknown elements differs from the output");
}

Cell evaluate_element(const Arena& arena, ExprId root, NumberMode mode, std::span<const std::int64_t> at, const ElementReader& read,
                      TieCounter& ties, KnownFolds* known, const UnknownElement* unknown) {
  return TreeWalk(arena, mode, read, at, ties, known, unknown).element(root);
}

}  // namespace gg
