// Comparison of claimed values (runtime/compare.h).
#include "runtime/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "models/base/check.h"
#include "models/body/reads.h"
#include "models/rank/digits.h"
#include "models/type/type.h"
#include "runtime/error_bounds.h"
#include "runtime/plans.h"

namespace gg {
namespace {

constexpr std::int64_t kLeastExponent = -1077;  ///< of a midpoint and of a radius: together less than 2^-1075, which is zero in f64, and no float type has more
constexpr double kSmallShare = 1e-3;            ///< or to this share of the largest

bool has_fold(const Arena& arena, ExprId root) {
  bool found = false;
  each_expression(arena, root, [&](ExprId id) { found = found || arena[id].kind == ExprKind::Fold; });
  return found;
}

Buffer evaluate_side(const Case& c, const OutputClaim& claim, ExprId root, std::span<const Operand> side, NumberMode mode,
                     PlanStore* plans = nullptr) {
  // Outside the compared elements a side may read anything; it is not evaluated there.
  Arena& arena = *c.arena;
  const ElementType type = arena[root].type;
  const ExprId guarded = arena.select(claim.compared, root, arena.unknown(type));
  TieCounter ties;
  return evaluate_once(arena, {type, claim.extents, guarded}, mode, side, ties, nullptr, plans);
}

template <class T>
std::string text_of(const T& x) {
  if constexpr (kIsBall<T>) {
    return BallOps<T>::to_string(x, 17);
  } else if constexpr (std::is_same_v<T, double>) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", x);
    return buffer;
  } else {
    return std::to_string(x);
  }
}

enum class Meeting : std::uint8_t { Undefined,
                                    Unbounded,
                                    Overlaps,
                                    Open,
                                    Unknown,
                                    Underflow,
                                    Disjoint };

Meeting relate_integers(const ClaimedValues& v, std::size_t k) {
  if (!v.certain(k)) return Meeting::Open;
  return v.distributed.as<std::int64_t>()[k] != v.sequential.as<std::int64_t>()[k] ? Meeting::Disjoint : Meeting::Overlaps;
}

/// `scale`: exponent of the largest value.
template <class B>
Meeting relate_balls(const B& a, const B& b, std::int64_t scale) {
  using Ops = BallOps<B>;
  const Known known = Ops::known(b);
  if (known == Known::Infinite && Ops::known(a) == Known::Finite) return Meeting::Unbounded;
  if (known != Known::Finite && known != Known::Nothing) return Meeting::Undefined;
  if (known == Known::Nothing || Ops::known(a) == Known::Nothing) return Meeting::Unknown;
  if (!Ops::is_finite(a)) return Meeting::Disjoint;
  const auto most = [](const B& x) { return std::max(Ops::exponent(x), Ops::radius_exponent(x)); };
  const auto is_least = [&](const B& x) { return most(x) < kLeastExponent; };
  const auto one_number = [&] { return most(Ops::subtract(a, b)) < std::max(Ops::exponent(a), Ops::exponent(b)) - info(ElementType::F64).significand; };
  if (Ops::disjoint(a, b)) return (is_least(a) && is_least(b)) || one_number() ? Meeting::Underflow : Meeting::Disjoint;
  return std::max(Ops::radius_exponent(a), Ops::radius_exponent(b)) < scale - kResolvedBits ? Meeting::Overlaps : Meeting::Open;
}

/// Of doubles: computed values with the bounds of their errors.
Meeting relate_doubles(const ClaimedValues& v, std::size_t k) {
  const auto bound_of = [&](const Buffer& errors) { return errors.count() == 0 ? 0.0 : errors.as<double>()[k]; };
  const double a = v.distributed.as<double>()[k], b = v.sequential.as<double>()[k];
  const double own = bound_of(v.distributed_error), other = bound_of(v.sequential_error), bound = (own + other) * kWidened;
  const auto known = [](double x) { return x < std::numeric_limits<double>::infinity(); };  // false for NaN
  if (!std::isfinite(b)) return known(other) ? Meeting::Undefined : Meeting::Unknown;
  if (!known(bound)) return Meeting::Unknown;
  const double gap = std::abs(a - b);
  if (!(gap <= bound)) return Meeting::Disjoint;
  return bound > std::max(std::abs(a), std::abs(b)) ? Meeting::Open : Meeting::Overlaps;
}

template <class B>
std::int64_t scale_of(const ClaimedValues& v) {
  std::int64_t scale = 0;
  const auto values = v.sequential.as<B>();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (v.compared.as<std::int64_t>()[k] != 0 && BallOps<B>::is_finite(values[k])) scale = std::max(scale, BallOps<B>::exponent(values[k]));
  }
  return scale;
}

template <class T>
void fill_values(Difference& difference, const ClaimedValues& v, std::size_t k) {
  const T a = v.distributed.as<T>()[k], b = v.sequential.as<T>()[k];
  difference.distributed = text_of(a);
  difference.sequential = text_of(b);
}

}  // namespace

bool ClaimedValues::certain(std::size_t element) const {
  const auto doubted = [element](const Buffer& errors) { return errors.count() != 0 && errors.as<std::int64_t>()[element] != 0; };
  return !doubted(sequential_error) && !doubted(distributed_error);
}

std::pair<double, double> distance_at(const ClaimedValues& values, std::int64_t element) {
  const auto at = static_cast<std::size_t>(element);
  const double a = number_at(values.sequential, at), b = number_at(values.distributed, at);
  double radii = 0x1p-50 * (std::abs(a) + std::abs(b));
  const Buffer* const bounds[] = {&values.sequential_error, &values.distributed_error};
  const Buffer* const sides[] = {&values.sequential, &values.distributed};
  for (std::size_t s = 0; s < 2; ++s) {
    if (bounds[s]->count() != 0 && !values.integral) radii += bounds[s]->as<double>()[at];
    radii += radius_at(*sides[s], at);
  }
  return {a - b, std::abs(a - b) - radii};
}

OutputClaims::Side::Side(const Module& module, const RankDigits& digits) {
  for (const Type* leaf : array_leaf_types(module.type(module.computation(module.entry()).root))) {
    extents.push_back(lifted_extents(digits, leaf->dims));
    types.push_back(leaf->element);
  }
  for (std::size_t k = 0; k < types.size(); ++k) operands.push_back({&nothing, types[k], none});
}

OutputClaims::OutputClaims(const Case& c)
    : case_(c), sequential_(*c.sequential, RankDigits()), distributed_(*c.distributed, c.distributed_bodies->digits()) {}

/// The leaves that a claim reads as operands, each from `buffer(k)`; the others stay empty (there may be thousands of claims and leaves).
template <class Get>
Buffer OutputClaims::over(const OutputClaim& claim, ExprId root, Side& side, const Get& buffer, NumberMode mode, PlanStore* plans) {
  const std::vector<bool> reads = operands_read(*case_.arena, root, side.types.size());
  for (std::size_t k = 0; k < reads.size(); ++k) {
    if (reads[k]) side.operands[k] = {buffer(k), side.types[k], side.extents[k]};
  }
  Buffer result = evaluate_side(case_, claim, root, side.operands, mode, plans);
  for (std::size_t k = 0; k < reads.size(); ++k) {
    if (reads[k]) side.operands[k] = {&side.nothing, side.types[k], side.none};
  }
  return result;
}

/// Error bounds move as the values do: claims are reads, or folds of reads. What a fold of integers makes of doubts is all in doubt.
Buffer OutputClaims::errors(const OutputClaim& claim, ExprId root, Side& side, const RunResult& result) {
  if (result.errors.empty()) return {};
  const bool integral = is_integral((*case_.arena)[root].type);
  const std::vector<bool> reads = operands_read(*case_.arena, root, result.outputs.size());
  bool any = false;
  for (std::size_t k = 0; k < reads.size(); ++k) any = any || (reads[k] && result.errors[k].count() != 0);
  if (!any) return {};
  std::vector<Buffer> exact(result.outputs.size());
  const auto bound = [&](std::size_t k) {
    if (result.errors[k].count() != 0 && !integral) return &result.errors[k];
    exact[k] = Buffer(integral ? Storage::Int64 : Storage::Double, result.outputs[k].count());
    if (result.errors[k].count() != 0) {
      const auto from = result.errors[k].as<double>();
      std::transform(from.begin(), from.end(), exact[k].as<std::int64_t>().begin(), [](double error) { return error == 0 ? 0 : 1; });
    }
    return static_cast<const Buffer*>(&exact[k]);
  };
  Buffer bounds = over(claim, root, side, bound, NumberMode::F64, nullptr);
  if (integral && has_fold(*case_.arena, root)) std::fill_n(bounds.as<std::int64_t>().begin(), bounds.count(), std::int64_t{1});
  return bounds;
}

ClaimedValues OutputClaims::values(std::size_t output, const RunResult& sequential, const RunResult& distributed, NumberMode mode, PlanStore* plans) {
  const OutputClaim& claim = case_.relation.outputs.at(output);
  Arena& arena = *case_.arena;
  ClaimedValues values;
  values.integral = is_integral(arena[claim.sequential].type);
  GG_CHECK(values.integral == is_integral(arena[claim.distributed].type), "claim of a float about an integer");
  const auto of = [](const RunResult& run) { return [&run](std::size_t k) { return &run.outputs.at(k); }; };
  values.sequential = over(claim, claim.sequential, sequential_, of(sequential), mode, plans);
  values.distributed = over(claim, claim.distributed, distributed_, of(distributed), mode, plans);
  const ExprId holds = arena.select(claim.compared, arena.lit(Scalar::of_int(ElementType::S32, 1)),
                                    arena.lit(Scalar::of_int(ElementType::S32, 0)));
  TieCounter ties;
  values.compared = evaluate_once(arena, {ElementType::S32, claim.extents, holds}, mode, {}, ties, nullptr, plans);
  values.sequential_error = errors(claim, claim.sequential, sequential_, sequential);
  values.distributed_error = errors(claim, claim.distributed, distributed_, distributed);
  return values;
}

ClaimedValues claimed_values(const Case& c, std::size_t output, const PairRun& run, NumberMode mode, PlanStore* plans) {
  return OutputClaims(c).values(output, run, mode, plans);
}

Look look_at(const ClaimedValues& values) {
  Look look;
  const auto compared = values.compared.as<std::int64_t>();
  const auto take = [&](std::size_t k, Meeting relation) {
    ++(relation == Meeting::Undefined || relation == Meeting::Unbounded ? look.outcome.undefined : look.outcome.compared);
    if (relation == Meeting::Unbounded) ++look.outcome.unbounded;
    if (relation == Meeting::Open || relation == Meeting::Unknown) ++look.outcome.unresolved;
    if (relation == Meeting::Underflow) ++look.outcome.underflown;
    if (relation == Meeting::Unknown && look.first_unknown < 0) look.first_unknown = static_cast<std::int64_t>(k);
    if (relation == Meeting::Disjoint) look.differing.push_back(static_cast<std::int64_t>(k));
  };
  with_storage(values.sequential.storage(), [&](auto element) {
    using T = decltype(element);
    std::int64_t scale = 0;
    if constexpr (kIsBall<T>) scale = scale_of<T>(values);
    for (std::size_t k = 0; k < compared.size(); ++k) {
      if (compared[k] == 0) continue;
      if constexpr (kIsBall<T>) take(k, relate_balls(values.distributed.as<T>()[k], values.sequential.as<T>()[k], scale));
      else if constexpr (std::is_same_v<T, double>) take(k, relate_doubles(values, k));
      else take(k, relate_integers(values, k));
    }
  });
  if (look.outcome.compared == 0) look.outcome.agreement = Agreement::Undefined;
  return look;
}

DoubleLook look_in_doubles(const ClaimedValues& values, double noise, double zero) {
  DoubleLook look;
  const auto compared = values.compared.as<std::int64_t>();
  if (values.integral) {
    const auto a = values.sequential.as<std::int64_t>(), b = values.distributed.as<std::int64_t>();
    for (std::size_t k = 0; k < compared.size(); ++k) {
      look.compared += compared[k];
      look.differing += a[k] != b[k] ? compared[k] : 0;
    }
    return look;
  }
  const auto a = values.sequential.as<double>(), b = values.distributed.as<double>();
  double scale = 0;
  for (const double x : a) scale = std::isfinite(x) ? std::max(scale, std::abs(x)) : scale;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    if (compared[k] == 0) continue;
    if (!std::isfinite(a[k])) {
      ++look.undefined;
      continue;
    }
    ++look.compared;
    if (std::abs(a[k]) <= zero && std::abs(b[k]) <= zero) continue;
    if (!(std::abs(a[k] - b[k]) <= noise * std::max(std::abs(a[k]), kSmallShare * scale))) ++look.differing;
  }
  return look;
}

Difference describe(const Case& c, std::size_t output, const ClaimedValues& values, const std::vector<std::int64_t>& differing,
                    const OutputOutcome& outcome) {
  const OutputClaim& claim = c.relation.outputs.at(output);
  const auto digits = static_cast<std::size_t>(c.distributed_bodies->digits().count());
  const std::span<const std::int64_t> local = std::span(claim.extents).subspan(digits);
  const std::int64_t size = std::max<std::int64_t>(element_count(local), 1);
  Difference difference;
  difference.output = static_cast<int>(output);
  difference.differing = static_cast<std::int64_t>(differing.size());
  difference.compared = outcome.compared;
  const std::int64_t first = differing.front();
  difference.rank = first / size;
  std::int64_t rest = first % size;
  difference.element.resize(local.size());
  for (std::size_t d = local.size(); d-- > 0;) {
    difference.element[d] = rest % local[d];
    rest /= local[d];
  }
  std::set<std::int64_t> ranks;
  for (const std::int64_t element : differing) ranks.insert(element / size);
  difference.ranks.assign(ranks.begin(), ranks.end());
  const auto k = static_cast<std::size_t>(first);
  with_storage(values.sequential.storage(), [&](auto number) { fill_values<decltype(number)>(difference, values, k); });
  return difference;
}

}  // namespace gg
