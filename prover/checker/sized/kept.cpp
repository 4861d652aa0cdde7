#include "prover/checker/sized/kept.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "models/base/text.h"

namespace gg::checker {
namespace {

using Counts = std::set<std::int64_t>;

/// Adds what some of these sizes count, of products that are others in the other member.
void count(std::span<const std::int64_t> own, std::span<const std::int64_t> other, Counts& counts) {
  constexpr std::size_t kMostDims = 8;
  constexpr double kMost = 0x1p53;
  const std::size_t rank = std::min({own.size(), other.size(), kMostDims});
  for (std::size_t some = 1; some < std::size_t{1} << rank; ++some) {
    double here = 1, there = 1;
    for (std::size_t d = 0; d < rank; ++d) {
      if ((some >> d & 1U) == 0) continue;
      here *= static_cast<double>(own[d]);
      there *= static_cast<double>(other[d]);
    }
    if (here != there && here >= 2 && here <= kMost) counts.insert(static_cast<std::int64_t>(here));
  }
}

/// Is the literal one of these counts, one less, a reciprocal or the square root of one? Rounded as f32 at the least.
bool counts(double value, const Counts& all) {
  constexpr double kRounding = 1e-6;
  const double size = std::abs(value);
  if (!std::isfinite(size) || size == 0) return false;
  for (const double n : {size, 1 / size, size * size, 1 / (size * size)}) {
    const double whole = std::round(n);
    if (whole < 2 || whole > 0x1p52 || std::abs(n - whole) > kRounding * whole) continue;
    const auto k = static_cast<std::int64_t>(whole);
    if (all.count(k) != 0 || all.count(k + 1) != 0) return true;
  }
  return false;
}

std::vector<std::int64_t> ranks_along(const Case& c) {
  std::vector<std::int64_t> sizes;
  for (const auto& axis : c.relation.mesh.axes) sizes.push_back(axis.size);
  return sizes;
}

void kept(const Module& own, const Module& other, Counts all, std::vector<std::string>& lines) {
  for (InstructionId id = 0; id < own.size(); ++id) {
    const auto here = own.type(id).leaves(), there = other.type(id).leaves();
    for (std::size_t k = 0; k < here.size(); ++k) {
      if (here[k]->is_array()) count(here[k]->dims, there[k]->dims, all);
    }
  }
  std::set<double> told;
  for (InstructionId id = 0; id < own.size(); ++id) {
    if (!own.attributes(id).has(Attr::Literal) || own.type(id).count() != 1) continue;
    const Scalar value = own.attributes(id).literal().values.at(0), now = other.attributes(id).literal().values.at(0);
    const auto number = [](const Scalar& s) { return is_float(s.type) ? s.real : static_cast<double>(s.integer); };
    if (number(value) != number(now) || !counts(number(value), all) || !told.insert(number(value)).second) continue;
    lines.push_back("literal " + shortest(number(value)) + " of %" + std::string(own.name_of(id)));
  }
}

}  // namespace

std::vector<std::string> kept_literals(const Case& own, const Case& other) {
  Counts ranks;
  count(ranks_along(own), ranks_along(other), ranks);
  std::vector<std::string> lines;
  kept(*own.sequential, *other.sequential, ranks, lines);
  kept(*own.distributed, *other.distributed, ranks, lines);
  return lines;
}

}  // namespace gg::checker
