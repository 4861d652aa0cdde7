// What relates the two programs (architecture.md, section 5): two *functions* from a space of free inputs, one to the
// sequential and one to the distributed parameters, and a claim for each output. Everything is a Body, so runs evaluate
// it and the prover substitutes into it; it is never a set of equations, so it is always satisfiable.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/body/body.h"
#include "models/ir/module.h"
#include "models/rank/digits.h"

namespace gg {

/// Values of one input leaf: integers half open [lo, hi), floats closed [lo, hi]; lo == hi is a constant.
struct Range {
  double lo = 0, hi = 0;
  enum class Origin : std::uint8_t { Given, Inferred, Default } origin = Origin::Default;
};

/// One free input: drawn in runs, universally quantified in proofs. Usually a sequential parameter leaf; for a partial
/// input the summands of all ranks; for an input made of parts each part.
struct FreeInput {
  std::string name;  ///< `inputs[3]` or the parameter's name
  Type type;
  Range range;
};

/// What is claimed of one output leaf. Over the index box [digits..., local dims...]:
/// wherever `compared` holds, `distributed` (reads of the distributed output leaves, operand = leaf) equals `sequential`
/// (reads of the sequential output leaves).
struct OutputClaim {
  std::string name;
  enum class Kind : std::uint8_t { Compared, Ignored } kind = Kind::Compared;
  std::vector<std::int64_t> extents;
  ExprId distributed;
  ExprId sequential;
  GuardId compared;
};

/// The placement of one leaf as the relation file says it, kept for printing and for notations.
struct Placement;  // models/relation/placement.h

/// Reads k of a sequential parameter body refer to free input k; likewise the distributed ones.
struct Relation {
  Mesh mesh;
  RankDigits digits;
  RankLayout layout;
  std::vector<FreeInput> free;
  std::vector<Body> sequential_inputs;   ///< one a parameter leaf, no digits
  std::vector<Body> distributed_inputs;  ///< one a parameter leaf, digits first; padding is Unknown
  std::vector<OutputClaim> outputs;      ///< one an output leaf
  std::vector<std::optional<std::int64_t>> next;  ///< output leaf -> input leaf of the next step (relation or aliases)
  std::vector<Placement> input_placements, output_placements;
  std::string file;
};

/// Reads `relation.json` for a pair. `arena` holds the bodies. Throws InputError (GG-R...).
Relation read_relation(Arena& arena, const std::string& json, const std::string& file, const Module& sequential,
                       const Module& distributed);

}  // namespace gg

#include "models/relation/placement.h"
