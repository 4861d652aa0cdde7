// Placements as bodies: which element of the sequential tensor an element of a rank's tensor is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/base/diag.h"
#include "models/body/body.h"
#include "models/ir/module.h"
#include "models/rank/digits.h"
#include "models/relation/placement.h"
#include "models/relation/relation.h"

namespace gg {

/// Mesh axes as index forms over the rank digits (levels 0..digits-1).
class MeshForms {
 public:
  MeshForms(Arena& arena, const Mesh& mesh, const RankDigits& digits);
  Arena& arena() const { return arena_; }
  const RankDigits& digits() const { return digits_; }
  /// Mixed radix of the coordinates on these axes, major first, and its extent.
  LinId position(const std::vector<std::string>& axes) const;
  std::int64_t extent(const std::vector<std::string>& axes) const;
  /// Positions in digits() of all digits of these axes, major first. Throws InputError(UnsupportedForm) where an axis
  /// is no product of digits.
  std::vector<int> digits_of(const std::vector<std::string>& axes, const Location& where) const;

 private:
  std::size_t index(const std::string& axis) const;
  Arena& arena_;
  const Mesh& mesh_;
  const RankDigits& digits_;
  std::vector<LinId> coordinates_;
};

/// One side's leaf as messages name it: `inputs[2] 'w'`.
struct LeafPlace {
  std::string text;
  Location where;
};

/// Local extent of a dimension of length `extent` split over `ranks` shards. Throws InputError(BadPlacement) where
/// segments or padding do not match the length.
std::int64_t local_extent(const DimPlacement& dim, std::int64_t extent, std::int64_t ranks, const LeafPlace& place);

/// Throws InputError(BlockMismatch) unless `local` is the type that the placement gives a rank's part of `global`.
void check_block(const MeshForms& mesh, const std::vector<DimPlacement>& dims, const Type& global, const Type& local,
                 const LeafPlace& place);

/// The distributed parameter: reads of free input `free`, whose leading dimensions are `leading` (a partial input's
/// digits) and whose others are those of `global`.
Body shard_body(const MeshForms& mesh, const std::vector<DimPlacement>& dims, int free, std::span<const LinId> leading,
                const Type& global, const Type& local);

/// The sequential parameter of a partial input: the fold of free input `free` over its leading dimensions.
Body fold_body(Arena& arena, const std::string& op, int free, const std::vector<std::int64_t>& leading,
               const Type& global, const LeafPlace& place);

/// The sequential parameter that is free input `free` itself.
Body plain_body(Arena& arena, int free, const Type& type);

/// The claim of an output leaf that is tiled, or partial over `partial` digits.
OutputClaim tiled_claim(const MeshForms& mesh, const Placement& placement, int leaf, const Type& global,
                        const Type& local, const LeafPlace& place);

/// `convert` to `type` where the element types differ (floats to floats, integers to integers).
ExprId converted(Arena& arena, ExprId value, ElementType type);

/// Identity index forms for levels [first, first + extents.size()).
std::vector<LinId> index_variables(Arena& arena, int first, std::span<const std::int64_t> extents);

/// A placement that a program computes ({"hlo": file}, from the sequential tensors and partition-id to a rank's tensor) as one expression:
/// the only output of `module`, lifted over `digits`, where entry parameter leaf k is `parameters[k]` (bodies without
/// digits, over free inputs or output leaves). Throws InputError: BlockMismatch where the parameters or the result have
/// other types, UnsupportedForm where an instruction has no body (loops, opaque operators).
Body inline_module(Arena& arena, const Module& module, const RankDigits& digits, RankLayout layout,
                   std::span<const Body> parameters, const Type& local, const LeafPlace& place);

}  // namespace gg
