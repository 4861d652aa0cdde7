// Placement of one tensor on the mesh, and its spellings: the relation file's lists, JAX `P('dp', None)`, XLA
// `{devices=[2,4]<=[8]}`, DTensor `[Shard(0), Replicate()]`, Shardy `[{'dp'}, {}]`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/diag.h"
#include "models/hlo/sharding.h"
#include "models/rank/digits.h"
#include "models/type/type.h"

namespace gg {

/// How one dimension of length n is split over k = product of its axes. Block of coordinate j over `axes` (major first)
/// is [j*b, (j+1)*b), b = ceil(n / k). At most one of segments, stride, interleave; segments take no pad.
struct DimPlacement {
  std::vector<std::string> axes;
  std::vector<std::int64_t> segments;  ///< concatenation of segments, each split on its own (fused QKV)
  bool chunk = false;                  ///< torch.chunk: ceil blocks (in one program for all ranks the last one is padded)
  std::int64_t pad = 0;                ///< global length after padding at the end; 0 = none
  std::int64_t stride = 0;             ///< cyclic by blocks of this length (1: element-wise round robin); 0 = blocks
  /// Number m of streams interleaved element by element (element g is of stream g mod m), each split into blocks and
  /// interleaved again in the shard: blocks of a multiple of m. 0 = none.
  std::int64_t interleave = 0;
  friend bool operator==(const DimPlacement&, const DimPlacement&) = default;
};

struct Placement {
  enum class Kind : std::uint8_t { Tiled,
                                   Ignored,
                                   Partial,
                                   Hlo,
                                   Parts } kind = Kind::Tiled;
  std::vector<DimPlacement> dims;         ///< Tiled, Partial, Parts; empty axes = not split; no dims = replicated
  std::vector<std::string> partial_axes;  ///< Partial
  std::string partial_op = "sum";         ///< sum, max, min, mul, avg
  std::string hlo_file;                   ///< Hlo: as written in the relation
  std::vector<std::string> parts;         ///< Parts: distributed inputs whose concatenation is the sequential one
  int concat_dim = 0;                     ///< Parts
  friend bool operator==(const Placement&, const Placement&) = default;
};

enum class Notation : std::uint8_t { Json,
                                     PartitionSpec,
                                     Hlo,
                                     DTensor,
                                     Shardy };

/// Reads a placement string; the notation is recognised. `rank` = number of dimensions. Throws
/// InputError(BadPlacement).
Placement parse_placement(std::string_view text, const Mesh& mesh, int rank, const Location& where);
/// `{"axes": ...}` and the like: throws InputError(BadPlacement) for unknown axes, axes used twice, and for fields that
/// exclude each other; `rank` -1 = do not check the number of dimensions.
void check_placement(const Placement& placement, const Mesh& mesh, int rank, const Location& where);
/// Prints in a notation; throws InputError(UnsupportedForm) where the notation cannot say it.
std::string print_placement(const Placement& placement, const Mesh& mesh, Notation notation);
/// The HLO sharding of a placement; throws InputError(UnsupportedForm) where there is none.
Sharding sharding_of(const Placement& placement, const Mesh& mesh);
/// The placement that an HLO sharding means on this mesh (tiles matched to axes), or nothing where axes do not fit.
std::optional<Placement> placement_of(const Sharding& sharding, const Mesh& mesh);

}  // namespace gg
