// What relates the two programs (docs/design.md): two *functions* from a space of free inputs, one to the
// sequential and one to the distributed parameters, and a claim for each output. Everything is a Body, so runs evaluate
// it and the prover substitutes into it; it is never a set of equations, so it is always satisfiable.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/body/body.h"
#include "models/ir/module.h"
#include "models/rank/digits.h"
#include "models/relation/placement.h"

namespace gg {

/// Values of one input leaf: integers half open [lo, hi), floats closed [lo, hi]; lo == hi is a constant.
struct Range {
  double lo = 0, hi = 0;
  enum class Origin : std::uint8_t { Given,
                                     Inferred,
                                     Default } origin = Origin::Default;
};

/// Drawn when nothing better is known: floats in [-1, 1], integers below 8 or what their type holds.
Range default_range(ElementType type);

/// Integers lo..hi, both included.
struct IntegerSpan {
  std::int64_t lo = 0, hi = 0;
  void cover(std::int64_t lowest, std::int64_t highest);
  /// What is in both, empty where hi < lo.
  IntegerSpan within(const IntegerSpan& other) const;
  /// The values of an integer type, those of u64 up to 2^63 - 1.
  static IntegerSpan of(ElementType type);
  friend bool operator==(const IntegerSpan&, const IntegerSpan&) = default;
};

/// One free input: drawn in runs, universally quantified in proofs. Usually a sequential parameter leaf; for a partial
/// input the summands of all ranks; for an input made of parts each part.
struct FreeInput {
  std::string name;  ///< what the user's program calls it (`s['step']`), or the parameter's name
  Type type;
  Range range;
  int leaf = 0;           ///< the sequential input leaf that it gives, or a part of it
  std::string parameter;  ///< name in the module, the other way to name it
  /// A partial input: how its summands along the `leading` first dimensions make the value ("sum", "max", "min", "mul", "avg"),
  /// for which the range holds; "" for all others.
  std::string combined_by{};
  std::size_t leading = 0;
  /// What draws try beside the range (runtime/infer_ranges.cpp): numbers to hit, and the premise whose outside is looked at too.
  std::vector<std::int64_t> corners{};
  std::vector<double> met{};  ///< numbers for which something made of it is just what a program compares it with (runtime/met.h)
  std::optional<IntegerSpan> in_bounds{};
  std::optional<IntegerSpan> from_end{};                  ///< values that the sequential program takes and the premise does not cover
  bool filled = false;                                    ///< what it looks up out of range is NaN in the sequential program
  std::vector<bool> spoils{};                             ///< outputs of the sequential program that hang on what it looks up (IndexUses::spoils)
  std::optional<IntegerSpan> wide{};                      ///< of an integer of which nothing is known and that no index hangs on
  std::shared_ptr<const std::vector<double>> recorded{};  ///< its values in a run that was recorded, row-major: no others are drawn
};

/// The output of PyTorch's graphs, behind all others, that says that the graph raises nowhere: of the sequential graph nothing is said where it raises, so there it is true.
inline constexpr const char* kInRange = "indices.in.range";

/// What is claimed of one output leaf. Over the index box [digits..., local dims...]:
/// wherever `compared` holds, `distributed` (reads of the distributed output leaves, operand = leaf) equals
/// `sequential` (reads of the sequential output leaves).
struct OutputClaim {
  std::string name;
  enum class Kind : std::uint8_t { Compared,
                                   Ignored } kind = Kind::Compared;
  std::vector<std::int64_t> extents;
  ExprId distributed;
  ExprId sequential;
  GuardId compared;
};

/// Is an element of this output compared? No box without elements, and no guard that never holds.
bool compares(const Arena& arena, const OutputClaim& claim);

/// Reads k of a sequential parameter body refer to free input k; likewise the distributed ones.
struct Relation {
  Mesh mesh;
  RankDigits digits;
  RankLayout layout;
  std::vector<FreeInput> free;                    ///< in the order of the sequential leaves
  std::vector<Body> sequential_inputs;            ///< one a parameter leaf, no digits
  std::vector<Body> distributed_inputs;           ///< one a parameter leaf, digits first; padding is Unknown
  std::vector<OutputClaim> outputs;               ///< one an output leaf
  std::vector<std::optional<std::int64_t>> next;  ///< output leaf -> input leaf of the next step (relation or aliases)
  std::vector<Placement> input_placements, output_placements;
  std::string file;
  bool from_shardings = false;  ///< found in the sequential module, a module before partitioning
  bool recorded = false;        ///< inputs are those of one run, and the programs what ran for them: agreement proves nothing
};

/// Reads `relation.json` for a pair. `arena` holds the bodies. Throws InputError (GG-R...).
Relation read_relation(Arena& arena, const std::string& json, const std::string& file, const Module& sequential,
                       const Module& distributed);

/// Where no relation is given: placements from the shardings of the sequential module's parameters and root (a module
/// before partitioning), on a mesh recovered from their tile lists, axes named axis_0, axis_1 ... Throws InputError
/// where shardings are missing or no mesh fits.
Relation relation_from_shardings(Arena& arena, const Module& sequential, const Module& distributed);

/// The coarsest mesh in which every tile list of the module is a split over axes, for a module before partitioning.
/// Throws InputError where the header does not say how many ranks there are.
Mesh mesh_from_shardings(const Module& module);

/// One list of ranges.
class RangeList {
 public:
  explicit RangeList(Relation& relation);
  /// Replaces the range of one input, named by the index of its sequential leaf, what the user's program or the module
  /// calls it, or the name of one of its parts. Throws InputError(BadRange), also where an input has two, by one name or by several.
  void set(const std::string& input, double lo, double hi, const Location& where);

 private:
  Relation& relation_;
  std::unordered_map<std::string, std::vector<FreeInput*>> named_;
  std::set<const FreeInput*> given_;
};

/// Gives every free input its values: `{"x": [1, 2]}`, row-major. Throws InputError(BadRange), also where one is left out.
void set_recorded(Relation& relation, const nlohmann::ordered_json& object, const struct JsonPath& at);

/// The relation as the text of a relation file, placements in `notation` (as lists where it cannot say one).
std::string print_relation(const Relation& relation, Notation notation);

/// Do outputs that feed the next step hold the relation that the inputs are assumed to have? Only then does a proof of one step carry over
/// to a whole training run by induction.
struct StepClosure {
  bool closed = true;
  std::vector<int> open;  ///< output leaves whose claim is not the relation of the input that they feed
};

/// Nothing if no output feeds an input (no aliases and no `next` in the relation).
std::optional<StepClosure> step_closure(const Arena& arena, const Relation& relation);

}  // namespace gg
