// Many elements at equal distances, added, are one sum (docs/certificate.md, F17).
#include <algorithm>
#include <map>

#include "models/pair/certificate_line.h"
#include "prover/checker/anchor.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"

namespace gg::checker {
namespace {

// By anchor: what each index of its reads has more.
using Steps = std::map<std::uint32_t, std::vector<Size>>;

// A summand: by anchor, how often it is read, and the sums of the constants in its indices.
struct Point {
  std::map<std::uint32_t, std::int64_t> reads{};
  Steps constants{};
  PolyPart part;
};

Point point_of(Terms& t, const PolyPart& part) {
  Point result{{}, {}, part};
  replace_reads(t, from_part(t, {part.monomial, 1}), [&](std::uint32_t anchor, const std::vector<Index>& index, const auto&) {
    ++result.reads[anchor];
    std::vector<Size>& sums = result.constants[anchor];
    sums.resize(index.size(), 0);
    for (std::size_t k = 0; k < index.size(); ++k) sums[k] = sums[k] + t[index[k]].c0;
    return std::nullopt;
  });
  return result;
}

bool before(const Point& a, const Point& b) {
  for (const auto& [anchor, sums] : a.constants) {
    const std::vector<Size>& others = b.constants.at(anchor);
    for (std::size_t k = 0; k < sums.size(); ++k)
      if (!same(sums[k], others[k])) return at_text(sums[k]) < at_text(others[k]);
  }
  return false;
}

std::optional<Steps> steps_between(const Point& from, const Point& to) {
  Steps steps;
  for (const auto& [anchor, sums] : from.constants) {
    const Size reads = from.reads.at(anchor);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const Size more = to.constants.at(anchor)[k] - sums[k];
      if (!divides(reads, more)) return std::nullopt;
      steps[anchor].push_back(more / reads);
    }
  }
  return steps;
}

bool equal(const Steps& a, const Steps& b) {
  return std::all_of(a.begin(), a.end(), [&](const auto& one) {
    return std::equal(one.second.begin(), one.second.end(), b.at(one.first).begin(), [](const Size& x, const Size& y) { return same(x, y); });
  });
}

// The points, all of them, as the sum over c < their number of the first one moved c times.
std::optional<Value> row_of(Terms& t, std::vector<Point> points) {
  std::stable_sort(points.begin(), points.end(), before);
  const auto step = steps_between(points[0], points[1]);
  const auto moves = [](const auto& one) { return std::any_of(one.second.begin(), one.second.end(), [](const Size& s) { return !same(s, 0); }); };
  if (!step || std::none_of(step->begin(), step->end(), moves)) return std::nullopt;
  for (std::size_t k = 2; k < points.size(); ++k) {
    const auto next = steps_between(points[k - 1], points[k]);
    if (!next || !equal(*step, *next)) return std::nullopt;
  }
  Binders scope(t);
  const Var c = scope.open(static_cast<std::int64_t>(points.size()));
  const auto element = [&](const Point& p) { return from_part(t, {p.part.monomial, 1}); };
  const Value moved = replace_reads(t, element(points[0]), [&](std::uint32_t anchor, std::vector<Index> index, const auto&) {
    for (std::size_t k = 0; k < index.size(); ++k) index[k] = axpy(t, step->at(anchor)[k], variable(t, c), index[k]);
    return std::optional(read(t, anchor, index));
  });
  for (std::size_t k = 0; k < points.size(); ++k)
    if (Substitution(t, {{c, constant(t, static_cast<std::int64_t>(k))}})(moved) != element(points[k])) return std::nullopt;
  return product(t, from_part(t, {Monomial{}, points[0].part.coef}), fold(t, ScalarFn::Add, ElementType::Token, {c}, boolean(t, true), moved));
}

}  // namespace

std::optional<Value> join_points(Terms& t, std::vector<PolyPart>& parts) {
  if (parts.size() <= static_cast<std::size_t>(kMaxWritten)) return std::nullopt;
  std::map<std::uint64_t, std::size_t> alike;  // by what they read
  for (const PolyPart& p : parts) ++alike[t[p.monomial].reads];
  std::vector<std::vector<Point>> groups;  // equal coefficients, and equal numbers of reads of the same anchors
  for (const PolyPart& p : parts) {
    if (alike[t[p.monomial].reads] <= static_cast<std::size_t>(kMaxWritten)) continue;
    Point point = point_of(t, p);
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g[0].part.coef == p.coef && g[0].reads == point.reads; });
    if (group == groups.end()) groups.push_back({std::move(point)});
    else group->push_back(std::move(point));
  }
  for (const std::vector<Point>& points : groups) {
    const auto row = points.size() > static_cast<std::size_t>(kMaxWritten) ? row_of(t, points) : std::nullopt;
    if (!row) continue;
    std::erase_if(parts, [&](const PolyPart& p) { return std::any_of(points.begin(), points.end(), [&](const Point& x) { return x.part.monomial == p.monomial; }); });
    return row;
  }
  return std::nullopt;
}

}  // namespace gg::checker
