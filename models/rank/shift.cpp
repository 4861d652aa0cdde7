#include "models/rank/shift.h"

#include <algorithm>

#include "models/base/limits.h"
#include "models/base/text.h"
#include "models/body/store.h"
#include "models/type/type.h"

namespace gg {

RankPairs RankShift::pairs() const {
  const std::int64_t stride = element_count(std::span(extents).subspan(digit + 1)), n = extents[digit];
  RankPairs result;
  for (std::int64_t rank = 0; rank < element_count(extents); ++rank) {
    const std::int64_t from = by_target ? rank / stride % n - step : rank / stride % n;
    const std::int64_t place = by_target ? from : from + step;
    if (!ring && (place < 0 || place >= n)) continue;
    const std::int64_t other = rank + (floor_mod(place, n) - rank / stride % n) * stride;
    result.emplace_back(by_target ? other : rank, by_target ? rank : other);
  }
  return result;
}

std::string RankShift::text() const {
  return joined_text(extents, ",") + ";" + std::to_string(digit) + ";" + std::to_string(step) + (ring ? ";ring;" : ";open;") + (by_target ? "target" : "source");
}

std::optional<RankShift> RankShift::parse(std::string_view text) {
  const auto parts = split_text(text, ';');
  if (parts.size() != 5 || (parts[3] != "ring" && parts[3] != "open") || (parts[4] != "source" && parts[4] != "target")) return std::nullopt;
  RankShift result{{}, 0, 1, parts[3] == "ring", parts[4] == "target"};
  std::int64_t ranks = 1;
  for (const std::string_view extent : split_text(parts[0], ',')) {
    const auto n = whole_number(extent);
    if (!n || *n < 1 || *n > most(Limit::Ranks) / ranks) return std::nullopt;
    ranks *= *n;
    result.extents.push_back(*n);
  }
  const auto digit = whole_number(parts[1]), step = whole_number(parts[2]);
  if (!digit || !step || *digit < 0 || *digit >= static_cast<std::int64_t>(result.extents.size()) || std::abs(*step) > most(Limit::Ranks)) return std::nullopt;
  result.digit = static_cast<std::size_t>(*digit);
  result.step = *step;
  return result;
}

std::optional<RankShift> RankShift::of(const RankPairs& pairs, const std::vector<std::int64_t>& extents) {
  for (std::size_t digit = 0; digit < extents.size(); ++digit) {
    for (std::int64_t step = 1; step < extents[digit]; ++step) {
      for (const int kind : {0, 1, 2, 3, 4, 5, 6, 7}) {
        const RankShift shift{extents, digit, (kind & 1) == 0 ? step : -step, (kind & 2) == 0, (kind & 4) != 0};
        if (shift.pairs() == pairs) return shift;
      }
    }
  }
  return std::nullopt;
}

}  // namespace gg
