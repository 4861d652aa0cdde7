// Greedy reading of rank lists as mixed-radix pieces, and closure of the cuts under digit permutations.
#include "models/rank/refine.h"

#include <algorithm>

namespace gg {
namespace {

// Each stride divides the next.
bool is_chain(const std::set<std::int64_t>& strides) {
  std::int64_t previous = 1;
  for (const std::int64_t stride : strides) {
    if (stride < 1 || stride % previous != 0) return false;
    previous = stride;
  }
  return true;
}

// One permute as pieces: the digits [domain, domain * extent) of the target go to those from `image` of the source.
struct Move {
  std::int64_t domain, image, extent;
};

// The moves of a permute of all ranks that permutes digits; nothing otherwise.
std::optional<std::vector<Move>> moves_of(const RankPairs& pairs, std::int64_t ranks) {
  if (static_cast<std::int64_t>(pairs.size()) != ranks) return std::nullopt;
  std::vector<std::int64_t> source(static_cast<std::size_t>(ranks), -1);
  for (const auto& [from, to] : pairs) {
    if (from < 0 || from >= ranks || to < 0 || to >= ranks) return std::nullopt;
    source[static_cast<std::size_t>(to)] = from;
  }
  if (source.front() != 0 || std::count(source.begin(), source.end(), -1) != 0) return std::nullopt;
  const auto pieces = pieces_of(source);
  if (!pieces) return std::nullopt;
  std::vector<Move> moves;
  std::int64_t domain = 1;
  for (const RankPiece& piece : *pieces) {
    moves.push_back({domain, piece.stride, piece.extent});
    domain *= piece.extent;
  }
  // The images tile the digits of the source.
  std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.image < b.image; });
  std::int64_t expected = 1;
  for (const Move& move : moves) {
    if (move.image != expected) return std::nullopt;
    expected *= move.extent;
  }
  return moves;
}

// Where all ranks exchange values with a partner, i with i xor c for one c: each bit of c is a digit.
std::vector<RankPiece> exchange_of(const RankPairs& pairs, std::int64_t ranks) {
  std::vector<RankPiece> pieces;
  if (static_cast<std::int64_t>(pairs.size()) != ranks) return pieces;
  const std::int64_t c = pairs[0].first ^ pairs[0].second;
  if (std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) { return (p.first ^ p.second) != c; })) return pieces;
  for (std::int64_t bit = 1; bit <= c; bit *= 2) {
    if ((c & bit) != 0) pieces.push_back({2, bit});
  }
  return pieces;
}

// Adds the images of all cuts in both directions once; true if something was added.
bool close_once(std::set<std::int64_t>& strides, const std::vector<Move>& moves) {
  std::set<std::int64_t> more;
  for (const Move& move : moves) {
    for (const std::int64_t cut : {move.domain, move.image, move.domain * move.extent, move.image * move.extent}) {
      more.insert(cut);
    }
    for (const std::int64_t cut : strides) {
      if (cut > move.domain && cut < move.domain * move.extent && cut % move.domain == 0) {
        more.insert(cut / move.domain * move.image);
      }
      if (cut > move.image && cut < move.image * move.extent && cut % move.image == 0) {
        more.insert(cut / move.image * move.domain);
      }
    }
  }
  const std::size_t before = strides.size();
  strides.insert(more.begin(), more.end());
  return strides.size() != before;
}

}  // namespace

std::optional<std::vector<RankPiece>> pieces_of(std::span<const std::int64_t> ranks) {
  std::vector<RankPiece> pieces;
  const auto size = ranks.size();
  std::size_t done = 1;  // the pieces so far describe ranks[0, done)
  while (done < size) {
    const std::int64_t stride = ranks[done] - ranks[0];
    if (stride < 1 || size % done != 0) return std::nullopt;
    std::size_t extent = 1;
    while (extent * done < size && ranks[extent * done] - ranks[0] == static_cast<std::int64_t>(extent) * stride)
      ++extent;
    for (std::size_t k = 0; k < extent * done; ++k) {
      if (ranks[k] - ranks[k % done] != static_cast<std::int64_t>(k / done) * stride) return std::nullopt;
    }
    pieces.push_back({static_cast<std::int64_t>(extent), stride});
    done *= extent;
  }
  if (done != size) return std::nullopt;
  return pieces;
}

std::optional<std::vector<RankPiece>> common_pieces(const RankGroups& groups) {
  if (groups.empty() || groups.front().empty()) return std::nullopt;
  const auto& first = groups.front();
  auto pieces = pieces_of(first);
  if (!pieces) return std::nullopt;
  for (const auto& group : groups) {
    if (group.size() != first.size()) return std::nullopt;
    for (std::size_t k = 0; k < group.size(); ++k) {
      if (group[k] - group[0] != first[k] - first[0]) return std::nullopt;
    }
    for (const RankPiece& piece : *pieces) {
      if (group[0] / piece.stride % piece.extent != 0) return std::nullopt;
    }
  }
  return pieces;
}

RankGroups axis_groups(const Mesh& mesh, int axis) {
  std::int64_t inner = 1;
  for (std::size_t a = static_cast<std::size_t>(axis) + 1; a < mesh.axes.size(); ++a) inner *= mesh.axes[a].size;
  const std::int64_t size = mesh.axes[static_cast<std::size_t>(axis)].size;
  const std::int64_t ranks = mesh.ranks();
  RankGroups groups;
  for (std::int64_t start = 0; start < ranks; ++start) {
    if (start / inner % size != 0) continue;
    auto& group = groups.emplace_back();
    for (std::int64_t k = 0; k < size; ++k) {
      const std::int64_t place = start + k * inner;
      group.push_back(mesh.devices.empty() ? place : mesh.devices[static_cast<std::size_t>(place)]);
    }
  }
  return groups;
}

RankCuts::RankCuts(std::int64_t ranks) : ranks_(ranks), strides_{1, ranks} {}

bool RankCuts::add(const std::vector<RankPiece>& pieces) {
  auto strides = strides_;
  for (const RankPiece& piece : pieces) {
    strides.insert(piece.stride);
    strides.insert(piece.stride * piece.extent);
  }
  if (!is_chain(strides) || *strides.rbegin() != ranks_) return false;
  strides_ = std::move(strides);
  return true;
}

void RankCuts::close(std::span<const RankPairs> permutes) {
  std::vector<std::vector<Move>> accepted;
  for (const RankPairs& pairs : permutes) add(exchange_of(pairs, ranks_));
  for (const RankPairs& pairs : permutes) {
    const auto moves = moves_of(pairs, ranks_);
    if (!moves) continue;
    auto strides = strides_;
    auto candidates = accepted;
    candidates.push_back(*moves);
    bool changed = true;
    while (changed && is_chain(strides)) {
      changed = false;
      for (const auto& candidate : candidates) changed = close_once(strides, candidate) || changed;
    }
    if (!is_chain(strides) || strides.size() > kMaxPermutedDigits + 1) continue;
    strides_ = std::move(strides);
    accepted = std::move(candidates);
  }
}

}  // namespace gg
