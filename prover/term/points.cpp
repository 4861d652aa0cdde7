// Many elements at equal distances, added, are one sum (certificate.md, F17).
#include <algorithm>
#include <map>

#include "models/pair/certificate_line.h"
#include "prover/term/join.h"
#include "prover/term/piecewise_steps.h"

namespace gg::prover {
namespace {

/// A summand by where it stands: the constants of its indices less those of another one.
struct Point {
  std::vector<std::int64_t> place;
  std::size_t summand;
};

std::vector<std::int64_t> flat(const Steps& steps) {
  std::vector<std::int64_t> all;
  for (const auto& [anchor, of_index] : steps) all.insert(all.end(), of_index.begin(), of_index.end());
  return all;
}

}  // namespace

/// The summands of a group, all of it, as the sum over c < their number of the first one moved c times.
std::optional<TermId> Joiner::row_of(const std::vector<Summand>& list, const std::vector<std::size_t>& group) {
  std::vector<Constants> constants;
  for (const std::size_t s : group) constants.push_back(constants_in(t_, t_.monomial(RatId::One, list[s].mono)));
  std::vector<Point> points;
  for (std::size_t k = 0; k < group.size(); ++k) {
    const auto steps = steps_between(constants[0], constants[k]);
    if (!steps) return std::nullopt;
    points.push_back({flat(*steps), k});
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.place < b.place; });
  const auto step = steps_between(constants[points[0].summand], constants[points[1].summand]);
  const std::vector<std::int64_t> by = step ? flat(*step) : std::vector<std::int64_t>();
  if (std::none_of(by.begin(), by.end(), [](std::int64_t s) { return s != 0; })) return std::nullopt;
  for (std::size_t k = 2; k < points.size(); ++k)
    for (std::size_t d = 0; d < by.size(); ++d)
      if (points[k].place[d] - points[k - 1].place[d] != by[d]) return std::nullopt;
  const Fresh c = t_.fresh(static_cast<std::int64_t>(group.size()));
  const TermId first = t_.monomial(RatId::One, list[group[points[0].summand]].mono), element = moved(t_, first, *step, c[0]);
  for (std::size_t k = 0; k < points.size(); ++k)
    if (at_value(t_, element, c[0], static_cast<std::int64_t>(k)) != t_.monomial(RatId::One, list[group[points[k].summand]].mono)) return std::nullopt;
  t_.count(LemmaId::RowOfPoints);
  return t_.scale(list[group[0]].coef, t_.fold(ScalarFn::Add, c, TermId::True, element));
}

bool Joiner::points(std::vector<Summand>& list) {
  if (list.size() <= kMaxWritten) return false;
  std::map<std::uint64_t, std::size_t> alike;  // by what they read
  for (const Summand& s : list) ++alike[t_[s.mono].reads];
  std::map<std::vector<std::int64_t>, std::vector<std::size_t>> groups;  // by coefficient, and how often which values are read
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (alike[t_[list[k].mono].reads] <= kMaxWritten) continue;
    std::vector<std::int64_t> key{static_cast<std::int64_t>(list[k].coef)};
    for (const auto& [anchor, reads] : constants_in(t_, t_.monomial(RatId::One, list[k].mono))) key.insert(key.end(), {static_cast<std::int64_t>(anchor), reads.first});
    groups[std::move(key)].push_back(k);
  }
  for (const auto& [key, group] : groups) {
    const auto row = group.size() > kMaxWritten ? row_of(list, group) : std::nullopt;
    if (!row) continue;
    std::vector<Summand> rest = t_.summands(*row);
    for (std::size_t k = 0; k < list.size(); ++k)
      if (!std::binary_search(group.begin(), group.end(), k)) rest.push_back(list[k]);
    list = std::move(rest);
    return true;
  }
  return false;
}

}  // namespace gg::prover
