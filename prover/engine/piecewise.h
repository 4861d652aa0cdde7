// What the sequential program computes piece by piece, as one function of the number of the piece: a value that the certificate defines, of
// which the pieces are elements. A rank that computes its own piece, and what joins the pieces (a concatenation, a sum), then have names.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "prover/engine/engine.h"
#include "prover/engine/piecewise_found.h"

namespace gg::prover {

class Piecewise {
 public:
  explicit Piecewise(Engine& engine);
  /// Concludes a leaf of the sequential program as a piece, or as what joins pieces; false: it is neither.
  bool conclude(Engine::Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  /// Pieces side by side, or all of them combined, in terms of the value that they are pieces of; none: it is no such term. `extents`: of its variables.
  std::vector<Step> joined(std::span<const std::int64_t> extents, TermId t);
  /// Of an anchor that the certificate defines: over the number of the piece and the dimensions.
  TermId definition(AnchorId anchor) const { return definitions_.at(anchor); }

 private:
  bool name(Engine::Side& side, std::uint32_t node, std::uint32_t leaf, TermId t);
  TermId form(std::uint32_t node, std::uint32_t leaf);
  TermId slice(std::uint32_t node, TermId whole);
  std::optional<TermId> form_of(FlatValue v);
  std::optional<TermId> define(std::uint32_t node, std::uint32_t leaf, std::int64_t count, TermId definition);
  TermId with_number(FlatValue v, TermId conclusion);
  bool conclude_as(Engine::Side& side, std::uint32_t node, std::uint32_t leaf, TermId t, std::vector<Step> steps);
  std::int64_t pieces_of(TermId read) const;
  std::optional<std::int64_t> number_of(TermId t);
  std::int64_t count_in(TermId t);
  TermId at_number(TermId t, LinId number);
  Step piece(TermId whole, std::int64_t number, std::span<const std::int64_t> dims);
  std::optional<Step> concatenated(std::uint32_t node, std::span<const std::int64_t> dims, TermId t);
  std::optional<Step> block_by_block(TermId whole, TermId t, VarId v, std::int64_t extent, std::int64_t block);
  std::optional<Step> side_by_side(std::span<const std::int64_t> extents, TermId t);
  bool some_combined(TermId t);

  Engine& e_;
  Terms& t_;
  std::vector<Piece> pieces_;                                        ///< by node
  Engine::Side over_;                                                ///< the sequential program at piece v0
  std::map<std::pair<std::uint32_t, std::uint32_t>, TermId> forms_;  ///< by family and leaf, over the number and the dimensions; Unknown: none
  std::set<std::pair<std::uint32_t, std::uint32_t>> alike_;          ///< all pieces are the same
  std::map<AnchorId, TermId> definitions_;
};

}  // namespace gg::prover
