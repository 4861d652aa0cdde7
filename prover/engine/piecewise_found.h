// Which values of a straight program are instances of one function of the number of a piece: a batch that is cut into slices, each of which
// goes through the same operators (chunks, microbatches, heads, replicas of a simulation).
#pragma once

#include <cstdint>
#include <vector>

#include "models/ir/flatten.h"
#include "models/ir/region.h"

namespace gg::prover {

/// What a node is: piece `piece` of `count` of a family, or no piece.
struct Piece {
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t family = kNone;
  std::int64_t piece = 0, count = 0;
  std::vector<std::int64_t> step{};  ///< of a slice that is a piece: how far the next one begins, by dimension; of what is computed from pieces: none
};

/// By node. Members of a family have equal bodies over operands that are equal, or pieces of one family with their own number; the first
/// ones are slices of one value, equally far from each other along one dimension. A family of one member is none.
std::vector<Piece> find_pieces(BodyTable& bodies, const FlatProgram& program);

/// Does an operator join computed pieces of one family, which are not only moved?
bool joins_pieces(BodyTable& bodies, const FlatProgram& program);

}  // namespace gg::prover
