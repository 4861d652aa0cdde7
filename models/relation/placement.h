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

/// How one dimension is split. Block of coordinate j over `axes` (major first) is [j*b, (j+1)*b), b = ceil(n / k).
struct DimPlacement {
  std::vector<std::string> axes;
  std::vector<std::int64_t> segments;  ///< concatenation of segments, each split on its own (fused QKV)
  bool chunk = false;                  ///< torch.chunk: as ceil blocks, but the last rank's local tensor is shorter
  std::int64_t pad = 0;                ///< global length after padding at the end; 0 = none
  std::int64_t stride = 0;             ///< cyclic by blocks of this length (stride=1: element-wise round robin); 0 = blocks
  std::int64_t interleave = 0;         ///< number of interleaved streams each split on its own; 0 = none
  friend bool operator==(const DimPlacement&, const DimPlacement&) = default;
};

struct Placement {
  enum class Kind : std::uint8_t { Tiled, Ignored, Partial, Hlo } kind = Kind::Tiled;
  std::vector<DimPlacement> dims;          ///< Tiled, Partial; empty axes = not split
  std::vector<std::string> partial_axes;   ///< Partial
  std::string partial_op = "sum";          ///< sum, max, min, mul (as the relation spells it)
  std::string hlo_file;                    ///< Hlo
  friend bool operator==(const Placement&, const Placement&) = default;
};

enum class Notation : std::uint8_t { Json, PartitionSpec, Hlo, DTensor, Shardy };

/// Reads a placement string; the notation is recognised. `rank` = number of dimensions. Throws InputError(BadPlacement).
Placement parse_placement(std::string_view text, const Mesh& mesh, int rank, const Location& where);
/// Prints in a notation; throws InputError(UnsupportedForm) where the notation cannot say it.
std::string print_placement(const Placement& placement, const Mesh& mesh, Notation notation);
/// The placement that an HLO sharding means on this mesh (tiles matched to axes), or nothing where axes do not fit.
std::optional<Placement> placement_of(const Sharding& sharding, const Mesh& mesh);

}  // namespace gg
