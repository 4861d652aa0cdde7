// Integer functions of index forms are index forms where the range proves that nothing wraps.
#include <bit>

#include "models/body/store.h"

namespace gg {

namespace {

bool fits(const Lin& l, ElementType type) {
  const Interval r = integral_range(type);
  return l.lo >= r.lo && l.hi <= r.hi;
}

// Would coef * form overflow 64 bits?
bool scalable(const Lin& l, std::int64_t factor) {
  std::int64_t r = 0;
  return !__builtin_mul_overflow(l.lo, factor, &r) && !__builtin_mul_overflow(l.hi, factor, &r) &&
         !__builtin_mul_overflow(l.c0, factor, &r);
}

constexpr std::int64_t kSafe = std::int64_t{1} << 60;  // sums of two such forms stay in 64 bits
bool moderate(const Lin& l) { return l.lo > -kSafe && l.hi < kSafe && l.c0 > -kSafe && l.c0 < kSafe; }

}  // namespace

// The integer expression as a form equal to its value, if it is an index or a literal that does not wrap.
std::optional<LinId> ArenaStore::as_lin(ExprId id) {
  const Expr& e = exprs[id.value];
  if (!is_integral(e.type)) return std::nullopt;
  if (e.kind == ExprKind::Index) {
    if (!fits(lins[e.arg], e.type)) return std::nullopt;
    return LinId{e.arg};
  }
  const Scalar* const s = literal(id);
  if (s == nullptr || (e.type == ElementType::U64 && s->integer < 0)) return std::nullopt;
  return constant(s->integer);
}

std::optional<ExprId> ArenaStore::compare_index(ScalarFn f, LinId a, LinId b) {
  const LinId d = axpy(-1, b, a);  // a - b
  GuardId g = never();
  switch (f) {
    case ScalarFn::CompareEq:
      g = eq0(d);
      break;
    case ScalarFn::CompareNe:
      g = negate(eq0(d));
      break;
    case ScalarFn::CompareLe:
      g = le0(d);
      break;
    case ScalarFn::CompareLt:
      g = le0(axpy(1, d, constant(1)));
      break;
    case ScalarFn::CompareGe:
      g = le0(axpy(-1, d, constant(0)));
      break;
    case ScalarFn::CompareGt:
      g = le0(axpy(-1, d, constant(1)));
      break;
    default:
      return std::nullopt;
  }
  return select(g, lit_int(ElementType::Pred, 1), lit_int(ElementType::Pred, 0));
}

std::optional<ExprId> ArenaStore::fold_index(ScalarFn f, ElementType type, std::span<const ExprId> list) {
  if (!is_integral(type) || list.size() > 3) return std::nullopt;
  LinId in[3];
  bool any_index = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::optional<LinId> l = as_lin(list[i]);
    if (!l || !moderate(lins[l->value])) return std::nullopt;
    in[i] = *l;
    any_index = any_index || lins[l->value].terms != 0;
  }
  if (!any_index) return std::nullopt;
  const auto lin = [&](std::size_t i) -> const Lin& { return lins[in[i].value]; };
  const auto result = [&](LinId l) -> std::optional<ExprId> {
    if (type == ElementType::Pred || !fits(lins[l.value], type)) return std::nullopt;
    return index(l, type);
  };
  const bool closed1 = list.size() > 1 && lin(1).terms == 0;
  const std::int64_t c1 = closed1 ? lin(1).c0 : 0;
  switch (f) {
    case ScalarFn::Convert:
      return result(in[0]);
    case ScalarFn::Negate:
      return result(axpy(-1, in[0], constant(0)));
    case ScalarFn::Abs:
      if (lin(0).lo >= 0) return list[0];
      return lin(0).hi <= 0 ? result(axpy(-1, in[0], constant(0))) : std::nullopt;
    case ScalarFn::Add:
      return result(axpy(1, in[0], in[1]));
    case ScalarFn::Subtract:
      return result(axpy(-1, in[1], in[0]));
    case ScalarFn::Multiply: {
      const std::size_t other = closed1 ? 0 : 1;
      if (lin(1 - other).terms != 0 || !scalable(lin(other), lin(1 - other).c0)) return std::nullopt;
      return result(axpy(lin(1 - other).c0, in[other], constant(0)));
    }
    case ScalarFn::Divide:  // truncation is floor where the dividend is not negative
      return closed1 && c1 >= 1 && lin(0).lo >= 0 ? result(div(in[0], c1)) : std::nullopt;
    case ScalarFn::Remainder:
      return closed1 && c1 >= 1 && lin(0).lo >= 0 ? result(axpy(-c1, div(in[0], c1), in[0])) : std::nullopt;
    case ScalarFn::ShiftLeft:
      if (!closed1 || c1 < 0 || c1 > 30 || !scalable(lin(0), std::int64_t{1} << c1)) return std::nullopt;
      return result(axpy(std::int64_t{1} << c1, in[0], constant(0)));
    case ScalarFn::ShiftRightA:  // the highest bit is copied in, for unsigned types too
      if (!is_signed(type) && lin(0).hi >> (info(type).bits - 1) != 0) return std::nullopt;
      [[fallthrough]];
    case ScalarFn::ShiftRightL:
      if (!closed1 || c1 < 0 || c1 >= info(type).bits || c1 > 30 || lin(0).lo < 0) return std::nullopt;
      return result(div(in[0], std::int64_t{1} << c1));
    case ScalarFn::And: {  // a mask of low bits
      const std::size_t other = closed1 ? 0 : 1;
      const Lin& mask = lin(1 - other);
      if (mask.terms != 0 || mask.c0 < 0 || mask.c0 >= kSafe || lin(other).lo < 0) return std::nullopt;
      const auto m = static_cast<std::uint64_t>(mask.c0) + 1;
      if (!std::has_single_bit(m)) return std::nullopt;
      const auto n = static_cast<std::int64_t>(m);
      return result(axpy(-n, div(in[other], n), in[other]));
    }
    case ScalarFn::Max:
    case ScalarFn::Min: {
      const Lin d = lins[axpy(-1, in[1], in[0]).value];  // a - b
      if (d.lo >= 0) return list[f == ScalarFn::Max ? 0 : 1];
      if (d.hi <= 0) return list[f == ScalarFn::Max ? 1 : 0];
      const std::size_t other = closed1 ? 0 : 1;
      if (lin(1 - other).terms != 0) return std::nullopt;
      const Lin l = lin(other);
      const std::int64_t c = lin(1 - other).c0;
      return result(f == ScalarFn::Max ? data(list[other], c, l.hi) : data(list[other], l.lo, c));
    }
    case ScalarFn::Clamp:
      if (lin(0).terms != 0 || lin(2).terms != 0 || lin(0).c0 > lin(2).c0) return std::nullopt;
      return result(data(list[1], lin(0).c0, lin(2).c0));
    default:
      break;
  }
  return list.size() == 2 ? compare_index(f, in[0], in[1]) : std::nullopt;
}

}  // namespace gg
