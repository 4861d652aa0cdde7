// Frames, literals and regions shared by the bodies.
#include "models/op/body_support.h"

#include <limits>

#include "models/base/check.h"
#include "models/op/rule_support.h"
#include "models/rank/digits.h"

namespace gg {

Lift::Lift(Arena& a, const Call& c, int leaf) : arena(a), call(c) {
  const Type whole = infer_type(call);
  const LeafTypes leaves = whole.leaves();
  GG_CHECK(leaf >= 0 && static_cast<std::size_t>(leaf) < leaves.size(), name_of(call) + " has no such result leaf");
  type = *leaves[static_cast<std::size_t>(leaf)];
  if (call.digits != nullptr) digits = *call.digits;
  rank = digits.variables(arena);
  for (int d = 0; d < type.rank(); ++d) {
    index.push_back(arena.var(digits.count() + d, type.dims[static_cast<std::size_t>(d)]));
  }
}

ExprId Lift::read_on(int k, std::span<const LinId> rank_digits, std::span<const LinId> position) {
  std::vector<LinId> full(rank_digits.begin(), rank_digits.end());
  full.insert(full.end(), position.begin(), position.end());
  return arena.read(k, call.operands[static_cast<std::size_t>(k)]->element, full);
}

ExprId Lift::convert(ExprId value, ElementType to) {
  if (arena[value].type == to) return value;
  return arena.fn(ScalarFn::Convert, to, {&value, 1});
}

Body Lift::finish(ExprId root) const {
  return {type.element, lifted_extents(digits, type.dims), root};
}

std::vector<LinId> with(std::span<const LinId> base, std::int64_t k, LinId value) {
  std::vector<LinId> copy(base.begin(), base.end());
  copy[static_cast<std::size_t>(k)] = value;
  return copy;
}

namespace {

/// Unit of minimum for every float type, those without an infinity included: over the reals they have no largest value.
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::int64_t lowest_integer(ElementType type) {
  if (!is_signed(type)) return 0;
  return info(type).bits >= 64 ? INT64_MIN : -(std::int64_t{1} << (info(type).bits - 1));
}

std::int64_t highest_integer(ElementType type) {
  if (type == ElementType::Pred) return 1;
  if (!is_signed(type)) return wrap_to(type, -1);
  return info(type).bits >= 64 ? INT64_MAX : (std::int64_t{1} << (info(type).bits - 1)) - 1;
}

}  // namespace

ExprId unit_of(Arena& arena, ScalarFn monoid, ElementType type) {
  const auto number = [&](std::int64_t value) {
    return arena.lit(Scalar::whole(type, value));
  };
  const bool integral = is_integral(type);
  switch (monoid) {
    case ScalarFn::Multiply:
      return number(1);
    case ScalarFn::Max:
      return integral ? number(lowest_integer(type)) : arena.lit(Scalar::of(type, -kInfinity));
    case ScalarFn::Min:
      return integral ? number(highest_integer(type)) : arena.lit(Scalar::of(type, kInfinity));
    case ScalarFn::And:
      return number(type == ElementType::Pred ? 1 : -1);
    case ScalarFn::Add:
    case ScalarFn::Or:
    case ScalarFn::Xor:
      return number(0);
    default:
      break;
  }
  GG_CHECK(false, "no unit of " + std::string(info(monoid).name));
  return number(0);
}

const Region& region_of(const Call& call) {
  GG_CHECK(call.regions.size() == 1, name_of(call) + " has " + std::to_string(call.regions.size()) + " regions");
  if (call.regions[0]->results.empty()) refuse_form(name_of(call) + ": its computation is no scalar function");
  return *call.regions[0];
}

namespace {

bool widens(ElementType from, ElementType to) {
  if (from == to) return true;
  const ElementInfo& a = info(from);
  const ElementInfo& b = info(to);
  return is_float(from) && is_float(to) && b.significand >= a.significand && b.high >= a.high && b.low <= a.low;
}

/// Without one conversion on top, if there is one.
ExprId unconverted(const Arena& arena, ExprId e) {
  const bool converted = arena[e].kind == ExprKind::Fn && arena[e].fn == ScalarFn::Convert;
  return converted ? arena.kids(e)[0] : e;
}

/// Parameter k, possibly widened: rounding the result of an operation on widened values to the narrow type is what the
/// operation in the narrow type means (XLA promotes the regions of bf16 all-reduces so).
bool is_parameter(const Arena& arena, ExprId e, int k) {
  const ExprId inner = unconverted(arena, e);
  return arena[inner].kind == ExprKind::Read && arena[inner].arg == static_cast<std::uint32_t>(k) &&
         widens(arena[inner].type, arena[e].type);
}

}  // namespace

std::optional<ScalarFn> find_monoid(const Arena& arena, const Region& region, int k, ElementType element) {
  const auto n = static_cast<int>(region.results.size());
  if (static_cast<int>(region.parameters.size()) == 2 * n && k < n &&
      region.parameters[static_cast<std::size_t>(k)] == element) {
    const ExprId result = unconverted(arena, region.results[static_cast<std::size_t>(k)]);
    const Expr& e = arena[result];
    if (e.kind == ExprKind::Fn && e.kids == 2 && is_monoid(e.fn) && widens(element, e.type)) {
      const ExprId a = arena.kids(result)[0], b = arena.kids(result)[1];
      if ((is_parameter(arena, a, k) && is_parameter(arena, b, n + k)) ||
          (is_parameter(arena, b, k) && is_parameter(arena, a, n + k))) {
        return e.fn;
      }
    }
  }
  return std::nullopt;
}

ScalarFn monoid_of(const Arena& arena, const Call& call, int k, ElementType element) {
  const std::optional<ScalarFn> monoid = find_monoid(arena, region_of(call), k, element);
  if (monoid) return *monoid;
  refuse_form(name_of(call) + ": its computation is not one of add, multiply, maximum, minimum, and, or, xor");
}

ExprId apply_region(Arena& arena, const Region& region, std::size_t k, std::span<const ExprId> arguments, int depth) {
  Arena::Substitution substitution;
  substitution.depth = depth;
  substitution.read = [&](int operand, std::span<const LinId>, int) -> std::optional<ExprId> {
    return arguments[static_cast<std::size_t>(operand)];
  };
  return arena.substitute(region.results[k], substitution);
}

LinId data_index(Arena& arena, ExprId value, std::int64_t lo, std::int64_t hi) {
  if (lo == hi) return arena.constant(lo);
  if (arena[value].type == ElementType::U64) {  // stored as int64: beyond 2^63 it would look negative
    const ExprId both[] = {value, arena.lit(Scalar::of_int(ElementType::U64, hi))};
    value = arena.fn(ScalarFn::Min, ElementType::U64, both);
  }
  return arena.data(value, lo, hi);
}

LinId unclamped_index(Arena& arena, ExprId value, std::int64_t hi) { return data_index(arena, value, -1, hi + 1); }

}  // namespace gg
