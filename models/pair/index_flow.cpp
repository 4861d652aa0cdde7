#include "models/pair/index_flow.h"

#include <algorithm>
#include <cstdlib>

namespace gg {
namespace {

constexpr std::size_t kMostSteps = 4;                 ///< constants that one value may be shifted by, in different branches
constexpr std::int64_t kFar = std::int64_t{1} << 53;  ///< beyond it a shifted number is not followed

/// An end of what clamps leave; without one it stays where it is.
std::int64_t moved_end(std::int64_t end, std::int64_t by) { return end < -kFar || end > kFar ? end : end + by; }

void add_told(Flow& flow, const Flow& other) {
  flow.told.insert(flow.told.end(), other.told.begin(), other.told.end());
  std::sort(flow.told.begin(), flow.told.end());
  flow.told.erase(std::unique(flow.told.begin(), flow.told.end()), flow.told.end());
}

}  // namespace

Flow shifted(Flow flow, std::int64_t by) {
  if (flow.kind != Flow::Kind::Input && flow.kind != Flow::Kind::Iota && flow.kind != Flow::Kind::Number) return {};
  const bool far = flow.kind != Flow::Kind::Input && (flow.places.lo < -kFar || flow.places.hi > kFar);
  if (far || std::abs(by) > kFar) return {};
  for (std::int64_t& shift : flow.shifts) {
    shift += by;
    if (std::abs(shift) > kFar) return {};
  }
  flow.places = {moved_end(flow.places.lo, by), moved_end(flow.places.hi, by)};
  return flow;
}

Flow either(const Flow& a, const Flow& b) {
  if (a == b) return a;
  if (b.kind == Flow::Kind::Input && a.kind == Flow::Kind::Number) return either(b, a);
  if (a.kind != Flow::Kind::Input) return {};
  Flow one = a;
  if (b.kind == Flow::Kind::Number || (b.kind == Flow::Kind::Input && a.input == b.input)) one.places.cover(b.places.lo, b.places.hi);
  if (b.kind == Flow::Kind::Number) return one;
  if (b.kind != Flow::Kind::Input || a.input != b.input) return {};
  one.shifts.insert(one.shifts.end(), b.shifts.begin(), b.shifts.end());
  std::sort(one.shifts.begin(), one.shifts.end());
  one.shifts.erase(std::unique(one.shifts.begin(), one.shifts.end()), one.shifts.end());
  return one.shifts.size() > kMostSteps ? Flow{} : one;
}

Flow at_least(Flow flow, std::int64_t least) {
  flow.places = {std::max(flow.places.lo, least), std::max(flow.places.hi, least)};
  return flow;
}

Flow at_most(Flow flow, std::int64_t most) {
  flow.places = {std::min(flow.places.lo, most), std::min(flow.places.hi, most)};
  return flow;
}

Flow both(const Flow& a, const Flow& b) {
  Flow all{Flow::Kind::Test};
  for (const Flow* one : {&a, &b}) add_told(all, *one);
  return all.told.empty() ? Flow{} : all;
}

bool Flow::join_missing(const Flow& other) {
  if (other.kind != Kind::Missing) return false;
  const std::size_t before = kind == Kind::Missing ? told.size() : 0;
  kind = Kind::Missing;
  add_told(*this, other);
  return told.size() > before;
}

Flow Flow::named(std::size_t value) const {
  Flow flow = *this;
  if (kind == Kind::Missing) flow.input = value;
  return flow;
}

std::vector<std::int64_t> told_apart(ScalarFn comparison, std::int64_t number, bool sides) {
  if (!sides) return {number};
  switch (comparison) {
    case ScalarFn::CompareGe:
    case ScalarFn::CompareLt: return {number - 1, number};
    case ScalarFn::CompareGt:
    case ScalarFn::CompareLe: return {number, number + 1};
    default: return {number};
  }
}

bool is_comparison(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::CompareEq:
    case ScalarFn::CompareNe:
    case ScalarFn::CompareGe:
    case ScalarFn::CompareGt:
    case ScalarFn::CompareLe:
    case ScalarFn::CompareLt: return true;
    default: return false;
  }
}

std::optional<bool> decided(ScalarFn comparison, const Flow& a, const Flow& b) {
  if (a.kind != Flow::Kind::Number || b.kind != Flow::Kind::Number) return std::nullopt;
  const std::int64_t x = a.places.lo, y = b.places.lo;
  switch (comparison) {
    case ScalarFn::CompareEq: return x == y;
    case ScalarFn::CompareNe: return x != y;
    case ScalarFn::CompareGe: return x >= y;
    case ScalarFn::CompareGt: return x > y;
    case ScalarFn::CompareLe: return x <= y;
    default: return x < y;
  }
}

ScalarFn mirrored(ScalarFn comparison) {
  switch (comparison) {
    case ScalarFn::CompareGe: return ScalarFn::CompareLe;
    case ScalarFn::CompareGt: return ScalarFn::CompareLt;
    case ScalarFn::CompareLe: return ScalarFn::CompareGe;
    case ScalarFn::CompareLt: return ScalarFn::CompareGt;
    default: return comparison;
  }
}

}  // namespace gg
