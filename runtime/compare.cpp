// Comparison of claimed values (runtime/compare.h).
#include "runtime/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "models/base/check.h"
#include "runtime/plans.h"
#include "runtime/reads.h"

namespace gg {
namespace {

constexpr std::int64_t kEqualBits = 70;    ///< at 113 bits
constexpr std::int64_t kShrinkBits = 60;   ///< from 113 to 226 bits
constexpr std::int64_t kNoiseBits = 160;   ///< at 226 bits
constexpr double kBoundFactor = 4;         ///< f64

Buffer evaluate_side(const Case& c, const OutputClaim& claim, ExprId root, std::span<const Operand> side, NumberMode mode,
                     PlanStore* plans = nullptr) {
  // Outside the compared elements a side may read anything; it is not evaluated there.
  Arena& arena = *c.arena;
  const ElementType type = arena[root].type;
  const ExprId guarded = arena.select(claim.compared, root, arena.unknown(type));
  TieCounter ties;
  return evaluate_once(arena, {type, claim.extents, guarded}, mode, side, ties, nullptr, plans);
}

/// floor(log2 |a - b|) and floor(log2 max(|a|, |b|)) for each storage.
template <class R>
struct Numbers {
  static bool finite(const R& x) { return RealOps<R>::is_finite(x); }
  static std::int64_t difference(const R& a, const R& b) { return RealOps<R>::exponent(RealOps<R>::subtract(a, b)); }
  static std::int64_t magnitude(const R& a, const R& b) {
    return std::max(RealOps<R>::exponent(a), RealOps<R>::exponent(b));
  }
  static std::string text(const R& x) { return RealOps<R>::to_string(x, 17); }
  static double number(const R& x) { return RealOps<R>::to_double(x); }
};

template <>
struct Numbers<double> {
  static bool finite(double x) { return std::isfinite(x); }
  static std::string text(double x) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", x);
    return buffer;
  }
  static double number(double x) { return x; }
};

template <>
struct Numbers<std::int64_t> {
  static std::string text(std::int64_t x) { return std::to_string(x); }
  static double number(std::int64_t x) { return static_cast<double>(x); }
};

void look_at_integers(const ClaimedValues& v, FirstLook& look) {
  const auto a = v.distributed.as<std::int64_t>(), b = v.sequential.as<std::int64_t>();
  const auto compared = v.compared.as<std::int64_t>();
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (compared[k] == 0) continue;
    ++look.outcome.compared;
    if (v.uncertain) ++look.outcome.unresolved;
    if (a[k] != b[k] && !v.uncertain) look.doubts.push_back({static_cast<std::int64_t>(k), 0, true});
  }
}

template <class R>
void look_at_reals(const ClaimedValues& v, FirstLook& look) {
  const auto a = v.distributed.as<R>(), b = v.sequential.as<R>();
  const auto compared = v.compared.as<std::int64_t>();
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (compared[k] == 0) continue;
    if (!Numbers<R>::finite(b[k])) {
      ++look.outcome.undefined;
      continue;
    }
    ++look.outcome.compared;
    const auto at = static_cast<std::int64_t>(k);
    if (!Numbers<R>::finite(a[k])) {
      look.doubts.push_back({at, 0, true});
      continue;
    }
    const std::int64_t difference = Numbers<R>::difference(a[k], b[k]);
    if (difference == kZeroExponent || difference <= Numbers<R>::magnitude(a[k], b[k]) - kEqualBits) continue;
    look.doubts.push_back({at, difference, false});
  }
}

void look_at_doubles(const ClaimedValues& v, FirstLook& look) {
  const auto a = v.distributed.as<double>(), b = v.sequential.as<double>();
  const auto compared = v.compared.as<std::int64_t>();
  const auto bound_of = [](const Buffer& errors, std::size_t k) { return errors.count() == 0 ? 0.0 : errors.as<double>()[k]; };
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (compared[k] == 0) continue;
    if (!std::isfinite(b[k])) {
      ++look.outcome.undefined;
      continue;
    }
    ++look.outcome.compared;
    const double bound = kBoundFactor * (bound_of(v.distributed_error, k) + bound_of(v.sequential_error, k));
    const bool known = bound < std::numeric_limits<double>::infinity();  // false for NaN
    if (!known || bound > std::max(std::abs(a[k]), std::abs(b[k]))) ++look.outcome.unresolved;
    if (!known || std::abs(a[k] - b[k]) <= bound) continue;
    look.doubts.push_back({static_cast<std::int64_t>(k), 0, true});
  }
}

template <class R>
bool still_differs(const Doubt& doubt, const R& a, const R& b) {
  if (!Numbers<R>::finite(b)) return false;
  if (!Numbers<R>::finite(a)) return true;
  const std::int64_t difference = Numbers<R>::difference(a, b);
  if (difference == kZeroExponent) return false;
  if (!doubt.exact && difference < doubt.difference_exponent - kShrinkBits) return false;
  return difference > Numbers<R>::magnitude(a, b) - kNoiseBits;
}

template <class T>
void fill_values(Difference& difference, const ClaimedValues& v, std::size_t k) {
  const T a = v.distributed.as<T>()[k], b = v.sequential.as<T>()[k];
  difference.distributed = Numbers<T>::text(a);
  difference.sequential = Numbers<T>::text(b);
  difference.distributed_value = Numbers<T>::number(a);
  difference.sequential_value = Numbers<T>::number(b);
}

}  // namespace

OutputClaims::Side::Side(const Module& module, const RankDigits& digits) {
  for (const Type* leaf : module.type(module.computation(module.entry()).root).leaves()) {
    if (!leaf->is_array()) continue;
    std::vector<std::int64_t>& lifted = extents.emplace_back();
    for (const Digit& digit : digits.digits()) lifted.push_back(digit.extent);
    lifted.insert(lifted.end(), leaf->dims.begin(), leaf->dims.end());
    types.push_back(leaf->element);
  }
  for (std::size_t k = 0; k < types.size(); ++k) operands.push_back({&nothing, types[k], none});
}

OutputClaims::OutputClaims(const Case& c)
    : case_(c), sequential_(*c.sequential, RankDigits()), distributed_(*c.distributed, c.distributed_bodies->digits()) {}

/// The leaves that a claim reads as operands; the others stay empty (there may be thousands of claims and leaves).
Buffer OutputClaims::side(const OutputClaim& claim, ExprId root, Side& side, std::span<const Buffer> buffers, NumberMode mode, PlanStore* plans) {
  GG_CHECK(buffers.size() == side.types.size(), "one buffer an output leaf");
  const std::vector<bool> reads = operands_read(*case_.arena, root, buffers.size());
  const auto set = [&](bool on) {
    for (std::size_t k = 0; k < reads.size(); ++k) {
      if (reads[k]) side.operands[k] = on ? Operand{&buffers[k], side.types[k], side.extents[k]} : Operand{&side.nothing, side.types[k], side.none};
    }
  };
  set(true);
  Buffer result = evaluate_side(case_, claim, root, side.operands, mode, plans);
  set(false);
  return result;
}

/// Error bounds move as the values do: claims are reads, or folds of reads.
Buffer OutputClaims::errors(const OutputClaim& claim, ExprId root, Side& side, const RunResult& result) {
  if (result.errors.empty() || is_integral((*case_.arena)[root].type)) return {};
  const std::vector<bool> reads = operands_read(*case_.arena, root, result.outputs.size());
  std::vector<Buffer> exact(result.outputs.size());
  bool any = false;
  for (std::size_t k = 0; k < result.outputs.size(); ++k) {
    if (!reads[k]) continue;
    const bool known = result.errors[k].count() != 0;
    any = any || known;
    if (!known) exact[k] = Buffer(Storage::Double, result.outputs[k].count());
    side.operands[k] = {known ? &result.errors[k] : &exact[k], side.types[k], side.extents[k]};
  }
  Buffer values = any ? evaluate_side(case_, claim, root, side.operands, NumberMode::F64) : Buffer();
  for (std::size_t k = 0; k < reads.size(); ++k) {
    if (reads[k]) side.operands[k] = {&side.nothing, side.types[k], side.none};
  }
  return values;
}

ClaimedValues OutputClaims::values(std::size_t output, const PairRun& run, NumberMode mode, PlanStore* plans) {
  const OutputClaim& claim = case_.relation.outputs.at(output);
  Arena& arena = *case_.arena;
  ClaimedValues values;
  values.integral = is_integral(arena[claim.sequential].type);
  GG_CHECK(values.integral == is_integral(arena[claim.distributed].type), "claim of a float about an integer");
  values.sequential = side(claim, claim.sequential, sequential_, run.sequential.outputs, mode, plans);
  values.distributed = side(claim, claim.distributed, distributed_, run.distributed.outputs, mode, plans);
  const ExprId holds = arena.select(claim.compared, arena.lit(Scalar::of_int(ElementType::S32, 1)),
                                    arena.lit(Scalar::of_int(ElementType::S32, 0)));
  TieCounter ties;
  values.compared = evaluate_once(arena, {ElementType::S32, claim.extents, holds}, mode, {}, ties, nullptr, plans);
  values.sequential_error = errors(claim, claim.sequential, sequential_, run.sequential);
  values.distributed_error = errors(claim, claim.distributed, distributed_, run.distributed);
  const auto inexact = [&](const RunResult& result) {
    return output < result.errors.size() && result.errors[output].count() != 0;
  };
  values.uncertain = values.integral && (inexact(run.sequential) || inexact(run.distributed));
  return values;
}

ClaimedValues claimed_values(const Case& c, std::size_t output, const PairRun& run, NumberMode mode, PlanStore* plans) {
  return OutputClaims(c).values(output, run, mode, plans);
}

FirstLook first_look(const ClaimedValues& values) {
  FirstLook look;
  switch (values.sequential.storage()) {
    case Storage::Int64: look_at_integers(values, look); break;
    case Storage::Double: look_at_doubles(values, look); break;
    case Storage::Real113: look_at_reals<Real113>(values, look); break;
    case Storage::Real226: look_at_reals<Real226>(values, look); break;
  }
  if (look.outcome.compared == 0) look.outcome.agreement = Agreement::Undefined;
  return look;
}

std::vector<Doubt> confirmed(const std::vector<Doubt>& doubts, const ClaimedValues& at226) {
  std::vector<Doubt> real;
  for (const Doubt& doubt : doubts) {
    const auto k = static_cast<std::size_t>(doubt.element);
    const bool differs =
        at226.integral ? at226.distributed.as<std::int64_t>()[k] != at226.sequential.as<std::int64_t>()[k]
                       : still_differs(doubt, at226.distributed.as<Real226>()[k], at226.sequential.as<Real226>()[k]);
    if (differs) real.push_back(doubt);
  }
  return real;
}

Difference describe(const Case& c, std::size_t output, const ClaimedValues& values, const std::vector<Doubt>& differing,
                    const OutputOutcome& outcome) {
  const OutputClaim& claim = c.relation.outputs.at(output);
  const auto digits = static_cast<std::size_t>(c.distributed_bodies->digits().count());
  const std::span<const std::int64_t> local = std::span(claim.extents).subspan(digits);
  const std::int64_t size = std::max<std::int64_t>(element_count(local), 1);
  Difference difference;
  difference.output = static_cast<int>(output);
  difference.differing = static_cast<std::int64_t>(differing.size());
  difference.compared = outcome.compared;
  const std::int64_t first = differing.front().element;
  difference.rank = first / size;
  std::int64_t rest = first % size;
  difference.element.resize(local.size());
  for (std::size_t d = local.size(); d-- > 0;) {
    difference.element[d] = rest % local[d];
    rest /= local[d];
  }
  std::set<std::int64_t> ranks;
  for (const Doubt& doubt : differing) ranks.insert(doubt.element / size);
  difference.ranks.assign(ranks.begin(), ranks.end());
  const auto k = static_cast<std::size_t>(first);
  switch (values.sequential.storage()) {
    case Storage::Int64: fill_values<std::int64_t>(difference, values, k); break;
    case Storage::Double: fill_values<double>(difference, values, k); break;
    case Storage::Real113: fill_values<Real113>(difference, values, k); break;
    case Storage::Real226: fill_values<Real226>(difference, values, k); break;
  }
  return difference;
}

}  // namespace gg
