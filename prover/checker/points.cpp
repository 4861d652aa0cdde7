// Many elements at equal distances, added, are one sum (docs/certificate.md, F17).
#include <algorithm>

#include "models/pair/certificate_line.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/slices.h"

namespace gg::checker {
namespace {

// A summand by where it stands: what its reads have more than those of another one.
struct Placed {
  Steps place;
  PolyPart part;
};

Value element(Terms& t, const PolyPart& part) { return from_part(t, {part.monomial, 1}); }

bool before(const Placed& a, const Placed& b) {
  for (const auto& [anchor, own] : a.place) {
    const std::vector<Size>& others = b.place.at(anchor);
    for (std::size_t k = 0; k < own.size(); ++k)
      if (!same(own[k], others[k])) return at_text(own[k]) < at_text(others[k]);
  }
  return false;
}

// What the second place has more.
Steps distance(const Steps& from, Steps to) {
  for (auto& [anchor, all] : to)
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = all[k] - from.at(anchor)[k];
  return to;
}

bool equal(const Steps& a, const Steps& b) {
  return std::all_of(a.begin(), a.end(), [&](const auto& one) {
    return std::equal(one.second.begin(), one.second.end(), b.at(one.first).begin(), [](const Size& x, const Size& y) { return same(x, y); });
  });
}

// The summands, all of them, as the sum over c < their number of the first one moved c times.
std::optional<Value> row_of(Terms& t, const std::vector<PolyPart>& parts) {
  const Sums first = sums_of(t, element(t, parts[0]));
  std::vector<Placed> points;
  for (const PolyPart& p : parts) {
    const auto place = steps_between(first, sums_of(t, element(t, p)));
    if (!place) return std::nullopt;
    points.push_back({*place, p});
  }
  std::stable_sort(points.begin(), points.end(), before);
  const Steps step = distance(points[0].place, points[1].place);
  const auto moves = [](const auto& one) { return std::any_of(one.second.begin(), one.second.end(), [](const Size& s) { return !same(s, 0); }); };
  if (std::none_of(step.begin(), step.end(), moves)) return std::nullopt;
  for (std::size_t k = 2; k < points.size(); ++k)
    if (!equal(step, distance(points[k - 1].place, points[k].place))) return std::nullopt;
  Binders scope(t);
  const Var c = scope.open(static_cast<std::int64_t>(points.size()));
  const Value whole = moved(t, element(t, points[0].part), step, variable(t, c));
  for (std::size_t k = 0; k < points.size(); ++k)
    if (Substitution(t, {{c, constant(t, static_cast<std::int64_t>(k))}})(whole) != element(t, points[k].part)) return std::nullopt;
  return product(t, from_part(t, {Monomial{}, points[0].part.coef}), fold(t, ScalarFn::Add, ElementType::Token, {c}, boolean(t, true), whole));
}

// Summands of one coefficient that read the same anchors equally often.
struct Alike {
  Sums reads;
  std::vector<PolyPart> parts;
};

bool read_alike(const Sums& a, const Sums& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) { return x.first == y.first && x.second.reads == y.second.reads; });
}

}  // namespace

std::optional<Value> join_points(Terms& t, std::vector<PolyPart>& parts) {
  constexpr auto kFew = static_cast<std::size_t>(kMaxWritten);
  if (parts.size() <= kFew) return std::nullopt;
  std::map<std::uint64_t, std::size_t> number;  // by what they read
  for (const PolyPart& p : parts) ++number[t[p.monomial].reads];
  std::vector<Alike> groups;
  for (const PolyPart& p : parts) {
    if (number[t[p.monomial].reads] <= kFew) continue;
    Sums reads = sums_of(t, element(t, p));
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Alike& g) { return g.parts[0].coef == p.coef && read_alike(g.reads, reads); });
    if (group == groups.end()) groups.push_back({std::move(reads), {p}});
    else group->parts.push_back(p);
  }
  for (const Alike& group : groups) {
    const auto row = group.parts.size() > kFew ? row_of(t, group.parts) : std::nullopt;
    if (!row) continue;
    std::erase_if(parts, [&](const PolyPart& p) { return std::any_of(group.parts.begin(), group.parts.end(), [&](const PolyPart& x) { return x.monomial == p.monomial; }); });
    return row;
  }
  return std::nullopt;
}

}  // namespace gg::checker
