// Masks of ranks (runtime/ranks.h).
#include "runtime/ranks.h"

#include <cstring>

#include "models/base/check.h"
#include "models/base/text.h"

namespace gg {
namespace {

bool contains(const RankMask& mask, std::int64_t rank) {
  return mask.empty() || mask[static_cast<std::size_t>(rank)];
}

std::shared_ptr<const Buffer> merge_buffers(const std::vector<bool>& chosen, std::int64_t ranks,
                                            const std::shared_ptr<const Buffer>& with,
                                            const std::shared_ptr<const Buffer>& without) {
  if (with == without) return with;
  GG_CHECK(with->bytes() == without->bytes() && with->storage() == without->storage(), "branches of unequal shape");
  auto result = std::make_shared<Buffer>(with->storage(), with->count());
  const std::size_t part = with->bytes() / static_cast<std::size_t>(ranks);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const auto& source = chosen[static_cast<std::size_t>(rank)] ? *with : *without;
    const std::size_t at = part * static_cast<std::size_t>(rank);
    if (part != 0) {
      std::memcpy(static_cast<unsigned char*>(result->data()) + at,
                  static_cast<const unsigned char*>(source.data()) + at, part);
    }
  }
  return result;
}

}  // namespace

std::int64_t count_ranks(const RankMask& mask, std::int64_t ranks) {
  if (mask.empty()) return ranks;
  std::int64_t count = 0;
  for (const bool active : mask) count += active ? 1 : 0;
  return count;
}

RankMask restrict_ranks(const RankMask& mask, const std::vector<bool>& chosen) {
  RankMask result(chosen.size());
  for (std::size_t rank = 0; rank < chosen.size(); ++rank) {
    result[rank] = chosen[rank] && contains(mask, static_cast<std::int64_t>(rank));
  }
  return result;
}

std::string rank_list(std::span<const std::int64_t> ranks) {
  constexpr std::size_t kShown = 16;
  return first_few(ranks, kShown, ", ... (" + std::to_string(ranks.size()) + " ranks)");
}

Value merge(const std::vector<bool>& chosen, std::int64_t ranks, const Value& with, const Value& without) {
  Value result;
  result.data = merge_buffers(chosen, ranks, on_host(with), on_host(without));
  result.ties = with.ties + without.ties > 0 ? 1 : 0;
  if (with.error || without.error) {
    const auto exact = share(Buffer(Storage::Double, with.data->count()));  // all zero
    result.error = merge_buffers(chosen, ranks, with.error ? with.error : exact, without.error ? without.error : exact);
  }
  return result;
}

std::optional<Parted> mismatch(const RankMask& active, std::span<const std::vector<std::int64_t>> groups,
                               std::span<const std::pair<std::int64_t, std::int64_t>> pairs) {
  if (active.empty()) return std::nullopt;
  for (const auto& group : groups) {
    std::vector<std::int64_t> here, absent;
    for (const std::int64_t rank : group) (contains(active, rank) ? here : absent).push_back(rank);
    if (!here.empty() && !absent.empty()) {
      return Parted{"ranks " + rank_list(here) + " reach it but ranks " + rank_list(absent) +
                        " of the same group do not: the program would hang",
                    here.front(), absent.front()};
    }
  }
  for (const auto& [source, target] : pairs) {
    if (contains(active, source) == contains(active, target)) continue;
    const bool sends = contains(active, source);
    const std::int64_t here = sends ? source : target, absent = sends ? target : source;
    return Parted{"rank " + std::to_string(here) + (sends ? " sends to rank " : " waits for rank ") + std::to_string(absent) +
                      ", which does not reach it: the program would hang",
                  here, absent};
  }
  return std::nullopt;
}

}  // namespace gg
